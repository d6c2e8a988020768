-- Dense matrices that several ranks close together (lua/ranks.lua). Each ends with all of the matrix, or with its stripe of rows.

-- The part of a matrix from row i and column j on, p x q elements, as a matrix.
local function cut(D, i, j, p, q)
  local part = buffer.new(D.dtype, p, q)
  matrix_cut(D, D.cols, i, j, q, part)
  return part
end
local function put(part, D, i, j) matrix_put(part, part.cols, D, D.cols, i, j) end

local function zero_of(kind, semiring) return matrix.semiring(({[0] = "min-plus", "max-plus", "max-min"})[semiring]).zero[kind] end

--- matrix.rows_bytes(n, dtype [, tile]): the bytes that a rank's device holds for matrix.close_rows with host = true.
function matrix.rows_bytes(n, kind, tile)
  tile = math.min(tile or 1024, n)
  local rows = ((n + tile - 1) // tile + ranks.count - 1) // ranks.count * tile
  local packed = math.min(tile, 1024) * (n + rows) -- by a product
  return (rows * (n + 2 * tile) + tile * (n + tile) + packed) * tonumber(kind:sub(2)) // 8
end

local function tile_of(options) return options.tile or (on_cpu() and 256 or 1024) end

--- matrix.stripe(n [, {tile =}]): the rows that this rank has of an n x n matrix: the first of them, and the one behind the last.
--- Parts are of whole tiles; a rank may have none.
function matrix.stripe(n, options)
  local tile = tile_of(options or {})
  local first, past = ranks.range((n + tile - 1) // tile)
  return math.min(first * tile, n), math.min(past * tile, n)
end

--- matrix.close_stripe(own, n, {dtype =, semiring =, positive =, tile =}): as matrix.close, of an n x n matrix of which each rank
--- has its stripe alone, in place: own, or false where it has no rows. A turn takes `tile` pivots: the rank that has their rows
--- broadcasts them, with the pivot tile closed, and every rank adds to its rows the product of their columns of pivots, the
--- closed tile and the rows of the pivots. Returns whether all elements of all ranks fitted.
function matrix.close_stripe(own, n, options)
  local kind, semiring, positive, tile = options.dtype, options.semiring or 0, options.positive or 0, tile_of(options)
  local overflow, fits = buffer.new("u32", 1), true
  local zero, turns = zero_of(kind, semiring), (n + tile - 1) // tile
  local function row(turn) return math.min(turn * tile, n) end
  local first, past = matrix.stripe(n, options)
  local rows = past - first
  local function multiplied(left, right, into)
    multiply {left = left, right = right, into = into, overflow = overflow, p = left.rows, q = left.cols, r = right.cols,
      semiring = semiring, positive = positive}
  end
  local kept = {} -- buffers of a turn, for the next one: only the last turn may be narrower
  local function room(name, high, wide)
    local b = kept[name]
    if not b or b.rows ~= high or b.cols ~= wide then
      if b then b:close() end
      b = buffer.new(kind, high, wide)
      kept[name] = b
    end
    return b
  end
  local done <close> = setmetatable({}, {__close = function() for _, b in pairs(kept) do b:close() end end})
  for turn = 0, turns - 1 do
    local k, owner = row(turn), ranks.owner(turns, turn)
    local deep = row(turn + 1) - k
    local pivot, across = room("pivot", deep, deep), room("across", deep, n)
    if owner == ranks.rank then
      matrix_cut(own, n, k - first, 0, n, across)
      matrix_cut(own, n, k - first, k, deep, pivot)
      fits = matrix.close(pivot, deep, {semiring = semiring, positive = positive}) and fits
      put(pivot, across, 0, k)
    end
    if ranks.count > 1 then broadcast(across, owner) end
    if own then
      local before, down = room("before", rows, deep), room("down", rows, deep)
      matrix_cut(across, n, 0, k, deep, pivot)
      matrix_cut(own, n, 0, k, deep, before)
      fill(down, zero)
      multiplied(before, pivot, down)
      multiplied(down, across, own)
    end
  end
  return ranks.greatest((fits and overflow[0] == 0) and 0 or 1) == 0
end

--- matrix.whole(own, n, dtype [, {tile =}]): the n x n matrix, in all ranks, of which each has its stripe.
function matrix.whole(own, n, kind, options)
  local D, first, past = buffer.new(kind, n, n), matrix.stripe(n, options)
  if own then put(own, D, first, 0) end
  if ranks.count > 1 then all_gather(D, first * n, past * n) end
  return D
end

--- matrix.close_rows(D, n, {semiring =, positive =, tile =, host =}): as matrix.close, but each rank closes a stripe of rows
--- (matrix.close_stripe). host = true: D stays on the host, and a rank's device holds its stripe alone.
function matrix.close_rows(D, n, options)
  local first, past = matrix.stripe(n, options)
  local own = past > first and (options.host and D:slice(first, past) or not options.host and cut(D, first, 0, past - first, n))
  local fits = matrix.close_stripe(own, n,
    {dtype = D.dtype, semiring = options.semiring, positive = options.positive, tile = options.tile})
  if own and options.host then D:paste(own, first) elseif own then put(own, D, first, 0) end
  if ranks.count > 1 then
    if options.host then ranks.on_host(all_gather, D, first * n, past * n) else all_gather(D, first * n, past * n) end
  end
  return fits
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
  local function at(block) return math.min(block * tile, n) end
  local given = bundle {D = D, overflow = overflow, semiring = semiring, positive = positive, tile = tile}
  close_diagonal(given)
  -- D(rows, block j) = D(rows, block j) + D(rows, block k) * D(block k, block j)
  local function multiplied(row, past, j, k)
    given.i, given.rows, given.j, given.cols, given.k, given.deep = row, past - row, at(j), at(j + 1) - at(j), at(k), at(k + 1) - at(k)
    block_multiply(given)
  end
  local lists, first, past, elements = dealt(blocks), 0, 0, 0
  for _, j in ipairs(lists[ranks.rank]) do -- from the last on: a block is wanted by those after it, as it was
    if j > 0 then multiplied(0, at(j), j, j) end
    for i = j - 1, 0, -1 do
      multiplied(at(i), at(i + 1), j, i)
      if i > 0 then multiplied(0, at(i), j, i) end
    end
  end
  if ranks.count > 1 then -- the columns, down to the diagonal, one block behind the other
    local function size(j) return at(j + 1) * (at(j + 1) - at(j)) end
    for r = 0, ranks.count - 1 do
      if r == ranks.rank then first = elements end
      for _, j in ipairs(lists[r]) do elements = elements + size(j) end
      if r == ranks.rank then past = elements end
    end
    local packed, place = buffer.new(kind, elements, 1), first
    for _, j in ipairs(lists[ranks.rank]) do
      local columns <close> = cut(D, 0, at(j), at(j + 1), at(j + 1) - at(j))
      matrix_put(columns, 1, packed, 1, place, 0)
      place = place + size(j)
    end
    all_gather(packed, first, past)
    place = 0
    for r = 0, ranks.count - 1 do
      for _, j in ipairs(lists[r]) do
        local columns <close> = buffer.new(kind, at(j + 1), at(j + 1) - at(j))
        if r ~= ranks.rank then
          matrix_cut(packed, 1, place, 0, 1, columns)
          put(columns, D, 0, at(j))
        end
        place = place + size(j)
      end
    end
  end
  return ranks.greatest(overflow[0]) == 0
end
