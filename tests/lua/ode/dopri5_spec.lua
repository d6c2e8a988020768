-- Dormand and Prince's method by bytecode, compared with the reference, CVODE and known solutions.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near = M.near
local on_cpu = device().processor == "cpu"
local luo_rudy = model.load(M.samples .. "luo-rudy-1991.ode")
local engines = {"bytecode", os.execute "cc --version > /dev/null 2>&1" and "translator" or nil}

local function run(m, o, engine)
  local p = {method = "dopri5", engine = engine}
  for name, x in pairs(o) do p[name] = x end
  return simulate(type(m) == "string" and model.from_text(m) or m, p)
end

-- The largest difference between a's and b's values of a variable, relative to scale + |b's value|.
local function off(a, b, name, scale)
  local most = 0
  for i = 0, #a.t - 1 do most = math.max(most, math.abs(a[name][i] - b[name][i]) / (scale + math.abs(b[name][i]))) end
  return most
end

describe("dopri5 by bytecode", function()
  for _, engine in ipairs(engines) do
    it("takes the reference's steps where equations are smooth, " .. engine, function()
      local m = model.load(M.samples .. "lotka-volterra.ode")
      local o = {stop = 40, steps = 37, rtol = 1e-8, atol = 1e-10}
      local a, b = run(m, o), run(m, o, engine)
      equal({b.engine, b.method, b.steps, b.refused, b.dt, #b.t}, {engine, "dopri5", a.steps, a.refused, 0.0, 38})
      equal({a.engine, a.steps > 100, a.refused > 0}, {"reference", true, true})
      for _, name in ipairs(a.names) do equal(off(b, a, name, 1) < 1e-11, true) end
      for i = 0, 37 do near(b.t[i], a.t[i], 0) end
    end)
    it("gives rows and functions between steps, " .. engine, function() -- y = cos t, with far fewer rows than steps, and with far more
      for _, rows in ipairs {1, 1000} do
        local r = run("x' = -y\ny' = x\nx(0) = 0\ny(0) = 1\nz = x*x + y*y + time", {stop = 6, steps = rows, rtol = 1e-9}, engine)
        for i = 0, rows do
          near(r.y[i], math.cos(r.t[i]), 0, 1e-7)
          near(r.z[i], 1 + r.t[i], 0, 1e-7)
          near(r.z[i], r.x[i]^2 + r.y[i]^2 + r.t[i], 1e-15)
        end
        equal(r.t[rows], 6.0)
        equal(r.steps < 200, true)
      end
    end)
    it("steps over no stimulus, " .. engine, function()
      near(run("x' = {1 if time >= 5 and time < 5.0002; 0 otherwise}\nx(0) = 0", {stop = 10, steps = 3}, engine).x[3], 0.0002, 1e-9)
      local pulses = "since = time - 2*floor(time/2)\nx' = {1 if since < 0.01; 0 otherwise}\nx(0) = 0\nhigh = {1 if since < 0.01; 0 otherwise}"
      local r = run(pulses, {stop = 128, steps = 64}, engine)
      near(r.x[64], 0.64, 1e-6)
      for i = 0, 64 do near(r.high[i], 1, 0) end -- a row at the time of a change has the new value, as in the reference
      near(run("x' = {1 if x < 2; 0.5 otherwise}\nx(0) = 0", {stop = 6}, engine).x[100], 4, 1e-6)
    end)
    it("computes a cell of the heart as the reference and CVODE do, " .. engine, function()
      local stop = sized(60, 60, 4)
      local o = {stop = stop, steps = stop, variables = {"V", "Ca_i", "I_Na"}, rtol = 1e-10}
      local r = run(luo_rudy, o, engine)
      for _, method in ipairs {"dopri5", M.cvode and "cvode" or nil} do
        o.method, o.rtol = method, 1e-12
        local want = simulate(luo_rudy, o)
        equal({method, off(r, want, "V", 1) < 2e-6, off(r, want, "Ca_i", 1e-4) < 2e-6}, {method, true, true})
      end
      local line = M.line {cells = 5}
      stop = sized(30, 30, 4)
      o = {stop = stop, steps = stop, variables = {"c1.V", "c5.V"}, rtol = 1e-10, method = M.cvode and "cvode" or "dopri5"}
      local of_line, want = run(line, {stop = stop, steps = stop, variables = {"c1.V", "c5.V"}, rtol = 1e-10}, engine), simulate(line, o)
      equal(off(of_line, want, "c1.V", 1) < 1e-4 and off(of_line, want, "c5.V", 1) < 1e-4, true)
    end)
    it("goes on from where a run ended, " .. engine, function()
      local m = model.from_text "x' = -y\ny' = x\nx(0) = 0\ny(0) = 1"
      local half = run(m, {stop = 3, steps = 3}, engine)
      local rest = run(m, {stop = 6, steps = 3, from = half}, engine)
      for i = 0, 3 do near(rest.y[i], math.cos(3 + i), 0, 1e-7) end
    end)
  end
  it("scales the tolerance of amounts in a small compartment", function()
    if not M.sbml then return end
    local path = temporary ".xml"
    local f = io.open(path, "w")
    f:write [[<sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" level="3" version="1"><model timeUnits="second">
<listOfCompartments><compartment id="c" size="1e-12" spatialDimensions="3" constant="true"/></listOfCompartments>
<listOfSpecies><species id="S" compartment="c" initialConcentration="1" hasOnlySubstanceUnits="false" boundaryCondition="false" constant="false"/></listOfSpecies>
<listOfReactions><reaction id="r" reversible="false" fast="false"><listOfReactants><speciesReference species="S" stoichiometry="1" constant="true"/></listOfReactants>
<kineticLaw><math xmlns="http://www.w3.org/1998/Math/MathML"><apply><times/><ci>c</ci><ci>S</ci></apply></math></kineticLaw></reaction></listOfReactions></model></sbml>]]
    f:close()
    local m = model.load(path)
    os.remove(path)
    local o = {stop = 5, steps = 5, rtol = 1e-8, atol = 1e-10, concentration = {"S"}}
    local a, b = run(m, o), run(m, o, "bytecode")
    equal(a.steps, b.steps)
    near(b.S[5], math.exp(-5), 1e-6)
  end)
  it("runs several cells as one system", function()
    local m = model.from_text "k = 1\nx' = -k*x\nx(0) = 1"
    local b = m:bytecode {cells = 2}
    local r = b:run {start = 0, stop = 2, intervals = 2, method = "dopri5", rtol = 1e-9, atol = 1e-12, columns = {b.code:place(2), b.vars - 1}}
    for c = 0, 1 do near(r.columns[1][3*c + 2], math.exp(-2), 1e-7) end
  end)
  it("steps, row by row of the loop, as it runs free", function()
    local m = M.line {cells = 2}
    local o = {stop = 0.5, steps = 3, rtol = 1e-6, atol = 1e-12}
    local free = run(m, o, "bytecode")
    local b = m:bytecode()
    local r = run(m, {stop = 0.5, steps = 3, rtol = 1e-6, atol = 1e-12, bytecode = b}, "bytecode")
    equal((r["c1.V"]:diff(free["c1.V"])), 0)
    local x, x_next = b:start()
    local n = b.vars
    local places, scale = {}, buffer.new("f64", n)
    fill(scale, 1)
    for i = 1, m.variables do if m:variable(i).role == "state" then places[#places + 1] = b.code:place(i) end end
    local s = {begin = x:copy(), slopes = buffer.new("f64", 7*n), error = buffer.new("f64", n), scale = scale, x_row = x:copy(),
      pace = buffer.new("f64", {0, 0, 0, math.huge, 0.005, 0, 0.5, 1e-6, 1e-12}), progress = buffer.new("u32", {1, 0, 3, 0, 1, 0}),
      state_of = buffer.new("u32", places), states = #places, sums = buffer.new("f64", 768), parts = 256, rows = 4, columns = 1,
      column = buffer.new("u32", {0}), record = buffer.new("f64", 4), vars = n, cells = 1}
    for name, value in pairs(b) do if s[name] == nil then s[name] = value end end
    local function functions(on) for phase = 0, b.phases - 1 do ode_functions(b, {x = on, phase = phase}) end end
    local function states(stage)
      s.x, s.x_next, s.stage = x, x_next, stage
      ode_states_dopri5(bundle(s))
    end
    ode_resume(bundle(s), {x = x})
    functions(x)
    states(0)
    ode_first_sums(bundle(s))
    ode_first_length(bundle(s), {pass = 0})
    states(0)
    prim.swap(x, x_next)
    functions(x)
    states(1)
    ode_first_sums(bundle(s))
    ode_first_length(bundle(s), {pass = 1})
    s.pace[3] = 0.5
    local steps, left = 0, 1
    while left > 0 do
      for stage = 0, 5 do
        states(stage)
        prim.swap(x, x_next)
        functions(x)
      end
      states(6)
      ode_error_sums(bundle(s))
      local accepted, rejected, more, failed = ode_step_control(bundle(s))
      equal({accepted + rejected, failed}, {1, 0})
      left = more
      if accepted > 0 then
        steps = steps + 1
        while ode_row_state(bundle(s), {x = x}) > 0 do
          functions(s.x_row)
          ode_record_row(bundle(s))
          ode_row_done(bundle(s))
        end
        ode_accept(bundle(s), {x = x})
      end
    end
    equal({steps, s.progress[0]}, {free.steps, 4})
    for i = 1, m.variables do
      local v = m:variable(i)
      if v.role == "state" then equal(s.x_row[b.code:place(i)], free[v.name][3]) end
    end
  end)
  long("goes on from a checkpoint to the same bits", function()
    local o = {stop = 60, steps = 20, variables = {"V"}, rtol = 1e-7}
    local whole = run(luo_rudy, o, "bytecode")
    local file = temporary ".ckpt"
    for _, every in ipairs {1, 40} do
      checkpoint(file, every)
      run(luo_rudy, o, "bytecode")
      checkpoint(false)
      o.from = file
      local r = run(luo_rudy, o, "bytecode")
      o.from = nil
      equal({(r.V:diff(whole.V)), r.steps}, {0, whole.steps})
    end
    raises("expected schema ode, found ode_steps", simulate, luo_rudy, {stop = 60, steps = 20, dt = 3, method = "rk4", from = file,
      engine = "bytecode", variables = {"V"}})
    os.remove(file)
  end)
  it("names time, variable and equation where it goes no further", function()
    raises("because of x = ", run, "x' = -1/x\nx(0) = 1", {stop = 2}, "bytecode")
    raises("d x/dt = -1/x (text:1); try method = \"cvode\"", run, "x' = -1/x\nx(0) = 1", {stop = 2}, "bytecode")
    raises("at time 0, with x = 1 before this step: x is not a finite number: d x/dt = y (text:3)", run, "z' = 1\nz(0) = 0\nx' = y\ny = ln(-1 - x)\nx(0) = 1",
      {stop = 2}, "bytecode")
    raises("at time 0.99999", run, "x' = x^2\nx(0) = 1", {stop = 2}, "bytecode")
  end)
  it("leaves to the reference what it has not", function()
    for _, text in ipairs {"x' = 1\nx(0) = 0\nwhen x > 1: x = 0", "y = time", "x' = -delay(x, 1)\nx(0) = 1"} do
      equal(run(text, {stop = 2}, "bytecode").engine, "reference")
    end
    local m = model.from_text "x' = 1\nx(0) = 0\nwhen x > 1: x = 0"
    raises("with dopri5 the bytecode has no events: use engine", run, m, {stop = 2, bytecode = m:bytecode()}, "bytecode")
    raises("rtol and atol must be positive", run, luo_rudy, {stop = 2, rtol = 0}, "bytecode")
    raises("which has euler, rk4 and dopri5", simulate, luo_rudy, {stop = 1, engine = "bytecode", method = "cvode"})
  end)
end)

describe("reference.breaks", function()
  it("finds when conditions on time change", function()
    local b = reference.breaks(model.from_text "a = 2\nx' = {1 if time >= a and time < a + 1; 0 otherwise}\nx(0) = 0", 0, 10)
    equal(b.after, {2.0, 3.0})
    for i = 1, 2 do equal(b.before[i] < b.after[i] and (b.before[i] + b.after[i]) / 2 == b.before[i] or b.after[i] - b.before[i] < 1e-15, true) end
    equal(b.conditions, true)
    b = reference.breaks(model.from_text "x' = {1 if x < 1; 0 otherwise}\nx(0) = 0", 0, 10)
    equal({#b.after, b.conditions}, {0, true})
    b = reference.breaks(model.from_text "x' = x\nx(0) = 0", 0, 10)
    equal({#b.after, b.conditions}, {0, false})
    raises("two times expected", reference.breaks, luo_rudy, 1, 1)
  end)
  it("by functions of time, and before the first number", function()
    local b = reference.breaks(model.from_text "p = time - 4*floor(time/4)\nq = 2*p\nx' = {1 if q > 0; 0 otherwise}\nx(0) = 0", 0, 10)
    equal({#b.after, b.before[1], b.after[1] < 1e-300}, {5, 0.0, true}) -- just after time 0; at 4 and just after it; at 8 and just after it
    near(b.after[4], 8, 1e-15)
  end)
end)
