-- Many instances of three stiff models by CVODE, one process per core, and by an ensemble: the time of each.
--   lockstep --backend cpu --ranks 16 scripts/measure/ensembles-cvode.lua [a folder of models [instances, 10000 if not given]]
--   lockstep --backend cuda scripts/measure/ensembles-cvode.lua [a folder of models [instances]]
-- With several ranks each simulates its part of the instances by CVODE, sequentially, and the time is that of the slowest
-- rank; with one rank, all instances are one ensemble. The folder defaults to ../shared/data; missing models are
-- skipped. Relative tolerance 1e-6, absolute 1e-9. The ensemble's seconds are the minimum of two runs after a first run,
-- which compiles; CVODE's are of one run.
local here = arg[0]:match "^(.*)scripts/measure/" or ""
local data, instances = arg[1] or here .. "../shared/data", tonumber(arg[2] or 10000)
local RTOL, ATOL = 1e-6, 1e-9

local ROBERTSON = [[
k1 = 0.04
A' = -k1*A + 1e4*B*C
B' = k1*A - 1e4*B*C - 3e7*B*B
C' = 3e7*B*B
A(0) = 1
B(0) = 0
C(0) = 0
]]
local CASES = { -- a name, the model, what is varied from half to one and a half times its value, the end time
  {"Robertson", function() return model.from_text(ROBERTSON) end, "k1", 1e5},
  {"BIOMD0000000009", function() return model.load(data .. "/models/BIOMD0000000009.xml") end, "K_PP_norm_max", 150},
  {"00259", function() return model.load(data .. "/sbml/T1/00259/00259-sbml-l3v1.xml") end, "compartment", 50},
}

-- Seconds that f takes on the slowest rank.
local function took(f)
  collectgarbage()
  ranks.greatest(0) -- barrier: all start together
  local from = trace.clock()
  f()
  return ranks.greatest(math.floor((trace.clock() - from) * 1e6)) * 1e-6
end

if ranks.count > 1 and not reference.has_cvode then error("this build has no CVODE", 0) end
print(("%-16s %9s %9s %12s   %s"):format("model", "instances", "seconds", "us/instance",
  ranks.count > 1 and ("CVODE, %d processes"):format(ranks.count) or "ensemble on " .. device().name))
for _, case in ipairs(CASES) do
  local name, load, varied, stop = table.unpack(case)
  local good, m = pcall(load)
  if not good then
    print(("left out %s: %s"):format(name, tostring(m)))
  else
    local x = m:first(0)[select(2, m:find(varied)) - 1]
    local values, seconds = range(0.5 * x, 1.5 * x, instances), nil
    if ranks.count > 1 then
      local first, past = instances * ranks.rank // ranks.count, instances * (ranks.rank + 1) // ranks.count
      seconds = took(function()
        for i = first + 1, past do
          m:set(varied, values[i])
          simulate(m, {stop = stop, steps = 1, method = "cvode", rtol = RTOL, atol = ATOL})
        end
      end)
    else
      local o = {sweep = {[varied] = values}, stop = stop, steps = 1, rtol = RTOL, atol = ATOL}
      simulate(m, o)
      for _ = 1, 2 do
        local now = took(function() simulate(m, o) end)
        seconds = math.min(seconds or now, now)
      end
    end
    print(("%-16s %9d %9.3f %12.1f"):format(name, instances, seconds, 1e6 * seconds / instances))
  end
end
