-- Fits parameters to measurements: least squares by Levenberg (1944) and Marquardt (1963), from several starts at the same time.
-- The Jacobian comes from the sensitivity equations (lua/ensemble/ensemble_slopes.lua): in each iteration one ensemble has an instance for
-- each pair of a start and a parameter.

local algorithm = import "base/algorithm"
local bundle = import("base/loops").bundle
local ensemble = import("ensemble/ensemble_options").ensemble
local ensemble_attempt = import "ensemble/ensemble_attempt"
local ensemble_data = import "ensemble/ensemble_data"
local ensemble_options = import("ensemble/ensemble_options").ensemble_options
local ensemble_run = import "ensemble/ensemble_run"
local ensemble_slopes = import "ensemble/ensemble_slopes"
local plots = import "base/plots"
local simulate = import "ensemble/simulate"
local fit

local wrong = ensemble_options.wrong "fit"

local SPECS = {parameters = "table", starts = {least = 1}, seed = {least = 0}, start = "number",
  method = ensemble_attempt.method_names, rtol = "number", atol = "number", attempts = {least = 1}, turns = {least = 1},
  errors = "table"}

-- --- linear algebra of a few unknowns ---

-- The lower Cholesky factor of the symmetric matrix A; nil if A is not positive definite, up to rounding.
local function cholesky(A, n)
  local L = {}
  for i = 1, n do
    L[i] = {}
    for j = 1, i do
      local sum = A[i][j]
      for k = 1, j - 1 do sum = sum - L[i][k] * L[j][k] end
      if i == j then
        if not (sum > 1e-14 * A[i][i] and sum < math.huge) then return nil end
        L[i][i] = math.sqrt(sum)
      else
        L[i][j] = sum / L[j][j]
      end
    end
  end
  return L
end

local function solve(L, b, n)
  local x = {}
  for i = 1, n do
    x[i] = b[i]
    for k = 1, i - 1 do x[i] = x[i] - L[i][k] * x[k] end
    x[i] = x[i] / L[i][i]
  end
  for i = n, 1, -1 do
    for k = i + 1, n do x[i] = x[i] - L[k][i] * x[k] end
    x[i] = x[i] / L[i][i]
  end
  return x
end

-- --- the options ---

