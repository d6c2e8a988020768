-- Dense matrices that several ranks close together (lua/ranks.lua). Each ends with all of the matrix, or with its stripe of rows.

-- The part of a matrix from row i and column j on, p x q elements, to another one, from row k and column l on.
local function copy_block(D, i, j, p, q, to, k, l) matrix_copy(D, D.cols, i, j, p, q, to, to.cols, k, l) end
-- The same part as a matrix.
local function cut(D, i, j, p, q)
  local part = buffer.new(D.dtype, p, q)
  copy_block(D, i, j, p, q, part, 0, 0)
  return part
end
local function put(part, D, i, j) copy_block(part, 0, 0, part.rows, part.cols, D, i, j) end

local function zero_of(kind, semiring) return matrix.semiring(({[0] = "min-plus", "max-plus", "max-min"})[semiring]).zero[kind] end

--- matrix.rows_bytes(n, dtype [, tile]): the bytes that a rank's device holds for matrix.close_rows with host = true.
function matrix.rows_bytes(n, kind, tile)
  tile = math.min(tile or 1024, n)
  local rows = ((n + tile - 1) // tile + ranks.count - 1) // ranks.count * tile
  local packed = math.min(tile, 1024) * (n + rows) -- by a product
  return (rows * (n + 2 * tile) + tile * (2 * n + tile) + packed) * tonumber(kind:sub(2)) // 8
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
--- closed tile and the rows of the pivots. The rank that has the next turn's pivots brings their rows up to date first; they go to all
--- ranks while these update their other rows. Returns whether all elements of all ranks fitted.
function matrix.close_stripe(own, n, options)
  local kind, semiring, positive, tile = options.dtype, options.semiring or 0, options.positive or 0, tile_of(options)
  local overflow, fits = buffer.new("u32", 1), true
  local zero, turns = zero_of(kind, semiring), (n + tile - 1) // tile
  local function row(turn) return math.min(turn * tile, n) end
  local first, past = matrix.stripe(n, options)
  local rows = past - first
  -- Rows from..to - 1 of into.
  local function multiplied(left, right, into, from, to)
    if to <= from then return end
    multiply_rows {left = left, right = right, into = into, overflow = overflow, first = from, rows = to - from, p = left.rows,
      q = left.cols, r = right.cols, semiring = semiring, positive = positive}
  end
  local kept = {} -- buffers of a turn, for later ones: only the last turn may be narrower
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
  -- The rows of a turn's pivots, and the exchange that brings them. The rows of the turn before are still in use.
  local function sent(turn)
    local k, deep, owner = row(turn), row(turn + 1) - row(turn), ranks.owner(turns, turn)
    local across = room("across" .. turn % 2, deep, n)
    if owner == ranks.rank then
      local pivot = room("pivot", deep, deep)
      copy_block(own, k - first, 0, deep, n, across, 0, 0)
      copy_block(own, k - first, k, deep, deep, pivot, 0, 0)
      fits = matrix.close(pivot, deep, {semiring = semiring, positive = positive}) and fits
      put(pivot, across, 0, k)
    end
    return across, ranks.count > 1 and ranks.beside(broadcast, across, owner)
  end
  local across, coming = sent(0)
  for turn = 0, turns - 1 do
    local k, deep = row(turn), row(turn + 1) - row(turn)
    local ahead, behind = 0, 0 -- of own, the rows of the next turn's pivots
    if turn + 1 < turns and ranks.owner(turns, turn + 1) == ranks.rank then ahead, behind = row(turn + 1) - first, row(turn + 2) - first end
    local down
    if coming then coming:wait() end
    if own then
      local pivot, before = room("pivot", deep, deep), room("before", rows, deep)
      down = room("down", rows, deep)
      copy_block(across, 0, k, deep, deep, pivot, 0, 0)
      copy_block(own, 0, k, rows, deep, before, 0, 0)
      fill(down, zero)
      multiplied(before, pivot, down, 0, rows)
      multiplied(down, across, own, ahead, behind)
    end
    local next_across
    if turn + 1 < turns then next_across, coming = sent(turn + 1) end
    if own then
      multiplied(down, across, own, 0, ahead)
      multiplied(down, across, own, behind, rows)
    end
    across = next_across
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

-- The first columns of the ranks' parts of an upper triangular n x n matrix that is closed by steps of `tile`, and n behind them. A
-- column j of it has j^2 / 2 updates, and `tile` more for each of its j rows by the diagonal tiles; up to column c these are
-- c^3 / 6 + tile * c^2 / 2, of which each rank gets the same. Parts begin at multiples of 32, as tiles of products do.
local function parts_of_triangle(n, tile)
  local function work(c) return c * c * (c + 3.0 * tile) end
  local first, c = {[0] = 0}, 0
  for r = 1, ranks.count - 1 do
    while c < n and work(c) < work(n) * r / ranks.count do c = c + 32 end
    first[r] = math.min(c, n)
  end
  first[ranks.count] = n
  return first
end

-- Rows of a rank's columns are sent when they are final, beside the products of the rows above: what has been done when a piece is sent,
-- as shares of the rank's work. The last piece, which no product hides, is small.
local SENT = {1 / 2, 3 / 4, 7 / 8, 15 / 16, 31 / 32, 1}

-- By piece the first of its rows, for the columns from .. to - 1 by steps of `tile`: from the last row up, [0] is `to`.
local function pieces_of_columns(from, to, tile)
  local rows, whole, done = {[0] = to}, 0, 0
  local function work(k) return (k + tile) * (to - math.max(from, k)) end
  local last = (to - 1) // tile * tile
  for k = last, 0, -tile do whole = whole + work(k) end
  for q, share in ipairs(SENT) do
    local k = rows[q - 1]
    while k > 0 and done < share * whole do
      k = (k - 1) // tile * tile
      done = done + work(k)
    end
    rows[q] = share == 1 and 0 or k
  end
  return rows
end

local STRIP = 1024 -- columns that are sent together, down to the diagonal: few copies, and few elements below it

-- Begins to send a piece of all ranks' columns: rank r has the columns first[r] .. first[r + 1] - 1, and the piece their rows
-- rows[r][q] .. rows[r][q - 1] - 1. Returns what waits for it, and puts it into D.
local function share_piece(D, first, rows, q)
  local strips, high, begins = {}, 0, {}
  for r = 0, ranks.count - 1 do
    begins[r] = high
    for j = first[r], first[r + 1] - 1, STRIP do
      local past, top = math.min(j + STRIP, first[r + 1]), rows[r][q]
      local count = math.min(rows[r][q - 1], past) - top -- down to the diagonal
      if count > 0 then
        strips[#strips + 1] = {rank = r, i = top, count = count, j = j, wide = past - j, at = high}
        high = high + count
      end
    end
  end
  begins[ranks.count] = high
  local packed = buffer.new(D.dtype, high, math.min(STRIP, D.cols))
  for _, s in ipairs(strips) do
    if s.rank == ranks.rank then copy_block(D, s.i, s.j, s.count, s.wide, packed, s.at, 0) end
  end
  local pending = ranks.beside(all_gather, packed, begins[ranks.rank] * packed.cols, begins[ranks.rank + 1] * packed.cols)
  return function()
    pending:wait()
    for _, s in ipairs(strips) do
      if s.rank ~= ranks.rank then copy_block(packed, s.at, 0, s.count, s.wide, D, s.i, s.j) end
    end
    packed:close()
  end
end

--- matrix.star_columns(D, n, {semiring =, positive =, tile =}): closes an upper triangular D; each rank has a range of columns (Goto
--- 2011, section 5: the matrix is split by columns). A column of the star needs itself and the columns of D before it, as they were;
--- so the ranks only exchange what is final. The columns of a rank go together: there are three products for each `tile` rows,
--- from the last on, and they are large. Rows from `k` on are final behind step k, and are sent in pieces beside the steps that follow;
--- they are put into D at the end, since a rank needs the others' columns as they were. Returns whether all elements fitted.
function matrix.star_columns(D, n, options)
  local kind, semiring, positive, tile = D.dtype, options.semiring or 1, options.positive or 0, options.tile or 256
  local overflow, first, rows, sent = buffer.new("u32", 1), parts_of_triangle(n, tile), {}, {}
  for r = 0, ranks.count - 1 do rows[r] = pieces_of_columns(first[r], first[r + 1], tile) end
  local given = bundle {D = D, overflow = overflow, semiring = semiring, positive = positive, tile = tile, upper = 1}
  close_diagonal(given)
  -- D(i .. past - 1, j .. last - 1) = itself + D(i .. past - 1, k .. k + deep - 1) * D(k .. k + deep - 1, j .. last - 1)
  local function multiplied(i, past, j, last, k, deep)
    if past <= i or last <= j then return end
    given.i, given.rows, given.j, given.cols, given.k, given.deep = i, past - i, j, last - j, k, deep
    block_multiply(given)
  end
  local function send(k) -- the pieces that are final, when the rows from k on are
    while ranks.count > 1 and #sent < #SENT and rows[ranks.rank][#sent + 1] >= k do sent[#sent + 1] = share_piece(D, first, rows, #sent + 1) end
  end
  local from, to = first[ranks.rank], first[ranks.rank + 1]
  for k = to > from and (to - 1) // tile * tile or -1, 0, -tile do
    local past = math.min(k + tile, n)
    local right = math.max(from, past) -- of this rank's columns, those that paths from here on have come to
    multiplied(k, past, right, to, k, past - k)
    multiplied(0, k, right, to, k, past - k)
    multiplied(0, k, math.max(from, k), math.min(to, past), k, past - k) -- the tile's own, when nobody wants them as they were
    send(k)
  end
  send(0)
  for _, put_there in ipairs(sent) do put_there() end
  return ranks.greatest(overflow[0]) == 0
end
