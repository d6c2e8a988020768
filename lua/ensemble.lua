-- simulate with many instances of a model: what differs between them, how they are run, and what is said of them.

ensemble = {}

local OPTIONS = {"instances", "sweep", "sample", "seed", "start", "stop", "duration", "steps", "every", "method", "rtol", "atol",
  "variables", "attempts", "keep"}
local METHODS = {auto = {dopri5 = true, rodas4 = true}, dopri5 = {dopri5 = true}, rodas4 = {rodas4 = true}}
local MOST = (1 << 32) - 2 -- instances

-- An error where simulate was called.
local function wrong(text, ...)
  local level = 2
  while (debug.getinfo(level, "S") or {short_src = ""}).short_src:find "^ensemble" do level = level + 1 end
  error(("simulate: " .. text):format(...), level)
end

-- --- what differs ---

function range(from, to, count)
  if math.type(count) ~= "integer" or count < 1 then error("range(from, to, count): count is a whole number from 1 on", 2) end
  local list = {}
  for i = 1, count do list[i] = count == 1 and from or from + (to - from) * (i - 1) / (count - 1) end
  return list
end

function logrange(from, to, count)
  if not (from > 0 and to > 0) then error("logrange(from, to, count): from and to must be positive", 2) end
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

local function names_of(t)
  local list = {}
  for name in pairs(t) do
    if type(name) ~= "string" then wrong("sweep and sample have names of parameters or states, as in {k = {1, 2}}") end
    list[#list + 1] = name
  end
  table.sort(list)
  return list
end

-- The variable's number, if it may differ between instances.
local function variable_of(m, name)
  local good, found, i = pcall(m.find, m, name)
  if not good then wrong("%s", (found:gsub("^.-: ", ""))) end
  local role = m:variable(i).role
  if role ~= "parameter" and role ~= "state" then wrong("%s is neither a parameter nor a state: it cannot differ", found) end
  return i, found
end

-- values[number] = f64 buffer of a value an instance; and how many instances there are. All combinations of the sweep come
-- first by the last name; a sample draws anew for each instance.
local function differences(m, o)
  local sweep, sample = o.sweep or {}, o.sample or {}
  local axes, combinations = {}, 1
  for _, name in ipairs(names_of(sweep)) do
    local list = sweep[name]
    if algorithm.is("lockstep.buffer", list) then list = list:totable() end
    if type(list) ~= "table" or #list == 0 then wrong("sweep: %s is a list of values, as in {%s = {0.1, 1, 10}}", name, name) end
    for k, x in ipairs(list) do
      if type(x) ~= "number" then wrong("sweep: value %d of %s is a %s, not a number", k, name, type(x)) end
    end
    axes[#axes + 1] = {name = name, variable = variable_of(m, name), values = list}
    combinations = combinations * #list
    if combinations > MOST then wrong("the sweep has more than %d combinations", MOST) end
  end
  local count = o.instances or combinations
  if math.type(count) ~= "integer" or count < 1 or count > MOST then
    wrong("instances is %s, expected a whole number from 1 to %d", tostring(count), MOST)
  end
  if #axes > 0 and count % combinations ~= 0 then
    wrong("instances = %d is no multiple of the sweep's %d combinations", count, combinations)
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
  for k, name in ipairs(names_of(sample)) do
    local d, i = sample[name], variable_of(m, name)
    if getmetatable(d) ~= Distribution then
      wrong("sample: %s is a distribution, as in {%s = lognormal(0, 0.2)}: there are uniform, normal and lognormal", name, name)
    end
    if values[i] then wrong("%s is in the sweep and in the sample", name) end
    values[i], names[name] = buffer.new("f64", count), i
    instance_draw(values[i], buffer.new("f64", {d[1], d[2]}), buffer.new("u64", {o.seed or 1}), k, d.number)
  end
  return values, count, names
end

-- The variables whose first values follow from those that differ: by what the model computes at the start with each of them
-- changed a little, and by what its equations name.
local function followers(m, values, start)
  local plain, out = m:first(start), {}
  local g = m:graph()
  local reached = {}
  local function spread(i) -- the graph has an edge from a variable to what needs it
    for e = g.off[i - 1], g.off[i] - 1 do
      local t = g.to[e] + 1
      if not reached[t] then
        reached[t] = true
        spread(t)
      end
    end
  end
  for i in pairs(values) do spread(i) end
  for i, b in pairs(values) do
    for _, x in ipairs {b[0], b[#b - 1], plain[i - 1] * 1.0625 + 0.0625} do
      local good, changed = pcall(m.first, m, start, {[i] = x})
      if good then
        for k = 0, #plain - 1 do
          if changed[k] ~= plain[k] and k + 1 ~= i then reached[k + 1] = true end
        end
      end
    end
  end
  for k = 1, m.variables do
    local role = m:variable(k).role
    if reached[k] and not values[k] and (role == "state" or role == "constant" or role == "parameter") then out[#out + 1] = k end
  end
  return out
end

-- --- the run ---

local result = {}

local function check(m, o)
  local known = {}
  for _, name in ipairs(OPTIONS) do known[name] = true end
  for name in pairs(o) do
    if not known[name] then
      wrong("no option of an ensemble is called '%s'; there are %s", tostring(name), table.concat(OPTIONS, ", "))
    end
  end
  if m.events > 0 then wrong("the model has events, which an ensemble does not follow yet") end
  local method = o.method or "auto"
  if not METHODS[method] then wrong("method '%s' is not there; an ensemble has auto, dopri5 and rodas4", tostring(method)) end
  for name, otherwise in pairs {rtol = 1e-6, atol = 1e-9} do
    local x = o[name] or otherwise
    if type(x) ~= "number" or not (x > 0 and x < 1) then wrong("%s must be a number above 0 and below 1", name) end
  end
  if o.attempts ~= nil and (math.type(o.attempts) ~= "integer" or o.attempts < 1) then
    wrong("attempts must be a whole number from 1 on")
  end
  for name in pairs {sweep = 1, sample = 1} do
    if o[name] ~= nil and type(o[name]) ~= "table" then wrong("%s is a table, as in {%s = {k = ...}}", name, name) end
  end
  if o.seed ~= nil and math.type(o.seed) ~= "integer" then wrong("seed must be a whole number") end
  return method
end

-- Parameters and first values of all instances: p and y, [variable][instance].
local function first_values(e, values, count, start, following)
  local q, n = math.max(#e.parameters, 1), #e.states
  local p, y = buffer.new("f64", q * count), buffer.new("f64", n * count)
  local place = {} -- of a variable's number: {buffer, row}
  for k, i in ipairs(e.parameters) do place[i] = {p, k - 1} end
  for k, i in ipairs(e.states) do place[i] = {y, k - 1} end
  for i, at in pairs(place) do
    local part <close> = values[i] and values[i]:copy() or buffer.new("f64", count)
    if not values[i] then fill(part, e.first[i - 1]) end
    at[1]:paste(part, at[2] * count)
  end
  if #following > 0 then
    local m = e.m
    for c = 0, count - 1 do
      local given = {}
      for i, b in pairs(values) do given[i] = b[c] end
      local first <close> = m:first(start, given)
      for _, i in ipairs(following) do
        local at = place[i]
        if at then at[1][at[2] * count + c] = first[i - 1] end
      end
    end
  end
  return p, y
end

-- Until all of the front are at s.stop: steps of one method. Returns what was counted.
local function advance(row, s, front, it)
  local sums = {accepted = 0, rejected = 0, failed = 0, launches = 0}
  s.front = front
  repeat
    local c = named(row, s)
    prim.swap(s.front, s.front_next)
    for name in pairs(sums) do sums[name] = sums[name] + (c[name] or 0) end
    sums.launches = sums.launches + 1
    it:mark {left = c.left, accepted = c.accepted, rejected = c.rejected}
  until c.left == 0
  return sums
end

--- ensemble.run(m, options, span): simulate with instances, sweep or sample: `help ensembles`. span(m, options) gives start,
--- stop and the number of intervals.
function ensemble.run(m, o, span)
  local method = check(m, o)
  local start, stop, intervals = span(m, o)
  local values, count, names = differences(m, o)
  local varied = {}
  for i in pairs(values) do varied[i] = true end
  local following = followers(m, values, start)
  for _, i in ipairs(following) do varied[i] = true end
  local e = ensemble.parts(m, varied, start)
  if #e.states == 0 then wrong("the model has no state") end
  local columns, list = {}, o.variables
  if not list then
    list = {}
    for k, i in ipairs(e.states) do list[k] = m:variable(i).name end
  end
  for k, name in ipairs(list) do
    local _, i = m:find(name)
    columns[k] = i
  end
  local text, name = ensemble.text(e, METHODS[method], columns)
  local loaded = prim[name .. "_record"]
  if not loaded then kernel(text) end
  for what in pairs {dopri5 = 1, rodas4 = 1, record = 1} do
    if prim[name .. "_" .. what] and kernel.bounds() == "own" then kernel.bounds(name .. "_" .. what, "off") end
  end
  local dopri5, rodas4, record = prim[name .. "_dopri5"], prim[name .. "_rodas4"], prim[name .. "_record"]

  local p, y = first_values(e, values, count, start, following)
  local rows = intervals + 1
  local s = bundle {p = p, y = y, t = buffer.new("f64", count), h = buffer.new("f64", count), way = buffer.new("u32", count),
    doubt = buffer.new("u32", count), front_next = buffer.new("u32", count + 1), stop = buffer.new("f64", {start}),
    tolerance = buffer.new("f64", {o.rtol or 1e-6, o.atol or 1e-9}), attempts = o.attempts or 32, auto_stiff = method == "auto" and 1 or 0, instances = count,
    rows = rows, row = 0,
    record = buffer.new("f64", #columns * rows, count)}
  local front, stiff = buffer.new("u32", count + 1), buffer.new("u32", count + 1)
  fill(s.t, start)
  if method == "rodas4" then fill(s.way, 1) end
  local times = {start}
  record(s)
  local totals = {accepted = 0, rejected = 0, failed = 0, launches = 0}
  local failed = {}
  local function add(sums) for k, x in pairs(sums) do totals[k] = totals[k] + x end end
  for it in iterations(s) do
    local row = #times
    s.stop[0] = row == intervals and stop or start + (stop - start) * row / intervals
    local before = totals.failed
    instance_front {way = s.way, front = front, stiff = stiff}
    if dopri5 then
      add(advance(dopri5, s, front, it))
      if rodas4 then instance_front {way = s.way, front = front, stiff = stiff} end
    end
    if rodas4 then add(advance(rodas4, s, stiff, it)) end
    s.row = row
    record(s)
    times[row + 1] = s.stop[0]
    if totals.failed > before then
      local was = {}
      for _, f in ipairs(failed) do was[f.instance] = true end
      for i = 0, count - 1 do
        if s.way[i] == 2 and not was[i] then failed[#failed + 1] = {instance = i, time = s.t[i]} end
      end
    end
    if row == intervals then break end
  end
  local parameters = {}
  for called, i in pairs(names) do parameters[called] = values[i] end
  local stiff_count = 0
  if method == "auto" then stiff_count = s.way:count(1) end
  return setmetatable({kind = "ensemble", model = m, t = buffer.new("f64", times), names = list, instances = count,
    parameters = parameters, failed = failed, record = s.record, rows = rows, method = method, stiff = stiff_count,
    accepted = totals.accepted, rejected = totals.rejected, launches = totals.launches, rtol = s.tolerance[0],
    atol = s.tolerance[1],
    primitives = name}, result)
end

-- --- the result ---

local methods = {}
local columns_of = setmetatable({}, {__mode = "k"})

-- The number of a recorded column.
local function column_number(r, name)
  for k, known in ipairs(rawget(r, "names")) do
    if known == name then return k end
  end
  local good, found = pcall(r.model.find, r.model, name)
  if good then
    for k, known in ipairs(rawget(r, "names")) do
      if r.model:find(known) == found then return k end
    end
    error(("%s was not recorded: variables = {\"%s\"}"):format(found, name), 3)
  end
  error((found:gsub("^.-: ", "")), 3)
end

result.__name = "ensemble"
result.__methods = methods
result.__index = function(r, key)
  if methods[key] then return methods[key] end
  if type(key) ~= "string" or not rawget(r, "names") then return nil end
  local k = column_number(r, key)
  local kept = columns_of[r] or {}
  columns_of[r] = kept
  if not kept[k] then
    kept[k] = r.record:slice((k - 1) * r.rows, k * r.rows, 0, r.instances)
  end
  return kept[k]
end

-- The values of a variable at a row (from 0), a buffer of its own.
local function at_row(r, k, row)
  local at = (k - 1) * r.rows + row
  return r.record:slice(at, at + 1, 0, r.instances)
end

-- A statistic a row: f(values).
local function by_rows(r, name, f)
  local k, list = column_number(r, name), {}
  for row = 0, r.rows - 1 do
    local x <close> = at_row(r, k, row)
    list[row + 1] = f(x)
  end
  return buffer.new("f64", list)
end

local function total(x, mean, power, numbers)
  local part <close> = buffer.new("f64", #x)
  local y <close> = buffer.new("f64", {mean})
  instance_deviations(x, part, y, power)
  reduce(part, y, 0)
  return y[0] / numbers
end

local function numbers_of(x, key) return (instance_keys(x, key)) end

local function moments(x)
  local key <close> = buffer.new("u64", #x)
  local numbers = numbers_of(x, key)
  if numbers == 0 then return 0 / 0, 0 / 0 end
  local mean = total(x, 0, 1, numbers)
  return mean, math.sqrt(total(x, mean, 2, numbers))
end

function methods:mean(name) return by_rows(self, name, function(x) return (moments(x)) end) end
function methods:deviation(name) return by_rows(self, name, function(x) return (select(2, moments(x))) end) end

-- The quantile q of the values: between two of them, in between.
local function quantiles_of(x, list)
  local key <close> = buffer.new("u64", #x)
  local sorted <close> = buffer.new("u64", #x)
  local ascending <close> = buffer.new("f64", #x)
  local numbers, out = numbers_of(x, key), {}
  radix_sort(key, sorted)
  instance_numbers(sorted, ascending)
  for i, q in ipairs(list) do
    local at = q * (numbers - 1)
    local low = math.floor(at)
    if numbers == 0 then
      out[i] = 0 / 0
    else
      local a, b = ascending[low], ascending[math.min(low + 1, numbers - 1)]
      out[i] = a + (at - low) * (b - a)
    end
  end
  return out
end

function methods:quantile(name, ...)
  local list = {...}
  for _, q in ipairs(list) do
    if type(q) ~= "number" or not (q >= 0 and q <= 1) then error("r:quantile(name, q): q is a number from 0 to 1", 2) end
  end
  if #list == 0 then error("r:quantile(name, q, ...): a number from 0 to 1 expected", 2) end
  local k, out = column_number(self, name), {}
  for i in ipairs(list) do out[i] = {} end
  for row = 0, self.rows - 1 do
    local x <close> = at_row(self, k, row)
    for i, y in ipairs(quantiles_of(x, list)) do out[i][row + 1] = y end
  end
  for i, values in ipairs(out) do out[i] = buffer.new("f64", values) end
  return table.unpack(out)
end

function methods:histogram(name, bins, row)
  row = row or self.rows - 1
  if math.type(row) ~= "integer" or row < 0 or row >= self.rows then
    error(("r:histogram(name, bins, row): there are rows 0 to %d"):format(self.rows - 1), 2)
  end
  local x <close> = at_row(self, column_number(self, name), row)
  return x:hist(bins)
end

function methods:instance(i)
  if math.type(i) ~= "integer" or i < 0 or i >= self.instances then
    error(("r:instance(i): there are instances 0 to %d"):format(self.instances - 1), 2)
  end
  local out, text = {}, {}
  for name, b in pairs(self.parameters) do
    out[name] = b[i]
    text[#text + 1] = ("%s = %.10g"):format(name, b[i])
  end
  table.sort(text)
  return setmetatable(out, {__name = "instance", __tostring = function() return table.concat(text, ", ") end})
end

function methods:plot(name)
  name = name or self.names[1]
  local low, middle, high = self:quantile(name, 0.05, 0.5, 0.95)
  plot {title = ("%s of %d instances"):format(name, self.instances), {y = high, x = self.t, name = "95 %"},
    {y = middle, x = self.t, name = "median"}, {y = low, x = self.t, name = "5 %"}}
end

function methods:save(path, name)
  name = name or self.names[1]
  local k, titles, buffers = column_number(self, name), {"time"}, {self.t}
  local x = self[name]
  for i = 0, self.instances - 1 do
    local list = {}
    for row = 0, self.rows - 1 do list[row + 1] = x:get(row, i) end
    titles[i + 2], buffers[i + 2] = ("%s_%d"):format(self.names[k], i), buffer.new("f64", list)
  end
  model.write_csv(path, titles, buffers)
  return self
end

local function plural(n, what) return ("%d %s%s"):format(n, what, n == 1 and "" or "s") end

local function say(r)
  local out = {("%s of %s, time %g to %g, %s, by %s%s"):format(plural(r.instances, "instance"), r.model.title or "a model", r.t[0],
    r.t[r.rows - 1], plural(r.rows, "row"), r.method, r.stiff > 0 and (" (%d proved stiff)"):format(r.stiff) or "")}
  out[#out + 1] = ("  %d steps accepted, %d rejected; tolerance %g relative, %g absolute"):format(r.accepted, r.rejected, r.rtol, r.atol)
  if #r.failed > 0 then
    local f = r.failed[1]
    out[#out + 1] = ("  %s FAILED, the first at time %g: instance %d (%s)"):format(plural(#r.failed, "instance"), f.time, f.instance,
      tostring(r:instance(f.instance)))
  end
  out[#out + 1] = ("  %-25s %12s %12s %12s %12s"):format("at the end", "mean", "deviation", "least", "greatest")
  for k, name in ipairs(r.names) do
    if k > 12 then
      out[#out + 1] = ("  and %d more"):format(#r.names - 12)
      break
    end
    local x <close> = at_row(r, k, r.rows - 1)
    local mean, deviation = moments(x)
    out[#out + 1] = ("  %-25s %12.6g %12.6g %12.6g %12.6g"):format(#name <= 25 and name or ".." .. name:sub(-23), mean, deviation,
      x:min() or 0 / 0, x:max() or 0 / 0)
  end
  return table.concat(out, "\n")
end
result.__tostring = say
function methods:show() session.say(say(self)) end
