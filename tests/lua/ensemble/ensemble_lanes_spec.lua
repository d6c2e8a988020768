-- Instances in the lanes of a CPU's vectors: each gives the same results as in a run by itself, whatever its neighbours do.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near = M.near
local accurate = M.cvode and "cvode" or "dopri5"

local FUNCTIONS = [[
k = 1
x' = exp(-k*x) - ln(1 + x^2)/(1 + sqrt(x)) + x^2.5*0.01 + min(x, 2)*max(0.1, y)*0.1
y' = sin(k*time) - tanh(y) + cos(x)*0.5 + abs(y)*0.1 + tan(0.1*y) - x^(-1)*0.01 + x^(-3)*0.001 + floor(k)*0.001
z' = arcsin(0.1*y) + arccos(0.1*y) - arctan(z) + sinh(0.1*y) - cosh(0.1*z) + log10(2 + x) + ceiling(k)*0.01
x(0) = 1
y(0) = 0.5
z(0) = 0.2
]]
local POL = [[
mu = 1
x' = y
y' = mu*((1 - x^2)*y) - x
x(0) = 2
y(0) = 0
]]

local function values(r, instance)
  local out = {}
  for _, name in ipairs(r.names) do
    for row = 0, r.rows - 1 do out[#out + 1] = r[name]:get(row, instance) end
  end
  return out
end

describe("instances in lanes", function()
  it("have the bits that they have alone, with any number of neighbours", function()
    for _, method in ipairs {"dopri5", "rodas4", "auto"} do
      local alone
      for _, count in ipairs {1, 3, 4, 5, 8, 9, 17, 33} do
        local k = {}
        for i = 1, count do k[i] = i == count and 1.25 or 0.1 * i end -- the last instance has the same k in all runs
        local r = simulate(model.from_text(FUNCTIONS), {each = {k = k}, instances = count, stop = 3, steps = 3, method = method})
        equal(#r.failed, 0)
        local last = values(r, count - 1)
        alone = alone or last
        for i, x in ipairs(last) do equal(x, alone[i]) end
      end
    end
  end)
  it("compute each function as the reference engine does", function()
    local m = model.from_text(FUNCTIONS)
    for _, method in ipairs {"dopri5", "rodas4"} do
      local r = simulate(m, {sweep = {k = {0.3, 0.7, 1, 1.5, 2.2}}, stop = 3, steps = 3, method = method, rtol = 1e-8})
      for i = 0, 4 do
        m:set("k", r.parameters.k[i])
        local c = simulate(m, {stop = 3, steps = 3, method = accurate, rtol = 1e-12, atol = 1e-14})
        for _, name in ipairs(r.names) do
          for row = 0, 3 do near(r[name]:get(row, i), c[name][row], 1e-6, 1e-7) end
        end
      end
    end
  end)
  it("go on when a neighbour fails, and each that fails is told with its time", function()
    local m = model.from_text "a = 1\nx' = a*x^2\nx(0) = 1" -- 1/(1 - a t): the solution diverges at t = 1/a
    for _, method in ipairs {"dopri5", "rodas4", "auto"} do
      local r = simulate(m, {sweep = {a = {0.1, 4, 0.2, 0.25, 2, -1, -2, 0.3, 0.05, 8}}, stop = 1, steps = 2, method = method})
      local time = {}
      for _, f in ipairs(r.failed) do time[f.instance] = f.time end
      equal(#r.failed, 3)
      for i = 0, 9 do
        local a = r.parameters.a[i]
        if a >= 2 then near(time[i], 1 / a, 1e-3) else near(r.x:get(2, i), 1 / (1 - a), 1e-4) end
      end
    end
  end)
  it("try a last step again that is refused", function()
    local m = model.from_text "k = 1\nx' = k*20*exp(20*(time - 1))\nx(0) = 1" -- x = 1 + k exp(20 (t - 1)): slow, then fast
    for _, method in ipairs {"dopri5", "rodas4"} do
      local r = simulate(m, {sweep = {k = {1, 100, 0.01, 30, 7}}, stop = 1, steps = 1, method = method})
      assert(r.rejected > 0)
      for i = 0, 4 do near(r.x:get(1, i), 1 + r.parameters.k[i], 1e-5) end
    end
  end)
  it("are found stiff each by itself", function()
    local m = model.from_text(POL)
    local mu = {}
    for i = 1, 24 do mu[i] = i % 3 == 0 and 1000 or i % 3 end
    local r = simulate(m, {each = {mu = mu}, instances = 24, stop = 20, steps = 2})
    equal(r.stiff, 8)
    equal(#r.failed, 0)
    for i = 0, 23, 5 do
      local one = simulate(m, {each = {mu = {mu[i + 1]}}, instances = 1, stop = 20, steps = 2})
      equal(one.x:get(2, 0), r.x:get(2, i))
      equal(one.stiff, mu[i + 1] == 1000 and 1 or 0)
    end
  end)
  it("with conditions or events are no lanes, and give what the reference engine gives", function()
    local m = model.from_text "k = 1\nx' = -k*x*{1 if x > 0.5; 0.25 otherwise}\nx(0) = 1"
    local r = simulate(m, {sweep = {k = {0.5, 1, 2, 3, 4}}, stop = 2, steps = 2, rtol = 1e-8})
    for i = 0, 4 do
      local k = r.parameters.k[i]
      local at = math.log(2) / k
      near(r.x:get(2, i), 0.5 * math.exp(-0.25 * k * (2 - at)) * (at > 2 and 0 or 1) + (at > 2 and math.exp(-2 * k) or 0), 1e-6)
    end
  end)
end)
