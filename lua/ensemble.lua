-- simulate with many instances of a model (an ensemble): checks the options, computes the values that differ between instances
-- (sweep, sample, each), and runs them.

ensemble = {}

local OPTIONS = {"instances", "sweep", "sample", "each", "seed", "start", "stop", "duration", "steps", "every", "times", "method",
  "rtol", "atol", "variables", "attempts", "keep", "quantiles", "bins", "stream", "batch", "from", "group"}
local MOST = (1 << 32) - 2 -- maximum number of instances

local OURS = {steady = true, sensitivities = true, sobol = true, morris = true, fit = true, symbolic = true}

--- ensemble.wrong(name): a function wrong(text, ...) that raises the error "name: text" at the user's line: the first one up the
--- call stack that is outside the files of ensembles and of OURS.
function ensemble.wrong(name)
  return function(text, ...)
    local level = 2
    local function file() return (debug.getinfo(level + 1, "S") or {short_src = ""}).short_src:match "^([%w_]+)%.lua$" or "" end
    while OURS[file()] or file():find "^ensemble" do level = level + 1 end
    error((name .. ": " .. text):format(...), level)
  end
end
local wrong = ensemble.wrong "simulate"

--- ensemble.need_model(name, m): raises an error of the function `name` unless m is a model of differential equations.
function ensemble.need_model(name, m)
  if algorithm.is("lockstep.model", m) then return end
  ensemble.wrong(name)("expected a model of differential equations (model.load), got %s", algorithm.described(m))
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

--- ensemble.is_distribution(x): is x a distribution, as returned by uniform, normal or lognormal?
function ensemble.is_distribution(x) return getmetatable(x) == Distribution end

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

--- ensemble.differences(m, o): computes, from the options `sweep`, `sample` and `each`, the values that differ between instances. Returns
--- a table from a variable's number to an f64 buffer with one value per instance; the number of instances; and a table from a variable's
--- name to its number. In a sweep the last name (in alphabetical order) varies fastest; a sample draws a value for each instance.
function ensemble.differences(m, o)
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

--- ensemble.at_start(m, start): a table about the model's initial values, kept until the model changes. Fields: first: the list of the
--- values; text: the values as text, a key for caches; missing: is one of the values NaN?; alone, together: a cache for ensemble.followers.
function ensemble.at_start(m, start)
  local s = model.kept(m, "start", function() return {} end)
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
    local at_start = reached_from(model.kept(m, "graph of first values", function() return m:graph {start = true} end), values)
    local later = reached_from(model.kept(m, "graph", function() return m:graph() end), values)
    local alone = not at.missing -- if an initial value is NaN, nothing is known: NaN is unequal to itself
    for k = 1, m.variables do
      local v = alone and not values[k] and (at_start[k] or later[k]) and m:variable(k)
      if v and BEGINS[v.role] and (at_start[k] or not v.first) then alone = false end
    end
    at[alone and "alone" or "together"] = of
  end
  return at.alone == of
end

--- ensemble.followers(m, values, start): the numbers of the variables whose initial values depend on the variables that differ between
--- instances. They are found by changing each of the latter a little and computing the model's initial values, and from the variables that
--- the equations name; but the equation of a state that has its own initial value does not count.
function ensemble.followers(m, values, start)
  if stand_alone(m, values, ensemble.at_start(m, start)) then return {} end
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

