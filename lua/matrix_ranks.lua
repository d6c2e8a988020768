-- Dense matrices that several ranks close together (lua/ranks.lua). Each ends with all of the matrix.

local function zeros(kind, rows, cols, zero)
  local b = buffer.new(kind, rows, cols)
  fill(b, zero)
  return b
end

-- The part of a matrix from row i and column j on, p x q elements, as a matrix.
local function cut(D, i, j, p, q)
  local part = buffer.new(D.dtype, p, q)
  matrix_cut(D, D.cols, i, j, q, part)
  return part
end
local function put(part, D, i, j) matrix_put(part, part.cols, D, D.cols, i, j) end

-- The product of two matrices, added to a third or to one that is empty.
local function multiplier(semiring, positive, overflow, zero)
  return function(left, right, into)
    into = into or zeros(left.dtype, left.rows, right.cols, zero)
    multiply {left = left, right = right, into = into, overflow = overflow, p = left.rows, q = left.cols, r = right.cols,
      semiring = semiring, positive = positive}
    return into
  end
end

local function zero_of(kind, semiring) return matrix.semiring(({[0] = "min-plus", "max-plus", "max-min"})[semiring]).zero[kind] end

--- matrix.rows_bytes(n, dtype [, tile]): the bytes that a rank's device holds for matrix.close_rows with host = true.
function matrix.rows_bytes(n, kind, tile)
  tile = math.min(tile or 1024, n)
  local rows = ((n + tile - 1) // tile + ranks.count - 1) // ranks.count * tile
  return (rows * (n + 2 * tile) + 3 * tile * n + tile * tile) * tonumber(kind:sub(2)) // 8
end

--- matrix.close_rows(D, n, {semiring =, positive =, tile =, host =}): as matrix.close, but each rank closes a stripe of rows. A
--- turn takes `tile` pivots: the rank that has their rows closes and broadcasts them, and every rank multiplies its own rows by
--- them. host = true: D stays on the host, and a rank's device holds its stripe alone.
function matrix.close_rows(D, n, options)
  local kind, semiring, positive = D.dtype, options.semiring or 0, options.positive or 0
  local tile, overflow, fits = options.tile or (on_cpu() and 256 or 1024), buffer.new("u32", 1), true
  local multiplied = multiplier(semiring, positive, overflow, zero_of(kind, semiring))
  local turns = (n + tile - 1) // tile
  local function row(turn) return math.min(turn * tile, n) end
  local first, past = ranks.range(turns)
  first, past = row(first), row(past)
  local own = past > first and (options.host and D:slice(first, past) or not options.host and cut(D, first, 0, past - first, n))
  for turn = 0, turns - 1 do
    local k, owner = row(turn), ranks.owner(turns, turn)
    local deep = row(turn + 1) - k
    local across <close> = buffer.new(kind, deep, n) -- the rows of the pivots
    if owner == ranks.rank then
      local pivot <close> = cut(own, k - first, k, deep, deep)
      fits = matrix.close(pivot, deep, {semiring = semiring, positive = positive}) and fits
      local before <close> = cut(own, k - first, 0, deep, n)
      fill(across, zero_of(kind, semiring))
      multiplied(pivot, before, across)
    end
    if ranks.count > 1 then broadcast(across, owner) end
    if own then
      local pivot <close> = cut(across, 0, k, deep, deep)
      local before <close> = cut(own, 0, k, past - first, deep)
      local down <close> = multiplied(before, pivot) -- the columns of the pivots
      multiplied(down, across, own)
    end
  end
  if own and options.host then D:paste(own, first) elseif own then put(own, D, first, 0) end
  if ranks.count > 1 then
    if options.host then ranks.on_host(all_gather, D, first * n, past * n) else all_gather(D, first * n, past * n) end
  end
  return ranks.greatest((fits and overflow[0] == 0) and 0 or 1) == 0
end

-- The blocks of columns of each rank: a block's work grows with the square of its number, so that they are dealt from the last
-- on, to and fro.
local function dealt(blocks)
  local lists, rank, step = {}, 0, 1
  for r = 0, ranks.count - 1 do lists[r] = {} end
  for j = blocks - 1, 0, -1 do
    table.insert(lists[rank], j)
    if rank + step < 0 or rank + step >= ranks.count then step = -step else rank = rank + step end
  end
  return lists
end

--- matrix.star_columns(D, n, {semiring =, positive =, tile =}): closes an upper triangular D; each rank has blocks of `tile`
--- columns (Goto 2011, section 5: the matrix is split by columns). A block of columns of the star needs D and itself alone, from
--- the diagonal upwards; so the ranks exchange nothing before the end. Returns whether all elements fitted.
function matrix.star_columns(D, n, options)
  local kind, semiring, positive, tile = D.dtype, options.semiring or 1, options.positive or 0, options.tile or 256
  local blocks, overflow = (n + tile - 1) // tile, buffer.new("u32", 1)
  local multiplied = multiplier(semiring, positive, overflow, zero_of(kind, semiring))
  local function at(block) return math.min(block * tile, n) end
  close_diagonal {D = D, overflow = overflow, tile = tile, semiring = semiring, positive = positive}
  local lists, first, past, columns = dealt(blocks), 0, 0, {}
  for r = 0, ranks.count - 1 do -- where the columns of each rank lie, if all are one behind the other
    local elements = 0
    for _, j in ipairs(lists[r]) do elements = elements + n * (at(j + 1) - at(j)) end
    if r < ranks.rank then first = first + elements end
    if r == ranks.rank then past = elements end
  end
  past = first + past
  for _, j in ipairs(lists[ranks.rank]) do -- from the last on: a block is wanted by those after it, as it was
    local wide = at(j + 1) - at(j)
    local X = zeros(kind, n, wide, zero_of(kind, semiring))
    local corner <close> = cut(D, at(j), at(j), wide, wide)
    put(corner, X, at(j), 0)
    for i = j - 1, 0, -1 do
      local high, deep = at(i + 1) - at(i), at(j + 1) - at(i + 1)
      local right <close> = cut(D, at(i), at(i + 1), high, deep)
      local below <close> = cut(X, at(i + 1), 0, deep, wide)
      local sum <close> = multiplied(right, below)
      local pivot <close> = cut(D, at(i), at(i), high, high)
      local block <close> = multiplied(pivot, sum)
      put(block, X, at(i), 0)
    end
    columns[j] = X
    if ranks.count == 1 then put(X, D, 0, at(j)) end
  end
  if ranks.count > 1 then
    local packed, place = buffer.new(kind, n * n, 1), first
    for _, j in ipairs(lists[ranks.rank]) do
      local X <close> = columns[j]
      matrix_put(X, 1, packed, 1, place, 0)
      place = place + #X
    end
    all_gather(packed, first, past)
    place = 0
    for r = 0, ranks.count - 1 do
      for _, j in ipairs(lists[r]) do
        local wide = at(j + 1) - at(j)
        local X <close> = buffer.new(kind, n, wide)
        matrix_cut(packed, 1, place, 0, 1, X)
        put(X, D, 0, at(j))
        place = place + n * wide
      end
    end
  end
  return ranks.greatest(overflow[0]) == 0
end
