-- The reference engine for differential equations: methods, events, delays, noise, results.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near, ends, samples = M.near, M.ends, M.samples
local methods = {"euler", "rk4", table.unpack(M.adaptive)}

describe("the absolute tolerance that is not given", function()
  it("follows from first values, in single runs as in ensembles", function()
    for _, scale in ipairs {1, 1e-6, 1e-12, 1e-20} do
      local m = model.from_text(("x' = y\ny' = -x\nx(0) = %g\ny(0) = 0"):format(scale))
      for _, o in ipairs {{method = "dopri5"}, {method = reference.has_cvode and "cvode" or "dopri5"}, {method = "dopri5", engine = "bytecode"},
        {instances = 1}} do
        o.stop, o.steps, o.rtol = 10, 1, 1e-7
        equal(math.abs(simulate(m, o).x[1] / scale - math.cos(10)) < 1e-4, true)
      end
    end
  end)
  it("must be above 0 where it is given", function()
    raises("rtol and atol must be positive", simulate, model.from_text "x' = 1\nx(0) = 0", {stop = 1, atol = 0, method = "dopri5"})
  end)
end)

describe("methods", function()
  it("take the steps that their books say", function() -- x' = -x with x(0) = 1, two steps of 0.5
    local function of(method) return ends("x' = -y\ny = x\nx(0) = 1", 1, method, "x", {dt = 0.5}) end
    equal(of "euler", 0.25)
    near(of "rk4", (1 - 0.5 + 0.5^2/2 - 0.5^3/6 + 0.5^4/24)^2, 1e-15)
  end)
  it("have their orders", function()
    local function err(method, dt) return math.abs(ends("x' = -x*time\nx(0) = 1", 1, method, "x", {dt = dt}) - math.exp(-0.5)) end
    near(err("euler", 0.01) / err("euler", 0.005), 2, 0.05)
    near(err("rk4", 0.02) / err("rk4", 0.01), 16, 0.1)
  end)
  it("keep what predators and prey keep", function()
    local m = model.load(samples .. "lotka-volterra.ode")
    local function kept(x, y) return 0.05*x - math.log(x) + 0.1*y - 1.5*math.log(y) end
    for _, method in ipairs(M.adaptive) do
      local r = simulate(m, {stop = 40, steps = 40, method = method})
      for i = 0, 40 do near(kept(r.x[i], r.y[i]), kept(10, 5), 1e-6) end
    end
  end)
  if M.cvode then
    it("solve Robertson's stiff reactions", function() -- values at t = 40, Hairer and Wanner II, IV.10
      local r = simulate(model.load(samples .. "robertson.ode"), {stop = 40, steps = 1, method = "cvode"})
      near(r.A[1], 0.7158270688, 1e-6)
      near(r.B[1], 0.9185534765e-5, 1e-6)
      near(r.A[1] + r.B[1] + r.C[1], 1, 1e-9)
    end)
  end
  it("give every row at its time", function()
    for _, method in ipairs(methods) do
      local r = simulate(model.from_text "x' = 1\nx(0) = 0\ny = 2*x", {start = 0, stop = 1, steps = 8, dt = 0.01, method = method})
      for i = 0, 8 do
        near(r.t[i], i / 8, 1e-12)
        near(r.x[i], i / 8, 1e-9)
        near(r.y[i], i / 4, 1e-9)
      end
      equal({r.method, r.engine, #r.t}, {method, "reference", 9})
    end
  end)
  it("name time, variable and equation where a value ends", function()
    raises("at time 0.6", ends, "x' = {1 if time < 0.495; 1/(time - time) otherwise}\nx(0) = 0", 1, "euler", "x", {dt = 0.1})
    raises("x is not a number: d x/dt = y (text:1); the first such value is in y = ln(-1 - x) (text:2)", ends,
      "x' = y\ny = ln(-1 - x)\nx(0) = 0", 1, "rk4", "x", {dt = 0.1})
    raises("is still too long for the tolerance, because of x", ends, "x' = -1/x\nx(0) = 1", 2, "dopri5")
    for _, method in ipairs(M.adaptive) do raises("at time 0.99999", ends, "x' = x^2\nx(0) = 1", 2, method) end
    raises("beyond the largest number", ends, "x' = x^2\nx(0) = 1e200", 2, "euler")
    for _, engine in ipairs {"reference", "bytecode"} do
      raises('(rk4 with steps of 0.1: try a smaller dt, or method = "cvode")', simulate, model.load(model.sample "robertson"),
        {stop = 40, dt = 0.1, method = "rk4", engine = engine})
    end
  end)
  it("name the equation whose rate is not a number, not one that needs it", function()
    local says = {cvode = "the rate of y is not a number: ", dopri5 = "the rate of y is not a number: ", rk4 = "; the first such value is in ",
      euler = "y is not a number: "}
    for method, what in pairs(says) do
      local first = "z' = -1000*z + y\nz(0) = 1\n"
      raises(what .. "d y/dt = ln(-x) (text:3)", ends, first .. "y' = ln(-x)\ny(0) = 0\nx' = 1\nx(0) = 1", 2, method, "y", {dt = 1e-3})
      raises(method == "rk4" and what .. "q = sqrt(1 - x) (text:5)" or what .. "d y/dt = q (text:3); the first such value is in q = sqrt(1 - x) (text:5)", ends,
        first .. "y' = q\ny(0) = 0\nq = sqrt(1 - x)\nx' = 1\nx(0) = 0", 2, method, "y", {dt = 1e-3})
    end
  end)
  it("keep to the tolerance where conditions change", function() -- MEMBRANE and SWITCH of ensemble_precision_spec.lua
    local membrane = "v' = -v*(v - 0.139)*(v - 1) - w + {2 if time >= 10 and time <= 10.1; 0 otherwise}\n" ..
      "w' = 0.008*(v - 2.54*w)\nv(0) = 0\nw(0) = 0"
    local switch = "v' = {1 + v if v < 2; 0.1*v otherwise}\nv(0) = 0"
    for _, rtol in ipairs {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8} do
      near(ends(membrane, 56, "dopri5", "v", {rtol = rtol, atol = 1e-3 * rtol}), 0.245423691, 10 * rtol)
      near(ends(switch, 3, "dopri5", "v", {rtol = rtol, atol = 1e-3 * rtol}), 2 * math.exp(0.1 * (3 - math.log(3))), 10 * rtol)
    end
  end)
  it("find where conditions change", function() -- the input has a pulse that is much shorter than a step
    for _, method in ipairs(M.adaptive) do
      near(ends("x' = {1 if time >= 5 and time < 5.4; 0 otherwise}\nx(0) = 0", 10, method), 0.4, 1e-7)
      near(ends("x' = {1 if x < 2; 0.5 otherwise}\nx(0) = 0", 6, method), 4, 1e-8)
    end
  end)
end)

describe("events", function()
  it("fire when their trigger becomes true", function()
    for _, method in ipairs(M.adaptive) do
      near(ends("x' = 1\nx(0) = 0\nwhen x > 1: x = 0", 2.5, method), 0.5, 1e-8)
      near(ends("x' = 1\nx(0) = 0\nwhen x > 1 after 0.25: x = 0", 2, method), 0.75, 1e-8)
      near(ends("x' = 0*time\nx(0) = 0\nwhen time >= 1: x = x + 1", 2, method), 1, 0)
    end
    near(ends("x' = 1\nx(0) = 0\nwhen x > 0.999: x = 0", 1.5, "euler", "x", {dt = 0.01}), 0.5, 1e-9)
  end)
  it("leave rows before them as they were", function() -- the condition is true up to and including time 2
    local r = simulate(model.from_text "y = {1 if time <= 2; 0 otherwise}\nx' = y\nx(0) = 0\nn = 0\nwhen time >= 1: n = 1",
      {stop = 4, steps = 4, method = "dopri5", variables = {"y", "n"}})
    equal({r.y:totable(), r.n:totable()}, {{1.0, 1.0, 1.0, 0.0, 0.0}, {0.0, 1.0, 1.0, 1.0, 1.0}})
  end)
  it("not where it is true from the start", function()
    equal(ends("x' = 0*time\nx(0) = 0\nwhen time >= 0: x = 1", 2, "dopri5"), 0.0)
  end)
  it("in turn, a ball that bounces", function() -- each height is 0.81 of the one before; exact times of the first three bounces
    local r = simulate(model.from_text "h' = v\nv' = -10\nh(0) = 5\nv(0) = 0\nn = 0\nwhen h < 0: h = 0, v = -0.9*v, n = n + 1",
      {stop = 6, steps = 60, method = "dopri5", variables = {"h", "n"}})
    equal({r.n[9], r.n[11], r.n[27], r.n[29], r.n[44], r.n[45]}, {0.0, 1.0, 1.0, 2.0, 2.0, 3.0})
    equal(r.events, 4)
  end)
  long("and conditions that change without end are named", function()
    local slides = "y = {-1 if x > 0; 1 otherwise}\nx' = y\nx(0) = 1"
    local falls = "h' = v\nv' = -10\nh(0) = 5\nv(0) = 0\nwhen h < 0: h = 0, v = -0.5*v" -- infinitely many bounces before time 3
    for _, method in ipairs(M.adaptive) do
      raises("text:1: at time 1.000", simulate, model.from_text(slides), {stop = 20, method = method})
      raises("the simulation cannot go on: a condition changes without end in y = {-1 if x > 0; 1 otherwise}", simulate,
        model.from_text(slides), {stop = 20, method = method})
      raises("the simulation cannot go on: the trigger of event 1 changes without end", simulate, model.from_text(falls),
        {stop = 20, method = method})
    end
  end)
  it("but not a trigger that stays true", function() -- the trigger is true from time 0.5 on; x makes the steps short from time 1 on
    raises("the simulation cannot go on: its steps are so short that it would take more than 10^11 of them", simulate,
      model.from_text "x' = -x/abs(x)\nx(0) = 1\ny' = 1\ny(0) = 0\nz = 0\nwhen y > 0.5: z = 1", {stop = 10, method = "cvode"})
  end)
  long("and steps that cross a pole to and fro are given up", function() -- x is 0 at time 0.005, where its rate is unbounded
    local m = model.from_text "x' = -1/x\nx(0) = 0.1"
    for _, engine in ipairs {"reference", "bytecode"} do
      raises("the simulation cannot go on: its steps are so short that it would take more than 10^11 of them", simulate, m,
        {stop = 10, rtol = 1e-4, method = "dopri5", engine = engine, bytecode = engine == "bytecode" and m:bytecode() or nil})
    end
    raises("text: at time 0.500", simulate, model.from_text "x' = -1/x\nx(0) = 1", {stop = 10, rtol = 1e-4, method = "dopri5"})
  end)
  it("that never end are an error", function()
    raises("events trigger each other without end", ends,
      "a = 0\nb = 0\nx' = 1\nx(0) = 0\nwhen x > 1 and a == b: a = a + 1\nwhen x > 1 and a > b: b = b + 1", 2, "dopri5")
  end)
end)

describe("delays", function()
  it("take the value that was", function() -- x' = -x(t - 1) with x = 1 before time 0: x is 1 - t, then a parabola
    for _, method in ipairs {"rk4", table.unpack(M.adaptive)} do
      local text = "x' = -delay(x, 1)\nx(0) = 1"
      near(ends(text, 1, method, "x", {dt = 0.001}), 0, 0, 1e-6)
      near(ends(text, 2, method, "x", {dt = 0.001}), -0.5, 1e-3)
    end
    near(ends("y = delay(2*time + 1, 0.5)\nx' = 0\nx(0) = 0", 2, "dopri5", "y"), 4, 1e-6)
    near(ends("y = delay(time^2, 0)\nx' = 0\nx(0) = 0", 2, "dopri5", "y"), 4, 1e-9)
  end)
end)

describe("random numbers", function()
  local noisy = "x' = wiener()\nx(0) = 0\nu = uniform(2, 4)\ng = gauss(1, 2)\ne = exponential(0.25)\np = poisson(4)\nq = gamma(2, 3)\n" ..
    "l = lognormal(0, 0.5)\nw = weibull(1, 2)"
  local o = {stop = 200, dt = 0.01, every = 0.01, method = "euler", seed = 7}
  it("come from the seed", function()
    local m = model.from_text(noisy)
    local a, b = simulate(m, o), simulate(m, o)
    equal(a.x:totable(), b.x:totable())
    o.seed = 8
    equal(simulate(m, o).x[100] == a.x[100], false)
    o.seed = 7
  end)
  it("have their means and variances", function()
    local r = simulate(model.from_text(noisy), o)
    local n = #r.t
    local function mean(b) return b:sum() / n end
    near(mean(r.u), 3, 0.01)
    near(mean(r.g), 1, 0.06)
    near(mean(r.e), 4, 0.04)
    near(mean(r.p), 4, 0.03)
    near(mean(r.q), 6, 0.04)
    near(mean(r.l), math.exp(0.125), 0.03)
    near(mean(r.w), 0.886227, 0.03)
    local squares = 0
    for i = 1, n - 1 do squares = squares + (r.x[i] - r.x[i - 1])^2 end
    near(squares / 200, 1, 0.05) -- the quadratic variation of a Wiener process equals the elapsed time
  end)
  it("need steps of one length", function()
    raises("random numbers", ends, noisy, 1, "dopri5")
  end)
end)

describe("checkpoints", function()
  it("are not saved, which is said before the run", function()
    local file, m = temporary ".ckpt", model.from_text "x' = y\nx(0) = 0\ny = time"
    checkpoint(file, 3)
    for _, o in ipairs {{}, {method = "rk4"}, {method = "dopri5"}, {engine = "reference", dt = 0.1}} do
      o.stop = 1
      raises('engine = "reference" saves no checkpoint', simulate, m, o)
    end
    equal({session.saves()}, {file, 3})
    checkpoint(file)
    equal({session.saves()}, {file})
    checkpoint(false)
    equal({session.saves()}, {})
    equal(io.open(file), nil)
    raises("'bytecode' and 'from' need engine = \"bytecode\"", simulate, m, {stop = 1, from = file})
  end)
end)

describe("results", function()
  it("are written as CSV, time first", function()
    local r = simulate(model.from_text "x' = 1\nx(0) = 0\ny = 2*x", {stop = 1, steps = 2, dt = 0.5, method = "euler", variables = {"y", "x"}})
    local path = temporary(".csv")
    r:save(path)
    local f = io.open(path)
    local text = f:read("a")
    f:close()
    os.remove(path)
    equal(text, "time,y,x\n0,0,0\n0.5,1,0.5\n1,2,1\n")
    path = temporary(".npy")
    r:save(path)
    local b <close> = buffer.load(path)
    os.remove(path)
    equal({b.rows, b.cols, b:get(1, 0), b:get(1, 1), b:get(2, 2)}, {3, 3, 0.5, 1.0, 1.0})
    raises("in a file whose name ends in .csv or .npy", r.save, r, "x.xlsx")
  end)
  it("tell what they are", function()
    local r = simulate(model.from_text "x' = 1\nx(0) = 0", {stop = 1, dt = 0.1, method = "rk4", steps = 10})
    equal(tostring(r):match("^[^\n]+"), "11 rows of 1 variable, time 0 to 1, by rk4 (reference), 10 steps of 0.1")
    r = simulate(model.from_text("a_variable_with_a_name_of_its_own' = -0.0001234567*time\na_variable_with_a_name_of_its_own(0) = -1e-100"),
      {stop = 1, dt = 0.01, method = "rk4"})
    local lines = {}
    for line in tostring(r):gmatch "[^\n]+" do lines[#lines + 1] = line end
    equal({#lines, #lines[2], #lines[3]}, {3, 79, 79}) -- in a terminal of 80 columns
    equal(lines[3]:match "^  (%g+)", ".._with_a_name_of_its_own")
    r = simulate(model.from_text "x' = 1\nx(0) = 0", {stop = 1, dt = 0.3, method = "rk4", steps = 2})
    equal(tostring(r):match "\n([^\n]+)", "  (steps of 0.25: dt = 0.3 does not divide the time between two rows, 0.5; `every` or `steps` sets that)")
    raises("was not recorded", function()
      return simulate(model.from_text "x' = 1\nx(0) = 0\ny = x", {stop = 1, variables = {"x"}}).y
    end)
  end)
end)
