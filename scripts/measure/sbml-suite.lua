-- The time courses of the SBML Test Suite (github.com/sbmlteam/sbml-test-suite), each with the method that simulate chooses.
--   lockstep scripts/measure/sbml-suite.lua .../cases/semantic [first case [last case]]
-- For each case the file of the newest level and version is simulated with the case's settings and compared with its results by the
-- suite's rule: |x - expected| <= absolute + relative*|expected|. Prints a line for each case that is wrong, that is rejected (with the
-- reader's message), or whose simulation fails; then the totals, and the reasons why files were rejected.
local folder, first, last = arg[1], tonumber(arg[2] or 1), tonumber(arg[3] or 99999)
if not folder then error("give the folder of the cases: lockstep scripts/measure/sbml-suite.lua .../cases/semantic", 0) end
local LEVELS = {"l3v2", "l3v1", "l2v5", "l2v4", "l2v3", "l2v2", "l2v1", "l1v2"}

local function contents(path)
  local f = io.open(path)
  local text = f and f:read "a"
  if f then f:close() end
  return text
end

local function words(text)
  local list = {}
  for word in (text or ""):gmatch "[^%s,]+" do list[#list + 1] = word end
  return list
end

local function number(text)
  local x = text:lower()
  if x == "inf" or x == "+inf" or x == "infinity" then return math.huge end
  if x == "-inf" or x == "-infinity" then return -math.huge end
  return x:match "nan" and 0/0 or tonumber(x)
end

local function settings(text)
  local s = {}
  for line in text:gmatch "[^\r\n]+" do
    local key, value = line:match "^%s*(%w+):%s*(.-)%s*$"
    if key then s[key] = value end
  end
  return s
end

-- Parses results: the names of the columns, and the rows, with time first.
local function results(text)
  local rows, names = {}, nil
  for line in text:gmatch "[^\r\n]+" do
    local row = {}
    for cell in line:gmatch "[^,]+" do row[#row + 1] = names and number(cell:match "^%s*(.-)%s*$") or cell:match "^%s*(.-)%s*$" end
    if names then rows[#rows + 1] = row else names = row end
  end
  return names, rows
end

local function fits(x, want, s)
  if want ~= want then return x ~= x end
  return x == want or math.abs(x - want) <= tonumber(s.absolute) + tonumber(s.relative)*math.abs(want)
end

-- The first difference, or nil.
local function difference(r, names, rows, s)
  if #r.t ~= #rows then return ("%d rows, expected %d"):format(#r.t, #rows) end
  for i, row in ipairs(rows) do
    for k = 2, #names do
      local x = r[names[k]][i - 1]
      if not fits(x, row[k], s) then return ("%s at %g is %.9g, expected %.9g"):format(names[k], row[1], x, row[k]) end
    end
  end
end

local counts, causes = {passed = 0, wrong = 0, refused = 0, failed = 0, other = 0}, {}

local function tell(kind, case, text)
  counts[kind] = counts[kind] + 1
  if text then print(("%05d %s: %s"):format(case, kind, text)) end
end

-- A message without its position and file-specific parts, by which rejections are counted.
local function cause(text)
  return (text:gsub("^%S+: ", ""):gsub("reaction %S+", "reaction ..."):gsub("%d+", "N"))
end

local function plain(message, at) -- the message's first line without the folder
  local text = tostring(message):gsub("\n.*", "")
  local from, to = text:find(at, 1, true)
  return from and text:sub(1, from - 1) .. text:sub(to + 1) or text
end

local function run(case)
  local at = ("%s/%05d/"):format(folder, case)
  local base = at .. ("%05d-"):format(case)
  local given = contents(base .. "settings.txt")
  if not given then return end
  local s = settings(given)
  if not s.duration or s.duration == "" then return tell("other", case) end -- a flux balance case has no time course
  for _, level in ipairs(LEVELS) do
    if contents(base .. "sbml-" .. level .. ".xml") then
      local good, m = pcall(model.load, base .. "sbml-" .. level .. ".xml")
      if not good then
        local why = plain(m, at)
        causes[cause(why)] = (causes[cause(why)] or 0) + 1
        return tell("refused", case, why)
      end
      local ran, r = pcall(simulate, m, {start = tonumber(s.start), duration = tonumber(s.duration), steps = math.tointeger(tonumber(s.steps)),
        variables = words(s.variables), amount = words(s.amount), concentration = words(s.concentration)})
      if not ran then
        m:close()
        return tell("failed", case, plain(r, at))
      end
      local names, rows = results(contents(base .. "results.csv"))
      local wrong = difference(r, names, rows, s)
      m:close()
      return tell(wrong and "wrong" or "passed", case, wrong)
    end
  end
  tell("refused", case, "there is no file of a known level and version")
end

for case = first, last do run(case) end
print(("%d passed, %d wrong, %d refused, %d failed; %d are no time courses"):format(counts.passed, counts.wrong, counts.refused,
  counts.failed, counts.other))
local list = {}
for why, n in pairs(causes) do list[#list + 1] = {n, why} end
table.sort(list, function(a, b) return a[1] > b[1] or a[1] == b[1] and a[2] < b[2] end)
for _, l in ipairs(list) do print(("refused %4d: %s"):format(l[1], l[2])) end
