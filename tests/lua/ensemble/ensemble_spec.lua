-- Many instances of a model at once: compared with the reference engine one by one; statistics; rejected options.
local ensemble_kernels = import "ensemble/ensemble_kernels"
local ensemble_options = import("ensemble/ensemble_options").ensemble_options
local ensemble_run = import "ensemble/ensemble_run"
local symbolic = import "ode/symbolic"
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near, samples = M.near, M.samples
local accurate = M.cvode and "cvode" or "dopri5"

local function text(equations) return model.from_text(equations) end
local function sample(name) return model.load(samples .. name .. ".ode") end

-- Compares every instance of r with a simulation by the reference, with the values of r.parameters for that instance.
local function holds(m, r, options, error, scale)
  local before = {}
  for name in pairs(r.parameters) do before[name] = m:first(0)[select(2, m:find(name)) - 1] end
  for i = 0, r.instances - 1 do
    for name, b in pairs(r.parameters) do m:set(name, b[i]) end
    local c = simulate(m, {stop = options.stop, steps = options.steps, start = options.start, method = accurate, rtol = 1e-11,
      atol = 1e-14, variables = r.names})
    for _, name in ipairs(r.names) do
      local size = 0
      for row = 0, r.rows - 1 do size = math.max(size, math.abs(c[name][row])) end
      for row = 0, r.rows - 1 do near(r[name]:get(row, i), c[name][row], error, error * (scale or 1) * size) end
    end
  end
  for name, x in pairs(before) do m:set(name, x) end
end

-- --- derivatives ---

-- Evaluates an expression tree, independently of its generated C text.
local value
local FUNCTIONS = {
  NEGATE = function(x) return -x end, SQRT = math.sqrt, EXP = math.exp, LN = math.log, ABS = math.abs, SIN = math.sin,
  COS = math.cos, TAN = math.tan, ARCSIN = math.asin, ARCCOS = math.acos, ARCTAN = math.atan, FLOOR = math.floor,
  LOG10 = function(x) return math.log(x, 10) end,
  SINH = function(x) return (math.exp(x) - math.exp(-x)) / 2 end, COSH = function(x) return (math.exp(x) + math.exp(-x)) / 2 end,
  TANH = function(x) return 1 - 2 / (math.exp(2 * x) + 1) end, SEC = function(x) return 1 / math.cos(x) end,
  CSC = function(x) return 1 / math.sin(x) end, COT = function(x) return 1 / math.tan(x) end,
  ARCSINH = function(x) return math.log(x + math.sqrt(x * x + 1)) end, ARCCOT = function(x) return math.atan(1 / x) end,
  ARCTANH = function(x) return math.log((1 + x) / (1 - x)) / 2 end, ARCSEC = function(x) return math.acos(1 / x) end,
  ARCCSC = function(x) return math.asin(1 / x) end, ARCCOSH = function(x) return math.log(x + math.sqrt(x * x - 1)) end,
  ARCCSCH = function(x) return math.log(1 / x + math.sqrt(1 / (x * x) + 1)) end,
  ARCSECH = function(x) return math.log(1 / x + math.sqrt(1 / (x * x) - 1)) end,
  ARCCOTH = function(x) return math.log((x + 1) / (x - 1)) / 2 end,
}
FUNCTIONS.SECH = function(x) return 1 / FUNCTIONS.COSH(x) end
FUNCTIONS.CSCH = function(x) return 1 / FUNCTIONS.SINH(x) end
FUNCTIONS.COTH = function(x) return 1 / FUNCTIONS.TANH(x) end
local TWO = {
  MINUS = function(x, y) return x - y end, DIVIDE = function(x, y) return x / y end, POWER = function(x, y) return x ^ y end,
  LT = function(x, y) return x < y and 1 or 0 end, GT = function(x, y) return x > y and 1 or 0 end, GEQ = function(x, y) return x >= y and 1 or 0 end,
  LEQ = function(x, y) return x <= y and 1 or 0 end, QUOTIENT = function(x, y) return math.modf(x / y) end,
  ROOT = function(x, y) return y ^ (1 / x) end, LOG = function(x, y) return math.log(y) / math.log(x) end,
  REM = math.fmod, MODULO = function(x, y) return x - y * math.floor(x / y) end,
}
local MANY = {
  PLUS_NARY = function(x, y) return x + y end, TIMES_NARY = function(x, y) return x * y end, MAX_NARY = math.max, MIN_NARY = math.min,
}
function value(t, of)
  if type(t) == "number" then return t + 0.0 end
  local op = t[1]
  if op == "VARIABLE" then return of[t[2]] end
  if op == "IF" then return value(t[2], of) ~= 0 and value(t[3], of) or value(t[4], of) end
  if FUNCTIONS[op] then return FUNCTIONS[op](value(t[2], of)) end
  if TWO[op] then return TWO[op](value(t[2], of), value(t[3], of)) end
  local all = value(t[2], of)
  for i = 3, #t do all = MANY[op](all, value(t[i], of)) end
  return all
