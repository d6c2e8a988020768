-- Figures 3.10 to 3.14 and table 3.1 of Okuyama 2013: all pairs' shortest paths, one source at a time and N together, in seconds
-- of the clock; and where Floyd-Warshall passes many sources.
-- The command `paper 004` runs it; vertices is the number of vertices of all tables but the first.
-- The paper's numbers, on a GeForce 8800 GTS and a Xeon of 4 cores: N = 32 sources together are 2.8 to 13 times as fast as one
-- (13 at 1K vertices), 1.2 to 1.4 of it by shared memory; recording of paths takes 3.0 to 7.7 % more. Figures 3.10 to 3.14 are
-- pictures. One source at a time, and Dijkstra's algorithm in sequence, are measured from some of the sources.
local p = ...
local common = dofile(p.scripts .. "/common.lua")
local size = p.options.vertices or p:pick(64, 256, 4096)
local most = p:pick(0, 0, 32) -- thousands of vertices of the first table

-- The time of all sources, k at a time, from some of the groups.
local function estimate(g, k, options, groups)
  local n = math.min(g.n, k * groups)
  local _, seconds = common.time(function()
    for base = 0, n - 1, k do
      local sources = {}
      for v = base, math.min(base + k, g.n) - 1 do sources[#sources + 1] = v end
      apsp.many(g, sources, options)
    end
  end)
  return seconds * g.n / n
end

local function row(name, g)
  local one, plain = estimate(g, 1, nil, 32), estimate(g, 32, nil, 8)
  local shared, wide = estimate(g, 32, {shared = true}, 8), estimate(g, 1024, nil, 4)
  local parents = estimate(g, 32, {parents = true}, 8)
  local _, groups = common.time(function() return apsp(g, {form = "groups"}) end)
  local _, floyd = common.time(function() return apsp(g, {form = "floyd_warshall"}) end)
  local sequence, cores = common.all_by_dijkstra(g)
  local best = math.min(groups, floyd)
  print(("%-18s %9.3f %9.3f %9.3f %9.3f %6.1f %8.1f %% %9.3f %9.3f %9.3f %9s %7.1f"):format(name, one, plain, shared, wide, one / plain,
    100 * (parents / plain - 1), groups, floyd, sequence, cores and ("%.3f"):format(cores) or "-", (cores or sequence) / best))
  g:close()
  return {one, plain, shared, cores or sequence, best}
end

local function head(title)
  print(title)
  print(("%-18s %9s %9s %9s %9s %6s %10s %9s %9s %9s %9s %7s"):format("seconds", "N = 1", "N = 32", "shared", "N = 1024", "ratio",
    "parents", "groups", "fw", "Dijkstra", "cores", "over"))
end

local function random(n, m, top) return gen.uniform {n = n, m = m, seed = 1, weights = "i32", lo = 1, hi = top} end

print("# " .. tostring(device()))
print(("# ratio: N = 1 over N = 32 (the paper: 2.8 to 13). Dijkstra: in sequence; cores: on %d threads, each with sources of its own, as"):format(
  common.threads()))
print("# the paper's CPU. over: its time (in sequence, where that would take long) over the better of groups and fw, figure 3.11")
head "figures 3.10, 3.11 and 3.14: |E| = 4|V|, weights up to |V|"
for k = 0, 5 do
  local n = 1024 << k
  if n <= most * 1024 then row(("|V| = %d K"):format(1 << k), random(n, 4 * n, n)) end
end
head(("figure 3.12: |V| = %d"):format(size))
for k = 2, 6 do row(("|E| = %d |V|"):format(1 << k), random(size, size << k, size)) end
head(("figure 3.13: |V| = %d, |E| = 4|V|"):format(size))
for k = 0, 20, 4 do row(("w_max = 2^%d"):format(k), random(size, 4 * size, 1 << k)) end

local n = size == 4096 and 4677 or size
head(("table 3.1: |V| = %d"):format(n))
local theirs = { -- seconds: one source, 32 sources, shared, 4 cores
  {"random", {4.39, 0.884, 0.669, 0.835}, function() return random(n, 16384 * n // 4677, 4096) end},
  {"power law", {6.37, 1.73, 0.942, 0.437}, function()
    return gen.power_law {n = n, degree = 3.5, seed = 1, weights = "i32", lo = 1, hi = 4096}
  end},
  {"ring", {687, 53.7, 58.2, 0.0962}, function() return gen.ring {n = n, weights = "i32", lo = 1, hi = 1} end},
  {"complete", {5730, 175, 77.3, 158}, function() return gen.complete {n, weights = "i32", lo = 1, hi = 1} end},
}
local ours = {}
for _, x in ipairs(theirs) do ours[x[1]] = row(x[1], x[3]()) end
print "table 3.1: theirs and ours     one source          32 sources          shared              CPU (theirs 4 cores)"
for _, x in ipairs(theirs) do
  local o, t, text = ours[x[1]], x[2], ("%-28s"):format(x[1])
  for i = 1, 4 do text = text .. ("%9.4g %9.4g |"):format(t[i], o[i]) end
  print(("%s  best over the CPU: %.3g, %.3g"):format(text, math.min(t[1], t[2], t[3]) / t[4], o[5] / o[4]))
end

local g = random(size, 4 * size, size)
print(("section 3.4.2: the number N of sources at a time and, in shared memory, B of vertices a block: |V| = %d, |E| = 4|V|"):format(size))
print "the paper takes N = 32 and B = 4; seconds, plain and with B"
local line = ("%-18s %9s"):format("N", "plain")
for _, B in ipairs {1, 4, 8, 16, 32} do line = line .. ("   B = %2d "):format(B) end
print(line)
for _, N in ipairs {1, 8, 32, 128, 512, 2048} do
  if N <= size then
    line = ("%-18d %9.3f"):format(N, estimate(g, N, nil, 4))
    for _, B in ipairs(N >= 32 and {1, 4, 8, 16, 32} or {}) do -- a block takes 32 sources
      line = line .. (" %9.3f"):format(estimate(g, N, {shared = true, together = B}, 4))
    end
    print(line)
  end
end
g:close()

print(("where Floyd-Warshall passes many sources: |V| = %d, seconds"):format(size))
print(("%-18s %9s %9s"):format("edges a vertex", "groups", "fw"))
local crossing
local degree = 1
while degree <= size // 2 do
  local g = random(size, degree * size, size)
  apsp(g, {form = "groups", sources_at_a_time = 32})
  local _, groups = common.time(function() return apsp(g, {form = "groups"}) end)
  local _, floyd = common.time(function() return apsp(g, {form = "floyd_warshall"}) end)
  print(("%-18d %9.3f %9.3f"):format(degree, groups, floyd))
  if not crossing and floyd < groups then crossing = degree end
  g:close()
  if crossing and degree >= 4 * crossing then break end
  degree = 2 * degree
end
print(crossing and ("Floyd-Warshall is faster from %d edges a vertex on, |V| / %.0f"):format(crossing,
  size / crossing) or "Floyd-Warshall is not faster up to |V| / 2 edges a vertex")
