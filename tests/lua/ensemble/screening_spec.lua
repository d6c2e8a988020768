-- Sobol's indices and Morris's screening, on functions whose indices are known.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near = M.near

local PI = math.pi
local cube = {a = uniform(-PI, PI), b = uniform(-PI, PI), c = uniform(-PI, PI)}

-- The test function of Ishigami and Homma 1990.
local function ishigami(v, count)
  local y = {}
  for i = 0, count - 1 do y[i + 1] = math.sin(v.a[i]) + 7 * math.sin(v.b[i]) ^ 2 + 0.1 * v.c[i] ^ 4 * math.sin(v.a[i]) end
  return y
end
local ISHIGAMI = model.from_text [[
a = 1
b = 1
c = 1
y = sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)
x' = 0*a
x(0) = 0
]]
local function ishigami_indices()
  local v1, v2 = (1 + 0.1 * PI ^ 4 / 5) ^ 2 / 2, 49 / 8
  local v13 = 0.01 * PI ^ 8 * (1 / 18 - 1 / 50)
  local v = v1 + v2 + v13
  return {{v1 / v, (v1 + v13) / v}, {v2 / v, v2 / v}, {0, v13 / v}}, v
end

-- Asserts that the indices differ from the known ones by at most three times the bootstrap interval.
local function holds(r, want)
  for k, w in ipairs(want) do
    local s = r[k]
    local function inside(x, got, low, high)
      assert(x >= got - 3 * (got - low) - 1e-9 and x <= got + 3 * (high - got) + 1e-9,
        ("%s: %.4f (%.4f to %.4f), expected %.4f"):format(s.parameter, got, low, high, x))
      assert(high - low < 0.25 and high > low, high - low)
    end
    inside(w[1], s.first, s.first_low, s.first_high)
    inside(w[2], s.total, s.total_low, s.total_high)
  end
end

describe("Sobol's indices", function()
  it("of Ishigami's function are the known ones", function()
    local want, variance = ishigami_indices()
    local r = sobol(ishigami, {sample = cube, points = sized(16384, 4096)})
    holds(r, want)
    near(r.variance, variance, 0.05)
    near(r.mean, 3.5, 0.05)
    assert(check(r))
    equal({r[1].parameter, r[2].parameter, r[3].parameter}, {"a", "b", "c"})
  end)
  it("of a model are those of its function", function()
    local r = sobol(ISHIGAMI, {of = "y", sample = cube, points = 2048, seed = 5, stop = 1})
    local f = sobol(ishigami, {sample = cube, points = 2048, seed = 5})
    for k = 1, 3 do
      near(r[k].first, f[k].first, 1e-9, 1e-9)
      near(r[k].total, f[k].total, 1e-9, 1e-9)
      near(r[k].total_low, f[k].total_low, 1e-9, 1e-9)
    end
    holds(r, (ishigami_indices()))
    assert(check(r))
    assert(tostring(r):find("Sobol's indices of y: mean 3%.", 1), tostring(r))
  end)
  it("of Sobol's g-function are the known ones", function()
    local a, sample, names = {0, 1, 4.5, 9}, {}, {"x1", "x2", "x3", "x4"}
    for _, name in ipairs(names) do sample[name] = uniform(0, 1) end
    local function g(v, count)
      local y = {}
      for i = 0, count - 1 do
        y[i + 1] = 1
        for k, name in ipairs(names) do y[i + 1] = y[i + 1] * (math.abs(4 * v[name][i] - 2) + a[k]) / (1 + a[k]) end
      end
      return buffer.new("f64", y)
    end
    local all, want = 1, {}
    for k in ipairs(a) do all = all * (1 + 1 / (3 * (1 + a[k]) ^ 2)) end
    for k in ipairs(a) do
      local v = 1 / (3 * (1 + a[k]) ^ 2)
      want[k] = {v / (all - 1), v * all / (1 + v) / (all - 1)}
    end
    local r = sobol(g, {sample = sample, points = sized(16384, 4096), seed = 3})
    holds(r, want)
    assert(check(r))
  end)
  it("take normal and lognormal parameters", function()
    local r = sobol(function(v, count) -- the terms have the variances 4 and 9 * 1
      local y = {}
      for i = 0, count - 1 do y[i + 1] = v.a[i] + 3 * math.log(v.b[i]) end
      return y
    end, {sample = {a = normal(1, 2), b = lognormal(0, 1)}, points = 4096})
    holds(r, {{4 / 13, 4 / 13}, {9 / 13, 9 / 13}})
  end)
  it("have bounds that hold as often as they say", function()
    local inside, all = 0, sized(40, 20)
    for seed = 1, all do
      local r = sobol(function(v, count)
        local y = {}
        for i = 0, count - 1 do y[i + 1] = v.a[i] + v.b[i] end
        return y
      end, {sample = {a = uniform(0, 1), b = uniform(0, 2)}, points = 256, seed = seed, resamples = 200, confidence = 0.9})
      if r[1].total_low <= 0.2 and 0.2 <= r[1].total_high then inside = inside + 1 end
    end
    assert(inside >= 0.75 * all and inside < all, inside)
  end)
  it("leave out what is not a number, and are proved", function()
    local r = sobol(function(v, count)
      local y = ishigami(v, count)
      for i = 0, count - 1 do if v.c[i] > 3.1 then y[i + 1] = 0 / 0 end end
      return y
    end, {sample = cube, points = 512})
    assert(r.left_out > 0 and r.left_out < 40, r.left_out)
    assert(tostring(r):find(" of 512 rows are left out", 1, true))
    assert(check(r))
    r[1].first = r[1].first + 1
    raises("by Jansen's estimator", check, r)
    local f = sobol(ishigami, {sample = cube, points = 64})
    f.y[0] = f.y[0] + 1
    raises("point 0: the value is", check, f)
  end)
end)

