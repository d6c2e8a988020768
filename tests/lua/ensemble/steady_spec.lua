-- Steady states, compared with closed forms, with long runs of the reference, and with the equations' conserved quantities.
local ensemble_conserved = import "ensemble/ensemble_conserved"
local ensemble_kernels = import "ensemble/ensemble_kernels"
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near = M.near
local accurate = M.cvode and "cvode" or "dopri5"

local function text(equations) return model.from_text(equations) end

local BINDING = [[
k1 = 2
k2 = 1
kd = 0.5
kin = 3
v1 = k1*a*b
v2 = k2*c
a' = -v1 + v2
b' = -v1 + v2
c' = v1 - v2
x' = kin - kd*x*(1 + c)
a(0) = 1
b(0) = 2
c(0) = 0
x(0) = 0
]]

-- The root c of k1 (a0 - c)(b0 - c) = k2 c that is below a0 and b0.
local function bound(k1, k2, a0, b0)
  local s = a0 + b0 + k2 / k1
  return (s - math.sqrt(s * s - 4 * a0 * b0)) / 2
end

describe("a steady state", function()
  long("is where the equations are solved, with what they conserve", function()
    local r = steady(text(BINDING))
    local c = bound(2, 1, 1, 2)
    near(r.c[0], c, 1e-12)
    near(r.a[0], 1 - c, 1e-12)
    near(r.b[0], 2 - c, 1e-12)
    near(r.x[0], 6 / (1 + c), 1e-12)
    equal(#r.failed, 0)
    local sums = {}
    for k, s in ipairs(r.conserved) do sums[k] = s.text .. (" = %g"):format(s.total[0]) end
    table.sort(sums)
    equal(sums, {"a + c = 1", "b + c = 2"})
    assert(check(r))
  end)
  long("says which states are negative there and were not at the start", function()
    local function negative(equations, options)
      local r = steady(text(equations), options)
      return r.negative, tostring(r):match "negative, but not at the start: ([^;\n]*)"
    end
    local drained = "a' = -1 - 0.5*a\nb' = 2 - b\nv' = -70 - v\na(0) = 1\nb(0) = 0\nv(0) = -20"
    local list, said = negative(drained)
    equal({list, said}, {{"a"}, "a"})
    list, said = negative(drained, {sweep = {a = {1, 2}}})
    equal({list, said}, {{"a"}, "a"})
    list, said = negative(BINDING)
    equal({list, said}, {{}, nil})
  end)
  long("is each instance's own", function()
    local k, b0 = logrange(0.01, 100, 20), {1, 2, 3}
    local r = steady(text(BINDING), {sweep = {k1 = k, b = b0}, variables = {"c", "v1"}})
    equal({r.instances, #r.failed}, {60, 0})
    for i = 0, 59 do
      local c = bound(r.parameters.k1[i], 1, 1, r.parameters.b[i])
      near(r.c[i], c, 1e-10)
      near(r.v1[i], c, 1e-10)
    end
    assert(check(r))
    assert(tostring(r):find("60 of 60 instances have one", 1, true))
  end)
  it("keeps sums whose weights are parameters", function()
    local m = text "v1 = 2\nv2 = 3\nk = 1\nf = k*x - y\nx' = -f/v1\ny' = f/v2\nx(0) = 1\ny(0) = 0"
    local r = steady(m, {sweep = {v1 = {1, 2, 3}}})
    for i = 0, 2 do near(r.x[i], r.parameters.v1[i] / (r.parameters.v1[i] + 3), 1e-12) end
    equal(#r.conserved, 1)
    assert(check(r))
  end)
  long("is what the reference comes to", function()
    for _, network in ipairs {
      "n = 4\nx' = 10/(1 + y^n) - x\ny' = 5/(1 + x^n) - y\nx(0) = 2\ny(0) = 0.1",
      "k = 1e4\na' = -0.04*a + k*b*c + 0.1 - 0.1*a\nb' = 0.04*a - k*b*c - 3e7*b^2\nc' = 3e7*b^2 - 0.1*c\na(0) = 1\nb(0) = 0\nc(0) = 0",
    } do
      local m = text(network)
      local r = steady(m, {duration = 50})
      equal(#r.failed, 0)
      local c = simulate(m, {stop = 2000, steps = 1, method = accurate, rtol = 1e-11, atol = 1e-14})
      for _, name in ipairs(r.names) do near(r[name][0], c[name][1], 1e-7) end
      assert(check(r))
    end
  end)
  long("goes on integrating where the state is still far, and names who does not settle", function()
    local m = text "k = 1e-3\nx' = k*(1 - x)\nx(0) = 0"
    local r = steady(m, {duration = 1, near = 1e-3})
    near(r.x[0], 1, 1e-12)
    assert(r.time > 5000, r.time)
    local p = steady(model.load(M.samples .. "lotka-volterra.ode"), {duration = 20, tries = 2})
    equal({#p.failed, p.failed[1].instance}, {1, 0})
    assert(p.failed[1].reason:find "is still .* %% of its size away", p.failed[1].reason)
    assert(p.x[0] ~= p.x[0])
    raises("no instance has a steady state to check", check, p)
    assert(tostring(p):find("NOT found", 1, true))
  end)
  long("goes on without the instances that fail", function()
    local r = steady(text "k = 1\nx' = k*x^2 - 2*x\nx(0) = 1", {sweep = {k = {1, 4}}})
    equal(#r.failed, 1)
    equal(r.failed[1].instance, 1)
    assert(r.failed[1].reason:find "its step became too small" and r.failed[1].time < 1)
    near(r.x[0], 0, 0, 1e-9)
    assert(r.x[1] ~= r.x[1])
    local drift = steady(text "x' = 1\nx(0) = 0", {tries = 2})
    assert(drift.failed[1].reason:find "Jacobian is singular", drift.failed[1].reason)
  end)
  it("is checked by other code", function()
    local r = steady(text(BINDING))
    r.final[3] = r.final[3] * (1 + 1e-5)
    raises("of its scale", check, r)
    r = steady(text(BINDING))
    r.final[0], r.final[1], r.final[2] = 0, 0, 0 -- nothing reacts
    r.final[3] = 6
    raises("a conserved sum has changed", check, r)
  end)
  it("steps by primitives", function()
    local r, seen = steady(text(BINDING)), {}
    for _, c in ipairs(trace.last(60)) do seen[c.kernel:match "_(%a+)$" or ""] = true end
    assert(seen.newton and seen.judge and seen.attempt and seen.front)
    equal(r.variant, "newton")
  end)
  long("is drawn and saved by what differs", function()
    local r = steady(text "k = 1\nj = 0\nx' = k + j - x\nx(0) = 0", {sweep = {k = {1, 2, 3}}})
    local path = temporary ".csv"
    r:save(path)
    local f = assert(io.open(path))
    equal(f:read "a":gsub("%.0*%f[,\n]", ""), "k,x\n1,1\n2,2\n3,3\n")
    f:close()
    os.remove(path)
    local before, drawn = plot, nil
    plot = function(p) drawn = p end
    r:plot()
    plot = before
    equal({drawn[1].name, #drawn[1].x}, {"x", 3})
    raises("there is no 'z'; there are k, x", r.plot, r, "z")
    raises("j is the same for all instances", r.plot, r, "x", "j")
    raises("one steady state is not a curve", function() steady(text "x' = 1 - x\nx(0) = 0"):plot() end)
  end)
  long("of a file of others is what the reference comes to", function()
    if not M.sbml or not M.there "models/BIOMD0000000009.xml" then return end
    local m = model.load(M.DATA .. "/models/BIOMD0000000009.xml") -- Huang and Ferrell 1996: 22 substances, amounts of 1e-16
    local r = steady(m)
    equal({#r.conserved, #r.failed}, {7, 0})
    assert(check(r))
    local c = simulate(m, {stop = 1e5, steps = 1, method = accurate, rtol = 1e-10, atol = 1e-22, variables = r.names})
    for _, name in ipairs(r.names) do near(r.values[name][0], c[name][1], 1e-6) end
  end)
end)

describe("sums that are conserved", function()
  long("are found in networks made at random", function()
    local state = 5
    local function random(n)
      state = state * 6364136223846793005 + 1442695040888963407
      return (state >> 33) % n
    end
    for _ = 1, sized(6, 2) do -- `groups` groups of substances that turn into each other
      local lines, first, groups = {}, {}, 1 + random(3)
      for g = 1, groups do
        local size = 2 + random(4)
        for s = 1, size do
          local after = s % size + 1
          lines[#lines + 1] = ("f%d_%d = %g*s%d_%d"):format(g, s, (1 + random(90)) / 10, g, s)
          lines[#lines + 1] = ("s%d_%d' = f%d_%d - f%d_%d"):format(g, after, g, s, g, after)
          first[#first + 1] = ("s%d_%d(0) = %g"):format(g, s, random(5))
        end
      end
      local r = steady(text(table.concat(lines, "\n") .. "\n" .. table.concat(first, "\n")), {duration = 20})
      equal({#r.conserved, #r.failed}, {groups, 0})
      assert(check(r))
    end
  end)
end)

describe("sums that follow from the form of the equations", function()
  local function sums(source)
    local e = ensemble_kernels.parts(text(source), {})
    local list = {}
    for k, weights in ipairs(ensemble_conserved.sums_of_equations(e)) do
      local names = {}
      for i, v in ipairs(e.states) do names[i] = e.m:variable(v).name end
      list[k] = ensemble_conserved.sum_text(weights, names)
    end
    table.sort(list)
    return list
  end
  it("are found through functions, quotients, products of sums and constants", function()
    equal(sums "x' = -2*x + y\ny' = 2*x - y\nx(0) = 1\ny(0) = 0", {"x + y"})
    equal(sums "x' = -2*x\ny' = x\nx(0) = 1\ny(0) = 0", {"0.5*x + y"})
    equal(sums "k = 3\nv = 2\nr = k*x*y - z\nx' = -r/v\ny' = -(r/v)\nz' = r/v\nx(0) = 1\ny(0) = 1\nz(0) = 0", {"x + z", "y + z"})
    equal(sums "x' = (x + y)*(x - y)\ny' = (y - x)*(y + x)\nx(0) = 1\ny(0) = 1", {}) -- products of two sums are not multiplied out
    equal(sums "x' = x*(1 - y)\ny' = y*x - x + 0.5*x\nx(0) = 1\ny(0) = 1", {})
    equal(sums "x' = -x\ny' = 1\nx(0) = 1\ny(0) = 0", {})
  end)
  it("are those of networks made at random", function()
    local of = dofile((arg[0]:match "^(.*)/" or ".") .. "/random_reactions.lua")
    for seed = 1, sized(12, 3) do
      if due() then
        local source = of(4 + seed, seed)
        local e = ensemble_kernels.parts(model.from_text(source), {})
        equal({seed, #ensemble_conserved.sums_of_equations(e)}, {seed, #steady(model.from_text(source), {duration = 0.01}).conserved})
      end
    end
  end)
end)

describe("samples/cascade.lua", function()
  long("is Goldbeter's and Koshland's switch, and its fit finds the constants", function()
    local folder = arg[0]:match "^(.*)/" or "."
    local env = setmetatable({print = function() end}, {__index = _G})
    local r = assert(loadfile(folder .. "/../../samples/cascade.lua", "t", env))()
    for i = 0, r.rest.instances - 1 do
      local u, v, K = r.rest.parameters.v1[i], 1, 0.05
      local B = v - u + v * K + u * K
      near(r.rest.P[i], 2 * u * K / (B + math.sqrt(B * B - 4 * (v - u) * u * K)), 1e-10)
    end
    for name, error in pairs(r.found.errors) do
      near(r.found.parameters[name], 1, 0, 3.5 * error)
      assert(error < 0.2, error)
    end
    near(r.parts[3].total + r.parts[4].total, 1, 0.15)
  end)
end)

describe("what is wrong with a steady state", function()
  local m = text(BINDING)
  it("is named", function()
    raises("steady: the equations depend on time", steady, text "x' = sin(time) - x\nx(0) = 1")
    raises("steady: expected a model of differential equations (model.load), got 3", steady, 3)
    raises("unknown option 'nera' (did you mean near?)", steady, m, {nera = 2})
    raises("near must be above 0 and below 1", steady, m, {near = 1})
    raises("duration must be above 0", steady, m, {duration = -1})
    raises("has no variable 'q'", steady, m, {variables = {"q"}})
    raises("the model has no state", steady, text "k = 1")
  end)
end)

describe("a steady state of a model with events", function()
  long("is where none is to come: none that waits, and none by time alone", function()
    local m = text "x' = k - x\nk = 1\nx(0) = 0\nd = 1\nn = 0\nwhen time > 300: k = 5\nwhen x > 0.5 after d: n = n + 1"
    local r = steady(m, {sweep = {d = {1, 2000}}, duration = 10, variables = {"x", "n"}})
    near(r.x[0], 5, 1e-9)
    near(r.x[1], 5, 1e-9)
    equal(r.n:totable(), {1.0, 1.0})
    equal(r.time, 11110.0)
    assert(check(r))
    r = steady(m, {sweep = {d = {1, 2000}}, duration = 10, tries = 3})
    equal({#r.failed, r.failed[1].instance, r.failed[1].event, r.failed[1].reason}, {1, 1, "event 2", "event 2 is still to come"})
    near(r.x[0], 5, 1e-9)
  end)
  it("is not one that an event lies before", function()
    local r = steady(text "x' = k - x\nk = 1\nx(0) = 0\nwhen x > 0.999999: k = 5", {duration = 10})
    near(r.x[0], 5, 1e-9)
    assert(check(r))
  end)
  it("is behind all times that functions and parameters make", function()
    local m = text "x' = k - x\nk = 1\nx(0) = 0\nt0 = 0\nago = time - t0\nwhen x > 0.9: t0 = time\nwhen 2*ago > 500 and t0 > 0: k = 3"
    local r = steady(m, {duration = 10})
    near(r.x[0], 3, 1e-9)
    assert(check(r))
  end)
  it("keeps the sums that the events have made", function()
    local m = text "a' = b - 2*a\nb' = 2*a - b\na(0) = 1\nb(0) = 0\nwhen time > 3: a = a + 5"
    local r = steady(m, {duration = 10})
    near(r.a[0], 2, 1e-9)
    near(r.b[0], 4, 1e-9)
    near(r.conserved[1].total[0] / r.conserved[1].weights[1][1], 6, 1e-6)
    assert(check(r))
    r.time = 2 -- at time 2 the event has not happened yet
    raises("after time 2 there is 1 event", check, r)
  end)
  long("is none where events go on", function()
    local r = steady(text "x' = -x\nx(0) = 1\nwhen x < 0.1: x = 1", {duration = 10, tries = 2})
    equal(#r.failed, 1)
    r = steady(text "x' = 1 - x\ny' = x - y\nx(0) = 0\ny(0) = 0\nwhen x > 0.9999 after 1000: x = 0", {duration = 100, tries = 2})
    equal(r.failed[1].event, "event 1")
  end)
  it("is not sought where nothing tells whether an event comes again", function()
    raises("the trigger of event 1 contains time, but not as a + b*time in a comparison", steady,
      text "x' = 1 - x\nx(0) = 0\nwhen sin(time) > 0.5: x = 0")
    raises("the trigger of event 1 contains time", steady, text "x' = 1 - x\nx(0) = 0\nf = time*time\nwhen f > 50: x = 0")
  end)
end)
