-- Models of differential equations as bytecode in phases: its arrangement, its results, and the engine that runs it.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near, same, samples = M.near, M.same, M.samples
local on_cpu = device().processor == "cpu"
local luo_rudy = model.load(samples .. "luo-rudy-1991.ode")

-- Expressions that together use the time and every instruction of bytecode.
local EVERY = {"a*time + b - c/time", "a^b", "root(3, -a)", "root(2, a)", "log(2, a)", "rem(-7*a, 3)", "mod(-7*a, 3)",
  "quotient(-7*a, 3)", "{a if a < b; b otherwise}", "{a if a > b and not b == c; b if a >= b or c <= b; -c otherwise}",
  "{1 if a != b xor b < c; 0 otherwise}", "{1 if a < b implies c < b; 2 otherwise}", "max(a, b, c) - min(a, b, c)",
  "mean(a, b, c, time)", "sqrt(a) + exp(-a) + ln(b) + log10(c)", "abs(-a) + floor(b*1.5) + ceiling(-b*1.5)",
  "factorial(3 + 0*time) + factorial(a)", "sin(a) + cos(b) + tan(c)", "sec(a) + csc(b) + cot(c)", "sinh(a) + cosh(b) + tanh(c)",
  "sech(a) + csch(b) + coth(c)", "arcsin(a/9) + arccos(b/9) + arctan(c)", "arcsec(9/a) + arccsc(9/b) + arccot(c)",
  "arcsinh(a) + arccosh(1 + b) + arctanh(c/99)", "arcsech(a/9) + arccsch(b) + arccoth(9 + c)", "arccot(0*time)"}
