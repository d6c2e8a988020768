-- The speed-up by several ranks: each algorithm on rank 0 only, while the others wait, and on all ranks.
--   lockstep --ranks 2 [--backend cuda] scripts/measure/ranks.lua [size, default 1 [seconds, default 120]]
-- A time is the minimum of three wall-clock times of the slowest rank. The ideal ratio is the number of ranks. "exchange" is the share
-- of the time that rank 0 spends in exchanges, including waiting for the others; "MB" is what rank 0 receives in them. size multiplies
-- the numbers of vertices and instances of the first section, and limits the arrays of the last: with 4 the matrices have 32768
-- and 32000 rows, as in the tables of tests/gpu/README.md. A third argument names one section: "matrices" (with ensembles), "states", "graphs", "beside" (how much
-- of the exchanges overlapped with kernels) or "rates" (of exchanges); LOCKSTEP_EXCHANGE in the environment names their route: help ranks.
local size, limit = tonumber(arg[1] or 1), tonumber(arg[2] or 120)
local here = arg[0]:match "^(.*)scripts/measure/" or ""
local begun = trace.clock()
local function wanted(section) return not arg[3] or arg[3] == section end

-- Runs f with a single rank.
local function alone(f)
  local count, rank = ranks.count, ranks.rank
  ranks.count, ranks.rank = 1, 0
  f()
  ranks.count, ranks.rank = count, rank
end

-- Seconds of the slowest rank; and for the same round the seconds that this rank spent in exchanges, and the bytes it received.
local function took(f)
  local best, exchanged, bytes
  for round = 1, 3 do
    collectgarbage()
    ranks.greatest(0) -- barrier: all start together
    stats("reset")
    local from = trace.clock()
    f()
    local mine = ranks.known()[ranks.rank + 1]
    local seconds = ranks.greatest(math.floor((trace.clock() - from) * 1e6)) * 1e-6
    if not best or seconds < best then best, exchanged, bytes = seconds, mine.exchanges, mine.bytes end
    if ranks.greatest(math.floor(trace.clock() - begun)) > limit then break end
  end
  return best, exchanged, bytes
end

-- whole: what a single rank runs, if it differs from f.
local function measure(name, f, whole)
  if ranks.greatest(math.floor(trace.clock() - begun)) > limit then return print(("%-44s left out"):format(name)) end
  local one = took(function()
    if ranks.rank == 0 then alone(whole or f) end
  end)
  local all, exchanged, bytes = took(f)
  print(("%-44s %9.4f %9.4f %6.2f %8.1f %% %9.1f"):format(name, one, all, one / all, 100 * exchanged / all, 1e-6 * bytes))
end

local function scaled(n) return math.max(1, math.floor(n * size)) end

print(("%d ranks by %s, rank 0 on %s"):format(ranks.count, ranks.transport, device().name))
print(("%-44s %9s %9s %6s %10s %9s"):format("", "one, s", "all, s", "ratio", "exchange", "MB"))
for _, n in ipairs(wanted "matrices" and {scaled(2048), scaled(8192)} or {}) do
  local g = gen.uniform {n = n, m = 8 * n, seed = 1, weights = "i32", lo = 1, hi = 1000}
  measure(("Floyd-Warshall, n = %d"):format(n), function() fw(g) end)
  measure(("N-source all pairs, n = %d"):format(n), function() apsp(g, {form = "groups"}) end)
  if on_cpu() then measure(("Dijkstra from all, n = %d"):format(n), function() apsp(g, {form = "dijkstra"}) end) end
end
-- Goto 2011, table 4: how many times as fast two GPUs (case 3) are as one (case 2); matrices are divided by columns
local theirs = ranks.count == 2 and "  (Goto 2011: n = 500, 1000, 2000, 4000: 0.93, 1.62, 2.03, 1.91)" or ""
for _, n in ipairs(wanted "matrices" and {scaled(2000), scaled(8000)} or {}) do
  local d = gen.dag {n = n, m = 8 * n, seed = 1, weights = "f32", lo = 0, hi = 1}
  measure(("Kleene star, n = %d"):format(n), function() kleene(d) end)
end
if wanted "matrices" and theirs ~= "" then print(theirs) end
if wanted "matrices" then
  local cell, instances = model.load(here .. "samples/models/luo-rudy-1991.ode"), scaled(100000)
  measure(("Luo-Rudy, %d instances"):format(instances), function()
    simulate(cell, {instances = instances, sample = {G_Na = uniform(20, 26)}, seed = 1, stop = 500, steps = 1, method = "rodas4", variables = {"V"}})
  end)
end

-- Independent of size: 10^5 vertices on a CPU, 10^7 and more on CUDA.
local function measure_graph(name, g)
  local p, source = g:partition(), 0
  while g:degree(source) < g.m // g.n do source = source + 1 end -- a source of at least average degree
  print(("%s: %d vertices, %d edges, from %d"):format(name, g.n, g.m, source))
  measure("  scc", function() scc(p) end, function() scc(g) end)
  measure("  bfs", function() bfs(p, source) end, function() bfs(g, source) end)
  measure("  sssp", function() sssp(p, source) end, function() sssp(g, source) end)
  measure("  ocm", function() ocm(p) end, function() ocm(g) end)
