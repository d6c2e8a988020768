-- The proofs of matrices of distances and of Kleene stars.

local algorithm = import "base/algorithm"
local distance_proof = import "base/distance_proof"
local proof = import "base/proof"
local prove_matrices = import "dense/certificate_matrix"

local DISAGREE, no_graph, no_matrix = proof.DISAGREE, proof.no_graph, proof.no_matrix
local on_device, real, edges = proof.on_device, proof.real, proof.edges

local function types_of_matrix(g) return real(g) and {"f32", "f64"} or {"i16", "i32", "i64"} end

-- A matrix of distances, [source][vertex]. in_sequence (default: reference.check_fw) is the sequential proof.
local function wrong_matrix(g, matrix, tolerance, in_sequence, whole)
  local short = matrix.dtype == "i16"
  local given = tolerance or short and 0 or math.min(1, proof.any_order(matrix.dtype, g.n))
  local dist = short and on_device("distances") and prove_matrices.widened(matrix) or matrix
  return distance_proof.wrong_distances(g, dist, nil, {rows = g.n, tolerance = given}, in_sequence or function()
    reference.check_fw(g, matrix, tolerance)
  end, whole)
end

-- The sequential proof: for every column j of D, the matrix of least path weights, the successors must be a tree of tight edges that
-- leads to j. On the reversed graph they are parents of a tree from j.
local function wrong_trees(g, D, successor, tol)
  local n, back = g.n, g:reverse()
  for j = 0, n - 1 do
    local good, message = pcall(reference.check_sssp, back, j, D:slice(0, n, j, j + 1), successor:slice(0, n, j, j + 1), nil, false, tol)
    if not good then
      return ("successors: paths to vertex %d, checked in the graph with reversed edges: %s"):format(j,
        algorithm.without_place(message))
    end
  end
end

-- If the result r has successors, they must lead to each vertex over edges that are tight for D, the matrix of distances. arrays: the
-- graph for the proof on the device (a graph, or the bundle of prove_matrices.opposite); whole: a function that returns the graph.
local function wrong_successors(r, D, tol, arrays, whole)
  if rawget(r, "successor") == nil then return nil end
  local n = r.graph.n
  local why = no_matrix(r, "successor", {"u32"}, n)
  if why then return why end
  local exact = algorithm.epsilon[D.dtype] == 0
  if not exact then tol = tol or proof.any_order(D.dtype, n) end
  local proved
  if arrays and on_device("successors") then
    proved = prove_matrices.successors(exact and arrays or whole(), D, r.successor, exact and 0 or math.min(1, tol))
  end
  if proved then return nil end
  return wrong_trees(whole(), D, r.successor, tol) or proved == false and DISAGREE or nil
end

-- Every row must hold shortest distances from its vertex.
function proof.of.fw(r, tolerance)
  local why = no_graph(r, "graph")
  if why then return why end
  local m = r.matrix
  why = no_matrix(r, "matrix", types_of_matrix(r.graph), r.graph.n)
  if why then return why end
  why = wrong_matrix(r.graph, m, tolerance)
  if why then return why end
  local D = m.dtype == "i16" and on_device("successors") and rawget(r, "successor") and prove_matrices.widened(m) or m
  return wrong_successors(r, D, tolerance, r.graph, function() return r.graph end)
end

-- The greatest path weights are the least ones of the graph with negated weights: proves the negated matrix like distances. Without
-- the device, graph and matrix are negated element by element.
function proof.of.kleene(r)
  local why = no_graph(r, "graph")
  if why then return why end
  local g, m = r.graph, r.matrix
  local n = g.n
  why = no_matrix(r, "matrix", distance_proof.types_of(g), n)
  if why then return why end
  local kind, made = m.dtype, nil
  local function whole()
    if made then return made end
    made = algorithm.reweighted(g, kind, function(_, x) return -x end)
    return made
  end
  local below, arrays
  if on_device("distances") then below, arrays = prove_matrices.opposite(g, m) end
  if not below then
    below = buffer.new(kind, n, n)
    local least = algorithm.least[kind]
    for i = 0, n * n - 1 do
      local x = m[i]
      below[i] = x == least and algorithm.greatest[kind] or -x
    end
  end
  why = wrong_matrix(arrays or whole(), below, nil, function() reference.check_fw(whole(), below) end, whole)
  return why or wrong_successors(r, below, nil, arrays, whole)
end

proof.says.fw = distance_proof.no_short_cut
proof.says.kleene = function(r) return edges(r) .. ", none leads to a greater weight; each weight is that of a path" end
