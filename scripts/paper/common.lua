-- What the scripts of this folder share: random sources, device time, tables.
local common = {}

--- n sources at random, each of which has an edge.
function common.sources(g, n, seed)
  local x, list = seed or 1, {}
  if g.m == 0 then return list end
  while #list < n do
    x = (x * 1103515245 + 12345) % 2147483648
    local v = x * g.n // 2147483648
    if g:degree(v) > 0 then list[#list + 1] = v end
  end
  return list
end

--- Runs f and returns what it returns, and the seconds from the first launch to the end of the last on the device.
function common.device_time(f)
  trace.reset()
  local r = f()
  local first, last = math.huge, 0
  for _, x in ipairs(trace.last(1000000)) do
    first = math.min(first, x.begin)
    last = math.max(last, x.begin + x.time)
  end
  return r, last - first
end

--- Runs f and returns what it returns, and the seconds of the clock.
function common.time(f)
  local begun = trace.clock()
  local r = f()
  return r, trace.clock() - begun
end

--- The edges of the vertices that r reaches: what TEPS count.
function common.reached_edges(r)
  local sum, off = 0, r.graph.off
  for v, d in pairs(r.dist) do
    if d ~= r.unreached then sum = sum + off[v + 1] - off[v] end
  end
  return sum
end

return common
