-- traces.lua: the trace of all ranks in one file is valid JSON with one process per rank, and no rank leaves an exchange before all
-- have entered it. Also tests the ranks' clocks. Run by ranks/run with 1 to 4 ranks, in an empty folder.
local path = "all.json"

-- Parses the JSON value at index i; returns it and the index after it.
local function read(s, i)
  i = s:find("%S", i)
  local c = s:sub(i, i)
  if c == "{" or c == "[" then
    local out, close, n = {}, c == "{" and "}" or "]", 0
    i = s:find("%S", i + 1)
    while s:sub(i, i) ~= close do
      local key, value
      if c == "{" then
        key, i = read(s, i)
        i = assert(s:match("^%s*:()", i), "a colon expected")
      else
        n = n + 1
        key = n
      end
      value, i = read(s, i)
      out[key] = value
      local comma, behind = s:match("^%s*([,%]}])%s*()", i)
      assert(comma == "," or comma == close, "a comma expected")
      i = comma == "," and behind or s:find(close, i, true)
      assert(comma ~= "," or s:sub(i, i) ~= close, "a value expected")
    end
    return out, i + 1
  end
  local text, past = s:match('^("[^"\\]*")()', i)
  if text then return text:sub(2, -2), past end
  text, past = s:match("^([-+.%w]+)()", i)
  local value = tonumber(text)
  if text == "true" or text == "false" then value = text == "true" end
  assert(value ~= nil, "a value expected: " .. s:sub(i, i + 20))
  return value, past
end

local g = gen.rmat {scale = 9, seed = 1, weights = "i32"}
local p = g:partition()
sssp(p, 0)
if ranks.rank == ranks.count - 1 then -- the others wait for this rank
  local from = trace.clock()
  while trace.clock() - from < 0.2 do end
end
local x = buffer.new("u32", 1)
all_reduce(x, 0)
trace.save(path, {ranks = true})
local exchanges = 0
if ranks.rank == 0 then
  local file <close> = assert(io.open(path))
  local text = file:read "a"
  local all, past = read(text, 1)
  assert(not text:find("%S", past) and all.otherData.ranks == ranks.count)
  local names, met, waits = {}, {}, {}
  for _, e in ipairs(all.traceEvents) do
    assert(e.pid >= 1 and e.pid <= ranks.count)
    if e.name == "process_name" then names[e.pid] = e.args.name end
    if e.ts then assert(e.ts >= 0) end
    if e.ph == "X" and (e.name:find "^all_" or e.name:find "^reduce_s") then
      local list = met[e.pid] or {}
      met[e.pid] = list
      list[#list + 1] = e
    elseif e.name == "waits" then
      waits[e.pid] = e
    end
  end
  for r = 1, ranks.count do assert(names[r] == ("rank %d of %d"):format(r - 1, ranks.count)) end
  exchanges = #met[1]
  assert(exchanges > 3)
  for k = 1, exchanges do
    local came, left = 0, math.huge
    for r = 1, ranks.count do
      local e = met[r][k]
      assert(e and e.name == met[1][k].name and #met[r] == exchanges)
      came, left = math.max(came, e.ts), math.min(left, e.ts + e.dur)
    end
    assert(came <= left, ("exchange %d: a rank leaves it at %g us, another comes at %g us"):format(k, left, came))
  end
  for r = 1, ranks.count - 1 do
    assert(waits[r].dur > 1e5 and waits[r].ts + waits[r].dur <= met[r][exchanges].ts + met[r][exchanges].dur + 0.01)
  end
  if ranks.count > 1 then assert(waits[ranks.count].dur < 1e5) end
end

-- ranks of one host share a clock: the measured offsets must be near 0
for r, clock in ipairs(ranks.clocks()) do
  if ranks.one_host then assert(clock.offset == 0 and clock.within == 0) end
  local measured = ranks.clocks(true)[r]
  if ranks.one_host then assert(measured.within >= 0 and measured.within < 1 and math.abs(measured.offset) <= measured.within + 1e-9) end
end

-- an error on one rank is an error on all
local function refused(text, ...)
  local good, message = pcall(trace.save, ...)
  assert(not good and message:find(text, 1, true), message)
end
refused("as .json", "all.csv", {ranks = true})
refused(ranks.rank == 0 and "No such file" or "another rank", "no/such/all.json", {ranks = true})
refused("unknown option 'rank'", path, {rank = true})
print(exchanges .. " exchanges are right")
