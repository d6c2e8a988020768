--- The tables and figures of Okuyama 2013, chapter 5: interpreter (IS), translator (TS). The command `paper 004` runs it; its option
--- steps is the number of Euler steps that are measured, cells the length of the longest line (in the thesis 100000 and 5000).
---
--- "Theirs" is a Tesla C2070, or one core of a Core i7 930 (CPU-1) if the present device is a CPU. Times are seconds for 100,000 Euler
--- steps of 0.01 ms, without output; where steps is less, what was measured is multiplied. The thesis' models Wang, Rybak and Mix are
--- not here. Its adder functions take no pulse, so that its lines have a function less; and here the phase of the states has a
--- thread more, which advances time. Figure 5.12 has each kernel launched by itself, as the thesis has them: in a loop on CUDA all
--- rows have blocks of one size, and a CPU has no blocks. Its last kernel, which copies the new states, is not here: two buffers
--- change places.
local p = ...
if type(p) ~= "table" then error("this script is run by the command: paper 004", 0) end
local steps, most = p.options.steps or p:pick(100, 1000, 100000), p.options.cells or p:pick(100, 100, 5000)
local ALL = 100000
local DT = 0.01
local on_gpu = device().processor ~= "cpu"
trace.off()

local models = {{"Luo-Rudy", function() return model.load(model.sample "luo-rudy-1991") end},
  {"LR-Ring", function() return model.line {cells = 80, ring = true} end}}
