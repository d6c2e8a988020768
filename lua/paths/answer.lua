-- Answers of other programs: distances from sources, trees of shortest paths, matrices of distances.

import "paths/check"
local answer = import "base/answer"
local apsp = import("paths/apsp").apsp
local distance_proof = import "base/distance_proof"
local proof = import "base/proof"
local sssp = import "paths/sssp"

local SOURCES = {source = {least = 0, what = "a vertex", default = 0}, sources = "table"}

-- The type that an answer is read as: integers of any size; for real weights the weights' own type.
local function type_of(g) return answer.real(g) and g.weights or "i64" end

local function has_negative(g) return g.weights ~= nil and g.m > 0 and g.w:min() < 0 end

local function no_distances(g)
  if g.n == 0 then return "a graph without vertices has no source" end
  if has_negative(g) and reference.negative_cycle(g) then return "a graph with a negative cycle has no distances" end
end

-- Distances by our own search, as i64 or the weights' type.
local function right_distances(g, options)
  local found = sssp(g, (answer.sources(options))).dist
  return (answer.values(g, found, type_of(g), {unreached = sssp.unreached}, true))
end

answer.kinds.sssp = {
  about = "the distance of each vertex from the source",
  options = SOURCES, needs = no_distances,
  read = function(g, x, options) return answer.values(g, x, type_of(g), options, has_negative(g)) end,
  prove = function(g, dist, options)
    local _, from = answer.sources(options)
    reference.check_sssp(g, from, dist)
    return nil, distance_proof.no_short_cut {graph = g}
  end,
  right = right_distances,
  run = function(g, options) return sssp(g, options.source) end,
}

answer.kinds.sssp_parents = {
  about = "the parent of each vertex in a tree of shortest paths",
  options = SOURCES, needs = no_distances,
  read = answer.parents,
  prove = function(g, parent, options)
    local _, from = answer.sources(options)
    reference.check_sssp(g, from, answer.lengths(g, parent, options), parent)
    return nil, distance_proof.no_short_cut {graph = g}
  end,
  right = function(g, options) return "distances " .. answer.first(right_distances(g, options)) end,
  run = function(g, options) return sssp(g, options.source) end,
}

answer.kinds.apsp = {
  about = "the matrix of the distances between all pairs of vertices, one row per source",
  needs = function(g) return g.n > 0 and no_distances(g) or nil end,
  read = function(g, x, options)
    local kind = type_of(g)
    return answer.matrix(g, x, kind, kind == "i64" and math.maxinteger or math.huge, options, has_negative(g))
  end,
  prove = function(g, matrix)
    local none = matrix.dtype == "i64" and math.maxinteger or math.huge
    return proof.of.apsp {graph = g, matrix = matrix, unreached = none}, distance_proof.no_short_cut {graph = g}
  end,
  right = function(g)
    local kind = type_of(g)
    return answer.matrix(g, apsp(g).matrix, kind, kind == "i64" and math.maxinteger or math.huge, {}, true)
  end,
  run = function(g) return apsp(g) end,
}