--- ensemble.variables(m, list): the variables of the list, or all states if list is nil. Returns their names as in the list, and
--- their numbers.
function ensemble.variables(m, list)
  local names, numbers = list, {}
  if not names then
    local states = model.kept(m, "states", function()
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

--- ensemble.places(e, numbers): the places of these variables, for ensemble.begin's columns. For a species that is displayed as an
--- amount but computed as a concentration, or the reverse, a function that converts it is added to the equations.
function ensemble.places(e, numbers)
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
local function times_of(o, start, stop, intervals)
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

--- ensemble.check_numbers(o, raise): calls raise(text, ...) if one of the options rtol, atol and start is invalid.
function ensemble.check_numbers(o, raise)
  for _, name in ipairs {"rtol", "atol"} do
    if o[name] and not (o[name] > 0 and o[name] < 1) then raise("%s must be a number above 0 and below 1", name) end
  end
  if o.start and o.start - o.start ~= 0 then raise("start must be a finite number") end
end

--- ensemble.times(m, o): the list of the times of all rows, beginning with the start. They follow from the option `times`, or from
--- start, stop or duration, and steps.
function ensemble.times(m, o)
  local start = o.start or 0
  if o.times and #o.times == 0 then wrong("times must be a list of ascending numbers") end
  if o.times and (o.stop or o.duration or o.steps) then wrong("give either 'times' or 'stop', 'duration' and 'steps', not both") end
  if o.times then return times_of(o, start) end
  local stop = o.stop or o.duration and start + o.duration or m.span
  if not stop then wrong("the file does not say when to stop; give stop, as in {stop = 500}") end
  if not (stop > start and stop < math.huge) then wrong("stop = %.14g is not after start = %.14g", stop, start) end
  return times_of(o, start, stop, o.steps or 100)
end

local function check(m, o)
  local known = {}
  for _, name in ipairs(OPTIONS) do known[name] = true end
  for name in pairs(o) do
    if not known[name] then
      wrong("an ensemble has no option '%s'; its options are %s", tostring(name), table.concat(OPTIONS, ", "))
    end
  end
  local method = o.method or "auto"
  if not ensemble.methods[method] then 
    wrong("there is no method '%s'; an ensemble has %s", tostring(method), table.concat(ensemble.method_names, ", "))
  end
  for _, name in ipairs {"rtol", "atol"} do
    local x = o[name]
    if x ~= nil and (type(x) ~= "number" or not (x > 0 and x < 1)) then wrong("%s must be a number above 0 and below 1", name) end
  end
  if o.attempts ~= nil and (math.type(o.attempts) ~= "integer" or o.attempts < 1) then
    wrong("attempts must be a whole number from 1 on")
  end
  for name in pairs {sweep = 1, sample = 1, each = 1} do
    if o[name] ~= nil and type(o[name]) ~= "table" then wrong("%s must be a table, as in {%s = {k = ...}}", name, name) end
  end
  local groups, fits = table.concat(ensemble.groups, ", "), o.group == nil
  for _, threads in ipairs(ensemble.groups) do fits = fits or o.group == threads end
  if not fits then wrong("group is %s; an instance may have %s threads", tostring(o.group), groups) end
  if o.seed ~= nil and math.type(o.seed) ~= "integer" then wrong("seed must be a whole number") end
  if o.keep ~= nil and type(o.keep) ~= "boolean" then wrong("keep must be true or false: false keeps only statistics") end
  if o.keep ~= false and (o.quantiles or o.bins) then wrong("'quantiles' and 'bins' need keep = false") end
  if o.times ~= nil and (type(o.times) ~= "table" or #o.times == 0) then wrong("times must be a list of ascending numbers") end
  if o.times and (o.stop or o.duration or o.steps or o.every) then
    wrong("give either 'times' or 'stop', 'duration', 'steps' and 'every', not both")
  end
  ensemble.check_stream(o)
  return method
end

-- If keep = false, checks and returns the options of the statistics that are kept instead of values; else returns nil.
local function kept(o)
  if o.keep ~= false then return nil end
  local quantiles, bins = o.quantiles or {0.05, 0.25, 0.5, 0.75, 0.95}, o.bins or 20
  if type(quantiles) ~= "table" then wrong("quantiles must be a list of numbers from 0 to 1") end
  for k = 1, #quantiles do
    local q = quantiles[k]
    if type(q) ~= "number" or not (q >= 0 and q <= 1) then wrong("quantiles: item %d is not from 0 to 1", k) end
  end
  if math.type(bins) ~= "integer" or bins < 1 then wrong("bins must be a whole number from 1 on") end
  return {quantiles = quantiles, bins = bins}
end

-- Integrates all instances over all rows. The rows go into `statistics`, through `output` into a file, or into run.s.record.
local function integrate(run, times, o, statistics, output)
  local s, kept = run.s, run.state.kept
  local carried = {base = run.base, bytes = 0, written = 0}
  -- Computes the run's identity, which reads all values: only if a checkpoint may be written, or if there are several ranks, of which only
  -- rank 0 knows whether a checkpoint may be written.
  local function say_origin()
    if not carried.model and (session.awaited() or ranks.count > 1) then
      for name, x in pairs(ensemble.origin(run, o, times)) do carried[name] = x end
    end
  end
  say_origin()
  local line <close> = algorithm.progress_line
  if output and not o.from then carried.bytes, carried.written = output:open() end
  ensemble.integrate(run, times, function(row)
    if statistics then
      statistics:add(s.record)
      statistics:put(row, kept)
    end
  end, {
    kept = true, stood = true, carried = carried, from = o.from,
    resumed = function()
      ensemble.check_origin(o.from, ensemble.origin(run, o, times), carried)
      for name in pairs(run.totals) do run.totals[name] = carried[name] end
      ensemble.take_batch(run, carried.base)
      if statistics then statistics:take(carried.row, kept) end
      if output then
        output:failures(run.first, run.base)
        output:open(carried.bytes, carried.written)
      end
      if run.totals.failed > 0 then ensemble.note_failures(run) end
    end,
    told = function(row)
      say_origin()
      if not session.awaited() then
        algorithm.progress("simulate: rows of all instances", run.base * #times + run.live * row, run.total * #times)
      end
    end,
    next = function()
      if run.method == "auto" then run.totals.stiff = run.totals.stiff + ensemble.stiff(run) end
      if not output then return false end
      carried.bytes, carried.written = output:put()
      carried.base = run.base + run.live
      if carried.base >= run.past then return false end
      ensemble.stand(run, carried.base)
      return true
    end})
end

--- ensemble.run(m, options, span): runs simulate(m, options) with many instances: `help ensembles`. span(m, options) returns start,
--- stop and the number of intervals.
function ensemble.run(m, o, span)
  local method, keep = check(m, o), kept(o)
  local start, stop, intervals
  if o.times then start = o.start or 0 else start, stop, intervals = span(m, o) end
  local times = times_of(o, start, stop, intervals)
  local values, count, names = ensemble.differences(m, o)
  if m.states == 0 and m.events == 0 then wrong("the model has no state") end
  local list, numbers = ensemble.variables(m, o.variables)
  local statistics = keep and ensemble.statistics(#list, keep)
  local batch, base = ensemble.batch(o, count, #list * #times), 0
  local shared = ranks.count > 1 and not keep
  local mine = count
  if shared then
    mine, base = ensemble.part(count)
    batch = math.min(batch, mine)
  end
  local run = ensemble.begin(m, {values = values, count = count, start = start, method = method, rtol = o.rtol, atol = o.atol,
    attempts = o.attempts, group = o.group or "by size", rows = keep and 1 or #times, columns = function(e) return ensemble.places(e, numbers) end,
    recorded = numbers, batch = batch, base = base, of = mine, resumed = o.from ~= nil,
    whole = o.stream and ensemble.output_size(#list, count) or keep and statistics:size() * #times or 0})
  local output <close> = o.stream and ensemble.output(run, o.stream, list, names, times) or nil
  run.idle = shared and ranks.range(count) == select(2, ranks.range(count)) -- this rank has no instance of its own, and repeats one of another rank
  integrate(run, times, o, statistics, output)
  if output then output:join() end
  local record = output and output:last() or not keep and run.s.record
  if shared and not output then record = ensemble.gather(run) end
  if not session.stepped() then ensemble.release(run, record) end
  ensemble.sort_failures(run.failed)
  for _, f in ipairs(run.failed) do f.reason = nil end
  local parameters = {}
  for called, i in pairs(names) do parameters[called] = values[i] end
  local totals = run.totals
  return ensemble.result {kind = "ensemble", model = m, t = buffer.new("f64", o.stream and {times[#times]} or times),
    start = start, names = list, instances = count, parameters = parameters, failed = run.failed,
    record = record, rows = o.stream and 1 or #times, streamed = o.stream or false,
    written = #times, method = method, group = run.e.group, stiff = totals.stiff, accepted = totals.accepted, rejected = totals.rejected,
    launches = totals.launches, events = totals.events, rtol = run.rtol, atol = math.max(table.unpack(run.atol)),
    least_atol = math.min(table.unpack(run.atol)), given_atol = o.atol or false, primitives = run.name, statistics = statistics or false}
end
