-- The result of simulate with many instances: their values, or only statistics of them; how it prints, and its methods.

local algorithm = import "base/algorithm"
local plots = import "base/plots"
local ensemble_result = {}

local result, methods = {}, {}
local columns_of = setmetatable({}, {__mode = "k"})

-- The number (from 1) of the recorded column `name`; an error if it was not recorded.
local function column_number(r, name)
  for k, known in ipairs(rawget(r, "names")) do
    if known == name then return k end
  end
  local good, found = pcall(r.model.find, r.model, name)
  if good then
    for k, known in ipairs(rawget(r, "names")) do
      if r.model:find(known) == found then return k end
    end
    error(("%s was not recorded; simulate with variables = {\"%s\"}"):format(found, name), 3)
  end
  error((found:gsub("^.-: ", "")), 3)
end

result.__name = "ensemble"
result.__methods = methods
algorithm.kinds.ensemble = methods
result.__index = function(r, key)
  if methods[key] then return methods[key] end
  if type(key) ~= "string" or not rawget(r, "names") then return nil end
  local k = column_number(r, key)
  if r.statistics then
    error(("%s: the values of the instances were not kept (keep = false); there are r:mean, r:deviation, r:quantile and r:histogram")
      :format(key), 2)
  end
  local kept = columns_of[r] or {}
  columns_of[r] = kept
  if not kept[k] then
    kept[k] = r.record:slice((k - 1) * r.rows, k * r.rows, 0, r.instances)
  end
  return kept[k]
end

-- A copy of the values of column k, for all instances, at a row (from 0).
local function at_row(r, k, row)
  local at = (k - 1) * r.rows + row
  return r.record:slice(at, at + 1, 0, r.instances)
end

-- --- statistics ---

