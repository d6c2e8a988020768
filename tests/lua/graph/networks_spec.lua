-- Network statistics: weakly connected components, PageRank, triangles, neighbours; each compared with a loop in
-- this file and with the sequential reference, and checked by its certificate.

local prove_network = import "graph/certificate_network"

local shapes = {
  nothing = graph.from_edges {n = 0}, ["one vertex"] = graph.from_edges {n = 1}, loop = graph.from_edges {{0, 0}},
  ["lone vertices"] = graph.from_edges {n = 5},
  ["parallel edges"] = graph.from_edges {{0, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 2}, {2, 0}},
  ["a ring"] = gen.ring {n = 300}, ["a path"] = gen.path {n = 300}, star = gen.star {n = 300},
  ["an inward star"] = gen.star {n = 300, inward = true}, ["many rings"] = gen.copies(gen.ring {n = 3}, 200),
  ["a path numbered backward"] = gen.path(200):reverse(), complete = gen.complete {n = 20}, wheel = gen.star(30):symmetrize(),
  ["negative weights"] = graph.from_edges {n = 6, {0, 1, -5}, {1, 2, -1 << 40}, {2, 0, 9}, {4, 3, 1 << 40}},
  ["two-way streets"] = gen.grid {9, 9},
}
for seed = 1, sized(12, 3) do
  shapes["uniform " .. seed] = gen.uniform {n = 60, m = 20 * seed, seed = seed}
  shapes["R-MAT " .. seed] = gen.rmat {scale = 6, degree = 1 + seed % 5, seed = seed}
  shapes["a permuted grid " .. seed] = gen.grid({8, 9, one_way = 0.7, seed = seed}):permute(seed)
end

-- Weakly connected components by merging sets.
local function joined(g)
  local next = {}
  for v = 0, g.n - 1 do next[v] = {} end
  for v = 0, g.n - 1 do
    for t in g:edges(v) do next[v][t], next[t][v] = true, true end
  end
  return next
end

