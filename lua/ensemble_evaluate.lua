-- What sobol and morris look into: a function of some numbers, or what a model comes to with them as parameters.

local SIMULATE = {"start", "stop", "duration", "times", "method", "rtol", "atol", "attempts"}

--- ensemble.evaluate_options: those of sobol and morris that go on to simulate, for algorithm.options.
ensemble.evaluate_options = {start = "number", stop = "number", duration = "number", method = ensemble.method_names,
  rtol = "number", atol = "number", attempts = {least = 1}, of = "text", seed = {least = 0}, sample = "table"}

--- ensemble.distributions(what, sample, raise): the names of a sample in order, and their distributions; raise(text,
--- ...) raises the error if something is none.
function ensemble.distributions(what, sample, raise)
  local names, list = {}, {}
  for name in pairs(sample or {}) do
    if type(name) ~= "string" then raise("sample must have names, as in {k = uniform(0, 1)}") end
    names[#names + 1] = name
  end
  if #names == 0 then raise("what varies? Give it, as in {sample = {k = uniform(0, 1)}}") end
  table.sort(names)
  for k, name in ipairs(names) do
    if not ensemble.is_distribution(sample[name]) then
      raise("sample: %s must be a distribution, as in {%s = uniform(0, 1)}: there are uniform, normal and lognormal", name, name)
    end
    list[k] = sample[name]
  end
  if algorithm.is("lockstep.model", what) then ensemble.parameters(what, names, raise) end
  return names, list
end

--- ensemble.evaluate(what, columns, count, o, raise): the value for each of `count` points; columns[name] has a number
--- a point. what is a function f(columns, count), which returns a list or a buffer of numbers, or a model: then the
--- value is that of the variable o.of at the end of its simulation.
function ensemble.evaluate(what, columns, count, o, raise)
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

--- ensemble.check_evaluation(what, o, raise): raises an error unless `what` is a function, or a model with o.of, a
--- variable.
function ensemble.check_evaluation(what, o, raise)
  ensemble.check_numbers(o, raise)
  if type(what) == "function" then return end
  if not algorithm.is("lockstep.model", what) then
    raise("expected a model of differential equations or a function of numbers, got %s", algorithm.described(what))
  end
  if not o.of then raise("which variable? Give it, as in {of = \"x\"}") end
  ensemble.variables(what, {o.of})
end

--- ensemble.wrong_values(r, y): evaluates some points of a result again, of a model with a hundredth of the tolerances:
--- what is wrong, or nil. r.what, r.columns, r.asked (options), y: the values.
function ensemble.wrong_values(r, y)
  local points, columns, o = {}, {}, {}
  for k, x in pairs(r.asked) do o[k] = x end
  o.rtol, o.atol = 1e-2 * (o.rtol or 1e-6), 1e-2 * (o.atol or 1e-9)
  for k = 0, 9 do points[k + 1] = k * (#y - 1) // 9 end
  for name, b in pairs(r.columns) do
    local list = {}
    for k, i in ipairs(points) do list[k] = b[i] end
    columns[name] = buffer.new("f64", list)
  end
  local again = ensemble.evaluate(r.what, columns, #points, o, error)
  local spread = y:max() - y:min()
  for k, i in ipairs(points) do
    local a, b = y[i], again[k - 1]
    if a == a and not (math.abs(a - b) <= 1e-3 * spread + 1e-12) then
      return ("point %d: the value is %.10g, but evaluated again it is %.10g"):format(i, a, b)
    end
  end
end
