-- Goto 2011, section 5: tables 2, 3 and 4. The command `paper 003` runs it; `help paper 003` says what differs from the paper.
--
-- The graphs are the paper's: arcs i -> i + 1, then an arc j -> i for each j + 1 < i with probability 1/2; weights "from a [0, 1]
-- normal distribution", here uniform in [0, 1); the indices are shuffled. A time is the median of three runs, after
-- a warm-up run.
local p, N = ...

local function paper_graph(n)
  math.randomseed(n)
  local name = {}
  for i = 1, n do name[i] = i - 1 end
  for i = n, 2, -1 do
    local j = math.random(i)
    name[i], name[j] = name[j], name[i]
  end
  -- Calls f(j, i) for each arc. 64 arcs are drawn at a time. All calls draw the same arcs, because they use the same seed.
  local function each_arc(f)
    math.randomseed(n, 1)
    for j = 1, n - 1 do
      f(j, j + 1)
      local bits, left = 0, 0
      for i = j + 2, n do
        if left == 0 then bits, left = math.random(0), 64 end
        if bits & 1 == 1 then f(j, i) end
        bits, left = bits >> 1, left - 1
      end
    end
  end
  local m = 0
  each_arc(function() m = m + 1 end)
  local from, to, w = buffer.new("u32", m), buffer.new("u32", m), buffer.new("f32", m)
  local e = 0
  each_arc(function(j, i)
    from[e], to[e] = name[j], name[i]
    e = e + 1
  end)
  for k = 0, m - 1 do w[k] = math.random() end
  return graph.from_edges(n, from, to, w)
end

-- Run by each rank for table 4 (case 2: one rank, case 3: two ranks): prints the milliseconds of a Kleene star by ranges of columns.
if p == "rank" then
  local g = paper_graph(math.tointeger(tonumber(N)))
  kleene(g, {form = "columns"})
  local t = bench(function() return kleene(g, {form = "columns"}) end, 3)
  print(("%.6f"):format(1e3 * t.median))
  return
end

if type(p) ~= "table" then error("this script is run by the command: paper 003", 0) end

