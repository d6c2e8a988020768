-- Forward sensitivities: the derivatives of each variable of a model by each parameter, over time. lua/ensemble/ensemble_slopes.lua has the
-- equations; an ensemble has one instance per parameter.

local algorithm = import "base/algorithm"
local ensemble_attempt = import "ensemble/ensemble_attempt"
local ensemble_options = import("ensemble/ensemble_options").ensemble_options
local ensemble_result = import "ensemble/ensemble_result"
local ensemble_run = import "ensemble/ensemble_run"
local ensemble_slopes = import "ensemble/ensemble_slopes"
local plots = import "base/plots"
local simulate = import "ensemble/simulate"
local sensitivities

local wrong = ensemble_options.wrong "sensitivities"

local SPECS = {parameters = "table", instances = {least = 1}, sweep = "table", sample = "table", each = "table", seed = {least = 0},
  start = "number", stop = "number", duration = "number", steps = {least = 1}, times = "table", method = ensemble_attempt.method_names,
  rtol = "number", atol = "number", variables = "table", attempts = {least = 1}}

-- The position of a name in a list of names of the result r; what: the kind of names, for the error message.
local function index(r, list, name, what)
  for k, known in ipairs(list) do if known == name then return k end end
  local good, found = pcall(r.model.find, r.model, name)
  for k, known in ipairs(list) do if good and r.model:find(known) == found then return k end end
  error(("%s is not one of the %s: %s"):format(tostring(name), what, table.concat(list, ", ")), 3)
end