for _, n in ipairs {100, 1000, 2000, 3000, 4000, 5000} do
  if n <= most then models[#models + 1] = {"LR-" .. n, function() return model.line {cells = n} end} end
end
local names, made, loaded = {}, {}, {}
for i, m in ipairs(models) do
  p:progress("chapter 5: loading %s", m[1])
  local begun = trace.clock()
  names[i], made[m[1]] = m[1], m[2]()
  loaded[i] = trace.clock() - begun
end

-- Prints a table with a column for each model. A row is {name, theirs, f, k}: theirs are values by the model's name, or lists of which
-- the k-th is taken; f(m, name, i) is ours.
local function by_model(title, unit, rows, only)
  local columns, t = only or names, {title, unit = unit}
  t.columns = columns
  for r, x in ipairs(rows) do
    local out = {x[1], theirs = {}, ours = {}}
    for i, name in ipairs(columns) do
      local of = x[2] and x[2][name]
      if type(of) == "table" then of = of[x[4]] end
      out.theirs[i], out.ours[i] = of or false, made[name] and x[3](made[name], name, i) or false
    end
    t[r + 1] = out
  end
  p:table(t)
end

-- Seconds for 100,000 steps, extrapolated from `steps` of them. The time of a run with one step is subtracted before.
local function seconds(m, how, compiled)
  local b = compiled or m:bytecode(how)
  local o = {start = 0, intervals = 1, dt = DT, method = "euler", columns = {0}}
  local function timed(number)
    o.stop = number * DT
    local begun = trace.clock()
    local first = b:run(o).columns[1][1]
    return trace.clock() - begun, first
  end
  timed(10) -- the first run, which allocates and compiles
  local start = timed(1)
  local took, first = timed(steps)
  return (took - start) * ALL / (steps - 1), b, first
end


by_model("Table 5.1: functions and states", nil, {
  {"functions", {["Luo-Rudy"] = 31, ["LR-Ring"] = 2647, ["LR-100"] = 3298, ["LR-1000"] = 32998}, function(m) return m.functions end},
  {"states (ODEs)", {["Luo-Rudy"] = 8, ["LR-Ring"] = 640, ["LR-100"] = 800, ["LR-1000"] = 8000}, function(m) return m.states end},
  {"loaded in s", nil, function(_, _, i) return loaded[i] end}})

-- Phase by phase, as "22>3>8".
local function of_phases(b, what)
  local out = {}
  for p = 0, b.phases do out[p + 1] = ("%d"):format(b.code:count(p)[what]) end
  return table.concat(out, ">")
end

local function kinds(how, what)
  return function(m) return of_phases(m:bytecode(how), what) end
end
by_model("Table 5.6: bytecodes of each phase before they are unified (threads)", nil, {{"threads", {["Luo-Rudy"] = "22>3>8", ["LR-Ring"] = "1924>322>1>640",
  ["LR-100"] = "2399>399>800", ["LR-1000"] = "23999>3999>8000"}, kinds({base = true, merge = true}, "threads")}})
by_model("Table 5.7: different sequences of operators", nil, {
  {"Base", {["Luo-Rudy"] = "14>6>2>1>3", ["LR-Ring"] = "16>9>2>1>4", ["LR-100"] = "15>7>1>1>3", ["LR-1000"] = "15>7>1>1>3"}, kinds({base = true}, "kinds")},
  {"Merge", {["Luo-Rudy"] = "16>3>3", ["LR-Ring"] = "19>6>1>4", ["LR-100"] = "18>4>3", ["LR-1000"] = "18>4>3"}, kinds({base = true, merge = true}, "kinds")}})
local fewer = 0
for _, name in ipairs(names) do
  local saved = made[name]:bytecode {base = true}.phases - made[name]:bytecode {base = true, merge = true}.phases
  if saved >= 1 and saved <= 2 then fewer = fewer + 1 end
end
p:claim("merging saves one or two phases", fewer == #names, "in %d of %d models", fewer, #names)

local kilobytes = {["Luo-Rudy"] = {3.05, 2.38}, ["LR-Ring"] = {12.9, 77.0}, ["LR-100"] = {14.6, 96.4}, ["LR-1000"] = {123, 851}}
by_model("Table 5.3: memory of the interpreter", "KB", {
  {"bytecodes", kilobytes, function(m) return 8e-3 * m:bytecode {unify = "warp"}.words end, 1},
  {"tables of operands", kilobytes, function(m)
    local b = m:bytecode {unify = "warp"}
    return 8e-3 * b.constants + 4e-3 * b.operands
  end, 2},
  {"variables", nil, function(m) return 2 * 8e-3 * m:bytecode {unify = "warp"}.vars end}})

-- --- table 5.8, and the compiled models that others use ---

local round, compiled, compilation, interpreted, translated, base = 0, {}, {}, {}, {}, {}
local function compile_time(m, how)
  local b = m:bytecode(how)
  round = round + 1
  local begun = trace.clock()
  b:compile {name = ("okuyama_%d_%d"):format(os.time() % 1000000, round)} -- names that no cache has
  return trace.clock() - begun, b
end
for i, name in ipairs(names) do
  p:progress("table 5.8: compiling %s", name)
  base[i] = made[name].states <= 8 and compile_time(made[name], {base = true}) or false -- more takes minutes and more
  compilation[i], compiled[i] = compile_time(made[name])
end
local COMPILE = on_gpu and {["Luo-Rudy"] = {3.2, 2.6}, ["LR-Ring"] = {630, 2.8}, ["LR-100"] = {1100, 2.7}, ["LR-1000"] = {"none", 2.7}} or
  {["Luo-Rudy"] = {0.49, 0.13}, ["LR-Ring"] = {28, 250}, ["LR-100"] = {49, 27}, ["LR-1000"] = {16000, 27}}
by_model("Table 5.8: seconds that the compiler takes; Export: tables are arguments", "s", {{"Base", COMPILE, function(_, _, i) return base[i] end, 1},
  {"Export", COMPILE, function(_, _, i) return compilation[i] end, 2}})

-- --- tables 5.4 and 5.5, figure 5.11 ---

-- CPU-1 and GPU, by interpreter and translator.
local TIMES = {["Luo-Rudy"] = {1.03, 7.04, 0.169, 6.88}, ["LR-Ring"] = {71.9, 8.10, 4.86, 8.14}, ["LR-100"] = {90.4, 7.45, 6.08, 7.57},
  ["LR-1000"] = {1570, 18.2, 64.2, 11.4}, ["LR-2000"] = {3390, 33.8, 134, 20.0}, ["LR-3000"] = {5250, 50.2, 204, 26.4},
  ["LR-4000"] = {7120, 66.8, 279, 30.8}, ["LR-5000"] = {8990, 83.6, 355, 35.4}}
local BANDWIDTH = {["Luo-Rudy"] = {0.20, 0.030, 1.3, 0.031}, ["LR-Ring"] = {0.24, 2.1, 3.5, 2.1}, ["LR-100"] = {0.23, 2.8, 3.5, 2.8}, ["LR-1000"] = {0.14, 12, 3.3, 19},
  ["LR-5000"] = {0.12, 13, 3.0, 30}}
local moved, by_phase, translation = {}, {}, {}
for i, name in ipairs(names) do
  p:progress("table 5.4: %s", name)
  local b
  interpreted[i], b = seconds(made[name], {unify = "warp"})
  by_phase[i] = seconds(made[name], {unify = "phase"})
  translated[i] = seconds(made[name], nil, compiled[i])
  moved[i] = 0
  for phase = 0, b.phases do moved[i] = moved[i] + 2 * 8 * b.code:count(phase).instructions end
  local begun = trace.clock()
  made[name]:bytecode():translate()
  translation[i] = trace.clock() - begun
end
by_model("Table 5.4: seconds of 100,000 steps without output", "s", {{"IS", TIMES, function(_, _, i) return interpreted[i] end, on_gpu and 2 or 1},
  {"IS, unified per phase", nil, function(_, _, i) return by_phase[i] end}, {"TS", TIMES, function(_, _, i) return translated[i] end, on_gpu and 4 or 3}})
by_model("Table 5.5: bandwidth by pushes and pops", "GB/s", {
  {"IS", BANDWIDTH, function(_, _, i) return moved[i] * ALL / interpreted[i] * 1e-9 end, on_gpu and 2 or 1},
  {"TS", BANDWIDTH, function(_, _, i) return moved[i] * ALL / translated[i] * 1e-9 end, on_gpu and 4 or 3}})
local least, greatest = math.huge, 0
for i in ipairs(names) do least, greatest = math.min(least, interpreted[i] / translated[i]), math.max(greatest, interpreted[i] / translated[i]) end
if on_gpu then
  p:claim("on a GPU TS is up to 2.4 times as fast as IS", greatest >= 2.4, "%.2f to %.2f times", least, greatest)
else
  p:claim("on a CPU TS is 6.1 to 26 times as fast as IS", least >= 6.1, "%.2f to %.2f times; theirs one thread, ours all", least, greatest)
end
by_model("Figure 5.11: seconds of the translator", "s", {{"translation", {["LR-5000"] = 290}, function(_, _, i) return translation[i] end},
  {"compilation", nil, function(_, _, i) return compilation[i] end}, {"simulation", TIMES, function(_, _, i) return translated[i] end, on_gpu and 4 or 3}})
local cells, parts = {}, {translation = {}, compilation = {}, simulation = {}}
for i, name in ipairs(names) do
  local n = math.tointeger(tonumber(name:match "^LR%-(%d+)$"))
  if n then
    local k = #cells + 1
    cells[k], parts.translation[k], parts.compilation[k], parts.simulation[k] = n, translation[i], compilation[i], translated[i]
  end
end
p:figure {name = "figure-5.11", title = "Figure 5.11: seconds of the translator, lines of cells", xlabel = "cells", ylabel = "seconds", log = "xy", points = #cells == 1,
  {name = "translation", x = cells, y = parts.translation}, {name = "compilation", x = cells, y = parts.compilation},
  {name = "simulation", x = cells, y = parts.simulation}}

-- --- table 5.2 ---

-- What is done once, and what each step costs, are measured apart.
local function with_output(m, engine)
  local made_by_os = os.tmpname()
  local file = made_by_os .. ".csv" -- a table's format is known by its file's name
  local begun = trace.clock()
  local b = m:bytecode()
  if engine == "translator" then b:compile() end
  local ready = trace.clock()
  simulate(m, {stop = steps // 100 * 100 * DT, dt = DT, every = 100 * DT, method = "euler", engine = engine, bytecode = b}):save(file)
  os.remove(file)
  os.remove(made_by_os)
  return ready - begun + (trace.clock() - ready) * ALL / (steps // 100 * 100)
end

local OUTPUTS = on_gpu and {["Luo-Rudy"] = {13.5, 9.25}, ["LR-Ring"] = {19.5, 12.3}, ["LR-100"] = {21.4, 12.5}} or
  {["Luo-Rudy"] = {1.14, 0.324}, ["LR-Ring"] = {73.0, 252}, ["LR-100"] = {92.0, 34.5}}
p:progress "table 5.2"
by_model("Table 5.2: seconds of 100,000 steps with output every 100 steps, from the model to the file", "s", {
  {"IS", OUTPUTS, function(m) return with_output(m, "bytecode") end, 1}, {"TS", OUTPUTS, function(m) return with_output(m, "translator") end, 2}},
  {"Luo-Rudy", "LR-Ring", "LR-100"})

-- --- figure 5.10 ---

local WAYS = {{"Base"}, {"Reorder", reorder = true}, {"Remap", remap = true}, {"Redundant", redundant = true}, {"Unify", unify = "warp"},
  {"Merge", merge = true}, {"Sum", sum = true}, {"(per phase)", unify = "phase"}, {"(fold)", fold = true}}
local counted = {} -- counted[model][optimisation]: seconds, and the counters of warps
for _, name in ipairs {"Luo-Rudy", "LR-Ring", "LR-1000"} do
  if made[name] then
    p:progress("figure 5.10: %s", name)
    local how, ways, rows = {base = true}, {}, {{"seconds", ours = {}}, {"divergent of steps, %", ours = {}}, {"requests for memory", ours = {}}, {"sectors of 32 bytes", ours = {}}}
    counted[name] = {}
    for i, way in ipairs(WAYS) do
      for key, value in pairs(way) do if key ~= 1 then how[key] = value end end
      local options = {}
      for key, value in pairs(how) do options[key] = value end
      local time, b = seconds(made[name], options)
      local counters = b:counters()
      local all = counters[#counters]
      ways[i], rows[1].ours[i], rows[2].ours[i], rows[3].ours[i], rows[4].ours[i] = way[1], time, 100 * all.divergent / all.steps, all.requests, all.sectors
      counted[name][way[1]] = {seconds = time, divergent = 100 * all.divergent / all.steps, requests = all.requests}
    end
    p:table {("Figure 5.10: %s, 100,000 steps with one more optimisation each; theirs is a picture"):format(name), columns = ways, table.unpack(rows)}
    local order = {}
    for i = 1, #ways do order[i] = i end
    p:figure {name = "figure-5.10-" .. name, title = ("Figure 5.10: %s"):format(name), xlabel = "optimisations, in the order of the table",
      ylabel = "seconds", {name = name, x = order, y = rows[1].ours}}
  end
end
local x = counted["Luo-Rudy"]
p:claim("redundant threads reduce divergence, from 13 % to 0.2 % for Luo-Rudy", x.Redundant.divergent < 1 and x.Redundant.divergent < x.Remap.divergent, "from %.1f %% to %.1f %%",
  x.Remap.divergent, x.Redundant.divergent)
x = counted["LR-1000"]
if x then
  p:claim("Unify reduces the requests for memory, by 61 % for LR-1000", x.Unify.requests < x.Redundant.requests, "by %.0f %%",
    100 * (1 - x.Unify.requests / x.Redundant.requests))
else
  p:claim("Unify reduces the requests for memory, by 61 % for LR-1000", nil, "LR-1000 is not run in this size")
end
x = counted["LR-Ring"]
if on_gpu then
  p:claim("parallel sums take about 60 % off the time of LR-Ring", x.Sum.seconds < 0.5 * x.Merge.seconds, "%.0f %%", 100 * (1 - x.Sum.seconds / x.Merge.seconds))
else
  p:claim("parallel sums take about 60 % off the time of LR-Ring", nil, "no GPU; on %s %.0f %%", device().name, 100 * (1 - x.Sum.seconds / x.Merge.seconds))
end

-- --- table 5.9 ---

-- The relative error of one course against another, in the Euclidean norm.
local function error_of(got, want)
  local off, all = 0, 0
  for i = 0, #want - 1 do
    off = off + (got[i] - want[i])^2
    all = all + want[i]^2
  end
  return math.sqrt(off / all)
end

local wants, worst = {}, 0
local function course_error(engine)
  return function(m, name, i)
    if m.states > 8000 then return false end
    local variable = name == "Luo-Rudy" and "V" or "c1.V"
    local function course(by)
      return simulate(m, {start = 15, stop = 25, dt = DT, every = 0.1, method = "euler", variables = {variable}, engine = by,
        bytecode = by == "translator" and compiled[i] or nil})[variable]
    end
    wants[name] = wants[name] or course "reference"
    local off = error_of(course(engine), wants[name])
    worst = math.max(worst, off)
    return off
  end
end
p:progress "table 5.9"
by_model("Table 5.9: relative root mean square errors of V after 1000 steps, against the reference on a CPU", nil, {
  {"IS", {["Luo-Rudy"] = 0.0, ["LR-Ring"] = 0.0, ["LR-100"] = 9.3e-20, ["LR-1000"] = 4.1e-20}, course_error "bytecode"}, {"TS", nil, course_error "translator"}})
p:claim("the errors are sufficiently small", worst < 1e-12, "%.2g at most", worst)

-- --- figure 5.12 ---

local CALLS, CHOSEN = 100, {160, 96, 32, 128} -- of LR-5000: phases 1 to 3, states
-- The medians of the kernels' times, with `threads` threads per block (nil: the program's own number).
local function kernel_times(m, threads)
  local b = m:bytecode()
  local name = ("okuyama_%d_of_%d"):format(os.time() % 1000000, threads or 0)
  local files, x, x_next, calls, medians = b:translate {name = name}, nil, nil, {}, {}
  x, x_next = b:start()
  for p = 1, b.phases + 1 do
    local row_name = p <= b.phases and ("%s_%d"):format(name, p) or name .. "_states_euler"
    local text = files[row_name .. ".h"]
    if threads then -- after the line of ARGS: at least as many resident blocks as leave 64 registers per thread
      text = text:gsub("\nARGS(%b())\n", function(args)
        return ("\nARGS%s\nSHAPE(%s, %d, %d)\n"):format(args, row_name, threads, math.max(1, math.min(32, 1024 // threads)))
      end)
    end
    kernel(text .. "\n" .. files[name .. ".def"]:match("PRIM%(" .. row_name .. ",.-\n.-\n"))
    if kernel.bounds() == "own" then kernel.bounds(row_name, "off") end
    calls[p] = row_name
  end
  local args = bundle {x = x, x_next = x_next, dt = buffer.new("f64", {DT})}
  for key, value in pairs(b) do
    if args[key] == nil then args[key] = value end
  end
  trace.on()
  for p, row_name in ipairs(calls) do
    for _ = 1, 10 do prim[row_name](args) end -- first calls copy
    stats "reset"
    for _ = 1, CALLS do prim[row_name](args) end
    for _, of in ipairs(stats()) do
      if of.kernel == row_name then medians[p] = 1e6 * of.median end
    end
  end
  trace.off()
  return medians
end

local last = names[#names]
local phases = made[last]:bytecode().phases
local of_threads, columns, rows, fastest = on_gpu and {32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512} or {0}, {}, {}, {}
for k = 1, phases + 1 do rows[k] = {k <= phases and ("phase %d"):format(k) or "states", ours = {}} end
for i, threads in ipairs(of_threads) do
  p:progress("figure 5.12: %s", threads > 0 and ("blocks of %d threads"):format(threads) or "a CPU has no blocks")
  columns[i] = threads > 0 and ("%d threads"):format(threads) or "no blocks"
  for k, time in ipairs(kernel_times(made[last], threads > 0 and threads or nil)) do
    rows[k].ours[i] = time
    if not fastest[k] or time < fastest[k][1] then fastest[k] = {time, threads} end
  end
end
p:table {("Figure 5.12: microseconds of each kernel of %s by the size of a block"):format(last), unit = "us", columns = columns, table.unpack(rows)}
local chosen = {"fastest block", theirs = {}, ours = {}}
local heads = {}
for k, row in ipairs(rows) do
  heads[k], chosen.theirs[k], chosen.ours[k] = row[1], CHOSEN[k < #rows and k or 4] or false, on_gpu and fastest[k][2] or "no blocks"
end
p:table {("Figure 5.12: the fastest size of a block; theirs: what the tuning chose for LR-5000, ours %s"):format(last), columns = heads, comparable = false, chosen}
if on_gpu then
  local f = {name = "figure-5.12", title = ("Figure 5.12: kernels of %s"):format(last), xlabel = "threads of a block", ylabel = "us"}
  for k, row in ipairs(rows) do f[k] = {name = row[1], x = of_threads, y = row.ours} end
  p:figure(f)
end
