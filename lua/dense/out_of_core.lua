-- Out-of-core closure of a matrix that is larger than the memory of the device: the matrix is on the host; square blocks of it are
-- copied to the device, closed or multiplied there, and copied back. The stages are those of blocked Floyd-Warshall
-- (Venkataraman et al. 2003), with blocks instead of tiles. Copies of the next product's blocks and of the last product's result
-- overlap with a product.

local algorithm = import "base/algorithm"
local matrix = import("dense/matrix").matrix

local SLICE = 1024 -- columns and rows that a product packs at a time, in temporary memory

local BLOCKS = 5 -- maximum number of blocks on the device: three of a product, and two more of the next product

-- Bytes on the device: blocks, and the temporary memory of a product.
local function bytes_of(edge, size) return (BLOCKS * edge * edge + 2 * edge * math.min(edge, SLICE)) * size end

--- matrix.block_edge(n, dtype, memory): the edge of blocks of an n x n matrix, as large as possible if five of them and the temporary
--- memory of a product must fit into `memory` bytes. n if the whole matrix fits; nil and the least number of bytes if not even
--- blocks of 16 x 16 fit.
function matrix.block_edge(n, dtype, memory)
  local size = algorithm.bytes_of[dtype]
  if (n * n + 2 * n * math.min(n, SLICE)) * size <= memory then return n end
  local low, high = 0, (n + 15) // 16 -- in units of 16
  while low < high do
    local middle = (low + high + 1) // 2
    if bytes_of(16 * middle, size) <= memory then low = middle else high = middle - 1 end
  end
  if low == 0 then return nil, bytes_of(16, size) end
  local blocks = (n + 16 * low - 1) // (16 * low)
  return ((n + blocks - 1) // blocks + 15) // 16 * 16 -- all blocks of about the same size
end

-- The rows and columns [first, past) of each block.
local function parts(n, edge)
  local list = {}
  for first = 0, n - 1, edge do list[#list + 1] = {first, math.min(first + edge, n)} end
  return list
end

-- A pool of blocks on the device. A returned block is used again for the next one of that shape, so that its memory is mapped once.
local Pool = {}
Pool.__index = Pool

function Pool:take(rows, cols)
  for k, b in ipairs(self.free) do
    if b.rows == rows and b.cols == cols then return table.remove(self.free, k) end
  end
  if self.there == BLOCKS then
    table.remove(self.free):close()
    self.there = self.there - 1
  end
  self.there = self.there + 1
  return buffer.new(self.kind, rows, cols)
end

function Pool:give_back(b) self.free[#self.free + 1] = b end

-- The products of stage k in order: {left, right, into}, each a place {row, column}. If `fresh` is true, the product replaces `into`
-- instead of being added to it: it multiplies a block of the pivot's row or column by the closed pivot, and the ones on the pivot's
-- diagonal already add the block itself. Each product shares a block with the one before it, so five blocks are enough for two products.
local function products_of(count, k)
  local list, pivot = {}, {k, k}
  for other = 1, count do
    if other ~= k then list[#list + 1] = {left = pivot, right = {k, other}, into = {k, other}, fresh = true} end
  end
  for other = 1, count do
    if other ~= k then list[#list + 1] = {left = {other, k}, right = pivot, into = {other, k}, fresh = true} end
  end
  local forward = true
  for i = count, 1, -1 do
    if i ~= k then
      for step = 1, count do
        local j = forward and step or count + 1 - step
        if j ~= k then list[#list + 1] = {left = {i, k}, right = {k, j}, into = {i, j}} end
      end
      forward = not forward
    end
  end
  return list
end

--- matrix.close_streamed(D, {edge =, semiring =, positive =, plain =}): closes D, which stays on the host, by blocks of
--- edge x edge elements, as matrix.close does. At most five blocks are on the device at a time. semiring is the number
--- matrix.semiring(NAME).row; positive = 1: the caller guarantees that no element is negative; plain = true uses the plain
--- primitives (min-plus, any values). On CUDA D is pinned, so that copies overlap with products. Returns whether no sum overflowed;
--- if one did, the contents of D are undefined.
function matrix.close_streamed(D, options)
  local n, edge, semiring, kind = D.rows, options.edge, options.semiring or 0, D.dtype
  local blocks, overflow = parts(n, edge), buffer.new("u32", 1)
  local zero = matrix.zero(semiring, kind)
  local count = #blocks
  local pool = setmetatable({free = {}, there = 0, kind = kind}, Pool)
  local held = {} -- the blocks on the device of the current product and the next one
  local all <close> = setmetatable({}, {__close = function()
    for _, b in ipairs(pool.free) do b:close() end
    for b in pairs(held) do b:close() end
  end})
  D:pin()
  local function block(place)
    local i, j = blocks[place[1]], blocks[place[2]]
    local b = pool:take(i[2] - i[1], j[2] - j[1])
    held[b] = true
    return b
  end
  local function brought(place)
    local i, j, b = blocks[place[1]], blocks[place[2]], block(place)
    D:slice(i[1], i[2], j[1], j[2], b)
    return b
  end
  local function put(b, place) D:paste(b, blocks[place[1]][1], blocks[place[2]][1]) end
  local function release(b)
    held[b] = nil
    pool:give_back(b)
  end
  local function multiplied(left, right, into)
    local given = {left = left, right = right, into = into, overflow = overflow, p = into.rows, q = left.cols, r = into.cols,
      semiring = semiring, positive = options.positive or 0}
    if not options.plain then return multiply(given) end
    given.positive = nil
    given.down, given.across = (given.p + 31) // 32, (given.r + 31) // 32
    multiply_tile(given)
  end
  local done, total = 0, count * count * count
  local line <close> = algorithm.progress_line
  local function step()
    done = done + 1
    algorithm.progress("closing by blocks", done, total)
  end
  local function at(place) return place[1] * (count + 1) + place[2] end
  -- Brings the blocks of a product to the device. stays[at(place)]: the block of that place, if it is there already.
  local function prepared(product, stays)
    local function of(place) return stays[at(place)] or brought(place) end
    local now = {product = product, left = of(product.left), right = of(product.right)}
    if product.fresh then
      now.into = block(product.into)
      fill(now.into, zero)
    else
      now.into = brought(product.into)
    end
    return now
  end
  local function closed(P)
    if options.plain then return matrix.close_tiles(P, P.rows) end
    return matrix.close(P, P.rows, {semiring = semiring, positive = options.positive})
  end
  for k = 1, count do
    local pivot, list = {k, k}, products_of(count, k)
    local P = brought(pivot)
    -- The blocks that the next product may use: both factors of this product. If this product is fresh: the pivot and the result,
    -- because in D the result replaces the other factor.
    local function left_by(now)
      local product = now.product
      if product.fresh then return {[at(pivot)] = P, [at(product.into)] = now.into} end
      return {[at(product.left)] = now.left, [at(product.right)] = now.right}
    end
    local now = list[1] and prepared(list[1], {[at(pivot)] = P})
    if not closed(P) then return false end
    put(P, pivot)
    step()
    for t = 1, #list do
      local next = list[t + 1] and prepared(list[t + 1], left_by(now)) or {}
      multiplied(now.left, now.right, now.into)
      put(now.into, list[t].into)
      step()
      for _, side in ipairs {"left", "right", "into"} do
        local b = now[side]
        if not rawequal(b, next.left) and not rawequal(b, next.right) then release(b) end
      end
      now = next
    end
    if overflow[0] ~= 0 then return false end
  end
  return true
end

return matrix
