-- Every LOOP row gives the same results when it runs unstepped, step by step, or interrupted and resumed.
local NONE = 0xffffffff

local folder = arg[0]:match "^(.*)/" or "."
local loop_model, models = dofile(folder .. "/loop_model.lua"), dofile(folder .. "/models.lua")
local function as_steps(name, args, max) return loop_model(prim.loops[name], args, max) end

local function weighted(seed)
  return gen.uniform {n = 9000, m = 27000, seed = seed, weights = "i32", lo = -1, hi = 40}
end

-- loops.NAME(seed) returns new arguments for the loop NAME, and the names of the buffers that must be equal in both runs.
local loops = {}
local function searching(s, v)
  s.mark[v] = 3
  for _, name in ipairs {"front", "back"} do s[name][0], s[name][1] = 1, v end
  return s
end
local function scc_state(seed) return state.scc(gen.uniform {n = 9000, m = 16000, seed = seed}) end
local function of_state(name, s, extra) return prim.loops[name].arguments(s, extra or {}) end
function loops.trim_fix(seed) return of_state("trim_fix", scc_state(seed)), {"mark", "comp"} end
function loops.chain_jump_fix(seed) -- the links of a sparse DAG: roots, chains and forks
  local s = state.scc(gen.dag {n = 9000, m = 9000, seed = seed})
  chain_link(s, 0)
  return of_state("chain_jump_fix", s), {"link"}
end
function loops.reach_forward_fix(seed) return of_state("reach_forward_fix", searching(scc_state(seed), 7)), {"mark"} end
function loops.reach_backward_fix(seed) return of_state("reach_backward_fix", searching(scc_state(seed), 8)), {"mark"} end
function loops.reach_both(seed) return of_state("reach_both", searching(scc_state(seed), 9)), {"mark"} end
function loops.pull_backward_fix(seed)
  return of_state("pull_backward_fix", searching(scc_state(seed), 10), {within = 0}), {"mark"}
end
function loops.reach_giant(seed)
  return of_state("reach_giant", searching(scc_state(seed), 7), {within = 1}), {"mark", "comp"}
end
function loops.reach_brief(seed)
  return of_state("reach_brief", searching(scc_state(seed), 9)), {"mark", "comp"}
end
function loops.propagate_max_fix(seed)
  local s = scc_state(seed)
  residual(s)
  return of_state("propagate_max_fix", s), {"max_in", "max_out"}
end
function loops.rank_fix(seed)
  local g = gen.uniform {n = 900, m = 27000, seed = seed}
  local s, pieces = state.pagerank(g), g.n + g.m // 64
  s.damping[0], s.tolerance[0] = 0.25, 1e-300 -- iterates until the ranks no longer change by a single bit
  s.rank:fill(1)
  local parts = {pieces = pieces, cut = buffer.new("u32", pieces + 1), part = buffer.new("f64", pieces)}
  rank_cut(g, pieces, parts.cut)
  return of_state("rank_fix", s, parts), {"rank"}
end
function loops.prove_within_fix(seed)
  local g = gen.uniform {n = 9000, m = 27000, seed = seed}
  local args = {id = scc(g).id, reached = buffer.new("u32", g.n), front = buffer.new("u32", g.n + 1), front_next = buffer.new("u32", g.n + 1)}
  prove_classes(args.id, args.reached, args.front)
  return of_state("prove_within_fix", g, args), {"reached"}
end
function loops.prove_order_fix(seed)
  local g = gen.dag {n = 9000, m = 9000, seed = seed}
  return of_state("prove_order_fix", g, {id = scc(g).id, depth = buffer.new("u32", 1), level = buffer.new("u32", g.n)}), {"level"}
end
function loops.relax_fix(seed)
  local s = state.sssp(gen.uniform {n = 9000, m = 27000, seed = seed, weights = "i32", lo = 0, hi = 40})
  s.dist[0] = 0
  return of_state("relax_fix", s), {"dist", "overflow"}
end
local function to_40(seed, n) return gen.uniform {n = n or 9000, m = 3 * (n or 9000), seed = seed, weights = "i32", lo = 0, hi = 40} end
local function full(kind, count, x)
  local b = buffer.new(kind, count)
  fill(b, x)
  return b
