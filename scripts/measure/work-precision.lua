-- Work and precision of the methods of ensembles: standard stiff problems with their published solutions, and published models
-- next to the repository (../shared/data/models) with CVODE's solution as the reference, at tolerances from 1e-3 to 1e-10.
--   lockstep [--backend cuda] scripts/measure/work-precision.lua [instances, default 256 [a problem's name, or part of it]]
-- Each line has the greatest error, in multiples of the tolerance atol + rtol*|x|; accepted and rejected steps per
-- instance; and microseconds per instance for all instances together, the minimum of two runs after a first run, which compiles. CVODE
-- runs one instance on one core. Errors above 10, that is more than ten times the requested tolerance, are marked.
local instances, only = tonumber(arg[1] or 256), arg[2]
local here = arg[0]:match "^(.*)scripts/measure/" or ""
local problems = dofile(here .. "tests/lua/stiff_problems.lua")
local timed = dofile(here .. "scripts/paper/common.lua").time
local METHODS = {"dopri5", "rodas4", "radau5", "cvode"}

local cases = {}
for _, p in ipairs(problems) do
  cases[#cases + 1] = {name = p.name, mild = p.mild, model = model.from_text(p.text), stop = p.stop, steps = 1, atol = p.atol,
    want = function(name, row) return row == 1 and p.solution[name] or nil end, names = p.solution}
end
local MODELS = {{"BIOMD0000000009.xml", 150}, {"BIOMD0000000020.xml", 20}, {"luo_rudy_1991.cellml", 400}, {"single-FHN_model.phml", 100}}
for _, given in ipairs(MODELS) do
  local path = here .. "../shared/data/models/" .. given[1]
  local good, m = pcall(model.load, path)
  if not good then good, m = pcall(model.load, here .. "../../shared/data/models/" .. given[1]) end
  if good then
    local names = {}
    for i = 1, m.variables do
      if m:variable(i).role == "state" then names[m:variable(i).name] = true end
    end
    local c
    good, c = pcall(simulate, m, {stop = given[2], steps = 10, method = "cvode", rtol = 1e-13, atol = 1e-26})
    if not good then good, c = pcall(simulate, m, {stop = given[2], steps = 10, method = "cvode", rtol = 1e-12, atol = 1e-16}) end
    if good then
      cases[#cases + 1] = {name = given[1], mild = true, model = m, stop = given[2], steps = 10, names = names,
        want = function(name, row) return row > 0 and c[name][row] or nil end}
    end
  end
  if not good then print(("left out %s: %s"):format(path, tostring(m))) end
end

-- The greatest error of a run; get(name, row) returns its values.
local function error_of(case, get, rtol, atol)
  local worst, size = 0, {}
  for name in pairs(case.names) do
    size[name] = 0
    for row = 1, case.steps do size[name] = math.max(size[name], math.abs(case.want(name, row))) end
    for row = 1, case.steps do
      local want, got = case.want(name, row), get(name, row)
      local part = got == got and math.abs(got - want) / (atol + rtol * (case.steps > 1 and size[name] or math.abs(want))) or math.huge
      worst = math.max(worst, part)
    end
  end
  return worst
end

print(("%-22s %-7s %6s | %9s %8s %8s %12s"):format("problem", "method", "rtol", "error/tol", "steps", "rejected", "us/instance"))
for _, case in ipairs(cases) do
  local m, names = case.model, {}
  for name in pairs(case.names) do names[#names + 1] = name end
  table.sort(names)
  local plain = not only or case.name:lower():find(only:lower(), 1, true)
  for _, method in ipairs(plain and METHODS or {}) do
    for k = 3, (method ~= "dopri5" or case.mild) and 10 or 0 do -- dopri5, an explicit method, would take too long
      local rtol = 10.0 ^ -k
      local o = {stop = case.stop, steps = case.steps, variables = names, method = method, rtol = rtol, atol = case.atol and case.atol(rtol)}
      local good, why = pcall(function()
        if method == "cvode" then
          o.atol = o.atol or 1e-3 * rtol
          local c, seconds = timed(function() return simulate(m, o) end)
          return {error_of(case, function(name, row) return c[name][row] end, rtol, o.atol), c.steps, c.refused, 1e6 * seconds}
        end
        o.instances = 1
        local one = simulate(m, o)
        local error = error_of(case, function(name, row) return one[name]:get(row, 0) end, rtol, one.least_atol)
        o.instances, o.keep = instances, false
        local _, first = timed(function() return simulate(m, o) end)
        local _, second = timed(function() return simulate(m, o) end)
        return {error, one.accepted, one.rejected, 1e6 * math.min(first, second) / instances}
      end)
      if not good then
        print(("%-22s %-7s %6.0e | %s"):format(case.name, method, rtol, tostring(why):sub(1, 90)))
      else
        print(("%-22s %-7s %6.0e | %9.2g%s %7d %8d %12.1f"):format(case.name, method, rtol, why[1], why[1] > 10 and "*" or " ", why[2], why[3],
          why[4]))
      end
    end
  end
end
