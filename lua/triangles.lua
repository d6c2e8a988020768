-- Triangles: three vertices of which any two are joined by an edge, in whatever direction.
--
-- The graph is made symmetric; then of each edge's two directions that one is kept which leads to the vertex of more edges.
-- For an edge u -> v that is kept, every w to which both have an edge closes a triangle, and no triangle is found twice.
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

-- Of the edges of the symmetric graph g those that lead upward: their row offsets and heads.
local function upward(g)
  local keep, place = buffer.new("u32", g.m), buffer.new("u32", g.m)
  local kept = mark_upward(g, keep)
  scan(keep, place)
  local off, to, from = buffer.new("u32", g.n + 1), buffer.new("u32", kept), buffer.new("u32", kept)
  keep_edges(g, {keep = keep, place = place, kept = kept, part_to = to, from = from})
  keep_rows(g, {place = place, kept = kept, part_to = to, part_off = off})
  return off, to
end

--- triangles(g): how many triangles g has. Directions, weights, self loops and parallel edges do not count. r.count is their
--- number, r.at (i64[n]) how many have v as a corner; r:top(k) lists the k vertices of most triangles. check(r) counts them
--- again by another method.
function triangles(g)
  algorithm.graph("triangles", g)
  local at = buffer.new("i64", g.n)
  local off, to = upward(g:symmetrize())
  corners(off, to, at)
  return result({graph = g, count = at:sum() // 3, at = at})
end
