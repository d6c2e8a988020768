-- Every algorithm on small graphs of every shape and weight type: its result is verified by its certificate and by the reference.
local shapes = {
  {"one vertex", function() return gen.path {n = 1} end},
  {"loops", function() return graph.from_edges {{0, 0}, {0, 0}, {1, 1}} end},
  {"a path", function() return gen.path {n = 300} end},
  {"a ring", function() return gen.ring {n = 300} end},
  {"a star", function() return gen.star {n = 300} end},
  {"an inward star", function() return gen.star {n = 300, inward = true} end},
  {"a complete graph", function() return gen.complete {n = 40} end},
  {"a grid of one-way streets", function() return gen.grid {20, 15, one_way = 0.5, seed = 3} end},
  {"a torus", function() return gen.torus {12, 12, one_way = 1, seed = 3} end},
  {"a DAG", function() return gen.dag {n = 300, degree = 3, seed = 3} end},
  {"copies of a ring", function() return gen.copies(gen.ring {n = 3}, 100) end},
  {"parallel edges", function() return graph.from_edges {{0, 1}, {0, 1}, {1, 2}, {1, 2}, {2, 0}, {2, 3}} end},
}
for seed = 1, 12 do
  shapes[#shapes + 1] = {"random " .. seed, function()
    return gen.uniform {n = 25 * seed, degree = 0.6 + 0.2 * seed, seed = seed}
  end}
end
for _, w in ipairs {"i32", "i64", "f32", "f64"} do
  shapes[#shapes + 1] = {w, function() return gen.rmat {scale = 8, degree = 6, seed = 5, weights = w} end}
  shapes[#shapes + 1] = {w .. " with zeros", function()
    return gen.uniform {n = 90, degree = 3, seed = 6, weights = w, lo = 0, hi = 2}
  end}
end

for _, shape in ipairs(shapes) do
  describe(shape[1], function()
    local g = shape[2]()
    it("has components", function()
      local r = scc(g)
      local _, count = reference.tarjan(g)
      equal(r.count, count)
      equal(check(r), true)
      equal(check(scc.maxima(g)), true)
    end)
    it("has shortest paths", function()
      for s = 0, g.n - 1, g.n // 3 + 1 do
        local r, dist = sssp(g, s), reference.dijkstra(g, s)
        equal(check(r), true)
        equal(reference.check_sssp(g, s, reference.bellman_ford(g, s)), true)
        if dist.dtype == "i64" then
          for v = 0, g.n - 1 do
            local mine = r.dist[v]
            if r.dist.dtype == "i32" and mine == 0x7fffffff then mine = math.maxinteger end
            equal(mine, dist[v])
          end
        end
      end
    end)
    it("has all distances", function() equal(check(fw(g)), true) end)
  end)
end

it("wrong results are refused", function()
  local g = gen.uniform {n = 100, degree = 2, seed = 2, weights = "i32"}
  local r = scc(g)
  local v, u = r.id:find(r.id[0]), r.id:find(function(x) return x ~= r.id[0] end)
  r.id[u] = r.id[v]
  raises("components", check, r)
  local p = sssp(g, 0)
  p.dist[p.dist:find(function(d) return d > 0 end)] = 0
  raises("distances from 0", check, p)
  local m = fw(g)
  m.matrix:set(3, 3, 1)
  raises("the vertex itself has 1", check, m)
end)