end

local names = {}
for name in pairs(FUNCTIONS) do if name ~= "FLOOR" then names[#names + 1] = name end end
for name in pairs(TWO) do if name ~= "LT" and name ~= "GT" and name ~= "GEQ" and name ~= "LEQ" and name ~= "QUOTIENT" then names[#names + 1] = name end end
for name in pairs(MANY) do names[#names + 1] = name end
table.sort(names)

-- The derivative of t with respect to variable 0 at x, by a difference formula with six points.
local function slope(t, x)
  local h = 1e-3
  local function at(k) return value(t, {[0] = x[0] + k * h, x[1]}) end
  return (at(3) - at(-3)) / (60 * h) - 9 * (at(2) - at(-2)) / (60 * h) + 45 * (at(1) - at(-1)) / (60 * h)
end
local function by_first(place) return place == 0 and 1 or 0 end

describe("kernels of a large model", function()
  it("are refused with what to do, above what is compiled", function()
    raises('make kernels of 9.0 MiB, and at most 8 MiB are compiled: use method = "dopri5"', ensemble_run.compiled, (" "):rep(9 << 20), "none", {"x"})
  end)
  it("may have texts of more than 1 MiB", function() -- texts of up to 8 MiB are parsed, longer ones are rejected before parsing
    raises("it has no row", kernel.generated, (" "):rep(3 << 19))
    raises("the text of these kernels has 8388609 bytes, expected at most 8388608", kernel.generated, (" "):rep((8 << 20) + 1))
  end)
end)

describe("derivatives", function()
  it("of every function are the slopes", function()
    local u, w = {"VARIABLE", 0}, {"VARIABLE", 1}
    for _, name in ipairs(names) do
      local tried = 0
      for _, x in ipairs {{0.3, 0.7}, {0.61, 2.3}, {1.7, 1.1}, {2.4, 0.9}} do
        local of = {[0] = x[1], x[2]}
        for _, t in ipairs {{name, u, w}, {name, w, u}, {name, {"TIMES_NARY", u, w}, {"PLUS_NARY", u, 0.25}}} do
          if FUNCTIONS[name] then t = {name, t[2]} end
          local got, want = value(symbolic.derivative(t, by_first), of), slope(t, of)
          if want == want and math.abs(want) < 1e6 and got == got then
            near(got, want, 1e-5, 1e-7)
            tried = tried + 1
          end
        end
      end
      assert(tried >= 3, name .. ": nothing was tried")
    end
  end)
  it("of expressions within each other are, too", function()
    local state = 5
    local function random(n)
      state = (state * 6364136223846793005 + 1442695040888963407)
      return (state >> 33) % n
    end
    local smooth = {"SIN", "COS", "TANH", "EXP", "NEGATE", "ARCTAN", "PLUS_NARY", "TIMES_NARY", "MINUS", "IF"}
    local function tree(deep)
      if deep == 0 then return random(3) == 0 and (random(7) - 3) / 2 or {"VARIABLE", random(2)} end
      local name = smooth[random(#smooth) + 1]
      if name == "IF" then return {"IF", {"LT", {"VARIABLE", 1}, 0.5}, tree(deep - 1), tree(deep - 1)} end
      if FUNCTIONS[name] then return {name, tree(deep - 1)} end
      return {name, tree(deep - 1), tree(deep - 1), name:find "NARY" and random(2) == 0 and tree(deep - 1) or nil}
    end
    local tried = 0
    for _ = 1, 300 do
      local t, of = tree(4), {[0] = random(1000) / 1000, random(1000) / 1000}
      local want = slope(t, of)
      if want == want and math.abs(want) < 1e4 then
        near(value(symbolic.derivative(t, by_first), of), want, 1e-6, 1e-6)
        tried = tried + 1
      end
    end
    assert(tried > 200, tried)
  end)
  it("that are not known are said", function()
    raises("no derivative of factorial is known", simulate, text "x' = factorial(x)\nx(0) = 1\nk = 1",
      {sweep = {k = {1}}, stop = 1, method = "rodas4"})
  end)
end)

-- --- runs ---

describe("an ensemble", function()
  long("is each of its instances", function()
    for name, given in pairs {
      ["lotka-volterra"] = {sweep = {a = {1, 1.5, 2}, x = {5, 10}}, stop = 10, steps = 5},
      robertson = {sweep = {A = {0.5, 1}}, stop = 40, steps = 4},
    } do
      local m = sample(name)
      for _, method in ipairs(name == "robertson" and {"rodas4", "auto"} or {"dopri5", "rodas4", "auto"}) do
        given.method, given.rtol, given.atol = method, 1e-8, 1e-13
        holds(m, simulate(m, given), given, 1e-6, 1e-3)
      end
    end
  end)
  it("shows a species as a simulation does: its concentration, where its equation has the amount", function()
    if not M.sbml or not M.there "models/BIOMD0000000009.xml" then return end
    local m = model.load(M.DATA .. "/models/BIOMD0000000009.xml")
    local o = {stop = 50, steps = 2, variables = {"PP_K", "E1"}, rtol = 1e-8, atol = 1e-24}
    local c = simulate(m, o)
    o.instances = 2
    local r = simulate(m, o)
    for _, name in ipairs(o.variables) do
      for row = 0, 2 do near(r[name]:get(row, 1), c[name][row], 1e-5, 1e-16) end
    end
    assert(check(r))
  end)
  it("follows time, functions, constants and first values that go by what differs", function()
    local m = text [[
      k = 2
      twice := 2*k
      f = cos(time)*k
      x' = f - x + y
      y' = -twice*y + {1 if time < 1; 0 otherwise}
      x(0) = k/4
      y(0) = twice
    ]]
    for _, method in ipairs {"dopri5", "rodas4"} do
      local given = {sweep = {k = {0.5, 1, 3}}, stop = 3, steps = 6, method = method, rtol = 1e-9, atol = 1e-12, variables = {"x", "y", "f"}}
      local r = simulate(m, given)
      holds(m, r, given, 1e-6)
      equal(r.x:get(0, 2), 0.75)
      near(r.f:get(6, 1), math.cos(3), 1e-12)
    end
  end)
  long("of reactions at random is what the reference says", function()
    local state = 99
    local function random(n)
      state = (state * 6364136223846793005 + 1442695040888963407)
      return (state >> 33) % n
    end
    for _ = 1, sized(8, 3) do
      local species, lines, rates = 3 + random(8), {"scale = 1"}, {}
      for s = 1, species do rates[s] = "0" end
      for k = 1, species + random(6) do
        local a, b, c = 1 + random(species), 1 + random(species), 1 + random(species)
        local rate = ("v%d"):format(k)
        lines[#lines + 1] = ("%s = %g*scale*s%d%s"):format(rate, (1 + random(50)) / 10, a, b ~= c and ("*s%d"):format(b) or "")
        rates[a] = rates[a] .. " - " .. rate
        if b ~= c then rates[b] = rates[b] .. " - " .. rate end
        rates[c] = rates[c] .. " + " .. rate
      end
      for s = 1, species do
        lines[#lines + 1] = ("s%d' = %s"):format(s, rates[s])
        lines[#lines + 1] = ("s%d(0) = %g"):format(s, random(10) / 5)
      end
      local m, given = text(table.concat(lines, "\n")), {sweep = {scale = {0.5, 2}}, stop = 2, steps = 4, rtol = 1e-8, atol = 1e-11}
      given.method = "auto"
      holds(m, simulate(m, given), given, 2e-5, 0.1)
    end
  end)
  it("gives an instance the same bits, however many there are and on how many threads", function()
    local m = sample "lotka-volterra"
    local function of(count, where)
      local before = device().name
      device(where)
      local r = simulate(m, {sample = {a = uniform(1, 2), x = lognormal(2, 0.1)}, seed = 3, instances = count, stop = 5, steps = 5})
      device(before)
      return r
    end
    if device().processor ~= "cpu" then return end
    local few, many = of(10, "cpu:1"), of(1000, "cpu")
    for i = 0, 9 do
      equal(few.parameters.a[i], many.parameters.a[i])
      for row = 0, 5 do equal(few.x:get(row, i), many.x:get(row, i)) end
    end
  end)
  it("takes all combinations of a sweep, the last name's values first", function()
    local m = text "x' = a*b*c*0\na = 1\nb = 1\nc = 1\nx(0) = 1"
    local r = simulate(m, {sweep = {a = {1, 2}, b = {3, 4, 5}}, instances = 12, sample = {c = normal(0, 1)}, stop = 1, steps = 1})
    for k, name in ipairs(r.names) do -- r.record: a matrix with one row per variable and row of the result, one column per instance
      for row = 0, r.rows - 1 do
        for i = 0, r.instances - 1 do equal(r.record:get((k - 1) * r.rows + row, i), r[name]:get(row, i)) end
      end
    end
    equal({r.record.rows, r.record.cols}, {#r.names * r.rows, r.instances})
    equal(r.parameters.a:totable(), {1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0})
    equal(r.parameters.b:totable(), {3.0, 4.0, 5.0, 3.0, 4.0, 5.0, 3.0, 4.0, 5.0, 3.0, 4.0, 5.0})
    equal({r:instance(5).a, r:instance(5).b}, {2.0, 5.0})
    equal(#r.parameters.c, 12)
    equal(range(0, 1, 5), {0.0, 0.25, 0.5, 0.75, 1.0})
    near(logrange(1, 100, 3)[2], 10, 1e-14)
  end)
  it("draws what its distributions say", function()
    local m = text "x' = a*b*c*0\na = 1\nb = 1\nc = 1\nx(0) = 1"
    local n = sized(100000, 20000)
    local r = simulate(m, {sample = {a = uniform(2, 4), b = normal(5, 2), c = lognormal(1, 0.5)}, instances = n, stop = 1, steps = 1})
    local function about(b, mean, deviation)
      near(b:mean(), mean, 0, 5 * deviation / math.sqrt(n))
      local sum = 0
      for i = 0, n - 1 do sum = sum + (b[i] - mean) ^ 2 end
      near(math.sqrt(sum / n), deviation, 0.05)
    end
    about(r.parameters.a, 3, 2 / math.sqrt(12))
    about(r.parameters.b, 5, 2)
    about(r.parameters.c, math.exp(1.125), math.sqrt((math.exp(0.25) - 1) * math.exp(2.25)))
    assert(r.parameters.a:min() >= 2 and r.parameters.a:max() < 4)
  end)
  it("draws other numbers by another seed, and by another name", function()
    local m, seen = text "x' = a*b*0\na = 1\nb = 1\nx(0) = 1", {}
    for seed = 1, 5 do
      local r = simulate(m, {sample = {a = uniform(0, 1), b = normal(0, 1)}, instances = 200, seed = seed, stop = 1, steps = 1})
      local random = ensemble.random(seed)
      for i = 0, 199 do
        for _, x in ipairs {r.parameters.a[i], r.parameters.b[i], random()} do
          assert(not seen[x], x)
          seen[x] = true
        end
      end
    end
    local last -- normally distributed numbers from consecutive seeds are independent
    for seed = 1, 5 do
      local r = simulate(m, {sample = {b = normal(0, 1)}, instances = 2000, seed = seed, stop = 1, steps = 1})
      local sum = 0
      for i = 0, 1999 do sum = sum + (last and last[i] or 0) ^ 2 * (r.parameters.b[i] ^ 2 - 1) end
      assert(math.abs(sum / 2000) < 5 * math.sqrt(6 / 2000), sum / 2000)
      last = r.parameters.b
    end
  end)
  it("proves which of its instances are stiff", function()
    local m = text "x' = -k*(x - cos(time))\nk = 1\nx(0) = 0"
    local r = simulate(m, {sweep = {k = {1, 10, 1e6}}, stop = 10, steps = 5, rtol = 1e-5, atol = 1e-8})
    equal(r.stiff, 1)
    near(r.x:get(5, 2), math.cos(10) , 1e-4)
    assert(r.accepted < 3000, r.accepted)
  end)
  it("goes on without the instances that fail, and names them", function()
    local m = text "x' = a*x^2\na = 1\nx(0) = 1"
    local r = simulate(m, {sweep = {a = {-1, 0.5, 2, 4}}, stop = 1, steps = 10, variables = {"x"}})
    equal(#r.failed, 2)
    equal({r.failed[1].instance, r.failed[2].instance}, {3, 2})
    near(r.failed[1].time, 0.25, 1e-3)
    near(r.failed[2].time, 0.5, 1e-3)
    near(r.x:get(10, 0), 0.5, 1e-5)
    near(r.x:get(10, 1), 2, 1e-5)
    assert(r.x:get(10, 2) ~= r.x:get(10, 2))
    assert(tostring(r):find("2 instances FAILED, the first at time 0.25: instance 3 (a = 4)", 1, true), tostring(r))
    local alike = tostring(simulate(text "x' = x^2\nx(0) = 1", {instances = 2, stop = 3}))
    assert(alike:find("instance 0: its step became too small", 1, true), alike)
    local all = tostring(simulate(m, {sweep = {a = {4, 5}}, stop = 1, steps = 10, variables = {"x"}}))
    assert(all:find("x +none +none +none +none") and not all:find("nan", 1, true), all) -- statistics of an empty set
    near(r:mean("x")[10], 1.25, 1e-5)
  end)
  long("says by which variable an instance failed", function()
    for _, method in ipairs {"dopri5", "rodas4", "radau5"} do
      local function failed(equations)
        local f = simulate(text(equations), {sweep = {a = {1}}, stop = 5, steps = 2, method = method}).failed
        equal(#f, 1)
        return f[1]
      end
      local f = failed "z' = 1\nx' = a*x^2\ny' = -y\na = 1\nx(0) = 1\ny(0) = 1\nz(0) = 0"
      equal(f.variable, "x")
      assert(f.value > 1e6 and f.why == ("its step became too small: x, %.6g, changes too fast"):format(f.value), f.why)
      f = failed "x' = 1\ny' = a*sqrt(2 - x)\na = 1\nx(0) = 0\ny(0) = 1"
      equal({f.variable, f.why}, {"y", "its step became too small: the rate of y is not a number"})
      near(f.time, 2, 1e-9)
    end
  end)
  it("steps by primitives, and its counters are marks", function()
    local m, seen = sample "lotka-volterra", {}
    local r = simulate(m, {sweep = {a = {1, 2}}, stop = 2, steps = 2, attempts = 3})
    assert(r.launches >= 4, r.launches)
    for _, c in ipairs(trace.last(40)) do seen[c.kernel] = true end
    assert(seen[r.primitives .. "_dopri5"] and seen.instance_front and seen[r.primitives .. "_record"])
  end)
  it("computes anew the first values that are expressions of what differs, and no others", function()
    local m = text "k = 2\nx' = -k*x\ny' = x - k*y\nx(0) = 3*k\ny(0) = 1"
    equal(m:variable("y").first, 1.0)
    equal(m:variable("x").first, nil)
    local _, k = m:find "k"
    local _, x = m:find "x"
    equal(ensemble_options.followers(m, {[k] = buffer.new("f64", {2, 4})}, 0), {x})
    local r = simulate(m, {sweep = {k = {2, 4}}, stop = 1, steps = 1})
    equal({r.x:get(0, 0), r.x:get(0, 1), r.y:get(0, 0), r.y:get(0, 1)}, {6.0, 12.0, 1.0, 1.0})
  end)
  long("keeps what follows from a model only while that is so", function()
    local m = text "k = 2\nother = 1\nc := 2*k\nx' = -c*other*x\ny' = -y\nx(0) = 1\ny(0) = {1 if k < 5; 3 otherwise}"
    local function number(name) return (select(2, m:find(name))) end
    local k, c, y, other = number "k", number "c", number "y", number "other"
    local function followers(i, values, start) return ensemble_options.followers(m, {[i] = buffer.new("f64", values)}, start or 0) end
    local function ends(options) -- x and y of instance 1 in the last row; exact: e^(-c*other) and y(0)/e
      local r = simulate(m, options)
      return r.x:get(1, 1), r.y:get(1, 1)
    end
    local function near_to(want_x, want_y, x, y)
      near(x, want_x, 1e-4)
      near(y, want_y, 1e-4)
    end
    for _ = 1, 2 do
      equal({followers(other, {1, 2}), followers(k, {2, 3}), followers(k, {2, 9})}, {{}, {c}, {c, y}}) -- {2, 9} also changes y
      near_to(math.exp(-6), math.exp(-1), ends {sweep = {k = {2, 3}}, stop = 1, steps = 1, rtol = 1e-9})
      near_to(math.exp(-18), 3 * math.exp(-1), ends {sweep = {k = {2, 9}}, stop = 1, steps = 1, rtol = 1e-9})
      near_to(math.exp(-8), math.exp(-1), ends {sweep = {other = {1, 2}}, stop = 1, steps = 1, rtol = 1e-9})
      local before = m.changes
      m:set("c", 1):set("y", 7) -- values set by the user
      equal(m.changes, before + 2)
      equal({followers(other, {1, 2}), followers(k, {2, 3}), followers(k, {2, 9})}, {{}, {}, {}})
      near_to(math.exp(-1), 7 * math.exp(-1), ends {sweep = {k = {2, 9}}, stop = 1, steps = 1, rtol = 1e-9})
      near_to(math.exp(-2), 7 * math.exp(-1), ends {sweep = {other = {1, 2}}, stop = 1, steps = 1, rtol = 1e-9})
      m:reset()
      equal(m.changes, before + 3)
    end
    local timed = text "k = 2\nx' = -k*x\ny' = -y\nx(0) = 1\ny(0) = {1 if time < 5; k otherwise}"
    for _, start in ipairs {0, 6, 0, 6} do
      local r = simulate(timed, {sweep = {k = {2, 3}}, start = start, stop = start + 1, steps = 1})
      equal({r.y:get(0, 0), r.y:get(0, 1)}, start == 0 and {1.0, 1.0} or {2.0, 3.0})
    end
    for _, x in ipairs {2, 0 / 0, 3} do -- NaN must not be taken for a missing value
      m:set("c", x)
      local r = simulate(m, {sweep = {other = {1, 2}}, stop = 1, steps = 1, rtol = 1e-9})
      equal(#r.failed, x == x and 0 or 2)
      if x == x then near(r.x:get(1, 1), math.exp(-2 * x), 1e-6) end
    end
  end)
  it("gives the record of a run away, and the rest of its state back", function()
    local m, list = sample "lotka-volterra", {}
    for k = 1, 3 do list[k] = simulate(m, {sweep = {a = {1, 1 + k}}, stop = 2, steps = 2}) end
    for k, r in ipairs(list) do
      local alone = simulate(m, {each = {a = {1 + k}}, instances = 1, stop = 2, steps = 2})
      for row = 0, 2 do near(r[r.names[1]]:get(row, 1), alone[r.names[1]]:get(row, 0), 1e-12) end
    end
  end)
  it("counts the stiff ones without those that failed later", function()
    local m = text "k = 1\nx' = -k*(x - cos(time))\ny' = {0 if time < 2; y^2 otherwise}\nx(0) = 0\ny(0) = 1"
    local r = simulate(m, {each = {k = {1, 1e5, 1e5}, y = {0, 0, 1}}, instances = 3, stop = 4, steps = 4, rtol = 1e-6})
    equal({r.stiff, #r.failed, r.failed[1].instance}, {1, 1, 2})
  end)
  it("marks how the steps of those spread that are left, where somebody waits", function()
    local m, file = text "k = 1\nx' = -k*x\nx(0) = 1", temporary ".ckpt"
    checkpoint(file, 1000000)
    local good, r = pcall(simulate, m, {sweep = {k = {1, 10, 100}}, stop = 1, steps = 1, attempts = 3, method = "dopri5"})
    checkpoint(false)
    os.remove(file)
    assert(good, r)
    local left, short, middle, long = trace.series "left", trace.series "shortest", trace.series "middle", trace.series "longest"
    assert(#short.value > 3 and #left.value == #short.value + 1 and left.value[#left.value] == 0)
    for i, x in ipairs(short.value) do assert(0 < x and x <= middle.value[i] and middle.value[i] <= long.value[i]) end
    equal(left.value[1], 3.0)
    assert(long.value[1] > 10 * short.value[1]) -- the instances' rates differ a hundredfold
    simulate(m, {sweep = {k = {1, 10}}, stop = 1, steps = 1, attempts = 3, method = "dopri5"})
    local good, why = pcall(trace.series, "shortest", trace.series("left").run)
    assert(not good or #why.value == 0)
  end)
end)

describe("statistics of an ensemble", function()
  local m = text "x' = a\ny = 2*x\na = 1\nx(0) = 0"
  local list = {3, -1, 4, 1, -5, 9, 2, 6}
  local r = simulate(m, {sweep = {a = list}, stop = 1, steps = 2, variables = {"x", "y"}})
  it("are those of the values", function()
    local mean = 19 / 8
    local sum = 0
    for _, x in ipairs(list) do sum = sum + (x - mean) ^ 2 end
    near(r:mean("x")[2], mean, 1e-12)
    near(r:mean("x")[0], 0, 0, 1e-300)
    near(r:deviation("y")[2], 2 * math.sqrt(sum / 8), 1e-12)
    local least, middle, most = r:quantile("x", 0, 0.5, 1)
    near(least[2], -5, 1e-12)
    near(middle[2], 2.5, 1e-12)
    near(most[1], 4.5, 1e-12)
    equal(r:histogram("x", 7).count, {1, 0, 1, 2, 2, 1, 1})
  end)
  it("are shown and saved", function()
    assert(tostring(r):find("8 instances of", 1, true), tostring(r))
    assert(tostring(r):find("mean", 1, true))
    local path = temporary ".csv"
    r:save(path, "y")
    local f = assert(io.open(path))
    local lines = {}
    for line in f:lines() do lines[#lines + 1] = line end
    f:close()
    os.remove(path)
    equal({#lines, lines[1]:sub(1, 13)}, {4, "time,y_0,y_1,"})
    near(tonumber(lines[4]:match "^1,([^,]*)"), 6, 1e-12)
    local function first_line(save, ...)
      save(r, path, ...)
      local file = assert(io.open(path))
      local line = file:read()
      file:close()
      os.remove(path)
      return line
    end
    equal(#first_line(r.save):gsub("[^,]", ""), r.instances * #r.names) -- the default: all variables
    equal(first_line(r.save, r.names[2], r.names[1]):match "^time,([^,]*)_0,", r.names[2])
    equal(first_line(function() r:save_parameters(path) end):match "^instance,%g+" ~= nil, true)
    raises("has no variable 'zz'", r.save, r, path, "zz")
  end)
end)

describe("an ensemble of which statistics alone are kept", function()
  local m = sample "lotka-volterra"
  local function of(o)
    local given = {sample = {a = uniform(1, 2), x = lognormal(2, 0.1)}, seed = 3, instances = 500, stop = 5, steps = 5,
      variables = {"y", "eaten"}}
    for k, x in pairs(o or {}) do given[k] = x end
    return simulate(m, given)
  end
  local all, few = of(), of {keep = false, quantiles = {0.1, 0.5}, bins = 7}
  it("has the statistics of all values", function()
    for _, name in ipairs {"y", "eaten"} do
      equal(few:mean(name):totable(), all:mean(name):totable())
      equal(few:deviation(name):totable(), all:deviation(name):totable())
      local a, b = all:quantile(name, 0.1, 0.5)
      local c, d = few:quantile(name, 0.1, 0.5)
      equal({c:totable(), d:totable()}, {a:totable(), b:totable()})
      for row = 0, 5 do equal(few:histogram(name, 7, row).count, all:histogram(name, 7, row).count) end
      equal(few:histogram(name).count, all:histogram(name, 7).count)
    end
    equal(few.t:totable(), all.t:totable())
  end)
  it("keeps a row of values at a time", function()
    equal(few.record, false)
    local before = buffer.new
    local most = 0
    buffer.new = function(dtype, n, ...)
      local cols = ...
      if type(n) == "number" then most = math.max(most, n * (cols or 1)) end
      return before(dtype, n, ...)
    end
    local good, why = pcall(of, {keep = false, steps = 200})
    buffer.new = before
    assert(good, why)
    equal(most, 500) -- the only buffer per instance holds the drawn values: no rows are kept
  end)
  it("says so, and refuses what was not kept", function()
    assert(tostring(few):find("kept at each row: mean, deviation, least, greatest, quantiles 0.1 0.5, a histogram of 7 bins", 1, true),
      tostring(few))
    raises("y: the values of the instances were not kept (keep = false)", function() return few.y end)
    raises("the quantile 0.2 was not kept; to keep it: simulate(m, {keep = false, quantiles = {0.2}})", few.quantile, few, "y", 0.2)
    raises("a histogram of 7 bins was kept", few.histogram, few, "y", 8)
    raises("keep must be true or false", of, {keep = 0})
    raises("'quantiles' and 'bins' need keep = false", of, {bins = 3})
    raises("quantiles: item 2 is not from 0 to 1", of, {keep = false, quantiles = {0, 2}})
    raises("bins must be a whole number", of, {keep = false, bins = 0})
    local path = temporary ".csv"
    few:save(path, "y")
    local f = assert(io.open(path))
    equal(f:read "l", "time,y_mean,y_deviation,y_least,y_greatest,y_0.1,y_0.5")
    f:close()
    os.remove(path)
    local before, drawn = plot, nil
    plot = function(p) drawn = p end
    few:plot "y"
    plot = before
    equal({#drawn, drawn[1].name, drawn[3].name}, {3, "50 %", "mean"})
  end)
  it("leaves out the instances that failed", function()
    local r = simulate(text "x' = a*x^2\na = 1\nx(0) = 1", {sweep = {a = {-1, 0.5, 2, 4}}, stop = 1, steps = 10, keep = false})
    near(r:mean("x")[10], 1.25, 1e-5)
    equal(#r.failed, 2)
  end)
end)

describe("check of an ensemble", function()
  local m = sample "lotka-volterra"
  local function of(o)
    local given = {sample = {a = uniform(1, 2)}, instances = 100, stop = 5, steps = 4}
    for k, x in pairs(o or {}) do given[k] = x end
    return simulate(m, given)
  end
  it("proves what is right, and leaves the model as it was", function()
    local before = m:first(0):totable()
    assert(check(of()))
    assert(check(of {sample = {x = uniform(5, 10)}}))
    assert(check(of {keep = false, variables = {"y", "eaten"}}))
    equal(m:first(0):totable(), before)
    local r = sample "robertson"
    assert(check(simulate(r, {sweep = {A = {0.5, 1, 2}}, stop = 40, steps = 3})))
    assert(check(simulate(text "x' = a*x^2\na = 1\nx(0) = 1", {sweep = {a = {-1, 0.5, 2, 4}}, stop = 1, steps = 10})))
  end)
  it("names what is wrong", function()
    local r = of()
    r.record:set(7, 99, r.record:get(7, 99) * 1.01)
    raises("instance 99, time 2.5: y is", check, r)
    r = of {sample = {x = uniform(5, 10)}}
    r.record:set(2, 0, 1)
    raises("instance 0, time 2.5: x is 1, but simulated by itself", check, r)
    r = of {keep = false}
    local c = r.statistics.columns[2]
    c.mean[5] = c.mean[5] * 1.01
    raises("the mean of y at the end is", check, r)
    c.mean[5] = c.mean[5] / 1.01
    c[2][5] = c[2][5] * 0.99
    raises("the quantile 0.25 of y at the end is", check, r)
    c.greatest[3] = c.least[3]
    raises("the least and the greatest are given as", check, r)
  end)
end)

describe("what each instance is given, and when it is recorded,", function()
  local m = text "x' = k + 0*j\nk = 1\nj = 1\nx(0) = 0"
  it("may be a list", function()
    local r = simulate(m, {instances = 3, each = {k = {5, 7, 11}, x = buffer.new("f64", {1, 2, 3})}, times = {0.5, 2}})
    equal(r.t:totable(), {0.0, 0.5, 2.0})
    for i, x in ipairs {11, 16, 25} do near(r.x:get(2, i - 1), x, 1e-12) end
    equal(r:instance(2).k, 11.0)
    equal(simulate(m, {instances = 1, times = {0, 1}}).t:totable(), {0.0, 1.0})
  end)
  it("is checked", function()
    local function refused(why, o) raises(why, simulate, m, o) end
    refused("each: k has 2 values, but there are 3 instances", {instances = 3, each = {k = {1, 2}}, stop = 1})
    refused("each: value 2 of k is the text \"2\", not a number", {instances = 2, each = {k = {1, "2"}}, stop = 1})
    refused("each: k must be a list of numbers", {instances = 2, each = {k = buffer.new("u32", 2)}, stop = 1})
    refused("k is in the sweep and in each", {instances = 1, each = {k = {1}}, sweep = {k = {1}}, stop = 1})
    refused("k is in the each and in the sample", {instances = 1, each = {k = {1}}, sample = {k = uniform(0, 1)}, stop = 1})
    refused("times: item 2 is 1, which is not after 1", {instances = 1, times = {1, 1}})
    refused("times: item 1 is not a finite number", {instances = 1, times = {"1"}})
    refused("give either 'times' or 'stop'", {instances = 1, times = {1}, stop = 2})
  end)
end)

describe("the text of an ensemble's kernels", function()
  long("is kept, but not for other values, columns or parameters", function()
    local m = text "x' = -a*x + b\ny' = c*x - y\na = 1\nb = 2\nc = 3\nx(0) = 1\ny(0) = 0"
    local function run(options)
      options.stop, options.steps, options.rtol = 1, 1, 1e-9
      return simulate(m, options)
    end
    local function x_at(a, b) return b / a + (1 - b / a) * math.exp(-a) end
    for _, b in ipairs {2, 5, 2} do
      m:set("b", b)
      local r = run {sweep = {a = {0.5, 2}}}
      near(r.x:get(1, 0), x_at(0.5, b), 1e-7, 0)
      near(r.x:get(1, 1), x_at(2, b), 1e-7, 0)
    end
    local first = run {sweep = {a = {0.5, 2}}, variables = {"y"}}
    equal(first.primitives == run {sweep = {a = {0.5, 2}}, variables = {"x"}}.primitives, false)
    equal(first.primitives, run {sweep = {a = {3, 4, 5}}, variables = {"y"}}.primitives)
    near(run {sweep = {b = {7}}}.x:get(1, 0), x_at(1, 7), 1e-7, 0)
    local parts, reads = ensemble_kernels.parts, 0
    ensemble_kernels.parts = function(...)
      reads = reads + 1
      return parts(...)
    end
    for _ = 1, 3 do run {sweep = {a = {3, 4, 5}}, variables = {"y"}} end -- the kernels are cached: the model's equations are not read again
    ensemble_kernels.parts = parts
    equal(reads, 0)
    for k = 1, 12 do -- more kernels than the cache holds
      m:set("c", k)
      near(run {sweep = {a = {2}}}.x:get(1, 0), x_at(2, 2), 1e-7, 0)
    end
  end)
end)

describe("what is wrong with an ensemble", function()
  local m = sample "lotka-volterra"
  local function refused(why, options) raises(why, simulate, m, options) end
  it("is named", function()
    refused("an ensemble has no option 'engine'", {instances = 2, stop = 1, engine = "bytecode"})
    refused("there is no method 'euler'; an ensemble has auto, dopri5, rodas4, radau5", {instances = 2, stop = 1, method = "euler"})
    refused("rtol must be a number above 0", {instances = 2, stop = 1, rtol = 0})
    refused("instances is 0, expected a whole number from 1", {instances = 0, stop = 1})
    refused("instances is 2.5", {instances = 2.5, stop = 1})
    refused("instances = 4 is not a multiple of the sweep's 3 combinations", {instances = 4, sweep = {a = {1, 2, 3}}, stop = 1})
    refused("has no variable 'q'", {sweep = {q = {1}}, stop = 1})
    refused("eaten is neither a parameter nor a state", {sweep = {eaten = {1}}, stop = 1})
    refused("a must be a list of values", {sweep = {a = 1}, stop = 1})
    refused("value 2 of a is the text \"2\", not a number", {sweep = {a = {1, "2"}}, stop = 1})
    refused("'sample' draws values for each instance", {sample = {a = uniform(1, 2)}, stop = 1})
    refused("a must be a distribution", {sample = {a = 3}, instances = 2, stop = 1})
    refused("a is in the sweep and in the sample", {sweep = {a = {1}}, sample = {a = uniform(0, 1)}, stop = 1})
    refused("sweep must be a table", {sweep = 3, stop = 1})
    refused("need names of parameters or states", {sweep = {{1}}, stop = 1})
    refused("seed must be a whole number", {instances = 2, seed = 0.5, stop = 1})
    refused("attempts must be a whole number", {instances = 2, attempts = 0, stop = 1})
    refused("give stop, as in {stop = 500}", {instances = 2})
    raises("uniform(a, b): two finite numbers expected", uniform, 1)
    raises("'count' must be a whole number from 1", range, 0, 1, 0)
    raises("must be positive", logrange, 0, 1, 3)
    raises("an ensemble has no 'delay'", simulate, text "x' = -delay(x, 1)\nx(0) = 1", {instances = 2, stop = 3})
    raises("has no state", simulate, text "k = 1\ny = 2*k", {sweep = {k = {1, 2}}, stop = 3})
    local r = simulate(m, {sweep = {a = {1}}, stop = 1, steps = 1, variables = {"x"}})
    raises("y was not recorded", function() return r.y end)
    raises("has no variable 'q'", function() return r:mean "q" end)
    raises("q must be a number from 0 to 1", r.quantile, r, "x", 2)
    raises("there are instances 0 to 0", r.instance, r, 1)
    raises("there are rows 0 to 1", r.histogram, r, "x", 3, 2)
  end)
end)
