-- Sobol's indices: the part of the variance of a result that each parameter causes alone (first order), and the part in which it is
-- involved at all (total). The points are Saltelli's (2002): two samples A and B, and for each parameter a copy of A with that
-- parameter's column from B. Estimators: first order, Saltelli et al. 2010; total, Jansen 1999. The samples are random, not of low
-- discrepancy, so that a bootstrap gives the uncertainty of the indices.

local algorithm = import "base/algorithm"
local ensemble = import("ensemble/ensemble_options").ensemble
local ensemble_evaluate = import "ensemble/ensemble_evaluate"
local ensemble_options = import("ensemble/ensemble_options").ensemble_options
local plots = import "base/plots"
local sobol

local wrong = ensemble_options.wrong "sobol"

local SPECS = {points = {least = 8}, resamples = {least = 20}, confidence = "number"}
for name, spec in pairs(ensemble_evaluate.evaluate_options) do SPECS[name] = spec end

local BLOCKS = 1000 -- the bootstrap draws blocks of rows: at most this number of blocks, of equal size

-- The points: A, B, and for each parameter a copy of A with that parameter's column from B, one below the other. Returns columns by
-- name, and their length.
local function design(names, distributions, n, seed)
  local columns, count = {}, n * (#names + 2)
  for k, name in ipairs(names) do
    local d, whole = distributions[k], buffer.new("f64", count)
    local a <close> = buffer.new("f64", n)
    local b <close> = buffer.new("f64", n)
    local bounds <close> = buffer.new("f64", {d[1], d[2]})
    local from <close> = buffer.new("u64", {seed})
    instance_draw(a, bounds, from, 2 * k - 1, d.number)
    instance_draw(b, bounds, from, 2 * k, d.number)
    for block = 0, #names + 1 do whole:paste((block == 1 or block == k + 1) and b or a, block * n) end
    columns[name] = whole
  end
  return columns, count
end

-- Sums over blocks of rows. A row with a value that is not finite in any of the samples is left out. The mean is subtracted from the
-- values. Returns the blocks, the number of rows and the mean.
local function blocks_of(y, n, parameters)
  local all, rows, mean, numbers = y:totable(), {}, 0, 0
  for i = 1, n do
    local good = true
    for block = 0, parameters + 1 do
      local x = all[block * n + i]
      good = good and x - x == 0
    end
    if good then
      rows[#rows + 1] = i
      mean, numbers = mean + all[i] + all[n + i], numbers + 2
    end
  end
  mean = mean / math.max(numbers, 1)
  local list, count = {}, math.min(#rows, BLOCKS)
  for c = 1, count do
    local s = {rows = 0, sum = 0, square = 0, first = {}, total = {}}
    for k = 1, parameters do s.first[k], s.total[k] = 0, 0 end
    for at = (c - 1) * #rows // count + 1, c * #rows // count do
      local i = rows[at]
      local a, b = all[i] - mean, all[n + i] - mean
      s.rows, s.sum, s.square = s.rows + 1, s.sum + a + b, s.square + a * a + b * b
      for k = 1, parameters do
        local ab = all[(k + 1) * n + i] - mean
        s.first[k] = s.first[k] + b * (ab - a)
        s.total[k] = s.total[k] + (a - ab) * (a - ab) / 2
      end
    end
    list[c] = s
  end
  return list, #rows, mean
end

-- The indices and the variance, from the blocks with the numbers pick(1), pick(2), ...
local function indices(blocks, parameters, pick)
  local rows, sum, square, first, total = 0, 0, 0, {}, {}
  for k = 1, parameters do first[k], total[k] = 0, 0 end
  for c = 1, #blocks do
    local s = blocks[pick(c)]
    rows, sum, square = rows + s.rows, sum + s.sum, square + s.square
    for k = 1, parameters do first[k], total[k] = first[k] + s.first[k], total[k] + s.total[k] end
  end
  local variance = square / (2 * rows) - (sum / (2 * rows)) ^ 2
  for k = 1, parameters do first[k], total[k] = first[k] / rows / variance, total[k] / rows / variance end
  return first, total, variance
end

-- The interval that contains the middle fraction `confidence` of the values.
local function interval(list, confidence)
  table.sort(list)
  local function at(q) return list[math.max(1, math.min(#list, math.floor(q * (#list - 1) + 1.5)))] end
  return at((1 - confidence) / 2), at((1 + confidence) / 2)
end

-- The check: evaluates some points again, and computes the first-order indices directly from the values by another estimator
-- (Jansen's).
local function wrong_sobol(r)
  local why = ensemble_evaluate.wrong_values(r, r.y)
  if why then return why end
  local y, n = r.y:totable(), r.points
  for k, s in ipairs(r) do
    local sum, rows, mean, square = 0, 0, 0, 0
    for i = 1, n do
      local a, b, ab = y[i], y[n + i], y[(k + 1) * n + i]
      if a - a == 0 and b - b == 0 and ab - ab == 0 then
        sum, rows, mean, square = sum + (b - ab) ^ 2 / 2, rows + 1, mean + a + b, square + a * a + b * b
      end
    end
    local variance = square / (2 * rows) - (mean / (2 * rows)) ^ 2
    local other = 1 - sum / rows / variance
    local within = s.first_high - s.first_low + 4 * math.sqrt(2 / rows) -- Jansen's deviation is sqrt(2/rows) for normal values
    if not (math.abs(other - s.first) <= within) then
      return ("%s: the first-order index is %.4f, but by Jansen's estimator it is %.4f"):format(s.parameter, s.first, other)
    end
    if not (math.abs(variance - r.variance) <= 0.1 * math.abs(variance)) then
      return ("the variance is given as %.6g, but is %.6g"):format(r.variance, variance)
    end
  end
end

local function say(r)
  local out = {("Sobol's indices of %s: mean %.6g, variance %.6g, by %d evaluations"):format(r.of or "a function", r.mean, r.variance,
    r.evaluations)}
  if r.left_out > 0 then out[2] = ("  %d of %d rows are left out: a value is not a number"):format(r.left_out, r.points) end
  out[#out + 1] = ("  %-22s %8s  %-19s %8s"):format("", "first", ("%g %%"):format(100 * r.confidence), "total")
  for _, s in ipairs(r) do
    out[#out + 1] = ("  %-22s %8.4f  %-19s %8.4f  %s"):format(s.parameter, s.first,
      ("%.4f to %.4f"):format(s.first_low, s.first_high), s.total, ("%.4f to %.4f"):format(s.total_low, s.total_high))
  end
  return table.concat(out, "\n")
end

local methods = {}
function methods:plot(...)
  local _, options = plots.asked({}, nil, ...)
  local list = {{}, {}}
  for k, s in ipairs(self) do list[1][k], list[2][k] = s.first, s.total end
  plots.draw({title = "Sobol's indices of the parameters, by their number in the list", xlabel = "parameter", points = true,
    {y = list[1], name = "first order"}, {y = list[2], name = "total"}}, options)
end

local made = algorithm.results {name = "sobol", show = say, methods = methods, check = wrong_sobol}

--- Which part of a result's variance comes from which parameter: Sobol's indices (Sobol' 1993; Saltelli 2002). The
--- first-order index is the part that a parameter causes by itself; the total index includes its interactions with others.
---   r = sobol(m, {of = "x", sample = {a = uniform(1, 2), b = normal(3, 0.1)}, stop = 50})      x at the end
---   r = sobol(function(v, count) ... end, {sample = {a = uniform(0, 1)}})
---   r[1].parameter, .first, .first_low, .first_high, .total, .total_low, .total_high     the parameters by their names
--- A function gets v.a, f64[count], for each name, and returns `count` numbers. points (1024) is the number of rows of each of the
--- two samples: with k parameters there are points*(k + 2) evaluations. The bounds come from a bootstrap of `resamples`
--- (400) draws: 95 % of the results, or the fraction `confidence`, are between them. seed (1) is for all random numbers; start,
--- stop, duration, method, rtol, atol and attempts are for simulate: `help ensembles`. check(r) evaluates some points
--- again, and computes the indices by another estimator.
function sobol(what, options)
  local o = algorithm.options("sobol", options, SPECS)
  ensemble_evaluate.check_evaluation(what, o, wrong)
  local confidence = o.confidence or 0.95
  if not (confidence > 0 and confidence < 1) then wrong("confidence must be above 0 and below 1") end
  local names, distributions = ensemble_evaluate.distributions(what, o.sample, wrong)
  local n, seed = o.points or 1024, o.seed or 1
  local columns, count = design(names, distributions, n, seed)
  local y = ensemble_evaluate.evaluate(what, columns, count, o, wrong)
  local blocks, rows, mean = blocks_of(y, n, #names)
  if rows < 8 then wrong("only %d of %d rows have only finite values", rows, n) end
  local first, total, variance = indices(blocks, #names, function(c) return c end)
  if not (variance > 0) then wrong("the result does not vary: it is %.6g everywhere", mean) end
  local random, draws = ensemble.random(seed), {}
  for k = 1, #names do draws[k] = {{}, {}} end
  for i = 1, o.resamples or 400 do
    local a, b = indices(blocks, #names, function() return 1 + math.floor(random() * #blocks) end)
    for k = 1, #names do draws[k][1][i], draws[k][2][i] = a[k], b[k] end
  end
  local r = {what = what, asked = o, of = o.of, columns = columns, y = y, points = n, evaluations = count, left_out = n - rows,
    mean = mean, variance = variance, confidence = confidence}
  for k, name in ipairs(names) do
    local s = {parameter = name, first = first[k], total = total[k]}
    s.first_low, s.first_high = interval(draws[k][1], confidence)
    s.total_low, s.total_high = interval(draws[k][2], confidence)
    r[k] = s
  end
  return made(r, "saltelli")
end

return sobol
