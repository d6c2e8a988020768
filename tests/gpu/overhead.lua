-- What tracing costs a free run: pairs of scc(g) with the trace on and off, in turn; the median ratio and its
-- upper 95 % bound. overhead.lua [PAIRS [GRAPH]]: of one graph alone
local pairs_wanted = tonumber(arg[1] or 30)
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
  timed(true) timed(false)
  local ratios, base = {}, {}
  for i = 1, pairs_wanted do
    local on, off
    if i % 2 == 0 then on, off = timed(true), timed(false) else off = timed(false) on = timed(true) end
    ratios[i], base[i] = on / off, off
  end
  trace.on()
  table.sort(ratios) table.sort(base)
  -- the median's upper 95 % bound by order statistics
  local upper = math.min(pairs_wanted, math.ceil(pairs_wanted / 2 + 1.645 * math.sqrt(pairs_wanted) / 2) + 1)
  print(("%-9s %s untraced %.3f ms, traced / untraced: median %.4f, upper 95 %% bound %.4f"):format(
    item[1], device().name, 1e3 * base[(pairs_wanted + 1) // 2], ratios[(pairs_wanted + 1) // 2], ratios[upper]))
  g:close()
  ::continue::
end
