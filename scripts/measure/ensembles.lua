-- The speed of ensembles: many instances of a model with a random parameter, and where the time goes.
-- scripts/measure/ensembles-diffrax.py does the same with JAX and diffrax.
--   lockstep [--backend cuda] scripts/measure/ensembles.lua [fraction of the instances, default 1 [folder of models [case]]]
-- The folder defaults to ../shared/data: three SBML models, a parameter from half to one and a half times its value.
-- Seconds are from the first launch to the end of the last, the minimum of three runs after a first run, which compiles. Also
-- prints the part of this time in which the method's kernel ran.
local part = tonumber(arg[1] or 1)
local here = arg[0]:match "^(.*)scripts/measure/" or ""
local data = arg[2] or here .. "../shared/data"

local LORENZ = [[
title Lorenz 1963
x' = sigma*(y - x)
y' = x*(rho - z) - y
z' = x*y - beta*z
sigma = 10
rho = 28
beta = 2.6666666666666665
x(0) = 1
y(0) = 1
z(0) = 1
]]

local function sample(name) return model.load(here .. "samples/models/" .. name) end

local CASES = {
  {"Lorenz", model.from_text(LORENZ), {sample = {rho = uniform(20, 30)}, stop = 10, method = "dopri5"}, 1000000},
  {"Lotka-Volterra", sample "lotka-volterra.ode", {sample = {a = uniform(1, 2)}, stop = 20, method = "dopri5"}, 1000000},
  {"Luo-Rudy", sample "luo-rudy-1991.ode", {stop = 500, method = "rodas4"}, 100000},
  {"Robertson", sample "robertson.ode", {stop = 1e5, method = "rodas4"}, 10000},
  {"Robertson", sample "robertson.ode", {stop = 1e5, method = "rodas4"}, 1000000},
}
for _, given in ipairs {{"models/BIOMD0000000009.xml", "K_PP_norm_max", 150}, {"models/BIOMD0000000020.xml", "g_Na", 20},
  {"sbml/T1/00259/00259-sbml-l3v1.xml", "k2", 50, 1e-9}} do
  local good, m = pcall(model.load, data .. "/" .. given[1])
  if good then
    local x = m:first(0)[select(2, m:find(given[2])) - 1]
    CASES[#CASES + 1] = {given[1]:match "([^/]*)%.xml$":sub(1, 16), m, {sample = {[given[2]] = uniform(0.5 * x, 1.5 * x)}, stop = given[3],
      method = "auto"}, 100000, given[4]}
  else
    print(("left out %s: %s"):format(given[1], tostring(m)))
  end
end

print(("%-16s %9s %-8s %6s | %9s %9s %12s %14s"):format("model", "instances", "method", "rtol", "seconds", "kernel", "steps each",
  "steps a second"))
for _, case in ipairs(CASES) do
  local name, m, options, instances, least = table.unpack(case)
  instances = math.max(1, math.floor(instances * part))
  for _, rtol in ipairs(arg[3] and arg[3] ~= name and {} or {1e-3, 1e-6}) do
    options.instances, options.rtol, options.atol, options.steps, options.seed = instances, rtol, rtol * (least or 1e-3), 1, 7
    local best, steps, kernels
    for run = 1, 4 do
      collectgarbage() -- frees the previous run's memory
      trace.reset()
      local r, seconds, whole = simulate(m, options), 0, 0
      for _, s in ipairs(stats()) do
        whole = whole + s.total
        if s.kernel:find "_dopri5$" or s.kernel:find "_rodas4$" then seconds = seconds + s.total end
      end
      if run > 1 and (not best or whole < best) then best, steps, kernels = whole, r.accepted, seconds end
    end
    print(("%-16s %9d %-8s %6.0e | %9.4f %9.4f %12.1f %14.3g"):format(name, instances, options.method, rtol, best, kernels,
      steps / instances, steps / best))
  end
end
