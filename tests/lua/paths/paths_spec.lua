-- sssp and fw: four types, overflowing sums, negative edges and cycles, unreachable vertices.
local FAR = {i32 = 0x7fffffff, i64 = math.maxinteger, f32 = math.huge, f64 = math.huge}

for _, name in ipairs(processors) do
  describe("on " .. name .. ",", function()
    device(name)
    for _, kind in ipairs {"i32", "i64", "f32", "f64"} do
      local x = kind:sub(1, 1) == "f" and 0.5 or 1
      it("distances of " .. kind, function()
        local g = graph.from_edges {n = 6, weights = kind, {0, 1, 4 * x}, {0, 2, x}, {2, 1, -2 * x}, {1, 3, 5 * x}, {3, 3, x}, {4, 0, x}, {3, 1, 0 * x}}
        local r = sssp(g, 0)
        equal({r.dist.dtype, r.kind, r.source}, {kind, "sssp", 0})
        for v, d in pairs {[0] = 0, -x, x, 4 * x, FAR[kind], FAR[kind]} do assert(r.dist[v] == d) end
        equal({r.parent[1], r.parent[2], r.parent[3], r.parent[0], r.parent[4]}, {2, 0, 1, 0xffffffff, 0xffffffff})
        equal(check(r), true)
        local m = fw(g)
        equal(m.matrix.dtype, kind)
        assert(m:get(4, 3) == 5 * x and m:get(3, 1) == 0 and m:get(1, 0) == FAR[kind] and m:get(5, 5) == 0)
        equal(check(m), true)
      end)
      it("a negative cycle in " .. kind, function()
        local g = graph.from_edges {weights = kind, {0, 1, 2 * x}, {1, 2, -3 * x}, {2, 1, 2 * x}, {3, 0, x}}
        raises("sssp: a cycle of negative weight is reachable from 3", sssp, g, 3)
        raises("lies on a cycle of negative weight", fw, g)
        raises("a cycle of negative weight is reachable from 0", sssp, graph.from_edges {weights = kind, {0, 0, -x}}, 0)
        -- a negative cycle that is unreachable does not matter
        local away = graph.from_edges {weights = kind, {0, 1, x}, {2, 3, -x}, {3, 2, -x}}
        equal(check(sssp(away, 0)), true)
      end)
      it("cycles of weight zero in " .. kind, function()
        local g = graph.from_edges {weights = kind, {0, 1, 0}, {1, 2, 0}, {2, 0, 0}, {2, 2, 0}, {2, 3, x}, {3, 4, -x}, {4, 3, x}}
        local r = sssp(g, 1)
        equal(check(r), true)
        for v = 0, 4 do -- the parents lead to the source
          local at, steps = v, 0
          while at ~= 1 and steps < 9 do at, steps = r.parent[at], steps + 1 end
          equal(at, 1)
        end
        equal(check(fw(g)), true)
        for seed = 1, 6 do
          local z = gen.uniform {n = 300, m = 900, seed = seed, weights = kind, lo = 0, hi = 1}
          equal(check(sssp(z, seed)), true)
        end
      end)
      it("many vertices in " .. kind, function()
        for seed = 1, 3 do
          local g = gen.uniform {n = 9000, m = 36000, seed = seed, weights = kind, lo = 1, hi = 1000}
          local r, dist = sssp(g, 8999), reference.dijkstra(g, 8999)
          equal(check(r), true)
          local far = dist.dtype == "i64" and math.maxinteger or math.huge
          for v = 0, g.n - 1, 11 do
            local want = dist[v]
            assert(want == far and r.dist[v] == FAR[kind] or math.abs(r.dist[v] - want) <= 1e-4 * want)
          end
          local dag = gen.dag {n = 9000, m = 20000, seed = seed, weights = kind, lo = -50, hi = 50}
          equal(check(sssp(dag, dag:stats().out_degree.top)), true)
        end
      end)
      it("all pairs in " .. kind .. ", at the tiles' edges", function()
        for _, n in ipairs {1, 2, 31, 32, 33, 64, 65, 100} do
          local g = gen.uniform {n = n, m = 3 * n, seed = n, weights = kind, lo = 1, hi = 9}
          local r = fw(g)
          equal(check(r), true)
          for s = 0, n - 1, n // 4 + 1 do
            local row = sssp(g, s)
            for v = 0, n - 1 do -- floating-point numbers are summed in another order
              local a, b = r:get(s, v), row.dist[v]
              assert(a == b or math.abs(a - b) <= (kind == "f32" and 1e-5 or kind == "f64" and 1e-12 or 0) * b)
            end
          end
        end
      end)
    end
    it("sums of i32 that leave 32 bits go on in 64", function()
      local big = 2000000000
      local g = graph.from_edges {weights = "i32", {0, 1, big}, {1, 2, big}, {2, 3, -big}, {0, 4, 147483646}, {1, 4, 5}}
      local r = sssp(g, 0)
      equal(r.dist.dtype, "i64")
      equal(r.dist:totable(), {0, big, 2 * big, big, 147483646})
      equal(check(r), true)
      local m = fw(g)
      equal({m.matrix.dtype, m:get(0, 2), m:get(0, 3), m:get(3, 0)}, {"i64", 2 * big, big, math.maxinteger})
      equal(check(m), true)
      local low = graph.from_edges {weights = "i32", {0, 1, -big}, {1, 2, -big}}
      equal(sssp(low, 0).dist:totable(), {0, -big, -2 * big})
      equal(fw(low):get(0, 2), -2 * big)
      -- maximum - 1 is a distance; the maximum means "no path", so such a sum is computed in 64 bits
      local most = graph.from_edges {weights = "i32", {0, 1, 0x7ffffffd}, {1, 2, 1}}
      equal({sssp(most, 0).dist.dtype, sssp(most, 0).dist[2]}, {"i32", 0x7ffffffe})
      for _, edges in ipairs {{{0, 1, 0x7fffffff}}, {{0, 2, 0x7ffffffe}, {2, 1, 1}}, {{0, 2, -1}, {2, 3, 0x7fffffff}, {3, 1, 1}}} do
        edges.weights = "i32"
        local e = graph.from_edges(edges)
        local one, all = sssp(e, 0), fw(e)
        equal({one.dist.dtype, one.dist[1], one.parent[1] < e.n, check(one)}, {"i64", 0x7fffffff, true, true})
        equal({all.matrix.dtype, all:get(0, 1), check(all)}, {"i64", 0x7fffffff, true})
      end
      -- a weight may be the type's maximum, as long as no distance is
      local lower = graph.from_edges {weights = "i32", {0, 1, -1}, {1, 2, 0x7fffffff}}
      equal({sssp(lower, 0).dist.dtype, sssp(lower, 0).dist[2], check(sssp(lower, 0))}, {"i32", 0x7ffffffe, true})
    end)
    it("sums of f32 that leave f32 go on in f64, those that leave f64 are an error", function()
      for _, sign in ipairs {1, -1} do
        local x = sign * 3e38
        local g = graph.from_edges {weights = "f32", {0, 1, x}, {1, 2, x}, {2, 3, -x}}
        local r, m = sssp(g, 0), fw(g)
        x = g.w[0]
        equal({r.dist.dtype, r.dist:totable(), check(r)}, {"f64", {0.0, x, 2 * x, x}, true})
        equal({m.matrix.dtype, m:get(0, 2), check(m)}, {"f64", 2 * x, true})
        local y = sign * 1.7e308
        local h = graph.from_edges {{0, 1, y}, {1, 2, y}}
        raises("sssp: a sum overflowed f64: distances are at most 1.8e308", sssp, h, 0)
        raises("fw: a sum overflowed f64: distances are at most 1.8e308", fw, h)
        raises(sign > 0 and "does not fit f64" or "below", reference.dijkstra, h, 0)
        raises("the distance from 0 to 2 does not fit f64", reference.floyd_warshall, h)
        raises("the distance from 0 to 2 does not fit f32", reference.floyd_warshall, g)
      end
      equal(sssp(graph.from_edges {{0, 1, 1.7e308}}).dist[1], 1.7e308)
      -- a sum that falls without bound is reported as a negative cycle, not as an overflow
      local down = graph.from_edges {{0, 1, -1.7e308}, {1, 0, -1.7e308}}
      raises("sssp: a cycle of negative weight is reachable from 0: ", sssp, down, 0)
      raises("lies on a cycle of negative weight: ", fw, down)
    end)
    it("sums that leave 64 bits are an error", function()
      local half = 1 << 62
      local g = graph.from_edges {weights = "i64", {0, 1, half}, {1, 2, half}, {2, 0, 1}}
      raises("sssp: a sum overflowed 64 bits", sssp, g, 0)
      raises("fw: a sum overflowed 64 bits", fw, g)
      local most = graph.from_edges {{0, 1, math.maxinteger}}
      raises("sssp: a sum overflowed 64 bits: distances are at most 2^63 - 2", sssp, most, 0)
      raises("fw: a sum overflowed 64 bits: distances are at most 2^63 - 2", fw, most)
    end)
    it("a negative cycle is named, however dense the graph", function()
      for _, kind in ipairs {"i32", "i64", "f32", "f64"} do
        local g = gen.complete {60, lo = -100, hi = 5, seed = 3, weights = kind}
        for _, f in ipairs {sssp, fw, reference.dijkstra, reference.floyd_warshall} do
          local good, why = pcall(f, g, (f == sssp or f == reference.dijkstra) and 0 or nil)
          assert(not good and why:find("negative"), why)
          local sum, last, first = 0, nil, nil
          for v in why:match("%d+ %->[ %d%->]*%d"):gmatch("%d+") do
            v = tonumber(v)
            if last then
              for to, w in g:edges(last) do
                if to == v then sum = sum + w end
              end
            end
            first, last = first or v, v
          end
          assert(first == last and sum < 0, why)
        end
      end
    end)
    it("a negative cycle that rounding hides is found by the check, and by the references", function()
      local g = graph.from_edges {{0, 1, 1e17}, {1, 2, -1.0}, {2, 1, 0.5}}
      raises("1 -> 2 -> 1 (2 edges) weighs -0.5", function() return check(sssp(g, 0)) end)
      raises("1 -> 2 -> 1 (2 edges) weighs -0.5", reference.dijkstra, g, 0)
      raises("1 -> 2 -> 1 (2 edges) weighs -0.5", reference.bellman_ford, g, 0)
      local h = graph.from_edges {{0, 1, 1e17}, {1, 2, -1.0}, {2, 0, -1e17}} -- the weight is negative only in exact arithmetic
      raises("0 -> 1 -> 2 -> 0 (3 edges) weighs -1", function() return check(fw(h)) end)
      raises("(3 edges) weighs -1", reference.floyd_warshall, h)
      local same = graph.from_edges {{0, 1, 1e17}, {1, 2, -1.0}, {2, 1, 1.0}} -- a cycle of weight 0
      equal({check(sssp(same, 0)), check(fw(same))}, {true, true})
    end)
    it("edges without weights count 1", function()
      local r = sssp(gen.path {n = 3000}, 0)
      equal({r.dist[2999], r.parent[2999]}, {2999, 2998})
      equal(check(r), true)
    end)
  end)
