-- Barnat, Bauch, Brim and Ceska 2011: figures 3 and 4, and the claims about the optimal cycle mean on a GPU. The command `paper 000`
-- runs it; `help paper 000` says what differs.
--
-- The paper's two templates: clients of three scenarios without a server, and with one that only one client at a time may hold.
-- From the model's text to the worst sustainable load: the state space, its greatest cycle mean (figures 3 and 4) and cycle ratio (cost
-- over time), the proofs. The paper's graphs have from 50 thousand vertices and 400 thousand edges to 2 million and 25 million; it has
-- times only in plots (measured on a GeForce GTX 480 and on one core of a Phenom II X4 940).
local p = ...
if type(p) ~= "table" then error("this script is run by the command: paper 000", 0) end
local patience, most = p.options.patience or p:pick(5, 5, 40), p.options.states or p:pick(2000, 300000, 2500000)
local fewest = p:pick(1, 1, 50000)
local RUNS = p:pick(1, 3, 10)
local common = dofile(p.scripts .. "/common.lua")

-- An action: what it is called, its cost (ms of the server's processor), its time (ms); 1: takes the document store,
-- 0: gives it back; "free": waits until nobody has it.
local scenarios = {
  typist = {{"type", 2, 40}, {"check", 9, 30}, {"save", 12, 20, 1}, {"saved", 3, 10, 0}},
  reviewer = {{"ask", 4, 10, 1}, {"fetch", 25, 40, 0}, {"read", 1, 150}},
  publisher = {{"lay_out", 30, 60}, {"render", 55, 80}, {"upload", 20, 60, "free"}},
}
local order = {"typist", "reviewer", "publisher"}

-- The text of a model with the given number of clients per scenario.
local function template(counts, server)
  local out = {"byte held;"}
  for _, name in ipairs(order) do
    local actions = scenarios[name]
    for i = 1, counts[name] do
      local states, steps = {}, {}
      for k, a in ipairs(actions) do
        states[k] = a[1]
        local held = server and a[4]
        steps[k] = ("%s -> %s { %scost %d; time %d; }"):format(a[1], actions[k % #actions + 1][1],
          held == 1 and "guard held == 0; effect held = 1; " or held == 0 and "effect held = 0; " or held and "guard held == 0; " or "", a[2], a[3])
      end
      out[#out + 1] = ("process %s_%d { state %s; init %s; trans %s; }"):format(name, i, table.concat(states, ", "), states[1], table.concat(steps, ", "))
    end
  end
  out[#out + 1] = "system async;"
  return table.concat(out, "\n")
end

local function load_text(text)
  local path = os.tmpname() .. ".dve"
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  local m = model.load(path)
  os.remove(path)
  os.remove(path:sub(1, -5))
  return m
end

local rate = {} -- by sequential algorithm: seconds / (n * m) of its last run
local function sequential(g, name, options)
  if rate[name] and rate[name] * g.n * g.m > patience then return nil end
  local r, seconds = common.time(reference[name], g, options or {max = true})
  if not options then rate[name] = seconds / (g.n * g.m) end
  return r, seconds
end

-- Clients of each scenario, in ascending order of the number of states.
local SIZES = {{2, 1, 1}, {3, 2, 1}, {4, 3, 1}, {4, 4, 1}, {5, 4, 1}, {5, 5, 1}, {6, 4, 1}, {5, 6, 1}, {7, 4, 1}, {8, 4, 1}, {8, 5, 1}}

local last, proved_all, gain = nil, 0, {}
local room = device().free
for figure, server in ipairs {false, true} do
  local names, n, m, explored, solved, checked, howard, yto, times, means, loads, cycles, size = {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}
  for _, of in ipairs(SIZES) do
    local counts = {typist = of[1], reviewer = of[2], publisher = of[3]}
    local states = 4 ^ of[1] * 3 ^ (of[2] + of[3])
    if states > most or states * (of[1] + of[2] + of[3]) * 100 > room then break end
    if states < fewest then goto next_size end
    local i = #names + 1
    names[i] = table.concat(of, "+")
    p:progress("figure %d: %s clients", figure + 2, names[i])
    local r, load
    r, explored[i] = common.time(explore, load_text(template(counts, server)))
    if not r.complete then error(("figure %d: the states of %s clients do not fit"):format(figure + 2, names[i]), 0) end
    n[i], m[i], size[i] = r.graph.n, r.graph.m, 1.0 * r.graph.n * r.graph.m
    local t = bench(function() return ocm(r.graph, {max = true}) end, RUNS)
    local mean = t.result
    solved[i] = t.median
    _, checked[i] = common.time(check, mean)
    load = ocr(r.graph, {max = true})
    check(load)
    proved_all = proved_all + 2
    local by_howard, by_yto
    by_howard, howard[i] = sequential(r.graph, "howard")
    by_yto, yto[i] = sequential(r.graph, "yto")
    for _, other in pairs {by_howard, by_yto} do assert(other.p * mean.q == mean.p * other.q, "the algorithms do not agree") end
    howard[i], yto[i] = howard[i] or false, yto[i] or false
    local least = math.min(howard[i] or math.huge, yto[i] or math.huge)
    times[i] = least < math.huge and least / solved[i]
    means[i], loads[i], cycles[i] = ("%d/%d"):format(mean.p, mean.q), ("%d/%d"):format(load.p, load.q), #mean.cycle
    last = {r, load}
    if times[i] then gain[#gain + 1] = {times[i], n[i]} end
    ::next_size::
  end
  if #names == 0 then error("the smallest model has more states than are allowed, or than there is memory for", 0) end
  local theirs = {}
  for i, x in ipairs(n) do theirs[i] = x >= 50000 and 5 or false end
  local function shown(y) -- a time, or that it would be longer than `patience`
    local out = {}
    for i, v in ipairs(y) do out[i] = v or ("over %g s"):format(patience) end
    return out
  end
  p:table {("Figure %d: %s a server; clients: typists + reviewers + publishers; ocm: median of %d"):format(figure + 2, server and "with" or "without", RUNS),
    unit = "s; theirs are plots", columns = names,
    {"vertices n", ours = n}, {"edges m", ours = m}, {"explore", ours = explored}, {"ocm, " .. device().name, ours = solved}, {"check", ours = checked},
    {"Howard, one core", ours = shown(howard)}, {"YTO, one core", ours = shown(yto)}, {"times as fast", theirs = theirs, ours = times}, {"greatest mean", ours = means},
    {"its cycle's edges", ours = cycles}, {"greatest load (cost over time)", ours = loads}}
  -- A line ends at the last size that was measured within `patience`.
  local function line(name, y)
    local xs, ys = {}, {}
    for i, v in ipairs(y) do
      if v then xs[#xs + 1], ys[#ys + 1] = size[i], v end
    end
    return {name = name, x = xs, y = ys}
  end
  p:figure {name = ("figure-%d"):format(figure + 2), title = ("Figure %d: the system %s a server"):format(figure + 2, server and "with" or "without"),
    xlabel = "n * m", ylabel = "seconds", log = "xy", points = #names == 1, line("ocm on " .. device().name, solved), line("Howard, one core", howard),
    line("YTO, one core", yto)}
end
print("\nThe worst sustainable load of the last one, and the cycle that proves it, with the states that it passes:\n")
print(last[2])
print(last[1]:actions(last[2]))

-- --- claims ---

local large, fivefold, best = 0, 0, 0
for _, x in ipairs(gain) do
  best = math.max(best, x[1])
  if x[2] >= 50000 then
    large = large + 1
    if x[1] >= 5 then fivefold = fivefold + 1 end
  end
end
local rarely = "on larger graphs a GPU rarely fails to be five times as fast as the better of sequential Howard and YTO"
if large == 0 then
  p:claim(rarely, nil, "no graph has 50000 vertices or more for which a sequential algorithm ran; at most %.2f times", best)
else
  p:claim_on_gpu(rarely, fivefold > large / 2, "five times or more on %d of %d graphs of 50000 vertices or more; at most %.2f times", fivefold, large, best)
end

-- The claims about parts of the algorithm, on a graph of many components.
local scale = p:pick(8, 12, 18)
local g = gen.rmat {scale = scale, degree = 8, seed = 1, weights = "i32", lo = 1, hi = 10000}
p:progress("the algorithm's parts: R-MAT of %d vertices, %d edges", g.n, g.m)
local function seconds_of(options) return bench(function() return ocm(g, options) end, RUNS).median end
-- The minimum over RUNS runs of the kernels' seconds, each multiplied by the weight of the kernel's name.
local function kernels(options, weights)
  local least = math.huge
  for _ = 1, RUNS do
    trace.reset()
    ocm(g, options)
    local sum = 0
    for _, x in ipairs(trace.last(65536)) do sum = sum + (weights[x.kernel] or 0) * x.time end
    least = math.min(least, sum)
  end
  return least
end
-- Half of the summaries are made for the elimination.
local summary = kernels({form = "layered"}, {policy_propagate = 1, policy_count_preds = 0.5})
local without = kernels({form = "layered", summary = false}, {policy_propagate = 1})
p:claim_on_gpu("the summary of predecessors (GpiPreprocess) makes the propagation of values five times as fast, itself included", without / summary >= 5,
  "%.2f times for the kernels policy_propagate and policy_count_preds, R-MAT of %d vertices", without / summary, g.n)
local together, bridged = seconds_of {form = "layered"}, seconds_of {form = "layered", components = "bridged"}
p:claim_on_gpu("decomposing into strongly connected components pays, compared with a Hamiltonian cycle that joins them", together < bridged,
  "%.2f times as fast, R-MAT of %d vertices", bridged / together, g.n)
local singly = seconds_of {form = "layered", components = "one by one"}
p:claim_on_gpu("all components at the same time are faster than one after the other", together < singly, "%.2f times as fast", singly / together)
local small = gen.rmat {scale = p:pick(6, 9, 11), degree = 8, seed = 1, weights = "i32", lo = 1, hi = 10000}
local howard, howard_s = sequential(small, "howard", {})
local lawler, lawler_s = sequential(small, "lawler", {})
local yto = sequential(small, "yto", {})

-- Section 2.4's sequential algorithms, and the graphs of section 4 on which the paper's GPU lost.
local size = p:pick(200, 2000, 8000)
local GRAPHS = {{"model, 3+2+1", explore(load_text(template({typist = 3, reviewer = 2, publisher = 1}, false))).graph, max = true}, {"R-MAT", small},
  {"road network", gen.road {size, seed = 1, lo = 1, hi = 9999}}, {"random graph", gen.uniform {n = size, m = 4 * size, seed = 1, weights = "i32", lo = 1, hi = 9999}}}
local REFERENCES = {"howard", "yto", "lawler", "karp", "hartmann_orlin"}
local columns, cells = {}, {n = {}, m = {}, mean = {}, best = {}, off = {}, ours = {}}
for i, x in ipairs(GRAPHS) do
  local g = x[2]
  p:progress("sequential algorithms: %s", x[1])
  columns[i], cells.n[i], cells.m[i] = x[1], g.n, g.m
  cells.ours[i] = bench(function() return ocm(g, {max = x.max}) end, RUNS).median
  for _, name in ipairs(REFERENCES) do
    local r, seconds = common.time(reference[name], g, {max = x.max})
    local of = cells[name] or {s = {}, iterations = {}}
    cells[name], of.s[i], of.iterations[i], cells.mean[i] = of, seconds, r.iterations or false, r.mean
  end
  local low, high = g.w:min(), g.w:max()
  cells.best[i] = x.max and high or low
  cells.off[i] = 100 * math.abs(cells.mean[i] - cells.best[i]) / (high - low)
end
local lines = {"Section 2.4: sequential algorithms on one core; section 4: graphs of other applications", unit = "s; iterations: of policies, moves in the tree, tested lambda",
  columns = columns, {"vertices n", ours = cells.n}, {"edges m", ours = cells.m}, {"optimal cycle mean", ours = cells.mean},
  {"least weight (model: greatest)", ours = cells.best},
  {"off it, % of the weights' range", ours = cells.off}, {"ocm, " .. device().name, ours = cells.ours}}
for k, name in ipairs(REFERENCES) do
  local title = ({"Howard", "YTO", "Lawler", "Karp", "Hartmann and Orlin"})[k]
  lines[#lines + 1] = {title, ours = cells[name].s}
  if k <= 3 then lines[#lines + 1] = {"  iterations", ours = cells[name].iterations} end
end
p:table(lines)
local function moves(i) return cells.yto.iterations[i] / cells.n[i] end
p:claim("on road networks and random graphs YTO performs only few iterations, since the optimal cycle mean is near the least weight", moves(3) < moves(1)/2 and moves(4) < moves(1)/2 and
  cells.off[3] < cells.off[1]/2 and cells.off[4] < cells.off[1]/2,
  "moves for each vertex: model %.2f, R-MAT %.2f, road network %.2f, random graph %.2f; the optimum is off the best weight by %.1f %% of the range of weights, %.1f, %.1f and %.1f %%",
  moves(1), moves(2), moves(3), moves(4), cells.off[1], cells.off[2], cells.off[3], cells.off[4])
local few = 0
for i in ipairs(GRAPHS) do few = math.max(few, cells.howard.iterations[i]) end
p:claim("Howard's algorithm performs only few passes, YTO too many iterations to be parallelised", few < 100 and cells.yto.iterations[1] > few,
  "Howard %d passes at most, YTO %d iterations on the model", few, cells.yto.iterations[1])
p:claim("Lawler's binary search is too slow to be of use, compared with Howard's algorithm", lawler_s > howard_s, "it takes %.1f times as long, R-MAT of %d vertices",
  lawler_s / howard_s, small.n)
p:claim("the algorithms find the same optimum", ocm(small).mean == howard.mean and howard.mean == lawler.mean and howard.mean == yto.mean,
  "Howard, Lawler and YTO on one core and ocm: all %s; and Howard and YTO in both figures, with %d proofs by check", ("%g"):format(howard.mean), proved_all)
do -- section 3.3
  local _, tarjan = common.time(reference.tarjan, g)
  local components = bench(function() return scc(g) end, RUNS).median
  p:claim_on_gpu("the decomposition into components on a GPU is faster than the optimal sequential algorithm", components < tarjan, "%.2f times as fast as Tarjan's, R-MAT of %d vertices",
    tarjan / components, g.n)
  local votes = kernels({form = "layered"}, {policy_vote = 1}) / together
  p:claim("voting for the least mean (algorithm 5) takes no significant time", votes < 0.1, "%.1f %% of the time", 100 * votes)
end
local wins, of_all = 0, {}
local n = p:pick(500, 5000, 200000)
for _, x in ipairs {{"road network", gen.road {n, seed = 1, lo = 1, hi = 9999}}, {"random graph", gen.uniform {n = n, m = 4 * n, seed = 1, weights = "i32", lo = 1, hi = 9999}}} do
  local _, alone = sequential(x[2], "yto", {})
  local ours = bench(function() return ocm(x[2]) end, RUNS).median
  if alone < ours then wins = wins + 1 end
  of_all[#of_all + 1] = ("%s %.2f times"):format(x[1], alone / ours)
end
p:claim_on_gpu("on road networks and random graphs the GPU never outperforms YTO", wins == 2, "times as fast as YTO for %d vertices: %s", n, table.concat(of_all, ", "))
