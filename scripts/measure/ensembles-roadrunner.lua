-- Ensembles of five SBML models, 1000 instances each, all cores; ensembles-roadrunner.py does the same by libRoadRunner.
--   lockstep [--backend cuda] scripts/measure/ensembles-roadrunner.lua [a folder of models [instances]]
-- The folder defaults to ../shared/data. Seconds are those of the second of two runs, because the first one compiles.
local here = arg[0]:match "^(.*)scripts/measure/" or ""
local data, instances = arg[1] or here .. "../shared/data", tonumber(arg[2] or 1000)
local RTOL, ATOL = 1e-6, 1e-12

--- The cases of both scripts: a file, the parameter that varies from half to one and a half times its value, the end time.
local CASES = {
  {"models/BIOMD0000000009.xml", "K_PP_norm_max", 150},
  {"models/BIOMD0000000020.xml", "g_Na", 20},
  {"sbml/T1/00868/00868-sbml-l3v2.xml", nil, 50},
  {"sbml/T1/00738/00738-sbml-l3v2.xml", nil, 50},
  {"sbml/T1/00259/00259-sbml-l3v1.xml", nil, 50},
}

print(("%-40s %-7s %9s %9s %12s"):format("model", "method", "instances", "seconds", "us/instance"))
for _, case in ipairs(CASES) do
  local file, varied, stop = table.unpack(case, 1, 3)
  local m = model.load(data .. "/" .. file)
  local first, i = m:first(0), 1
  if not varied or not pcall(m.find, m, varied) then -- the first parameter that is not 0
    while m:variable(i).role ~= "parameter" or first[i - 1] == 0 do i = i + 1 end
    varied = m:variable(i).name
  end
  local x = first[select(2, m:find(varied)) - 1]
  for _, method in ipairs {"auto", "radau5"} do
    local o = {sweep = {[varied] = range(0.5 * x, 1.5 * x, instances)}, stop = stop, steps = 10, method = method, rtol = RTOL, atol = ATOL}
    local seconds
    for _ = 1, 2 do
      local begun = trace.clock()
      simulate(m, o)
      seconds = trace.clock() - begun
    end
    print(("%-40s %-7s %9d %9.3f %12.1f"):format(file:match "[^/]*$" .. " (" .. varied .. ")", method, instances, seconds,
      1e6 * seconds / instances))
  end
end
