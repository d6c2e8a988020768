-- Sensitivities, compared with closed forms and with central differences of the reference's simulations.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near = M.near
local accurate = M.cvode and "cvode" or "dopri5"

local function text(equations) return model.from_text(equations) end

-- dx/dp at each row, by central differences of the reference.
local function differences(m, name, p, options)
  local _, i = m:find(p)
  local x = m:first(0)[i - 1]
  local h = 1e-3 * math.max(math.abs(x), 1e-3)
  local function at(y)
    m:set(p, y)
    local r = simulate(m, {stop = options.stop, steps = options.steps, method = accurate, rtol = 1e-12, atol = 1e-15, variables = {name}})
    return r[name]
  end
  local a, b, c, d = at(x + h), at(x - h), at(x + 2 * h), at(x - 2 * h)
  m:set(p, x)
  local out = {}
  for row = 0, #a - 1 do out[row] = (8 * (a[row] - b[row]) - (c[row] - d[row])) / (12 * h) end
  return out
end

describe("sensitivities", function()
  long("are those of closed forms", function()
    local m = text "k = 0.5\nc = 2\nj = 0\nx' = -k*x + c + j\nx(0) = 3\ntwice = 2*k*x"
    local r = sensitivities(m, {parameters = {"k", "c", "x", "j"}, stop = 4, steps = 8, rtol = 1e-9, atol = 1e-12,
      variables = {"x", "twice"}})
    for row = 0, 8 do
      local t, k, c, x0 = r.t[row], 0.5, 2, 3
      local e = math.exp(-k * t)
      local x = x0 * e + c / k * (1 - e)
      local by_k = -t * x0 * e - c / k ^ 2 * (1 - e) + c / k * t * e
      near(r:value "x"[row], x, 1e-7)
      near(r:of("x", "k")[row], by_k, 1e-6, 1e-8)
      near(r:of("x", "c")[row], (1 - e) / k, 1e-6, 1e-8)
      near(r:of("x", "x")[row], e, 1e-6, 1e-8)
      near(r:of("x", "j")[row], (1 - e) / k, 1e-6, 1e-8)
      near(r:of("twice", "k")[row], 2 * x + 2 * k * by_k, 1e-6, 1e-8)
      near(r:relative("x", "c")[row], (1 - e) / k * c / x, 1e-6, 1e-8)
    end
    assert(check(r))
  end)
  long("go through functions, conditions, constants and first values", function()
    local m = text [[
      k = 2
      n = 3
      twice := 2*k
      f = cos(time)*k + {x^2 if x > 0.3; x otherwise}
      x' = f - x^n + y/(1 + k)
      y' = -twice*y + max(k, x)
      x(0) = k/4
      y(0) = twice
    ]]
    for _, method in ipairs {"dopri5", "rodas4"} do
      local r = sensitivities(m, {stop = 2, steps = 4, method = method, rtol = 1e-9, atol = 1e-12, variables = {"x", "y", "f"}})
      equal(r.by, {"k", "n"})
      for _, name in ipairs(r.names) do
        for _, p in ipairs {"k", "n"} do
          local want, got = differences(m, name, p, {stop = 2, steps = 4}), r:of(name, p)
          for row = 0, 4 do near(got[row], want[row], 1e-5, 1e-6) end
        end
      end
      assert(check(r))
    end
  end)
  long("jump where a parameter moves the time of a change", function()
    local stop = text "k = 2\nx' = {1 if time < k; 0 otherwise}\nx(0) = 0" -- from time k on, x = k
    local switch = text "k = 2\nx' = {1 + x if x < k; 0.1*x otherwise}\nx(0) = 0" -- k (exp(t)/(1 + k))^0.1 after the change
    local spring = text ("a = 0.7\nk = 2\nx' = v\nv' = {-a*x if g < k; -3*a*x + 1 otherwise}\ng = x*x + 0.1*time\n" .. -- oscillates across the change
      "x(0) = 0\nv(0) = 2")
    for _, method in ipairs {"dopri5", "rodas4", "radau5"} do
      local o = {stop = 3.5, steps = 7, method = method, rtol = 1e-8, atol = 1e-11}
      local r = sensitivities(stop, o)
      for row = 0, 7 do near(r:of("x", "k")[row], row >= 4 and 1 or 0, 0, 1e-7) end
      assert(check(r)) -- a row lies exactly at the change
      r = sensitivities(switch, o)
      local function slope(t) return 2 * math.exp(0.1 * (t - math.log(3))) * (1 / 2 - 0.1 / 3) end
      for row = 3, 7 do near(r:of("x", "k")[row], slope(row / 2), 1e-5) end
      o.stop = 10
      assert(check(sensitivities(spring, o)))
    end
    local r = sensitivities(stop, {stop = 3, steps = 3})
    r.record:set(r.rows + 2, 0, 1.3) -- the record has k * dx/dk: 0.65 lies between the derivatives of the two sides of the kink
    raises("time 2: d x/d k is 0.65, but finite differences give", check, r)
    local cell = model.load(M.samples .. "luo-rudy-1991.ode") -- a row lies at the beginning of its stimulus
    r = sensitivities(cell, {parameters = {"onset", "width", "G_Na"}, stop = 60, steps = 12, variables = {"V"}})
    assert(math.abs(r:of("V", "onset")[4]) > 5 and check(r))
  end)
  long("of stiff equations are differences of the reference's runs", function()
    local m = model.load(M.samples .. "robertson.ode")
    local r = sensitivities(m, {parameters = {"A", "B"}, stop = 40, steps = 4, rtol = 1e-8, atol = 1e-12})
    for _, name in ipairs(r.names) do
      local want, got = differences(m, name, "A", {stop = 40, steps = 4}), r:of(name, "A")
      for row = 0, 4 do near(got[row], want[row], 1e-4, 1e-9) end
    end
    assert(check(r))
  end)
  long("are each instance's own", function()
    local m = text "k = 0.5\nx' = -k*x\nx(0) = 3"
    local r = sensitivities(m, {parameters = {"x", "k"}, sweep = {k = {0.1, 1, 10}}, stop = 1, steps = 2, rtol = 1e-9, atol = 1e-12})
    local s = r:of("x", "k")
    equal({s.rows, s.cols}, {3, 3})
    for i, k in ipairs {0.1, 1, 10} do
      near(s:get(2, i - 1), -3 * math.exp(-k), 1e-6)
      near(r:of("x", "x"):get(1, i - 1), math.exp(-k / 2), 1e-6)
    end
    assert(check(r))
    assert(tostring(r):find("3 instances", 1, true))
  end)
  it("of x^n by n are 0 where x is 0", function()
    local r = sensitivities(text "n = 2\nx' = 1\nx(0) = 0\ny' = x^n\ny(0) = 0", {parameters = {"n"}, stop = 1, steps = 2, rtol = 1e-9})
    near(r:of("y", "n")[2], -1 / 9, 1e-5) -- the integral of t^2 ln t from 0 to 1
  end)
  it("are proved by differences", function()
    local m = text "k = 0.5\nx' = -k*x\nx(0) = 3"
    local r = sensitivities(m, {stop = 1, steps = 2})
    r.record:set(r.rows + 2, 0, r.record:get(r.rows + 2, 0) * 1.01)
    raises("but finite differences give", check, r)
  end)
  it("are shown and saved", function()
    local r = sensitivities(text "k = 0.5\nx' = -k*x\nx(0) = 3", {stop = 1, steps = 2})
    assert(tostring(r):find("sensitivities of 1 variable to 1 parameter: a model", 1, true), tostring(r))
    local path = temporary ".csv"
    r:save(path)
    local f = assert(io.open(path))
    equal(f:read "l", "time,d x/d k")
    f:close()
    os.remove(path)
    local before, drawn = plot, nil
    plot = function(p) drawn = p end
    r:plot "x"
    plot = before
    equal({#drawn, drawn[1].name}, {1, "k"})
  end)
end)

describe("what is wrong with sensitivities", function()
  local m = text "k = 0.5\nx' = -k*x\nx(0) = 3\ny = 2*x"
  it("is named", function()
    raises("expected a model of differential equations", sensitivities, {})
    raises("unknown option 'parameter' (did you mean parameters?)", sensitivities, m, {parameter = {"k"}, stop = 1})
    raises("has no variable 'q'", sensitivities, m, {parameters = {"q"}, stop = 1})
    raises("y is neither a parameter nor a state", sensitivities, m, {parameters = {"y"}, stop = 1})
    raises("k is listed twice", sensitivities, m, {parameters = {"k", "k"}, stop = 1})
    raises("item 1 is a number", sensitivities, m, {parameters = {3}, stop = 1})
    raises("parameters must be a list of names", sensitivities, m, {parameters = {}, stop = 1})
    raises("the file does not say when to stop", sensitivities, m)
    raises("atol must be a number above 0", sensitivities, m, {stop = 1, atol = 0})
    raises("times must be a list of ascending numbers", sensitivities, m, {times = {}})
    raises("give either 'times' or 'stop'", sensitivities, m, {times = {1}, stop = 2})
    raises("stop = -1 is not after start = 0", sensitivities, m, {stop = -1})
    raises("the model has events", sensitivities, text "k = 1\nx' = 1\nx(0) = 0\nwhen x > 1: x = 0", {stop = 3})
    local r = sensitivities(m, {stop = 1, steps = 1})
    raises("z is not one of the variables: x", r.of, r, "z", "k")
    raises("z is not one of the parameters: k", r.of, r, "x", "z")
  end)
end)
