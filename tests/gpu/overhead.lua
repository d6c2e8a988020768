-- The cost of tracing in a free run: scc(g) with the trace on and off, in pairs; the median ratio of times and its upper 95 %
-- bound. A single run of a millisecond varies by more than the cost of tracing, so each half of a pair is the sum of
-- runs that take 30 ms together, and the runs of the two halves alternate. Usage: overhead.lua [PAIRS [GRAPH]];
-- with GRAPH, only this graph is measured.
local pairs_wanted = tonumber(arg[1] or 30)
local HALF <const> = 0.03
local graphs = {
  {"rmat20", function() return gen.rmat{scale = 20, degree = 16, seed = 1} end},
  {"grid2048", function() return gen.grid{2048, 2048, one_way = 0.69, seed = 1} end},
  {"rmat22", function() return gen.rmat{scale = 22, degree = 16, seed = 1} end},
}
for _, item in ipairs(graphs) do
  if arg[2] and arg[2] ~= item[1] then goto continue end
  local g = item[2]()
  local function timed(on)
    if on then trace.on() else trace.off() end
    collectgarbage()
    local before = trace.clock()
    local r = scc(g)
    return trace.clock() - before
  end
  timed(true)
  local runs = math.ceil(HALF / timed(false))
  local function pair(k)
    local on, off = 0, 0
    for i = k, k + runs - 1 do
      if i % 2 == 0 then on = on + timed(true) end
      off = off + timed(false)
      if i % 2 == 1 then on = on + timed(true) end
    end
    return on / runs, off / runs
  end
  local ratios, base = {}, {}
  for i = 1, pairs_wanted do
    local on, off = pair(i)
    ratios[i], base[i] = on / off, off
  end
  trace.on()
  table.sort(ratios) table.sort(base)
  -- the median's upper 95 % bound by order statistics
  local upper = math.min(pairs_wanted, math.ceil(pairs_wanted / 2 + 1.645 * math.sqrt(pairs_wanted) / 2) + 1)
  print(("%-9s %s untraced %.3f ms, traced / untraced, %d runs each: median %.4f, upper 95 %% bound %.4f"):format(
    item[1], device().name, 1e3 * base[(pairs_wanted + 1) // 2], runs, ratios[(pairs_wanted + 1) // 2], ratios[upper]))
  g:close()
  ::continue::
end
