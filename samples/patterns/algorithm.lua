-- NAME: for every vertex the least vertex that reaches it along edges
-- (itself, if no lower one does).
--
-- This file works as it stands; change it piece by piece. `edit NAME.lua`
-- loads it again, and then:
--
--   g = gen.grid{20, 30, one_way = 0.7}
--   r = NAME(g)     check(r)     start NAME(g)     step     iter
--   NAME.spec()

NAME = {}

-- --- the kernel: what one thread does, here for a vertex (help own) ---

kernel [==[
#include "language/kernel.h"
PRIM(NAME_pass, NAME_ARGS, UNTYPED, VERTEX_WALK, "n", FIXPOINT,
     AT_MOST "8*n + 4*edges", "edges",
     "NAME_pass(g, label): one pass; each vertex takes the least label\n"
     "of those with an edge to it. Returns how many labels changed.")

#define NAME_ARGS(A, W) \
  A(IN, u32, roff, "n+1", offset, "m") \
  A(IN, u32, rto, "m", vertex, "n") \
  A(INOUT, u32, label, "n") A(COUNT, u32, changed, "1")
ARGS(NAME_pass, NAME_ARGS)

VERTEX_BODY(NAME_pass) {
  const u32 mine = load_relaxed(&a->label[v]);
  u32 least = mine;
  for (u32 e = a->roff[v]; e < a->roff[v + 1]; e++) {
    const u32 theirs = load_relaxed(&a->label[a->rto[e]]);
    if (theirs < least) least = theirs;
  }
  LOOKED_AT(a->roff[v + 1] - a->roff[v]);
  if (least == mine) return;
  store_relaxed(&a->label[v], least);
  count->changed++;
}
]==]

-- --- the state: the buffers of the algorithm ---

local function new(g)
  local s = bundle {label = buffer.new("u32", g.n)}
  for v = 0, g.n - 1 do s.label[v] = v end
  return s
end

-- --- the result: how it prints, its methods (r:members), its proof ---

-- Returns an error message if r is wrong, else nil. It must not work like
-- the algorithm: here it searches from each vertex in turn, the lowest
-- first, over the vertices that no lower one has reached.
local function wrong(r)
  local least = {}
  for first = 0, r.graph.n - 1 do
    local stack = {}
    if not least[first] then least[first], stack[1] = first, first end
    while #stack > 0 do
      for t in r.graph:edges(table.remove(stack)) do
        if not least[t] then
          least[t] = first
          stack[#stack + 1] = t
        end
      end
    end
  end
  for v = 0, r.graph.n - 1 do
    local found = r.label[v]
    if found ~= least[v] then
      local text = "vertex %d has the label %d, expected %d"
      return text:format(v, found, least[v])
    end
  end
end

local result = algorithm.results {
  name = "NAME",
  show = function(r)
    return ("labels: %d, vertices: %d, passes: %d"):format(r.count, r.graph.n,
      r.passes)
  end,
  methods = {
    -- r:members(0): how many vertices have the label 0
    members = function(r, label) return r.label:count(label) end,
  },
  check = wrong,
}

-- --- the algorithm: primitives in a loop. `iter` stops at its marks, and
-- panel and plot show their numbers ---

--- NAME(g, options): for every vertex the least vertex that reaches it.
--- r.label is u32[n]; check(r) proves it. ?NAME shows this text. Options:
---   limit = 1000000    an error after this many passes
local function run(g, options)
  algorithm.graph("NAME", g)
  options = algorithm.options("NAME", options, {
    limit = {least = 1, default = 1000000},
  })
  local s, passes = new(g), 0
  for it in iterations(s) do
    local changed = NAME_pass(g, s)
    passes = passes + 1
    it:mark{changed = changed}
    if changed == 0 then break end
    if passes == options.limit then
      error(("NAME: limit = %d is too low"):format(passes), 2)
    end
  end
  local count = 0
  for v = 0, g.n - 1 do count = count + (s.label[v] == v and 1 or 0) end
  return result({graph = g, label = s.label, count = count, passes = passes})
end

setmetatable(NAME, {
  __call = function(_, g, options) return run(g, options) end,
})

-- --- the spec: small graphs of unusual shapes, and a wrong result ---

function NAME.spec()
  local graphs = {
    graph.from_edges {n = 0}, graph.from_edges {n = 1},
    graph.from_edges {n = 4},
    graph.from_edges {{0, 0}, {0, 1}, {0, 1}, {1, 0}},
    gen.ring(50), gen.path(50), gen.path(50):reverse(), gen.complete(9),
    gen.star {n = 50}, gen.star {n = 50, inward = true},
  }
  for seed = 1, 20 do
    graphs[#graphs + 1] = gen.uniform {n = 40, m = 6 * seed, seed = seed}
    local grid = gen.grid {6, 7, one_way = 0.8, seed = seed}
    graphs[#graphs + 1] = grid:permute(seed)
  end
  for _, g in ipairs(graphs) do
    local proved, why = pcall(function() assert(check(NAME(g))) end)
    if not proved then -- to look at it: start NAME(NAME.wrong)
      NAME.wrong = g
      error(("%s, which is now NAME.wrong: %s"):format(g, why), 0)
    end
  end
  local bad = NAME(gen.ring(5))
  bad.label[3] = 3
  assert(not pcall(check, bad), "check accepts a wrong result")
  print(("NAME: %d graphs, every result proved right"):format(#graphs))
end
