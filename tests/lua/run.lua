-- Runs spec files: lockstep tests/lua/run.lua [FILE_spec.lua ...]. Without names, all spec files of its folders.
-- Prints one line per file; a failure prints what was expected and where. Exit code 1 if any failed.
-- TEST_SMALL=1: small sizes, for sanitizers; 2: least sizes, for checked variants on a GPU: there each step of a loop is a launch.
-- TEST_PART=0 to 9: runs that tenth of the long tests and of the items of each sweep; unset: all.
-- TEST_ONLY=WORDS: only the tests whose file, groups and name, joined by " / ", contain the words, in lower or upper case.
-- TEST_SLOW=0.5: names the tests that take longer than 0.5 seconds.
local passed, failed, path = 0, 0, {}
local slow = tonumber(os.getenv "TEST_SLOW")
local tenth = tonumber(os.getenv "TEST_PART")
local only = os.getenv "TEST_ONLY"
local tests, longs, items, whole = 0, 0, 0, false -- number of tests and of long tests in the current file; number of items of the current test
if slow then io.stdout:setvbuf "line" end -- so that the output shows in which file a test hangs

--- The size for a test: `full`; `small` if TEST_SMALL is set; `least`, if given, if TEST_SMALL is 2.
function sized(full, small, least)
  local wanted = os.getenv "TEST_SMALL"
  return wanted == "2" and least or wanted and small or full
end

--- Whether the next item of a sweep is tried in the current part: each call within a test moves to the next item, and the ten
--- parts together try each item once. Always true within a long test.
function due()
  items = items + 1
  return whole or not tenth or (tests + items) % 10 == tenth
end

--- The devices that a spec loops over: the current one if it is a GPU, else the CPU with all threads, then with one thread.
processors = device().processor == "cuda" and {device().name} or {"cpu", "cpu:1"}

local function show(x)
  if type(x) == "string" then return ("%q"):format(x) end
  if type(x) ~= "table" then return tostring(x) end
  local parts = {}
  for k, v in pairs(x) do parts[#parts + 1] = ("%s = %s"):format(tostring(k), show(v)) end
  table.sort(parts)
  return "{" .. table.concat(parts, ", ") .. "}"
end

local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then
    return a == b and math.type(a) == math.type(b) or (a ~= a and b ~= b)
  end
  for k, v in pairs(a) do if not same(v, b[k]) then return false end end
  for k in pairs(b) do if a[k] == nil then return false end end
  return true
end

--- Fails unless got and want are equal: tables by contents; an integer never equals a float.
function equal(got, want)
  if not same(got, want) then error(("got %s, expected %s"):format(show(got), show(want)), 2) end
end

--- Fails unless f(...) raises a message that contains text.
function raises(text, f, ...)
  local ok, message = pcall(f, ...)
  if ok then error(("no error, expected %q"):format(text), 2) end
  if not tostring(message):find(text, 1, true) then
    error(("the error is %q, expected %q"):format(tostring(message), text), 2)
  end
end

--- An unused path in the folder for temporary files.
function temporary(extension)
  local name = os.tmpname()
  os.remove(name)
  return name .. extension
end

--- Calls f(path) with a temporary file of that text.
function with_file(extension, text, f)
  local path = temporary(extension)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  local ok, why = pcall(f, path)
  os.remove(path)
  if not ok then error(why, 0) end
end

--- The items of a queue, in ascending order: queues are sets.
function queue(b)
  local t = {}
  for i = 1, b[0] do t[i] = b[i] end
  table.sort(t)
  return t
end

--- Groups tests under a name.
function describe(name, body)
  path[#path + 1] = name
  body()
  path[#path] = nil
end

--- One test.
function it(name, body)
  tests, items = tests + 1, 0
  local full = table.concat(path, " / ") .. " / " .. name
  if only and not full:lower():find(only:lower(), 1, true) then return end
  local began = trace.clock()
  local ok, message = pcall(body)
  local took = trace.clock() - began
  if slow and took > slow then print(("%7.2f s  %s"):format(took, full)) end
  if ok then passed = passed + 1 return end
  failed = failed + 1
  io.write(("FAILED %s\n  %s\n"):format(full, (tostring(message):gsub("\n", "\n  "))))
end

--- A test that takes several seconds or more: with TEST_PART, it runs in only one of the ten parts.
function long(name, body)
  longs = longs + 1
  if tenth and longs % 10 ~= tenth then tests = tests + 1 return end
  whole = true
  it(name, body)
  whole = false
end

local files = {table.unpack(arg)}
if #files == 0 then
  local folder = arg[0]:match("^(.*)/") or "."
  for file in io.popen(("ls '%s'/*/*_spec.lua"):format(folder)):lines() do files[#files + 1] = file end
end
for _, file in ipairs(files) do
  local before_passed, before_failed = passed, failed
  tests, longs = 0, #file:match("[^/]*$") -- a start per file, so that the first long tests of the files run in different parts
  describe(file:match("[^/]*$"), function()
    local chunk, message = loadfile(file)
    if chunk then
      local ok, e = xpcall(chunk, debug.traceback)
      if not ok then it("runs", function() error(e, 0) end) end
    else
      it("loads", function() error(message, 0) end)
    end
  end)
  io.write(("%-24s %4d passed"):format(file:match("[^/]*$"), passed - before_passed),
    failed > before_failed and (", %d FAILED"):format(failed - before_failed) or "", "\n")
end
io.write(("%d passed, %d failed\n"):format(passed, failed))
if failed > 0 or (passed == 0 and not (tenth or only)) then os.exit(1, true) end
