-- Answers of other programs: searches, components, page ranks and triangles.

import "graph/check"
local algorithm = import "base/algorithm"
local answer = import "base/answer"
local bfs = import "graph/bfs"
local components = import "graph/components"
local pagerank = import "graph/pagerank"
local proof = import "base/proof"
local triangles = import "graph/triangles"

-- The levels of a breadth-first search from all sources, as u32.
local function levels(g, options)
  local list = answer.sources(options)
  local least = bfs(g, list[1]).dist:copy()
  for i = 2, #list do
    local next = bfs(g, list[i]).dist
    for v = 0, g.n - 1 do least[v] = math.min(least[v], next[v]) end
  end
  return least
end

answer.searches("bfs", {
  about = "the level of each vertex in a breadth-first search: its number of edges from the source",
  about_parents = "the parent of each vertex in the tree of a breadth-first search",
  word = "levels", unit = true, right = levels,
  type = function() return "u32" end,
  negative = function() return false end,
  needs = function(g) return g.n == 0 and "a graph without vertices has no source" or nil end,
  run = function(g, options) return bfs(g, options.source) end,
})

answer.kinds.components = {
  about = "a label per vertex; equal labels mean the same component of the graph without directions",
  read = answer.labels,
  prove = function(g, id)
    local count = 0
    for v = 0, g.n - 1 do count = count + (id[v] == v and 1 or 0) end
    local r = {graph = g, id = id, count = count}
    return proof.of.components(r), proof.says.components(r)
  end,
  right = function(g) return answer.labels(g, components(g).id, {}) end,
  run = function(g) return components(g) end,
}

answer.kinds.pagerank = {
  about = "the page rank of each vertex; their sum is 1",
  options = {damping = {kind = "number", default = 0.85}, tolerance = {kind = "number", default = 1e-6}},
  read = function(g, x, options) return answer.values(g, x, "f64", options, true) end,
  prove = function(g, rank, options)
    reference.check_pagerank(g, rank, options.damping, options.tolerance)
    return nil, ("a step of the walk with damping %g changes the ranks by at most %g in sum"):format(options.damping, options.tolerance)
  end,
  right = function(g, options) return "ranks " .. answer.first(pagerank(g, {damping = options.damping}).rank) end,
  run = function(g) return pagerank(g) end,
}

answer.kinds.triangles = {
  about = "the number of triangles, or for each vertex the number of triangles of which it is a corner",
  read = function(g, x, options)
    local good, one = pcall(answer.single, x)
    if good and not (g.n == 1 and type(x) ~= "number") then
      one = algorithm.whole(one)
      if math.type(one) ~= "integer" then answer.wrong("expected a whole number of triangles, got %s", algorithm.described(one)) end
      return one
    end
    return (answer.values(g, x, "i64", options, true))
  end,
  prove = function(g, y)
    if type(y) ~= "number" then return proof.of.triangles {graph = g, at = y, count = y:sum() // 3}, proof.says.triangles() end
    local count = reference.triangles(g):sum() // 3
    if y ~= count then return ("the answer is %d triangles, but there are %d"):format(y, count) end
    return nil, proof.says.triangles()
  end,
  right = function(g, _, y)
    local r = triangles(g)
    return type(y) == "number" and tostring(r.count) or r.at
  end,
  run = function(g) return triangles(g) end,
}
