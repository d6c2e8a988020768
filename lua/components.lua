-- Weakly connected components: what hangs together if edges may be walked in both directions.
--
-- Every vertex knows a vertex of its component that is at most itself; at first itself. An edge whose ends know different ones
-- joins these (hook); then pointer doubling tells all (shortcut). Shiloach and Vishkin 1982.

local result = algorithm.results {
  name = "components", buffers = {id = "vertex"},
  show = function(r)
    return algorithm.sizes_page(("%s of %s"):format(algorithm.counted(r.count, "weakly connected component"),
      algorithm.counted(r.graph.n, "vertex", "vertices")), r.sizes)
  end,
  fields = {sizes = function(r) return r.graph:class_sizes(r.id) end},
}

--- components(g): the weakly connected components of g: two vertices are in one component if a path joins them that may
--- follow edges in either direction. A
--- result r has r.count, r.id (u32[n]: the least vertex of v's component), r.sizes (u32[count]); r:show() prints it, check(r)
--- proves it. Components in which every vertex reaches every other along edges: scc(g).
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