describe("Morris's screening", function()
  it("of a linear function gives its coefficients", function()
    local r = morris(function(v, count)
      local y = {}
      for i = 0, count - 1 do y[i + 1] = 3 * v.a[i] - 2 * v.b[i] + 0 * v.c[i] end
      return y
    end, {sample = {a = uniform(1, 2), b = uniform(0, 5), c = uniform(0, 1)}, trajectories = 10})
    for k, w in ipairs {3, -10, 0} do
      near(r[k].mu, w, 1e-9, 1e-9)
      near(r[k].mu_star, math.abs(w), 1e-9, 1e-9)
      near(r[k].sigma, 0, 0, 1e-9)
    end
    equal(r.evaluations, 40)
    assert(check(r))
  end)
  it("of a product gives the mean and the deviation of the other factor", function()
    local r = morris(function(v, count)
      local y = {}
      for i = 0, count - 1 do y[i + 1] = v.a[i] * v.b[i] end
      return y
    end, {sample = {a = uniform(0, 1), b = uniform(0, 1)}, trajectories = 4000})
    for k = 1, 2 do
      near(r[k].mu, 0.5, 0.03)
      near(r[k].sigma, math.sqrt(5 / 36), 0.03) -- the standard deviation of 0, 1/3, 2/3 and 1
    end
  end)
  it("of a model ranks its parameters", function()
    local r = morris(ISHIGAMI, {of = "y", sample = cube, trajectories = 50, stop = 1})
    equal(r.evaluations, 200)
    assert(check(r))
    assert(r[1].sigma > 1 and r[3].mu_star > 1)
    assert(tostring(r):find("Morris's screening of y: 50 trajectories", 1, true))
    r[2].mu_star = r[2].mu_star * 1.01
    raises("mu* is", check, r)
  end)
  it("draws", function()
    local before, drawn = plot, 0
    plot = function(p) drawn = drawn + #p end
    morris(ishigami, {sample = cube}):plot()
    sobol(ishigami, {sample = cube}):plot()
    plot = before
    equal(drawn, 3)
  end)
end)

describe("what is wrong with a screening", function()
  it("is named", function()
    for f, name in pairs {[sobol] = "sobol", [morris] = "morris"} do
      raises(name .. ": expected a model of differential equations or a function of numbers, got 3", f, 3, {sample = cube})
      raises(name .. ": what varies?", f, ishigami, {})
      raises(name .. ": sample: a must be a distribution", f, ishigami, {sample = {a = 3}})
      raises(name .. ": which variable? Give it", f, ISHIGAMI, {sample = cube})
      raises("has no variable 'q'", f, ISHIGAMI, {sample = cube, of = "q"})
      raises("has no variable 'q'", f, ISHIGAMI, {sample = {q = uniform(0, 1)}, of = "y", stop = 1})
      raises("the function gave a nil for point 1, not a number", f, function() return {} end, {sample = cube})
      raises("the function must return a list or an f64 buffer", f, function() end, {sample = cube})
      raises(name .. ": rtol must be a number above 0", f, ISHIGAMI, {sample = cube, of = "y", rtol = 0})
      raises(name .. ": unknown option 'sampel'", f, ishigami, {sampel = cube})
    end
    raises("points is 3, expected a whole number from 8 on", sobol, ishigami, {sample = cube, points = 3})
    raises("confidence must be above 0", sobol, ishigami, {sample = cube, confidence = 1})
    raises("the result does not vary: it is 1", sobol, function(_, n) return buffer.new("f64", n):fill(1) end, {sample = cube})
    raises("only 0 of 1024 rows", sobol, function(_, n) return buffer.new("f64", n):fill(0 / 0) end, {sample = cube})
    raises("a must be uniform(low, high)", morris, ishigami, {sample = {a = normal(0, 1)}})
    raises("levels is 3, expected an even number", morris, ishigami, {sample = cube, levels = 3})
    raises("a has the range 0", morris, ishigami, {sample = {a = uniform(1, 1)}})
  end)
end)
