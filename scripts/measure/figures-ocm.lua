-- Measures the figures of Barnat et al. 2011 again: policy iteration on state spaces without and with a server, and on the graphs
-- on which the paper's code lost, against the sequential references on this machine's CPU.
-- lockstep scripts/measure/figures-ocm.lua [runs [largest n [largest n for the references [FOLDER for the plots]]]]
local runs, largest, sequential = tonumber(arg[1]) or 10, tonumber(arg[2]) or 3000000, tonumber(arg[3]) or 4200000
local folder = arg[4]
local here = arg[0]:match("^(.*)/") or "."
local clients = dofile(here .. "/clients.lua")
local common = dofile(here .. "/../paper/common.lua")
local median = common.median

-- Seconds from the first launch to the end of the last, and the sum of the seconds of all kernels.
local function device_time(f)
  trace.reset()
  local r = f()
  local all = common.kernels()
  return 1e-3 * all.ms, 1e-3 * all.sum, r
end

-- The processor time of f, which runs on one thread.
local function seconds(f)
  local t = os.clock()
  local r = f()
  return os.clock() - t, r
end

print(device().name, device().model)
print(("%-34s %9s %10s %9s %9s %4s %9s %9s %8s %8s"):format("graph", "n", "m", "ocm ms", "kernels", "it", "howard s", "yto s", "/howard", "/yto"))
-- The number of passes over the edges in the last run.
local function iterations_of()
  local passes = 0
  for _, x in ipairs(trace.last(100000)) do passes = passes + (x.kernel == "policy_improve" and 1 or 0) end
  return passes
end
local function measure(name, g, options, points)
  ocm(g, options)
  local times, busies, r = {}, {}, nil
  for i = 1, runs do
    times[i], busies[i], r = device_time(function() return ocm(g, options) end)
    collectgarbage()
  end
  local iterations = iterations_of()
  local t = median(times)
  local line = ("%-34s %9d %10d %9.2f %9.2f %4d"):format(name, g.n, g.m, 1e3 * t, 1e3 * median(busies), iterations)
  if g.n <= sequential then
    local with = {canonical = false, max = options and options.max}
    local howard, a = seconds(function() return reference.howard(g, with) end)
    local yto, b = seconds(function() return reference.yto(g, with) end)
    assert(a.p == r.p and a.q == r.q and b.p == r.p and b.q == r.q, name)
    if points then
      local x = g.n * g.m
      for key, value in pairs {["this device"] = t, ["sequential Howard"] = howard, YTO = yto} do
        points[key] = points[key] or {x = {}, y = {}, name = key}
        table.insert(points[key].x, x)
        table.insert(points[key].y, value)
      end
    end
    line = line .. (" %9.3f %9.3f %8.0f %8.0f"):format(howard, yto, howard / t, yto / t)
  end
  print(line)
end

-- Figures 3 and 4: seconds plotted against n * m, without and with a server.
local figures = {}
for i, server in ipairs {false, true} do
  figures[i] = {}
  for k = 8, 16 do
    local g = clients(k, server and {3, 4, 4} or {3, 3, 4}, server)
    if g.n > largest then break end
    measure((server and "server, " or "free, ") .. k .. " clients", g, {max = true}, figures[i])
  end
end
for i, points in ipairs(figures) do
  local title = i == 1 and "Figure 3: without a server" or "Figure 4: with a server"
  local lines = {title = title, x = "n * m", y = "seconds", log = "xy", file = folder and ("%s/figure-%d.svg"):format(folder, i + 2)}
  for _, name in ipairs {"this device", "sequential Howard", "YTO"} do lines[#lines + 1] = points[name] end
  if #lines > 0 then plot(lines) end
end
measure("uniform 1M x 4", gen.uniform {n = 1 << 20, degree = 4, seed = 3, weights = "i32", lo = 1, hi = 1000})
measure("uniform 4M x 4", gen.uniform {n = 1 << 22, degree = 4, seed = 3, weights = "i32", lo = 1, hi = 100000})
measure("grid 2048, weights to 1000", gen.grid {2048, 2048, one_way = 0.5, weights = "i32", lo = 1, hi = 1000})
measure("grid 2048, weights to 10^6", gen.grid {2048, 2048, one_way = 0.5, weights = "i32", lo = 1, hi = 1000000})
measure("rmat 20, weights to 1000", gen.rmat {scale = 20, degree = 16, seed = 1, weights = "i32", lo = 1, hi = 1000})
measure("rmat 20, weights to 10^8", gen.rmat {scale = 20, degree = 16, seed = 1, weights = "i32", lo = 1, hi = 100000000})

-- The time of a pass over the edges, with the graph's own vertex numbers and with shuffled ones.
do
  local g = clients(12, {3, 3, 4}, false)
  for _, x in ipairs {{"free, 12 clients", g}, {"the same, shuffled", g:permute(1)}} do
    measure(x[1], x[2], {max = true})
    print(stats())
  end
end

-- The time with each choice of options.
local choices = {
  {"doubling, all components at once", {}}, {"layered", {form = "layered"}},
  {"layered without the summary", {form = "layered", summary = false}}, {"bridged by a Hamiltonian cycle", {components = "bridged"}},
  {"one component after the other", {components = "one by one"}}}
for _, x in ipairs {{"free, 11 clients", clients(11, {3, 3, 4}, false)}, {"server, 12 clients", clients(12, {3, 4, 4}, true)},
    {"uniform 1M x 4", gen.uniform {n = 1 << 20, degree = 4, seed = 3, weights = "i32", lo = 1, hi = 1000}},
    {"1000 copies of uniform 1000 x 4", gen.copies(gen.uniform {n = 1000, degree = 4, seed = 3, weights = "i32", lo = 1, hi = 1000}, 1000)}} do
  print(x[1])
  for _, choice in ipairs(choices) do
    local options = {max = true}
    for key, value in pairs(choice[2]) do options[key] = value end
    if not (choice[2].components == "one by one" and x[1] == "uniform 1M x 4") then -- it has too many components of one vertex
      local times, r = {}, nil
      for i = 1, math.max(1, runs // 3) do
        collectgarbage()
        times[i], _, r = device_time(function() return ocm(x[2], options) end)
      end
      print(("  %-34s %10.2f ms  %s/%s"):format(choice[1], 1e3 * median(times), r.p, r.q))
    end
  end
end
