-- Figures 3.10 to 3.14 and table 3.1 of Okuyama 2013: all pairs' shortest paths, one source at a time and N together, in seconds
-- of the clock. Usage: lockstep many-sources.lua [greatest number of vertices, in units of 1024]
-- The paper's numbers, on a GeForce 8800 GTS and a Xeon of 4 cores: N = 32 sources together are 2.8 to 13 times as fast as one
-- (13 at 1K vertices), 1.2 to 1.4 of it by shared memory; recording of paths takes 3.0 to 7.7 % more. Figures 3.10 to 3.14
-- are pictures; table 3.1 is printed below.
local common = dofile((arg[0]:match("^(.*)/") or ".") .. "/common.lua")
local most = tonumber(arg[1] or 4)

-- The time of all sources, k at a time, from some of the groups: one source at a time takes long.
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

local function dijkstra(g)
  local n = math.min(g.n, 64)
  local _, seconds = common.time(function()
    for s = 0, n - 1 do reference.dijkstra(g, s) end
  end)
  return seconds * g.n / n
end

local function row(name, g)
  local one, plain = estimate(g, 1, nil, 32), estimate(g, 32, nil, 8)
  local shared, wide = estimate(g, 32, {shared = true}, 8), estimate(g, 1024, nil, 4)
  local parents = estimate(g, 32, {parents = true}, 8)
  print(("%-24s %10.3f %10.3f %10.3f %10.3f %6.1f %9.1f %% %10.3f %10.3f"):format(name, one, plain, shared, wide, one / plain,
    100 * (parents / plain - 1), select(2, common.time(function() return apsp(g) end)), dijkstra(g)))
end

local function head(title)
  print(title)
  print(("%-24s %10s %10s %10s %10s %6s %11s %10s %10s"):format("seconds", "N = 1", "N = 32", "shared", "N = 1024", "ratio", "parents",
    "apsp", "Dijkstra"))
end

local function random(n, m, top) return gen.uniform {n = n, m = m, seed = 1, weights = "i32", lo = 1, hi = top} end

head "figures 3.10, 3.11 and 3.14: |E| = 4|V|, weights up to |V|"
for k = 0, 5 do
  local n = 1024 << k
  if n <= most * 1024 then row(("|V| = %d K"):format(1 << k), random(n, 4 * n, n)) end
end
head "figure 3.12: |V| = 4 K"
for k = 2, 6 do row(("|E| = %d K"):format(4 << k), random(4096, 4096 << k, 4096)) end
head "figure 3.13: |V| = 4 K, |E| = 16 K"
for k = 0, 20, 4 do row(("w_max = 2^%d"):format(k), random(4096, 16384, 1 << k)) end
head "table 3.1: |V| = 4677"
print("the paper: one source     4.39 random    6.37 power law     687 ring    5730 complete")
print("the paper: 32 sources    0.884 random    1.73 power law    53.7 ring     175 complete")
print("the paper: shared        0.669 random   0.942 power law    58.2 ring    77.3 complete")
print("the paper: 4 cores       0.835 random   0.437 power law  0.0962 ring     158 complete")
row("random", random(4677, 16384, 4096))
row("power law", gen.power_law {n = 4677, degree = 3.5, seed = 1, weights = "i32", lo = 1, hi = 4096})
row("ring", gen.ring {n = 4677, weights = "i32", lo = 1, hi = 1})
row("complete", gen.complete {4677, weights = "i32", lo = 1, hi = 1})
