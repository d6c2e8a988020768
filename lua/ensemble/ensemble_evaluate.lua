-- The functions that sobol and morris analyse: a Lua function of some numbers, or the final value of a model's variable as a function
-- of some parameters.

local algorithm = import "base/algorithm"
local ensemble_attempt = import "ensemble/ensemble_attempt"
local ensemble_options = import("ensemble/ensemble_options").ensemble_options
local simulate = import "ensemble/simulate"
local ensemble_evaluate = {}

local SIMULATE = {"start", "stop", "duration", "times", "method", "rtol", "atol", "attempts"}

-- ensemble_evaluate.evaluate_options: specs, for algorithm.options, of the options of sobol and morris that are passed on to simulate,
-- and of their options `of`, `seed` and `sample`.
ensemble_evaluate.evaluate_options = {start = "number", stop = "number", duration = "number", method = ensemble_attempt.method_names,
  rtol = "number", atol = "number", attempts = {least = 1}, of = "text", seed = {least = 0}, sample = "table"}

-- ensemble_evaluate.distributions(what, sample, raise): the sorted list of the sample's names, and the list of their distributions. Calls
-- raise(text, ...) if one is not a distribution.
function ensemble_evaluate.distributions(what, sample, raise)
  local names, list = {}, {}
  for name in pairs(sample or {}) do
    if type(name) ~= "string" then raise("sample must have names, as in {k = uniform(0, 1)}") end
    names[#names + 1] = name
  end
  if #names == 0 then raise("what varies? Give it, as in {sample = {k = uniform(0, 1)}}") end
  table.sort(names)
  for k, name in ipairs(names) do
    if not ensemble_options.is_distribution(sample[name]) then
      raise("sample: %s must be a distribution, as in {%s = uniform(0, 1)}: there are uniform, normal and lognormal", name, name)
    end
    list[k] = sample[name]
  end
  if algorithm.is("lockstep.model", what) then ensemble_options.parameters(what, names, raise) end
  return names, list
end

-- ensemble_evaluate.evaluate(what, columns, count, o, raise): an f64 buffer of the values at `count` points; columns[name] has one
-- number per point. `what` is a function f(columns, count) that returns a list or an f64 buffer of numbers; or a model, which is simulated
-- once per point: the value at the point is the final value of the variable o.of. Calls raise(text, ...) on a wrong value.
function ensemble_evaluate.evaluate(what, columns, count, o, raise)
  if type(what) == "function" then
    local y = what(columns, count)
    if type(y) == "table" then
      for i = 1, count do
        if type(y[i]) ~= "number" then raise("the function gave a %s for point %d, not a number", type(y[i]), i) end
      end
      y = buffer.new("f64", y)
    end
    if not algorithm.is("lockstep.buffer", y) or y.dtype ~= "f64" or #y ~= count then
      raise("the function must return a list or an f64 buffer of %d numbers, one for each point; it returned %s", count, algorithm.described(y))
    end
    return y
  end
  local given = {instances = count, each = columns, variables = {o.of}, steps = not o.times and 1 or nil}
  for _, name in ipairs(SIMULATE) do given[name] = o[name] end
  local r = simulate(what, given)
  return r.record:slice(r.rows - 1, r.rows, 0, count)
end

-- ensemble_evaluate.check_evaluation(what, o, raise): raises an error unless `what` is a function, or a model that has the variable o.of.
function ensemble_evaluate.check_evaluation(what, o, raise)
  ensemble_options.check_numbers(o, raise)
  if type(what) == "function" then return end
  if not algorithm.is("lockstep.model", what) then
    raise("expected a model of differential equations or a function of numbers, got %s", algorithm.described(what))
  end
  if not o.of then raise("which variable? Give it, as in {of = \"x\"}") end
  ensemble_options.variables(what, {o.of})
end

-- ensemble_evaluate.wrong_values(r, y): checks the values y of the result r by evaluating ten points again, for a model with tolerances a
-- hundred times smaller. Returns what is wrong, or nil. r has the fields `what`, `columns` and `asked` (the options).
function ensemble_evaluate.wrong_values(r, y)
  local points, columns, o = {}, {}, {}
  for k, x in pairs(r.asked) do o[k] = x end
  o.rtol, o.atol = 1e-2 * (o.rtol or 1e-6), 1e-2 * (o.atol or 1e-9)
  for k = 0, 9 do points[k + 1] = k * (#y - 1) // 9 end
  for name, b in pairs(r.columns) do
    local list = {}
    for k, i in ipairs(points) do list[k] = b[i] end
    columns[name] = buffer.new("f64", list)
  end
  local again = ensemble_evaluate.evaluate(r.what, columns, #points, o, error)
  local spread = y:max() - y:min()
  for k, i in ipairs(points) do
    local a, b = y[i], again[k - 1]
    if a == a and not (math.abs(a - b) <= 1e-3 * spread + 1e-12) then
      return ("point %d: the value is %.10g, but evaluated again it is %.10g"):format(i, a, b)
    end
  end
end

return ensemble_evaluate