end
if wanted "graphs" then
  local clients = dofile(here .. "scripts/measure/clients.lua")(on_cpu() and 9 or 14, {3, 3, 4}, false)
  measure_graph("state space", clients)
  measure_graph("state space, permuted", clients:permute(1))
  clients:close()
  measure_graph("R-MAT", gen.rmat {scale = on_cpu() and 17 or 25, degree = 16, seed = 1, weights = "i32", lo = 1, hi = 100})
end

local models = dofile(here .. "tests/lua/large_models.lua")
for _, of in ipairs(not wanted "states" and {} or on_cpu() and {{"counters", 11}, {"philosophers", 12}} or
  {{"counters", 22}, {"philosophers", 17}, {"pipeline", 11}}) do
  local m = models.load(of[1], of[2]) -- independent of size: 10^6 states on a CPU, 10^8 on CUDA
  for _, compiled in ipairs {false, true} do
    local states
    measure(("states of %s %d%s"):format(of[1], of[2], compiled and ", compiled" or ""), function()
      states = explore(m, {edges = false, compiled = compiled}).states
    end)
    if states then print(("  %d states"):format(states)) end
  end
end

-- The times of kernels and exchanges of each rank, and how much of these overlapped.
local function measure_beside(name, f)
  f()
  local seconds = took(f)
  stats("reset")
  local r = f()
  local list, exchanged, beside = ranks.stats(), 0, 0
  for _, of in ipairs(list) do exchanged, beside = exchanged + of.exchanges, beside + of.beside end
  print(("\n%s by %s: %.4f s; of the exchanges' time, waits included, %.0f %% is beside kernels\n%s"):format(name, ranks.route(),
    seconds, 100 * beside / exchanged, list))
  return r.matrix
end
if wanted "beside" and ranks.count > 1 then
  local n = scaled(8192)
  local g = gen.uniform {n = n, m = 8 * n, seed = 1, weights = "i32", lo = 1, hi = 1000}
  local rows = measure_beside(("Floyd-Warshall, n = %d"):format(n), function() return fw(g) end)
  local groups = measure_beside(("N-source all pairs, n = %d"):format(n), function() return apsp(g, {form = "groups"}) end)
  print(("both have the same distances: %s"):format(rows:diff(groups) == 0))
  local d = gen.dag {n = n, m = 8 * n, seed = 1, weights = "f32", lo = 0, hi = 1}
  measure_beside(("Kleene star, n = %d"):format(n), function() return kleene(d) end)
end

-- The time of the row halo if each rank needs all of the others' n elements.
local function halo_of_all(n)
  local first, past = ranks.range(n)
  local all, rest, own = buffer.new("u32", n), n - (past - first), past - first
  numbers(all)
  local lists = {take = buffer.new("u32", rest), take_at = buffer.new("u64", ranks.count + 1),
    give = buffer.new("u32", own * (ranks.count - 1)), give_at = buffer.new("u64", ranks.count + 1)}
  copy_part {x = all, from = 0, count = first, y = lists.take, to = 0}
  copy_part {x = all, from = past, count = n - past, y = lists.take, to = first}
  for i = 0, ranks.count - 2 do copy_part {x = all, from = first, count = own, y = lists.give, to = i * own} end
  for r = 0, ranks.count do
    lists.take_at[r] = r <= ranks.rank and ranks.range(n, r) or (r < ranks.count and ranks.range(n, r) or n) - own
    lists.give_at[r] = own * (r - (r > ranks.rank and 1 or 0))
  end
  return lists
end

if not wanted "rates" then return end
broadcast(buffer.new("f32", 1), 0) -- an exchange, after which their route is known
print(("\nexchanges by %s\n%-16s %12s %9s"):format(ranks.route(), "", "bytes", "GB/s"))
for _, bytes in ipairs {1 << 10, 1 << 20, 1 << 26, 1 << 28} do
  if bytes > 1 << 10 and bytes > size * (1 << 28) then break end
  local x = buffer.new("f32", bytes // 4)
  fill(x, 1)
  local first, past = ranks.range(#x)
  local y, bounds, starts = buffer.new("f32", ranks.count * #x), buffer.new("u64", ranks.count + 1), buffer.new("u64", ranks.count + 1)
  for r = 0, ranks.count do bounds[r] = r < ranks.count and ranks.range(#x, r) or #x end
  local lists = halo_of_all(#x)
  for _, e in ipairs {{"broadcast", function() broadcast(x, 0) end}, {"all_gather", function() all_gather(x, first, past) end},
    {"all_reduce", function() all_reduce(x, 1) end}, {"reduce_scatter", function() reduce_scatter(x, first, past, 1) end},
    {"all_to_all", function() all_to_all(x, bounds, y, starts) end}, {"halo", function() halo(x, lists) end},
    {"halo_reduce", function() halo_reduce(x, 1, lists) end}} do
    local seconds = took(e[2])
    print(("%-16s %12d %9.3f"):format(e[1], bytes, bytes / math.max(seconds, 1e-6) * 1e-9))
  end
  x:close()
  y:close()
end
