-- Optimal cycle mean and ratio by Howard's policy iteration: Barnat, Bauch, Brim, Češka 2011, Algorithm 3, in every
-- strongly connected component at once (their section 3.3). lua/cycles/policy.lua has the steps.
--
-- With integer weights all computations are in integers: lambda is p/q, fractions are compared by products of 128 bits, and values
-- are sums of q*w - p*t. The algorithm terminates, because there are finitely many policies and none occurs twice: an iteration
-- either finds a better cycle somewhere, or lowers values at the same lambda (a tie is no improvement).
-- If integer sums might overflow, the search uses floating-point sums (`steered`), and its result is then decided exactly in 128 bits.

local algorithm = import "base/algorithm"
local cycle = import "cycles/cycle"
local policy = import "cycles/policy"
local policy_ranks = import "cycles/policy_ranks"
local ranks = import "graph/partition"
local scc = import "scc/scc"

local PATIENCE = 50      -- with real weights: maximum number of iterations at the same lambda
local TOLERANCE = 1e-12  -- with real weights: relative to the greatest weight
local GREATEST, LEAST = 2.0 ^ 1023, 2.0 ^ -960 -- real weights: limits in `solve`, so that sums neither overflow nor underflow
local LIMIT = 2.0 ^ 61   -- integer weights: bound of a path's sum; beyond it the search uses floating-point sums

-- Upper bounds of |w| and of t. Weights of 32 bits without times are not read: their sums always fit.
local function extremes(g, ratio)
  local w, t = g.m > 0 and g.w, g.m > 0 and ratio and g.t
  local most_w, most_t = 1, 1
  if w and not t and g.weights == "i32" and 4.0 * g.n * 2 ^ 31 < LIMIT then return 2 ^ 31, 1 end
  -- all four reductions are submitted before the first wait
  local low, high = w and algorithm.reduced(w, 1), w and algorithm.reduced(w, 2)
  local first, last = t and algorithm.reduced(t, 1), t and algorithm.reduced(t, 2)
  if w and low[0] == math.mininteger then error(("%s: a weight is -2^63, whose negative does not fit 64 bits"):format(g.name), 0) end
  if w then most_w = math.max(math.abs(low[0] + 0.0), math.abs(high[0] + 0.0)) end
  if t then
    most_t = last[0] + 0.0
    local good, why = true, nil
    if first[0] <= 0 then good, why = pcall(reference.check_times, g) end -- a cycle with time 0 has no ratio
    if not good then error("ocr: " .. why, 0) end
  end
  return most_w, most_t
end

-- The same for the whole graph, of which each rank has a part g.
local function extremes_of_parts(g, ratio)
  local most_w, most_t = extremes(g, ratio)
  local both = buffer.new("f64", {most_w, most_t})
  all_reduce(both, 2)
  return both[0], both[1]
end

-- p and q of the best region's lambda (for a maximum, with negated weights), and the region's representative; nil if there is no cycle.
-- paper errs: 000, Algorithm 3, line 15: `return` without lambda, which is the output.
local function optimum(p)
  local s = p.state
  local best = s.optimum[0] - 1
  if best < 0 then return nil end
  return s.p[best], s.q[best], best
end

-- Only the choices are restored from a checkpoint. Everything else is computed from them; so the run terminates with a correct
-- result, whatever the file contains.
local TAKEN = {"policy"}

local function take_on(p, from, carried, problem)
  if carried.problem ~= problem then
    error(("ocm: %s is a checkpoint for the %s, expected one for the %s"):format(from, carried.problem, problem), 0)
  end
  local good, why = pcall(reference.check_choices, p.edges.off, p.state.policy)
  if not good then error(("ocm: %s: %s"):format(from, why), 0) end
  carried.since, carried.lambda = 0, nil
end