end
function loops.near_far(seed)
  local s = state.sssp(to_40(seed))
  s.dist[0], s.bound[0] = 0, 20
  s.front[0], s.front[1] = 1, 0
  return prim.loops.near_far.arguments(s, {delta = 20, cutoff = 0x7fffffff}), {"dist"}
end
function loops.relax_near_fix(seed)
  local s = state.sssp(to_40(seed))
  s.dist[0], s.bound[0] = 0, 90
  s.front[0], s.front[1] = 1, 0
  return of_state("relax_near_fix", s), {"dist"}
end
function loops.visit_fix(seed)
  local s = state.bfs(to_40(seed))
  s.level[0] = 0
  s.front[0], s.front[1] = 1, 0
  return of_state("visit_fix", s), {"level"}
end
function loops.visit_ahead_fix(seed)
  local g = to_40(seed)
  local s = state.bfs(g)
  s.level[0] = 0
  s.front[0], s.front[1] = 1, 0
  return prim.loops.visit_ahead_fix.arguments(s, {expanded = full("u32", g.n, 0xffffffff)}), {"level"}
end
local function problems(seed, more)
  local n, k = 900, 20
  local args = {k = k, mask = buffer.new("u32", n * k), cost = full("i32", n * k, 0x7fffffff), updated = full("i32", n * k, 0x7fffffff),
    overflow = buffer.new("u32", 1)}
  for i = 0, k - 1 do args.cost[i * k + i], args.mask[i * k + i] = 0, 1 end
  for name, x in pairs(more or {}) do args[name] = x end
  return gen.uniform {n = n, m = 4 * n, seed = seed, weights = "i32", lo = 0, hi = 40}, args
end
function loops.scatter_fix(seed) return prim.loops.scatter_fix.arguments(problems(seed)), {"cost"} end
function loops.scatter_shared_fix(seed)
  return prim.loops.scatter_shared_fix.arguments(problems(seed, {together = 32, rows = 29, columns = 1})), {"cost"}
