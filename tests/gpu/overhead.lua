-- What tracing costs a free run: pairs of scc(g) with the trace on and off, in turn; the mean ratio and its
-- upper 95 % bound.
local pairs_wanted = tonumber(arg[1] or 30)
local graphs = {
  {"rmat20", function() return gen.rmat{scale = 20, degree = 16, seed = 1} end},
  {"grid2048", function() return gen.grid{2048, 2048, one_way = 0.69, seed = 1} end},
  {"rmat22", function() return gen.rmat{scale = 22, degree = 16, seed = 1} end},
}
for _, item in ipairs(graphs) do
  local g = item[2]()
  local function timed(on)
    if on then trace.on() else trace.off() end
    collectgarbage()
    local before = trace.clock()
    local r = scc(g)
    return trace.clock() - before
  end
  timed(true) timed(false)
  local sum, squares, base = 0, 0, 0
  for i = 1, pairs_wanted do
    local on, off
    if i % 2 == 0 then on, off = timed(true), timed(false) else off = timed(false) on = timed(true) end
    local ratio = on / off
    sum, squares, base = sum + ratio, squares + ratio * ratio, base + off
  end
  trace.on()
  local mean = sum / pairs_wanted
  local deviation = math.sqrt(math.max(0, squares / pairs_wanted - mean * mean) / (pairs_wanted - 1))
  print(("%-9s %s untraced %.3f ms, traced / untraced %.4f, upper 95 %% bound %.4f"):format(
    item[1], device().name, 1e3 * base / pairs_wanted, mean, mean + 1.96 * deviation))
  g:close()
end