-- The values of the k-th recorded column in the part of the run for the j-th parameter. If `times` is given, the values of instance i
-- are multiplied by times(i).
local function column(r, k, j, times)
  local whole <close> = r.record:slice((k - 1) * r.rows, k * r.rows, 0, r.record.cols)
  local out = r.instances > 1 and buffer.new("f64", r.rows, r.instances) or buffer.new("f64", r.rows)
  for row = 0, r.rows - 1 do
    for i = 0, r.instances - 1 do out[row * r.instances + i] = whole:get(row, i * #r.by + j - 1) * (times and times(i) or 1) end
  end
  return out
end

local methods = {instance = ensemble_result.instance_of}

function methods:value(name) return column(self, index(self, self.names, name, "variables"), 1) end

function methods:of(name, by)
  local k, j = index(self, self.names, name, "variables"), index(self, self.by, by, "parameters")
  return column(self, #self.names + k, j, function(i) return 1 / self.sizes[j][i + 1] end)
end

function methods:relative(name, by)
  local k, j = index(self, self.names, name, "variables"), index(self, self.by, by, "parameters")
  local slope, x = column(self, #self.names + k, j), column(self, k, j)
  for i = 0, #slope - 1 do slope[i] = slope[i] / x[i] end
  return slope
end

function methods:plot(...)
  local list, options = plots.asked(self.names, nil, ...)
  if #list > 1 then error("r:plot: one variable at a time, since each has a line for each parameter", 2) end
  local name = list[1] or self.names[1]
  if self.instances > 1 then error("r:plot: a plot shows only one instance; r:of(variable, parameter) has all of them", 2) end
  local p = {title = ("derivative of %s by each parameter p, times p"):format(name), xlabel = "time"}
  local k = index(self, self.names, name, "variables")
  for j, by in ipairs(self.by) do p[j] = {y = column(self, #self.names + k, j), x = self.t, name = by} end
  plots.draw(p, options)
end

function methods:save(path)
  if self.instances > 1 then error("r:save: a file holds only one instance; r:of(variable, parameter) has all of them", 2) end
  local titles, buffers = {"time"}, {self.t}
  for _, name in ipairs(self.names) do
    for _, by in ipairs(self.by) do titles[#titles + 1], buffers[#buffers + 1] = ("d %s/d %s"):format(name, by), self:of(name, by) end
  end
  model.write_table(path, titles, buffers)
  return self
end

-- The relative step of difference quotients, and their points and weights. For a parameter that is 0, only points above 0 are used,
-- because many equations have no meaning below 0.
local STEP = 1e-4
local CENTRAL, ABOVE = {{1, 0.5}, {-1, -0.5}, {0, 0}}, {{0, -1.5}, {1, 2}, {2, -0.5}}

-- Simulates instance i at the points of the difference quotients, three per parameter, with a hundredth of the tolerance.
local function around(r, i)
  local each, points, count = {}, {}, 3 * #r.by
  local function all(x)
    local list = {}
    for c = 1, count do list[c] = x end
    return list
  end
  for name, b in pairs(r.parameters) do each[name] = all(b[i]) end
  for j, name in ipairs(r.by) do
    local list = each[name] or all(r.plain[j])
    local x = list[3 * j - 2]
    each[name], points[j] = list, x == 0 and ABOVE or CENTRAL
    for k, point in ipairs(points[j]) do list[3 * j - 3 + k] = x + point[1] * STEP * r.sizes[j][i + 1] end
  end
  local times = r.t:totable(1, r.rows)
  return simulate(r.model, {instances = count, each = each, start = r.t[0], times = times, method = r.method, variables = r.names,
    rtol = math.max(1e-11, 1e-2 * math.min(r.rtol, 1e-8)), atol = 1e-2 * math.min(r.atol, 1e-10)}), points
end

-- Is `got` a one-sided derivative at a corner? A row may be exactly at the time at which a condition changes, where the left and right
-- derivatives differ. up, down, at: the variable for a greater, a smaller and the same value of the parameter; off: the tolerance.
local function at_corner(got, up, down, at, off)
  local right, left = (up - at) / STEP, (at - down) / STEP
  return math.abs(right - left) > 2 * off and math.min(math.abs(got - right), math.abs(got - left)) <= 10 * off
end

-- The check: the first error in the sensitivities of the first three instances, or nil.
local function wrong_sensitivities(r)
  local failed = {}
  for _, f in ipairs(r.failed) do failed[f.instance] = true end
  for i = 0, math.min(r.instances, 3) - 1 do
    local c, points = around(r, i)
    for k, name in ipairs(r.names) do
      local x <close> = c.record:slice((k - 1) * r.rows, k * r.rows)
      for j, by in ipairs(r.by) do
        local scaled, size, differences = column(r, #r.names + k, j), 1e-300, {}
        for row = 0, r.rows - 1 do
          local sum = 0
          for at, point in ipairs(points[j]) do sum = sum + point[2] * x:get(row, 3 * j - 4 + at) end
          differences[row] = sum / STEP
          size = math.max(size, math.abs(scaled[row * r.instances + i]), math.abs(x:get(row, 3 * j - 3)))
        end
        for row = 0, r.rows - 1 do
          local got, want, unit, off = scaled[row * r.instances + i], differences[row], r.sizes[j][i + 1], (1e-4 + 100 * r.rtol) * size
          local function run(k) return x:get(row, 3 * j - 4 + k) end
          if not failed[i] and not (math.abs(got - want) <= off) and
            not (points[j] == CENTRAL and at_corner(got, run(1), run(2), run(3), off)) then
            return ("instance %d, time %g: d %s/d %s is %.10g, but finite differences give %.10g"):format(i, r.t[row], name, by, got / unit,
              want / unit)
          end
        end
      end
    end
  end
end

local function say(r)
  local out = {("sensitivities of %s to %s: %s"):format(algorithm.counted(#r.names, "variable"),
    algorithm.counted(#r.by, "parameter"), r.model.title or "a model")}
  out[2] = ("  time %g to %g, by %s%s"):format(r.t[0], r.t[r.rows - 1], r.method,
    r.instances > 1 and (", %d instances; below is the first"):format(r.instances) or "")
  for k, f in ipairs(r.failed) do
    if k <= 3 then out[#out + 1] = ("  instance %d FAILED at time %g, for %s"):format(f.instance, f.time, f.parameter) end
  end
  out[#out + 1] = ("  %-25s %-20s %14s %14s"):format("the greatest first", "", "at the end", "relative")
  local list = {}
  for k, name in ipairs(r.names) do
    for j, by in ipairs(r.by) do
      local last = (r.rows - 1) * r.instances
      local scaled, x <close> = column(r, #r.names + k, j)[last], column(r, k, j)
      list[#list + 1] = {name = name, by = by, scaled = scaled / r.sizes[j][1], relative = scaled / x[last]}
    end
  end
  table.sort(list, function(a, b)
    local x, y = math.abs(a.relative), math.abs(b.relative)
    x, y = x < math.huge and x or -1, y < math.huge and y or -1
    if x ~= y then return x > y end
    return a.name .. "\0" .. a.by < b.name .. "\0" .. b.by
  end)
  for i, s in ipairs(list) do
    if i > 12 then
      out[#out + 1] = ("  and %d more: r:of(variable, parameter)"):format(#list - 12)
      break
    end
    out[#out + 1] = ("  d %-23s / d %-16s %14.6g %14.6g"):format(s.name, s.by, s.scaled, s.relative)
  end
  return table.concat(out, "\n")
end

local made = algorithm.results {name = "sensitivities", show = say, methods = methods, check = wrong_sensitivities}

--- How much each variable changes with each parameter, over time: forward sensitivities. Their equations are
--- derived from the model's and integrated together with them, by the same methods (Dickinson and Gelinas 1976). Each parameter is an
--- instance of an ensemble. If a parameter moves the time at which a condition changes, derivatives jump there (Rozenvasser 1967).
---   r = sensitivities(m, {parameters = {"a", "x"}, stop = 50})     x is a state: its initial value
---   r.t, r:value "y"       times and values, f64[rows]; for several instances rows x instances
---   r:of("y", "a")         dy/da                   r:relative("y", "a")     (dy/da)*(a/y)
---   r:plot "y"   r:save "s.csv"
--- By default it takes all parameters of the model. start, stop, duration, steps, times, variables, method, rtol, atol,
--- attempts and sweep, sample, each, instances, seed are those of simulate with many instances: `help ensembles`. The
--- derivatives of initial values with respect to parameters are computed by differences. check(r) compares the first three
--- instances with differences of simulations with a hundredth of the tolerance.
function sensitivities(m, options)
  ensemble_options.need_model("sensitivities", m)
  local o = algorithm.options("sensitivities", options, SPECS)
  ensemble_options.check_numbers(o, wrong)
  if m.events > 0 then
    wrong("the model has events. A parameter moves the time of an event, and there each derivative jumps by what the sensitivity " ..
      "equations do not have. Take differences: simulate(m, {instances = 2, each = {%s = {0.999*x, 1.001*x}}}), where x is its value",
      type(o.parameters) == "table" and type(o.parameters[1]) == "string" and o.parameters[1] or "k")
  end
  if m.states == 0 then wrong("the model has no state") end
  local by, by_numbers = ensemble_options.parameters(m, o.parameters, wrong)
  local times = ensemble_options.times(m, o)
  local values, count, names = ensemble_options.differences(m, o)
  local list, numbers = ensemble_options.variables(m, o.variables)
  local run = ensemble_slopes.begin_slopes(m, {by = by_numbers, values = values, count = count, numbers = numbers, start = times[1],
    method = o.method, rtol = o.rtol, atol = o.atol, attempts = o.attempts, rows = #times})
  ensemble_run.integrate(run, times, function() end)
  local r = {model = m, by = by, names = list, instances = count, rows = #times, t = buffer.new("f64", times), record = run.s.record,
    sizes = run.sizes, parameters = {}, plain = {}, failed = {}, method = run.method, rtol = run.rtol,
    atol = math.max(table.unpack(run.atol)), accepted = run.totals.accepted, rejected = run.totals.rejected, primitives = run.name}
  for called, i in pairs(names) do r.parameters[called] = values[i] end
  for j, i in ipairs(by_numbers) do r.plain[j] = run.e.first[i - 1] end
  for k, f in ipairs(run.failed) do
    r.failed[k] = {instance = f.instance // #by, parameter = by[f.instance % #by + 1], time = f.time}
  end
  return made(r, run.method)
end

return sensitivities