-- Policy iteration on p until nothing improves, from the initial policy or from a checkpoint. Returns false if an integer
-- sum overflowed.
local function iterate(p, from)
  local s, problem = p.state, ("%s %s"):format(p.sign > 0 and "least" or "greatest", p.edges.timed > 0 and "ratio" or "mean")
  local carried = {since = 0, problem = problem} -- the first cycle adds carried.lambda
  local fresh = not from and not p.ahead and policy.in_one_piece(p)
  -- s.bound is the least weight: a cycle with that mean is optimal, with potentials of 0. For ratios this bound does not
  -- hold, and a resumed run does not have it.
  if from or p.edges.timed > 0 or p.every then fill(s.bound, p.real and -math.huge or math.mininteger) end
  if not from and not fresh then policy.start(p, p.ahead) end
  for it in iterations(s, carried, from, TAKEN) do
    if from then
      take_on(p, from, carried, problem)
      from = nil
    end
    local most = session.awaited() and 1 or PATIENCE -- without stops and checkpoints, one launch on CUDA runs many iterations
    local improved, cycles, rounds = policy.iterate(p, most, fresh)
    fresh = false
    if cycles > 0 or not p.best then
      p.p, p.q, p.best = optimum(p)
      local now = p.best and p.sign * p.p / p.q
      carried.since = now == carried.lambda and carried.since + rounds or 0
      carried.lambda = now
    else
      carried.since = carried.since + rounds
    end
    it:mark{improved = improved, cycles = cycles, lambda = carried.lambda}
    if s.overflow[0] ~= 0 then return false end
    p.attained = s.attained[0] ~= 0
    if improved == 0 then return true end
    if p.real and carried.since >= PATIENCE then -- after the last improvement, choices may no longer form the best cycle
      policy.evaluate(p)
      p.p, p.q, p.best = optimum(p)
      return true
    end
  end
end

