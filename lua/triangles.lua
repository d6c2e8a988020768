-- Triangle counting: a triangle is three vertices of which any two are joined by an edge, in either direction.
--
-- Of each pair of joined vertices one edge is kept, to the vertex with more neighbours: edges are sorted by their two ends, so that
-- parallel edges and both directions are adjacent, then by source. For each kept edge u -> v, every vertex w to which both u and v
-- have a kept edge forms a triangle; no triangle is found twice.
-- Schank and Wagner 2005 ("forward").

local result = algorithm.results {
  name = "triangles", buffers = {at = "value"},
  show = function(r)
    local lines = {("%s of %s"):format(algorithm.counted(r.count, "triangle"), algorithm.counted(r.graph.n, "vertex", "vertices"))}
    for _, best in ipairs(r:top(8)) do
      if best.triangles > 0 then
        lines[#lines + 1] = ("  %9d at vertex %s"):format(best.triangles, algorithm.vertex_text(r.graph, best.vertex))
      end
    end
    return table.concat(lines, "\n")
  end,
  methods = {top = function(r, k) return algorithm.top(r.at, k, "vertex", "triangles") end},
}

-- One edge of each pair of vertices that g joins, to the one with more neighbours: row offsets and heads.
local function upward(g)
  local key, pairs_of_g = buffer.new("u64", g.m), buffer.new("u64", g.m)
  pair_keys(g, key)
  radix_sort(key, pairs_of_g)
  local keep, place, degree = buffer.new("u32", g.m), buffer.new("u32", g.m), buffer.new("u32", g.n)
  local kept = mark_pairs(pairs_of_g, keep, degree)
  scan(keep, place)
  local edge, sorted = buffer.new("u64", kept), buffer.new("u64", kept)
  point_upward(pairs_of_g, keep, place, degree, kept, edge)
  radix_sort(edge, sorted)
  local off, to = buffer.new("u32", g.n + 1), buffer.new("u32", kept)
  key_rows(sorted, off)
  key_edges(sorted, to)
  return off, to
end

--- triangles(g): counts the triangles of g. Directions, weights, self loops and parallel edges are ignored. r.count is the
--- number of triangles, r.at[v] (i64[n]) the number of those with corner v; r:top(k) lists the k vertices with the most
--- triangles. check(r) counts them again by another method.
function triangles(g)
  algorithm.graph("triangles", g)
  local at, sum = buffer.new("i64", g.n), buffer.new("i64", 1)
  local off, to = upward(g)
  corners(off, to, at)
  reduce(at, sum, 0)
  return result({graph = g, count = sum[0] // 3, at = at})
end
