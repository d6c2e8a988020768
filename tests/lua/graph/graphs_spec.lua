-- Graphs that are built by primitives (lua/graph/graph.lua), compared with graphs that the host builds.
local function same_graph(a, b)
  equal({a.n, a.m, a.weights, a.times}, {b.n, b.m, b.weights, b.times})
  for _, name in ipairs {"off", "to", "w", "t"} do
    local x, y = a[name], b[name]
    assert((x == nil) == (y == nil), name)
    if x then equal({name, x.dtype, (x:diff(y))}, {name, y.dtype, 0}) end
  end
end

-- A random list of edges in buffers, from a linear congruential generator; times are not negative.
local function list(n, m, seed, kind, time)
  local state = seed
  local function draw(k)
    state = (state * 6364136223846793005 + 1442695040888963407) & math.maxinteger
    return (state >> 20) % k
  end
  local src, dst, w, t = {}, {}, {}, {}
  for e = 1, m do src[e], dst[e], w[e], t[e] = draw(n), draw(n), draw(2001) - 1000, draw(50) end
  return n, buffer.new("u32", src), buffer.new("u32", dst), kind and buffer.new(kind, w) or nil, time and buffer.new(time, t) or nil
end

local function both(n, ...)
  local before = device().name
  local made = graph.sort_edges(n, ...)
  device "cpu"
  local host = graph.from_edges(n, ...)
  device(before)
  return made, host
end

describe("graph.sort_edges", function()
  for _, kind in ipairs {"none", "i32", "i64", "f32", "f64"} do
    it("makes the host's graph, weights " .. kind, function()
      for seed, size in ipairs {{1, 1}, {1, 7}, {5, 3}, {100, 1000}, {3000, 500}, {sized(50000, 5000), sized(300000, 20000)}} do
        same_graph(both(list(size[1], size[2], seed, kind ~= "none" and kind or nil, seed % 2 == 0 and (seed % 4 == 0 and "i32" or "i64") or nil)))
      end
    end)
  end
  it("makes a graph that algorithms take, and that cannot be written", function()
    local n, src, dst, w = list(500, 3000, 3, "i32")
    local g = graph.sort_edges(n, src, dst, w)
    equal(check(scc(g)), true)
    raises("belongs to a graph", function() g.to[0] = 1 end)
    equal(g:label(7), 7)
  end)
  it("says what is wrong as graph.from_edges does", function()
    local ends, far = buffer.new("u32", {0, 1}), buffer.new("u32", {0, 2})
    raises("graph.from_edges: edge 2: vertex 2 is not below n = 2", graph.sort_edges, 2, far, ends)
    raises("graph.from_edges: edge 2: vertex 2 is not below n = 2", graph.sort_edges, 2, ends, far)
    raises("graph.from_edges: edge 1: weight inf", graph.sort_edges, 2, ends, ends, buffer.new("f64", {1 / 0, 1}))
    raises("times are not negative", graph.sort_edges, 2, ends, ends, nil, buffer.new("i32", {0, -1}))
    raises("graph.from_edges: the targets", graph.sort_edges, 2, ends, buffer.new("u32", 3))
    raises("lockstep.buffer expected, got number", graph.sort_edges, 2, 7, ends)
    equal(graph.sort_edges(0, buffer.new("u32", 0), buffer.new("u32", 0)).n, 0)
    equal(graph.sort_edges(3, buffer.new("u32", 0), buffer.new("u32", 0)).off:totable(), {0, 0, 0, 0})
  end)
end)

it("graphs are equal by vertices, edges, weights, times and labels", function()
  local function made(change)
    local edges = {n = 4, {0, 1, 5, 1}, {1, 2, 7, 2}, {2, 0, -3, 1}}
    if change then change(edges) end
    return graph.from_edges(edges)
  end
  equal({made() == made(), made() ~= made()}, {true, false})
  local changes = {function(e) e.n = 5 end, function(e) e[3][1] = 3 end, function(e) e[1][2] = 2 end, function(e) e[2][3] = 8 end,
    function(e) e[2][4] = 3 end, function(e) e.weights = "i64" end, function(e) e[4] = {3, 3, 1, 1} end,
    function(e) for i = 1, 3 do e[i][4] = nil end end}
  for _, change in ipairs(changes) do equal(made() == made(change), false) end
  local g = made()
  equal({g:subgraph({0, 1}) == g:subgraph({0, 1}), graph.from_edges {n = 1} == g:subgraph({3})}, {true, false})
  equal({made():subgraph({3}) == g:subgraph({0}), g:reverse():reverse() == g}, {false, true})
end)

describe("a graph without edges", function()
  it("keeps the type of its weights", function()
    for _, kind in ipairs {"i32", "i64", "f32", "f64"} do
      local g = graph.from_edges {n = 5, weights = kind}
      equal({g.n, g.m, g.weights, #g.w, g.rw.dtype}, {5, 0, kind, 0, kind})
      equal(graph.from_edges({}, {n = 5, weights = kind}).weights, kind)
      equal({g:symmetrize().weights, g:subgraph({1}).weights, g:reverse().weights}, {kind, kind, kind})
      local r = sssp(g, 0)
      equal({r.dist.dtype, r.unreached, check(r)}, {kind, algorithm.greatest[kind], true})
      equal({fw(g).matrix.dtype, apsp(g).matrix.dtype, kleene(g).matrix.dtype}, {kind, kind, kind})
    end
    equal(graph.from_edges({n = 5}).weights, nil)
  end)
  it("or whose edges have no weights takes no type for them in silence", function()
    raises('graph.from_edges: weights = "i64", but edge 1 has no weight', graph.from_edges, {weights = "i64", {0, 1}})
  end)
end)

describe("graph.part", function()
  it("is g:subgraph", function()
    local before = device().name
    for seed = 1, 6 do
      local g = graph.sort_edges(list(400, 3000, seed, seed % 2 == 0 and "f32", seed % 3 == 0 and "i32"))
      local mask, order, some = buffer.new("u8", g.n), {}, {}
      for v = 0, g.n - 1 do mask[v] = v * seed % 3 == 0 and 1 or 0 end
      for i = 0, g.n - 1 do order[i + 1] = (i * 7 + seed) % g.n end -- 7 and 400 have no common factor
      for i = 1, 50 do some[i] = order[i] end
      for _, vertices in ipairs {mask, buffer.new("u32", order), some, {}} do
        local part = graph.part(g, vertices)
        device "cpu"
        local want = g:subgraph(vertices)
        device(before)
        same_graph(part, want)
        for v = 0, part.n - 1 do equal(part:label(v), want:label(v)) end
      end
    end
    raises("g:subgraph: vertex 3 is listed twice", graph.part, gen.ring {n = 10}, {1, 3, 3})
    raises("g:subgraph: vertex 10 is not below n = 10", graph.part, gen.ring {n = 10}, {10})
    raises("g:subgraph: a list of vertices", graph.part, gen.ring {n = 10}, "all")
  end)
  it("keeps the names of a part's part", function()
    local g = graph.part(graph.part(gen.ring {n = 10}, {2, 3, 4, 9}), {1, 3})
    equal({g:label(0), g:label(1), g.m}, {3, 9, 0})
  end)
end)
