-- Where the time goes from a model's file to the verified worst load.
--   lockstep scripts/measure/worst-load.lua [CLIENTS or FILE [ROUNDS, default 2 [alone]]]
-- CLIENTS (default 8) is the number of clients of one server (tests/lua/large_models.lua): 10 give 6.3 million states, 11
-- give 27 million. On the current device and, unless `alone` is given, on the CPU: reading the file, exploring (the model interpreted,
-- then compiled; the first round includes compiling), the greatest mean cost per edge and its check, the greatest ratio of cost to
-- time and its check. For each: wall-clock seconds of the best round, seconds of its kernels, and the three kernels that took
-- most of them; on a CPU exploring is one C function. No round reuses results of an earlier one.
local what, rounds = arg[1] or "8", tonumber(arg[2] or 2)
local here = arg[0]:match "^(.*)scripts/measure/" or ""
local models = dofile(here .. "tests/lua/large_models.lua")
io.stdout:setvbuf "line"

local path = what
if math.tointeger(tonumber(what)) then
  path = os.tmpname()
  os.remove(path)
  path = path .. ".dve"
  local file = assert(io.open(path, "w"))
  file:write(models.clients(math.tointeger(tonumber(what))))
  file:close()
end

local best -- by phase: {name =, clock =, kernels =, most =}
local function phase(row, name, f)
  collectgarbage()
  trace.reset()
  local from = trace.clock()
  local out = f()
  local p = {name = name, clock = trace.clock() - from, kernels = 0, most = {}}
  for i, s in ipairs(stats {by = "total"}) do
    p.kernels = p.kernels + s.total
    if i <= 3 then p.most[i] = ("%s %.3f"):format(s.kernel, s.total) end
  end
  if not best[row] or p.clock < best[row].clock then best[row] = p end
  return out
end

local function chain(compiled)
  local m = phase(1, "read the file", function() return model.load(path) end)
  local r = phase(compiled and 3 or 2, compiled and "explore, compiled" or "explore, interpreted", function()
    return explore(m, {compiled = compiled})
  end)
  local g = r.graph
  local mean = phase(4, "ocm, the greatest mean", function() return ocm(g, {max = true}) end)
  phase(5, "check of it", function() assert(check(mean)) end)
  local ratio = phase(6, "ocr, the greatest ratio", function() return ocr(g, {max = true}) end)
  phase(7, "check of it", function() assert(check(ratio)) end)
  return r, mean, ratio
end

for _, name in ipairs((arg[3] == "alone" or device().name == "cpu") and {device().name} or {device().name, "cpu"}) do
  device(name)
  best = {}
  local r, mean, ratio
  for _ = 1, rounds do
    for _, compiled in ipairs {false, true} do
      r, mean, ratio = nil, nil, nil
      r, mean, ratio = chain(compiled)
    end
  end
  print(("%s, %s: %d states, %d steps, %d levels; worst mean %s/%s, worst load %s/%s"):format(name, device().model, r.states, r.transitions,
    r.levels, mean.p, mean.q, ratio.p, ratio.q))
  print(("  %-26s %9s %9s   %s"):format("", "s", "kernels", "most of it"))
  local clock, kernels = 0, 0
  for i = 1, 7 do
    local p = best[i]
    print(("  %-26s %9.4f %9.4f   %s"):format(p.name, p.clock, p.kernels, table.concat(p.most, ", ")))
    if i ~= 2 then clock, kernels = clock + p.clock, kernels + p.kernels end
  end
  print(("  %-26s %9.4f %9.4f"):format("all, compiled", clock, kernels))
end
if path ~= what then os.remove(path) end
