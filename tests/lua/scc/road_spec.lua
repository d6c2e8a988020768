-- gen.road: few edges per vertex, connected, a diameter of the order of sqrt(n), travel times the same both ways.
local sqrt = math.sqrt

it("has the degree of USA-road, and about its diameter", function()
  for seed = 1, 3 do
    local n = sized(200000, 40000)
    local g = gen.road {n, seed = seed}
    equal({g.n, g.weights}, {n, nil})
    local degree = g.m / g.n
    assert(math.abs(degree - 2.436) <= 0.05 * 2.436, degree)
    assert(g:stats().out_degree.max <= 8)
    local r = bfs(g, 0) -- from a corner
    equal(r.dist:count(r.unreached), 0)
    assert(r.passes > 1.0 * sqrt(n) and r.passes < 1.6 * sqrt(n), r.passes)
    local middle = bfs(g, n // 2 + math.floor(sqrt(n)) // 2).passes
    assert(middle > 0.5 * sqrt(n) and middle < 1.1 * sqrt(n), middle)
  end
end)

it("is connected, and goes both ways in the same time, whatever its size", function()
  for n = 0, sized(150, 70) do
    local g = gen.road {n, seed = n, lo = 1, hi = 1000}
    equal(g.n, n)
    if n > 0 then equal(bfs(g, 0).dist:count(0xffffffff), 0) end
    local times = {}
    for v = 0, n - 1 do
      for u, w in g:edges(v) do
        assert(u ~= v and not times[v * n + u], "an edge to itself, or a second one")
        assert(w >= 1 and w <= 1000)
        times[v * n + u] = w
      end
    end
    for key, w in pairs(times) do equal(times[key % n * n + key // n], w) end
  end
end)

it("has highways on which a step takes less time than on any street", function()
  local n = 81 * 81
  local g = gen.road {n, seed = 7, weights = "f64", lo = 0, hi = 1}
  local by_highway, by_street = 0, 0
  for v = 0, n - 1 do
    for u, w in g:edges(v) do
      local apart = math.abs(u - v)
      local steps = apart < 81 and apart or apart // 81
      if w < 0.15 * steps then
        by_highway = by_highway + 1
        equal(v % 81 % 8 == 0 and u % 81 == v % 81 or v // 81 % 8 == 0 and u // 81 == v // 81, true)
      else
        assert(w >= 0.2 and steps == 1, w)
        by_street = by_street + 1
      end
    end
  end
  equal(by_highway, 2 * 2 * 11 * 50) -- 11 + 11 highways of 50 edges (5 per 8 of their 80 lattice steps), in both directions
  assert(by_street > by_highway)
end)

it("is the same for a seed, and after it was written and read", function()
  local g = gen.road {2000, seed = 5, weights = "i32", lo = 1, hi = 10000}
  local path = temporary ".gr"
  g:save(path)
  local back = graph.load(path)
  os.remove(path)
  for _, h in ipairs {back, gen.road {n = 2000, seed = 5, weights = "i32", lo = 1, hi = 10000}} do
    equal({h.n, h.m, (h.off:diff(g.off)), (h.to:diff(g.to)), (h.w:diff(g.w))}, {g.n, g.m, 0, 0, 0})
  end
  local other = gen.road {2000, seed = 6, weights = "i32", lo = 1, hi = 10000}
  assert(other.m ~= g.m or other.to:diff(g.to) > 0)
  local r = sssp(g, 0, {parents = true})
  equal(check(r), true)
end)

it("takes what the other generators take, and nothing else", function()
  raises("gen.road: n is missing", gen.road, {})
  raises("gen.road: unknown key 'cols'", gen.road, {n = 5, cols = 3})
  raises("gen.road: n = -1 is not between 0 and 4294967294", gen.road, {n = -1})
end)
