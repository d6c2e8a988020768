-- Answers of other programs: distances from sources, trees of shortest paths, matrices of distances.

import "paths/check"
local algorithm = import "base/algorithm"
local answer = import "base/answer"
local apsp = import("paths/apsp").apsp
local distance_proof = import "base/distance_proof"
local proof = import "base/proof"
local sssp = import "paths/sssp"

-- The type that an answer is read as: integers of any size; for real weights the weights' own type.
local function type_of(g) return proof.real(g) and g.weights or "i64" end

local function has_negative(g) return (algorithm.weight_range(g)) < 0 end

local function no_distances(g)
  if g.n == 0 then return "a graph without vertices has no source" end
  if has_negative(g) and reference.negative_cycle(g) then return "a graph with a negative cycle has no distances" end
end

-- Distances by our own search, as i64 or the weights' type.
local function right_distances(g, options)
  local found = sssp(g, (answer.sources(options))).dist
  return (answer.values(g, found, type_of(g), {unreached = sssp.unreached}, true))
end

answer.searches("sssp", {
  about = "the distance of each vertex from the source",
  about_parents = "the parent of each vertex in a tree of shortest paths",
  word = "distances", right = right_distances, type = type_of, negative = has_negative, needs = no_distances,
  run = function(g, options) return sssp(g, options.source) end,
})

-- The matrix x in the type of distances; and the marks.
local function matrix_of(g, x, options, negative)
  local kind = type_of(g)
  return answer.matrix(g, x, kind, algorithm.greatest[kind], options, negative)
end

answer.kinds.apsp = {
  about = "the matrix of the distances between all pairs of vertices, one row per source",
  needs = function(g) return g.n > 0 and no_distances(g) or nil end,
  read = function(g, x, options) return matrix_of(g, x, options, has_negative(g)) end,
  prove = function(g, matrix)
    return proof.of.apsp {graph = g, matrix = matrix, unreached = algorithm.greatest[matrix.dtype]}, distance_proof.no_short_cut {graph = g}
  end,
  right = function(g) return (matrix_of(g, apsp(g).matrix, {}, true)) end,
  run = function(g) return apsp(g) end,
}
