-- How many clients of which scenario saturate the server? Barnat, Bauch, Brim, Ceska 2011, section 4: the greatest
-- cycle ratio of a model's state space, cost over time, is the worst load that any infinite run of it can sustain.
--
-- An action costs milliseconds of the server's processor and takes milliseconds. During some actions, the client holds the
-- document store, which only one client may hold at a time. From the command line: lockstep samples/saturation.lua

local scenarios = {
  {name = "typist", {"type", 2, time = 40}, {"check spelling", 9, time = 30}, {"save", 12, time = 20, server = true},
    {"saved", 3, time = 10, server = true}},
  {name = "reviewer", {"ask", 4, time = 10, server = true}, {"fetch", 25, time = 40, server = true}, {"read", 1, time = 150}},
  {name = "publisher", {"lay out", 30, time = 60}, {"render", 55, time = 80}, {"upload", 20, time = 60, server = true}},
}

-- count[name] clients of each scenario, as a state space.
local function clients(count)
  local list = {}
  for _, s in ipairs(scenarios) do
    local copy = {name = s.name, count = count[s.name] or 0}
    for i, action in ipairs(s) do copy[i] = action end
    if copy.count > 0 then list[#list + 1] = copy end
  end
  return gen.clients(list)
end

local solve = ocr or function(g, options) return reference.howard(g, {max = options.max, ratio = true}) end

print("The greatest load that one client causes, alone:")
print(("  %-10s %8s %8s   %s"):format("scenario", "exactly", "load", "clients that saturate the server"))
local alone = {}
for _, s in ipairs(scenarios) do
  local r = solve(clients {[s.name] = 1}, {max = true})
  check(r)
  alone[s.name] = r
  print(("  %-10s %8s %7.1f%%   %d"):format(s.name, r.p .. "/" .. r.q, 100 * r.mean, (r.q + r.p - 1) // r.p))
end

print("\nLoad of typists (down) and publishers (across) together, in percent; # from 100 on:")
local function percent(typists, publishers)
  return 100 * (typists * alone.typist.mean + publishers * alone.publisher.mean)
end
local row = {}
for p = 0, 3 do row[#row + 1] = ("%7d"):format(p) end
print("      " .. table.concat(row))
for t = 0, 6 do
  row = {}
  for p = 0, 3 do
    local load = percent(t, p)
    row[#row + 1] = ("%6.0f%s"):format(load, load >= 100 and "#" or " ")
  end
  print(("%5d "):format(t) .. table.concat(row))
end

print("\nTogether, one action at a time: the worst run that any of them can keep up")
for _, count in ipairs {{typist = 2, reviewer = 1}, {typist = 3, reviewer = 2}, {typist = 4, reviewer = 3, publisher = 1}} do
  local g = clients(count)
  local r = solve(g, {max = true})
  check(r)
  local who = {}
  for _, s in ipairs(scenarios) do if count[s.name] then who[#who + 1] = ("%d %s%s"):format(count[s.name], s.name, count[s.name] > 1 and "s" or "") end end
  print(("\n%s: %d states, %d steps"):format(table.concat(who, ", "), g.n, g.m))
  print(tostring(r))
end

-- The same clients as a model in the DVE language, in which a scenario can say more than a list: guards, variables, channels.
print("\nThe same from samples/models/server.mdve, with the states that the cycle passes:")
local path = (debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "models/server.mdve"
for _, count in ipairs {{typist = 3, reviewer = 2, publisher = 0}, {typist = 4, reviewer = 3, publisher = 1}} do
  local ok, m = pcall(model.load, path, {TYPISTS = count.typist, REVIEWERS = count.reviewer, PUBLISHERS = count.publisher})
  if not ok then print("  " .. tostring(m)) break end
  local space, listed = explore(m), clients(count)
  local r = solve(space.graph, {max = true})
  check(r)
  print(("\n%d states, %d steps: %d/%d = %.1f%%"):format(space.states, space.transitions, r.p, r.q, 100 * r.mean))
  print(tostring(space:actions(r)))
  assert(space.states == listed.n and space.transitions == listed.m, "the two models are not the same")
end
