-- spaces.lua [ANY]: state spaces that several ranks explore together, compared number by number with those of one search; with any
-- argument, fewer models. Run by ranks/run.
local here = arg[0]:match("^(.*)/") or "."
local samples = here .. "/../../samples/models/"
function equal(a, b) assert(a == b) end -- tests/lua/run.lua defines it for same_spaces.lua
local same_spaces = dofile(here .. "/../lua/same_spaces.lua")
local cases = 0

local function model_of(text)
  local name = os.tmpname()
  os.rename(name, name .. ".dve")
  name = name .. ".dve"
  local file = assert(io.open(name, "w"))
  file:write(text)
  file:close()
  local m = model.load(name)
  os.remove(name)
  return m
end

local function same(m, options, memory)
  cases = cases + 1
  local want = explore.search(m, options)
  local o = {memory = memory}
  for name, x in pairs(options or {}) do o[name] = x end
  local r = explore(m, o)
  assert(r.variant == (ranks.count > 1 and "ranks" or on_cpu() and "search" or "levels"))
  r = explore.ranks(m, o)
  same_spaces.compare(want, r)
  r.space:check(r.graph)
  return r
end

-- the sample models
for _, name in ipairs {"philosophers.dve", "queue.dve", "elevator.dve", "editor.dve"} do same(model.load(samples .. name)) end
local r = same(model.load(samples .. "philosophers.dve"))
assert(#r:trace("deadlock") == 5 and not r:check("deadlock"))
assert(ocm(r.graph, {max = true}).p == 1)
assert(not same(model.load(samples .. "elevator.dve")):check("property"))

-- levels that need several blocks, and levels with fewer states than there are ranks; costs, times, errors, states without a step
local function counters(k, top)
  local parts = {}
  for i = 1, k do
    parts[i] = ("process P%d { byte n; state a; init a; trans a -> a { guard n < %d; effect n = n + 1; cost n + %d; time %d; }; }"):format(i, top, i, i)
  end
  return table.concat(parts, "\n") .. "\nsystem async;"
end
for _, case in ipairs {{1, 3}, {3, 9}, {5, 5}} do
  local m = model_of(counters(case[1], case[2]))
  for _, memory in ipairs {false, "2 MiB", "3 MiB"} do
    local r = same(m, nil, memory or nil)
    assert(r.complete and r.deadlocks == 1 and r.graph.w and r.graph.t)
  end
end
same(model_of [[byte x, a[3]; process P { state p, q; init p; trans p -> p { guard x < 250; effect x = x + 7, a[x % 4] = x; }, p -> q { effect a[2 - x] = 1; }; } system async;]])
same(model_of "process P { state a; init a; trans a -> a { guard 0; }; } system async;")
same(model_of "process P { state a, b; init a; trans a -> b {}, a -> b {}, b -> a { cost 3; }; } system async;")

-- without edges; the states are gathered at the first access
r = same(model_of(counters(4, 4)), {edges = false})
assert(not r.graph and r.states == 625 and #r:trace(624) == 16)

-- a limit of states that applies to all ranks together
local many = model_of(counters(4, 12))
for _, bound in ipairs {1, 2, 3, 77, 500, 1717, 28561} do
  for _, memory in ipairs {false, "4 MiB"} do
    local r = same(many, {bound = bound}, memory or nil)
    assert(r.complete == (bound == 28561) and r.states <= bound)
  end
end
same(many, {bound = 5000, edges = false})
local wrong = model_of("byte a[3];" .. counters(3, 5):gsub("system async;", [[
  process Q { byte x; state p; init p; trans p -> p { guard x < 4; effect x = x + 1; }, p -> p { effect a[x] = 1; }; } system async;]]))
for bound = 1, 400, 23 do
  assert(same(wrong, {bound = bound}).errors > 0 or bound < 300)
end

-- an invalid cost is found by one rank, and reported by all
local good, message = pcall(explore.ranks, model_of [[int x; process P { state a; init a; trans a -> a { guard x < 100; effect x = x + 1; time 60 - x; }; }
  process Q { byte y; state a; init a; trans a -> a { guard y < 9; effect y = y + 1; }; } system async;]])
assert(not good and message:find "a time of %-1 is less than 0", message)

-- a space that fits in the memory of all ranks together, but not of one
local wide, room = model_of(counters(7, 4)), "2750 KiB"
local alone = explore.levels(wide, {memory = room, edges = false})
assert(alone.stopped == "memory" and not alone.complete, alone.stopped)
r = explore.ranks(wide, {memory = room, edges = false})
if ranks.count > 1 then
  assert(r.complete and r.states == 5 ^ 7, r.stopped)
  same_spaces.compare(explore.search(wide, {edges = false}), r)
else
  assert(r.stopped == "memory" and r.frontier > 0)
end
for _, memory in ipairs {"2 KiB", "8 KiB", "20 KiB", "100 KiB"} do
  r = explore.ranks(wide, {memory = memory})
  assert(r.stopped == "memory" and r.states > 0 and r.frontier > 0)
  r.space:check(r.graph)
end

print(cases .. " spaces are right")
