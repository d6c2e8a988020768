-- The closure of a matrix that is larger than the memory of the device: it lies on the host, and square blocks of it are
-- brought to the device, closed or multiplied there, and brought back. The stages are those of blocked Floyd-Warshall
-- (Venkataraman et al. 2003), with a block in place of a tile.

local SIZE = {i16 = 2, i32 = 4, i64 = 8, f32 = 4, f64 = 8}
local SLICE = 1024 -- a product takes so many columns and rows at a time, and packs them beside the blocks

-- Bytes on the device: three blocks, and what a product packs.
local function bytes_of(edge, size) return (3 * edge * edge + 2 * edge * math.min(edge, SLICE)) * size end

--- matrix.block_edge(n, dtype, memory): the edge of the largest blocks, for n x n elements, three of which fit with what a
--- product needs beside them in so many bytes; n where all of the matrix fits; nil where not even blocks of 16 x 16 do.
function matrix.block_edge(n, dtype, memory)
  local size = SIZE[dtype]
  if (n * n + 2 * n * math.min(n, SLICE)) * size <= memory then return n end
  local low, high = 0, (n + 15) // 16 -- in units of 16
  while low < high do
    local middle = (low + high + 1) // 2
    if bytes_of(16 * middle, size) <= memory then low = middle else high = middle - 1 end
  end
  if low == 0 then return nil, bytes_of(16, size) end
  local blocks = (n + 16 * low - 1) // (16 * low)
  return ((n + blocks - 1) // blocks + 15) // 16 * 16 -- about equal ones
end

-- The rows and columns [first, past) of each block.
local function parts(n, edge)
  local list = {}
  for first = 0, n - 1, edge do list[#list + 1] = {first, math.min(first + edge, n)} end
  return list
end

--- matrix.close_streamed(D, {edge =, semiring =, positive =, plain =}): closes D, which stays on the host, by blocks of
--- edge x edge elements, as matrix.close does. At most three blocks are on the device at a time. semiring is the number by which
--- rows know it; positive = 1 promises that no element is negative; plain = true takes the plain rows (min-plus, any values).
--- Returns whether all sums fitted; if not, D is of no use.
function matrix.close_streamed(D, options)
  local n, edge, semiring, kind = D.rows, options.edge, options.semiring or 0, D.dtype
  local blocks, overflow = parts(n, edge), buffer.new("u32", 1)
  local zero = matrix.semiring(({[0] = "min-plus", "max-plus", "max-min"})[semiring]).zero[kind]
  local count = #blocks
  -- A block that is given back is used again for the next one of that shape, so that memory is mapped once. Three are there at most.
  local free, there = {}, 0
  local all <close> = setmetatable({}, {__close = function() for _, b in ipairs(free) do b:close() end end})
  local given_back = {__close = function(h) free[#free + 1] = h.block end}
  local function block(rows, cols)
    for k, b in ipairs(free) do
      if b.rows == rows and b.cols == cols then return setmetatable({block = table.remove(free, k)}, given_back) end
    end
    if there == 3 then
      table.remove(free):close()
      there = there - 1
    end
    there = there + 1
    return setmetatable({block = buffer.new(kind, rows, cols)}, given_back)
  end
  local function brought(i, j)
    local h = block(i[2] - i[1], j[2] - j[1])
    D:slice(i[1], i[2], j[1], j[2], h.block)
    return h
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
  -- What a block of the pivot's row (or column) is multiplied by is closed, so that it has the block itself in the product.
  local function replaced(i, j, left, right)
    local into <close> = block(i[2] - i[1], j[2] - j[1])
    fill(into.block, zero)
    multiplied(left, right, into.block)
    D:paste(into.block, i[1], j[1])
    step()
  end
  for k, pivot in ipairs(blocks) do
    do
      local at_pivot <close> = brought(pivot, pivot)
      local P, fits = at_pivot.block, nil
      if options.plain then
        fits = matrix.close_tiles(P, P.rows)
      else
        fits = matrix.close(P, P.rows, {semiring = semiring, positive = options.positive})
      end
      if not fits then return false end
      D:paste(P, pivot[1], pivot[1])
      step()
      for other, part in ipairs(blocks) do
        if other ~= k then
          local right <close> = brought(pivot, part)
          replaced(pivot, part, P, right.block)
        end
      end
      for other, part in ipairs(blocks) do
        if other ~= k then
          local left <close> = brought(part, pivot)
          replaced(part, pivot, left.block, P)
        end
      end
    end
    for down, i in ipairs(blocks) do
      local left <close> = down ~= k and brought(i, pivot) or nil
      for across, j in ipairs(blocks) do
        if down ~= k and across ~= k then
          local right <close> = brought(pivot, j)
          local into <close> = brought(i, j)
          multiplied(left.block, right.block, into.block)
          D:paste(into.block, i[1], j[1])
          step()
        end
      end
    end
    if overflow[0] ~= 0 then return false end
  end
  return true
end