local common = dofile(p.scripts .. "/common.lua")
local most = p.options.vertices or p:pick(60, 1000, 4000)
local SIZES = {}
for _, n in ipairs {500, 1000, 2000, 4000, 8000, 16000, 32000} do
  if n <= most then SIZES[#SIZES + 1] = n end
end
if #SIZES == 0 then SIZES = most >= 4 and {most // 2, most} or {most} end
local UPDATES = 8000 -- maximum number of vertices for form = "updates", the paper's method
local ONE_CORE = 4000 -- maximum number of vertices on one core and on ranks
local on_gpu = device().processor == "cuda"
local here = device().name

-- Milliseconds from the first launch to the end of the last, and by row; the median of three runs.
local function timed(f)
  local runs = {}
  for round = 1, 4 do
    trace.reset()
    f()
    if round > 1 then runs[#runs + 1] = common.kernels() end
  end
  table.sort(runs, function(a, b) return a.ms < b.ms end)
  return runs[2]
end

local function of(rows, ...)
  local sum = 0
  for _, name in ipairs {...} do sum = sum + (rows[name] or 0) end
  return sum
end

local ORDER = {"order_start", "order_level", "order_fix", "order_keys", "bits_edges", "warshall_pivots", "warshall_table", "warshall_rest", "warshall",
  "warshall_turn", "warshall_narrow", "descendant_counts", "descendant_keys", "order_vertices", "radix_sort", "order_list"}
local MATRIX = {"fill", "numbers", "matrix_edges", "matrix_permute"}

-- A row's values for SIZES: theirs are those of 500, 1000, 2000, 4000.
local function paired(name, theirs, ours)
  local by_n, cells = {[500] = 1, [1000] = 2, [2000] = 3, [4000] = 4}, {}
  for i, n in ipairs(SIZES) do cells[i] = theirs and theirs[by_n[n]] or false end
  return {name, theirs = cells, ours = ours}
end

local columns, graphs = {}, {}
for i, n in ipairs(SIZES) do
  p:progress("a graph of %d vertices", n)
  columns[i] = ("n = %d"):format(n)
  graphs[i] = paper_graph(n)
  graphs[i]:reverse()
end
local function for_sizes(limit, f)
  local out = {}
  for i, n in ipairs(SIZES) do out[i] = n <= limit and f(graphs[i], n, i) or false end
  return out
end

-- --- table 2 ---

device "cpu:1"
local one = for_sizes(ONE_CORE, function(g, n)
  p:progress("table 2: one core, n = %d", n)
  local X = matrix.of(g, {semiring = "max-plus"})
  local convert = 1e3 * bench(function() return matrix.graph(X, {semiring = "max-plus"}) end, 3).median
  X:close()
  local t = timed(function() kleene(g, {form = "updates"}) end)
  local x = {convert = convert, sort = of(t.rows, table.unpack(ORDER)), initialize = of(t.rows, table.unpack(MATRIX)),
    update = of(t.rows, "kleene_update")}
  x.total = x.convert + x.sort + x.initialize + x.update
  return x
end)
local function part(name) return for_sizes(ONE_CORE, function(_, _, i) return one[i][name] end) end
p:table {"Table 2: one core of a CPU", unit = "ms", columns = columns,
  paired("Arcs m", {62496, 250014, 1001134, 4001435}, for_sizes(math.huge, function(g) return g.m end)),
  paired("Convert CCS", {2.0, 16.0, 83.2, 653.3}, part "convert"),
  paired("Topological sort", {0.4, 1.6, 5.8, 23.2}, part "sort"),
  paired("Initialize W", {0.6, 1.6, 6.6, 26.4}, part "initialize"),
  paired("Update W", {123.0, 1117.4, 9136.3, 72934.2}, part "update"),
  paired("Total", {126.0, 1136.6, 9231.9, 73637.1}, part "total")}
local CORES = math.min(#SIZES, SIZES[#SIZES] > ONE_CORE and 4 or #SIZES)
local largest = one[CORES]
p:claim("updating W is the bottleneck of the CPU (table 2)", largest.update > largest.total / 2, "%.0f %% of the time for n = %d; theirs 98 to 99 %%",
  100 * largest.update / largest.total, SIZES[CORES])
if CORES > 1 then
  local times = largest.update / one[CORES - 1].update
  p:claim("the update takes eight times as long for twice the vertices", times > 6 and times < 10, "%.1f times from n = %d to %d; theirs 8.0 from 2000 to 4000",
    times, SIZES[CORES - 1], SIZES[CORES])
end
device(here)

-- --- table 3 ---

local SHAPES = {{16, 32}, {32, 16}, {64, 8}, {128, 4}, {256, 2}, {512, 1}}
local last = graphs[CORES]
local names, update, least, greatest = {}, {}, math.huge, 0
for i, shape in ipairs(SHAPES) do
  p:progress("table 3: blocks of %d x %d threads, n = %d", shape[1], shape[2], last.n)
  names[i] = ("%d x %d"):format(shape[1], shape[2])
  update[i] = of(timed(function() kleene(last, {form = "updates", columns = shape[1], rows = shape[2]}) end).rows, "kleene_update")
  least, greatest = math.min(least, update[i]), math.max(greatest, update[i])
end
p:table {("Table 3: the update with blocks of B x C threads; theirs n = 4000, ours n = %d"):format(last.n), unit = "ms", columns = names,
  comparable = last.n == 4000, {"(b), GTS 250", theirs = {3981, 3788, 3771, 3796, 3795, 3793}, ours = update},
  {"(c), NVS 420", theirs = {62440, 60678, 61027, 61740, 61831, 62186}, ours = update}}
local spread = greatest / least
if on_gpu then
  p:claim("the shape of a block hardly matters; B = 32 or 64 will do (table 3)", spread < 1.1, "the slowest takes %.2f times as long as the fastest; theirs 1.06 and 1.03",
    spread)
else
  p:claim("the shape of a block hardly matters; B = 32 or 64 will do (table 3)", nil, "a CPU has no blocks of threads")
end

-- --- table 4 ---

local fast, differ = {}, 0
local case1 = for_sizes(UPDATES, function(g, n, i)
  p:progress("table 4: case 1, n = %d", n)
  local t = timed(function() kleene(g, {form = "updates"}) end).ms
  if n <= ONE_CORE then differ = differ + kleene(g, {form = "updates"}).matrix:diff(reference.kleene(g)) end
  return t
end)
-- The two cases with ranks: one rank, then two. On a CPU a rank has half of the threads in both cases.
local threads = math.max(1, (device.list()[1].threads or 2) // 2)
local function by_ranks(count)
  return for_sizes(ONE_CORE, function(_, n)
    p:progress("table 4: %d rank%s, n = %d", count, count > 1 and "s" or "", n)
    local function quoted(s) return "'" .. s:gsub("'", "'\\''") .. "'" end
    local pipe = assert(io.popen(("OMP_NUM_THREADS=%d %s --backend %s --ranks %d %s rank %d"):format(threads, quoted(p.program),
      on_gpu and "cuda" or "cpu", count, quoted(p.scripts .. "/goto-2011.lua"), n)))
    local text = pipe:read "a"
    local good = pipe:close()
    return good and tonumber(text) or error(("table 4: %d ranks with n = %d failed: %s"):format(count, n, text), 0)
  end)
end
local case2, case3 = by_ranks(1), by_ranks(2)
local blocked = for_sizes(math.huge, function(g, n, i)
  p:progress("the blocked form, n = %d", n)
  fast[i] = timed(function() kleene(g, {form = "blocked"}) end)
  return fast[i].ms
end)
local function effect(case) return for_sizes(ONE_CORE, function(_, _, i) return one[i].total / case[i] end) end
local effect1, effect2, effect3 = effect(case1), effect(case2), effect(case3)
p:table {("Table 4: the Kleene star; case 1: %s, cases 2 and 3: one and two ranks%s"):format(here, on_gpu and "" or (" of %d thread%s"):format(threads,
    threads > 1 and "s" or "")), unit = "ms; Effect: times as fast as table 2", columns = columns,
  paired("1", {32.3, 124.8, 649.8, 4509.3}, case1), paired("  Effect", {3.90, 9.11, 14.21, 16.33}, effect1),
  paired("2", {156.1, 1023.5, 8068.8, 61763.3}, case2), paired("  Effect", {0.81, 1.11, 1.14, 1.19}, effect2),
  paired("3", {168.7, 630.4, 3978.7, 32286.8}, case3), paired("  Effect", {0.75, 1.80, 2.32, 2.28}, effect3),
  paired("blocked form, 1", {32.3, 124.8, 649.8, 4509.3}, blocked)}
local lines = {}
for i = 1, CORES do lines[i] = SIZES[i] end
p:figure {name = "table-4", title = "Kleene star: times as fast as one core (table 4)", xlabel = "n", ylabel = "effect", points = #lines == 1,
  {name = "case 1, theirs", x = {500, 1000, 2000, 4000}, y = {3.90, 9.11, 14.21, 16.33}},
  {name = "case 1, ours", x = lines, y = table.move(effect1, 1, CORES, 1, {})},
  {name = "case 3, theirs", x = {500, 1000, 2000, 4000}, y = {0.75, 1.80, 2.32, 2.28}},
  {name = "case 3, ours", x = lines, y = table.move(effect3, 1, CORES, 1, {})}}

local top = effect1[CORES]
local fast_enough -- nil: no GPU
if on_gpu then fast_enough = top > 16 end
p:claim("a GPU is more than 16 times as fast as a core of a CPU", fast_enough, on_gpu and "%.1f times for n = %d; theirs 16.3 for 4000" or
  "no GPU; all threads of this CPU are %.1f times as fast as one for n = %d", top, SIZES[CORES])
local rising = true
for i = 2, CORES do rising = rising and effect1[i] > effect1[i - 1] end
if on_gpu and CORES > 1 then
  p:claim("the effect of case 1 rises with n", rising, "%.1f for n = %d, %.1f for n = %d; theirs 3.9 to 16.3", effect1[1], SIZES[1], top, SIZES[CORES])
else
  p:claim("the effect of case 1 rises with n", nil, on_gpu and "only one size was run" or "no GPU")
end
local gain = case2[CORES] / case3[CORES]
local gpus = 0
for _, d in ipairs(device.list()) do gpus = gpus + (d.processor == "cuda" and 1 or 0) end
local shared = on_gpu and gpus < 2 or not on_gpu and device.list()[1].threads < 2
local holds -- nil: not measured
if not shared then holds = gain > 1.5 end
p:claim("two devices that divide the columns are almost twice as fast as one (cases 2 and 3)", holds,
  shared and "two ranks share one device: %.2f times for n = %d" or "%.2f times for n = %d; theirs 1.91 for 4000, 0.93 for 500", gain, SIZES[CORES])
p:claim("the results equal those of the CPU exactly", differ == 0, "%d elements differ from one core's, of all matrices up to n = %d", differ, SIZES[CORES])

-- --- not in the paper ---

local limit = device.limits().minplus_f32
local function of_blocked(f) return for_sizes(math.huge, function(_, n, i) return f(fast[i], n) end) end
local function least_of(n) return 1e3 * n ^ 3 / 6 / limit end
local function closing(t) return of(t.rows, "close_diagonal", "close_upper") end
p:table {("The blocked form, by parts; the limit is that of n^3/6 updates, %.3g a second"):format(limit), unit = "ms", columns = columns,
  {"order", ours = of_blocked(function(t) return of(t.rows, table.unpack(ORDER)) end)},
  {"matrix", ours = of_blocked(function(t) return of(t.rows, table.unpack(MATRIX)) end)},
  {"closing", ours = of_blocked(closing)}, {"limit of closing", ours = of_blocked(function(_, n) return least_of(n) end)},
  {"closing, % of limit", ours = of_blocked(function(t, n) return 100 * least_of(n) / closing(t) end)}}
