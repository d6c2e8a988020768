-- Matrices over semirings: from graphs and back, products, sums, powers, closures. A matrix is a buffer with columns.
--
-- A semiring has a sum and a product of elements; its zero means "no path", its one is on the diagonal of a graph's
-- matrix. The primitives of kernels/dense have a fast variant for elements within bounds and a plain variant for any values: if the
-- fast one sets its overflow flag, the plain one runs.

local algorithm = import "base/algorithm"
local bundle = import("base/loops").bundle
local product, sum, power, closure

local matrix = {}

local GREATEST = algorithm.greatest
local LEAST = algorithm.least
local NOUGHT = {i16 = 0, i32 = 0, i64 = 0, f32 = 0.0, f64 = 0.0}
local ONE = {i16 = 1, i32 = 1, i64 = 1, f32 = 1.0, f64 = 1.0}

-- By name. row: the number that is passed to kernels; zero, one: tables by element type. or-and is max-min of zeros and ones.
local semirings = {
  ["min-plus"] = {row = 0, zero = GREATEST, one = NOUGHT},
  ["max-plus"] = {row = 1, zero = LEAST, one = NOUGHT},
  ["max-min"] = {row = 2, zero = LEAST, one = GREATEST},
  ["or-and"] = {row = 2, zero = NOUGHT, one = ONE, truth = true},
  ["plus-times"] = {row = 3, zero = NOUGHT, one = ONE},
}
for name, ring in pairs(semirings) do ring.name = name end
local NAMES = {"min-plus", "max-plus", "max-min", "or-and", "plus-times"}
local SEMIRING = {semiring = NAMES}

--- matrix.semiring(name): the properties of a semiring (default: "min-plus"). row: the number that is passed to kernels; zero,
--- one: tables by element type.
function matrix.semiring(name)
  local ring = semirings[name or "min-plus"]
  if not ring then
    error(("no semiring '%s': 'min-plus', 'max-plus', 'max-min', 'or-and' or 'plus-times' is expected"):format(tostring(name)), 2)
  end
  return ring
end

--- matrix.zero(row, dtype): the zero of the semiring with this number (matrix.semiring(NAME).row).
function matrix.zero(row, kind) return semirings[NAMES[row + 1]].zero[kind] end

-- --- arguments ---

local function refuse(name, what, x) error(("%s: expected %s, got %s"):format(name, what, algorithm.described(x)), 3) end

local function is_matrix(x)
  if not algorithm.is("lockstep.buffer", x) then return false end
  local good, zero = pcall(function() return GREATEST[x.dtype] end)
  return good and zero ~= nil
end

local function check_matrix(name, x)
  if not is_matrix(x) then refuse(name, "a matrix of i16, i32, i64, f32 or f64", x) end
end

local function check_square(name, x)
  check_matrix(name, x)
  if x.rows ~= x.cols then error(("%s: expected a square matrix, got %d x %d"):format(name, x.rows, x.cols), 3) end
end

-- A copy of x with zeros and ones for or-and, made on the current device. It copies even if x has only zeros and ones, because
-- testing that would take as long.
local function boolean(x)
  local y = buffer.new(x.dtype, x.rows, x.cols)
  if #x > 0 then truths(x, y) end
  return y
end

-- Returns 1 if no element is negative, apart from the semiring's zero, else 0. Always 0 for semirings whose products are not sums.
local function positive(x, ring)
  if ring.row > 1 or #x == 0 then return 0 end
  local low = algorithm.reduced(x, 1)[0]
  return (low >= 0 or (ring.row == 1 and low == LEAST[x.dtype] and x.dtype:sub(1, 1) == "f")) and 1 or 0
end

--- matrix.diagonal(A): the elements of the diagonal of a square matrix, as a vector.
function matrix.diagonal(A)
  check_square("matrix.diagonal", A)
  local n = A.rows
  local d, from = buffer.new(A.dtype, n), buffer.new("u32", n)
  if n * n < 1 << 32 then
    for i = 0, n - 1 do from[i] = i * (n + 1) end
    if n > 0 then gather(A, from, d) end
  else
    for i = 0, n - 1 do d[i] = A:get(i, i) end
  end
  return d
