-- check(r) for an ensemble: simulates some instances again, one by one, by the reference engine. If r has only statistics
-- (keep = false), check also computes the statistics of the last row again.

local algorithm = import "base/algorithm"
import "ensemble/ensemble_result"
local simulate = import "ensemble/simulate"

local SOME = 5 -- number of instances that are simulated again
local MANY = 200000 -- instances above which statistics are not computed again, because the sort in Lua takes too long
local ALLOWED = 100 -- largest difference allowed, as a multiple of the tolerance, because the errors of steps add up

-- The numbers of SOME instances, evenly spaced from the first to the last, without those that failed.
local function chosen(r)
  local failed, list, seen = {}, {}, {}
  for _, f in ipairs(r.failed) do failed[f.instance] = true end
  for k = 0, SOME - 1 do
    local i = k * (r.instances - 1) // (SOME - 1)
    if not failed[i] and not seen[i] then list[#list + 1], seen[i] = i, true end
  end
  return list
end

local function given(r, i)
  local each = {}
  for name, b in pairs(r.parameters) do each[name] = {b[i]} end
  return each
end

-- The columns [k][row] of an instance, simulated by the reference engine. The model's parameters are set during the run and then
-- restored. nil if the initial value of a state differs between instances, because setting it in the model could not be undone.
local function by_reference(r, i)
  local m, columns, before = r.model, {}, {}
  local first <close> = m:first(r.start)
  for name in pairs(r.parameters) do
    local _, number = m:find(name)
    if m:variable(number).role ~= "parameter" then return nil end
    before[name] = first[number - 1]
  end
  for k, name in ipairs(r.names) do
    local _, number = m:find(name)
    columns[k] = {number, m:variable(number).quantity}
  end
  for name in pairs(before) do m:set(name, r.parameters[name][i]) end
  local out, good, why = {}, true, nil
  for row = r.t[0] == r.start and 1 or 0, r.rows - 1 do -- one run per row, because the times of rows may be arbitrary
    good, why = pcall(reference.simulate, m, {start = r.start, stop = r.t[row], intervals = 1, columns = columns,
      method = reference.has_cvode and "cvode" or "dopri5", rtol = math.max(1e-12, 1e-3 * r.rtol), atol = 1e-3 * (r.given_atol or r.least_atol)})
    if not good then break end
    for k in ipairs(r.names) do
      out[k] = out[k] or {[0] = why.columns[k][0]} -- the start, if that is a row
      out[k][row] = why.columns[k][1]
    end
  end
  for name, x in pairs(before) do m:set(name, x) end
  if not good then error(why, 0) end
  return out
end

-- The same columns, by an ensemble of one instance: with another method if possible, and tolerances a hundred times smaller.
local function by_itself(r, i)
  local other = r.method == "rodas4" and "auto" or r.method == "dopri5" and "rodas4" or r.method
  local s = simulate(r.model, {instances = 1, each = given(r, i), start = r.start, times = r.t:totable(), variables = r.names,
    method = other, rtol = math.max(1e-12, 1e-2 * r.rtol), atol = 1e-2 * (r.given_atol or r.least_atol)})
  local out = {}
  for k in ipairs(r.names) do
    out[k] = {}
    local before = s.rows - r.rows -- 1 if s has a row for the start and r has not, else 0
    for row = 0, r.rows - 1 do out[k][row] = s.record:get((k - 1) * s.rows + row + before, 0) end
  end
  return out
end

-- What is wrong with instance i, or nil; want: its correct columns.
local function wrong_instance(r, i, want)
  for k, name in ipairs(r.names) do
    local size = 0
    for row = 0, r.rows - 1 do size = math.max(size, math.abs(want[k][row])) end
    local within = ALLOWED * (r.rtol * size + r.atol)
    for row = 0, r.rows - 1 do
      local x = want[k][row]
      if r.statistics then
        local c = r.statistics.columns[k]
        if not (x >= c.least[row + 1] - within and x <= c.greatest[row + 1] + within) then
          return ("instance %d, time %g: %s is %.10g, but the least and the greatest are given as %.10g and %.10g"):format(i, r.t[row],
            name, x, c.least[row + 1], c.greatest[row + 1])
        end
      else
        local got = r.record:get((k - 1) * r.rows + row, i)
        if not (math.abs(got - x) <= within) then
          return ("instance %d, time %g: %s is %.10g, but simulated by itself it is %.10g; a difference of %.2g is allowed"):format(i, r.t[row], name, got, x,
            within)
        end
      end
    end
  end
end

-- What is wrong with the statistics of the last row, or nil: they are computed again, from values that are sorted and summed here.
local function wrong_statistics(r)
  local last = r.rows
  local s = simulate(r.model, {instances = r.instances, each = r.parameters, start = r.start, times = {r.t[last - 1]}, variables = r.names,
    method = r.method, rtol = r.rtol, atol = r.atol})
  for k, name in ipairs(r.names) do
    local x, list, sum, square = s.record:slice(2 * k - 1, 2 * k, 0, r.instances):totable(), {}, 0, 0
    for _, value in ipairs(x) do if value == value then list[#list + 1], sum = value, sum + value end end
    table.sort(list)
    local mean, c = sum / #list, r.statistics.columns[k]
    for _, value in ipairs(list) do square = square + (value - mean) ^ 2 end
    local within = ALLOWED * (r.rtol * math.max(math.abs(list[1]), math.abs(list[#list])) + r.atol)
    local function differs(what, got, want)
      if math.abs(got - want) <= within then return nil end
      return ("the %s of %s at the end is %.10g, but computed again it is %.10g"):format(what, name, got, want)
    end
    local why = differs("mean", c.mean[last], mean) or differs("deviation", c.deviation[last], math.sqrt(square / #list)) or
      differs("least", c.least[last], list[1]) or differs("greatest", c.greatest[last], list[#list])
    for i, q in ipairs(r.statistics.quantiles) do
      local at = 1 + q * (#list - 1)
      local low = math.floor(at)
      local want = list[low] + (at - low) * ((list[low + 1] or list[low]) - list[low])
      why = why or differs(("quantile %g"):format(q), c[i][last], want)
    end
    if why then return why end
  end
end

algorithm.results {name = "ensemble", show = tostring, methods = algorithm.kinds.ensemble, check = function(r)
  for _, i in ipairs(chosen(r)) do
    local why = wrong_instance(r, i, by_reference(r, i) or by_itself(r, i))
    if why then return why end
  end
  if r.statistics and r.instances - #r.failed > 0 and r.instances <= MANY then return wrong_statistics(r) end
end}