local function total(x, mean, power, numbers)
  local part <close> = buffer.new("f64", #x)
  local from <close> = buffer.new("f64", {mean})
  instance_deviations(x, part, from, power)
  local sum <close> = algorithm.reduced(part, 0)
  return sum[0] / numbers
end

local function moments_of(x, numbers)
  if numbers == 0 then return 0 / 0, 0 / 0 end
  local mean = total(x, 0, 1, numbers)
  return mean, math.sqrt(total(x, mean, 2, numbers))
end

local function moments(x)
  local key <close> = buffer.new("u64", #x)
  return moments_of(x, (instance_keys(x, key)))
end

-- ensemble_result.moments(x): the mean and the standard deviation of the elements of a buffer, without NaN; NaN, NaN if all are NaN.
ensemble_result.moments = moments

-- The list of the quantiles of the values, interpolated between neighbours; and the number of values that are not NaN.
local function quantiles_of(x, list)
  local key <close> = buffer.new("u64", #x)
  local sorted <close> = buffer.new("u64", #x)
  local ascending <close> = buffer.new("f64", #x)
  local numbers, out = instance_keys(x, key), {}
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
  return out, numbers
end

local Statistics = {}
Statistics.__index = Statistics

-- ensemble_result.statistics(columns, keep): an object that accumulates the statistics of `columns` variables, for runs that do not keep the
-- values of instances: at every row the mean, deviation, least, greatest, keep.quantiles, and a histogram of keep.bins bins.
-- :add(record) adds the next row: f64, columns x instances.
function ensemble_result.statistics(columns, keep)
  local s = setmetatable({columns = {}, quantiles = keep.quantiles, bins = keep.bins}, Statistics)
  for k = 1, columns do
    s.columns[k] = {mean = {}, deviation = {}, least = {}, greatest = {}, histograms = {}}
    for i in ipairs(s.quantiles) do s.columns[k][i] = {} end
  end
  return s
end

function Statistics:add(record)
  local asked = table.move(self.quantiles, 1, #self.quantiles, 3, {0, 1})
  for k, c in ipairs(self.columns) do
    local x <close> = record:slice(k - 1, k, 0, record.cols)
    local list, numbers = quantiles_of(x, asked)
    local row = #c.mean + 1
    c.mean[row], c.deviation[row] = moments_of(x, numbers)
    c.least[row], c.greatest[row] = list[1], list[2]
    for i in ipairs(self.quantiles) do c[i][row] = list[i + 2] end
    c.histograms[row] = x:hist(self.bins)
  end
end

local FIGURES = {"mean", "deviation", "least", "greatest"}
local Histogram = debug.getregistry()["lockstep.histogram"]

--- statistics:size(): the number of numbers per row in put and take.
function Statistics:size() return #self.columns * (#FIGURES + #self.quantiles + 5 + self.bins) end

--- statistics:put(row, to): stores the row's statistics in the buffer `to`, after those of earlier rows.
function Statistics:put(row, to)
  local at = row * self:size()
  local function put(x)
    to[at] = x + 0.0
    at = at + 1
  end
  for _, c in ipairs(self.columns) do
    for _, name in ipairs(FIGURES) do put(c[name][row + 1]) end
    for i in ipairs(self.quantiles) do put(c[i][row + 1]) end
    local h = c.histograms[row + 1]
    for _, x in ipairs {#h.count, h.lo or 0, h.hi or 0, h.width or 0, h.unknown} do put(x) end
    for k = 1, self.bins do put(h.count[k] or 0) end
  end
end

--- statistics:take(rows, from): restores the first `rows` rows from a buffer that put has filled.
function Statistics:take(rows, from)
  local at = 0
  local function take()
    at = at + 1
    return from[at - 1]
  end
  for row = 1, rows do
    for _, c in ipairs(self.columns) do
      for _, name in ipairs(FIGURES) do c[name][row] = take() end
      for i in ipairs(self.quantiles) do c[i][row] = take() end
      local bins, lo, hi, width, unknown = take(), take(), take(), take(), take()
      local h = {unknown = math.tointeger(unknown), count = {}}
      if bins > 0 then h.lo, h.hi, h.width = lo, hi, width end
      for k = 1, self.bins do
        local count = take()
        if k <= bins then h.count[k] = math.tointeger(count) end
      end
      c.histograms[row] = setmetatable(h, Histogram)
    end
  end
end

-- An f64 buffer with one statistic per row: the accumulated one called `what`, or f(values) if values were kept.
local function by_rows(r, name, what, f)
  local k, list = column_number(r, name), {}
  if r.statistics then return buffer.new("f64", r.statistics.columns[k][what]) end
  for row = 0, r.rows - 1 do
    local x <close> = at_row(r, k, row)
    list[row + 1] = f(x)
  end
  return buffer.new("f64", list)
end

function methods:mean(name) return by_rows(self, name, "mean", function(x) return (moments(x)) end) end
function methods:deviation(name) return by_rows(self, name, "deviation", function(x) return (select(2, moments(x))) end) end

local function kept_quantiles(r, k, list)
  local out = {}
  for i, q in ipairs(list) do
    for n, known in ipairs(r.statistics.quantiles) do
      if known == q then out[i] = buffer.new("f64", r.statistics.columns[k][n]) end
    end
    if not out[i] then
      error(("r:quantile: the quantile %g was not kept; to keep it: simulate(m, {keep = false, quantiles = {%s}})"):format(q, table.concat(list, ", ")), 3)
    end
  end
  return table.unpack(out)
end

function methods:quantile(name, ...)
  local list = {...}
  for _, q in ipairs(list) do
    if type(q) ~= "number" or not (q >= 0 and q <= 1) then error("r:quantile(name, q): q must be a number from 0 to 1", 2) end
  end
  if #list == 0 then error("r:quantile(name, q, ...): a number from 0 to 1 expected", 2) end
  local k, out = column_number(self, name), {}
  if self.statistics then return kept_quantiles(self, k, list) end
  for i in ipairs(list) do out[i] = {} end
  for row = 0, self.rows - 1 do
    local x <close> = at_row(self, k, row)
    for i, y in ipairs((quantiles_of(x, list))) do out[i][row + 1] = y end
  end
  for i, values in ipairs(out) do out[i] = buffer.new("f64", values) end
  return table.unpack(out)
end

function methods:histogram(name, bins, row)
  row = row or self.rows - 1
  if math.type(row) ~= "integer" or row < 0 or row >= self.rows then
    error(("r:histogram(name, bins, row): there are rows 0 to %d"):format(self.rows - 1), 2)
  end
  local k, s = column_number(self, name), self.statistics
  if s then
    if bins and bins ~= s.bins then
      error(("r:histogram: a histogram of %d bins was kept; for another, simulate(m, {keep = false, bins = %s})"):format(s.bins, tostring(bins)), 2)
    end
    return s.columns[k].histograms[row + 1]
  end
  local x <close> = at_row(self, k, row)
  return x:hist(bins)
end

-- ensemble_result.instance_of(r, i): the values that were given to instance i of a result: a table by name.
function ensemble_result.instance_of(self, i)
  if math.type(i) ~= "integer" or i < 0 or i >= self.instances then
    error(("r:instance(i): there are instances 0 to %d"):format(self.instances - 1), 2)
  end
  local out, text = {}, {}
  for name, b in pairs(self.parameters) do
    out[name] = b[i]
    text[#text + 1] = ("%s = %s"):format(name, b[i] == b[i] and ("%.10g"):format(b[i]) or "nan")
  end
  table.sort(text)
  return setmetatable(out, {__name = "instance", __tostring = function() return table.concat(text, ", ") end})
end

methods.instance = ensemble_result.instance_of

-- Raises an error for the method `what` if the rows were streamed to a file.
local function not_streamed(r, what)
  if r.streamed then error(("r:%s: the rows are in the file %s; the result has only the last one"):format(what, r.streamed), 3) end
end

function methods:plot(...)
  not_streamed(self, "plot")
  local list, options = plots.asked(self.names, function(name) return (pcall(column_number, self, name)) end, ...)
  if #list > 1 then error("r:plot: one variable at a time, since each has three lines or more", 2) end
  local name = list[1] or self.names[1]
  local p = {title = ("%s of %d instances"):format(name, self.instances), xlabel = "time", ylabel = name}
  if self.statistics then
    local kept = table.move(self.statistics.quantiles, 1, #self.statistics.quantiles, 1, {})
    table.sort(kept, function(a, b) return a > b end)
    for i, q in ipairs(kept) do p[i] = {y = self:quantile(name, q), x = self.t, name = ("%g %%"):format(100 * q)} end
    p[#p + 1] = {y = self:mean(name), x = self.t, name = "mean"}
    return plots.draw(p, options)
  end
  local low, middle, high = self:quantile(name, 0.05, 0.5, 0.95)
  p[1], p[2] = {y = high, x = self.t, name = "95 %"}, {y = middle, x = self.t, name = "median"}
  p[3] = {y = low, x = self.t, name = "5 %"}
  plots.draw(p, options)
end

-- Calls add(title, buffer) for each column of a variable in a saved file: one per instance, or one per statistic if only statistics were kept.
local function columns_of(r, name, add)
  local k = column_number(r, name)
  if r.statistics then
    local c = r.statistics.columns[k]
    for _, what in ipairs {"mean", "deviation", "least", "greatest"} do add(name .. "_" .. what, buffer.new("f64", c[what])) end
    for i, q in ipairs(r.statistics.quantiles) do add(("%s_%g"):format(name, q), buffer.new("f64", c[i])) end
    return
  end
  local x = r[name]
  for i = 0, r.instances - 1 do
    local list = {}
    for row = 0, r.rows - 1 do list[row + 1] = x:get(row, i) end
    add(("%s_%d"):format(r.names[k], i), buffer.new("f64", list))
  end
end

function methods:save(path, ...)
  not_streamed(self, "save")
  local names = {...}
  if #names == 0 then names = self.names end
  local titles, buffers = {"time"}, {self.t}
  for _, name in ipairs(names) do
    columns_of(self, name, function(title, b) titles[#titles + 1], buffers[#buffers + 1] = title, b end)
  end
  model.write_table(path, titles, buffers)
end

-- Writes one line per instance.
function methods:save_parameters(path)
  local given, titles, buffers = {}, {"instance"}, {}
  for name in pairs(self.parameters) do given[#given + 1] = name end
  table.sort(given)
  local numbers = {}
  for i = 0, self.instances - 1 do numbers[i + 1] = i end
  buffers[1] = buffer.new("f64", numbers)
  for i, name in ipairs(given) do titles[i + 1], buffers[i + 1] = name, self.parameters[name] end
  model.write_table(path, titles, buffers)
end

local function at_the_end(r, k)
  if r.statistics then
    local c = r.statistics.columns[k]
    return c.mean[r.rows], c.deviation[r.rows], c.least[r.rows], c.greatest[r.rows]
  end
  local x <close> = at_row(r, k, r.rows - 1)
  local mean, deviation = moments(x)
  return mean, deviation, x:min() or 0 / 0, x:max() or 0 / 0
end

-- A statistic of no numbers, as when all instances have failed, is NaN and prints as "none".
local function figure(x) return x == x and ("%.6g"):format(x) or "none" end

local function say(r)
  local out = {("%s of %s, time %g to %g, %s, by %s%s"):format(algorithm.counted(r.instances, "instance"), r.model.title or "a model", r.start,
    r.t[r.rows - 1], algorithm.counted(r.written, "row"), r.method .. (r.group > 1 and (", %d threads for each instance"):format(r.group) or ""),
    r.stiff > 0 and (" (%d proved stiff)"):format(r.stiff) or "")}
  out[#out + 1] = ("  %d steps accepted, %d rejected%s; tolerance %g relative, %s%g absolute"):format(r.accepted, r.rejected,
    r.events > 0 and ", " .. algorithm.counted(r.events, "event") or "", r.rtol, not r.given_atol and r.least_atol < r.atol and ("%g to "):format(r.least_atol) or "", r.given_atol or r.atol)
  if r.streamed then out[#out + 1] = ("  written to %s; this is the last row"):format(r.streamed) end
  if r.statistics then
    out[#out + 1] = ("  kept at each row: mean, deviation, least, greatest, quantiles %s, a histogram of %s; not the values"):format(
      table.concat(r.statistics.quantiles, " "), algorithm.counted(r.statistics.bins, "bin"))
  end
  if #r.failed > 0 then
    local f = r.failed[1]
    out[#out + 1] = ("  %s FAILED, the first at time %g: instance %d%s: %s"):format(algorithm.counted(#r.failed, "instance"), f.time, f.instance,
      next(r.parameters) and (" (%s)"):format(r:instance(f.instance)) or "", f.why)
  end
  out[#out + 1] = ("  %-25s %12s %12s %12s %12s"):format("at the end", "mean", "deviation", "least", "greatest")
  for k, name in ipairs(r.names) do
    if k > 12 then
      out[#out + 1] = ("  and %d more"):format(#r.names - 12)
      break
    end
    local mean, deviation, least, greatest = at_the_end(r, k)
    out[#out + 1] = ("  %-25s %12s %12s %12s %12s"):format(#name <= 25 and name or ".." .. name:sub(-23), figure(mean),
      figure(deviation), figure(least), figure(greatest))
  end
  return table.concat(out, "\n")
end
result.__tostring = say
function methods:show() session.say(say(self)) end

-- ensemble_result.result(r): turns the table r, the fields of a run, into the result of simulate.
function ensemble_result.result(r) return setmetatable(r, result) end

return ensemble_result
