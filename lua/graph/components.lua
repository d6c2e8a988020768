-- Weakly connected components. s.comp[v] is a vertex of v's component, initially v itself, later a lesser one, at the end the least.
--
-- Hooking and shortcutting (Shiloach and Vishkin 1982): in each iteration, an edge whose ends have different values hooks the greater
-- of them to the lesser (hook); then pointer jumping replaces each value by its root (shortcut), until no edge hooks.
--
-- Uniting (Jayanti and Tarjan 2016): one pass over all edges is enough, because the thread of an edge continues until both ends have
-- the same root (unite). On a GPU, where very many threads would follow the same paths to the roots, hooking is faster.

local algorithm = import "base/algorithm"
local components

local result = algorithm.results {
  name = "components", buffers = {id = "vertex"},
  show = function(r)
    return algorithm.sizes_page(("%s of %s"):format(algorithm.counted(r.count, "weakly connected component"),
      algorithm.counted(r.graph.n, "vertex", "vertices")), r.sizes)
  end,
  fields = {sizes = function(r) return r.graph:class_sizes(r.id) end},
}

local FORMS = {}

-- Each form fills s.comp.
function FORMS.unite(s)
  unite(s)
  shortcut_fix(s)
end

function FORMS.hook(s)
  for it in iterations(s) do
    local joined = hook(s)
    it:mark{joined = joined}
    if joined == 0 then break end
    shortcut_fix(s)
  end
end

--- components(g [, options]): the weakly connected components of g: two vertices are in the same component if they are joined by a path
--- that may follow edges in either direction. form = "unite" (default on CPUs): union-find; "hook" (default on GPUs and in a stepped run):
--- hooking and shortcutting, iteration by iteration. The result r has r.count, r.id (u32[n]: the least vertex of v's component) and
--- r.sizes (u32[count]); r:show() prints it, check(r) proves it. For strongly connected components: scc(g).
function components(g, options)
  algorithm.graph("components", g)
  local v = algorithm.variant{cpu = "unite", cuda = "hook", stepped = "hook"}
  local form = v:take(algorithm.options("components", options, {form = {"unite", "hook"}}).form)
  local s = state.components(g)
  FORMS[form](s)
  return result({graph = g, count = count_components(s.comp), id = s.comp}, v)
end

return components
