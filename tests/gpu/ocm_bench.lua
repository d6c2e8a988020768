-- The figures of Barnat et al. 2011 anew: policy iteration on state spaces without and with a server, and on the graphs
-- on which the paper's code lost, against the sequential references on this machine's CPU.
-- lockstep tests/gpu/ocm_bench.lua [runs] [largest n]
local runs, largest = tonumber(arg[1]) or 10, tonumber(arg[2]) or 3000000

local function clients(k, lengths, server)
  math.randomseed(7)
  local t = {server = server}
  for i = 1, k do
    local s = {name = "client" .. i, count = 1}
    for a = 1, lengths[(i - 1) % #lengths + 1] do
      s[a] = {"a" .. a, math.random(1, 100), server = (a == 2 or a == 3) or nil}
    end
    t[i] = s
  end
  return gen.clients(t)
end

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

-- Seconds from the first launch to the end of the last, and the sum of the kernels'.
local function device_time(f)
  trace.reset()
  local r = f()
  local first, last, busy = math.huge, 0, 0
  for _, x in ipairs(trace.last(100000)) do
    first, last, busy = math.min(first, x.begin), math.max(last, x.begin + x.time), busy + x.time
  end
  return last - first, busy, r
end

-- Of one thread: processor time.
local function seconds(f)
  local t = os.clock()
  local r = f()
  return os.clock() - t, r
end

print(device().name, device().model)
print(("%-34s %9s %10s %9s %9s %9s %9s %4s %8s %8s"):format("graph", "n", "m", "ocm ms", "kernels", "howard s", "yto s", "it", "/howard", "/yto"))
-- How many passes over the edges there were.
local function iterations_of()
  local passes = 0
  for _, x in ipairs(trace.last(100000)) do passes = passes + (x.kernel == "policy_improve" and 1 or 0) end
  return passes
end
local function measure(name, g, options)
  ocm(g, options)
  local times, busies, r = {}, {}, nil
  for i = 1, runs do
    times[i], busies[i], r = device_time(function() return ocm(g, options) end)
    collectgarbage()
  end
  local iterations = iterations_of()
  local with = {canonical = false, max = options and options.max}
  local howard, a = seconds(function() return reference.howard(g, with) end)
  local yto, b = seconds(function() return reference.yto(g, with) end)
  assert(a.p == r.p and a.q == r.q and b.p == r.p and b.q == r.q, name)
  local t = median(times)
  print(("%-34s %9d %10d %9.2f %9.2f %9.3f %9.3f %4d %8.0f %8.0f"):format(name, g.n, g.m, 1e3 * t, 1e3 * median(busies),
    howard, yto, iterations, howard / t, yto / t))
end

for _, server in ipairs {false, true} do
  for k = 8, 16 do
    local g = clients(k, server and {3, 4, 4} or {3, 3, 4}, server)
    if g.n > largest then break end
    measure((server and "server, " or "free, ") .. k .. " clients", g, {max = true})
  end
end
measure("uniform 1M x 4", gen.uniform {n = 1 << 20, degree = 4, seed = 3, weights = "i32", lo = 1, hi = 1000})
measure("uniform 4M x 4", gen.uniform {n = 1 << 22, degree = 4, seed = 3, weights = "i32", lo = 1, hi = 100000})
measure("grid 2048, weights to 1000", gen.grid {2048, 2048, one_way = 0.5, weights = "i32", lo = 1, hi = 1000})
measure("grid 2048, weights to 10^6", gen.grid {2048, 2048, one_way = 0.5, weights = "i32", lo = 1, hi = 1000000})
measure("rmat 20, weights to 1000", gen.rmat {scale = 20, degree = 16, seed = 1, weights = "i32", lo = 1, hi = 1000})
measure("rmat 20, weights to 10^8", gen.rmat {scale = 20, degree = 16, seed = 1, weights = "i32", lo = 1, hi = 100000000})
print(stats())
