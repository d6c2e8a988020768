-- memory.lua WHAT: a graph or a matrix that, with --memory, fits on two devices but not on one. Run by ranks/run in a folder
-- in which `memory.lua make` was run before, without --memory.
local what = arg[1]
local cases = {
  make = function()
    local g = gen.uniform {n = 20000, m = 1200000, seed = 1, weights = "i32", lo = 1, hi = 99}
    g:reverse() -- so that the file has the in-edges that bfs needs
    g:save("large.lsg")
  end,
  scc = function() return scc(graph.load_part("large.lsg")).count end,
  ocm = function() return ocm(graph.load_part("large.lsg")).mean end,
  bfs = function() return bfs(graph.load_part("large.lsg")).passes end,
  sssp = function() return sssp(graph.load_part("large.lsg"), 0).dist:max() end,
  fw = function() return fw(gen.uniform {n = 1100, m = 5000, seed = 1, weights = "i32", lo = 1, hi = 99}).matrix:max() end,
  stripe = function()
    local r = fw.stripe(gen.uniform {n = 1100, m = 5000, seed = 1, weights = "i32", lo = 1, hi = 99}, {tile = 64})
    assert(check(r))
    return ranks.greatest(r.stripe:max())
  end,
}
local result = cases[what]()
if what ~= "make" then print(what, result) end
