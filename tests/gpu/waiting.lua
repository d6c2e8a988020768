-- Measures the median times of five kinds of work on a CPU, for tests/gpu/waiting, which varies how long waiting threads spin.
-- lockstep --backend cpu waiting.lua [REPETITIONS]
local times = tonumber((...)) or 7
local function median(what, f)
  f()
  local t = {}
  for i = 1, times do
    local begun = trace.clock()
    f()
    t[i] = trace.clock() - begun
  end
  table.sort(t)
  print(("%-10s %8.1f ms"):format(what, 1e3 * t[(times + 1) // 2]))
end
local function ocm_graph() return gen.rmat {scale = 14, degree = 8, seed = 1, weights = "i32", lo = 1, hi = 1000} end
local grid = gen.grid {1000, 1000, weights = "i32", lo = 1, hi = 100, seed = 1}
local large, model_graph = gen.grid {2000, 2000, weights = "i32", lo = 1, hi = 100, seed = 1}, ocm_graph()
local space = model.load(model.sample "philosophers.dve")
local cell = model.load(model.sample "luo-rudy-1991.ode")
median("bfs", function() bfs(grid, 0) end)
median("sssp", function() sssp(large, 0) end)
median("ocm", function() ocm(model_graph) end)
median("explore", function() for _ = 1, 50 do explore(space) end end)
median("simulate", function() simulate(cell, {stop = 100, dt = 0.01, method = "euler"}) end)