end

-- --- graphs ---

-- Raises an error if the device has no room for a matrix of n x n elements: it says how much is needed, how much is free, and
-- what to do instead.
function matrix.need_room(n, kind, d, level)
  local bytes, free = 1.0 * n * n * algorithm.bytes_of[kind], d.free
  if bytes <= free then return end
  error((('the matrix of %d x %d elements takes %.0f bytes, but on %s only %d are free; apsp(g, {file = "d.npy"}) writes distances to ' ..
    'a file, and fw.stripe(g) gives each of several ranks a part (help parts)')):format(n, n, bytes, d.name, free), level + 1)
end

-- The weights of g as elements of type `kind`, or ones. own: the type of the weights, g.weights; nil if there are none or they are to
-- be ignored.
local function weights_of(name, own, g, kind)
  if not own or g.m == 0 then
    return algorithm.filled(kind, g.m, ONE[kind])
  end
  if own == kind then return g.w end
  if not ({i16 = own == "i32", i64 = own == "i32", f64 = true})[kind] then
    error(("%s: weights of %s cannot be elements of %s"):format(name, own, kind), 3)
  end
  if kind ~= "i16" then return algorithm.widened(g.w, kind) end
  local w = buffer.new(kind, g.m)
  if narrow(g.w, w) > 0 then error(name .. ": a weight does not fit i16: -32768 to 32767", 3) end
  return w
end

