-- What a model does in the end, and what its result depends on: steady states, sensitivities, Sobol's indices, screening.
local decay = model.from_text "x' = 1 - k*x \n k = 0.5 \n x(0) = 0"
local rest = steady(decay, {sweep = {k = {0.5, 1, 2}}})
assert(math.abs(rest.x[0] - 2) < 1e-9 and math.abs(rest.values.x[2] - 0.5) < 1e-9 and #rest.failed == 0 and check(rest))
rest:check()
rest:save "rest.csv"
rest:plot("x", "k", {file = "rest_plot.csv"})
assert(rest:instance(1).k == 1)

local d = sensitivities(decay, {parameters = {"k"}, stop = 20, steps = 4})
assert(math.abs(d:of("x", "k")[4] + 4) < 1e-2 and d:relative("x", "k")[4] < 0 and #d:value "x" == 5 and check(d))
d:save "s.csv"
d:plot("x", {file = "s_plot.csv"})
assert(d:instance(0))

local parts = sobol(function(v, count)
  local y = {}
  for i = 0, count - 1 do y[i + 1] = 4 * v.a[i] + v.b[i] end
  return y
end, {sample = {a = uniform(0, 1), b = uniform(0, 1)}, points = 512})
assert(parts[1].parameter == "a" and math.abs(parts[1].first - 16 / 17) < 0.1 and parts[1].total > parts[2].total and check(parts))
parts:plot{file = "sobol.csv"}

local screen = morris(decay, {of = "x", sample = {k = uniform(0.5, 1), x = uniform(3, 5)}, stop = 1, trajectories = 5})
assert(#screen == 2 and screen[1].mu_star > 0 and screen[1].mu ~= 0 and screen[1].sigma >= 0 and check(screen))
screen:plot{file = "morris.csv"}
