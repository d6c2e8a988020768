-- Morris's screening (1991): finds with few evaluations which of many parameters matter at all. Trajectories through a grid
-- change one parameter after the other; the effect of each change is an elementary effect. mu* is the mean of absolute effects
-- (Campolongo, Cariboni and Saltelli 2007), sigma the standard deviation of effects: it is large if a parameter interacts with
-- others or its effect is not linear.

local algorithm = import "base/algorithm"
local ensemble = import("ensemble/ensemble_options").ensemble
local ensemble_evaluate = import "ensemble/ensemble_evaluate"
local ensemble_options = import("ensemble/ensemble_options").ensemble_options
local plots = import "base/plots"
local morris

local wrong = ensemble_options.wrong "morris"

local SPECS = {trajectories = {least = 2}, levels = {least = 2}}
for name, spec in pairs(ensemble_evaluate.evaluate_options) do SPECS[name] = spec end

-- The points of all trajectories; from one point to the next one parameter changes. Returns the points as columns, their number,
-- and steps[t][k] = {number of the parameter, change as a part of its range}.
local function design(names, bounds, o)
  local random, levels, count = ensemble.random(o.seed or 1), o.levels or 4, o.trajectories or 20
  local delta = levels / (2 * (levels - 1))
  local lists, steps = {}, {}
  for k in ipairs(names) do lists[k] = {} end
  for t = 1, count do
    local x, order, points = {}, {}, {}
    for k in ipairs(names) do -- a level in the lower half of the grid with a step up, or in the upper half with a step down
      local low = math.floor(random() * (levels // 2)) / (levels - 1)
      local down = random() < 0.5
      x[k], points[k], order[k] = down and low + delta or low, down and -delta or delta, k
    end
    for k = #names, 2, -1 do
      local at = 1 + math.floor(random() * k)
      order[k], order[at] = order[at], order[k]
    end
    steps[t] = {}
    local function add()
      for k, list in ipairs(lists) do list[#list + 1] = bounds[k][1] + (bounds[k][2] - bounds[k][1]) * x[k] end
    end
    add()
    for i, k in ipairs(order) do
      x[k] = x[k] + points[k]
      steps[t][i] = {k, points[k]}
      add()
    end
  end
  local columns = {}
  for k, name in ipairs(names) do columns[name] = buffer.new("f64", lists[k]) end
  return columns, count * (#names + 1), steps
end

-- The elementary effects of each parameter, in the order of the trajectories; and the number of effects that are not finite.
local function effects_of(y, steps, parameters)
  local list, lost = {}, 0
  for k = 1, parameters do list[k] = {} end
  for t, trajectory in ipairs(steps) do
    for i, step in ipairs(trajectory) do
      local at = (t - 1) * (parameters + 1) + i - 1
      local effect = (y[at + 1] - y[at]) / step[2]
      if effect - effect == 0 then list[step[1]][#list[step[1]] + 1] = effect else lost = lost + 1 end
    end
  end
  return list, lost
end

local function moments(list)
  local sum, square = 0, 0
  for _, x in ipairs(list) do sum = sum + x end
  local mean = sum / #list
  for _, x in ipairs(list) do square = square + (x - mean) ^ 2 end
  return mean, math.sqrt(square / (#list - 1))
end

-- The check: evaluates some points again, and computes mu* from slopes between points that differ in exactly one parameter, without
-- using the recorded steps.
local function wrong_morris(r)
  local why = ensemble_evaluate.wrong_values(r, r.y)
  if why then return why end
  local sums = {}
  for k in ipairs(r) do sums[k] = {0, 0} end
  for i = 0, r.evaluations - 2 do
    if (i + 1) % (#r + 1) ~= 0 then
      local changed
      for k, s in ipairs(r) do
        if r.columns[s.parameter][i] ~= r.columns[s.parameter][i + 1] then
          if changed then return ("points %d and %d differ in more than one parameter"):format(i, i + 1) end
          changed = k
        end
      end
      if not changed then return ("points %d and %d are equal"):format(i, i + 1) end
      local s = r[changed]
      local x = r.columns[s.parameter]
      local slope = math.abs((r.y[i + 1] - r.y[i]) / (x[i + 1] - x[i]) * s.range)
      if slope == slope then sums[changed] = {sums[changed][1] + slope, sums[changed][2] + 1} end
    end
  end
  for k, s in ipairs(r) do
    local want = sums[k][1] / sums[k][2]
    if not (math.abs(s.mu_star - want) <= 1e-9 * math.abs(want) + 1e-300) then
      return ("%s: mu* is %.10g, but computed from the values it is %.10g"):format(s.parameter, s.mu_star, want)
    end
  end
end

local function say(r)
  local out = {("Morris's screening of %s: %s, %d evaluations"):format(r.of or "a function",
    algorithm.counted(r.trajectories, "trajectory", "trajectories"), r.evaluations)}
  if r.left_out > 0 then out[2] = ("  left out, as a value is not a number: %s"):format(algorithm.counted(r.left_out, "effect")) end
  out[#out + 1] = ("  %-25s %14s %14s %14s"):format("", "mu*", "mu", "sigma")
  local sorted = table.move(r, 1, #r, 1, {})
  table.sort(sorted, function(a, b) return a.mu_star > b.mu_star or (a.mu_star == b.mu_star and a.parameter < b.parameter) end)
  for _, s in ipairs(sorted) do
    out[#out + 1] = ("  %-25s %14.6g %14.6g %14.6g"):format(s.parameter, s.mu_star, s.mu, s.sigma)
  end
  return table.concat(out, "\n")
end

local methods = {}
function methods:plot(...)
  local _, options = plots.asked({}, nil, ...)
  local x, y = {}, {}
  for k, s in ipairs(self) do x[k], y[k] = s.mu_star, s.sigma end
  plots.draw({title = "sigma over mu*, a point for each parameter", xlabel = "mu*", ylabel = "sigma", points = true,
    {y = y, x = x, name = "sigma"}}, options)
end

local made = algorithm.results {name = "morris", show = say, methods = methods, check = wrong_morris}

--- Finds with few evaluations which parameters matter: Morris's screening (1991). An elementary effect is the change of the
--- result when one parameter changes, divided by the change of the parameter as a fraction of its range.
---   r = morris(m, {of = "x", sample = {a = uniform(1, 2), b = uniform(0, 5)}, stop = 50})      x at the end
---   r = morris(function(v, count) ... end, {sample = {a = uniform(0, 1)}})
---   r[1].parameter, .mu_star, .mu, .sigma      the mean size of the effects, their mean, their deviation
--- All parameters must be uniform. trajectories (20): with k parameters, a trajectory needs k + 1 evaluations. levels (4, even):
--- the number of values of a parameter in the grid. seed (1), start, stop, duration, method, rtol, atol and attempts are as
--- in sobol. check(r) evaluates some points again, and computes mu* from the points themselves.
function morris(what, options)
  local o = algorithm.options("morris", options, SPECS)
  ensemble_evaluate.check_evaluation(what, o, wrong)
  local names, distributions = ensemble_evaluate.distributions(what, o.sample, wrong)
  for k, d in ipairs(distributions) do
    if d.name ~= "uniform" then wrong("sample: %s must be uniform(low, high): the grid needs two ends", names[k]) end
    if d[1] == d[2] then wrong("sample: %s has the range 0", names[k]) end
  end
  if o.levels and o.levels % 2 ~= 0 then wrong("levels is %d, expected an even number", o.levels) end
  local columns, count, steps = design(names, distributions, o)
  local y = ensemble_evaluate.evaluate(what, columns, count, o, wrong)
  local effects, lost = effects_of(y, steps, #names)
  local r = {what = what, asked = o, of = o.of, columns = columns, y = y, evaluations = count, trajectories = #steps, left_out = lost}
  for k, name in ipairs(names) do
    if #effects[k] < 2 then wrong("%s has fewer than two effects that are numbers", name) end
    local sizes = {}
    for i, x in ipairs(effects[k]) do sizes[i] = math.abs(x) end
    local mu, sigma = moments(effects[k])
    r[k] = {parameter = name, mu = mu, sigma = sigma, mu_star = (moments(sizes)), range = distributions[k][2] - distributions[k][1]}
  end
  return made(r, "trajectories")
end

return morris
