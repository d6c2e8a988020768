--- The tables and figures of Okuyama 2013, chapter 5: interpreter (IS), translator (TS). The command `paper 004` runs it; its option
--- steps is the number of Euler steps that are measured, cells the length of the longest line (in the thesis 100000 and 5000).
---
--- Beside each number stands the thesis', in parentheses: a Tesla C2070, or one core of a Core i7 930 (CPU-1). Times
--- are seconds for 100,000 Euler steps of 0.01 ms, without output; where STEPS is less, what was measured is multiplied. The
--- thesis' models Wang, Rybak and Mix are not here. Its adder functions take no pulse, so that its lines have a function
--- less; and here the phase of the states has a thread more, which advances time. Figure 5.12 has each kernel launched by
--- itself, as the thesis has them: in a loop on CUDA all rows have blocks of one size, and a CPU has no blocks. Its last
--- kernel, which copies the new states, is not here: two buffers change places.
local p = ...
local steps, most = p.options.steps or p:pick(100, 1000, 100000), p.options.cells or p:pick(100, 100, 5000)
local ALL = 100000
local DT = 0.01
trace.off()

local models = {{"Luo-Rudy", function() return model.load(model.sample "luo-rudy-1991") end},
  {"LR-Ring", function() return model.line {cells = 80, ring = true} end}}