--- matrix.of(g [, {semiring =, dtype =, place =}]): the matrix of g's edges, made on the current device: row v, column u
--- has the weight of the edge v -> u (of parallel edges, the semiring's sum), or the semiring's zero if there is no edge
--- (for min-plus the type's greatest value, or inf). The diagonal has the semiring's one, or the weight of a self loop if
--- that is better. Unweighted edges weigh 1.
--- place (u32[n], a permutation): the row and column of each vertex.
function matrix.of(g, options)
  algorithm.graph("matrix.of", g)
  options = algorithm.options("matrix.of", options,
    {semiring = NAMES, dtype = {"i16", "i32", "i64", "f32", "f64"}, place = "buffer"})
  local ring = matrix.semiring(options.semiring)
  local kind = options.dtype or g.weights or "i32"
  if g.n == 0 then error("matrix.of: a graph without vertices has no matrix", 2) end
  matrix.need_room(g.n, kind, device(), 2)
  local D, overflow = buffer.new(kind, g.n, g.n), buffer.new("u32", 1)
  fill(D, ring.zero[kind])
  local w = weights_of("matrix.of", not ring.truth and g.weights, g, kind)
  local place = options.place
  if not place then
    place = buffer.new("u32", g.n)
    numbers(place)
  end
  matrix_edges(g, {w = w, place = place, D = D, overflow = overflow, one = ring.one[kind], semiring = ring.row})
  if overflow[0] ~= 0 then
    error(("matrix.of: a weight equals the element that means 'no path', or a sum overflowed %s"):format(kind), 2)
  end
  return D
end

--- matrix.graph(A [, {semiring =}]): the graph whose edges are the elements of the square matrix A that are not the
--- semiring's zero, without the diagonal.
function matrix.graph(A, options)
  check_square("matrix.graph", A)
  local ring = matrix.semiring(algorithm.options("matrix.graph", options, SEMIRING).semiring)
  local n, zero = A.rows, ring.zero[A.dtype]
  local degree, first = buffer.new("u32", n), buffer.new("u32", n)
  local edges = matrix_count(A, zero, degree)
  if edges >= 1 << 32 then error(("matrix.graph: %d edges are too many: at most 2^32 - 1"):format(edges), 2) end
  scan(degree, first)
  local from, to, w = buffer.new("u32", edges), buffer.new("u32", edges), buffer.new(A.dtype, edges)
  if edges > 0 then matrix_list {D = A, none = zero, first = first, from = from, to = to, w = w, edges = edges} end
  return graph.from_edges(n, from, to, A.dtype == "i16" and algorithm.widened(w, "i32") or w)
end

-- --- products ---

local function zeros(kind, rows, cols, ring)
  local C = buffer.new(kind, rows, cols)
  if #C > 0 then fill(C, ring.zero[kind]) end
  return C
end

-- A * B; nil if a sum overflowed.
local function multiplied(A, B, ring)
  local p, q, r = A.rows, A.cols, B.cols
  local C, overflow = zeros(A.dtype, p, r, ring), buffer.new("u32", 1)
  if p * q * r == 0 then return C end
  local given = {left = A, right = B, into = C, overflow = overflow, p = p, q = q, r = r, semiring = ring.row}
  given.positive = positive(A, ring) * positive(B, ring)
  multiply(given)
  if overflow[0] == 0 then return C end
  fill(C, ring.zero[A.dtype])
  fill(overflow, 0)
  given.positive = nil
  given.down, given.across = (p + 31) // 32, (r + 31) // 32
  multiply_tile(given)
  return overflow[0] == 0 and C or nil
end

local function too_large(name, kind)
  local wider = kind == "i16" and "i32" or kind == "i32" and "i64" or "f64"
  error(("%s: a sum overflowed %s; use matrices of %s"):format(name, kind, wider), 3)
end

--- product(A, B [, {semiring = "min-plus"}]): the matrix with the sum over k of A[i][k] * B[k][j] in row i, column j. Sum and
--- product are those of the semiring: min-plus, max-plus, max-min, or-and, plus-times. A and B have the same element type;
--- a sum that overflows it is an error. NaN counts as the semiring's zero, except in plus-times.
---   two = product(A, A, {semiring = "max-plus"})      the greatest weights of paths of two edges
function product(A, B, options)
  check_matrix("product", A)
  check_matrix("product", B)
  local ring = matrix.semiring(algorithm.options("product", options, SEMIRING).semiring)
  if A.dtype ~= B.dtype then error(("product: expected matrices of one type, got %s and %s"):format(A.dtype, B.dtype), 2) end
  if A.cols ~= B.rows then
    error(("product: a matrix of %d x %d has no product with one of %d x %d"):format(A.rows, A.cols, B.rows, B.cols), 2)
  end
  if ring.truth then A, B = boolean(A), boolean(B) end
  return multiplied(A, B, ring) or too_large("product", A.dtype)
end

--- sum(A, B [, {semiring = "min-plus"}]): the sum over the semiring, element by element: the minimum, the maximum, the logical or,
--- or the arithmetic sum.
function sum(A, B, options)
  check_matrix("sum", A)
  check_matrix("sum", B)
  local ring = matrix.semiring(algorithm.options("sum", options, SEMIRING).semiring)
  if A.dtype ~= B.dtype or A.rows ~= B.rows or A.cols ~= B.cols then
    error(("sum: expected two matrices of one type and size, got %s %d x %d and %s %d x %d"):format(A.dtype, A.rows, A.cols,
      B.dtype, B.rows, B.cols), 2)
  end
  if ring.truth then A, B = boolean(A), boolean(B) end
  local C, overflow = buffer.new(A.dtype, A.rows, A.cols), buffer.new("u32", 1)
  if #C == 0 then return C end
  copy(B, C)
  matrix_merge(A, C, overflow, ring.row)
  if overflow[0] ~= 0 then too_large("sum", A.dtype) end
  return C
end

--- matrix.identity(dtype, n [, {semiring = "min-plus"}]): the semiring's one on the diagonal, zero elsewhere.
function matrix.identity(kind, n, options)
  local name = algorithm.options("matrix.identity", options, SEMIRING).semiring
  if n == 0 then return buffer.new(kind, 0, 0) end
  local none = buffer.new("u32", 0)
  return matrix.of(graph.from_edges(n, none, none), {semiring = name, dtype = kind})
end

--- power(A, k [, {semiring = "min-plus"}]): A multiplied k times by itself, by squaring; for k = 0 the identity.
function power(A, k, options)
  check_square("power", A)
  k = algorithm.whole(k)
  if math.type(k) ~= "integer" or k < 0 then error(("power: expected a whole number from 0 on, got %s"):format(algorithm.described(k)), 2) end
  local ring = matrix.semiring(algorithm.options("power", options, SEMIRING).semiring)
  local named = {semiring = ring.name}
  local result, square = matrix.identity(A.dtype, A.rows, named), A
  while k > 0 do
    if k % 2 == 1 then result = product(result, square, named) end
    k = k // 2
    if k > 0 then square = product(square, square, named) end
  end
  return result
end

-- --- closures ---

local function tile_for(n)
  for _, tile in ipairs {16, 32, 64} do
    if n <= tile then return tile end
  end
  if algorithm.on_cpu() then return n < 512 and 64 or 256 end
  return n > 3072 and n <= 6144 and 512 or 1024
end

--- matrix.tiled(D, tile [, semiring [, positive]]): the arguments of the primitives that close the square matrix D by tiles, as a
--- bundle, with a new flag `overflow`. semiring and positive as in matrix.close.
function matrix.tiled(D, tile, semiring, positive_elements)
  return bundle {D = D, overflow = buffer.new("u32", 1), tiles = (D.rows + tile - 1) // tile, tile = tile, semiring = semiring or 0,
    positive = positive_elements or 0}
end

--- matrix.close(D, n, {semiring =, positive =, tile =, progress =}): closes D in place by the fast primitives of blocked
--- Floyd-Warshall: D[i][j] becomes the sum over all paths from i to j. Returns false if an element left the bounds of these
--- primitives; the contents of D are then undefined. positive = 1: the caller guarantees that no element is negative. progress: the
--- beginning of a progress line.
function matrix.close(D, n, options)
  local given = matrix.tiled(D, options.tile or tile_for(n), options.semiring, options.positive)
  local tiles = given.tiles
  local line <close> = options.progress and algorithm.progress_line
  for k = 0, tiles - 1 do
    given.k = k
    close_pivot(given)
    if tiles > 1 then
      close_cross(given)
      close_rest(given)
    end
    if options.progress then algorithm.progress(options.progress, k + 1, tiles) end
    session.turn()
  end
  return given.overflow[0] == 0
end

-- Closes D by the plain primitives of min-plus, for any values. Returns false if a sum overflowed.
local function close_plainly(D, n)
  local overflow, tiles = buffer.new("u32", 1), (n + 31) // 32
  for k = 0, tiles - 1 do
    fw_pivot(D, overflow, k, tiles)
    if tiles > 1 then
      fw_cross(D, overflow, k, tiles)
      fw_rest(D, overflow, k, tiles)
    end
    session.turn()
  end
  return overflow[0] == 0
end

--- matrix.close_tiles(D, n): closes D in place by the plain primitives fw_pivot, fw_cross and fw_rest: min-plus, any values. Returns
--- false if a sum overflowed.
matrix.close_tiles = close_plainly

-- The negative of each element; `none`, "no path" in one semiring, becomes `other`, "no path" in the other.
local function negated(A, none, other)
  local x = buffer.new(A.dtype, A.rows, A.cols)
  negate_paths(A, x, none, other)
  return x
end

-- If the matrix A has a cycle that makes paths better without limit: a vertex on it, and the cycle as text; else nil. C: the closure
-- of A, nil if a sum overflowed. With real elements the cycle may exist only by rounding; then there is no text.
local function better_cycle(A, C, ring)
  local function better(x) return ring.row == 0 and x < 0 or ring.row == 1 and x > 0 end
  local d = ring.row <= 1 and matrix.diagonal(A)
  for i = 0, d and #d - 1 or -1 do
    if better(d[i]) then return i, ("%d -> %d (1 edge) weighs %s"):format(i, i, d[i]) end
  end
  d = d and C and matrix.diagonal(C)
  local loop
  for i = 0, d and #d - 1 or -1 do
    if better(d[i]) then loop = i break end
  end
  if ring.row > 1 or C and not loop then return nil end
  local B = ring.row == 0 and A or negated(A, LEAST[A.dtype], GREATEST[A.dtype])
  local told, v, cycle = pcall(reference.negative_cycle, matrix.graph(B))
  if told and v then return v, ring.row == 0 and cycle or matrix.positive(cycle) end
  if not told and not C then error(v, 0) end
  return loop
end

--- matrix.positive(text): rewrites the text of reference.negative_cycle for a graph with negated weights, so that it describes the
--- cycle with the original weights.
function matrix.positive(text) return (text:gsub("weighs %-", "weighs "):gsub("is negative", "is positive")) end

--- matrix.closed(A, ring): the closure of a square matrix over ring = matrix.semiring(NAME), other than plus-times. Returns nil if a
--- sum overflowed. If a cycle makes paths better without limit, also returns a vertex on it, and the cycle as text; no text if it may
--- exist only by rounding.
function matrix.closed(A, ring)
  local kind, n = A.dtype, A.rows
  if n == 0 then return A end
  local function start() return sum(matrix.identity(kind, n, {semiring = ring.name}), A, {semiring = ring.name}) end
  local C = start()
  if not matrix.close(C, n, {semiring = ring.row, positive = positive(C, ring)}) then
    if ring.row == 0 then
      C = start()
      if not close_plainly(C, n) then C = nil end
    else
      C = negated(start(), LEAST[kind], GREATEST[kind])
      C = close_plainly(C, n) and negated(C, GREATEST[kind], LEAST[kind]) or nil
    end
  end
  return C, better_cycle(A, C, ring)
end

--- closure(A [, {semiring = "min-plus"}]): I + A + A*A + ...: the sum over the semiring of all paths from i to j, of any
--- length, by blocked Floyd-Warshall. Over min-plus these are distances, over max-plus greatest weights, over max-min
--- greatest widths, over or-and reachability. A cycle that makes paths better without limit (negative for min-plus,
--- positive for max-plus) is an error that names it. plus-times has no closure: see power.
function closure(A, options)
  check_square("closure", A)
  local ring = matrix.semiring(algorithm.options("closure", options, SEMIRING).semiring)
  if ring.row == 3 then error("closure: in the semiring 'plus-times' the sum of all powers may not exist; use power(A, k)", 2) end
  if ring.truth and A.rows > 0 then A = boolean(A) end
  local C, v, cycle = matrix.closed(A, ring)
  if v then
    error(("closure: vertex %d lies on a cycle that is %s%s"):format(v, ring.row == 0 and "negative" or "positive", cycle and ": " .. cycle or ""), 2)
  end
  return C or too_large("closure", A.dtype)
end

-- --- paths ---

local NONE = 0xffffffff

-- Column j of a matrix, as a vector.
local function column(D, j)
  local n = D.rows
  local d, from = buffer.new(D.dtype, n), buffer.new("u32", n)
  if n * n >= 1 << 32 or n * n * 8 > device().free then -- D may be only on the host
    for i = 0, n - 1 do d[i] = D:get(i, j) end
    return d
  end
  for i = 0, n - 1 do from[i] = i * n + j end
  gather(D, from, d)
  return d
end

--- matrix.successors(g, D [, {semiring =}]): for each pair of vertices i and j the vertex that follows i on a best path to j,
--- from the matrix D of the weights of best paths (min-plus, or max-plus): u32[n x n], 2^32 - 1 if i is j or there is no path.
--- Of several best paths, one with the heaviest first edge is chosen; but if such edges form a cycle of weight 0, the paths
--- with the fewest edges are chosen, which needs one launch per edge of the longest of these paths. fw and kleene keep the
--- result in r.successor.
function matrix.successors(g, D, options)
  algorithm.graph("matrix.successors", g)
  check_square("matrix.successors", D)
  local ring = matrix.semiring(algorithm.options("matrix.successors", options,
    {semiring = {"min-plus", "max-plus"}}).semiring)
  local n, kind = g.n, D.dtype
  if D.rows ~= n then
    error(("matrix.successors: expected a matrix of %d x %d, got %d x %d"):format(n, n, D.rows, D.cols), 2)
  end
  local given = {w = weights_of("matrix.successors", g.weights, g, kind), D = D, none = ring.zero[kind],
    roundings = math.max(16, n), successor = buffer.new("u32", n, n)}
  local function refuse(pairs)
    if pairs > 0 then error("path: the matrix does not belong to the graph: no edge continues the path", 3) end
  end
  refuse(path_first(g, given))
  local far, further, going = given.successor, buffer.new("u32", n, n), nil
  local passes = 0
  repeat
    going = path_double(far, further)
    if passes == 0 then far = buffer.new("u32", n, n) end
    far, further, passes = further, far, passes + 1
  until going == 0 or 1 << passes >= n
  if going == 0 then return given.successor end
  given.hops, given.level = further, 0
  fill(given.hops, NONE)
  fill(given.successor, NONE)
  repeat given.level = given.level + 1 until path_level(g, given) == 0
  local paths = n * n - D:count(ring.zero[kind])
  for i = 0, n - 1 do
    if D:get(i, i) == ring.zero[kind] then paths = paths + 1 end
  end
  refuse(paths - n - (n * n - given.successor:count(NONE)))
  return given.successor
end

-- The path from i to j of a matrix of successors; nil if there is none.
local function followed(successor, i, j)
  if i ~= j and successor:get(i, j) == NONE then return nil end
  local path, n = {i}, successor.rows
  while path[#path] ~= j do
    local v = successor:get(path[#path], j)
    if v >= n or #path > n then error("path: the successors do not lead to the end", 3) end
    path[#path + 1] = v
  end
  return path
end

--- matrix.path(g, D, i, j [, successor]): the vertices of a best path from i to j as a list, from the matrix D of the weights of best
--- paths; nil if there is no path. The path has the fewest edges of all best paths (for real weights: best up to rounding). With
--- successor, a matrix of successors, it is the path that follows them.
function matrix.path(g, D, i, j, successor)
  for k = 1, 2 do
    local v = k == 1 and i or k == 2 and j
    if math.type(v) ~= "integer" or v < 0 or v >= g.n then
      error(("path: expected two vertices of 0 .. %d, got %s and %s"):format(g.n - 1, algorithm.described(i), algorithm.described(j)), 2)
    end
  end
  if successor then return followed(successor, i, j) end
  if i == j then return {i} end
  local d = column(D, j)
  if d[i] == GREATEST[D.dtype] or d[i] == LEAST[D.dtype] then return nil end
  local off, to, w = g.off, g.to, g.w
  local slack = algorithm.epsilon[D.dtype] * math.max(16, g.n)
  local came, queue, at = {[i] = i}, {i}, 1
  while queue[at] and not came[j] do
    local u = queue[at]
    for e = off[u], off[u + 1] - 1 do
      local v, x = to[e], w and w[e] or 1
      if not came[v] and d[v] ~= GREATEST[D.dtype] and d[v] ~= LEAST[D.dtype] then
        if math.abs(x + d[v] - d[u]) <= slack * (math.abs(x) + math.abs(d[v])) then came[v], queue[#queue + 1] = u, v end
      end
    end
    at = at + 1
  end
  if not came[j] then error("path: the matrix does not belong to the graph: no edge continues the path", 2) end
  local path = {j}
  while path[1] ~= i do table.insert(path, 1, came[path[1]]) end
  return path
end

return {matrix = matrix, product = product, sum = sum, power = power, closure = closure}
