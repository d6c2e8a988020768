-- Helpers for the scripts of this folder and some of scripts/measure: random sources, times, traversed edges.
local common = {}

local RING = 65536 -- records that the trace keeps

--- n random sources, each with at least one edge.
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

--- Runs f. Returns what it returns; the seconds from the first launch to the end of the last on the device; and the number
--- of irregular accesses (to data-dependent addresses), nil if no record has it.
function common.device_time(f)
  trace.reset()
  local r = f()
  local first, last, irregular, list = math.huge, 0, nil, trace.last(RING)
  for _, x in ipairs(list) do
    first = math.min(first, x.begin)
    last = math.max(last, x.begin + x.time)
    if x.gathers then irregular = (irregular or 0) + x.gathers end
  end
  if #list == RING then first, irregular = 0, nil end -- the first records are discarded; times count from the first one that is left
  return r, last - first, irregular
end

--- Runs f and returns what it returns, and the wall-clock seconds.
function common.time(f)
  local begun = trace.clock()
  local r = f()
  return r, trace.clock() - begun
end

--- The edges of the vertices that r reaches: the edges that TEPS count.
function common.reached_edges(r)
  local g = r.graph
  if g.m == 0 then return 0 end
  local traced = trace.enabled()
  trace.on()
  local improved = relax(g, {w = algorithm.widened(algorithm.weights(g), r.dist.dtype), dist = r.dist,
    overflow = buffer.new("u32", 1)})
  local edges = math.tointeger(trace.last(1)[1].edges or 0)
  if not traced then trace.off() end
  assert(improved == 0 or r.unreached == math.huge, "these are not the shortest distances")
  return edges
end

--- Random accesses per second of the current device in an array of `bytes` bytes, as measured by device.limits().
function common.access_rate(bytes)
  local rows = device.limits().random
  if bytes <= rows[1].bytes then return rows[1].gather end
  for i = 2, #rows do
    local a, b = rows[i - 1], rows[i]
    if bytes == b.bytes then return b.gather end
    if bytes < b.bytes then
      return a.gather * (b.gather / a.gather) ^ (math.log(bytes / a.bytes) / math.log(b.bytes / a.bytes))
    end
  end
  return rows[#rows].gather
end

--- The number of CPU threads available to us.
function common.threads()
  for _, d in ipairs(device.list()) do
    if d.name == "cpu" then return d.threads end
  end
end

--- Dijkstra's algorithm from every vertex, in seconds: sequentially, estimated from 16 sources; and by all threads, each with
--- its own sources: nil if that would take more than half a minute, or more than 4 GB.
function common.all_by_dijkstra(g)
  local list = common.sources(g, math.min(g.n, 16), 3)
  local _, seconds = common.time(function()
    for _, s in ipairs(list) do reference.dijkstra(g, s) end
  end)
  local sequence = seconds * g.n / math.max(1, #list)
  if sequence / common.threads() > 30 or 8 * g.n * g.n > 4e9 then return sequence end
  local _, all = common.time(function() return reference.johnson(g, 0) end)
  return sequence, all
end

--- The median of a list; sorts the list.
function common.median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

return common
