-- An algorithm of my own over primitives that exist: levels of a breadth-first search, with marks, a result and a proof.
local made = algorithm.results{
  name = "levels",
  show = function(r) return ("%d levels"):format(r.depth) end,
  methods = {at = function(r, v) return r.level[v] end},
  fields = {deepest = function(r) return r.level:find(r.depth) end},
  check = function(r) if r.level[r.source] ~= 0 then return "the source is not at level 0" end end,
}

local function levels(g, source, options)
  local o = algorithm.options("levels", options, {most = {least = 1, default = 1000}, from = "checkpoint"})
  algorithm.graph("levels", g)
  source = algorithm.vertex("levels", g, source, "source")
  local s = state.bfs(g)
  s.level[source], s.front[0], s.front[1] = 0, 1, source
  local form = algorithm.variant{cpu = "layers", cuda = "layers", stepped = "layers"}
  for it in iterations(s, {}, o.from) do
    local grown
    do
      local inside <close> = session.fixpoint()
      s.front_next[0] = 0
      grown = visit(s)
      copy(s.front_next, s.front)
      deepen(s)
    end
    it:mark{grown = grown, depth = s.depth[0]}
    session.turn()
    if grown == 0 or it.n == o.most then break end
  end
  form:take()
  return made({level = s.level, depth = s.depth[0] - 1, source = source, graph = g}, form)
end

local r = levels(gen.grid{4, 5}, 0)
assert(r.depth == 7 and r:at(19) == 7 and r.deepest == 19 and tostring(r) == "7 levels" and r.kind == "levels" and check(r))
assert(r.variant == "layers" and not session.stepped() and session.mark() == 0 and session.saves() == nil)
local series = trace.series "grown"
assert(#series.value == 8 and series.value[8] == 0)
assert(not pcall(levels, gen.path(3), 7))
assert(algorithm.top(r.level, 2, "vertex", "level")[1].vertex == 19 and algorithm.weights(r.graph):sum() == r.graph.m)
assert(algorithm.whole(1e6) == 1000000 and algorithm.described(nil) == "nil" and algorithm.counted(2, "step") == "2 steps")

-- the same by the loop that is shipped, and trimming by hand
local g = gen.path(6)
local s = state.bfs(g)
s.level[0], s.front[0], s.front[1] = 0, 1, 0
visit_fix(s)
assert(s.level[5] == 5 and s.n == 6 and s.graph == g)
local t = state.scc{n = g.n, m = g.m}
local edges = bundle{graph = g}
local trimmed = fixpoint(trim, t, edges)
assert(trimmed == 6 and count_components(t) == 6)
assert(bench(function() return bfs(g) end, 3).runs == 3 and on_cpu() == (device().processor == "cpu"))
