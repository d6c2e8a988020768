-- Measures of a graph that are computed from distances: a matrix of some sources and targets, eccentricities, diameter, closeness.
-- They run one search per source, so that no matrix of all pairs is needed.

local algorithm = import "base/algorithm"
local sssp = import "paths/sssp"

local distances = {}

-- Calls f(source, result of sssp) for each source of the list in turn; for every vertex if `sources` is nil.
local function each(name, g, sources, f, options)
  local list = sources
  if list == nil then
    list = {}
    for v = 0, g.n - 1 do list[v + 1] = v end
  end
  if type(list) ~= "table" then error(("%s: expected a list of sources, got %s"):format(name, algorithm.described(list)), 3) end
  for _, s in ipairs(list) do algorithm.vertex(name, g, s, "source", 2) end
  local line <close> = algorithm.progress_line
  for i, s in ipairs(list) do
    f(s, sssp(g, s, options))
    algorithm.progress(name, i, #list)
  end
end

local WIDER = {i32 = "i64", f32 = "f64"}

--- distances.matrix(g, sources [, targets]): a matrix of distances: row i, column j has the distance from sources[i + 1] to
--- targets[j + 1]. Both are lists of vertices; targets defaults to sources. Also returns the value that stands for "no path": the
--- largest value of an integer type, or inf. Each search ends as soon as the distances to all targets are final.
---   D = distances.matrix(g, {5, 17}, {0, 1, 2})   D:get(1, 2) is the distance from 17 to 2
function distances.matrix(g, sources, targets)
  algorithm.graph("distances.matrix", g)
  if targets == nil then targets = sources end
  for i, list in ipairs {sources or false, targets or false} do
    if type(list) ~= "table" or #list == 0 then
      error(("distances.matrix: expected a list of %s, got %s"):format(i == 1 and "sources" or "targets",
        type(list) == "table" and "none" or algorithm.described(list or nil)), 2)
    end
  end
  for _, t in ipairs(targets) do algorithm.vertex("distances.matrix", g, t, "target") end
  local rows, kind = {}, g.weights or "i32"
  each("distances.matrix", g, sources, function(_, r)
    local row = {}
    for j, t in ipairs(targets) do row[j] = r.dist[t] ~= r.unreached and r.dist[t] or false end
    rows[#rows + 1] = row
    if r.dist.dtype == WIDER[kind] then kind = r.dist.dtype end
  end, {targets = targets})
  local far, D = algorithm.greatest[kind], buffer.new(kind, #sources, #targets)
  for i, row in ipairs(rows) do
    for j, d in ipairs(row) do D:set(i - 1, j - 1, d or far) end
  end
  return D, far
end

-- The distances of the vertices that a search has reached, in ascending order: a buffer, of which only the first `count` elements
-- count.
local function ascending(r)
  local y = buffer.new(r.dist.dtype, r.graph.n)
  radix_sort(r.dist, y) -- unreached vertices come last
  return y, r.graph.n - r.dist:count(r.unreached)
end

--- distances.eccentricity(g [, sources]): two tables indexed by source: the greatest distance from it to a vertex that it reaches,
--- and the number of vertices that it reaches, including itself. Without a list of sources, for all vertices.
function distances.eccentricity(g, sources)
  algorithm.graph("distances.eccentricity", g)
  local far, reached = {}, {}
  each("distances.eccentricity", g, sources, function(s, r)
    local count = g.n - r.dist:count(r.unreached)
    far[s], reached[s] = count < g.n and ascending(r)[count - 1] or r.dist:max(), count
  end)
  return far, reached
end

--- distances.diameter(g): the greatest distance from a vertex to one that it reaches, and the two vertices. nil if g has no
--- vertices.
function distances.diameter(g)
  algorithm.graph("distances.diameter", g)
  local best, from = nil, nil
  for s, x in pairs((distances.eccentricity(g))) do
    if not best or x > best or (x == best and s < from) then best, from = x, s end
  end
  if not best then return nil end
  return best, from, sssp(g, from).dist:find(best)
end

--- distances.closeness(g [, sources]): a table from each source to its closeness centrality, in the form for graphs that are not
--- connected (Wasserman and Faust 1994): (reached - 1)^2 / ((n - 1) * the sum of its distances); 0 if that sum is 0.
function distances.closeness(g, sources)
  algorithm.graph("distances.closeness", g)
  local close = {}
  each("distances.closeness", g, sources, function(s, r)
    local y, count = ascending(r)
    local sum, others = 0.0, count - 1 -- a float, because 64-bit integers could wrap
    for i = 0, others do sum = sum + y[i] end
    close[s] = sum > 0 and others * others / ((g.n - 1) * sum) or 0.0
  end)
  return close
end

return distances
