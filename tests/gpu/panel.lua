-- The cost of an open panel in a free run: series of runs of scc(g), alternately with the panel open and closed; the
-- median ratio of times and its upper 95 % bound. Needs a terminal: scripts/measure/panel provides one.
--   lockstep -i tests/gpu/panel.lua FIGURES [PAIRS [SECONDS [GRAPH...]]]
local figures, pairs_wanted, seconds = arg[1], tonumber(arg[2] or 30), tonumber(arg[3] or 1)
local graphs = {
  rmat20 = function() return gen.rmat{scale = 20, degree = 16, seed = 1} end,
  grid2048 = function() return gen.grid{2048, 2048, one_way = 0.69, seed = 1} end,
  rmat22 = function() return gen.rmat{scale = 22, degree = 16, seed = 1} end,
  rmat14 = function() return gen.rmat{scale = 14, degree = 16, seed = 1} end,
}
local wanted = table.move(arg, 4, #arg, 1, {})
if #wanted == 0 then wanted = {"rmat20", "grid2048", "rmat22"} end

local out = assert(io.open(figures, "w"))
local function say(fmt, ...)
  out:write(fmt:format(...), "\n")
  out:flush()
  print(fmt:format(...))
end

local function measure(name)
  local g = graphs[name]()
  local function runs(count)
    collectgarbage()
    local begun = trace.clock()
    for _ = 1, count do scc(g) end
    return trace.clock() - begun
  end
  runs(2)
  local count = math.max(1, math.ceil(seconds / (runs(3) / 3))) -- runs per series
  local function timed(open)
    if open then assert(panel.on()) else panel.off() end
    runs(math.max(1, count // 20)) -- excludes the first drawing
    return runs(count)
  end
  timed(true) timed(false)
  local ratios, base = {}, {}
  for i = 1, pairs_wanted do
    local on, off
    if i % 2 == 0 then on, off = timed(true), timed(false) else off = timed(false) on = timed(true) end
    ratios[i], base[i] = on / off, off / count
  end
  panel.off()
  table.sort(ratios) table.sort(base)
  -- the median's upper 95 % bound by order statistics
  local upper = math.min(pairs_wanted, math.ceil(pairs_wanted / 2 + 1.645 * math.sqrt(pairs_wanted) / 2) + 1)
  say("%-9s %-7s %d runs of %.3f ms, open / closed: median %.4f, upper 95 %% bound %.4f", name, device().name, count,
    1e3 * base[(pairs_wanted + 1) // 2], ratios[(pairs_wanted + 1) // 2], ratios[upper])
  g:close()
end

-- Ends the program also after an error, because no user is at this terminal.
local fine, why = pcall(function()
  for _, name in ipairs(wanted) do measure(name) end
end)
if not fine then say("%s", tostring(why)) end
out:close()
os.exit(fine)