local function every()
  local out = {"a' = 0.1\nb' = 0.01*a\nc' = {1 if time < 0.5; -1 otherwise}\na(0) = 1.25\nb(0) = 2\nc(0) = 3\nq = 1"}
  for i, text in ipairs(EVERY) do out[#out + 1] = ("f%d = %s"):format(i, text) end
  return model.from_text(table.concat(out, "\n"))
end

local function both(m, o, how)
  local p = {engine = "bytecode", bytecode = m:bytecode(how)}
  for k, v in pairs(o) do p[k] = v end
  same(simulate(m, o), simulate(m, p))
end

local ALL = {{base = true}, {}, {unify = "warp"}, {fold = true}, {base = true, redundant = true}, {base = true, unify = "phase"},
  {base = true, reorder = true, unify = "warp"}, {base = true, remap = true}, {base = true, merge = true}}
ALL = {table.unpack(ALL, 1, sized(#ALL, #ALL, 4))}

describe("bytecode", function()
  it("has the phases of the thesis", function() -- table 5.6, LR-100: 2,399 -> 399 -> 800 threads; here one more computes the time
    local b = M.line {cells = 100}:bytecode {redundant = false}
    equal(b.first:totable(), {0, 2399, 2399 + 399, 2399 + 399 + 801})
    local levels = luo_rudy:bytecode {base = true}
    equal(levels.first:totable(), {0, 23, 29, 30, 31, 40})
  end)
  it("merges at most three functions a thread", function()
    local b = model.from_text "a = x\nb = a\nc = b\nd = c\ne = d\nx' = e\nx(0) = 1":bytecode {redundant = false}
    equal(b.first:totable(), {0, 1, 2, 4})
    local two = model.from_text "a = x\nb = x\nc = a + b\nd = c\nx' = d\nx(0) = 1":bytecode {redundant = false}
    equal(two.first:totable(), {0, 2, 3, 5}) -- c needs the results of two threads of phase 1
  end)
  it("puts one kind of bytecode into a warp", function()
    local m = M.line {cells = 40}
    local function of(o)
      o.base = true
      local rows = m:bytecode(o):counters()
      return rows[#rows]
    end
    local base, sorted = of {}, of {reorder = true}
    local filled = of {reorder = true, redundant = true}
    local unified = of {reorder = true, redundant = true, unify = "warp"}
    local placed = of {reorder = true, redundant = true, unify = "warp", remap = true}
    equal(base.instructions, filled.instructions)
    equal(sorted.divergent < base.divergent / 3, true)
    equal(filled.divergent, 0)
    equal(filled.issued, filled.steps)
    equal(unified.sectors < filled.sectors / 2, true)
    equal(placed.sectors < unified.sectors, true)
    equal(unified.threads, base.threads)
  end)
  it("counts what each optimisation changes, as figure 5.10 has them", function()
    -- Recounts the positions at which the threads of a warp have different operators.
    local function divergent(b)
      local steps, apart, all = 0, 0, 0
      for p = 0, b.phases do
        for w = b.first[p], b.first[p + 1] - 1, 32 do
          local k, any = 0, true
          while any do
            local ops, kinds = {}, 0
            any = false
            for t = w, math.min(w + 32, b.first[p + 1]) - 1 do
              local pc = b.index[t] & 0x7fffffff
              local length = 0
              while model.instructions[b.codes[pc + length] & 0xff] ~= "END" do length = length + 1 end
              if k <= length then
                local op = b.codes[pc + k] & 0xff
                if not ops[op] then ops[op], kinds = true, kinds + 1 end
                any = true
                if b.index[t] & 0x80000000 == 0 then all = all + 1 end
              end
            end
            if any then steps = steps + 1 end
            if kinds > 1 then apart = apart + 1 end
            k = k + 1
          end
        end
      end
      return {steps, apart, all}
    end
    local p = luo_rudy:phases()
    local names, phases = {}, {}
    for i, x in ipairs(p) do
      names[i], phases[i] = x.step, x.phases
      equal({x.steps, x.divergent, x.instructions}, divergent(x.bytecode))
    end
    equal(names, {"base", "reorder", "remap", "redundant", "unify", "merge", "sum"})
    equal(phases, {5, 5, 5, 5, 5, 3, 3}) -- table 5.7: five phases in the row Base, three in the row Merge
    equal({p[3].divergent > 0, p[4].divergent}, {true, 0})
    equal(p[5].bytecode.options.unify, "warp")
    local same = luo_rudy:bytecode {base = true, reorder = true, remap = true}:counters()
    equal(p[3].requests, same[#same].requests)
    equal(select(2, tostring(p):gsub("\n", "")), 7)
    for _, name in ipairs {"phases", "threads", "divergent", "requests", "sectors"} do -- `mark` records one value for each optimisation
      local marked = trace.series(name).value
      equal(#marked, #p)
      for i, x in ipairs(p) do equal(marked[i] == x[name], true) end
    end
    local whole = luo_rudy:phases {unify = "phase"}
    equal(whole[5].bytecode.options.unify, "phase")
    local last, b = whole[7].bytecode, luo_rudy:bytecode() -- applying one optimisation at a time gives the same bytecode as all together
    for _, name in ipairs {"codes", "numbers", "places", "index", "lane", "unit", "first"} do
      equal(last[name]:totable(), b[name]:totable())
    end
    local timed = M.line {cells = 3}:phases {steps = 5, dt = 0.01}
    equal(timed[7].time > 0, true)
    equal(tostring(timed):match "us a step" ~= nil, true)
    raises("m:phases: unify is 'none', expected 'warp' or 'phase'", luo_rudy.phases, luo_rudy, {unify = "none"})
    raises("'dt' needs 'steps'", luo_rudy.phases, luo_rudy, {dt = 1})
    raises("a positive number expected", luo_rudy.phases, luo_rudy, {steps = 1, dt = -1})
  end)
  it("can be read", function()
    local b = model.from_text "y = 2*x + 1\nx' = -y\nx(0) = 1":bytecode {base = true}
    equal(tostring(b:list {phase = 1}), [[
phase 1: 1 thread
 thread 0
       0  CONSTANT      2
       1  VARIABLE      x
       2  TIMES_NARY    2
       3  CONSTANT      1
       4  PLUS_NARY     2
       5  ASSIGN        y
       6  END]])
    equal(tostring(b):match "threads 1 %-> 2;" ~= nil, true)
    raises("'phase' must be a whole number from 1 to 1", b.list, b, {phase = 2})
  end)
  it("folds what never changes", function()
    local m = model.from_text "p = 2\nq = p*3\nr = q + exp(p)\ny = r*x*(p + 1)\nx' = -y\nx(0) = 1"
    local b = m:bytecode {fold = true, base = true}
    equal({b.phases, b.first:totable()}, {1, {0, 1, 3}})
    equal(tostring(b:list {phase = 1}):match "CONSTANT      3\n" ~= nil, true)
  end)
  it("splits sums of many", function()
    local out, terms = {}, {}
    for i = 1, 103 do
      out[i] = ("v%d' = -v%d\nv%d(0) = %d.1"):format(i, i, i, i)
      terms[i] = "v" .. i
    end
    local m = model.from_text(table.concat(out, "\n") .. "\ns = " .. table.concat(terms, " + ") .. "\nx' = s\nx(0) = 0")
    local whole, parts = m:bytecode {sum = false}, m:bytecode {redundant = false}
    equal({whole.phases, parts.phases}, {1, 2})
    equal(parts.first[1], 11) -- sqrt(103), rounded up
    local o = {stop = 1, dt = 0.1, steps = 5, method = "rk4"}
    both(m, o, {sum = false})
    local a = simulate(m, o)
    o.engine = "bytecode"
    local b = simulate(m, o)
    for i = 0, 5 do near(b.s[i], a.s[i], 1e-14) end
    local all, from = nil, 0 -- adds in the order that the help of m:bytecode states
    for k = 0, 10 do
      local count, part = 103 // 11 + (k < 103 % 11 and 1 or 0), nil
      for i = from + 1, from + count do part = part and part + b["v" .. i][3] or b["v" .. i][3] end
      all, from = all and all + part or part, from + count
    end
    equal(b.s[3], all)
  end)
  it("says what is wrong", function()
    local m = model.from_text "x' = 1\nx(0) = 0"
    raises("no option is called 'unfy'", m.bytecode, m, {unfy = "warp"})
    raises("unify = 'block': warp, phase or none expected", m.bytecode, m, {unify = "block"})
    raises("merge must be true or false, not a number", m.bytecode, m, {merge = 1})
    raises("cells must be a whole number", m.bytecode, m, {cells = 0})
    raises("options must be a table", m.bytecode, m, 5)
    local deep = "1/(x + " -- 40 nested ones need more than the stack's 32 values
    local wide = model.from_text("x' = " .. deep:rep(40) .. "1" .. (")"):rep(40) .. "\nx(0) = 1")
    raises("text:1: the expression needs more than 32 values on the stack", wide.bytecode, wide)
    raises("is not for engine = \"bytecode\"", simulate, m, {stop = 1, engine = "bytecode", method = "cvode"})
    raises("the bytecode belongs to another model", simulate, m, {stop = 1, engine = "bytecode", bytecode = luo_rudy:bytecode()})
    raises("'bytecode' and 'from' need engine", simulate, m, {stop = 1, bytecode = m:bytecode()})
    raises("'from' must be the result of simulate", simulate, m, {stop = 1, engine = "bytecode", from = 5})
    raises("argument phases: expected", ode_functions, m:bytecode(), buffer.new("f64", 2), 0, {phases = "x"})
  end)
end)

describe("the interpreter computes what the reference does", function()
  for _, method in ipairs {"euler", "rk4"} do
    long("of a cell, in every arrangement, by " .. method, function()
      for _, how in ipairs(ALL) do both(luo_rudy, {stop = sized(24, 24, 2), dt = 0.01, every = 1, method = method}, how) end
    end)
    it("of every instruction, by " .. method, function()
      for _, how in ipairs(ALL) do both(every(), {start = 0.25, stop = 1.25, dt = 0.01, steps = 10, method = method}, how) end
    end)
    long("of lines and rings of cells, by " .. method, function()
      for _, how in ipairs(ALL) do
        both(M.line {cells = 3}, {stop = sized(21, 5, 2), dt = 0.01, every = 1, method = method}, how)
        both(M.line {cells = 40, ring = true, stimulated = {3, 4}}, {start = 19.9, stop = 20.1, dt = 0.01, every = 0.05, method = method}, how)
      end
    end)
  end
  it("of steps that do not divide", function()
    both(luo_rudy, {stop = 1, dt = 0.009, steps = 7, method = "rk4"})
    both(model.from_text "x' = 1\nx(0) = 0", {stop = 1, dt = 5, steps = 3, method = "euler"})
  end)
  it("of a model without functions, and of one without states", function()
    both(model.load(samples .. "robertson.ode"), {stop = sized(1, 1, 0.1), dt = 1e-4, steps = 4, method = "rk4"})
    both(model.from_text "y = sin(time)\nz = 2*y", {stop = 1, dt = 0.1, steps = 4, method = "euler"})
  end)
  it("of random models", function()
    local seed = 7
    local function random(n)
      seed = (seed * 6364136223846793005 + 1442695040888963407)
      return (seed >> 33) % n
    end
    local function pick(list) return list[random(#list) + 1] end
    local function term(names, depth)
      if depth == 0 or random(4) == 0 then return random(3) == 0 and ("%d.%d"):format(random(4), random(100)) or pick(names) end
      local function sub() return term(names, depth - 1) end
      local form = random(8)
      if form < 3 then return ("(%s %s %s)"):format(sub(), pick {"+", "-", "*", "/"}, sub()) end
      if form == 3 then return ("%s(%s)"):format(pick {"sin", "cos", "tanh", "abs", "floor", "exp"}, sub()) end
      if form == 4 then return ("{%s if %s %s %s; %s otherwise}"):format(sub(), sub(), pick {"<", ">=", "==", "!="}, sub(), sub()) end
      if form == 5 then return ("%s(%s, %s, %s)"):format(pick {"min", "max", "mean"}, sub(), sub(), sub()) end
      if form == 6 then return ("{%s if %s < %s and %s > %s; %s if %s < 1}"):format(sub(), sub(), sub(), sub(), sub(), sub(), sub()) end
      local list = {}
      for i = 1, random(40) + 1 do list[i] = sub() end
      return "(" .. table.concat(list, pick {" + ", "*"}) .. ")"
    end
    for round = 1, sized(25, 25, 8) do
      local names, out = {"time", "p"}, {"p = 0.5"}
      local states = random(5) + 1
      for i = 1, states do names[#names + 1] = "s" .. i end
      for i = 1, random(12) do
        out[#out + 1] = ("f%d = %s"):format(i, term(names, 3))
        names[#names + 1] = "f" .. i
      end
      for i = 1, states do out[#out + 1] = ("s%d' = sin(%s)\ns%d(0) = 0.%d"):format(i, term(names, 3), i, random(100)) end
      local m = model.from_text(table.concat(out, "\n"))
      -- rounding on another processor may lead to another branch, so only results of the same processor are compared
      local o = {stop = 0.5, dt = 0.05, steps = 5, method = pick {"euler", "rk4"}}
      local fine, why = pcall(simulate, m, o)
      for _, how in ipairs {{base = true}, {sum = false}, {sum = false, unify = "warp"}, {sum = false, fold = true}} do
        if fine and on_cpu then both(m, o, how) end
        if not fine then
          o.engine, o.bytecode = "bytecode", m:bytecode(how)
          local ends, other = pcall(simulate, m, o)
          equal(ends, false)
          if on_cpu then equal(other:match "at time [^:]+:", why:match "at time [^:]+:") end
          o.engine, o.bytecode = nil, nil
        end
      end
    end
  end)
end)

describe("the engine", function()
  local half_time = sized(15, 15, 3)
  local whole_time = 2 * half_time
  local o = {stop = whole_time, dt = 0.01, every = 1, method = "rk4", engine = "bytecode"}
  local function with(t) return setmetatable(t, {__index = o}) end
  local function copy(t)
    local out = {}
    for k, v in pairs(o) do out[k] = v end
    for k, v in pairs(t) do out[k] = v end
    return out
  end
  it("records what is asked for", function()
    local r = simulate(luo_rudy, copy {variables = {"I_K1", "V"}})
    equal({#r.t, r.names, r.engine, r.steps}, {whole_time + 1, {"I_K1", "V"}, "bytecode", 100 * whole_time})
    equal(tostring(r):match(("by rk4 %%(bytecode%%), %d steps of 0.01"):format(100 * whole_time)) ~= nil, true)
  end)
  it("goes on where it ended", function()
    local whole = simulate(luo_rudy, copy {})
    local half = simulate(luo_rudy, copy {stop = half_time})
    local rest = simulate(luo_rudy, copy {from = half})
    equal(rest.t[0], half.t[half_time])
    for i = 0, half_time do near(rest.V[i], whole.V[half_time + i], on_cpu and 0 or 1e-12) end
  end)
  it("goes on from a checkpoint, of any row, to the same bits", function()
    local file = temporary ".ckpt"
    local line = M.line {cells = 3}
    for _, method in ipairs {"euler", "rk4"} do
      local p = {start = 19, stop = 22, dt = 0.01, every = 0.1, method = method, engine = "bytecode", variables = {"c1.V", "c3.Ca_i"}}
      local whole = simulate(line, p)
      for _, every in ipairs {1, 7, 29} do
        checkpoint(file, every)
        local r = simulate(line, p)
        checkpoint(false)
        equal({r["c1.V"]:diff(whole["c1.V"]), r.interrupted}, {0, false})
        p.from = file
        local again = simulate(line, p)
        p.from = nil
        equal({#again.t, again.steps}, {#whole.t, whole.steps})
        for _, name in ipairs(whole.names) do equal((again[name]:diff(whole[name])), 0) end
        equal((again.t:diff(whole.t)), 0)
      end
      p.from = file
      local function other(change)
        local q = {}
        for k, v in pairs(p) do q[k] = v end
        for k, v in pairs(change) do q[k] = v end
        return q
      end
      raises("its steps is 10, here it is 20", simulate, line, other {dt = 0.005})
      raises("its start is 19.0, here it is 18.0", simulate, line, other {start = 18, every = 4 / 30})
      raises("its method is " .. method, simulate, line, other {method = method == "rk4" and "euler" or "rk4"})
      raises("it has recorded other variables", simulate, line, other {variables = {"c2.V", "c3.Ca_i"}})
      raises("it is of another model, or of one compiled in another way", simulate, line, other {bytecode = line:bytecode {merge = false}})
      raises("rows", simulate, line, other {every = 0.2})
    end
    os.remove(file)
    raises("No such file", simulate, line, {stop = 1, engine = "bytecode", from = file})
  end)
  long("takes a row in pieces where it has many steps", function()
    local o = {stop = sized(200, 20, 2), dt = 0.001, method = "euler", engine = "bytecode", variables = {"V"}}
    o.steps = 2
    local pieces = simulate(luo_rudy, o) -- 100,000 steps per row
    o.steps = 200
    local rows = simulate(luo_rudy, o)
    for i = 0, 2 do equal(pieces.V[i], rows.V[100 * i]) end
    equal({pieces.steps, pieces.interrupted}, {rows.steps, false})
  end)
  it("runs many cells that differ", function()
    local values = {20, 23, 26, 1}
    local b = luo_rudy:bytecode {cells = 4}
    local V = b.code:place(select(2, luo_rudy:find "V"))
    local columns = b:run {start = 0, stop = whole_time, intervals = whole_time, dt = 0.01, method = "rk4", columns = {V}, vary = {G_Na = values}}.columns
    for c, value in ipairs(values) do
      local m = model.load(samples .. "luo-rudy-1991.ode"):set("G_Na", value)
      local r = simulate(m, copy {engine = "reference"})
      for i = 0, whole_time do near(columns[1][(c - 1) * (whole_time + 1) + i], r.V[i], on_cpu and 0 or 1e-8) end
    end
    equal(luo_rudy:parameters().G_Na, 23.0)
    raises("has 2 values, but there are 4 cells", b.start, b, {vary = {G_Na = {1, 2}}})
    raises("is neither a parameter nor a state", b.start, b, {vary = {I_Na = values}})
    raises("must have a list of values, one for each cell, not a number", b.start, b, {vary = {G_Na = 5}})
    raises("vary must be a table", b.start, b, {vary = 5})
  end)
  it("leaves the model as it was where cells differ", function()
    local m = model.from_text "k = 2\ny' = -k*y\ny(0) = k + 1"
    local b = m:bytecode {cells = 3}
    local y, k = b.code:place(select(2, m:find "y")), b.code:place(select(2, m:find "k"))
    local x = b:start {vary = {k = buffer.new("f64", {4, 5, 6}), y = {7, 8, 9}}}
    for c = 0, 2 do equal({x[k * 3 + c], x[y * 3 + c]}, {4.0 + c, 7.0 + c}) end
    x = b:start {vary = {k = {4, 5, 6}}}
    for c = 0, 2 do equal(x[y * 3 + c], 5.0 + c) end
    raises("k of cell 1 must be a number, not a string", b.start, b, {vary = {k = {1, "x", 2}}})
    equal(m:parameters().k, 2.0)
    m:set("k", 10)
    equal(m:first()[select(2, m:find "y") - 1], 11.0) -- y's equation is still k + 1
  end)
  it("refuses sizes that are none", function()
    local m = model.from_text "y' = -y\ny(0) = 1"
    for _, cells in ipairs {1 << 62, 1 << 61, 1 << 40, math.mininteger} do
      raises(cells > 0 and ("m:bytecode: cells is %d, expected at most "):format(cells) or "a whole number from 1", m.bytecode, m,
        {cells = cells})
    end
    raises("start must be a number, not a string", m.bytecode, m, {start = "x"})
    local function run(o)
      o.engine, o.method, o.stop, o.dt = "bytecode", "euler", o.stop or 1, o.dt or 0.1
      return simulate(m, o)
    end
    raises("stop must be a finite number", run, {stop = math.huge})
    raises("dt must be a finite number", run, {dt = math.huge})
    raises("start must be a finite number", run, {start = -math.huge})
    raises("with steps of dt = 1e-300 are too many", run, {dt = 1e-300})
    raises("8589934593 rows with steps of dt = 0.1 are too many", run, {steps = 1 << 33})
    raises("steps must be a whole number from 1 to 10^12, not inf", run, {steps = math.huge})
    raises("'bytecode' must be the result of m:bytecode{...}", run, {bytecode = true})
    local half = run {}
    raises("the run in 'from' ended at 1, so this run starts there, not at start = 0", run, {from = half, start = 0, stop = 2})
    local b = m:bytecode()
    raises("'phase' must be left out, because this bytecode has no phase of functions, or \"states\"", b.list, b, {phase = 1.5})
    raises("thread must be a whole number from 0 on", b.list, b, {thread = -1})
    raises("options must be a table", b.list, b, 5)
  end)
  it("names time, variable and equation where a value ends", function()
    raises("at time 0.1, with x = 1 before this step: x is not a number: d x/dt = y (text:1)", simulate, model.from_text "x' = y\ny = ln(-1 - x)\nx(0) = 1",
      {stop = 5, dt = 0.1, steps = 5, method = "euler", engine = "bytecode"})
    for _, dt in ipairs {0.5, 1} do -- dt = 1 makes one step per row
      raises(("at time %g, with x = 1e+200 before this step: x is beyond the largest number"):format(dt), simulate, model.from_text "x' = x*x\nx(0) = 1e200",
        {stop = 4, dt = dt, steps = 4, method = "euler", engine = "bytecode"})
    end
    for _, method in ipairs {"euler", "rk4"} do
      local m = model.from_text "x' = x^2\ny' = x\nx(0) = 1\ny(0) = 0"
      local p = {stop = 4, dt = 0.125, steps = 4, method = method}
      local _, want = pcall(simulate, m, p)
      p.engine = "bytecode"
      local _, got = pcall(simulate, m, p)
      equal(got:match "at time .-: %a", want:match "at time .-: %a")
    end
  end)
  it("names the first few states that are lost, and says how many there are", function()
    local m = model.from_text "x' = x*x\ny' = -y\nz' = x*x\nx(0) = 1e200\ny(0) = 1\nz(0) = 0"
    local cells = m:bytecode {cells = 4, fold = false}
    local o = {start = 0, stop = 4, intervals = 4, dt = 0.5, columns = {0}, vary = {x = {1, 1e200, 1, 1e200}}}
    for _, method in ipairs {"euler", "rk4"} do
      raises("; 2 states are not finite in this step: x, z", simulate, m, {stop = 4, dt = 0.5, steps = 4, method = method, engine = "bytecode"})
      o.method = method
      raises("x of cell 1 is beyond the largest number", cells.run, cells, o)
      raises("; 4 states are not finite in this step, in 2 of 4 cells: x of cell 1, x of cell 3, z of cell 1, z of cell 3", cells.run, cells, o)
    end
    raises("; 2 states are not finite in this step: x, z", simulate, m, {stop = 4, steps = 4, method = "dopri5", engine = "bytecode"})
    o.method, o.vary, o.rtol, o.atol = "dopri5", nil, 1e-6, 1e-6
    raises("x of cell 0 is not a finite number", cells.run, cells, o)
    raises("; 8 states are not finite in this step, in 4 of 4 cells: x of cell 0, x of cell 1, x of cell 2, x of cell 3, z of cell 0, ...",
      cells.run, cells, o)
    local one = model.from_text "x' = x*x\nx(0) = 1e200"
    local _, message = pcall(simulate, one, {stop = 4, dt = 0.5, steps = 4, method = "euler", engine = "bytecode"})
    equal(message:match 'method = "cvode"%)(.*)$', "")
    local slow = model.from_text "x' = -1/x\ny' = -1/y\nx(0) = 1\ny(0) = 1"
    o = {stop = 2, steps = 4, method = "dopri5", engine = "bytecode"}
    raises("is still too long for the tolerance, because of x = ", simulate, slow, o)
    raises("look at this equation; 2 states change too fast: x, y", simulate, slow, o)
  end)
  it("steps as it runs free", function()
    local m = M.line {cells = 3}
    local free = simulate(m, {stop = 0.04, dt = 0.01, steps = 2, method = "rk4", engine = "bytecode"})
    local b = m:bytecode()
    local x, x_next = b:start()
    local begin, rate, dt = buffer.new("f64", b.vars), buffer.new("f64", b.vars), buffer.new("f64", {0.01})
    for _ = 1, 4 do
      for stage = 0, 3 do
        ode_states_rk4(b, {x = x, x_next = x_next, begin = begin, rate = rate, dt = dt, stage = stage})
        prim.swap(x, x_next)
        for phase = 0, b.phases - 1 do ode_functions(b, {x = x, phase = phase}) end
      end
    end
    for _, name in ipairs(free.names) do
      equal(x[b.code:place(select(2, m:find(name)))], free[name][2])
    end
  end)
  it("stays within its arrays, whatever the bytecode says", function()
    local b = luo_rudy:bytecode()
    local x, x_next = b:start()
    local seed = 99
    for round = 1, 200 do
      for i = 0, b.words - 1 do
        seed = seed * 6364136223846793005 + 1442695040888963407
        local operand = round % 2 == 0 and (seed >> 40) % 64 or seed >> 33
        b.codes[i] = operand << 32 | ((seed >> 24) & 0xff) % (round % 3 == 0 and 256 or 70)
      end
      for phase = 0, b.phases - 1 do ode_functions(b, {x = x, phase = phase}) end
      ode_states_euler(b, {x = x, x_next = x_next, dt = buffer.new("f64", {0.1})})
    end
    fill(b.index, 12345678)
    fill(b.lane, 0xffffffff)
    ode_functions(b, {x = x, phase = 0})
    fill(b.first, 0xfffffff0)
    ode_functions(b, {x = x, phase = 0})
    raises("argument phase: phase is 5, expected an index, below phases = 2", ode_functions, b, {x = x, phase = 5})
    ode_functions(b, {x = buffer.new("f64", 0), phase = 0, vars = 0})
  end)
end)

-- Published models: if bytecode supports a model, it gives the reference's results.
local function of_others(path, o)
  local m = model.load(path)
  local fine, b = pcall(m.bytecode, m)
  if not fine then
    assert(tostring(b):find "the bytecode has no", b)
    return 0
  end
  for _, method in ipairs {"euler", "rk4"} do
    o.method = method
    o.engine, o.bytecode = nil, nil
    local ran, want = pcall(simulate, m, o)
    o.engine, o.bytecode = "bytecode", m:bytecode {sum = false, unify = method == "rk4" and "warp" or "phase"}
    local also, got = pcall(simulate, m, o)
    equal(also, ran)
    if ran then
      same(want, got, 1e-6)
      equal(got.events, want.events)
    elseif on_cpu then
      equal(got:match "at time [^:]+:", want:match "at time [^:]+:")
    end
  end
  return 1
end

if M.sbml and M.there "sbml/index.tsv" then
  describe("SBML", function()
    it("runs as bytecode", function()
      local taken = 0
      for line in io.lines(M.DATA .. "/sbml/index.tsv") do
        local tier, case, level = line:match "(T%d)\t(%d+)\t(%S+)"
        if tier then
          taken = taken + of_others(("%s/sbml/%s/%s/%s-sbml-%s.xml"):format(M.DATA, tier, case, case, level), {stop = 10, dt = 0.1, steps = 20})
        end
      end
      print(("%d of the cases are bytecode"):format(taken))
      assert(taken > 100, taken)
    end)
  end)
end
if M.xml and M.there "models/luo-rudy-1991.md" then
  describe("PHML and CellML", function()
    for _, name in ipairs {"single-Luo_Rudy_1991_model.phml", "LR1-ring_reentry_initiate.isml", "luo_rudy_1991.cellml", "single-FHN_model.phml",
      "HodgkinHuxley_1952_neuron_model.phml", "ringed_Beeler_Reuter_1977_model_with_static_instance.phml"} do
      it(name, function() of_others(M.DATA .. "/models/" .. name, {stop = 0.2, dt = 0.01, steps = 5}) end)
    end
  end)
end
