--- barnat-4.lua [SECONDS [STATES [RUNS]]]: figures 3 and 4 of Barnat, Bauch, Brim, Ceska 2011, from models in the DVE language.
---
---   lockstep scripts/paper/barnat-4.lua        both templates, graphs of the paper's sizes, 62 thousand to 2.2 million states; the
---                                              sequential algorithms only if they are expected to end in 60 s
---   lockstep scripts/paper/barnat-4.lua 0 50000000     without them: all models up to 5 * 10^7 states that 60 GB of memory hold
---   lockstep scripts/paper/barnat-4.lua 60 300000      all models of 300000 states at most, without a server
---
--- The paper's two templates: clients of three scenarios without a server, and with a server that one client at a time may hold.
--- From the model's text to the worst sustainable load: the state space, its greatest cycle ratio (cost over time), the
--- proof. Of ocr's time it is the median of RUNS runs, 10 if not given, as in the paper. The paper's graphs have 50 thousand
--- vertices and 400 thousand edges up to 2 million and 25 million. It gives no times but in plots; its claim is that on larger
--- graphs the GPU "rarely fails to provide a fivefold speed up" over the better one of the two sequential algorithms, DiVinE's
--- YTO and Howard (column "times"; a GeForce GTX 480 and one core of a Phenom II X4 940).
local patience, most, runs = tonumber(arg[1] or 60), tonumber(arg[2] or 2500000), math.tointeger(tonumber(arg[3] or 10))
local fewest = arg[2] and 1 or 50000
if not (patience and most and runs) or patience < 0 or most < 1 or runs < 1 then
  error("usage: barnat-4.lua [SECONDS, from 0 on [STATES, from 1 on [RUNS, from 1 on]]]", 0)
end
trace.off()

-- An action: its name, its cost (ms of the server's processor), its time (ms); 1: acquires the document store,
-- 0: releases it.
local scenarios = {
  typist = {{"type", 2, 40}, {"check", 9, 30}, {"save", 12, 20, 1}, {"saved", 3, 10, 0}},
  reviewer = {{"ask", 4, 10, 1}, {"fetch", 25, 40, 0}, {"read", 1, 150}},
  publisher = {{"lay_out", 30, 60}, {"render", 55, 80}, {"upload", 20, 60}},
}
local order = {"typist", "reviewer", "publisher"}

-- The text of the model with counts[i] clients of scenario i.
local function template(counts, server)
  local out = {"byte held;"}
  for _, name in ipairs(order) do
    local actions = scenarios[name]
    for i = 1, counts[name] do
      local states, steps = {}, {}
      for k, a in ipairs(actions) do
        states[k] = a[1]
        local held = server and a[4]
        steps[k] = ("%s -> %s { %scost %d; time %d; }"):format(a[1], actions[k % #actions + 1][1],
          held == 1 and "guard held == 0; effect held = 1; " or held == 0 and "effect held = 0; " or "", a[2], a[3])
      end
      out[#out + 1] = ("process %s_%d { state %s; init %s; trans %s; }"):format(name, i, table.concat(states, ", "), states[1], table.concat(steps, ", "))
    end
  end
  out[#out + 1] = "system async;"
  return table.concat(out, "\n")
end

local function load_text(text)
  local path = os.tmpname() .. ".dve"
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  local m = model.load(path)
  os.remove(path)
  os.remove(path:sub(1, -5))
  return m
end

local function timed(f, ...)
  local begun = trace.clock()
  local out = f(...)
  return out, trace.clock() - begun
end

local rate = {} -- seconds per vertex and edge in the last run of each sequential algorithm
local function sequential(g, name)
  if patience == 0 or (rate[name] and rate[name] * g.n * g.m > patience) then return nil end
  local r, seconds = timed(reference[name], g, {max = true, ratio = true})
  rate[name] = seconds / (g.n * g.m)
  return r, seconds
end

-- The median of the seconds of several runs.
local function median_timed(f, ...)
  local out, list = nil, {}
  for i = 1, runs do out, list[i] = timed(f, ...) end
  table.sort(list)
  return out, list[(runs + 1) // 2]
end

-- Clients of each scenario; in ascending order of their states.
local sizes = {{2, 1, 1}, {3, 2, 1}, {4, 3, 1}, {4, 4, 1}, {5, 4, 1}, {5, 5, 1}, {6, 4, 1}, {5, 6, 1}, {7, 4, 1}, {8, 4, 1}, {8, 5, 1}}
local last
local room = device().free
for _, server in ipairs {false, true} do
  print(("\n%s (figure %d), on %s\n"):format(server and "With a server" or "Without a server", server and 4 or 3, device().model))
  print(("%-8s %9s %10s %8s %8s %8s %8s %9s %7s %9s %6s  %s"):format("clients", "n", "m", "explore", "ocr", "check", "howard", "yto", "times",
    "load", "cycle", "seconds; M states/s"))
  for _, of in ipairs(sizes) do
    local counts = {typist = of[1], reviewer = of[2], publisher = of[3]}
    local states = 4 ^ of[1] * 3 ^ (of[2] + of[3])
    if states > most or states * (of[1] + of[2] + of[3]) * 100 > room then break end
    if states < fewest then goto next_size end
    local r, explored = timed(explore, load_text(template(counts, server)))
    if not r.complete then break end
    local load, solved = median_timed(ocr, r.graph, {max = true})
    local _, proved = timed(check, load)
    local howard, howard_s = sequential(r.graph, "howard")
    local yto, yto_s = sequential(r.graph, "yto")
    for _, other in ipairs {howard, yto} do assert(other.p * load.q == load.p * other.q, "the algorithms do not agree") end
    local least = math.min(howard_s or math.huge, yto_s or math.huge)
    local function cell(x) return x and ("%.3f"):format(x) or "-" end
    print(("%-8s %9d %10d %8.3f %8.3f %8.3f %8s %9s %7s %9s %6d  %.1f"):format(table.concat(of, "+"), r.graph.n, r.graph.m, explored, solved, proved,
      cell(howard_s), cell(yto_s), least < math.huge and ("%.1f"):format(least / solved) or "-", ("%d/%d"):format(load.p, load.q), #load.cycle,
      r.graph.n / explored / 1e6))
    last = {r, load}
    ::next_size::
  end
end
if not last then error("the smallest model has more states than are allowed, or than there is memory for", 0) end
print("\nThe worst sustainable load of the last one, and the cycle that proves it, with the states that it passes:\n")
print(last[2])
print(last[1]:actions(last[2]))
