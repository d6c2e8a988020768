-- Reads the measurements to which a model is fitted: a table of columns, or a CSV file whose first line has the names.

local algorithm = import "base/algorithm"
local ensemble_data = {}

local function stripped(text) return (text:match '^%s*"?(.-)"?%s*$') end

local function cells_of(line)
  local list = {}
  for cell in (line .. ","):gmatch "([^,]*)," do list[#list + 1] = stripped(cell) end
  return list
end

-- Reads a CSV file. Returns the columns by name (lists, with false for an empty cell), the line number of each row, the list of
-- names, and the line number of the names.
local function read(path, raise)
  local file, why = io.open(path)
  if not file then raise("%s", why) end
  local all
  all, why = file:read "a"
  file:close()
  if not all then raise("%s: %s", path, why) end
  local names, columns, lines, number = nil, {}, {}, 0
  local first_line = 1
  for line in all:gmatch "([^\n]*)\n?" do
    number = number + 1
    line = line:gsub("\r$", ""):gsub("^\xef\xbb\xbf", "")
    if line:find "%S" and not line:find "^%s*#" then
      local cells = cells_of(line)
      if not names then
        names, first_line = cells, number
        local other = #names == 1 and names[1]:match "[;\t]"
        if other then
          raise("%s:%d: expected names with commas between them, found '%s'", path, number, other == ";" and ";" or "a tab")
        end
        for k, name in ipairs(names) do
          if name == "" then raise("%s:%d: expected a name for column %d, found nothing", path, number, k) end
          if columns[name] then raise("%s:%d: expected each name once, found '%s' twice", path, number, name) end
          columns[name] = {}
        end
      else
        if #cells ~= #names then
          raise("%s:%d: expected %s, one for each name of line %d, found %d", path, number, algorithm.counted(#names, "value"), first_line, #cells)
        end
        for k, cell in ipairs(cells) do
          local x = cell ~= "" and tonumber(cell)
          if cell ~= "" and not (x and x - x == 0) then raise("%s:%d: expected a number for %s, found '%s'", path, number, names[k], cell) end
          table.insert(columns[names[k]], x and x + 0.0 or false)
        end
        lines[#lines + 1] = number
      end
    end
  end
  if not names then raise("%s:1: expected a line of names, as in time,x,y, found the end of the file", path) end
  if #lines == 0 then raise("%s:%d: expected a line of numbers, found the end of the file", path, number + 1) end
  return columns, lines, names, first_line
end

-- Returns what `read` returns, for a table of columns; the line number of a row is its index.
local function listed(data, raise)
  local columns, lines, names = {}, {}, {}
  for name, list in pairs(data) do
    if type(name) ~= "string" then raise("data must have columns by name, as in {time = {0, 1}, x = {3, 2}}") end
    if algorithm.is("lockstep.buffer", list) then list = list:totable() end
    if type(list) ~= "table" then raise("data: %s must be a list of numbers, got %s", name, algorithm.described(list)) end
    columns[name], names[#names + 1] = list, name
  end
  table.sort(names)
  local count = columns.time and #columns.time or 0
  for _, name in ipairs(names) do
    if #columns[name] ~= count then raise("data: expected %d values of %s, one for each time, found %d", count, name, #columns[name]) end
    for k, x in ipairs(columns[name]) do
      if x ~= false and not (type(x) == "number" and x - x == 0) then
        raise("data: expected a number for value %d of %s, found %s", k, name, algorithm.described(x))
      end
    end
  end
  for k = 1, count do lines[k] = k end
  return columns, lines, names
end

-- ensemble_data.data(m, data, raise): measurements of variables of the model m. data is the path of a CSV file, or a table of columns by
-- name; raise(text, ...) raises an error. The column `time` must not descend; the other columns are variables, and x_sd is the
-- standard deviation of the measurements of x. Returns the list of distinct ascending times; the list {{name =, number = of the
-- variable, values = {{row, x, sd}, ...}}, ...}, where row is the index of the time; and the number of values.
function ensemble_data.data(m, data, raise)
  local file = type(data) == "string"
  local columns, lines, names, first_line
  if file then columns, lines, names, first_line = read(data, raise) else columns, lines, names = listed(data, raise) end
  local function at(line) return file and ("%s:%d"):format(data, line or 1) or line and "data, row " .. line or "data" end
  if not columns.time then
    local near = algorithm.nearest("time", names)
    raise("%s: expected a column 'time', found %s%s", at(first_line), #names > 0 and table.concat(names, ", ") or "none",
      near and (" (is %s the time? its name is to be 'time')"):format(near) or "")
  end
  local times, row = {}, {}
  for k, t in ipairs(columns.time) do
    if not t then raise("%s: expected a time, found nothing", at(lines[k])) end
    if #times > 0 and t < times[#times] then
      raise("%s: expected times that do not descend, found %.10g after %.10g", at(lines[k]), t, times[#times])
    end
    if t ~= times[#times] then times[#times + 1] = t end
    row[k] = #times
  end
  local list, count = {}, 0
  for _, name in ipairs(names) do
    local own = name:match "^(.*)_sd$"
    if own and not columns[own] then raise("%s: expected a column %s to go with %s, found none", at(first_line), own, name) end
    if name ~= "time" and not own then
      local good, _, number = pcall(m.find, m, name)
      if not good then raise("%s: expected the name of a variable of the model, found '%s'", at(first_line), name) end
      local c, deviations = {name = name, number = number, values = {}}, columns[name .. "_sd"]
      for k, x in ipairs(columns[name]) do
        if x then
          local sd = deviations and deviations[k]
          if deviations and not (sd and sd > 0) then
            raise("%s: expected a positive number for %s_sd, found %s", at(lines[k]), name, sd and ("%.10g"):format(sd) or "nothing")
          end
          c.values[#c.values + 1] = {row[k], x, sd}
        end
      end
      c.deviations = deviations and true
      count = count + #c.values
      if #c.values > 0 then list[#list + 1] = c end
    end
  end
  if count == 0 then raise("%s: expected values of a variable besides the times, found none", at(first_line)) end
  return times, list, count
end

return ensemble_data
