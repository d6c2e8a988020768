-- State spaces of DVE models on a GPU: dve.lua [FOLDER] [full]. Asserts that the primitives give the same graph as the CPU's search,
-- number by number, on FOLDER's models (*.dve) and on generated ones, interpreted and compiled; compare runs every primitive on
-- the CPU, too. With `full` it also measures states per second for models of 10^6 to 10^8 states.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
local lua = os.getenv("LOCKSTEP_SPECS") or here .. "/../lua"
function equal(a, b) if a ~= b then error(("%s and %s"):format(tostring(a), tostring(b)), 2) end end
local same_spaces, models = dofile(lua .. "/same_spaces.lua"), dofile(lua .. "/large_models.lua")
local folder, full = arg[1] or "samples/models", arg[2] == "full"

-- Explores with rows that are compiled from the model's generated text.
local function compiled(m, options)
  local o = {compiled = true}
  for k, x in pairs(options or {}) do o[k] = x end
  return explore.levels(m, o)
end

local function both(m, options)
  local a, b, c = explore.search(m, options), explore.levels(m, options), compiled(m, options)
  same_spaces.compare(a, b)
  same_spaces.compare(a, c)
  same_spaces.compare(a, explore.ranks(m, options)) -- the primitives for several ranks, with one rank
  return b
end

local count, read = 0, {}
for path in io.popen(("ls %s/*.dve"):format(folder)):lines() do
  local m = model.load(path)
  check(both(m))
  read[#read + 1] = m
  count = count + 1
end
for _, of in ipairs {{"philosophers", 7}, {"clients", 5}, {"counters", 5}, {"bakery", 4}, {"pipeline", 4}} do
  local m = models.load(table.unpack(of))
  both(m)
  both(m, {edges = false})
  for _, bound in ipairs {1, 7, 100, 3000} do both(m, {bound = bound}) end
  explore.levels(m, {memory = "2 MiB"})
  count = count + 1
end
print(("%d models: the same graphs on both processors"):format(count))

compare("cpu", device().name == "cpu" and "cpu:1" or device().name)
for _, of in ipairs {{"philosophers", 5}, {"clients", 3}, {"counters", 4}, {"pipeline", 3}} do local m = models.load(table.unpack(of)) explore.levels(m) compiled(m) explore.ranks(m) end
for _, m in ipairs(read) do explore.levels(m) end
compare(false)
print("compare: clean")
if not full then return end

local function clock()
  local f = io.open("/proc/uptime")
  local t = f:read("n")
  f:close()
  return t
end
print(("%-16s %10s %11s %6s %6s %8s %8s %9s %9s"):format("model", "states", "steps", "levels", "words", "B/state", "s", "M states/s", "M steps/s"))
for _, how in ipairs {{edges = true}, {edges = false}, {edges = true, compiled = true}, {edges = false, compiled = true}} do
  for _, of in ipairs {{"philosophers", 12}, {"philosophers", 15}, {"clients", 9}, {"clients", 10}, {"counters", 12}, {"counters", 22}, {"bakery", 60}, {"pipeline", 9}, {"pipeline", 11}} do
    local m, best, r = models.load(table.unpack(of)), math.huge, nil
    for _ = 1, how.compiled and 3 or 2 do -- the first run compiles
      r = nil
      collectgarbage()
      collectgarbage()
      local from = clock()
      r = explore.levels(m, how)
      best = math.min(best, math.max(clock() - from, 0.005))
    end
    print(("%-16s %10d %11d %6d %6d %8.1f %8.2f %9.1f %9.1f%s"):format(of[1] .. " " .. of[2], r.states, r.transitions, r.levels, r.words,
      r.bytes / r.states, best, r.states / best / 1e6, r.transitions / best / 1e6, (how.edges and "" or "  states alone") .. (how.compiled and "  compiled" or "")))
  end
end
-- The time that all memory accesses would take at the device's limits for sequential and random access. If a kernel's share of its
-- limit is known only as an upper bound, the bound is used.
device.limits()
for _, of in ipairs {{"counters", 22}, {"philosophers", 15}, {"pipeline", 11}} do
  local m = models.load(table.unpack(of))
  collectgarbage()
  trace.reset()
  explore.levels(m)
  local all, at_limit = 0, 0
  for _, s in ipairs(stats()) do
    if s.device then
      all, at_limit = all + s.total, at_limit + s.total * (s.limit or s.limit_at_most or 0)
    end
  end
  print(("%s %d: kernels took %.3f s; at the limits of memory they would take %.0f %% of that"):format(of[1], of[2], all, 100 * at_limit / all))
  print(stats())
end
