-- Closure of dense matrices by several ranks (lua/exchange/ranks.lua). At the end each rank has the whole matrix, or its stripe of rows.

local bundle = import("base/loops").bundle
local matrix = import("dense/matrix").matrix
local ranks = import "exchange/ranks"
local matrix_ranks = {}

-- Copies p x q elements of D, from row i and column j on, to row k and column l of `to`.
local function copy_block(D, i, j, p, q, to, k, l) matrix_copy(D, D.cols, i, j, p, q, to, to.cols, k, l) end
-- A new matrix with the p x q elements of D from row i and column j on.
local function cut(D, i, j, p, q)
  local part = buffer.new(D.dtype, p, q)
  copy_block(D, i, j, p, q, part, 0, 0)
  return part
end
local function put(part, D, i, j) copy_block(part, 0, 0, part.rows, part.cols, D, i, j) end

-- matrix_ranks.rows_bytes(n, dtype [, tile]): the bytes that a rank's device needs for matrix_ranks.close_rows with host = true.
function matrix_ranks.rows_bytes(n, kind, tile)
  tile = math.min(tile or 1024, n)
  local rows = ((n + tile - 1) // tile + ranks.count - 1) // ranks.count * tile
  local packed = math.min(tile, 1024) * (n + rows) -- temporary memory of a product
  return (rows * (n + 2 * tile) + tile * (2 * n + tile) + packed) * algorithm.bytes_of[kind]
end

local function tile_of(options) return options.tile or (algorithm.on_cpu() and 256 or 1024) end

-- matrix_ranks.stripe(n [, {tile =}]): this rank's rows [first, past) of an n x n matrix: returns first and past. Stripes consist of whole
-- tiles; a rank may have no rows.
function matrix_ranks.stripe(n, options)
  local tile = tile_of(options or {})
  local first, past = ranks.range((n + tile - 1) // tile)
  return math.min(first * tile, n), math.min(past * tile, n)
end

-- matrix_ranks.close_stripe(own, n, {dtype =, semiring =, positive =, tile =}): as matrix.close, for an n x n matrix of which each rank
-- has only its stripe `own` (false if it has no rows), which is closed in place. An iteration has `tile` pivots: the rank that owns
-- their rows closes the pivot tile and broadcasts the rows; every rank adds to its rows the product of three matrices: its columns
-- of the pivots, the closed tile, and the pivots' rows. The owner of the next pivots updates their rows first, so that their
-- broadcast overlaps with the update of the other rows. Returns whether no element of any rank overflowed.
function matrix_ranks.close_stripe(own, n, options)
  local kind, semiring, positive, tile = options.dtype, options.semiring or 0, options.positive or 0, tile_of(options)
  local overflow, fits = buffer.new("u32", 1), true
  local zero, turns = matrix.zero(semiring, kind), (n + tile - 1) // tile
  local function row(turn) return math.min(turn * tile, n) end
  local first, past = matrix_ranks.stripe(n, options)
  local rows = past - first
  -- Computes the rows [from, to) of `into`.
  local function multiplied(left, right, into, from, to)
    if to <= from then return end
    multiply_rows {left = left, right = right, into = into, overflow = overflow, first = from, rows = to - from, p = left.rows,
      q = left.cols, r = right.cols, semiring = semiring, positive = positive}
  end
  local kept = {} -- buffers that later iterations use again; only the last iteration may be narrower
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
  -- Starts the broadcast of the pivots' rows of an iteration; returns their buffer and the exchange. Buffers alternate, because the rows
  -- of the previous iteration are still in use.
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
    local ahead, behind = 0, 0 -- rows [ahead, behind) of own: the pivots of the next iteration
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

-- matrix_ranks.whole(own, n, dtype [, {tile =}]): the n x n matrix, in all ranks, from the stripe of each.
function matrix_ranks.whole(own, n, kind, options)
  local D, first, past = buffer.new(kind, n, n), matrix_ranks.stripe(n, options)
  if own then put(own, D, first, 0) end
  if ranks.count > 1 then all_gather(D, first * n, past * n) end
  return D
end

-- matrix_ranks.close_rows(D, n, {semiring =, positive =, tile =, host =}): as matrix.close, but each rank closes a stripe of rows
-- (matrix_ranks.close_stripe). host = true: D stays on the host, and a rank's device holds only its stripe.
function matrix_ranks.close_rows(D, n, options)
  local first, past = matrix_ranks.stripe(n, options)
  local own = past > first and (options.host and D:slice(first, past) or not options.host and cut(D, first, 0, past - first, n))
  local fits = matrix_ranks.close_stripe(own, n,
    {dtype = D.dtype, semiring = options.semiring, positive = options.positive, tile = options.tile})
  if own and options.host then D:paste(own, first) elseif own then put(own, D, first, 0) end
  if ranks.count > 1 then
    if options.host then ranks.on_host(all_gather, D, first * n, past * n) else all_gather(D, first * n, past * n) end
  end
  return fits
end

-- Divides the columns of an upper triangular n x n matrix among the ranks: the first column of each rank, and n at the end. When the
-- matrix is closed by steps of `tile`, column j has j^2 / 2 updates, and `tile` more for each of its j rows by the diagonal tiles. The
-- sum up to column c, c^3 / 6 + tile * c^2 / 2, is divided evenly. Parts begin at multiples of 32, as tiles of products do.
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

-- A rank sends final rows of its columns in pieces, overlapped with the products of the rows above. Each number is the share of the
-- rank's work that is done when the piece is sent. The last piece, which does not overlap with a product, is small.
local SENT = {1 / 2, 3 / 4, 7 / 8, 15 / 16, 31 / 32, 1}

-- The first row of each piece of the columns [from, to), with steps of `tile` rows. Piece q has the rows [rows[q], rows[q - 1]), and
-- rows[0] is `to`: the pieces go from the last row upwards.
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

local STRIP = 1024 -- columns that are copied together, down to the diagonal: few copies, and few elements below the diagonal

-- Starts the exchange of piece q of all ranks: rank r sends the rows rows[r][q] .. rows[r][q - 1] - 1 of its columns first[r] ..
-- first[r + 1] - 1. Returns a function that waits for the exchange and copies the pieces of other ranks into D.
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

-- matrix_ranks.star_columns(D, n, {semiring =, positive =, tile =}): closes an upper triangular D; each rank computes a range of columns
-- (Goto 2011, section 5: the matrix is split by columns). A column of the result depends only on itself and on the original columns of
-- D before it; so the ranks only exchange final elements. A rank updates its columns together, by three large products for each `tile`
-- rows, from the last rows on. After step k the rows from k on are final; they are sent in pieces, overlapped with later steps, and
-- copied into D at the end, because a rank needs the original columns of the others. Returns whether no element overflowed.
function matrix_ranks.star_columns(D, n, options)
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
  local function send(k) -- sends the pieces that are final once the rows from k on are final
    while ranks.count > 1 and #sent < #SENT and rows[ranks.rank][#sent + 1] >= k do sent[#sent + 1] = share_piece(D, first, rows, #sent + 1) end
  end
  local from, to = first[ranks.rank], first[ranks.rank + 1]
  for k = to > from and (to - 1) // tile * tile or -1, 0, -tile do
    local past = math.min(k + tile, n)
    local right = math.max(from, past) -- this rank's columns right of the tile
    multiplied(k, past, right, to, k, past - k)
    multiplied(0, k, right, to, k, past - k)
    multiplied(0, k, math.max(from, k), math.min(to, past), k, past - k) -- the tile's own columns last: the product above reads the old ones
    send(k)
  end
  send(0)
  for _, put_there in ipairs(sent) do put_there() end
  return ranks.greatest(overflow[0]) == 0
end

return matrix_ranks
