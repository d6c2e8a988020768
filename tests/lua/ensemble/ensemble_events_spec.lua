-- Events of a model with many instances: each instance is compared with the reference engine, which finds the times of events by
-- another method. Also cases of the SBML Test Suite.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near = M.near
local accurate = M.cvode and "cvode" or "dopri5"
local METHODS = {"dopri5", "rodas4", "radau5", "auto"}

local BALL = "h' = v\nv' = -10\nh(0) = 5\nv(0) = 0\nn = 0\nc = 0.9\nwhen h < 0: h = 0, v = -c*v, n = n + 1"

-- Compares each instance with its own simulation. No row may be at the time of an event: rounding would decide which of both comes first.
local function holds(equations, name, values, stop, variables, methods)
  local m, most = model.from_text(equations), 0
  for _, method in ipairs(methods or METHODS) do
    local r = simulate(m, {sweep = {[name] = values}, stop = stop, steps = 9, variables = variables, method = method, rtol = 1e-8})
    equal(#r.failed, 0)
    for i, x in ipairs(values) do
      m:set(name, x)
      local c = simulate(m, {stop = stop, steps = 9, variables = variables, method = accurate, rtol = 1e-11, atol = 1e-13})
      for _, column in ipairs(variables) do
        for row = 0, 9 do near(r[column]:get(row, i - 1), c[column][row], 1e-5, 1e-6) end
      end
      most = math.max(most, c.events)
    end
    assert(r.events > 0 and most > 0)
    m:set(name, values[1])
  end
  return m
end

describe("events of an ensemble", function()
  long("are found where a condition becomes true, and change states and parameters", function()
    holds(BALL, "c", {0.65, 0.7, 0.9}, 3.503, {"h", "v", "n"})
    holds("x' = -k*x\nx(0) = 1\nk = 1\nwhen x < 0.5: x = x + 1\nwhen time >= 2.1: k = 2*k", "k", {1, 2, 30}, 5, {"x", "k"})
  end)
  long("wait for their delay, and take the values of when they were triggered", function()
    holds("x' = k\nx(0) = 0\nk = 1\nwhen x > 1 after 0.25: x = 0", "k", {0.51, 1.03, 3.01}, 5, {"x"}, {"auto"})
    holds("a = 1\nb = 2\nx' = a - b\nx(0) = 0\nwhen time > 1: a = b, b = a\nwhen a > 1 after 0.5: a = 3*x", "b", {2.01, 3.3}, 3.01,
      {"x", "a", "b"}, {"auto"})
  end)
  it("that are true at the start happen before the first row, if they were false before", function()
    local m = model.from_text "x' = 1\nx(0) = 0\nk = 1\nwhen k > 2: x = 10"
    local c = simulate(m, {stop = 1, steps = 1, variables = {"x"}})
    local r = simulate(m, {sweep = {k = {1, 3}}, stop = 1, steps = 1, variables = {"x"}})
    equal(r.x:get(0, 0), c.x[0])
    m:set("k", 3)
    equal(r.x:get(0, 1), simulate(m, {stop = 1, steps = 1, variables = {"x"}}).x[0])
  end)
  it("are more than a word has bits", function()
    local lines = {"x' = k\nx(0) = 0\nk = 1\nn = 0\ns = 0"}
    for i = 1, 40 do lines[#lines + 1] = ("when x > %g: n = n + 1, s = s + %d"):format(i / 10 + 0.01, i * i) end
    local m = model.from_text(table.concat(lines, "\n"))
    local r = simulate(m, {sweep = {k = {1, 2}}, stop = 3, steps = 1, variables = {"n", "s"}})
    equal({r.n:get(1, 0), r.n:get(1, 1), r.s:get(1, 1)}, {29.0, 40.0, 40 * 41 * 81 / 6})
    equal(r.events, 69)
  end)
  it("of few instances and of many are the same bits", function()
    local m = model.from_text(BALL)
    local function of(n) return simulate(m, {sample = {c = uniform(0.6, 0.8)}, instances = n, seed = 5, stop = 3.1, steps = 3}) end
    local few, many = of(5), of(500)
    for i = 0, 4 do equal(few.h:get(3, i), many.h:get(3, i)) end
    assert(check(many))
  end)
  long("without end stop the instance, and no other", function()
    local r = simulate(model.from_text(BALL), {sweep = {c = {0.5, 0.9}}, stop = 4, steps = 4, variables = {"n"}})
    equal({#r.failed, r.failed[1].instance, r.failed[1].event, r.failed[1].why},
      {1, 0, "event 1", "events trigger each other without end, among them event 1"})
    near(r.failed[1].time, 3, 1e-6)
    equal(r.n:get(4, 1), 2.0)
    assert(tostring(r):find("without end", 1, true), tostring(r))
    r = simulate(model.from_text "x' = 1\nx(0) = 0\na = 1\nk = 1\nwhen time > k and a > 0: a = -a\nwhen time > k and a < 0: a = -a",
      {sweep = {k = {1, 3}}, stop = 2, steps = 2, variables = {"x"}})
    equal({#r.failed, r.failed[1].instance}, {1, 0})
    assert(r.failed[1].why:find "^events trigger each other without end, among them event [12]$", r.failed[1].why)
    r = simulate(model.from_text "x' = 1\nx(0) = 0\nk = 1\nwhen x > 1 after k: x = 0", {sweep = {k = {1, -1}}, stop = 3, steps = 2})
    equal({#r.failed, r.failed[1].instance, r.failed[1].why}, {1, 1, "the delay of event 1 is negative or not a number"})
    r = simulate(model.from_text "x' = 1\nx(0) = 0\nk = 1\nwhen x > 5: x = 6\nwhen x > 1 after k: x = 0",
      {sweep = {k = {-1}}, stop = 3, steps = 2})
    equal(r.failed[1].event, "event 2")
  end)
  it("are refused where they are not followed", function()
    local m = model.from_text(BALL)
    raises("Take differences: simulate(m, {instances = 2, each = {c = {0.999*x, 1.001*x}}})", sensitivities, m, {parameters = {"c"}, stop = 1})
    raises("uniform", simulate, model.from_text "x' = 1\nx(0) = 0\nk = 1\nwhen x > 1: x = uniform(0, 1)", {sweep = {k = {1}}, stop = 2})
  end)
end)

-- --- the SBML Test Suite ---

local function contents(path)
  local f = assert(io.open(path))
  local text = f:read "a"
  f:close()
  return text
end

-- Runs a case with its settings as an ensemble of one instance and compares it with the suite's results.
local function case_holds(folder, case, level, method)
  local at = ("%s/sbml/%s/%s/%s"):format(M.DATA, folder, case, case)
  local settings = contents(at .. "-settings.txt")
  local function number(name) return tonumber(settings:match(name .. ":%s*([%d.eE+-]+)")) end
  local lines = {}
  for line in contents(at .. "-results.csv"):gmatch "[^\r\n]+" do lines[#lines + 1] = line end
  local names, factor, m = {}, {}, model.load(("%s-sbml-%s.xml"):format(at, level))
  for name in lines[1]:gmatch "[^,]+" do names[#names + 1] = name:match "^%s*(.-)%s*$" end
  table.remove(names, 1)
  local columns = {table.unpack(names)}
  for _, quantity in ipairs {"amount", "concentration"} do
    for name in settings:match(quantity .. ":([^\n]*)"):gmatch "[%w_]+" do
      local v = m:variable(name)
      if v.size and v.quantity ~= quantity and v.quantity ~= "value" then
        factor[name] = {m:variable(v.size).name, quantity == "amount" and 1 or -1}
        columns[#columns + 1] = factor[name][1]
      end
    end
  end
  local start, absolute, relative = number "start", number "absolute", number "relative"
  local r = simulate(m, {instances = 1, start = start, stop = start + number "duration", steps = number "steps", variables = columns,
    method = method, rtol = 1e-7, atol = 1e-12})
  equal(#r.failed, 0)
  for row = 0, #lines - 2 do
    local k = 0
    for cell in lines[row + 2]:gmatch "[^,]+" do
      local name, want = names[k], tonumber(cell)
      if name and want then
        local got = r[name]:get(row, 0) * (factor[name] and r[factor[name][1]]:get(row, 0) ^ factor[name][2] or 1)
        if not (math.abs(got - want) <= absolute + relative * math.abs(want)) then
          error(("%s by %s, row %d: %s is %.10g, expected %.10g"):format(case, method, row, name, got, want), 0)
        end
      end
      k = k + 1
    end
  end
end

if M.sbml and M.there "sbml/index.tsv" then
  describe("cases of the SBML Test Suite with events", function()
    it("are simulated as the suite says", function()
      local list = {}
      for case, level in contents(M.DATA .. "/sbml/index.tsv"):gmatch "T2\t(%d+)\t(%S+)" do list[#list + 1] = {case, level} end
      equal(#list, 50)
      for k = 1, #list, sized(1, 10) do if due() then case_holds("T2", list[k][1], list[k][2], METHODS[1 + k % #METHODS]) end end
    end)
  end)
end