end
function loops.record_fix(seed)
  local g, args = problems(seed)
  scatter_fix(g, args)
  local sources = {}
  for i = 1, args.k do sources[i] = i - 1 end
  return prim.loops.record_fix.arguments(g, {k = args.k, sources = buffer.new("u32", sources), cost = args.cost,
    parent = full("u32", #args.cost, 0xffffffff), overflow = args.overflow}), {}
end
function loops.settle_fix(seed)
  local g = to_40(seed)
  local s = {dist = full("i32", g.n, 0x7fffffff), mask = buffer.new("u32", g.n), rest = buffer.new("u32", g.n + 1),
    rest_next = buffer.new("u32", g.n + 1), least = buffer.new("i32", 1), overflow = buffer.new("u32", 1)}
  s.dist[0], s.mask[0], s.rest[0] = 0, 1, g.n - 1
  for v = 1, g.n - 1 do s.rest[v] = v end
  return prim.loops.settle_fix.arguments(g, s), {"dist"}
end
function loops.prove_tight_fix(seed)
  local g = to_40(seed)
  local s = state.sssp(g)
  s.dist[0] = 0
  relax_fix(s)
  local args = {dist = s.dist, rows = 1, base = 0, k = 1, ties = 0, tolerance = buffer.new("f64", 2),
    proved = buffer.new("u32", g.n)}
  args.proved[0] = 1
  return prim.loops.prove_tight_fix.arguments(g, args), {"proved"}
end
function loops.extract_fix(seed)
  local g = to_40(seed, sized(9000, 3000)) -- takes quadratic time: each iteration scans all remaining vertices
  local s = {dist = full("i32", g.n, 0x7fffffff), chosen = buffer.new("u32", 1), rest = buffer.new("u32", g.n + 1),
    rest_next = buffer.new("u32", g.n + 1), least = buffer.new("i32", 1), overflow = buffer.new("u32", 1),
    front = buffer.new("u32", 2)}
  s.dist[0], s.rest[0] = 0, g.n
  for v = 0, g.n - 1 do s.rest[v + 1] = v end
  return prim.loops.extract_fix.arguments(g, s), {"dist"}
end
function loops.delta_fix(seed)
  local g = to_40(seed)
  local s = {dist = full("i32", g.n, 0x7fffffff), where = full("i64", g.n, math.maxinteger), kept = buffer.new("u32", g.n),
    filled = buffer.new("u32", 5), bucket = buffer.new("i64", 1), offer = buffer.new("i32", g.m), request = buffer.new("u32", g.m + 1),
    overflow = buffer.new("u32", 1), buckets = 5, delta = 10}
  s.dist[0], s.where[0], s.filled[0] = 0, 0, 1
  return prim.loops.delta_fix.arguments(g, s), {"dist"}
end
function loops.tight_tree(seed)
  local g = gen.uniform {n = 9000, m = 27000, seed = seed, weights = "i32", lo = 0, hi = 40}
  local s = state.sssp(g)
  s.dist[0] = 0
  relax_fix(s)
  s.parent[0] = 0
  s.front[0], s.front[1] = 1, 0
  return of_state("tight_tree", s), {}
end

function loops.fw_blocked(seed)
  local n, values = 100 + seed, {}
  for i = 1, n * n do values[i] = (i * 7919 * seed) % 5 == 0 and (i * 104729) % 1000 or 0x7fffffff end
  for i = 1, n do values[(i - 1) * n + i] = 0 end
  return prim.loops.fw_blocked.arguments {D = buffer.new("i32", values), overflow = buffer.new("u32", 1), tiles = (n + 31) // 32},
    {"D"}
end

local function cells(method, seed)
  local b = models.line {cells = 2 + seed, stimulated = {}}:bytecode {unify = seed % 2 == 0 and "warp" or "phase"}
  local x, x_next = b:start()
  local given = bundle {x = x, x_next = x_next, begin = x:copy(), rate = x:copy(), dt = buffer.new("f64", {0.01}), column = buffer.new("u32", {0, 3}),
    columns = 2, rows = 3, steps = 2, record = buffer.new("f64", 2 * 3)}
  for k, v in pairs(b) do given[k] = given[k] or v end
  return prim.loops["ode_" .. method].arguments(given), {"x", "record"}
end
function loops.ode_euler(seed) return cells("euler", seed) end
function loops.ode_rk4(seed) return cells("rk4", seed) end
local function adaptive(name, seed)
  local b = models.line {cells = 2 + seed, stimulated = {}}:bytecode {unify = seed % 2 == 0 and "warp" or "phase"}
  local x, places = b:start(), {}
  for i = 1, b.model.variables do
    if b.model:variable(i).role == "state" then places[#places + 1] = b.code:place(i) end
  end
  local function zeros(n) return buffer.new("f64", n) end
  local scale, column = zeros(#x), buffer.new("u32", {0, 3})
  fill(scale, 1)
  local given = b:with {x = x, x_next = x:copy(), begin = x:copy(), x_row = x:copy(), slopes = zeros(7 * #x), record = zeros(2 * 3),
    pace = buffer.new("f64", {0, 0, 0, math.huge, math.huge, 0, 0.1, 1e-6, 1e-9}), -- fields as in lua/ode/bytecode_adaptive.lua
    progress = buffer.new("u32", {0, 0, 2, 0, 1, 0}), error = zeros(#x), scale = scale, state_of = buffer.new("u32", places),
    states = #places, sums = zeros(3 * 256), parts = 256, column = column, columns = 2, rows = 3}
  if name == "ode_dopri5" then
    ode_dopri5_begin(given)
    given.pace[3] = 0.1 -- the end time
  end
  return prim.loops[name].arguments(given), name == "ode_dopri5" and {"x", "record"} or {"x", "pace"}
end
function loops.ode_dopri5_begin(seed) return adaptive("ode_dopri5_begin", seed) end
function loops.ode_dopri5(seed) return adaptive("ode_dopri5", seed) end
local function timed(name, seed, m) -- a model with delays, noise and events, or with assignments between steps, in several cells
  local b, N = m:bytecode {cells = 3}, 6
  local x, x_next, begins = b:start {seed = seed, dt = 0.01}
  local before = #begins.past_time
  local past_time, past = buffer.new("f64", before + N), buffer.new("f64", (before + N) * b.delayed * 3)
  copy_front(begins.past_time, past_time, before)
  copy_front(begins.past, past, #begins.past)
  local given = bundle {x = x, x_next = x_next, begin = x:copy(), rate = x:copy(), dt = buffer.new("f64", {0.01}), column = buffer.new("u32", {0, 3}),
    columns = 2, rows = 3, steps = 2, record = buffer.new("f64", 2 * 3 * 3), clock = begins.clock, past_time = past_time, past = past,
    kept = before + N, truth = buffer.new("u32", 3 * b.events), pending = buffer.new("f64", 64 * b.wide * 3), tally = buffer.new("u64", 6),
    slots = 64 * b.wide, fault = buffer.new("f64", 4)}
  for k, v in pairs(b) do
    if given[k] == nil then given[k] = v end
  end
  return prim.loops[name].arguments(given), {"x", "record", "clock", "past", "past_time", "truth", "pending", "tally"}
end
for _, method in ipairs {"euler", "rk4"} do
  local name = "ode_" .. method
  loops[name .. "_timed"] = function(seed)
    return timed(name .. "_timed", seed, model.from_text(
      ("x' = -delay(x, 0.05) + 0.1*wiener()\nx(0) = 1\nn = 0\nk = %d\nwhen k*x < 2: n = n + 1, x = x + 0.5\n"):format(1 + seed) ..
      "y = n + delay(n, 0.02)"))
  end
  loops[name .. "_jumps"] = function(seed) return timed(name .. "_jumps", seed, model.load(model.sample "integrate-and-fire.phml")) end
end
local function dense(name, seed, upper)
  local n, values = 100 + 37 * seed, {}
  for i = 1, n * n do values[i] = (i * 7919 * seed) % 5 == 0 and (i * 104729) % 1000 or 0x7fffffff end
  for i = 1, n do values[(i - 1) * n + i] = 0 end
  if upper then
    for i = 2, n do
      for j = 1, i - 1 do values[(i - 1) * n + j] = 0x7fffffff end
    end
  end
  return prim.loops[name].arguments {D = buffer.new("i32", values), overflow = buffer.new("u32", 1), tile = 32,
    tiles = (n + 31) // 32, semiring = 0, positive = 1}, {"D", "overflow"}
end
function loops.close_blocked(seed) return dense("close_blocked", seed) end
function loops.close_triangle(seed) return dense("close_triangle", seed, true) end
function loops.order_fix(seed)
  local g = gen.dag {n = 3000, m = 9000, seed = seed}
  local given = {off = g.off, to = g.to, indegree = buffer.new("u32", g.n), level = buffer.new("u32", g.n),
    front = buffer.new("u32", g.n + 1), front_next = buffer.new("u32", g.n + 1)}
  order_start(g, {indegree = given.indegree, level = given.level, front = given.front})
  return prim.loops.order_fix.arguments(given), {"indegree", "level"}
end

function loops.warshall(seed)
  local g = gen.uniform {n = 700, m = 900, seed = seed}
  local given = {bits = buffer.new("u64", g.n, 11), within = buffer.new("u64", 64), table = buffer.new("u64", 256, 11), words = 11, from = 0, across = 11}
  bits_edges(g, bundle(given))
  return prim.loops.warshall.arguments(given), {"bits"}
end

function loops.warshall_narrow(seed)
  local g = gen.uniform {n = 700, m = 900, seed = seed}
  local given = {bits = buffer.new("u64", g.n, 11), pivots = buffer.new("u64", 128, 11), words = 11}
  bits_edges {off = g.off, to = g.to, bits = given.bits, from = 0, across = 11}
  copy_part {x = given.bits, from = 0, count = 64 * 11, y = given.pivots, to = 0}
  return prim.loops.warshall_narrow.arguments(given), {"bits", "pivots"}
end

-- Policy graphs, advanced to the stage at which each loop starts.
local function first_policy(seed)
  local p = policy.new(weighted(seed))
  policy_first(p.state, p.edges)
  return p, p.state, p.edges
end
local function evaluated(seed)
  local p, s, e = first_policy(seed)
  policy.evaluate(p)
  return p, s, e
end
function loops.policy_sum_fix(seed)
  local _, s, e = evaluated(seed)
  policy_links(s, e)
  return of_state("policy_sum_fix", s), {"jump", "d"}
end
function loops.policy_land_fix(seed)
  local s = state.policy(weighted(seed), "i64")
  local n = s.graph.n
  for v = 0, n - 1 do s.jump[v], s.rest[v + 1] = v < 9 and (v + 1) % 9 or v // 3 - seed % 2, v end
  s.rest[0] = n
  return of_state("policy_land_fix", s), {"rest"}
end
function loops.policy_iterate(seed)
  local _, s, e = evaluated(seed) -- builds the transpose
  e.pulls = seed % 2
  return prim.loops.policy_iterate.arguments(s, e), {"policy", "root", "p", "q"}
end
function loops.policy_least_fix(seed)
  local p, s, e = first_policy(seed)
  policy.follow(p)
  policy_land_fix(s)
  policy_cycles(s, e)
  return of_state("policy_least_fix", s), {"least"}
end
function loops.policy_connect_fix(seed)
  local p, s, e = evaluated(seed) -- builds the transpose
  policy_start_mark(s)
  policy_unmarked(s)
  policy_border(s, e)
  return prim.loops.policy_connect_fix.arguments(s, e), {"layer"}
end
function loops.policy_eliminate_fix(seed)
  local _, s, e = evaluated(seed)
  policy_first(s, e)
  policy_count_preds(s, e)
  e.summary = 1
  return prim.loops.policy_eliminate_fix.arguments(s, e), {"gone"}
end
function loops.policy_mark_fix(seed)
  local _, s, e = evaluated(seed)
  policy_start_mark(s)
  return prim.loops.policy_mark_fix.arguments(s, e), {"layer"}
end
function loops.policy_propagate_fix(seed)
  local _, s, e = evaluated(seed)
  policy_count_preds(s, e)
  policy_start_values(s)
  e.summary = seed % 2
  return prim.loops.policy_propagate_fix.arguments(s, e), {"d"}
end

function loops.shortcut_fix(seed)
  local n = 50 + seed
  local comp = buffer.new("u32", n)
  for v = 0, n - 1 do comp[v] = v % 7 == 0 and v or v - 1 - v % 3 % (v % 7) end -- a forest; the roots are the multiples of 7
  return prim.loops.shortcut_fix.arguments {comp = comp}, {"comp"}
end

-- Loops whose COUNT sums do not depend on the order of threads.
local exact = {trim_fix = true, reach_forward_fix = true, reach_backward_fix = true, reach_both = true, pull_backward_fix = true, tight_tree = true}
-- Loops whose number of iterations, one per layer, does not depend on the order of threads either.
local layered = {reach_forward_fix = true, reach_backward_fix = true, reach_both = true, tight_tree = true}

local function place(list, x)
  for i, y in ipairs(list) do
    if x == y then return i end
  end
end

it("covers every loop", function()
  for name in pairs(prim.loops) do assert(loops[name], name .. " has no test") end
end)

for _, device_name in ipairs {"cpu", "cpu:1"} do
  device(device_name)
  for name, make in pairs(loops) do
    describe(name .. " on " .. device_name, function()
      local loop = prim.loops[name]
      local call, counts = loop.call, #loop.counts
      local function hold(a, b, results)
        for _, result in ipairs(results) do
          if result == "rest" then
            equal(queue(a.rest), queue(b.rest))
          else
            equal({a[result]:diff(b[result])}, {0, {}})
          end
        end
      end
      long("is its steps", function()
        for seed = 1, 4 do
          local a, results = make(seed)
          local b = make(seed)
          a.max_iterations = nil
          local got = table.pack(call(a))
          equal(got[got.n], true) -- the loop finished
          got[got.n], got.n = nil, nil
          local want = as_steps(name, b, 0)
          if exact[name] then equal(got[1], want[1]) end
          if layered[name] or device_name == "cpu:1" then equal(got, want) end
          hold(a, b, results)
          -- at the fixpoint there is nothing left to do
          a.max_iterations, a.begun = nil, true
          if loop.main and loop.main.count then equal((select(place(loop.counts, loop.main.count), call(a))), 0) end
        end
      end)
      long("may be cut short at any iteration and taken up again", function()
        local whole, results = make(5)
        whole.max_iterations = nil
        local total = table.pack(call(whole))
        for _, slice in ipairs {1, 2, 3} do
          local a = make(5)
          local sums, iterations, rounds = {}, 0, 0
          a.max_iterations = slice
          repeat
            local got = table.pack(call(a))
            a.begun = loop.main and loop.main.what == "FOR" and iterations + got[counts + 1] or true
            for i = 1, counts do sums[i] = (sums[i] or 0) + got[i] end
            assert(got[counts + 1] <= slice)
            iterations, rounds = iterations + got[counts + 1], rounds + 1
            local still = false
            if loop.main and loop.main.what == "FOR" then
              still = iterations < total[counts + 1]
            elseif loop.main then
              still = got[place(loop.counts, loop.main.count)] > 0
            end
          until not still or rounds > 20000
          hold(whole, a, results)
          if exact[name] then equal(sums[1], total[1]) end
          if layered[name] then assert(iterations >= total[counts + 1] and iterations <= total[counts + 1] + slice) end
        end
      end)
      it("does as many iterations as are asked for", function()
        if not layered[name] then return end
        for _, max in ipairs {1, 2, 3} do
          local a, b = make(6), make(6)
          a.max_iterations = max
          local got = table.pack(call(a))
          got[got.n], got.n = nil, nil
          equal(got, as_steps(name, b, max))
          equal(got[counts + 1], max)
          -- the swaps took effect: the frontier is in the buffer that the next iteration reads
          for _, pair in ipairs(prim.loops[name].words) do
            if pair.what ~= "SWAP" then goto continue end
            local x, y = {}, {}
            for i = 1, a[pair[1]][0] do x[i] = a[pair[1]][i] end
            for i = 1, b[pair[1]][0] do y[i] = b[pair[1]][i] end
            table.sort(x) table.sort(y)
            equal(x, y)
            ::continue::
          end
        end
      end)
      it("names a wrong argument", function()
        local a = make(7)
        a.max_iterations = nil
        local first = prim.loops[name].arguments(a)
        first.max_iterations, first.max_repeats, first.begun = nil, nil, nil
        a[next(first)] = nil
        raises(" is missing", call, a)
        raises("it has no argument 'nonsense'", call, {nonsense = 1})
      end)
    end)
  end
end
device("auto")

-- Strongly connected components by the loops that a GPU runs, compared on cpu:1 and cpu.
local function by_layers(g)
  local whether = algorithm.on_cpu
  algorithm.on_cpu = function() return false end
  compare("cpu:1", "cpu")
  local ok, r = pcall(scc, g)
  compare(false)
  algorithm.on_cpu = whether
  if not ok then error(r, 0) end
  check(r)
  return r
end

describe("a loop of several groups", function()
  it("goes on where it was after a slice", function() -- there are more layers than a ring of 2^15 entries holds
    local n, edges = 40000, {}
    for v = 0, n - 1 do
      edges[#edges + 1] = {v, v, v == n - 1 and 0 or 1}
      edges[#edges + 1] = {v, (v + 1) % n, 5}
    end
    local g = graph.from_edges(edges)
    local p = policy.new(g)
    policy.connect(p) -- builds the transpose
    fill(p.state.bound, math.mininteger)
    local s, got = p.state, table.pack(policy_iterate(p.state, p.edges))
    equal(got[got.n], 1)
    equal({s.p[s.region[0]], s.q[s.region[0]], s.root[s.region[0]]}, {0, 1, n - 1})
    for v = 0, n - 2, 101 do equal({s.policy[v], s.d[v]}, {2 * v + 1, 5 * (n - 1 - v)}) end
  end)
  it("stands still where a step was repeated as often as it may be", function()
    device("cpu") -- on other devices a repetition may advance several layers
    local s = searching(state.scc(gen.path {n = 500}), 0)
    equal({reach_giant(s, {within = 1, max_repeats = 10, begun = true})}, {10, 0, 0})
    equal({s.front[0], s.front[1], s.mark:count(3), s.mark:count(1)}, {1, 10, 1, 10})
    equal({reach_giant(s, {within = 1, begun = true})}, {489, 1, 1})
    s = searching(state.scc(gen.path {n = 500}), 0)
    equal({reach_giant(s, {within = 1, max_repeats = 9, begun = true})}, {9, 0, 0})
    raises("max_repeats is -1", reach_giant, s, {within = 1, max_repeats = -1})
    raises("no argument 'max_repeats'", trim_fix, s, {max_repeats = 2})
    device("auto")
  end)
  it("counts every step's repetitions for itself", function()
    device("cpu:1")
    local s = searching(state.scc(gen.ring {n = 8}), 0) -- seven layers and one empty layer in each direction
    equal({reach_giant(s, {within = 1, max_repeats = 10, begun = true})}, {14, 8, 1})
    device("auto")
  end)
  it("has steps that come once, with the pairs swapped where it says so", function()
    local most = 0
    for seed = 1, 5 do
      local p, q = policy.new(weighted(seed)), policy.new(weighted(seed))
      p.form, q.form = "doubling", "doubling"
      policy.start(q) -- q makes the same steps by separate calls
      local improved, cycles = policy.iterate(p, 1, true)
      local as_well = {policy.iterate(q, 1)}
      -- on a GPU policy_connect may advance several layers at once, so it is not determined which of several successors a vertex
      -- adopts, nor how many choices the next step improves
      if on_cpu() then equal({improved, cycles, 1}, as_well) end
      most = math.max(most, improved)
      for _, side in ipairs {p, q} do -- continues both runs, one iteration per call
        local rounds = 1
        repeat
          improved, rounds = policy.iterate(side, 1), rounds + 1
        until improved == 0 or rounds == 99
        equal(improved, 0)
      end
      for _, field in ipairs {"p", "q"} do equal({p.state[field]:diff(q.state[field])}, {0, {}}) end
    end
    assert(most > 0)
  end)
  it("may stand still on the way back: scc goes on there", function()
    local n, edges = 2000, {} -- edges from the last vertex to all, and from each to the next: every pass adds only one vertex
    for v = 0, n - 2 do edges[#edges + 1], edges[#edges + 2] = {n - 1, v}, {v, v + 1} end
    local g = graph.from_edges(edges)
    local r = by_layers(g)
    equal({r.count, r.brief}, {1, nil})
  end)
  it("may stand still in sweeps: scc begins again by layers", function()
    local k, edges = 300, {} -- a ring of cliques: each sweep advances the backward search by one clique
    for c = 0, k - 1 do
      for i = 0, 5 do
        for j = 0, 5 do
          if i ~= j then edges[#edges + 1] = {6 * c + i, 6 * c + j} end
        end
      end
      edges[#edges + 1] = {6 * c, 6 * ((c + 1) % k)}
    end
    local r = by_layers(graph.from_edges(edges))
    equal({r.count, r.brief}, {1, nil})
    -- and a graph for which one or two sweeps suffice
    r = by_layers(gen.complete {n = 60})
    equal({r.count, r.brief}, {1, true})
  end)
end)

describe("the edges that are walked", function()
  local function walked(name)
    for _, row in ipairs(stats()) do
      if row.kernel == name then return row.edges, row.edges_per_second end
    end
  end
  it("are counted over a queue, step by step and in one piece", function()
    local g = gen.rmat {scale = 12, degree = 6, seed = 5}
    for _, run in ipairs {reach_forward_fix, function(s)
      while reach_forward(s) > 0 do prim.swap(s.front, s.front_next) end
    end} do
      local s = state.scc(g)
      s.front[0], s.front[1], s.mark[0] = 1, 0, 1
      stats("reset")
      run(s)
      local want = 0
      for v = 0, g.n - 1 do
        if s.mark[v] == 1 then want = want + g.off[v + 1] - g.off[v] end
      end
      assert(want > 1000)
      local edges, rate = walked("reach_forward")
      equal(edges, want + 0.0)
      assert(rate > 0)
    end
  end)
  it("are those of the vertices that are selected", function()
    local g = gen.uniform {n = 5000, m = 20000, seed = 2}
    local s = state.scc(g)
    for v = 0, 4999, 2 do s.mark[v] = NONE end
    local want = 0
    for v = 1, 4999, 2 do want = want + g.off[v + 1] - g.off[v] end
    stats("reset")
    residual(s)
    equal(walked("residual"), want + 0.0)
    equal(trace.last(1)[1].edges, want + 0.0)
  end)
end)

describe("named", function()
  it("gives what a primitive or a loop counts by name", function()
    local sums = named(trim_fix, state.scc(gen.path {n = 3000}))
    equal(sums.trimmed, 3000)
    assert(sums.iterations >= 2)
    local s = state.sssp(gen.ring {n = 30, weights = "i32"})
    s.dist[0], s.bound[0], s.front[0], s.front[1] = 0, 9, 1, 0
    sums = named(near_far, s, {delta = 9, cutoff = 0x7fffffff, max_iterations = 1})
    equal({sums.iterations, sums.lost, sums.far > 0}, {1, 0, true})
    equal(named(trim, state.scc(gen.path {n = 3})), {trimmed = trim(state.scc(gen.path {n = 3}))})
  end)
  it("takes primitives alone", function()
    raises("named: expected a primitive, got function", named, print)
    raises("named: expected a primitive, got nil", named)
  end)
end)

describe("bench", function()
  it("gives the median of the times, the least, the greatest, and the last result", function()
    local calls = 0
    local t = bench(function()
      calls = calls + 1
      local begin, wait = trace.clock(), 0.001 * (calls % 3 + 1)
      while trace.clock() - begin < wait do end
      return calls
    end)
    equal({calls, t.runs, t.result}, {5, 5, 5})
    assert(t.least >= 0.001 and t.median >= 0.002 and t.greatest >= 0.003)
    assert(t.least <= t.median and t.median <= t.greatest)
    local two = bench(function() end, 2)
    equal(two.median, 0.5 * (two.least + two.greatest))
    local x = buffer.new("u32", 1 << 20)
    fill(x, 1)
    local parts = bench(function()
      local y = buffer.new("u32", 1 << 20)
      for _ = 1, 5 do copy(x, y) end
    end, 3)
    assert(parts.kernels > 0 and parts.copies >= 0 and parts.allocation > 0 and parts.host >= 0)
    assert(parts.kernels + parts.copies + parts.allocation + parts.host >= parts.median * (1 - 1e-6))
    trace.off()
    local none = bench(function() copy(x, x:copy()) end, 1) -- with the trace off, kernels are not measured
    trace.on()
    equal(none.kernels, 0.0)
    local one = bench(function() return "x" end, 1)
    equal({one.result, one.median == one.least}, {"x", true})
  end)
  it("takes a function, and runs from 1 on", function()
    raises("bench: expected a function to call, as in bench(function() return scc(g) end), got 5", bench, 5)
    raises("bench: expected a number of runs from 1 to 1000, got 0", bench, print, 0)
    raises("bench: expected a number of runs from 1 to 1000, got 1.5", bench, print, 1.5)
    raises("bench: expected a number of runs from 1 to 1000, got 1001", bench, print, 1001)
  end)
end)

describe("fixpoint", function()
  it("runs a primitive until it returns 0", function()
    local left, calls = {5, 3, 0, 9}, 0
    equal({fixpoint(function(x) calls = calls + 1 equal(x, "x") return left[calls] end, "x")}, {8, 3})
  end)
  it("takes a loop where there is one", function()
    trace.reset()
    local s = state.scc(gen.path {n = 3000})
    local sum, passes = fixpoint(trim, s)
    equal(sum, 3000)
    assert(passes >= 2)
    equal(trace.last(1)[1].kernel, "trim")
    equal(trace.last(1)[1].iteration, passes)
  end)
  it("counts the same over several loops", function()
    local g = weighted(3)
    local s = state.sssp(g)
    s.dist[0] = 0
    local _, passes = relax_fix(s, {max_iterations = 3})
    equal(passes, 3)
  end)
end)
assert(NONE == 0xffffffff)
