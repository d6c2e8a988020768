-- The two forms of policy iteration side by side: the paper's, one pass for each layer (Barnat, Bauch, Brim, Ceska 2011,
-- Algorithm 3), and pointer doubling. Do they agree after every step, and how many passes does each take?
--
--   lockstep samples/experiments/forms.lua [FILE]      a graph of your own; by default four generated graphs
--
-- A row says "same" if all choices, values, lambdas and roots are equal. On a ring of n vertices the paper's form needs n
-- passes.

local FIELDS = {"policy", "d", "p", "q", "root"}

-- Runs f; returns its result, the number of primitives that ran, and the seconds they took.
local function measured(f)
  stats("reset")
  local result, passes, seconds = f(), 0, 0
  for _, row in ipairs(stats()) do
    if row.calls and row.total then passes, seconds = passes + row.calls, seconds + row.total end
  end
  return result, passes, seconds
end

-- The first field in which two states differ; fields of a region are compared at its representative.
local function difference(a, b)
  for _, name in ipairs(FIELDS) do
    local x, y, by_region = a[name], b[name], name == "p" or name == "q" or name == "root"
    for v = 0, a.graph.n - 1 do
      if x[v] ~= y[v] and not (by_region and a.region[v] ~= v) then return ("%s of %d"):format(name, v) end
    end
  end
end

local function experiment(g)
  print(("\n%s\n  iteration       lambda   improved   layered: passes     ms   doubling: passes     ms"):format(g))
  local forms = {policy.new(g), policy.new(g)}
  forms[1].form, forms[2].form = "layered", "doubling"
  for _, p in ipairs(forms) do
    p.summary = 1
    p.edges.pulls = 1 -- one layer per pass: in a search from the root on a GPU, a block may be several layers ahead of the others
    policy_first(p.state, p.edges)
  end
  local agree = true
  for iteration = 1, 1000 do
    local passes, seconds, improved = {}, {}, {}
    for i, p in ipairs(forms) do
      local _, k, t = measured(function() return policy.evaluate(p) end)
      passes[i], seconds[i] = k, t
    end
    local a, b = forms[1].state, forms[2].state
    local best = a.optimum[0] - 1
    local where = best >= 0 and difference(a, b)
    for i, p in ipairs(forms) do improved[i] = policy.improve(p) end
    print(("  %9d %12.6g %10d %17d %7.2f %18d %6.2f  %s"):format(iteration, best < 0 and 0 / 0 or a.p[best] / a.q[best],
      improved[1], passes[1], seconds[1] * 1e3, passes[2], seconds[2] * 1e3, where and "differs: " .. where or "same"))
    agree = agree and not where and improved[1] == improved[2]
    if improved[1] == 0 and improved[2] == 0 then return agree end
  end
end

local graphs = arg and arg[1] and {graph.load(arg[1])} or {
  gen.torus{30, 30, weights = "i32", seed = 1},
  gen.uniform{n = 4000, m = 24000, weights = "i32", seed = 2},
  gen.ring{n = 4000, weights = "i32", seed = 3},
  gen.clients{
    {name = "pen", count = 4, {"draw", 9}, {"store", 4, server = true}, {"rest", 2}},
    {name = "eye", count = 3, {"look", 1, server = true}, {"see", 2, server = true}, {"think", 7}},
  },
}
local all = true
for _, g in ipairs(graphs) do all = experiment(g) and all end
print(all and "\nthe forms agree, step by step" or "\nthe forms differ")
