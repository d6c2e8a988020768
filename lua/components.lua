-- Weakly connected components by hooking and shortcutting (Shiloach and Vishkin 1982).
--
-- s.comp[v] is a vertex of v's component, at most v; at first v itself. Each iteration: an edge whose ends have different values
-- hooks the greater of them to the lesser (hook); then pointer jumping replaces each value by its root (shortcut).

local result = algorithm.results {
  name = "components", buffers = {id = "vertex"},
  show = function(r)
    return algorithm.sizes_page(("%s of %s"):format(algorithm.counted(r.count, "weakly connected component"),
      algorithm.counted(r.graph.n, "vertex", "vertices")), r.sizes)
  end,
  fields = {sizes = function(r) return r.graph:class_sizes(r.id) end},
}

--- components(g): the weakly connected components of g: two vertices are in the same component if a path joins them that may
--- follow edges in either direction. The result r has r.count, r.id (u32[n]: the least vertex of v's component) and r.sizes
--- (u32[count]); r:show() prints it, check(r) proves it. For strongly connected components: scc(g).
function components(g)
  algorithm.graph("components", g)
  local s = state.components(g)
  for it in iterations(s) do
    local joined = hook(s)
    it:mark{joined = joined}
    if joined == 0 then break end
    shortcut_fix(s)
  end
  return result({graph = g, count = count_components(s.comp), id = s.comp})
end
