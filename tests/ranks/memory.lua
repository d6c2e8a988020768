-- memory.lua WHAT: a graph or a matrix that two devices have room for and one has not, by --memory. Run by ranks/run, after
-- `memory.lua make` without it, in the same folder.
local what = arg[1]
local cases = {
  make = function()
    local g = gen.uniform {n = 20000, m = 1200000, seed = 1, weights = "i32", lo = 1, hi = 99}
    g:reverse() -- bfs takes in-edges, and then has no need to make them
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
