-- For certificates of matrices of distances, on the present device: converts a matrix to other forms, and proves its successors.

local algorithm = import "base/algorithm"
local bundle = import("base/loops").bundle
local certificate = import "base/certificate"
local prove_matrices = {}

local UNREACHED, LEAST = algorithm.greatest, algorithm.least
local NUMBERED = 0xffffffff -- pairs of vertices are numbered in 32 bits

-- prove_matrices.turned(x, rows, columns): the transpose of the matrix x, which has `rows` rows and `columns` columns.
function prove_matrices.turned(x, rows, columns)
  local y = buffer.new(x.dtype, columns, rows)
  turn_matrix({x = x, y = y, rows = rows, columns = columns})
  return y
end

-- prove_matrices.widened(x): a copy of the matrix x of 16-bit distances, with elements of 32 bits.
function prove_matrices.widened(x)
  local y = buffer.new("i32", x.rows, x.cols)
  shorts_to_distances(x, y)
  return y
end

-- prove_matrices.opposite(g, x): negates the matrix x of greatest path weights and the weights of g, so that x becomes the distances
-- of the negated graph. Returns the distances, and that graph as a bundle of its arrays for certificate.distances and
-- prove_matrices.successors; nil if a weight or its negative does not fit the type of x.
function prove_matrices.opposite(g, x)
  local kind = x.dtype
  local w = certificate.weights(g, kind)
  if not w or UNREACHED[kind] ~= math.huge and #w > 0 and algorithm.reduced(w, 1)[0] == LEAST[kind] then return nil end
  local below, negative = buffer.new(kind, x.rows, x.cols), buffer.new(kind, g.m)
  opposite_distances({x = x, dist = below, least = LEAST[kind]})
  opposite_distances({x = w, dist = negative, least = LEAST[kind]})
  return below, bundle {n = g.n, m = g.m, off = g.off, to = g.to, w = negative, weights = kind}
end

-- prove_matrices.successors(g, D, successor, tolerance): does successor, u32[n x n], lead from each vertex i to each j over tight edges,
-- where D, [i][j], has been proved to be the distances? tolerance: as in certificate.distances. Returns true, false, or nil if that is
-- undecided here.
function prove_matrices.successors(g, D, successor, tolerance)
  local n, w = g.n, certificate.weights(g, D.dtype)
  if not w or 1.0 * n * n > NUMBERED then return nil end
  local link = buffer.new("u32", n * n)
  local args = {off = g.off, to = g.to, w = w, dist = D, successor = successor, tolerance = buffer.new("f64", {tolerance, 0}), link = link}
  if prove_successors(args) > 0 then return false end
  if not certificate.is_forest(link) then return false end
  if algorithm.epsilon[D.dtype] == 0 then return true end
  -- because of rounding, D might not satisfy the inequalities of the reversed graph: proves that too
  return certificate.distances(g:reverse(), prove_matrices.turned(D, n, n), nil, {rows = n, tolerance = tolerance}) or nil
end

return prove_matrices
