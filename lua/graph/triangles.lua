-- Triangle counting: a triangle is three vertices of which any two are joined by an edge, in either direction.
--
-- Vertices are put in the order of their number of neighbours. Of each pair of joined vertices one edge is kept, to the later vertex:
-- edges are sorted by their two ends, so that parallel edges and both directions are adjacent, then by source. A triangle u < v < w is
-- found once, at its edge u -> v, as a w in the rows of both u and v (Schank and Wagner 2005, "forward"): by merging the two rows, or, if v
-- has many successors, by looking up u's row in a hash table of v's (Pandey et al. 2021).

local algorithm = import "base/algorithm"
local bundle = import("base/loops").bundle
local triangles

local HEAVY = 64 -- number of successors above which a GPU puts a row into a hash table; CPUs merge faster, whatever the row's length
local upward_of = setmetatable({}, {__mode = "k"}) -- what upward(r.graph) has returned, until r.at is computed from it

-- One edge of each pair of vertices that g joins, to the one that is later in the order of their numbers of neighbours.
local function upward(g)
  local key, pairs_of_g = buffer.new("u64", g.m), buffer.new("u64", g.m)
  pair_keys(g, key)
  radix_sort(key, pairs_of_g)
  local keep, place, degree = buffer.new("u32", g.m), buffer.new("u32", g.m), buffer.new("u32", g.n)
  local kept = mark_pairs(pairs_of_g, keep, degree)
  scan(keep, place)
  local vertex, ordered, order = buffer.new("u64", g.n), buffer.new("u64", g.n), buffer.new("u32", g.n)
  degree_keys(degree, vertex)
  radix_sort(vertex, ordered)
  invert_keys(ordered, order)
  local edge, sorted = buffer.new("u64", kept), buffer.new("u64", kept)
  point_upward(pairs_of_g, keep, place, order, kept, edge)
  radix_sort(edge, sorted)
  local off, to = buffer.new("u32", g.n + 1), buffer.new("u32", kept)
  key_rows(sorted, off)
  key_edges(sorted, to)
  return {n = g.n, m = kept, off = off, to = to, edge = sorted, order = order}
end

-- Calls merge(most), which counts the triangles u < v < w in which v has at most `most` successors; then, if there are other vertices v,
-- hash(rows), which counts the rest. rows: what intersect_hashed takes, without the counts.
local function count_in(up, form, merge, hash)
  local most = form == "merge" and up.m or HEAVY
  local heavy = buffer.new("u32", up.n + 1)
  merge(most)
  local k = heavy_rows(up.off, most, heavy)
  if k == 0 then return end
  local key, sorted = buffer.new("u64", up.m), buffer.new("u64", up.m)
  local roff, into = buffer.new("u32", up.n + 1), buffer.new("u32", up.m)
  source_keys(up.to, key)
  radix_sort(key, sorted)
  key_rows(sorted, roff)
  key_edges(sorted, into)
  hash(bundle {off = up.off, to = up.to, edge = up.edge, roff = roff, into = into, heavy = heavy, k = k})
end

local function corners_of(r)
  algorithm.graph("triangles", r.graph)
  local up = upward_of[r] or upward(r.graph)
  local x, at = buffer.new("i64", up.n), buffer.new("i64", up.n)
  count_in(up, r.variant == "hash" and "hash" or "merge", function(most) corners(up.off, up.to, most, x) end, function(rows)
    rows.at = x
    corners_hashed(rows)
  end)
  gather(x, up.order, at)
  upward_of[r] = nil
  return at
end

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
  fields = {at = corners_of},
  methods = {top = function(r, k) return algorithm.top(r.at, k, "vertex", "triangles") end},
}

--- triangles(g [, options]): counts the triangles of g. Directions, weights, self loops and parallel edges are ignored. r.count is the
--- number of triangles, r.at[v] (i64[n], computed on first access) the number of those with corner v; r:top(k) lists the k vertices with
--- the most triangles. form = "merge" (default on CPUs) or "hash" (default on GPUs: long rows are put into hash tables). check(r) counts
--- them again by another method.
function triangles(g, options)
  algorithm.graph("triangles", g)
  local v = algorithm.variant{cpu = "merge", cuda = "hash"}
  local form = v:take(algorithm.options("triangles", options, {form = {"merge", "hash"}}).form)
  local up = upward(g)
  local closed, sum = buffer.new("i64", g.n), buffer.new("i64", 1)
  count_in(up, form, function(most) intersect_rows(up.off, up.to, most, closed) end, function(rows)
    rows.closed = closed
    intersect_hashed(rows)
  end)
  reduce(closed, sum, 0)
  local r = result({graph = g, count = sum[0]}, v)
  upward_of[r] = up
  return r
end

return triangles