local function least_vertices(g)
  local next, id, count = joined(g), {}, 0
  for first = 0, g.n - 1 do
    if not id[first] then
      count = count + 1
      local stack = {first}
      id[first] = first
      while #stack > 0 do
        for t in pairs(next[table.remove(stack)]) do
          if not id[t] then
            id[t] = first
            stack[#stack + 1] = t
          end
        end
      end
    end
  end
  return id, count
end

local function corners_of(g)
  local next, at = joined(g), {}
  for v = 0, g.n - 1 do at[v] = 0 end
  for u in pairs(next) do
    for v in pairs(next[u]) do
      for w in pairs(next[v]) do
        if u < v and v < w and next[u][w] then at[u], at[v], at[w] = at[u] + 1, at[v] + 1, at[w] + 1 end
      end
    end
  end
  return at
end

-- PageRank by its definition: many steps of the random walk.
local function walked(g, damping, steps)
  local rank = {}
  for v = 0, g.n - 1 do rank[v] = 1 / g.n end
  for _ = 1, steps do
    local next, dangling = {}, 0
    for v = 0, g.n - 1 do next[v] = 0 end
    for v = 0, g.n - 1 do
      local d = g:degree(v)
      if d == 0 then dangling = dangling + rank[v] end
      for t in g:edges(v) do next[t] = next[t] + rank[v] / d end
    end
    for v = 0, g.n - 1 do next[v] = (1 - damping) / g.n + damping * (next[v] + dangling / g.n) end
    rank = next
  end
  return rank
end

local function by_vertex(b)
  local t = {}
  for v = 0, #b - 1 do t[v] = b[v] end
  return t
end

local ranks = {} -- for each shape, the ranks computed on the first device

for _, name in ipairs(processors) do
  describe("on " .. name .. ",", function()
    device(name)
    for shape, g in pairs(shapes) do
      it("components of " .. shape, function()
        local r
        local want, count = least_vertices(g)
        for _, form in ipairs {"hook", "unite"} do
          r = components(g, {form = form})
          equal({r.count, r.kind, r.variant, by_vertex(r.id)}, {count, "components", form, want})
        end
        local id, known = reference.components(g)
        equal({by_vertex(id), known}, {want, count})
        equal(r.count, g:stats().weak)
        equal(#r.sizes, count)
        equal(check(r), true)
      end)
      it("triangles of " .. shape, function()
        local r, want = triangles(g, {form = "merge"}), corners_of(g)
        equal(triangles(g, {form = "hash"}).count, r.count)
        equal(by_vertex(r.at), want)
        equal(by_vertex(reference.triangles(g)), want)
        local sum = 0
        for _, x in pairs(want) do sum = sum + x end
        equal(r.count, sum // 3)
        equal(check(r), true)
      end)
      it("PageRank of " .. shape, function()
        for _, damping in ipairs {0.85, 0.5, 0} do
          local r = pagerank(g, {damping = damping})
          equal({check(r), r.converged}, {true, true})
          local want, known = walked(g, damping, 60), reference.pagerank(g, damping)
          for v = 0, g.n - 1 do
            assert(math.abs(r.rank[v] - want[v]) <= 2 * damping ^ 60 + 1e-9, "a rank")
            assert(math.abs(r.rank[v] - known[v]) <= 1e-9, "not the reference's rank")
          end
          assert(g.n == 0 or math.abs(r.rank:sum() - 1) < 1e-12, "the sum")
          local key = shape .. damping
          ranks[key] = ranks[key] or r.rank:totable()
          equal(r.rank:totable(), ranks[key]) -- the same bits, whatever the number of threads
          if device().processor == "cpu" then
            local q = pagerank(g, {damping = damping, form = "gauss_seidel"})
            equal({check(q, {route = "host"}), check(q, {route = "device"}), q.converged, q.variant}, {true, true, true, "gauss_seidel"})
            for v = 0, g.n - 1 do assert(math.abs(q.rank[v] - known[v]) <= 1e-9, "not the reference's rank in Gauss-Seidel order") end
          end
        end
      end)
    end
  end)
end
device("auto")

describe("a result", function()
  local g = graph.from_edges {{0, 1}, {2, 1}, {0, 2}, {3, 1}, {5, 4}}
  it("of components is refused once it is wrong", function()
    local r = components(g)
    r.id[5] = 0
    raises("components: the edge 5 -> 4 joins vertices of the labels 0 and 4", check, r)
    r.id[4] = 0
    raises("components: 0 and 4 have the label 0, but no path joins them", check, r)
    r = components(g)
    for v = 0, 3 do r.id[v] = 3 end
    raises("components: vertex 0 has the label 3, but the least vertex of its component is 0", check, r)
    r = components(g)
    r.count = 3
    raises("r.count: expected 2, got 3", check, r)
    r = components(g)
    r.sizes = buffer.new("u32", {3, 3})
    raises("r.sizes are not the sizes of the components", check, r)
    equal(tostring(components(g)),
      "2 weakly connected components of 6 vertices\n          1 of 4 vertices\n          1 of 2 vertices")
  end)
  it("of pagerank is refused once it is wrong", function()
    local r = pagerank(g)
    r.rank[1], r.rank[2] = r.rank[2], r.rank[1]
    raises("a step of the walk changes the ranks by", check, r)
    r = pagerank(g)
    r.rank[3] = -r.rank[3]
    raises("pagerank: the rank of vertex 3 is -", check, r)
    r = pagerank(g)
    r.rank[3] = 0.9
    raises("pagerank: the ranks add up to", check, r)
    raises("a step of the walk changes the rank of vertex 3 most, from 0.9", check, r)
    r.rank[3] = 0 / 0
    raises("pagerank: the rank of vertex 3 is ", check, r)
    r = pagerank(g, {max_iterations = 2})
    equal({r.iterations, r.converged}, {2, false})
    raises("the ranks had not settled when max_iterations ended the run", check, r)
    assert(tostring(r):find("NOT settled after 2 iterations", 1, true))
    r = pagerank(g)
    r.damping = 0.5
    raises("a step of the walk changes the ranks by", check, r)
  end)
  it("of triangles is refused once it is wrong", function()
    local r = triangles(g)
    equal({r.count, by_vertex(r.at)}, {1, {[0] = 1, 1, 1, 0, 0, 0}})
    r.at[4] = 3
    raises("triangles: vertex 4 has the count 3, but is a corner of 0", check, r)
    r = triangles(g)
    r.count = 2
    raises("r.count: expected 1, got 2", check, r)
  end)
  it("lists its greatest", function()
    local r = pagerank(g)
    local top = r:top(2)
    equal({#top, top[1].vertex}, {2, 1})
    assert(top[1].rank == r.rank:max() and top[2].rank <= top[1].rank)
    equal(triangles(g):top(1), {{vertex = 0, triangles = 1}})
    equal(#r:top(), 6)
    equal(tostring(triangles(g):top(2)), "vertex  triangles\n     0  1\n     1  1")
    equal(r:top(0), {})
    raises("top: expected the number of elements, a whole number from 0 on, got -1", r.top, r, -1)
    raises("top: expected the number of elements, a whole number from 0 on, got 1.5", r.top, r, 1.5)
  end)
end)

it("a rank is known where it can be computed by hand", function()
  -- 0 -> 1, and 1 has no successor: y0 = 1, y1 = 1 + d
  local r = pagerank(graph.from_edges {{0, 1}}, {damping = 0.5})
  equal(r.rank:totable(), {1 / 2.5, 1.5 / 2.5})
  equal(pagerank(gen.ring {4}).rank:totable(), {0.25, 0.25, 0.25, 0.25})
end)

it("ranks summed in pieces have the same bits", function()
  local star, halves = {}, {n = 400}
  for v = 1, 5000 do star[v] = {v, 0} end
  for i = 0, 128 do halves[i + 1] = {i, 300 + i // 65} end -- vertex 300 has 65 in-edges, 301 has 64
  for _, g in ipairs {gen.rmat {scale = 11, degree = 16, seed = 1}, gen.uniform {n = 500, degree = 90, seed = 2}, graph.from_edges(star),
    graph.from_edges(halves), graph.from_edges {n = 5}, graph.from_edges {n = 0}, graph.from_edges {{0, 0}, {0, 1}, {0, 1}}} do
    local function started()
      local s = state.pagerank(g)
      s.damping[0], s.tolerance[0] = 0.85, 1e-10
      fill(s.rank, 1.0)
      return s
    end
    local s, pieces = started(), g.n + g.m // 64
    local parts = {pieces = pieces, cut = buffer.new("u32", pieces + 1), part = buffer.new("f64", pieces)}
    rank_cut(g, pieces, parts.cut)
    local passes = named(rank_fix, s, parts).iterations
    local t, iterations = started(), 0
    repeat
      rank_share(t)
      iterations = iterations + 1
    until rank_pull(t) == 0
    equal({passes, s.rank == t.rank}, {iterations, true})
  end
end)

it("Gauss-Seidel order needs fewer iterations", function()
  local g = gen.rmat {scale = 10, degree = 8, seed = 1}
  if device().processor == "cpu" then
    local most = pagerank(g).iterations
    assert(pagerank(g, {form = "gauss_seidel"}).iterations <= 0.7 * most)
    local short = pagerank(g, {form = "gauss_seidel", max_iterations = 2})
    equal({short.iterations, short.converged}, {2, false})
  end
  local path = gen.path {n = 4}
  local s, change = state.pagerank(path), buffer.new("f64", 4)
  s.damping[0] = 0.5
  rank_sweep(s, {change = change})
  equal({s.rank[0], change[0]}, {1.0, 1.0})
  equal(s.share[3], 0.0) -- no out-edges
end)

it("a rank that falls has not settled either", function()
  local s = state.pagerank(gen.ring {n = 4})
  s.damping[0], s.tolerance[0] = 0.5, 1e-9
  fill(s.rank, 6.0)
  rank_share(s)
  equal(rank_pull(s), 4)
  equal(s.rank:totable(), {4.0, 4.0, 4.0, 4.0})
  fill(s.rank, 2.0)
  rank_share(s)
  equal(rank_pull(s), 0)
end)

it("what is wrong is refused", function()
  local g = gen.ring {5}
  for _, f in ipairs {components, pagerank, triangles} do raises("expected a graph, got number", f, 5) end
  raises("form", pagerank, g, {form = "seidel"})
  raises("pagerank: damping is 1, expected a number from 0 to less than 1", pagerank, g, {damping = 1})
  raises("pagerank: damping is -0.5, expected", pagerank, g, {damping = -0.5})
  raises("expected a number from 0 to less than 1", pagerank, g, {damping = 0 / 0})
  raises("pagerank: tolerance is 0, expected a number above 0", pagerank, g, {tolerance = 0})
  raises("pagerank: max_iterations is 0, expected a whole number from 1 on", pagerank, g, {max_iterations = 0})
  raises("pagerank: unknown option 'alpha'; its options are damping, form, max_iterations and tolerance", pagerank, g, {alpha = 0.85})
  raises("argument 2: expected u32[5], got u32[4]", reference.check_components, g, buffer.new("u32", 4))
  raises("argument 2: expected a damping from 0 to less than 1", reference.pagerank, g, 2)
end)

describe("a graph", function()
  local g = graph.from_edges {n = 5, {0, 3}, {0, 1}, {0, 3}, {0, 0}, {4, 0}}
  it("names neighbours, each once", function()
    equal(g:neighbors(0), {0, 1, 3})
    equal(g:neighbors(2), {})
    equal(g:reverse():neighbors(0), {0, 4})
    raises("g:neighbors: vertex 5 is not below n = 5", g.neighbors, g, 5)
  end)
  it("knows an edge", function()
    equal({g:has_edge(0, 3), g:has_edge(3, 0), g:has_edge(0, 0), g:has_edge(2, 2)}, {true, false, true, false})
    raises("g:has_edge: vertex 9 is not below n = 5", g.has_edge, g, 0, 9)
    raises("g:has_edge: vertex -1 is not below n = 5", g.has_edge, g, -1, 0)
  end)
end)

describe("buffer:top", function()
  it("lists the greatest, of equal ones the lower index first", function()
    local b = buffer.new("i64", {3, -1, 7, 7, 0})
    equal(b:top(3), {{i = 2, x = 7}, {i = 3, x = 7}, {i = 0, x = 3}})
    equal(#b:top(), 5)
    equal(b:top(0), {})
    equal(buffer.new("f64", 0):top(), {})
    raises("the count must not be negative", b.top, b, -1)
  end)
  it("passes over what is not a number", function()
    local top = buffer.new("f64", {0 / 0, 1.0, 1 / 0, -1 / 0}):top(9)
    equal({#top, top[1].i, top[3].i}, {3, 2, 3})
  end)
  it("sorts as table.sort does", function()
    local b, list, seed = buffer.new("i32", 500), {}, 7
    for i = 0, 499 do
      seed = (seed * 1103515245 + 12345) % 2147483648
      b[i] = seed % 40
      list[i + 1] = {i = i, x = b[i]}
    end
    table.sort(list, function(p, q) return p.x > q.x or (p.x == q.x and p.i < q.i) end)
    for _, k in ipairs {1, 2, 77, 500} do equal(b:top(k), table.move(list, 1, k, 1, {})) end
  end)
end)

it("a run can be stepped, and finds the same", function()
  local g = gen.rmat {scale = 6, degree = 3, seed = 2}
  local free = {components(g).id:totable(), triangles(g).at:totable(), pagerank(g).rank:totable()}
  for i, f in ipairs {components, triangles, pagerank} do
    local field = ({"id", "at", "rank"})[i]
    local was = session.stepped
    session.stepped = function() return true end
    local ok, r = pcall(f, g)
    session.stepped = was
    assert(ok, r)
    equal(r[field]:totable(), free[i])
  end
end)

it("every kernel does the same on two devices", function()
  local graphs = {gen.rmat {scale = 7, degree = 4, seed = 3}, gen.grid {20, 20, one_way = 0.6}, gen.star {n = 400},
    gen.uniform {n = 300, m = 250}}
  for _, g in ipairs(graphs) do
    compare("cpu", "cpu:1")
    local ok, why = pcall(function()
      for _, f in ipairs {components, pagerank, triangles} do equal(check(f(g)), true) end
    end)
    compare(false)
    assert(ok, why)
  end
end)

local function complete(n)
  for _, form in ipairs {"merge", "hash"} do equal(triangles(gen.complete {n = n}, {form = form}).count, n * (n - 1) * (n - 2) // 6) end
end
long("triangles of rows that fill a hash table more than once", function() complete(sized(2100, 500)) end)
-- Triangles of vertices 0 and 1, joined to each other and to k others, whose degree k + 100 other vertices raise; each edge is there
-- `times` times.
local function great_neighbours(k, times)
  local each = 1 + 2 * k + k * (k + 100)
  local from, to = buffer.new("u32", times * each), buffer.new("u32", times * each)
  for t = 0, times - 1 do
    local at = t * each
    from[at], to[at] = 0, 1
    for i = 1, 2 * k do from[at + i], to[at + i] = (i - 1) // k, 2 + (i - 1) % k end
    for i = 0, k * (k + 100) - 1 do from[at + 1 + 2 * k + i], to[at + 1 + 2 * k + i] = 2 + k + i // k, 2 + i % k end
  end
  local r = triangles(graph.from_edges(2 + k + k + 100, from, to), {form = "hash"})
  equal({r.count, r.at[0], r.at[1], r.at[2], r.at[1 + k], r.at[2 + k], r.at:sum()}, {k, k, k, 1, 1, 0, 3 * k})
  equal(prove_network.triangles(r.graph, r.at), true)
  r.at[1 + k] = 0
  equal(prove_network.triangles(r.graph, r.at), false)
end
it("triangles and their proof, of a vertex with many parallel edges to neighbours of greater degree", function() great_neighbours(400, 3) end)
long("triangles and their proof, of a vertex with very many neighbours of greater degree", function()
  great_neighbours(sized(2100, 300), 1)
end)
it("triangles of rows of any length", function()
  complete(66)
  complete(300)
  for n = 60, 130, 7 do
    local r = triangles(gen.complete {n = n}, {form = "hash"})
    equal(r.at:totable(), buffer.new("i64", n):fill((n - 1) * (n - 2) // 2):totable())
    equal(prove_network.triangles(r.graph, r.at), true)
    r.at[n // 2] = 1
    equal(prove_network.triangles(r.graph, r.at), false)
  end
  local g = gen.rmat {scale = 10, degree = 30, seed = 3}
  local r = triangles(g, {form = "hash"})
  equal(r.count, triangles(g, {form = "merge"}).at:sum() // 3)
  equal(r.at:diff(reference.triangles(g)), 0)
  equal(prove_network.triangles(g, r.at), true)
end)

describe("checks of components by two routes", function()
  -- The verdicts of both routes on a result: true, or the error message.
  local function routes(r)
    local out = {}
    for i, way in ipairs {"device", "host"} do
      local good, why = pcall(check, r, {route = way})
      out[i] = good and why or tostring(why)
    end
    return out[1], out[2]
  end
  local changes = sized(40, 8)
  local shapes = {
    gen.rmat {scale = 7, degree = 2, seed = 1}, gen.uniform {n = 90, degree = 2, seed = 2}, gen.ring {n = 30}, gen.path {n = 30},
    gen.copies(gen.ring {n = 3}, 20), gen.dag {n = 60, m = 200, seed = 1}, graph.from_edges {n = 0}, graph.from_edges {n = 1},
    graph.from_edges {{0, 0}, {0, 1}, {1, 0}, {1, 0}, {2, 2}, {3, 1}}, gen.grid {8, 8, one_way = 0.7, seed = 3},
  }
  for _, f in ipairs {scc, components} do
    for s, g in ipairs(shapes) do
      it(f == scc and "scc" or "components" .. ", shape " .. s, function()
        local r = f(g)
        equal({routes(r)}, {true, true})
        local refused = 0
        for seed = 1, g.n > 1 and changes or 0 do -- changes one or two labels
          local b, changed = r.id:copy(), {}
          for key, value in pairs(r) do changed[key] = value end
          for k = 1, 1 + seed % 2 do
            local from = (seed * 104729 + k * 17) % g.n
            b[(seed * 7919 + k * 31) % g.n] = seed % 3 == 0 and from or b[from]
          end
          changed.id = b
          local one, other = routes(setmetatable(changed, getmetatable(r)))
          equal(one, other)
          refused = refused + (one ~= true and 1 or 0)
        end
        assert(g.n < 2 or refused > changes // 8, "hardly any change is refused")
      end)
    end
  end
end)
