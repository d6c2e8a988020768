-- The actual error of ensemble methods against the requested tolerance: standard stiff problems with published
-- solutions, conditions in equations, and the default tolerance.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local problems = dofile((arg[0]:match("^(.*)/") or ".") .. "/stiff_problems.lua")
local near = M.near
local accurate = M.cvode and "cvode" or "dopri5"

describe("the error of an ensemble", function()
  for _, p in ipairs(problems) do
    long("is within ten times the tolerance: " .. p.name, function()
      local m = model.from_text(p.text)
      for _, method in ipairs {"rodas4", "radau5"} do
        for _, rtol in ipairs(sized({1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}, {1e-4, 1e-7})) do
          local r = simulate(m, {instances = 1, stop = p.stop, steps = 1, method = method, rtol = rtol, atol = p.atol(rtol)})
          equal(#r.failed, 0)
          for name, want in pairs(p.solution) do
            near(r[name]:get(1, 0), want, 10 * rtol, 10 * p.atol(rtol))
          end
        end
      end
    end)
  end
  for _, given in ipairs {{"BIOMD0000000009.xml", 150}, {"BIOMD0000000020.xml", 20}, {"luo_rudy_1991.cellml", 400}, {"single-FHN_model.phml", 100}} do
    local there = M.cvode and M.there("models/" .. given[1]) and (M.sbml or not given[1]:find "%.xml$") and M.xml
    if there then long("is within ten times the tolerance: " .. given[1], function()
      local m = model.load(M.DATA .. "/models/" .. given[1])
      local c = simulate(m, {stop = given[2], steps = 10, method = "cvode", rtol = 1e-12, atol = 1e-25})
      for _, method in ipairs {"dopri5", "rodas4", "radau5"} do
        for _, rtol in ipairs(sized({1e-3, 1e-5, 1e-7, 1e-9}, {1e-5})) do
          local r = simulate(m, {instances = 1, stop = given[2], steps = 10, method = method, rtol = rtol})
          equal(#r.failed, 0)
          for _, name in ipairs(r.names) do
            local size = 0
            for row = 0, 10 do size = math.max(size, math.abs(c[name][row])) end
            for row = 0, 10 do near(r[name]:get(row, 0), c[name][row], 0, 10 * (r.least_atol + rtol * size)) end
          end
        end
      end
    end) end
  end
  long("follows the tolerance by each method", function()
    local m = model.load(M.samples .. "lotka-volterra.ode")
    local c = simulate(m, {stop = 10, steps = 1, method = accurate, rtol = 1e-12, atol = 1e-14})
    for _, method in ipairs {"dopri5", "rodas4", "radau5"} do
      local before
      for _, rtol in ipairs {1e-4, 1e-6, 1e-8} do
        local r = simulate(m, {instances = 1, stop = 10, steps = 1, method = method, rtol = rtol})
        local error = math.abs(r.x:get(1, 0) - c.x[1])
        assert(error <= 100 * rtol * c.x[1], ("%s at %g: %g"):format(method, rtol, error))
        assert(not before or error < before / 5, ("%s at %g: %g, before %g"):format(method, rtol, error, before or 0))
        before = error
      end
    end
  end)
  it("of Radau IIA falls with the fifth power of the step, as its constants say", function()
    local R = {} -- with the method's matrix A, T^-1 A^-1 T has one block for the real and one for the complex eigenvalues
    for line in io.lines((arg[0]:match "^(.*)/" or ".") .. "/../../kernels/ensemble/radau5.h") do
      local name, x = line:match "^#define RADAU_(%u+%d*) (%-?[%d.e-]+)$"
      if name then R[name] = tonumber(x) end
    end
    local root6 = math.sqrt(6)
    local A = {{(88 - 7 * root6) / 360, (296 - 169 * root6) / 1800, (-2 + 3 * root6) / 225},
      {(296 + 169 * root6) / 1800, (88 + 7 * root6) / 360, (-2 - 3 * root6) / 225}, {(16 - root6) / 36, (16 + root6) / 36, 1 / 9}}
    local T = {{R.T11, R.T12, R.T13}, {R.T21, R.T22, R.T23}, {R.T31, 1, 0}}
    local B = {{R.B11, R.B12, R.B13}, {R.B21, R.B22, R.B23}, {R.B31, R.B32, R.B33}}
    local L = {{R.REAL, 0, 0}, {0, R.RE, -R.IM}, {0, R.IM, R.RE}}
    local function product(x, y)
      local out = {}
      for i = 1, 3 do
        out[i] = {}
        for j = 1, 3 do out[i][j] = x[i][1] * y[1][j] + x[i][2] * y[2][j] + x[i][3] * y[3][j] end
      end
      return out
    end
    local one, inverse = product(B, T), product(product(A, product(T, L)), B)
    for i = 1, 3 do
      for j = 1, 3 do
        near(one[i][j], i == j and 1 or 0, 0, 1e-13)
        near(inverse[i][j], i == j and 1 or 0, 0, 1e-12)
      end
    end
  end)
end)

describe("conditions in equations", function()
  -- A short stimulus, which the long steps of the smooth part would step over, and a rate with a condition on a state.
  local PULSE = "x' = {k if time > 5 and time < 5.02; -0.1*x otherwise}\nx(0) = 0\nk = 50"
  long("end a step where they change", function()
    local m = model.from_text(PULSE)
    for _, method in ipairs {"dopri5", "rodas4", "radau5"} do
      local r = simulate(m, {sweep = {k = {50, 200}}, stop = 10, steps = 1, method = method, rtol = 1e-8})
      for i, k in ipairs {50, 200} do near(r.x:get(1, i - 1), 0.02 * k * math.exp(-0.1 * 4.98), 1e-7) end
      assert(r.accepted < 1000, r.accepted)
    end
    m = model.from_text "x' = {1 if x < k; 3 otherwise}\nx(0) = 0\nk = 1"
    local r = simulate(m, {sweep = {k = {1, 1.5}}, stop = 2, steps = 2, rtol = 1e-9})
    near(r.x:get(2, 0), 4, 1e-8)
    near(r.x:get(2, 1), 1.5 + 3 * 0.5, 1e-8)
  end)
  long("leave the error within ten times the tolerance, whatever the stages saw of the step that meets them", function()
    -- MEMBRANE: FitzHugh and Nagumo's model, which amplifies an error in its short stimulus a hundredfold; CVODE, and Dormand
    -- and Prince's method at 1e-12, agree on its value to nine digits. DECAY: a row lies at the end of the stimulus. SWITCH: a
    -- condition on a state changes once. SPRING: such a condition changes repeatedly (oscillations accumulate errors; all methods
    -- give this value at 1e-11). Newton iterations of Radau IIA may cross the change.
    local MEMBRANE = "v' = -v*(v - 0.139)*(v - 1) - w + {k if time >= 10 and time <= 10.1; 0 otherwise}\n" ..
      "w' = 0.008*(v - 2.54*w)\nv(0) = 0\nw(0) = 0\nk = 2"
    local DECAY = "v' = {k if time >= 5 and time <= 5.1; 0 otherwise} - 0.5*v\nv(0) = 1\nk = 2"
    local SWITCH = "v' = {1 + v if v < k; 0.1*v otherwise}\nv(0) = 0\nk = 2" -- v = exp(t) - 1 until t = ln 3
    local SPRING = "k = 2\nx' = v\nv' = {-0.7*x if x*x + 0.1*time < k; 1 - 2.1*x otherwise}\nx(0) = 0\nv(0) = 2"
    local gained = 4 * (1 - math.exp(-0.05))
    for _, case in ipairs {{MEMBRANE, 56, 0.245423691},
      {DECAY, 5.1, math.exp(-2.55) + gained}, {DECAY, 6, math.exp(-3) + gained * math.exp(-0.45)},
      {SWITCH, 3, 2 * math.exp(0.1 * (3 - math.log(3)))}, {SPRING, 50 / 7, -1.996441069, 30}} do
      local m = model.from_text(case[1])
      for _, rtol in ipairs {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8} do
        for _, method in ipairs {"dopri5", "rodas4", "radau5"} do
          local r = simulate(m, {instances = 1, stop = case[2], steps = 1, method = method, rtol = rtol})
          near(r.v:get(1, 0), case[3], (case[4] or 10) * rtol)
        end
      end
    end
  end)
  it("are met where a launch tries one step alone", function() -- a retried step may be in the next launch
    local m = model.from_text(PULSE)
    for _, method in ipairs {"dopri5", "rodas4", "radau5"} do
      local r = simulate(m, {sweep = {k = {50, 200}}, stop = 10, steps = 1, method = method, rtol = 1e-8, attempts = 1})
      for i, k in ipairs {50, 200} do near(r.x:get(1, i - 1), 0.02 * k * math.exp(-0.1 * 4.98), 1e-7) end
    end
  end)
  it("that change to and fro do not stop an instance", function()
    local m = model.from_text "x' = {1 if x < k; -1 otherwise}\nx(0) = 0\nk = 1"
    local r = simulate(m, {sweep = {k = {1, 1.5}}, stop = 3, steps = 1, rtol = 1e-3})
    equal(#r.failed, 0)
    for i = 0, 1 do near(r.x:get(1, i), 1 + i / 2, 1e-2) end
  end)
end)

describe("the tolerance that is not given", function()
  it("goes by the first values, so that small ones count", function()
    local m = model.from_text "x' = -k*x + 0.1*k*y\ny' = -k*y\nx(0) = 0\ny(0) = 2e-18\nk = 1"
    local r = simulate(m, {sweep = {k = {1, 2}}, stop = 2, steps = 1})
    near(r.atol, 2e-27, 1e-12)
    for i, k in ipairs {1, 2} do
      near(r.y:get(1, i - 1), 2e-18 * math.exp(-2 * k), 1e-4)
      near(r.x:get(1, i - 1), 2e-18 * 0.2 * k * math.exp(-2 * k), 1e-4)
    end
  end)
  it("goes by each state, and by the relative one", function()
    local m = model.from_text "x' = -x\ny' = -y\nx(0) = 1e6\ny(0) = 1e-6\nk = 1"
    local r = simulate(m, {instances = 1, stop = 1, steps = 1, rtol = 1e-4})
    near(r.atol, 1e-7, 1e-12)
    near(r.least_atol, 1e-13, 1e-12)
    assert(tostring(r):find("1e-13 to 1e-07 absolute", 1, true), tostring(r))
  end)
end)

describe("a stiff instance", function()
  long("is known by its steps, also where some of them are not bound to stability", function()
    for k = 2, 4 do -- HIRES, Van der Pol, OREGO
      local p = problems[k]
      local r = simulate(model.from_text(p.text), {instances = 2, stop = p.stop, steps = 1, rtol = 1e-5, atol = p.atol(1e-5)})
      equal(r.stiff, 2)
      assert(r.accepted < 2 * 2000, r.accepted)
    end
    if not M.sbml or not M.there "models/BIOMD0000000009.xml" then return end
    local m = model.load(M.DATA .. "/models/BIOMD0000000009.xml")
    local r = simulate(m, {instances = 1, stop = 150, steps = 1, atol = 1e-12}) -- atol is meant for concentrations; the states are amounts
    equal({r.stiff, r.given_atol}, {1, 1e-12})
    assert(r.accepted < 2000 and r.atol < 1e-20, r.accepted)
    local c = simulate(m, {stop = 150, steps = 1, method = accurate, rtol = 1e-11, atol = 1e-16, variables = r.names})
    for _, name in ipairs(r.names) do near(r[name]:get(1, 0), c[name][1], 1e-5, 1e-11) end
  end)
end)

describe("networks of reactions at random", function()
  local of = dofile((arg[0]:match("^(.*)/") or ".") .. "/random_reactions.lua")
  long("are what the reference says, instance by instance, by each method", function()
    local methods = {"auto", "radau5", "rodas4", "auto"}
    for k = 1, sized(8, 2) do
      local m, method = model.from_text(of(8 + 5 * k, k)), methods[1 + k % #methods]
      local r = simulate(m, {sweep = {scale = {0.5, 2}}, stop = 10, steps = 4, method = method, rtol = 1e-6})
      equal(#r.failed, 0)
      for i, scale in ipairs {0.5, 2} do
        m:set("scale", scale)
        local c = simulate(m, {stop = 10, steps = 4, method = accurate, rtol = 1e-11, atol = 1e-15, variables = r.names})
        for _, name in ipairs(r.names) do
          local size = 0
          for row = 0, 4 do size = math.max(size, math.abs(c[name][row])) end
          for row = 0, 4 do near(r[name]:get(row, i - 1), c[name][row], 0, 10 * (r.atol + r.rtol * size)) end
        end
      end
    end
  end)
end)

describe("names in a kernel's text", function()
  it("are no types, whatever a function's place is", function()
    local lines = {"x' = g70 - x\nx(0) = 0\nk = 1\ng1 = k"}
    for i = 2, 70 do lines[#lines + 1] = ("g%d = g%d + 1"):format(i, i - 1) end
    local r = simulate(model.from_text(table.concat(lines, "\n")), {sweep = {k = {1, 2}}, stop = 50, steps = 1})
    near(r.x:get(1, 1), 71, 1e-5)
  end)
end)