-- cycle_of for a graph of which each rank has a part: all ranks call it and follow the cycle.
local function cycle_of_parts(p, best)
  local root, list = p.state.root[best], {}
  local v = root
  repeat
    list[#list + 1] = v
    v = p.links.to[v]
  until v == root
  return policy_ranks.chosen_edges(p, list)
end

-- The cycle that attains lambda in the region `best`, as edges of the whole graph; nil if it contains a bridge, because then
-- the graph has no cycle.
local function cycle_of(p, best)
  local s, e, list = p.state, p.edges, {}
  local root = s.root[best]
  if device().processor == "cpu" and not p.bridged then return reference.round(s.policy, e.to, root, e.from) end
  local v = root
  repeat
    local chosen = s.policy[v]
    if p.bridged and chosen == e.off[v + 1] - 1 then return nil end -- the last edge of every row is a bridge
    list[#list + 1] = p.bridged and chosen - v or e.from and e.from[chosen] or chosen -- each row before row v has one bridge
    v = e.to[chosen]
  until v == root
  return buffer.new("u32", list)
end

-- Initial potentials for the proof, exact inside the regions. Nil if sums are real numbers, or if lambda is the least weight (then
-- potentials of 0 are a proof).
local function guess_of(p, best)
  if p.real or p.attained then return nil end
  local guess = buffer.new("i64", p.graph.n)
  policy_potential(p.state, {best = best, guess = guess})
  if p.sign > 0 then negate(guess) end
  return guess
end

-- The exact result for integer weights, from the cycle that policy iteration with floating-point sums has found. nil if the cycle is
-- not optimal, or if its ratio is not a fraction of 64-bit integers.
local function settled(g, r, p, best)
  r.cycle = ranks.part(p.graph) and cycle_of_parts(p, best) or cycle_of(p, best)
  local fits, a, b = pcall(reference.ratio, g, r.cycle, r.ratio)
  if not fits then return nil end
  r.p, r.q, r.mean = a, b, a / b / g.scale
  local good, d = pcall(reference.potentials, r)
  if not good then return nil end
  r.potential = d
  return r
end

local OPTIONS = {
  max = "flag", ratio = "flag", canonical = "flag", summary = "flag", from = "checkpoint", kind = {"f64"},
  form = {"doubling", "layered", "paths"}, components = {"one by one", "bridged"}, ahead = {least = 1, what = "a number of edges"},
}

-- Checks that the options, each of them valid, suit each other, the graph and the device. For a part of a graph, returns a value that
-- forbids checkpoints until it is closed.
local function check_options(name, g, options)
  if options.form == "paths" and not algorithm.on_cpu() then
    error(("%s: form = 'paths' is only for CPUs, the device is %s"):format(name, device().name), 3)
  end
  if options.components == "bridged" and (name == "ocr" or options.ratio) and g.t then
    error(("%s: components = 'bridged' is for means, not ratios: the edges that it adds have no times"):format(name), 3)
  end
  if ranks.part(g) and (options.from or options.components or options.form and options.form ~= "doubling") then
    error(("%s: the option %s does not support a part of a graph"):format(name, options.from and "'from'" or options.components and "'components'" or
      "form = '" .. options.form .. "'"), 3)
  end
  if options.components == "one by one" and options.from then
    error(("%s: components = 'one by one' does not support the option 'from' (a checkpoint)"):format(name), 3)
  end
  return (algorithm.part_saves_nothing(name, g, 3))
end

local solve

-- Is a/b < c/d, for b, d > 0? Compares continued fractions, because products might overflow 64 bits.
local function ratio_less(a, b, c, d)
  while true do
    local x, y = a // b, c // d
    if x ~= y then return x < y end
    a, c = a - x * b, c - y * d
    if a == 0 or c == 0 then return c ~= 0 end
    a, b, c, d = d, c, b, a
  end
end

-- Is the optimum x better than y? Both have p and q, or for real weights only means.
local function better(x, y, max)
  if max then x, y = y, x end
  if x.p then return ratio_less(x.p, x.q, y.p, y.q) end
  return x.mean < y.mean
end

-- Converts edge numbers of `part`, a subgraph of g, to edge numbers of g. vertices: the vertices of g that `part` has, in its order.
-- The edges of a row have the same order in both graphs.
local function in_whole(g, part, vertices, edges)
  local inside, list, seen = {}, {}, {}
  for _, v in ipairs(vertices) do inside[v] = true end
  for i = 0, #edges - 1 do seen[edges[i]] = i end
  for i, v in ipairs(vertices) do
    local e = part.off[i - 1]
    for k = g.off[v], g.off[v + 1] - 1 do
      if inside[g.to[k]] then
        if seen[e] then list[seen[e] + 1] = k end
        e = e + 1
      end
    end
  end
  return buffer.new("u32", list)
end

local function has_loop(g, v)
  for e = g.off[v], g.off[v + 1] - 1 do
    if g.to[e] == v then return true end
  end
  return false
end

-- Solves one component after the other, as in the paper before section 3.3: calls each(result, vertices) for those with a cycle.
local function each_component(g, options, variant, each)
  local r, members = scc(g), {}
  for v, id in pairs(r.id) do
    members[id] = members[id] or {}
    table.insert(members[id], v)
  end
  local part = algorithm.merged(options)
  part.components = nil
  for _, vertices in pairs(members) do
    local found = (vertices[2] or has_loop(g, vertices[1])) and solve(g:subgraph(vertices), part, variant)
    if found and found.mean then each(found, vertices) end
  end
end

-- Returns the best result and its component's vertices.
local function one_by_one(g, options, variant)
  local best, where = nil, nil
  each_component(g, options, variant, function(found, vertices)
    if not best or better(found, best, options.max) then best, where = found, vertices end
  end)
  return best, where
end

-- The entry of ocm.components for the result of one component.
local function entry_of(found, vertices)
  local g, least, edges = found.graph, math.huge, 0
  for i = 0, #found.cycle - 1 do
    local e = found.cycle[i]
    local t = found.ratio and g.t and g.t[e] or 1
    least, edges = math.min(least, g.to[e]), edges > math.maxinteger - t and edges + 0.0 + t or edges + t -- must not wrap
  end
  return {vertex = vertices[least + 1], mean = found.mean, p = found.p, q = found.q, edges = edges}
end

function solve(g, options, variant)
  variant = variant or algorithm.variant(policy.preferred)
  local part = ranks.part(g)
  local whole_graph = part and part.whole or g
  local r = {graph = whole_graph, max = options.max, ratio = options.ratio, canonical = options.canonical}
  if options.components == "one by one" then
    extremes(g, options.ratio) -- raises an error for a bad weight or time, also of edges between components
    local best, vertices = one_by_one(g, options, variant)
    if not best then return cycle.result(r, variant) end
    r.p, r.q, r.mean = best.p, best.q, best.mean
    r.found = function() return in_whole(g, best.graph, vertices, best.cycle) end
    return cycle.result(r, variant)
  end
  local most_w, most_t
  if part then
    most_w, most_t = ranks.on_host(extremes_of_parts, g, options.ratio)
  else
    most_w, most_t = extremes(g, options.ratio)
  end
  local whole = g.weights ~= "f32" and g.weights ~= "f64"
  local bridged = options.components == "bridged"
  local make, longest = bridged and policy.bridged or policy.new, bridged and 2.0 * g.n * g.n or 4.0 * g.n
  local steered = whole and (options.kind == "f64" or longest * most_w * most_t >= LIMIT)
  local function by_reference() return reference.howard(whole_graph, {max = options.max, ratio = options.ratio, canonical = options.canonical}) end
  if not whole and (longest * most_w * most_t >= GREATEST or most_w > 0 and most_w / longest / most_t < LEAST) then
    algorithm.note("ocm", "sums of such weights may overflow or underflow f64; the result is computed with 128 bits")
    return by_reference()
  end
  local function run(kind, from)
    local p = make(g, {max = options.max, ratio = not bridged and options.ratio or nil, kind = kind})
    p.variant, p.form, p.ahead, p.summary = variant, options.form or p.form, options.ahead, options.summary == false and 0 or 1
    p.real, p.every = kind == "f64" or not whole, options.every
    if p.real then p.state.slack[0] = TOLERANCE / 2 * most_w end
    return p, iterate(p, from)
  end
  local p, fits = run(steered and "f64" or nil, options.from)
  if not fits then
    algorithm.note("ocm", "a sum overflowed 62 bits; the search is repeated with real numbers, and its result settled with 128 bits")
    steered = true
    p = run("f64")
  end
  local a, b, best = p.p, p.q, p.best
  if not a or p.bridged and not cycle_of(p, best) then return cycle.result(r, variant) end
  if steered then
    local exact = settled(whole_graph, r, p, best)
    return exact and cycle.result(exact, variant) or by_reference()
  end
  r.mean = p.sign * a / b / g.scale
  if whole then r.p, r.q = p.sign * a, b end
  r.policy = p
  local found = part and cycle_of_parts(p, best)
  local region = whole and not part and p.state.region or nil
  r.found = function() return found or cycle_of(p, best), function() return guess_of(p, best) end, region end
  return cycle.result(r, variant)
end

-- Makes ocm.howard or ocr.howard; `ratio`: options that it adds.
local function howard(name, ratio)
  return function(g, options)
    algorithm.graph(name, g, true)
    options = algorithm.options(name, options, OPTIONS)
    local _part <close> = check_options(name, g, options)
    return solve(g, algorithm.merged(ratio, options))
  end
end

local ocm = {}

--- ocm.howard(g, options): the same as ocm(g, options).
ocm.howard = howard("ocm", {})

--- ocm(g, options): the least mean weight of a cycle, or with max = true the greatest, by policy iteration over all
--- components at once. Barnat et al. 2011, Algorithm 3. An edge without a weight weighs 1. The result r:
---   r.p, r.q      lambda = p/q in lowest terms, for whole weights (for scaled weights divide by g.scale)
---   r.mean        lambda as a number; for real weights with an error of at most 1e-12 times the greatest weight
---   r.cycle       u32: the edges of the critical cycle, the same in every run; computed on first access
---   r.potential   the proof: no edge has d(v) > d(u) + q*w - p (< if max). i64[n]; u64[2*n] if values
---                 need 128 bits; f64[n] for real weights
--- If there is no cycle, all of these are nil. r:show() prints it, check(r) proves it; r:dot(), r:actions(), r:critical(),
--- r:slack() and r:sensitivity(e) have further results (`?r` lists them). Options:
---   max = true                    the greatest mean
---   form = "layered"              how a policy is evaluated: one pass for each layer of its trees, as in the paper; "doubling": by
---                                 pointer doubling; "paths": by following every path once, only on a CPU. By default a
---                                 CPU uses "paths" and CUDA "doubling"
---   summary = false               "layered" without the paper's summary of predecessors
---   components = "one by one"     solves one after the other; "bridged": joins all by a Hamiltonian cycle (only for means)
---   ahead = 1                     how many edges the first choices look ahead (default 4)
---   canonical = false             r.cycle is the cycle that the search found: reading it does not compute r.potential
---   ratio = true                  weight divided by time, as in ocr
---   kind = "f64"                  searches with real sums even if integers would fit; the result is still exact
---   from = FILE                   resumes from a checkpoint
--- g may be a part of a graph (g:partition). r.variant names the form that ran. On a CPU a stepped run uses "doubling", and any
--- other run "paths"; to step through "paths", pass form = "paths". If reference.howard computed the result with 128-bit numbers, on
--- one core, r.variant is "reference.howard".
setmetatable(ocm, {__call = function(_, g, options) return ocm.howard(g, options) end})

--- ocm.components(g, options): every component's optimum, as a list of {vertex =, p =, q =, mean =, edges =}, the best
--- first. vertex is the smallest vertex of the component's best cycle, edges the number of its edges (ratio = true: its
--- time, a float if it does not fit 63 bits). Components without a cycle are not listed.
function ocm.components(g, options)
  algorithm.graph("ocm.components", g)
  options = algorithm.options("ocm.components", options, OPTIONS)
  check_options("ocm.components", g, options)
  local with = algorithm.merged(options)
  with.every, with.components = true, nil
  local r, list = solve(g, with), {}
  local p = r.policy
  if not p and not r.mean then return list end
  if p and (not p.real or g.weights == "f32" or g.weights == "f64") then
    local s = p.state
    for v = 0, g.n - 1 do
      if s.region[v] == v and s.root[v] ~= 0xffffffff then
        local a, b = p.sign * s.p[v], s.q[v]
        list[#list + 1] = {vertex = s.root[v], mean = a / b / g.scale, p = not p.real and a or nil, q = not p.real and b or nil,
                           edges = s.time[s.root[v]]}
      end
    end
  else -- the 128-bit result covers only the best component
    with.from = nil
    each_component(g, with, nil, function(found, vertices) list[#list + 1] = entry_of(found, vertices) end)
  end
  table.sort(list, function(x, y)
    if better(x, y, options.max) then return true end
    return not better(y, x, options.max) and x.vertex < y.vertex
  end)
  return list
end

local ocr = {}

--- ocr.howard(g, options): the same as ocr(g, options).
ocr.howard = howard("ocr", {ratio = true})

--- ocr(g, options): the least ratio of weight to time of a cycle. Options, result and r.variant are as in ocm. Times are g.t,
--- whole numbers from 0 on: the fifth word of an arc in a .gr file, or `time` of an action in gen.clients. Without
--- times every edge has time 1. A cycle whose time is 0 is an error that names it.
setmetatable(ocr, {__call = function(_, g, options) return ocr.howard(g, options) end})

return {ocm = ocm, ocr = ocr}