-- The list of parameters to fit, sorted by name: {name =, number =, low =, high =, first = the model's value}.
local function asked_parameters(m, o)
  if type(o.parameters) ~= "table" or next(o.parameters) == nil then wrong("which parameters? Give them, as in {parameters = {k = {0.1, 10}}}") end
  local names = {}
  for key, range in pairs(o.parameters) do
    local name = math.type(key) == "integer" and range or key
    if type(name) ~= "string" then wrong("parameters needs names, as in {k = {0.1, 10}} or {\"k\"}") end
    if name == key and (type(range) ~= "table" or #range ~= 2 or type(range[1]) ~= "number" or type(range[2]) ~= "number"
      or not (range[1] < range[2]) or range[2] - range[1] == math.huge) then
      wrong("parameters: the range of %s is {least, greatest}, two finite numbers", name)
    end
    names[#names + 1] = name
  end
  table.sort(names)
  local _, numbers = ensemble_options.parameters(m, names, wrong)
  local first <close> = m:first(o.start or 0)
  local list = {}
  for k, name in ipairs(names) do
    local range = o.parameters[name]
    list[k] = {name = name, number = numbers[k], low = range and range[1] or -math.huge, high = range and range[2] or math.huge,
      first = first[numbers[k] - 1]}
    if not range and (o.starts or 1) > 1 then wrong("several starts need a range of each parameter: %s = {least, greatest}", name) end
  end
  return list
end

-- Sets the standard deviation v[3] of each measurement for which the data have none: to that of o.errors for its column, or else to
-- the root mean square of the column's values. Returns whether all deviations are known: false if such a root mean square was used.
local function weigh(columns, o)
  local known = true
  local asked = {}
  for name, sd in pairs(o.errors or {}) do
    if type(sd) ~= "number" or not (sd > 0 and sd < math.huge) then wrong("errors: %s must be a positive number", tostring(name)) end
    asked[name] = sd
  end
  for _, c in ipairs(columns) do
    local sum = 0
    for _, v in ipairs(c.values) do sum = sum + v[2] ^ 2 end
    local sd = asked[c.name] or (sum > 0 and math.sqrt(sum / #c.values) or 1)
    if asked[c.name] and c.deviations then
      wrong("the standard deviation of %s is given twice: in 'errors', and in the data as the column %s_sd", c.name, c.name)
    end
    if not asked[c.name] and not c.deviations then known = false end
    asked[c.name] = nil
    for _, v in ipairs(c.values) do v[3] = v[3] or sd end
  end
  if next(asked) then wrong("errors: there is no column %s in the data", next(asked)) end
  return known
end

-- The sum of squares that errors of the integration alone can cause; a fit below it has converged.
local function floor_of(columns, rtol)
  local sum = 0
  for _, c in ipairs(columns) do
    for _, v in ipairs(c.values) do sum = sum + (10 * rtol * v[2] / v[3]) ^ 2 end
  end
  return sum
end

-- The list of starting points: first the model's own values, then random points within the ranges; in positive ranges their
-- logarithms are uniformly distributed.
local function first_points(parameters, o)
  local count, list = o.starts or (parameters[1].high < math.huge and 8 or 1), {}
  local random = ensemble.random(o.seed or 1)
  for s = 1, count do
    list[s] = {}
    for k, p in ipairs(parameters) do
      local u = random()
      if s == 1 then
        list[s][k] = math.max(p.low, math.min(p.high, p.first))
      elseif p.low > 0 then
        list[s][k] = p.low * (p.high / p.low) ^ u
      else
        list[s][k] = p.low + (p.high - p.low) * u
      end
    end
  end
  return list
end

-- --- the residuals ---

local function sum_of_squares(r)
  local sum = 0
  for _, x in ipairs(r) do sum = sum + x * x end
  return sum - sum == 0 and sum or math.huge
end

-- Returns the result of `evaluate`, from a run that has recorded the columns at all points. value(row, s): the value of point s in a row
-- of the record (rows are numbered from 0 through all columns); slope(row, s, k): its derivative by parameter k, multiplied by the
-- parameter's size, sizes[k][s].
local function gather(f, points, run, sizes, value, slope)
  local out, rows, P = {}, #f.times, #f.parameters
  for s in ipairs(points) do
    local e = {r = {}, J = {}, sizes = {}}
    for k = 1, P do e.J[k], e.sizes[k] = {}, sizes[k][s] end
    for c, column in ipairs(f.columns) do
      for _, v in ipairs(column.values) do
        local row = (c - 1) * rows + v[1] - 1
        e.r[#e.r + 1] = (value(row, s) - v[2]) / v[3]
        for k = 1, P do e.J[k][#e.r] = slope(row, s, k) / v[3] end
      end
    end
    e.chi2 = sum_of_squares(e.r)
    out[s] = e
  end
  f.evaluations, f.primitives = f.evaluations + #points, run.name
  return out
end

-- evaluate for models with events, where derivatives of the equations are not enough because parameters shift the times of events.
-- Derivatives are central differences: for each point there is one instance, and per parameter one more on either side of the point.
local APART = 1e-4 -- the distance to each side, relative to the parameter's size
local function by_values(f, points)
  local o, rows, P, lists, sizes = f.o, #f.times, #f.parameters, {}, {}
  local wide = 1 + 2 * P
  for k, p in ipairs(f.parameters) do
    lists[k], sizes[k] = {}, {}
    for s, point in ipairs(points) do
      local x = point[k]
      sizes[k][s] = x ~= 0 and math.abs(x) or 1.0
      for c = 1, wide do lists[k][(s - 1) * wide + c] = x end
      lists[k][(s - 1) * wide + 2 * k] = math.max(p.low, x - APART * sizes[k][s])
      lists[k][(s - 1) * wide + 2 * k + 1] = math.min(p.high, x + APART * sizes[k][s])
    end
  end
  local values = {}
  for k, p in ipairs(f.parameters) do values[p.number] = buffer.new("f64", lists[k]) end
  local run = ensemble_run.begin(f.m, {values = values, count = #points * wide, start = f.start, method = o.method,
    rtol = o.rtol or 1e-10, atol = o.atol or 1e-13, attempts = o.attempts, rows = rows,
    columns = function(e) return ensemble_options.places(e, f.columns_numbers) end, recorded = f.columns_numbers})
  ensemble_run.integrate(run, f.times, function() end)
  local record = run.s.record
  return gather(f, points, run, sizes, function(row, s) return record:get(row, (s - 1) * wide) end, function(row, s, k)
    local low, high = (s - 1) * wide + 2 * k - 1, (s - 1) * wide + 2 * k
    return (record:get(row, high) - record:get(row, low)) / (lists[k][high + 1] - lists[k][low + 1]) * sizes[k][s]
  end)
end

-- Returns for each point a table {r =, J =, sizes =, chi2 =}. r: the residuals (model - data)/sd; J[k]: their derivatives by parameter k,
-- multiplied by the parameter's size; sizes[k]: this size; chi2: the sum of the squares of r.
local function evaluate(f, points)
  if f.m.events > 0 then return by_values(f, points) end
  local values = {}
  for k, p in ipairs(f.parameters) do
    local list = {}
    for s, point in ipairs(points) do list[s] = point[k] end
    values[p.number] = buffer.new("f64", list)
  end
  local o, rows = f.o, #f.times
  local run = ensemble_slopes.begin_slopes(f.m, {by = f.numbers, values = values, count = #points, numbers = f.columns_numbers,
    start = f.start, method = o.method, rtol = o.rtol or 1e-8, atol = o.atol or 1e-11, attempts = o.attempts, rows = rows})
  ensemble_run.integrate(run, f.times, function() end)
  local record, P = run.s.record, #f.parameters
  return gather(f, points, run, run.sizes, function(row, s) return record:get(row, (s - 1) * P) end, function(row, s, k)
    return record:get(#f.columns * rows + row, (s - 1) * P + k - 1)
  end)
end

-- --- a start ---

local function dot(a, b)
  local sum = 0
  for i, x in ipairs(a) do sum = sum + x * b[i] end
  return sum
end

-- The parameters that a step may change: all except those at a bound beyond which the sum of squares would decrease. Sets t.slope.
local function free_of(f, t)
  local list = {}
  for k, p in ipairs(f.parameters) do
    t.slope[k] = dot(t.at.J[k], t.at.r)
    if not ((t.point[k] <= p.low and t.slope[k] > 0) or (t.point[k] >= p.high and t.slope[k] < 0)) then list[#list + 1] = k end
  end
  return list
end

-- Are the residuals orthogonal to all columns of the Jacobian, up to a cosine of `within`?
local function flat(t, within)
  local most, length = 0, math.sqrt(t.at.chi2)
  for _, k in ipairs(t.free) do
    local size = math.sqrt(dot(t.at.J[k], t.at.J[k]))
    if size > 0 and length > 0 then most = math.max(most, math.abs(t.slope[k]) / size / length) end
  end
  return most < within
end

-- The next point to try; nil if the damped normal equations are singular.
local function step_of(f, t)
  local A, b, n = {}, {}, #t.free
  for i, k in ipairs(t.free) do
    A[i], b[i] = {}, -t.slope[k]
    for j, l in ipairs(t.free) do A[i][j] = dot(t.at.J[k], t.at.J[l]) end
  end
  for i = 1, n do A[i][i] = A[i][i] * (1 + t.lambda) + 1e-300 end
  local L = cholesky(A, n)
  if not L then return nil end
  local x, point = solve(L, b, n), table.move(t.point, 1, #t.point, 1, {})
  for i, k in ipairs(t.free) do
    local p = f.parameters[k]
    point[k] = math.max(p.low, math.min(p.high, point[k] + x[i] * t.at.sizes[k]))
  end
  return point
end

-- Accepts or rejects the point that start t has tried, where e was evaluated; adjusts the damping, and decides whether t has ended.
local function judge(f, t, e)
  t.turns = t.turns + 1
  if e.chi2 < t.at.chi2 then
    local gain = (t.at.chi2 - e.chi2) / t.at.chi2
    t.point, t.at, t.lambda = t.try, e, math.max(1e-9, t.lambda / 8)
    t.small = gain < 1e-10 and t.small + 1 or 0
  else
    t.lambda = t.lambda * 6
  end
  t.free = free_of(f, t)
  if t.at.chi2 <= f.floor or flat(t, 1e-7) or t.small >= 2 then
    t.ended = "converged"
  elseif t.lambda > 1e10 then
    t.ended = f.m.events > 0 and flat(t, 1e-3) and "converged" or "no step decreases the sum of squares"
  elseif t.turns >= (f.o.turns or 200) then
    t.ended = algorithm.counted(t.turns, "turn")
  end
end

-- Iterates until all starts have ended. Returns them sorted by their sums of squares.
local function run_starts(f, points)
  local tracks, first = {}, evaluate(f, points)
  for s, point in ipairs(points) do
    local t = {point = point, at = first[s], lambda = 1e-2, turns = 0, small = 0, slope = {}, from = point}
    tracks[s] = t
    if t.at.chi2 < math.huge then t.free = free_of(f, t) else t.ended = "the model fails there" end
  end
  for it in iterations(f.state) do
    local active, tries, least = {}, {}, math.huge
    for _, t in ipairs(tracks) do
      least = math.min(least, t.at.chi2)
      if not t.ended then
        t.try = step_of(f, t)
        if t.try then active[#active + 1], tries[#tries + 1] = t, t.try else t.lambda = t.lambda * 6 end
        if not t.try and t.lambda > 1e10 then t.ended = "the Jacobian is singular" end
      end
    end
    it:mark {starts = #active, sum_of_squares = least}
    local all = true
    for _, t in ipairs(tracks) do all = all and t.ended end
    if all then break end
    if #tries > 0 then
      for i, e in ipairs(evaluate(f, tries)) do judge(f, active[i], e) end
    end
  end
  table.sort(tracks, function(a, b) return a.at.chi2 < b.at.chi2 end)
  return tracks
end

-- --- the result ---

-- Standard errors and correlations, from the inverse of J'J; NaN for a parameter at a bound, and for all if the data do not determine
-- the parameters. Also returns the variance by which the inverse is scaled.
local function uncertainty(f, best, known, count)
  local n, A, errors, correlation = #best.free, {}, {}, {}
  for i, k in ipairs(best.free) do
    A[i] = {}
    for j, l in ipairs(best.free) do A[i][j] = dot(best.at.J[k], best.at.J[l]) end
  end
  local L, degrees = cholesky(A, n), count - n
  local variance = known and 1 or degrees > 0 and best.at.chi2 / degrees or 0 / 0
  for k, p in ipairs(f.parameters) do errors[p.name] = 0 / 0 end
  if not L then return errors, nil, variance end
  local inverse = {}
  for i = 1, n do
    local unit = {}
    for j = 1, n do unit[j] = i == j and 1 or 0 end
    inverse[i] = solve(L, unit, n)
    errors[f.parameters[best.free[i]].name] = math.sqrt(variance * inverse[i][i]) * best.at.sizes[best.free[i]]
  end
  for i, k in ipairs(best.free) do
    local row = {}
    for j, l in ipairs(best.free) do
      row[f.parameters[l].name] = inverse[i][j] / math.sqrt(inverse[i][i] * inverse[j][j])
    end
    correlation[f.parameters[k].name] = row
  end
  return errors, correlation, variance
end

local methods = {}

local function column_of(r, name)
  for c, column in ipairs(r.columns) do if column.name == name then return c, column end end
  local list = {}
  for c, column in ipairs(r.columns) do list[c] = column.name end
  error(("%s is not a column of the data; the columns are %s"):format(tostring(name), table.concat(list, ", ")), 3)
end

-- Simulates with the fitted parameters, except those that `changed` replaces by name; rows at `times`, or 200 rows if nil. The tolerances
-- are multiplied by `finer`.
local function simulation(r, changed, times, finer)
  local each = {}
  for _, name in ipairs(r.by) do each[name] = {changed and changed[name] or r.parameters[name]} end
  local names = {}
  for c, column in ipairs(r.columns) do names[c] = column.name end
  local last = r.times[#r.times]
  local o = {instances = 1, each = each, start = r.start, variables = names, method = r.asked.method,
    rtol = (r.asked.rtol or 1e-8) * (finer or 1), atol = (r.asked.atol or 1e-11) * (finer or 1)}
  if times then o.times = times else o.stop, o.steps = math.max(last, r.start + 1e-300), 200 end
  return simulate(r.model, o)
end

-- The residuals with some parameters changed, computed by a simulation without sensitivities.
local function residuals(r, changed)
  local s = simulation(r, changed, r.times, 1e-2)
  local out, shift = {}, s.rows - #r.times
  for _, c in ipairs(r.columns) do
    local x = s[c.name]
    for _, v in ipairs(c.values) do out[#out + 1] = (x[v[1] - 1 + shift] - v[2]) / v[3] end
  end
  return out
end

local function wrong_fit(r)
  if r.ended ~= "converged" then return "the fit has not converged: " .. r.ended end
  local at = residuals(r)
  local chi2 = sum_of_squares(at)
  if not (math.abs(chi2 - r.sum_of_squares) <= 1e-5 * chi2 + 1e-12 * #at) then
    return ("the sum of squares is %.10g, but that of a simulation is %.10g"):format(r.sum_of_squares, chi2)
  end
  for _, name in ipairs(r.by) do
    if not r.at_bound[name] then
      local x = r.parameters[name]
      local h = 1e-4 * (x ~= 0 and math.abs(x) or 1)
      local up, down, J = residuals(r, {[name] = x + h}), residuals(r, {[name] = x - h}), {}
      for i in ipairs(at) do J[i] = (up[i] - down[i]) / 2 end
      local slope, size = math.abs(dot(J, at)), math.sqrt(dot(J, J) * chi2)
      if not (slope <= 1e-3 * size + 1e-6 * math.sqrt(dot(J, J))) then
        return ("the sum of squares is not the least: its slope along %s is %.2g of the steepest possible"):format(name, slope / size)
      end
    end
  end
end

function methods:value(name)
  local _, c = column_of(self, name)
  local s = simulation(self)
  return s[c.name], s.t
end

function methods:residuals(name)
  local which = column_of(self, name)
  local list, at = {}, 0
  for c, column in ipairs(self.columns) do
    for k in ipairs(column.values) do
      if c == which then list[k] = self.residual[at + k] end
    end
    at = at + #column.values
  end
  return buffer.new("f64", list)
end

function methods:plot(...)
  local names = {}
  for k, c in ipairs(self.columns) do names[k] = c.name end
  local list, options = plots.asked(names, nil, ...)
  if #list > 1 then error("r:plot: expected one column: the plot shows its data and the model", 2) end
  local name = list[1] or names[1]
  local _, c = column_of(self, name)
  local x, t = self:value(name)
  local p = {title = ("%s: the data, and the model with the fitted parameters"):format(name), xlabel = "time", ylabel = name}
  local at, y = {}, {}
  for k, v in ipairs(c.values) do at[k], y[k] = self.times[v[1]], v[2] end
  p[1], p[2] = {y = x, x = t, name = "model"}, {y = y, x = at, name = "data"}
  plots.draw(p, options)
end

local function say(r)
  local out = {("fit of %s of %s to %s: %s"):format(algorithm.counted(#r.by, "parameter"), r.model.title or "a model",
    algorithm.counted(r.count, "value"), r.ended)}
  out[2] = ("  sum of squares %.6g, %s"):format(r.sum_of_squares, r.known and ("of %d expected"):format(r.count - #r.by)
    or ("deviation %.3g relative to a column's size"):format(math.sqrt(r.variance)))
  out[3] = ("  %d of %s ended there, with %s"):format(r.agree, algorithm.counted(#r.starts, "start"), algorithm.counted(r.evaluations, "evaluation"))
  out[4] = ("  %-25s %14s %14s"):format("", "value", "standard error")
  for _, name in ipairs(r.by) do
    local e = r.errors[name]
    out[#out + 1] = ("  %-25s %14.8g %14s"):format(name, r.parameters[name], r.at_bound[name] and "at its bound"
      or e == e and ("%.3g"):format(e) or "not determined")
  end
  for i, a in ipairs(r.by) do
    for j = i + 1, #r.by do
      local x = r.correlation and r.correlation[a] and r.correlation[a][r.by[j]]
      if x and math.abs(x) > 0.95 then out[#out + 1] = ("  %s and %s are correlated: %.3f"):format(a, r.by[j], x) end
    end
  end
  return table.concat(out, "\n")
end

local made = algorithm.results {name = "fit", show = say, methods = methods, check = wrong_fit}

--- Fits parameters, and initial values of states, to measurements: minimises the sum of squares of (model - data)/deviation by the
--- Levenberg-Marquardt method, with the Jacobian of the sensitivity equations, from several starts at the same time.
---   r = fit(m, {data = "x.csv", parameters = {k = {0.1, 10}, x = {0, 5}}})     ranges of k and of the initial value of state x
---   r = fit(m, {data = {time = {0, 1, 2}, x = {5, 3, 2}}, parameters = {"k"}})     from the model's value, without bounds
---   r.parameters.k   r.errors.k        the value, and its standard error
---   r.correlation.k.x   r.sum_of_squares   r.starts     the outcome of each start: {sum_of_squares =, parameters =, ended =}
---   x, t = r:value "x"   r:residuals "x"   r:plot "x"   r:plot("x", {file = "x.svg"})
--- The first line of the file has the names: time, variables of the model, and, as x_sd, the standard deviation of x. Each further
--- line has the numbers of one time; a cell may be empty; lines that begin with # are comments. errors = {x = 0.1} sets the
--- deviation of a whole column. Without x_sd and errors, a column is scaled by its root mean square, and the standard errors are
--- estimated from the residuals. Further options (with defaults): starts (8), of which the first is the model's values and the others
--- are random points of the ranges, log-uniform in positive ranges; seed (1) of the random points; start (0), the time of the initial
--- values; turns (200), the most iterations of a start; rtol (1e-8), atol (1e-11), method and attempts as for simulate: `help ensembles`.
--- check(r) computes the residuals by simulations without sensitivities, and proves that no small change of a parameter decreases
--- their sum of squares. For a model with events the Jacobian comes from differences of values (rtol 1e-10, atol 1e-13), because
--- parameters shift the times of events. If an event sets a measured variable to another value, the sum of squares jumps when the
--- event's time passes a measurement, and a start may end in a local minimum there. More starts (starts = 64) or narrower ranges
--- help; r.starts says where each ended.
function fit(m, options)
  ensemble_options.need_model("fit", m)
  local data
  if type(options) == "table" then -- options.data: a path or a table
    data = options.data
    local rest = {}
    for k, x in pairs(options) do rest[k] = x end
    rest.data, options = nil, rest
  end
  local o = algorithm.options("fit", options, SPECS)
  if type(data) ~= "string" and type(data) ~= "table" then
    wrong("data must be a file's name or a table of columns, as in {data = \"x.csv\"}, got %s", algorithm.described(data))
  end
  ensemble_options.check_numbers(o, wrong)
  if m.states == 0 then wrong("the model has no state") end
  local parameters = asked_parameters(m, o)
  local times, columns, count = ensemble_data.data(m, data, wrong)
  local start = o.start or math.min(0, times[1])
  if times[1] < start then wrong("the data begin at time %.10g, before start = %.10g", times[1], start) end
  if count < #parameters then wrong("there are %d parameters and only %d values", #parameters, count) end
  local known = weigh(columns, o)
  local f = {m = m, o = o, parameters = parameters, numbers = {}, columns = columns, columns_numbers = {}, times = times, start = start,
    evaluations = 0, state = bundle {}}
  for k, p in ipairs(parameters) do f.numbers[k] = p.number end
  f.floor = floor_of(columns, o.rtol or 1e-8)
  for c, column in ipairs(columns) do f.columns_numbers[c] = column.number end
  local tracks = run_starts(f, first_points(parameters, o))
  local best = tracks[1]
  if best.at.chi2 == math.huge then wrong("the model fails at every start") end
  local errors, correlation, variance = uncertainty(f, best, known, count)
  local r = {model = m, asked = o, by = {}, parameters = {}, at_bound = {}, errors = errors, correlation = correlation,
    variance = variance, known = known, count = count, columns = columns, times = times, start = start, sum_of_squares = best.at.chi2,
    residual = best.at.r, ended = best.ended, starts = {}, agree = 0, evaluations = f.evaluations, primitives = f.primitives}
  for k, p in ipairs(parameters) do
    r.by[k], r.parameters[p.name] = p.name, best.point[k]
    r.at_bound[p.name] = best.point[k] <= p.low or best.point[k] >= p.high
  end
  for s, t in ipairs(tracks) do
    local found = {}
    for k, p in ipairs(parameters) do found[p.name] = t.point[k] end
    r.starts[s] = {sum_of_squares = t.at.chi2, parameters = found, ended = t.ended, turns = t.turns}
    if t.at.chi2 <= best.at.chi2 * (1 + 1e-4) + f.floor then r.agree = r.agree + 1 end
  end
  return made(r, "levenberg-marquardt")
end

return fit
