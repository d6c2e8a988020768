--- The tables and figures of Okuyama 2013, chapter 5: interpreter (IS), translator (TS). The command `paper 004` runs it; its option
--- `steps` is the maximum number of Euler steps of a measurement, `cells` the length of the longest line (in the thesis 100000 and 5000).
---
--- "Theirs" is a Core i7 930 (CPU-1: one thread; CPU-8: all eight) and a Tesla C2070 (GPU). Times are seconds for 100,000 Euler steps
--- of 0.01 ms; what takes longer than `limit` is measured over fewer steps, and multiplied. The models Wang, Rybak and Mix are not
--- public, so that they have no "ours". LR-Ring has seven functions more than a ring of cells. The thesis does not name them, except that
--- one is a sum of dozens of variables; ours are four pulses, the sum of the 80 currents between the cells, the mean pulse, and the sum of
--- both. The lines have no pulse, as the numbers of functions in the thesis show: their first cell begins at 20 mV; the functions of both
--- ends, which add nothing, merge with others, so that two phases have one thread less. In all models the phase of the states has one
--- thread more, which advances time. For figure 5.12 each kernel is launched separately, as in the thesis: in a loop on CUDA all rows
--- have the same block size, and a CPU has no blocks. The thesis's last kernel, which copies the new states, does not exist here: two
--- buffers are swapped.
local p = ...
if type(p) ~= "table" then error("this script is run by the command: paper 004", 0) end
local common = dofile(p.scripts .. "/common.lua")
local steps, most = p.options.steps or p:pick(100, 1000, 100000), p.options.cells or p:pick(100, 100, 5000)
local limit = p:pick(0.02, 0.4, 3) -- seconds of a measurement
local ALL = 100000
local DT = 0.01
local here = device().name
local on_gpu = device().processor ~= "cpu"
local threads = common.threads()
local can_compile = on_gpu and os.execute "cc --version > /dev/null 2>&1" or not on_gpu -- can kernels be compiled for the CPU?
trace.off()

local function ring()
  local currents = {}
  for k = 1, 80 do currents[k] = ("g%d.left"):format(k) end
  return model.line {cells = 80, ring = true, stimulated = {1, 2, 3, 4}, more = ([[
flow = %s
pulse = (c1.pulse + c2.pulse + c3.pulse + c4.pulse)/4
balance = flow + pulse]]):format(table.concat(currents, " + "))}
end
local function line(n)
  local m = model.line {cells = n, stimulated = {}}
  return m:set("c1.V", 20)