for _, n in ipairs {100, 1000, 2000, 3000, 4000, 5000} do
  if n <= most then models[#models + 1] = {"LR-" .. n, function() return model.line {cells = n} end} end
end
local made = {}
for _, m in ipairs(models) do
  local begun = trace.clock()
  made[m[1]] = m[2]()
  m.seconds = trace.clock() - begun
end

local function title(text) print("\n" .. text .. "\n") end
local function row(...)
  local out = {}
  for i, x in ipairs {...} do out[i] = (i == 1 and "%-10s" or "%26s"):format(x) end
  print((table.concat(out):gsub("%s+$", "")))
end
local function beside(x, thesis, form)
  form = form or "%.3g"
  return (type(x) == "string" and x or form:format(x)) .. (thesis and (" (%s)"):format(thesis) or "")
end

-- Seconds for 100,000 steps, without what a run does before its first, which is not multiplied.
local function seconds(m, how, compiled)
  local b = compiled or m:bytecode(how)
  local o = {start = 0, intervals = 1, dt = DT, method = "euler", columns = {0}}
  local function timed(number)
    o.stop = number * DT
    local begun = trace.clock()
    local first = b:run(o).columns[1][1]
    return trace.clock() - begun, first
  end
  timed(10) -- once for what is made at first
  local start = timed(1)
  local took, first = timed(steps)
  return (took - start) * ALL / (steps - 1), b, first
end

print(("%s, %d steps"):format(device().name, steps))

title "Table 5.1: functions and states"
local functions = {["Luo-Rudy"] = {31, 8}, ["LR-Ring"] = {2647, 640}, ["LR-100"] = {3298, 800}, ["LR-1000"] = {32998, 8000}}
row("model", "functions", "states", "loaded in s")
for _, m in ipairs(models) do
  local t = functions[m[1]] or {}
  row(m[1], beside(made[m[1]].functions, t[1], "%d"), beside(made[m[1]].states, t[2], "%d"), ("%.2f"):format(m.seconds))
end

title "Table 5.6: bytecodes of each phase before they are unified, and 5.7: different sequences of operators"
local threads = {["Luo-Rudy"] = "22>3>8", ["LR-Ring"] = "1924>322>1>640", ["LR-100"] = "2399>399>800", ["LR-1000"] = "23999>3999>8000"}
local base = {["Luo-Rudy"] = "14>6>2>1>3", ["LR-Ring"] = "16>9>2>1>4", ["LR-100"] = "15>7>1>1>3", ["LR-1000"] = "15>7>1>1>3"}
local merged = {["Luo-Rudy"] = "16>3>3", ["LR-Ring"] = "19>6>1>4", ["LR-100"] = "18>4>3", ["LR-1000"] = "18>4>3"}
local function of_phases(b, what)
  local out = {}
  for p = 0, b.phases do out[p + 1] = ("%d"):format(b.code:count(p)[what]) end
  return table.concat(out, ">")
end
row("model", "threads", "sequences, base", "sequences, merged")
for _, m in ipairs(models) do
  local plain, merge = made[m[1]]:bytecode {base = true}, made[m[1]]:bytecode {base = true, merge = true}
  row(m[1], beside(of_phases(merge, "threads"), threads[m[1]]), beside(of_phases(plain, "kinds"), base[m[1]]),
    beside(of_phases(merge, "kinds"), merged[m[1]]))
end

title "Table 5.3: memory of the interpreter in KB"
local kilobytes = {["Luo-Rudy"] = {3.05, 2.38}, ["LR-Ring"] = {12.9, 77.0}, ["LR-100"] = {14.6, 96.4}, ["LR-1000"] = {123, 851}}
row("model", "bytecodes", "tables of operands", "variables")
for _, m in ipairs(models) do
  local b, t = made[m[1]]:bytecode {unify = "warp"}, kilobytes[m[1]] or {}
  row(m[1], beside(8e-3 * b.words, t[1], "%.1f"), beside(8e-3 * b.constants + 4e-3 * b.operands, t[2], "%.1f"),
    ("%.1f"):format(2 * 8e-3 * b.vars))
end

title "Table 5.4: seconds of 100,000 steps, and their GB/s by pushes and pops (table 5.5)"
local times = {["Luo-Rudy"] = {1.03, 7.04, 0.030}, ["LR-Ring"] = {71.9, 8.10, 2.1}, ["LR-100"] = {90.4, 7.45, 2.8}, ["LR-1000"] = {1570, 18.2, 12},
  ["LR-2000"] = {3390, 33.8}, ["LR-3000"] = {5250, 50.2}, ["LR-4000"] = {7120, 66.8}, ["LR-5000"] = {8990, 83.6, 13}}
row("model", "unified a warp (GPU)", "unified a phase", "GB/s", "CPU-1 of the thesis")
for _, m in ipairs(models) do
  local t = times[m[1]] or {}
  local warp, b = seconds(made[m[1]], {unify = "warp"})
  local phase = seconds(made[m[1]], {unify = "phase"})
  local moved = 0
  for p = 0, b.phases do moved = moved + 2 * 8 * b.code:count(p).instructions end
  row(m[1], beside(warp, t[2]), beside(phase), beside(moved * ALL / warp * 1e-9, t[3]), t[1] or "")
end

local on_gpu = device().processor ~= "cpu"

title "Table 5.2: seconds of 100,000 steps with output of all variables every 100 steps, from the model to the file"
local outputs = on_gpu and {["Luo-Rudy"] = {13.5, 9.25}, ["LR-Ring"] = {19.5, 12.3}, ["LR-100"] = {21.4, 12.5}} or
  {["Luo-Rudy"] = {1.14, 0.324}, ["LR-Ring"] = {73.0, 252}, ["LR-100"] = {92.0, 34.5}}
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
row("model", "IS", "TS")
for _, name in ipairs {"Luo-Rudy", "LR-Ring", "LR-100"} do
  row(name, beside(with_output(made[name], "bytecode"), outputs[name][1]), beside(with_output(made[name], "translator"), outputs[name][2]))
end

title "Table 5.8: seconds that the compiler takes; Base: no bytecodes are unified, numbers are in the text. Here tables are arguments (Export)"
local compiled = on_gpu and {["Luo-Rudy"] = {3.2, 2.6}, ["LR-Ring"] = {630, 2.8}, ["LR-100"] = {1100, 2.7}, ["LR-1000"] = {"none", 2.7}} or
  {["Luo-Rudy"] = {0.49, 0.13}, ["LR-Ring"] = {28, 250}, ["LR-100"] = {49, 27}, ["LR-1000"] = {16000, 27}}
local round = 0
local function compile_time(m, how)
  local b = m:bytecode(how)
  round = round + 1
  local begun = trace.clock()
  b:compile {name = ("okuyama_%d_%d"):format(os.time() % 1000000, round)} -- names that no cache has
  return trace.clock() - begun, b
end
row("model", "Base", "unified")
local translated = {}
for _, m in ipairs(models) do
  local t = compiled[m[1]] or {}
  local base = made[m[1]].states <= 8 and compile_time(made[m[1]], {base = true}) or nil -- more takes minutes and more
  local time, b = compile_time(made[m[1]])
  translated[m[1]] = {time, b}
  row(m[1], beside(base or "-", t[1]), beside(time, t[2]))
end

title "Figure 5.11: seconds of the translator: from the model to bytecode and texts, to compile them, 100,000 steps (table 5.4)"
local translators = on_gpu and {["Luo-Rudy"] = 6.88, ["LR-Ring"] = 8.14, ["LR-100"] = 7.57, ["LR-1000"] = 11.4, ["LR-2000"] = 20.0,
  ["LR-3000"] = 26.4, ["LR-4000"] = 30.8, ["LR-5000"] = 35.4} or {["Luo-Rudy"] = 0.169, ["LR-Ring"] = 4.86, ["LR-100"] = 6.08,
  ["LR-1000"] = 64.2, ["LR-2000"] = 134, ["LR-3000"] = 204, ["LR-4000"] = 279, ["LR-5000"] = 355}
row("model", "translation", "compilation", "simulation")
for _, m in ipairs(models) do
  local begun = trace.clock()
  made[m[1]]:bytecode():translate()
  local translation = trace.clock() - begun
  row(m[1], beside(translation, m[1] == "LR-5000" and 290 or nil), beside(translated[m[1]][1]),
    beside(seconds(made[m[1]], nil, translated[m[1]][2]), translators[m[1]]))
end

title "Figure 5.10: seconds of 100,000 steps with one more optimisation each, and what warps do"
local ways = {{"Base"}, {"Reorder", reorder = true}, {"Remap", remap = true}, {"Redundant", redundant = true}, {"Unify", unify = "warp"},
  {"Merge", merge = true}, {"Sum", sum = true}, {"(a phase)", unify = "phase"}, {"(fold)", fold = true}}
for _, name in ipairs {"Luo-Rudy", "LR-Ring", "LR-1000"} do
  local how = {base = true}
  if made[name] then
    print(name)
    row("", "seconds", "divergent of steps", "requests for memory", "sectors of 32 bytes")
  end
  for _, way in ipairs(made[name] and ways or {}) do
    for key, value in pairs(way) do if key ~= 1 then how[key] = value end end
    local options = {}
    for key, value in pairs(how) do options[key] = value end
    local time, b = seconds(made[name], options)
    local rows = b:counters()
    local all = rows[#rows]
    row(way[1], beside(time), ("%.1f %%"):format(100 * all.divergent / all.steps), all.requests, all.sectors)
  end
end

title "Table 5.9: relative root mean square errors of V after 1000 steps, against the reference on a CPU"
local errors = {["Luo-Rudy"] = "0.0", ["LR-Ring"] = "0.0", ["LR-100"] = "9.3e-20", ["LR-1000"] = "4.1e-20"}
-- Of one course against another.
local function error_of(got, want)
  local off, all = 0, 0
  for i = 0, #want - 1 do
    off = off + (got[i] - want[i])^2
    all = all + want[i]^2
  end
  return math.sqrt(off / all)
end
row("model", "IS", "TS")
for _, m in ipairs(models) do
  if made[m[1]].states <= 8000 then
    local name = m[1] == "Luo-Rudy" and "V" or "c1.V"
    local function course(engine, bytecode)
      return simulate(made[m[1]], {start = 15, stop = 25, dt = DT, every = 0.1, method = "euler", variables = {name}, engine = engine,
        bytecode = bytecode})[name]
    end
    local want = course "reference"
    row(m[1], beside(error_of(course "bytecode", want), errors[m[1]], "%.1e"),
      beside(error_of(course("translator", translated[m[1]][2]), want), nil, "%.1e"))
  end
end

title "Figure 5.12: microseconds of each kernel of the largest line by the size of a block; beside the fastest the size that the thesis' tuning chose"
local CALLS, CHOSEN = 100, {"160", "96", "32"} -- of LR-5000
-- The medians of the kernels' times, in blocks of so many threads (nil: as the program has them).
local function kernel_times(m, threads)
  local b = m:bytecode()
  local name = ("okuyama_%d_of_%d"):format(os.time() % 1000000, threads or 0)
  local files, x, x_next, calls, medians = b:translate {name = name}, nil, nil, {}, {}
  x, x_next = b:start()
  for p = 1, b.phases + 1 do
    local row_name = p <= b.phases and ("%s_%d"):format(name, p) or name .. "_states_euler"
    local text = files[row_name .. ".h"]
    if threads then -- behind the line of ARGS: as many blocks at a time as have 64 registers a thread
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
local largest = made[models[#models][1]]
local heads = {}
for p = 1, largest:bytecode().phases do heads[p] = "phase " .. p end
heads[#heads + 1] = "states"
print(models[#models][1])
row("block", table.unpack(heads))
local fastest = {}
for _, threads in ipairs(on_gpu and {32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512} or {0}) do
  local of = kernel_times(largest, threads > 0 and threads or nil)
  local shown = {}
  for p, time in ipairs(of) do
    shown[p] = ("%.4g"):format(time)
    if not fastest[p] or time < fastest[p][1] then fastest[p] = {time, threads} end
  end
  row(threads > 0 and ("%d"):format(threads) or "(none)", table.unpack(shown))
end
local best = {}
for p, f in ipairs(fastest) do best[p] = beside(on_gpu and ("%d"):format(f[2]) or "no blocks", CHOSEN[p]) end
row("fastest", table.unpack(best))
