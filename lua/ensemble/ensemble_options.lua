-- Options of ensembles, many instances of one model: the values that differ between instances (sweep, sample, each), variables, times.

local algorithm = import "base/algorithm"
local model_cache = import "ode/model_cache"
local ensemble_options = {}
local MOST = (1 << 32) - 2 -- maximum number of instances
local range, logrange, uniform, normal, lognormal

local ensemble = {}

-- ensemble_options.wrong(name): a function wrong(text, ...) that raises the error "name: text" at the user's line: the first one up the
-- call stack that is outside lua/ensemble and lua/ode/symbolic.lua.
function ensemble_options.wrong(name)
  return function(text, ...)
    local level = 2
    local function file() return (debug.getinfo(level + 1, "S") or {short_src = ""}).short_src end
    while file():find "^ensemble/" or file() == "ode/symbolic.lua" do level = level + 1 end
    error((name .. ": " .. text):format(...), level)
  end
end
local wrong = ensemble_options.wrong "simulate"

-- ensemble_options.need_model(name, m): raises an error of the function `name` unless m is a model of differential equations.
function ensemble_options.need_model(name, m)
  if algorithm.is("lockstep.model", m) then return end
  ensemble_options.wrong(name)("expected a model of differential equations (model.load), got %s", algorithm.described(m))
end

-- --- what differs ---

function range(from, to, count)
  count = algorithm.whole(count)
  if math.type(count) ~= "integer" or count < 1 then error("range(from, to, count): 'count' must be a whole number from 1 on", 2) end
  local list = {}
  for i = 1, count do list[i] = count == 1 and from or from + (to - from) * (i - 1) / (count - 1) end
  return list
end