end
local models = {{"Luo-Rudy", function() return model.load(model.sample "luo-rudy-1991") end}, {"LR-Ring", ring}}
for _, n in ipairs {100, 1000, 2000, 3000, 4000, 5000} do
  if n <= most then models[#models + 1] = {"LR-" .. n, function() return line(n) end} end
end
local names, made, loaded = {}, {}, {}
for i, m in ipairs(models) do
  p:progress("chapter 5: loading %s", m[1])
  local begun = trace.clock()
  names[i], made[m[1]] = m[1], m[2]()
  loaded[m[1]] = trace.clock() - begun
end
local last = names[#names]

-- THESIS: the models in the columns of the thesis's tables. LINES: those of its tables that also have the longer lines of cells.
local THESIS = {"Luo-Rudy", "Wang", "Rybak", "LR-Ring", "LR-100", "Mix", "LR-1000"}
local LINES = table.move({"LR-2000", "LR-3000", "LR-4000", "LR-5000"}, 1, 4, #THESIS + 1, table.move(THESIS, 1, #THESIS, 1, {}))
local ABSENT = "; Wang, Rybak and Mix are not public"

-- The values of a row of the thesis by model, in the order of THESIS.
local function theirs(...)
  local out = {}
  for k, name in ipairs(THESIS) do out[name] = (select(k, ...)) end
  return out
end

-- Prints a table with a column for each model. A row is {name, theirs, f}: theirs by the model's name, or nil; f(m, name) is ours, or
-- false.
local function by_model(title, unit, rows, columns)
  columns = columns or THESIS
  local t = {title .. ABSENT, unit = unit, columns = columns}
  for r, x in ipairs(rows) do
    local out = {x[1], theirs = {}, ours = {}}
    for k, name in ipairs(columns) do
      out.theirs[k], out.ours[k] = x[2] and x[2][name] or false, made[name] and x[3] and x[3](made[name], name) or false
    end
    t[r + 1] = out
  end
  p:table(t)
end

-- Runs f on the named device; returns the first result of f.
local function on(name, f)
  device(name)
  local good, out = pcall(f)
  device(here)
  if not good then error(out, 0) end
  return out
end

-- Seconds for 100,000 steps of b on the current device, extrapolated. The time of a run with one step is subtracted first.
local function seconds(b)
  local o = {start = 0, intervals = 1, dt = DT, method = "euler", columns = {0}}
  local function timed(number)
    o.stop = number * DT
    local begun = trace.clock()
    b:run(o)
    return trace.clock() - begun
  end
  timed(10) -- the first run, which allocates and compiles
  local start, n = timed(1), 21
  local took = timed(n)
  local more = math.min(steps, math.floor(20 * limit / math.max(took - start, 1e-9)))
  if more > n then n, took = more, timed(more) end
  return took > start and (took - start) * ALL / (n - 1) or took * ALL / n -- never negative, whatever else the machine does
end

local function on_a_gpu(claim, holds, why, ...)
  if on_gpu then p:claim(claim, holds, why, ...) else p:claim(claim, nil, "no GPU on this machine") end
end

-- --- tables 5.1, 5.6, 5.7, 5.3 ---

by_model("Table 5.1: functions and states", nil, {
  {"functions", theirs(31, 1200, 1362, 2647, 3298, 5860, 32998), function(m) return m.functions end},
  {"states (ODEs)", theirs(8, 400, 480, 640, 800, 1680, 8000), function(m) return m.states end},
  {"loaded in s (ours)", nil, function(_, name) return loaded[name] end}})

-- The count `what` of each phase, as "22>3>8".
local function of_phases(b, what)
  local out = {}
  for p = 0, b.phases do out[p + 1] = ("%d"):format(b.code:count(p)[what]) end
  return table.concat(out, ">")
end
local function phases(how, what)
  return function(m) return of_phases(m:bytecode(how), what) end
end
by_model("Table 5.6: bytecodes of each phase before they are unified (threads; ours with one that advances time)", nil, {
  {"threads", theirs("22>3>8", "1000>100>400", "842>40>480>200", "1924>322>1>640", "2399>399>800", "4241>539>1680>200", "23999>3999>8000"),
    phases({base = true, merge = true}, "threads")}})
by_model("Table 5.7: different sequences of operators (ours with that of time)", nil, {
  {"Base", theirs("14>6>2>1>3", "7>1>1>3", "8>5>1>5>4", "16>9>2>1>4", "15>7>1>1>3", "26>12>3>1>11>4", "15>7>1>1>3"), phases({base = true}, "kinds")},
  {"Merge", theirs("16>3>3", "7>1>3", "11>2>5>4", "19>6>1>4", "18>4>3", "33>7>11>4", "18>4>3"), phases({base = true, merge = true}, "kinds")}})
local fewer = 0
for _, name in ipairs(names) do
  local saved = made[name]:bytecode {base = true}.phases - made[name]:bytecode {base = true, merge = true}.phases
  if saved >= 1 and saved <= 2 then fewer = fewer + 1 end
end
p:claim("merging saves one or two phases", fewer == #names, "in %d of %d models", fewer, #names)

-- Rybak's model is not public; three cells of PHML that are set back after a step stand for it.
local SPECIAL = "special functions, which are evaluated after the states, have a phase of their own after that of the states"
local reads, special = pcall(model.load, model.sample "integrate-and-fire")
if reads then
  local b = special:bytecode {base = true}
  local _, threads_after = b:bounds(b.phases + 2)
  local of_states = select(2, b:bounds(b.phases))
  local want, got = simulate(special), simulate(special, {engine = "bytecode", bytecode = b})
  local off = 0
  for _, name in ipairs(want.names) do off = off + want[name]:diff(got[name]) end
  p:claim(SPECIAL, threads_after > of_states and (off == 0 or on_gpu), "integrate-and-fire: threads %s; %d values differ from the reference's",
    tostring(b):match "threads ([^;]*)", off)
else
  p:claim(SPECIAL, nil, "%s", tostring(special):match "this build reads no[^:]*" or tostring(special))
end

-- The interpreter's memory, in KB of 1024 bytes: bytecodes, tables of operands, the rest except results, results of 1 and of 1000 samples.
local kilobytes = {}
for _, name in ipairs(names) do
  local m = made[name]
  local b = m:bytecode {unify = "warp"}
  local x = {8 * b.words / 1024, (8 * b.constants + 4 * b.operands) / 1024, (2 * 8 * b.vars + 3 * 4 * b.threads) / 1024}
  x[5] = 8 * (m.functions + m.states + 1) / 1024
  x[4] = ALL / 100 * x[5]
  x[6] = x[1] + x[2] + x[3] + x[4]
  kilobytes[name] = x
end
local function kilo(k)
  return function(_, name) return kilobytes[name][k] end
end
by_model("Table 5.3: memory of the interpreter; results: functions, states and time, of 1000 samples", "KB", {
  {"Bytecodes", theirs(3.05, 49.2, 13.3, 12.9, 14.6, 76.9, 123), kilo(1)}, {"Constant table", theirs(2.38, 37.8, 82.6, 77.0, 96.4, 221, 851), kilo(2)},
  {"Others", theirs(3.35, 56.2, 50.7, 90.3, 112, 219, 1100), kilo(3)}, {"Results", theirs(313, 12500, 14400, 25700, 32000, 58900, 320000), kilo(4)},
  {"(1 step)", theirs(0.313, 12.5, 14.4, 25.7, 32.0, 58.9, 320), kilo(5)}, {"Total", theirs(322, 12600, 14500, 25900, 32200, 59400, 322000), kilo(6)}})

-- --- table 5.8 ---

local number = 0
local function fresh() -- a name that no cache of kernels has
  number = number + 1
  return ("okuyama_%d_%d"):format(os.time() % 1000000, number)
end

-- The kernel's text with the tables of b as constants, so that the compiler knows their values.
local function with_tables(b, text)
  local function list(values, form)
    local out = {}
    for i = 0, #values - 1 do out[i + 1] = form:format(values[i]) end
    return #out > 0 and table.concat(out, ",") or "0"
  end
  local tables = ("  static const u32 PLACES[] = {%s};\n  static const f64 NUMBERS[] = {%s};\n  (void)PLACES, (void)NUMBERS;\n"):format(
    list(b.places, "%d"), list(b.numbers, "%.17g"))
  text = text:gsub("a%->places%[", "PLACES["):gsub("a%->numbers%[", "NUMBERS[")
  local at = select(2, text:find("UNUSED_BODY;\n", 1, true))
  return text:sub(1, at) .. tables .. text:sub(at + 1)
end

-- The seconds that the compiler of the current device takes for the kernels of b, one for each phase.
local function compile_time(b, embedded)
  local name, texts = fresh(), {}
  local files = b:translate {name = name}
  for p = 1, b.phases + 1 do
    local row = p <= b.phases and ("%s_%d"):format(name, p) or name .. "_states_euler"
    local text = files[row .. ".h"]
    texts[p] = (embedded and with_tables(b, text) or text) .. "\n" .. files[name .. ".def"]:match("PRIM%(" .. row .. ",.-\n.-\n")
  end
  local begun = trace.clock()
  for _, text in ipairs(texts) do kernel.generated(text) end
  return trace.clock() - begun
end

local UNIFIED = p:pick(8, 800, 800) -- the most states of a model that is compiled with its tables in the text
local compiled, compilation = {cpu = {}, cuda = {}}, {cpu = {}, cuda = {}} -- by model: bytecode with the compiled kernel for many steps; seconds to compile it
local exported = {}
local rows = {}
for _, x in ipairs {{"CPU-1", "cpu:1", theirs(0.49, 13, 35, 28, 49, 230, 16000), theirs(0.12, 120, 68, 100, 140, 2200, 36000),
    theirs(0.13, 13, 25, 250, 27, 280, 27)},
  {"GPU", on_gpu and here, theirs(3.2, 72, 66, 630, 1100, "none", "none"), theirs(3.1, 3.6, 3.8, 5.1, 5.8, 11, 290), theirs(2.6, 2.3, 2.5, 2.8, 2.7, 3.2, 2.7)}} do
  local name, platform = x[1], x[2] and (x[2] == here or can_compile) and x[2]
  local function of(how, greatest, embedded)
    return platform and function(m, model_name)
      if m.states > greatest then return false end
      p:progress("table 5.8: compiling %s for %s", model_name, name)
      return on(platform, function()
        local b = m:bytecode(how)
        if not embedded then return compile_time(b) end
        local good, out = pcall(compile_time, b, true) -- a compiler may fail on tables of this length, as the thesis's did on Mix
        if not good and tostring(out):find "interrupted" then error(out, 0) end
        if not good then p:progress("%s", tostring(out):match "[^\n]*") end
        return good and out or "failed"
      end)
    end
  end
  local export = of({}, math.huge)
  rows[#rows + 1] = {name .. ", Base", x[3], of({base = true}, 8)} -- a larger model takes minutes or longer
  rows[#rows + 1] = {name .. ", Unify", x[4], of({}, UNIFIED, true)}
  rows[#rows + 1] = {name .. ", Export", x[5], export and function(m, model_name)
    exported[model_name] = export(m, model_name)
    return exported[model_name]
  end}
end
local cpu = (not on_gpu or can_compile) and "cpu"
for _, x in ipairs {{"CPU", cpu, "cpu"}, {"GPU", on_gpu and here, "cuda"}} do
  for _, name in ipairs(x[2] and names or {}) do
    p:progress("table 5.8: compiling %s for many steps, %s", name, x[1])
    compilation[x[3]][name] = on(x[2], function()
      local b, begun = made[name]:bytecode(), trace.clock()
      compiled[x[3]][name] = b:compile {name = fresh(), method = "euler"}
      return trace.clock() - begun
    end)
  end
  rows[#rows + 1] = {x[1] .. ", many steps (ours)", nil, function(_, name) return compilation[x[3]][name] end}
end
by_model("Table 5.8: seconds that the compiler takes for the kernels of all phases; Export: tables are arguments", "s", rows)
if #names > 3 then
  p:claim("with Export the compilation does not take longer for more cells: LR-100 and LR-1000", exported["LR-1000"] < 1.5 * exported["LR-100"], "%.2g s and %.2g s",
    exported["LR-100"], exported["LR-1000"])
else
  p:claim("with Export the compilation does not take longer for more cells: LR-100 and LR-1000", nil, "LR-1000 is not run in this size")
end

-- --- tables 5.4 and 5.5, figure 5.11 ---

local all_threads = ("%d thread%s"):format(threads, threads > 1 and "s" or "")
-- {name, engine, device, the thesis's values in table 5.4, in table 5.5, in table 5.2}
local function processor_of(x) return x[3] == here and on_gpu and "cuda" or "cpu" end
local METHODS = {
  {"IS, CPU-1", "bytecode", "cpu:1", theirs(1.03, 40.0, 44.1, 71.9, 90.4, 186, 1570), theirs(0.20, 0.40, 0.28, 0.24, 0.23, 0.27, 0.14),
    theirs(1.14, 42.1, 45.4, 73.0, 92.0, 190, 1550)},
  {"IS, GPU", "bytecode", on_gpu and here, theirs(7.04, 6.00, 18.0, 8.10, 7.45, 20.4, 18.2), theirs(0.030, 2.6, 0.69, 2.1, 2.8, 2.4, 12),
    theirs(13.5, 17.6, 30.6, 19.5, 21.4, 38.4, 65.8)},
  {"TS, CPU-1", "translator", cpu and "cpu:1", theirs(0.169, 2.73, 2.50, 4.86, 6.08, 11.3, 64.2), theirs(1.3, 5.8, 4.9, 3.5, 3.5, 4.4, 3.3),
    theirs(0.324, 17.8, 29.1, 252, 34.5, 294, 113)},
  {"TS, CPU-8; ours " .. all_threads, "translator", cpu, theirs(0.596, 1.77, 2.39, 3.31, 3.56, 6.76, 19.5), theirs(0.35, 9.0, 5.2, 5.2, 6.0, 7.3, 11),
    theirs(0.759, 4.70, 5.18, 34.9, 6.20, 30.8, 42.1)},
  {"TS, GPU", "translator", on_gpu and here, theirs(6.88, 7.02, 7.91, 8.14, 7.57, 9.58, 11.4), theirs(0.031, 2.3, 1.6, 2.1, 2.8, 5.2, 19),
    theirs(9.25, 11.3, 12.7, 12.3, 12.5, 17.9, 39.1)},
  {"IS, CPU, ours " .. all_threads, "bytecode", "cpu"},
}
for k, more in pairs {[1] = {3390, 5250, 7120, 8990}, [2] = {33.8, 50.2, 66.8, 83.6}, [3] = {134, 204, 279, 355}, [4] = {37.5, 55.8, 75.5, 95.0},
  [5] = {20.0, 26.4, 30.8, 35.4}} do
  for i, x in ipairs(more) do METHODS[k][4]["LR-" .. 1000 * (i + 1)] = x end
end
for k, x in ipairs {0.12, 13, 3.0, 11, 30} do METHODS[k][5]["LR-5000"] = x end

local took, by_phase, moved, translation = {}, {}, {}, {} -- took[method][model]; the others by model
for k = 1, #METHODS do took[k] = {} end
for _, name in ipairs(names) do
  local b = made[name]:bytecode {unify = "warp"}
  for _, k in ipairs {2, 5, 6, 4, 1, 3} do
    local x = METHODS[k]
    if x[3] then
      p:progress("table 5.4: %s, %s", name, x[1])
      took[k][name] = on(x[3], function() return seconds(x[2] == "bytecode" and b or compiled[processor_of(x)][name]) end)
    end
  end
  by_phase[name] = seconds(made[name]:bytecode {unify = "phase"})
  moved[name] = 0
  for phase = 0, b.phases do moved[name] = moved[name] + 2 * 8 * b.code:count(phase).instructions end
  local begun = trace.clock()
  made[name]:bytecode():translate()
  translation[name] = trace.clock() - begun
end
local times, rates = {}, {}
for k, x in ipairs(METHODS) do
  times[k] = {x[1], x[4], function(_, name) return took[k][name] end}
  rates[k] = {x[1], x[5], function(_, name) return took[k][name] and moved[name] * ALL / took[k][name] * 1e-9 end}
end
times[#times + 1] = {"IS unified per phase, " .. here .. " (ours)", nil, function(_, name) return by_phase[name] end}
by_model("Table 5.4: seconds of 100,000 steps without output", "s", times, LINES)
by_model("Table 5.5: bandwidth by pushes and pops", "GB/s", rates, LINES)

-- The least and the greatest ratio of the times of two methods, over all models.
local function quotients(a, b)
  local least, greatest = math.huge, 0
  for _, name in ipairs(names) do
    local x = took[a][name] / took[b][name]
    least, greatest = math.min(least, x), math.max(greatest, x)
  end
  return least, greatest
end
-- model: the model for which the thesis claims this number.
local function claim_times(claim, a, b, model, holds)
  if not (METHODS[a][3] and METHODS[b][3]) then
    p:claim(claim, nil, cpu and "no GPU on this machine" or "no C compiler on this machine")
    return
  end
  local least, greatest = quotients(a, b)
  local verdict
  if made[model] then verdict = holds(least, greatest) end
  p:claim(claim, verdict, "%s%.2f to %.2f times, %s to %s", made[model] and "" or model .. " is not run in this size; ", least, greatest, names[1], last)
end
claim_times("on a CPU TS is 6.1 to 26 times as fast as IS", 1, 3, "LR-100", function(least) return least >= 6.1 end)
claim_times("with all threads TS is up to 95 times as fast as IS on one", 1, 4, "LR-5000", function(_, greatest) return greatest >= 95 end)
claim_times("on a GPU TS is up to 2.4 times as fast as IS", 2, 5, "LR-5000", function(_, greatest) return greatest >= 2.4 end)
claim_times("IS on a GPU is up to 24 times as fast as on one core, for models of thousands of expressions", 1, 2, "LR-1000", function(_, greatest) return greatest >= 24 end)
claim_times("TS on a GPU is up to 250 times as fast as IS on one core", 1, 5, "LR-5000", function(_, greatest) return greatest >= 250 end)
on_a_gpu("for Luo-Rudy alone a CPU is faster than a GPU", on_gpu and took[1]["Luo-Rudy"] < took[2]["Luo-Rudy"], "%.2f times",
  on_gpu and took[2]["Luo-Rudy"] / took[1]["Luo-Rudy"])

local SIMULATED, present = on_gpu and 5 or 4, compilation[on_gpu and "cuda" or "cpu"]
by_model("Figure 5.11: seconds of the translator on " .. here, "s", {{"translation", {["LR-5000"] = 290}, function(_, name) return translation[name] end},
  {"compilation", nil, function(_, name) return present[name] end},
  {"simulation", METHODS[SIMULATED][4], function(_, name) return took[SIMULATED][name] end},
  {"all", nil, function(_, name) return took[SIMULATED][name] and translation[name] + present[name] + took[SIMULATED][name] end}}, LINES)
local cells, parts = {}, {translation = {}, compilation = {}, simulation = {}}
for _, name in ipairs(names) do
  local n = math.tointeger(tonumber(name:match "^LR%-(%d+)$"))
  if n then
    local k = #cells + 1
    cells[k], parts.translation[k], parts.compilation[k], parts.simulation[k] = n, translation[name], present[name], took[SIMULATED][name]
  end
end
p:figure {name = "figure-5.11", title = "Figure 5.11: seconds of the translator, lines of cells", xlabel = "cells", ylabel = "seconds", log = "xy", points = #cells == 1,
  {name = "translation", x = cells, y = parts.translation}, {name = "compilation", x = cells, y = parts.compilation},
  {name = "simulation", x = cells, y = parts.simulation}}
for _, name in ipairs(names) do
  for _, x in ipairs {translation[name], present[name], took[SIMULATED][name]} do assert(x >= 0, name) end
end

-- --- table 5.2 ---

-- Seconds of 100,000 steps on the current device by method x, which writes all variables to a file every 100 steps. each: the seconds
-- without output. The part that is done once and the cost per step are measured separately.
local function with_output(m, name, x, each)
  local made_by_os = os.tmpname()
  local file = made_by_os .. ".npy" -- a file's format is known by its name; binary, as in the thesis
  local begun = trace.clock()
  local b = m:bytecode(x[2] == "bytecode" and {unify = "warp"} or nil)
  local once = trace.clock() - begun
  if x[2] == "translator" then b, once = compiled[processor_of(x)][name], once + compilation[processor_of(x)][name] end
  local function timed(n)
    begun = trace.clock()
    simulate(m, {stop = n * DT, dt = DT, every = 100 * DT, method = "euler", engine = x[2], bytecode = b}):save(file)
    return trace.clock() - begun
  end
  local few, n = timed(100), math.max(200, math.min(steps, math.floor(limit / each * ALL)) // 100 * 100)
  local many = timed(n)
  os.remove(file)
  os.remove(made_by_os)
  return once + many + (ALL - n) * math.max((many - few) / (n - 100), each / ALL)
end

p:progress "table 5.2"
rows = {}
for k, x in ipairs(METHODS) do
  rows[k] = {x[1], x[6], x[3] and function(m, name)
    return on(x[3], function() return with_output(m, name, x, took[k][name]) end)
  end}
end
by_model("Table 5.2: seconds of 100,000 steps with output every 100 steps, from the model to the file", "s", rows)

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
      local b = made[name]:bytecode(options)
      local time, counters = seconds(b), b:counters()
      local all = counters[#counters]
      ways[i], rows[1].ours[i], rows[2].ours[i], rows[3].ours[i], rows[4].ours[i] = way[1], time, 100 * all.divergent / all.steps, all.requests, all.sectors
      counted[name][way[1]] = {seconds = time, divergent = 100 * all.divergent / all.steps, requests = all.requests, sectors = all.sectors}
    end
    p:table {("Figure 5.10: %s, 100,000 steps with one more optimisation each; theirs is a picture"):format(name), columns = ways, table.unpack(rows)}
    local order = {}
    for i = 1, #ways do order[i] = i end
    p:figure {name = "figure-5.10-" .. name, title = ("Figure 5.10: %s"):format(name), xlabel = "optimisations, in the order of the table",
      ylabel = "seconds", {name = name, x = order, y = rows[1].ours}}
  end
end
local x = counted["Luo-Rudy"]
on_a_gpu("Redundant takes 45 % off the time of Luo-Rudy", x.Redundant.seconds < 0.65 * x.Remap.seconds, "%.0f %%", 100 * (1 - x.Redundant.seconds / x.Remap.seconds))
p:claim("redundant threads reduce divergence, from 13 % to 0.2 % for Luo-Rudy", x.Redundant.divergent < 1 and x.Redundant.divergent < x.Remap.divergent, "from %.1f %% to %.1f %%",
  x.Remap.divergent, x.Redundant.divergent)
x = counted["LR-1000"]
local unify = "Unify takes 46 to 60 % off the time of the lines, Merge up to 20 %"
if x then
  on_a_gpu(unify, x.Unify.seconds < 0.54 * x.Redundant.seconds and x.Merge.seconds <= x.Unify.seconds, "LR-1000: %.0f %% and %.0f %%",
    100 * (1 - x.Unify.seconds / x.Redundant.seconds), 100 * (1 - x.Merge.seconds / x.Unify.seconds))
  p:claim("Unify reduces the requests for memory, by 61 % for LR-1000", x.Unify.requests < x.Redundant.requests,
    "by %.0f %%; the sectors of 32 bytes that they touch by %.0f %%", 100 * (1 - x.Unify.requests / x.Redundant.requests),
    100 * (1 - x.Unify.sectors / x.Redundant.sectors))
else
  p:claim(unify, nil, "LR-1000 is not run in this size")
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

local STOP = p:pick(10, 30, 100) -- in ms; in the thesis 100 ms, which are 10000 steps
local wants, worst = {}, 0
local function course_error(engine, name_of_device)
  return name_of_device and function(m, name)
    if m.states > 8000 then return false end
    local variable = name == "Luo-Rudy" and "V" or "c1.V"
    local function course(by)
      return simulate(m, {stop = STOP, dt = DT, every = 0.1, method = "euler", variables = {variable}, engine = by,
        bytecode = by == "translator" and compiled[name_of_device == here and on_gpu and "cuda" or "cpu"][name] or nil})[variable]
    end
    wants[name] = wants[name] or course "reference"
    local off = on(name_of_device, function() return error_of(course(engine), wants[name]) end)
    worst = math.max(worst, off)
    return off
  end
end
p:progress "table 5.9"
by_model(("Table 5.9: relative root mean square errors of V after %d steps, against the reference on one core"):format(math.floor(STOP / DT + 0.5)), nil, {
  {"IS, GPU", theirs(0.0, 1.4e-13, 0.0, 0.0, 9.3e-20, 4.8e-20, 4.1e-20), course_error("bytecode", on_gpu and here)},
  {"TS, CPU-1", theirs(9.4e-4, 0.0, 0.0, 8.9e-7, 1.3e-2, 6.5e-3, 5.6e-3), course_error("translator", cpu and "cpu:1")},
  {"TS, GPU", theirs(9.4e-4, 3.2e-1, 0.0, 8.9e-7, 1.3e-2, 2.9e-2, 5.6e-3), course_error("translator", on_gpu and here)},
  {"IS, CPU (ours)", nil, course_error("bytecode", "cpu")}})
p:claim("the errors are sufficiently small", worst < 1e-12, "%.2g at most", worst)

-- --- figure 5.12 ---

local CALLS, CHOSEN = 100, {160, 96, 32, 128} -- of LR-5000: phases 1 to 3, states
-- The medians of the kernels' times, with `threads` threads per block (nil: the program's own number).
local function kernel_times(m, threads)
  local b = m:bytecode()
  local name = fresh()
  local files, x, x_next, calls, medians = b:translate {name = name}, nil, nil, {}, {}
  x, x_next = b:start()
  for p = 1, b.phases + 1 do
    local row_name = p <= b.phases and ("%s_%d"):format(name, p) or name .. "_states_euler"
    local text = files[row_name .. ".h"]
    if threads then -- inserts SHAPE after ARGS: the threads per block, and as many resident blocks as 64 registers per thread allow
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
    for _ = 1, 10 do prim[row_name](args) end -- the first calls copy buffers to the device
    stats "reset"
    for _ = 1, CALLS do prim[row_name](args) end
    for _, of in ipairs(stats()) do
      if of.kernel == row_name then medians[p] = 1e6 * of.median end
    end
  end
  trace.off()
  return medians
end

local functions = made[last]:bytecode().phases
local of_threads, columns, fastest = on_gpu and {32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512} or {0}, {}, {}
rows = {}
for k = 1, functions + 1 do rows[k] = {k <= functions and ("phase %d"):format(k) or "states", ours = {}} end
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
