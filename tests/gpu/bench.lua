-- bench.lua [RUNS [FOLDER]]: the time of scc on the graphs of the table in README.md: device time from the first launch to the end of
-- the last, with the graph in device memory, median of RUNS runs. Writes each graph as FOLDER/NAME.egr for comparison programs.
local runs, folder = tonumber(arg[1] or 9), arg[2]
device.limits()
local graphs = {
  {"rmat20", function() return gen.rmat{scale = 20, degree = 16, seed = 1} end},
  {"rmat22", function() return gen.rmat{scale = 22, degree = 16, seed = 1} end},
  {"grid2048", function() return gen.grid{2048, 2048, one_way = 0.69, seed = 1} end},
  {"uniform4M-4", function() return gen.uniform{n = 4000000, degree = 4, seed = 1} end},
  {"ring1M", function() return gen.ring{n = 1000000} end},
  {"path1M", function() return gen.path{n = 1000000} end},
  {"rings", function() return gen.copies(gen.ring{n = 10}, 100000) end},
  {"torus1024", function() return gen.torus{1024, 1024, one_way = 1, seed = 1} end},
  {"dag", function() return gen.dag{n = 1000000, m = 8000000, seed = 1} end},
  {"uniform4M-16", function() return gen.uniform{n = 4000000, degree = 16, seed = 1} end},
}
for _, item in ipairs(graphs) do
  local name, make = item[1], item[2]
  local g = make()
  if folder then g:save(folder .. "/" .. name .. ".egr") end
  local times, r = {}
  for i = 1, runs + 2 do
    trace.reset()
    r = scc(g)
    local records = trace.last(100000)
    local first, last = math.huge, 0
    for _, x in ipairs(records) do
      first = math.min(first, x.begin)
      last = math.max(last, x.begin + x.time)
    end
    if i > 2 then times[#times + 1] = 1e3 * (last - first) end
    if i < runs + 2 then r = nil; collectgarbage() end
  end
  table.sort(times)
  print(("%-14s n %8d m %9d  components %8d  ms median %8.3f min %8.3f max %8.3f"):format(
    name, g.n, g.m, r.count, times[#times // 2 + 1], times[1], times[#times]))
  print(stats())
  check(r)
  g:close()
end
