-- Triangle counting: a triangle is three vertices of which any two are joined by an edge, in either direction.
--
-- The graph is made symmetric; then of the two directions of each edge, only the one to the vertex with more edges is kept.
-- For each kept edge u -> v, every vertex w to which both u and v have a kept edge forms a triangle; no triangle is found twice.
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

-- The edges of the symmetric graph g that lead to the vertex with more edges: their row offsets and heads.
local function upward(g)
  local keep, place = buffer.new("u32", g.m), buffer.new("u32", g.m)
  local kept = mark_upward(g, keep)
  scan(keep, place)
  local off, to, from = buffer.new("u32", g.n + 1), buffer.new("u32", kept), buffer.new("u32", kept)
  keep_edges(g, {keep = keep, place = place, kept = kept, part_to = to, from = from})
  keep_rows(g, {place = place, kept = kept, part_to = to, part_off = off})
  return off, to
end

--- triangles(g): counts the triangles of g. Directions, weights, self loops and parallel edges are ignored. r.count is the
--- number of triangles, r.at[v] (i64[n]) the number of those with corner v; r:top(k) lists the k vertices with the most
--- triangles. check(r) counts them again by another method.
function triangles(g)
  algorithm.graph("triangles", g)
  local at = buffer.new("i64", g.n)
  local off, to = upward(g:symmetrize())
  corners(off, to, at)
  return result({graph = g, count = at:sum() // 3, at = at})
end