function logrange(from, to, count)
  if not (from > 0 and to > 0) then error("logrange(from, to, count): 'from' and 'to' must be positive", 2) end
  local list = range(math.log(from), math.log(to), count)
  for i, x in ipairs(list) do list[i] = math.exp(x) end
  list[1], list[#list] = from, #list > 1 and to or from
  return list
end

local Distribution = {__name = "distribution"}
Distribution.__tostring = function(d) return ("%s(%g, %g)"):format(d.name, d[1], d[2]) end
local function distribution(number, name, a, b)
  if type(a) ~= "number" or type(b) ~= "number" or a - a ~= 0 or b - b ~= 0 then
    error(("%s(a, b): two finite numbers expected"):format(name), 3)
  end
  return setmetatable({name = name, number = number, a, b}, Distribution)
end

function uniform(low, high) return distribution(0, "uniform", low, high) end
function normal(mean, deviation) return distribution(1, "normal", mean, deviation) end
function lognormal(mu, sigma) return distribution(2, "lognormal", mu, sigma) end

-- ensemble_options.is_distribution(x): is x a distribution, as returned by uniform, normal or lognormal?
function ensemble_options.is_distribution(x) return getmetatable(x) == Distribution end

--- ensemble.random(seed): a generator of pseudo-random numbers in [0, 1): a function that returns the next one. The same seed gives
--- the same sequence (splitmix64, Steele, Lea and Flood 2014).
function ensemble.random(seed)
  local state = seed * -3372029247567499371 -- not a multiple of splitmix64's increment: else seed + 1 would give the same sequence, shifted by one
  return function()
    state = state - 7046029254386353131
    local z = (state ~ state >> 30) * -4658895280553007687
    z = (z ~ z >> 27) * -7723592293110705685
    return ((z ~ z >> 31) >> 11) * 0x1p-53
  end
end

local function names_of(t)
  local list = {}
  for name in pairs(t) do
    if type(name) ~= "string" then wrong("sweep and sample need names of parameters or states, as in {k = {1, 2}}") end
    list[#list + 1] = name
  end
  table.sort(list)
  return list
end

-- Returns the variable's number and full name; raises an error unless it is a parameter or a state, which may differ between
-- instances.
local function variable_of(m, name)
  local good, found, i = pcall(m.find, m, name)
  if not good then wrong("%s", (found:gsub("^.-: ", ""))) end
  local role = m:variable(i).role
  if role ~= "parameter" and role ~= "state" then wrong("%s is neither a parameter nor a state: it cannot differ", found) end
  return i, found
end

-- Raises an error unless the list of values of the variable `name` in `option` has only numbers and no gaps.
local function check_values(option, name, list)
  for k in pairs(list) do
    if math.type(k) ~= "integer" or k < 1 or k > #list then wrong("%s: %s is a list of values without gaps, but has the key %s", option, name, tostring(k)) end
  end
  for k = 1, #list do
    local x = list[k]
    if type(x) ~= "number" then wrong("%s: value %d of %s is %s, not a number", option, k, name, algorithm.described(x)) end
  end
end

-- The values of the option `each` for one variable, as an f64 buffer with one value per instance.
local function given(name, list, count)
  local b = list
  if type(list) == "table" then
    check_values("each", name, list)
    b = buffer.new("f64", list)
  end
  if not algorithm.is("lockstep.buffer", b) or b.dtype ~= "f64" then
    wrong("each: %s must be a list of numbers or an f64 buffer, with a value for each instance", name)
  end
  if #b ~= count then wrong("each: %s has %d values, but there are %d instances", name, #b, count) end
  return b
end

-- ensemble_options.differences(m, o): computes, from the options `sweep`, `sample` and `each`, the values that differ between instances. Returns
-- a table from a variable's number to an f64 buffer with one value per instance; the number of instances; and a table from a variable's
-- name to its number. In a sweep the last name (in alphabetical order) varies fastest; a sample draws a value for each instance.
function ensemble_options.differences(m, o)
  local sweep, sample, each = o.sweep or {}, o.sample or {}, o.each or {}
  local axes, combinations = {}, 1
  for _, name in ipairs(names_of(sweep)) do
    local list = sweep[name]
    if algorithm.is("lockstep.buffer", list) then list = list:totable() end
    if type(list) ~= "table" or #list == 0 then wrong("sweep: %s must be a list of values, as in {%s = {0.1, 1, 10}}", name, name) end
    check_values("sweep", name, list)
    axes[#axes + 1] = {name = name, variable = variable_of(m, name), values = list}
    combinations = combinations * #list
    if combinations > MOST then wrong("the sweep has more than %d combinations", MOST) end
  end
  if next(sample) and not o.instances and #axes == 0 and not next(each) then
    wrong("'sample' draws values for each instance; give the number of instances, as in {instances = 1000}")
  end
  local count = o.instances or combinations
  if math.type(count) ~= "integer" or count < 1 or count > MOST then
    wrong("instances is %s, expected a whole number from 1 to %d", tostring(count), MOST)
  end
  if #axes > 0 and count % combinations ~= 0 then
    wrong("instances = %d is not a multiple of the sweep's %d combinations", count, combinations)
  end
  local values, names = {}, {}
  local stride = 1
  for a = #axes, 1, -1 do
    local axis, length = axes[a], #axes[a].values
    local b = {}
    for i = 0, count - 1 do b[i + 1] = axis.values[i // stride % length + 1] end
    values[axis.variable], names[axis.name] = buffer.new("f64", b), axis.variable
    stride = stride * length
  end
  for _, name in ipairs(names_of(each)) do
    local i = variable_of(m, name)
    if values[i] then wrong("%s is in the sweep and in each", name) end
    values[i], names[name] = given(name, each[name], count), i
  end
  for k, name in ipairs(names_of(sample)) do
    local d, i = sample[name], variable_of(m, name)
    if getmetatable(d) ~= Distribution then
      wrong("sample: %s must be a distribution, as in {%s = lognormal(0, 0.2)}: there are uniform, normal and lognormal", name, name)
    end
    if values[i] then wrong("%s is in the %s and in the sample", name, each[name] and "each" or "sweep") end
    values[i], names[name] = buffer.new("f64", count), i
    instance_draw(values[i], buffer.new("f64", {d[1], d[2]}), buffer.new("u64", {o.seed or 1}), k, d.number)
  end
  return values, count, names
end

-- The roles of variables that have an initial value.
local BEGINS = {state = true, constant = true, parameter = true}

-- ensemble_options.at_start(m, start): a table about the model's initial values, kept until the model changes. Fields: first: the list of the
-- values; text: the values as text, a key for caches; missing: is one of the values NaN?; alone, together: a cache for ensemble_options.followers.
function ensemble_options.at_start(m, start)
  local s = model_cache.kept(m, "start", function() return {} end)
  if s.start ~= start then
    local first <close> = m:first(start)
    local list, text = first:totable(), {}
    s.missing = false
    for k, x in ipairs(list) do
      text[k] = ("%a"):format(x)
      s.missing = s.missing or x ~= x
    end
    s.start, s.first, s.text, s.alone = start, list, table.concat(text, ","), nil
  end
  return s
end

-- The set of the numbers of all variables that depend, directly or indirectly, on the variables whose numbers are the keys of `values`.
local function reached_from(g, values)
  local reached = {}
  local function spread(i) -- the graph has an edge from each variable to those that depend on it
    for e = g.off[i - 1], g.off[i] - 1 do
      local t = g.to[e] + 1
      if not reached[t] then
        reached[t] = true
        spread(t)
      end
    end
  end
  for i in pairs(values) do spread(i) end
  return reached
end

-- Returns true if no other initial value depends on the initial values of the variables in `values`. Decided by the dependencies
-- between variables, for all values; false means only that there may be a dependence. The answer for the last set of variables is cached.
local function stand_alone(m, values, at)
  local numbers = {}
  for i in pairs(values) do numbers[#numbers + 1] = i end
  table.sort(numbers)
  local of = table.concat(numbers, " ")
  if at.alone ~= of and at.together ~= of then
    local at_start = reached_from(model_cache.kept(m, "graph of first values", function() return m:graph {start = true} end), values)
    local later = reached_from(model_cache.kept(m, "graph", function() return m:graph() end), values)
    local alone = not at.missing -- if an initial value is NaN, nothing is known: NaN is unequal to itself
    for k = 1, m.variables do
      local v = alone and not values[k] and (at_start[k] or later[k]) and m:variable(k)
      if v and BEGINS[v.role] and (at_start[k] or not v.first) then alone = false end
    end
    at[alone and "alone" or "together"] = of
  end
  return at.alone == of
end

-- ensemble_options.followers(m, values, start): the numbers of the variables whose initial values depend on the variables that differ between
-- instances. They are found by changing each of the latter a little and computing the model's initial values, and from the variables that
-- the equations name; but the equation of a state that has its own initial value does not count.
function ensemble_options.followers(m, values, start)
  if stand_alone(m, values, ensemble_options.at_start(m, start)) then return {} end
  local plain, out, changes = m:first(start), {}, {}
  local reached = reached_from(m:graph(), values)
  for i, b in pairs(values) do
    for _, x in ipairs {b[0], b[#b - 1], plain[i - 1] * 1.0625 + 0.0625} do
      local good, changed = pcall(m.first, m, start, {[i] = x})
      if good then
        for k = 0, #plain - 1 do
          if changed[k] ~= plain[k] and k + 1 ~= i then changes[k + 1] = true end
        end
      end
    end
  end
  for k = 1, m.variables do
    local v = m:variable(k)
    local follows = changes[k] or (reached[k] and not v.first)
    if follows and not values[k] and BEGINS[v.role] then out[#out + 1] = k end
  end
  return out
end

-- --- the run ---

-- ensemble_options.variables(m, list): the variables of the list, or all states if list is nil. Returns their names as in the list, and
-- their numbers.
function ensemble_options.variables(m, list)
  local names, numbers = list, {}
  if not names then
    local states = model_cache.kept(m, "states", function()
      local s = {names = {}, numbers = {}}
      for i = 1, m.variables do
        local v = m:variable(i)
        if v.role == "state" then s.names[#s.names + 1], s.numbers[#s.numbers + 1] = v.name, i end
      end
      return s
    end)
    return table.move(states.names, 1, #states.names, 1, {}), table.move(states.numbers, 1, #states.numbers, 1, {})
  end
  for k, name in ipairs(names) do
    if type(name) ~= "string" then wrong("variables must be a list of names, as in {\"V\"}") end
    local good, found, i = pcall(m.find, m, name)
    if not good then wrong("%s", (found:gsub("^.-: ", ""))) end
    numbers[k] = i
  end
  return names, numbers
end

-- ensemble_options.places(e, numbers): the places of these variables, for ensemble_run.begin's columns. For a species that is displayed as an
-- amount but computed as a concentration, or the reverse, a function that converts it is added to the equations.
function ensemble_options.places(e, numbers)
  local columns = {}
  for k, i in ipairs(numbers) do
    local v, place = e.m:variable(i), e.b.code:place(i)
    if v.size and v.quantity ~= v.held and v.quantity ~= "value" and v.held ~= "value" then
      local tree = {v.quantity == "amount" and "TIMES_NARY" or "DIVIDE", {"VARIABLE", place}, {"VARIABLE", e.b.code:place(v.size)}}
      place = e.next
      e.next, e.tree[place], e.functions[#e.functions + 1] = place + 1, tree, {place, tree}
    end
    columns[k] = place
  end
  return columns
end

-- The times of the rows: start, followed by o.times (which must ascend) or by the ends of `intervals` equal intervals up to stop.
function ensemble_options.times_of(o, start, stop, intervals)
  local times = {start}
  if not o.times then
    for row = 1, intervals do times[row + 1] = row == intervals and stop or start + (stop - start) * row / intervals end
    return times
  end
  for k = 1, #o.times do
    local t = o.times[k]
    if type(t) ~= "number" or t - t ~= 0 then wrong("times: item %d is not a finite number", k) end
    if not (t > times[#times] or (k == 1 and t == start)) then
      wrong("times: item %d is %.14g, which is not after %.14g", k, t, times[#times])
    end
    if t > start then times[#times + 1] = t end
  end
  return times
end

-- ensemble_options.check_numbers(o, raise): calls raise(text, ...) if one of the options rtol, atol and start is invalid.
function ensemble_options.check_numbers(o, raise)
  for _, name in ipairs {"rtol", "atol"} do
    if o[name] and not (o[name] > 0 and o[name] < 1) then raise("%s must be a number above 0 and below 1", name) end
  end
  if o.start and o.start - o.start ~= 0 then raise("start must be a finite number") end
end

-- ensemble_options.times(m, o): the list of the times of all rows, beginning with the start. They follow from the option `times`, or from
-- start, stop or duration, and steps.
function ensemble_options.times(m, o)
  local start = o.start or 0
  if o.times and #o.times == 0 then wrong("times must be a list of ascending numbers") end
  if o.times and (o.stop or o.duration or o.steps) then wrong("give either 'times' or 'stop', 'duration' and 'steps', not both") end
  if o.times then return ensemble_options.times_of(o, start) end
  local stop = o.stop or o.duration and start + o.duration or m.span
  if not stop then wrong("the file does not say when to stop; give stop, as in {stop = 500}") end
  if not (stop > start and stop < math.huge) then wrong("stop = %.14g is not after start = %.14g", stop, start) end
  return ensemble_options.times_of(o, start, stop, o.steps or 100)
end

-- ensemble_options.parameters(m, list, raise): names and numbers of the parameters and states in the list, or of all
-- parameters of the model if list is nil; raise(text, ...) is called to raise an error.
function ensemble_options.parameters(m, list, raise)
  local names, numbers = {}, {}
  if not list then
    list = {}
    for i = 1, m.variables do
      if m:variable(i).role == "parameter" then list[#list + 1] = m:variable(i).name end
    end
  end
  if #list == 0 then raise("parameters must be a list of names, as in {\"k\"}") end
  for k, name in ipairs(list) do
    if type(name) ~= "string" then raise("parameters must be a list of names, as in {\"k\"}; item %d is a %s", k, type(name)) end
    local good, found, i = pcall(m.find, m, name)
    if not good then raise("%s", (found:gsub("^.-: ", ""))) end
    local role = m:variable(i).role
    if role ~= "parameter" and role ~= "state" then raise("%s is neither a parameter nor a state", found) end
    for _, other in ipairs(numbers) do if other == i then raise("%s is listed twice", found) end end
    names[k], numbers[k] = name, i
  end
  return names, numbers
end

return {ensemble = ensemble, range = range, logrange = logrange, uniform = uniform, normal = normal, lognormal = lognormal, ensemble_options = ensemble_options}