end
device("auto")

it("reference.negative_cycle names one", function()
  local g = graph.from_edges {{0, 1, 3}, {1, 2, -4}, {2, 1, 3}, {3, 0, -9}, {4, 4, -7}}
  equal({reference.negative_cycle(g, 0)}, {1, "1 -> 2 -> 1 (2 edges) weighs -1"})
  equal({reference.negative_cycle(g, 4)}, {4, "4 -> 4 (1 edge) weighs -7"})
  equal({reference.negative_cycle(gen.path(4))}, {})
  local long = {{19, 0, -2.5}}
  for v = 0, 18 do long[v + 2] = {v, v + 1, 0.125} end
  local _, text = reference.negative_cycle(graph.from_edges(long))
  assert(text:find("^%.%.%. %-> .* %(20 edges%) weighs %-0%.125$"), text)
  raises("cannot be decided in 128 bits", reference.negative_cycle, graph.from_edges {{0, 1, 1e300}, {1, 2, -1e-300}, {2, 1, 1e-300}})
  raises("vertex 5 is not in 0 .. 4", reference.negative_cycle, g, 5)
end)

it("a result prints and has its fields", function()
  local r = sssp(graph.from_edges {n = 4, {0, 1, 3}, {1, 2, 4}}, 0)
  assert(tostring(r):find("distances from 0: 3 of 4 vertices reached", 1, true), tostring(r))
  assert(tostring(fw(graph.from_edges {{0, 1, 3}})):find("2 vertices (i32)", 1, true))
end)

it("what is no graph is refused", function()
  raises("sssp: expected a graph, got number", sssp, 5)
  raises("fw: expected a graph, got nil", fw)
end)

it("a source that is none is refused", function()
  local g = graph.from_edges {{0, 1, 3}}
  for _, s in ipairs {2, -1, 0.5} do raises(("the source %s is not a vertex of 0 .. 1"):format(s), sssp, g, s) end
  raises("the source 'x' is not a vertex of 0 .. 1; expected a vertex's number, got a text", sssp, g, "x")
  equal(sssp(g).source, 0)
end)
