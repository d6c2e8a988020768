-- Shortest paths: every algorithm compared with sequential Dijkstra or Bellman-Ford on degenerate graphs, with four weight types;
-- the options of sssp; errors in the papers' listings.
local certificate = import "base/certificate"
local FAR = {i32 = 0x7fffffff, i64 = math.maxinteger, f32 = math.huge, f64 = math.huge}
local KINDS = {"i32", "i64", "f32", "f64"}


-- Distances from s as Lua numbers; nil for unreached vertices.
local function reference_distances(g, s)
  local d, list = reference.dijkstra(g, s), {}
  local far = d.dtype == "i64" and math.maxinteger or math.huge
  for v = 0, g.n - 1 do list[v] = d[v] ~= far and d[v] or nil end
  return list
end

local function same(name, g, dist, want)
  local far, real = FAR[dist.dtype], dist.dtype == "f32" or dist.dtype == "f64"
  for v = 0, g.n - 1 do
    local d, w = dist[v], want[v]
    local good = w == nil and d == far or w ~= nil and (d == w or real and math.abs(d - w) <= 1e-5 * math.abs(w))
    if not good then error(("%s: vertex %d has %s, expected %s"):format(name, v, d, w or "no path")) end
  end
end

-- Functions that return degenerate graphs of about n vertices, with weights of type w.kind from w.lo to w.hi.
local shapes = {
  function(seed, n, w) return gen.uniform {n = n, m = seed % (3 * n + 1), seed = seed, weights = w.kind, lo = w.lo, hi = w.hi} end,
  function(seed, n, w) return gen.uniform {n = n, m = 6 * n, seed = seed, weights = w.kind, lo = w.lo, hi = w.hi} end,
  function(seed, n, w) return gen.star {n = n + 1, inward = seed % 2 == 0, seed = seed, weights = w.kind, lo = w.lo, hi = w.hi} end,
  function(seed, n, w) return gen.path {n = n, seed = seed, weights = w.kind, lo = w.lo, hi = w.hi} end,
  function(seed, n, w) return gen.ring {n = n, seed = seed, weights = w.kind, lo = w.lo, hi = w.hi} end,
  function(seed, n, w) return gen.grid {n // 5 + 1, 5, one_way = 0.3, seed = seed, weights = w.kind, lo = w.lo, hi = w.hi} end,
  function(seed, n, w) return gen.complete {n % 9 + 2, seed = seed, weights = w.kind, lo = w.lo, hi = w.hi} end,
  function(seed, n, w) return graph.from_edges {n = n, weights = w.kind, {0, 0, w.hi}, {0, n - 1, w.lo}, {0, n - 1, w.hi}} end,
}
local function shape(seed, w) return shapes[seed % #shapes + 1](seed, 1 + seed * 7 % 60, w) end

local ALGORITHMS = {sssp = sssp, bellman_ford = paths.bellman_ford, harish = paths.harish, dijkstra = paths.dijkstra,
  delta_stepping = paths.delta_stepping, near_far = function(g, s) return sssp(g, s, {form = "near_far"}) end}

local given = device()
local FORMS = given.processor == "cuda" and {"near_far"} or {"bins", "near_far"} -- the option `form` of sssp
for _, name in ipairs(given.processor == "cuda" and {given.name} or {"cpu:1", "cpu"}) do
  describe("on " .. name .. ",", function()
    device(name)
    local rounds = name == "cpu" and 16 or sized(128, 128, 16) -- graphs per weight type; 4 types
    local pairs_rounds = name == "cpu" and 4 or sized(128, 32, 6)
    for _, kind in ipairs(KINDS) do
      it("every algorithm agrees with Dijkstra: " .. kind, function()
        for seed = 1, rounds do
          local hi = ({1, 20, 1000})[seed % 3 + 1]
          local g = shape(seed, {kind = kind, lo = 0, hi = hi})
          local s = seed % g.n
          local want = reference_distances(g, s)
          for label, f in pairs(ALGORITHMS) do
            local r = f(g, s)
            same(label, g, r.dist, want)
            equal(check(r), true)
          end
          for _, delta in ipairs {1, 7, 5000} do
            same("delta-stepping", g, paths.delta_stepping(g, s, delta).dist, want)
            same("sssp", g, sssp(g, s, {delta = delta}).dist, want)
            same("near_far", g, sssp(g, s, {delta = delta, form = "near_far"}).dist, want)
          end
          local b = bfs(g, s)
          equal({check(b), check(bfs(g, s, {form = "push"}))}, {true, true})
          for v = 0, g.n - 1 do equal(b.dist[v] == b.unreached, want[v] == nil) end
        end
      end)
      it("negative weights: " .. kind, function()
        local found = 0
        for seed = 1, rounds // 2 do
          local g = shape(seed, {kind = kind, lo = seed % 3 - 3, hi = 20})
          local s = seed % g.n
          local good, want = pcall(reference_distances, g, s)
          local ran, r = pcall(sssp, g, s)
          equal(ran, good)
          local ran_too, r_too = pcall(paths.bellman_ford, g, s)
          equal(ran_too, good)
          if good then
            same("sssp", g, r.dist, want)
            same("bellman_ford", g, r_too.dist, want)
            equal(check(r), true)
          else
            found = found + 1
            assert(r:find("a cycle of negative weight is reachable from", 1, true), r)
            assert(r_too:find("negative cycle", 1, true), r_too)
          end
          local dag = gen.dag {n = 40, m = 150, seed = seed, weights = kind, lo = -50, hi = 50}
          same("sssp", dag, sssp(dag, s % 40).dist, reference_distances(dag, s % 40))
        end
        assert(found > 3 or rounds < 100, "no negative cycle was tried")
      end)
      long("all pairs: " .. kind, function()
        for seed = 1, pairs_rounds do
          local g = seed % 2 == 0 and shape(seed, {kind = kind, lo = 0, hi = 30}) or
            gen.dag {n = 1 + seed * 7 % 60, m = 3 * seed, seed = seed, weights = kind, lo = -9, hi = 30}
          local rows = {}
          for s = 0, g.n - 1 do rows[s] = reference_distances(g, s) end
          local all = {apsp(g), apsp(g, {form = "groups", sources_at_a_time = 3}), apsp(g, {form = "shared", sources_at_a_time = 33, together = 1 + seed % 32}),
            apsp(g, {form = "floyd_warshall"}), johnson(g),
            johnson(g, {form = ({[0] = "outer", "inner", "bellman_ford"})[seed % 3]})}
          if on_cpu() and not (g.m > 0 and g.w:min() < 0) then all[#all + 1] = apsp(g, {form = "dijkstra"}) end
          for _, r in ipairs(all) do
            equal(check(r), true)
            for s = 0, g.n - 1, 3 do
              for v = 0, g.n - 1 do
                local d, want = r:get(s, v), rows[s][v]
                assert(want == nil and d == r.unreached or want and math.abs(d - want) <= (r.unreached == math.huge and 1e-3 or 0),
                  ("%s: %d -> %d is %s, expected %s"):format(r.variant, s, v, d, want))
              end
            end
          end
          local i, j = seed % g.n, seed * 5 % g.n
          local list = all[1]:path(i, j)
          equal(list == nil, rows[i][j] == nil)
          if list then equal({list[1], list[#list]}, {i, j}) end
        end
      end)
      it("say what means that there is no path", function()
    local g = graph.from_edges {{0, 1, 5}, {1, 2, 7}}
    for _, r in ipairs {apsp(g), fw(g), fw(g, {dtype = "i64"}), johnson(g), kleene(g)} do equal(r.unreached, r:get(2, 0)) end
  end)
  long("many sources, with parents: " .. kind, function()
        for seed = 1, pairs_rounds do
          local g = shape(seed, {kind = kind, lo = seed % 2, hi = 9})
          local sources = {}
          for i = 1, 1 + seed % 40 do sources[i] = (seed * i) % g.n end
          for _, shared in ipairs {false, true} do
            local r = apsp.many(g, sources, {parents = true, shared = shared, together = shared and 1 + seed % 32 or nil})
            equal(check(r), true)
            for i = 1, #sources, 7 do
              for v = 0, g.n - 1, 3 do
                local list = r:path(i, v)
                equal(list == nil, r:get(i, v) == r.unreached)
                if list then equal({list[1], list[#list]}, {sources[i], v}) end
              end
            end
          end
        end
      end)
      it("the options of sssp: " .. kind, function()
        for turn = 2, rounds // 4 * 2 + 1 do
          local seed, form = turn // 2, FORMS[turn % 2 % #FORMS + 1]
          local g = shape(seed, {kind = kind, lo = 0, hi = 50})
          local s, t = seed % g.n, seed * 3 % g.n
          local want = reference_distances(g, s)
          local r = sssp(g, s, {targets = {t}, delta = 5, form = form})
          equal({check(r), r.variant}, {true, form})
          assert(want[t] == nil and r.dist[t] == r.unreached or math.abs(r.dist[t] - want[t]) <= 1e-5 * want[t])
          local list = r:path(t)
          equal(list == nil, want[t] == nil)
          if list then equal({list[1], list[#list]}, {s, t}) end
          r = sssp(g, s, {cutoff = 30, delta = 5, form = form})
          equal(check(r), true)
          for v = 0, g.n - 1 do equal(r.dist[v] ~= r.unreached, want[v] ~= nil and want[v] <= 30) end
          local sorted = {}
          for v = 0, g.n - 1 do sorted[#sorted + 1] = want[v] end
          table.sort(sorted)
          local k = math.min(g.n, 1 + seed % 9)
          r = sssp(g, s, {nearest = k, delta = 3, form = form})
          equal({check(r), #r.nearest}, {true, math.min(k, #sorted)})
          for i, v in ipairs(r.nearest) do assert(math.abs(r.dist[v] - sorted[i]) <= 1e-5 * sorted[i]) end
          local two = sssp(g, {s, t}, {parents = true, form = form})
          equal(check(two), true)
          local other = reference_distances(g, t)
          for v = 0, g.n - 1 do
            local least = math.min(want[v] or math.huge, other[v] or math.huge)
            assert(least == math.huge and two.dist[v] == two.unreached or math.abs(two.dist[v] - least) <= 1e-5 * least)
          end
        end
      end)
    end
    long("bins are as many as there are distances, and end early", function()
      local g = gen.road {n = 60000, seed = 3, weights = "i32", lo = 1, hi = 5000} -- too large for a single thread
      local want = reference_distances(g, 77)
      local small = gen.road {n = 900, seed = 3, weights = "i32", lo = 1, hi = 5000}
      for _, delta in ipairs {1, 3} do -- one or three distances per bin
        same("bins", small, sssp(small, 77, {delta = delta}).dist, reference_distances(small, 77))
      end
      for _, delta in ipairs {200, 1000, 0x7ffffffe} do -- up to all distances in one bin
        local r = sssp(g, 77, {delta = delta})
        equal({r.variant, check(r)}, {FORMS[1], true})
        same("bins", g, r.dist, want)
        for _, options in ipairs {{targets = {78, 300}}, {nearest = 50}, {targets = {78}, nearest = 200}} do
          options.delta = delta
          local early = sssp(g, 77, options)
          equal(check(early), true)
          if delta < 2000 then assert(early.dist:count(early.unreached) > 10000) end
          for _, t in ipairs(options.targets or {}) do equal(early.dist[t], want[t]) end
          if options.nearest then assert(#early.nearest == options.nearest) end
        end
      end
      local far = graph.from_edges {n = 4, weights = "f64", {0, 1, 1e-300}, {1, 2, 1e300}, {2, 3, 1e-300}}
      for _, delta in ipairs {0, 1e-300, 1e300} do equal(check(sssp(far, 0, {delta = delta})), true) end
      local ends = graph.from_edges {n = 4, weights = "i64", {0, 1, math.maxinteger - 2}, {1, 2, 1}, {0, 3, 1}}
      for _, delta in ipairs {1, 1 << 62} do equal(sssp(ends, 0, {delta = delta}).dist[2], math.maxinteger - 1) end
    end)
    long("many vertices, and a frontier that is full again and again", function()
      local g = gen.rmat {scale = sized(13, 13, 10), degree = 24, seed = 5, weights = "i32", lo = 1, hi = 255}
      local want = reference_distances(g, 7)
      for _, delta in ipairs {1, 16, 100000} do
        same("sssp", g, sssp(g, 7, {delta = delta}).dist, want)
        same("sssp", g, sssp(g, 7, {delta = delta, form = "near_far"}).dist, want)
      end
      equal(check(sssp(g, 7)), true)
      equal(check(bfs(g, 7)), true)
      same("delta_stepping", g, paths.delta_stepping(g, 7).dist, want)
      local dense = gen.complete {n = 90, weights = "i32", lo = 1, hi = 1000, seed = 3} -- more vertices are pushed than the queues hold
      for _, form in ipairs(FORMS) do
        same("sssp", dense, sssp(dense, 8, {delta = 100000, form = form}).dist, reference_distances(dense, 8))
      end
      -- the frontier has room for only one vertex: vertices that do not fit are found again later
      local s = state.sssp(g)
      s.dist[7], s.bound[0] = 0, 50
      local front, front_next = buffer.new("u32", 2), buffer.new("u32", 2)
      front[0], front[1] = 1, 7
      local lost = 0
      repeat
        local _, _, none = near_far(s, {front = front, front_next = front_next, delta = 50, cutoff = FAR.i32})
        lost = lost + none
        s.floor[0] = -0x80000000
      until take_bucket(s, {front = front}) == 0
      assert(lost > 1000, lost)
      same("near_far", g, s.dist, want)
    end)
  end)
end
device("auto")

describe("all pairs into a file", function()
  local path = temporary ".npy"
  it("are the same distances, in groups of any size", function()
    for _, kind in ipairs {"i32", "f64"} do
      local g = gen.grid {9, 10, seed = 5, weights = kind, lo = 1, hi = 9}
      local want = apsp(g, {form = "groups"}).matrix
      for _, options in ipairs {{}, {sources_at_a_time = 7}, {form = "shared", sources_at_a_time = 33}} do
        options.file = path
        local r = apsp(g, options)
        equal({r.file, r.dtype, r.matrix, (buffer.load(path):diff(want)), check(r)}, {path, kind, nil, 0, true})
        equal({r:get(3, 8), r:row(89):totable()}, {want:get(3, 8), want:slice(89):totable()})
        local list, sum = r:path(3, 8), 0
        for i = 2, #list do
          local best = math.huge
          for to, w in g:edges(list[i - 1]) do if to == list[i] then best = math.min(best, w) end end
          sum = sum + best
        end
        assert(math.abs(sum - want:get(3, 8)) < 1e-9)
      end
    end
  end)
  it("begin anew in 64 bits", function()
    local g = gen.uniform {n = 60, m = 200, seed = 5, weights = "i32", lo = 1 << 29, hi = 1 << 30}
    local r = apsp(g, {file = path})
    equal({r.dtype, buffer.load(path).dtype, check(r)}, {"i64", "i64", true})
  end)
  it("are held against the graph when they are checked", function()
    local g = gen.uniform {n = 60, m = 200, seed = 5, weights = "i32", lo = 1, hi = 9}
    local r = apsp(g, {file = path})
    local wrong = buffer.load(path)
    wrong:set(17, 20, wrong:get(17, 20) + 1)
    wrong:save(path)
    raises("row 17 of " .. path, check, r)
    buffer.new("i32", 60, 61):save(path)
    raises("has the file been overwritten since?", check, r)
  end)
  it("refuse what a file cannot take", function()
    local g = gen.ring(5)
    raises("file is 'x.csv', expected a name that ends in .npy", apsp, g, {file = "x.csv"})
    raises("Floyd-Warshall needs the whole matrix", apsp, g, {file = "x.npy", form = "floyd_warshall"})
    raises("apsp: /nowhere/x.npy: cannot create a file there", apsp, g, {file = "/nowhere/x.npy"})
    raises("row: 5 is not a vertex of 0 .. 4", function() apsp(g, {file = path}):row(5) end)
  end)
  os.remove(path)
end)

describe("at the ends of a type,", function()
  local function found(r, want)
    equal(r.dist:totable(), want)
    equal(check(r), true)
  end
  long("narrow buckets of rounded distances come to an end", function()
    device("cpu") -- one thread scans a million buckets for the next one, which takes minutes on a GPU
    for seed = 1, 4 do
      local edges = {weights = "f32"}
      for v = 0, 299 do edges[v + 1] = {v, v + 1, 500 + (v * (seed + 7) * 7919 % 10007) / 20.014} end
      local g = graph.from_edges(edges)
      local want = reference_distances(g, 0)
      for _, exponent in ipairs {10, 18, 20} do
        same("delta_stepping", g, paths.delta_stepping(g, 0, 1000 / 2 ^ exponent).dist, want)
      end
    end
    device("auto")
  end)
  it("delta-stepping takes any weights, and any width that is one", function()
    local big = 1 << 62
    local long = graph.from_edges {n = 4, weights = "i64", {0, 1, big}, {0, 2, 3}}
    for _, delta in ipairs {false, big, math.maxinteger, big // 1000} do
      found(paths.delta_stepping(long, 0, delta or nil), {0, big, 3, math.maxinteger})
    end
    found(paths.delta_stepping(graph.from_edges {n = 9, {0, 1, 1.7e308}}, 0), {0.0, 1.7e308, math.huge, math.huge, math.huge,
      math.huge, math.huge, math.huge, math.huge})
    local short = graph.from_edges {weights = "i32", {0, 1, 5}, {1, 2, 7}}
    found(paths.delta_stepping(short, 0, 1 << 40), {0, 5, 12})
    local zero = graph.from_edges {weights = "f32", {0, 1, 0}, {1, 2, 0}}
    for _, delta in ipairs {1e-300, 1e300} do found(paths.delta_stepping(zero, 0, delta), {0.0, 0.0, 0.0}) end
    raises("buckets of width 1e-300, expected at most 268435456", paths.delta_stepping, graph.from_edges {{0, 1, 1.5}}, 0, 1e-300)
  end)
  it("sssp takes widths and cutoffs beyond f32", function()
    local g = graph.from_edges {n = 500, weights = "f32", {0, 1, 3e38}, {0, 2, 0.5}}
    local far = g.w[1] > 1 and g.w[1] or g.w[0]
    for _, options in ipairs {{}, {delta = 1e300}, {cutoff = 1e300}} do
      local r = sssp(g, 0, options)
      equal({r.dist.dtype, r.dist[1], r.dist[2], check(r)}, {"f32", far, 0.5, true})
    end
  end)
  it("closeness does not wrap", function()
    local g = graph.from_edges {n = 4, weights = "i64", {0, 1, 1 << 62}, {0, 2, 1 << 62}, {0, 3, 1 << 62}}
    equal(distances.closeness(g, {0})[0], 9 / (3 * 3 * 2.0 ^ 62))
  end)
  it("one vertex after another is settled, and each has its edges relaxed at once", function()
    local g = graph.from_edges {n = 6, weights = "i32", {0, 1, 4}, {0, 2, 1}, {2, 1, 1}, {1, 3, 5}, {0, 3, 1}, {4, 0, 1}}
    local dist, overflow, settled = paths.settle_one(g, g.w, 0)
    equal(dist:totable(), {0, 2, 1, 1, FAR.i32, FAR.i32})
    equal({overflow[0], settled}, {0, 4})
    local rest, chosen, least = buffer.new("u32", {4, 1, 2, 3, 4, 0, 0}), buffer.new("u32", {0xffffffff}), buffer.new("i32", {1})
    equal({choose_least(rest, dist, least, chosen), chosen[0]}, {2, 2}) -- 2 and 3 tie: the smaller vertex is chosen
    local front, next = buffer.new("u32", 2), buffer.new("u32", 7)
    equal({extract_chosen(rest, chosen, front, next), front:totable()}, {1, {1, 2}})
    equal(next[0], 3)
    least[0] = 7
    forget_choice(least, chosen)
    equal({least[0], chosen[0]}, {FAR.i32, 0xffffffff})
    equal({choose_least(rest, dist, least, chosen), chosen[0]}, {0, 0xffffffff}) -- unreachable vertices are not chosen
  end)
  it("potentials make no edge negative, and tell a negative cycle", function()
    local g = gen.dag {n = 60, m = 400, seed = 5, weights = "i32", lo = -30, hi = 20}
    local h, passes = paths.potentials(g)
    for u = 0, g.n - 1 do
      assert(h[u] <= 0)
      for v, w in g:edges(u) do assert(w + h[u] - h[v] >= 0) end
    end
    assert(passes <= g.n)
    local ring = graph.from_edges {n = 3, {0, 1, -1}, {1, 0, 0}}
    equal(select(2, paths.potentials(ring)), 4)
    for _, form in ipairs {"outer", "inner", "bellman_ford"} do
      raises("johnson: vertex 0 lies on a cycle of negative weight: ", johnson, ring, {form = form})
    end
    for _, form in ipairs {"outer", "inner", "bellman_ford"} do -- sums that overflow 32 bits
      local long = graph.from_edges {n = 4, weights = "i32", {0, 1, 2000000000}, {1, 2, 2000000000}, {2, 3, -5}}
      local r = johnson(long, {form = form})
      equal({r:get(0, 3), r.matrix.dtype, check(r), r.variant}, {3999999995, "i64", true, form})
    end
  end)
  it("steps tell their frontier and how many edges were relaxed, in shared memory too", function()
    for seed = 1, 21 do -- in the last graph, one row has 79 edges, and the other rows of its block have none
      local g = seed < 21 and shape(seed, {kind = "i32", lo = 0, hi = 9}) or gen.star {n = 80, weights = "i32", lo = 0, hi = 9}
      local k = seed < 21 and 1 + 13 * seed % 70 or 80
      local sums = {}
      for at, f in ipairs {scatter_costs, scatter_shared} do
        local s = bundle {off = g.off, to = g.to, w = g.w, k = k, overflow = buffer.new("u32", 1), mask = buffer.new("u32", g.n * k),
          cost = buffer.new("i32", g.n * k), updated = buffer.new("i32", g.n * k), together = 5,
          rows = (g.n + 4) // 5, columns = (k + 31) // 32}
        fill(s.cost, FAR.i32)
        fill(s.updated, FAR.i32)
        for i = 0, k - 1 do s.cost[i * 7 % g.n * k + i], s.mask[i * 7 % g.n * k + i] = 0, 1 end
        local sources, started = {}, {k = k, far = FAR.i32}
        for i = 0, k - 1 do sources[i + 1] = i * 7 % g.n end
        for _, name in ipairs {"mask", "cost", "updated"} do started[name] = buffer.new(s[name].dtype, g.n * k) end
        started.source = buffer.new("u32", sources)
        start_costs(started)
        for _, name in ipairs {"mask", "cost", "updated"} do equal({name, (started[name]:diff(s[name]))}, {name, 0}) end
        local steps, frontier, improved = {}, k, nil
        repeat
          local want, edges = 0, 0
          for v = 0, g.n * k - 1 do
            if s.mask[v] ~= 0 then want, edges = want + 1, edges + g:degree(v // k) end
          end
          local found, relaxed = f(s)
          equal({want, found, relaxed}, {frontier, want, edges})
          improved = check_costs(s)
          steps[#steps + 1] = ("%d %d %d"):format(found, relaxed, improved)
          frontier = improved
        until improved == 0
        sums[at] = table.concat(steps, ", ")
      end
      equal(sums[1], sums[2])
    end
    local g = graph.from_edges {n = 4, weights = "i32", {0, 1, 1}, {0, 2, 9}, {1, 3, 9}}
    local s = bundle {off = g.off, to = g.to, w = g.w, overflow = buffer.new("u32", 1), delta = 3, offer = buffer.new("i32", 3),
      dist = buffer.new("i32", {0, 1, FAR.i32, FAR.i32}), kept = buffer.new("u32", {1, 1, 0, 0}), request = buffer.new("u32", 4)}
    equal({request_heavy(s), s.request[0], s.kept:totable()}, {2, 2, {0, 0, 0, 0}})
  end)
  it("a loop and its steps give the same", function()
    for seed = 1, 12 do
      local g = gen.uniform {n = 1 + seed * 7 % 50, m = seed * 11, seed = seed, weights = "i32", lo = 0, hi = 9}
      for _, f in ipairs {paths.dijkstra, paths.delta_stepping} do
        local free, stepped = f(g, 0), session.stepped
        session.stepped = function() return true end
        local r = f(g, 0)
        session.stepped = stepped
        equal({r.dist:diff(free.dist), r.passes}, {0, free.passes})
      end
      local function inner() return paths.settle_one(g, g.w, 0) end
      local free, _, settled = inner()
      local before = session.stepped
      session.stepped = function() return true end
      local dist, _, steps = inner()
      session.stepped = before
      equal({dist:diff(free), steps}, {0, settled})
    end
  end)
end)

describe("schemes of the papers:", function()
  it("the loops of Pogorilyy and Slynko end though vertices cannot be reached, and nothing is relaxed from these", function()
    local g = graph.from_edges {n = 5, weights = "i32", {0, 1, 5}, {0, 2, 1}, {2, 1, 1}, {3, 4, 0x7ffffff0}, {4, 1, 0x7ffffff0}}
    equal(paths.dijkstra(g, 0).dist:totable(), {0, 2, 1, 0x7fffffffffffffff, 0x7fffffffffffffff})
    local dist, overflow, settled = paths.settle_one(g, g.w, 0)
    equal({dist:totable(), overflow[0], settled}, {{0, 2, 1, FAR.i32, FAR.i32}, 0, 3})
  end)
  it("buckets are used cyclically: the greatest weight over delta, and one more", function()
    local long = gen.path {n = 500, weights = "i32", lo = 7, hi = 13, seed = 2}
    local r = paths.delta_stepping(long, long:stats().out_degree.top, 3)
    equal(check(r), true)
  end)
end)

describe("what is wrong is refused:", function()
  local g = graph.from_edges {n = 3, weights = "i32", {0, 1, 5}, {1, 2, -1}}
  it("sources, targets and numbers", function()
    raises("sssp: the source 3 is not a vertex of 0 .. 2", sssp, g, {0, 3})
    raises("sssp: expected at least one source, as in sssp(g, 0) or sssp(g, {0, 5}); got an empty table", sssp, g, {})
    raises("got a table with 'source' and no numbers", sssp, g, {source = 0})
    raises("sssp: expected at least one target, as in sssp(g, 0, {targets = {7, 9}}); got an empty table", sssp, g, 0, {targets = {}})
    raises("sssp: the target -1 is not a vertex of 0 .. 2", sssp, g, 0, {targets = {-1}})
    raises("sssp: targets is 5, expected a table", sssp, g, 0, {targets = 5})
    raises("sssp: nearest is 4, but there are 3 vertices", sssp, g, 0, {nearest = 4})
    raises("sssp: nearest is 0, expected a number of vertices from 1 on", sssp, g, 0, {nearest = 0})
    raises("sssp: cutoff is -1, expected a number from 0 on", sssp, g, 0, {cutoff = -1})
    raises("nan, expected a number from 0 on", sssp, gen.path {3, weights = "f64", lo = 1, hi = 2}, 0, {delta = 0 / 0})
    raises("path: 7 is not a vertex of 0 .. 2", function() return sssp(g, 0):path(7) end)
    raises("bfs: the source 3 is not a vertex of 0 .. 2", bfs, g, 3)
    local empty = graph.from_edges {}
    raises("sssp: the source 0 is not a vertex of a graph without vertices", sssp, empty)
    raises("bfs: the source 0 is not a vertex of a graph without vertices", bfs, empty)
    raises("bfs: form is 'pull', expected 'push' or 'both'", bfs, g, 0, {form = "pull"})
  end)
  it("weights below 0 where none may be", function()
    if on_cpu() then
      raises("apsp: the least weight is -1, expected 0 at least for form = 'dijkstra'", apsp, g, {form = "dijkstra"})
    else
      raises("apsp: form is 'dijkstra', which only CPUs can run; the device is ", apsp, g, {form = "dijkstra"})
    end
    raises("paths.dijkstra: the least weight is -1, expected 0 at least", paths.dijkstra, g, 0)
    raises("paths.harish: the least weight is -1, expected 0 at least", paths.harish, g, 0)
    raises("paths.delta_stepping: the least weight is -1, expected 0 at least", paths.delta_stepping, g, 0)
    raises("apsp.many: the least weight is -1, expected 0 at least", apsp.many, g, {0})
    raises("delta-stepping: edge 1 has a negative weight", reference.delta_stepping, g, 0, 1)
  end)
  it("paths that were not recorded, and sources that are none", function()
    local r = apsp.many(gen.path {5, weights = "i32", lo = 1, hi = 9}, {0, 2})
    raises("path: the parents were not recorded: give apsp.many {parents = true}", function() r:path(1, 4) end)
    r = apsp.many(gen.path {5, weights = "i32", lo = 1, hi = 9}, {0, 2}, {parents = true})
    raises("path: 3 is not the number of a source, 1 to 2", function() r:path(3, 4) end)
    raises("path: 5 is not a vertex of 0 .. 4", function() r:path(1, 5) end)
  end)
  it("deltas", function()
    local h = gen.path {5, weights = "i32", lo = 1, hi = 9}
    raises("paths.delta_stepping: delta is 0, expected a positive whole number", paths.delta_stepping, h, 0, 0)
    raises("paths.delta_stepping: delta is 0.5, expected a positive whole number", paths.delta_stepping, h, 0, 0.5)
    raises("buckets of width 1, expected at most 268435456", paths.delta_stepping, graph.from_edges {weights = "i64", {0, 1, 1 << 40}}, 0, 1)
    raises("buckets of width 1, expected at most 268435456", reference.delta_stepping, graph.from_edges {weights = "i64", {0, 1, 1 << 40}}, 0, 1)
  end)
  it("negative cycles, in all pairs too", function()
    local bad = graph.from_edges {weights = "i32", {0, 1, 1}, {1, 2, -3}, {2, 1, 2}}
    raises("sssp: a cycle of negative weight is reachable from 0: ", sssp, bad, 0)
    raises("lies on a cycle of negative weight: ", apsp, bad, {form = "groups"})
    raises("a cycle of negative weight", johnson, bad)
    for _, form in ipairs {"near_far", "outer", "bellman_ford"} do
      local _, why = pcall(function() return (johnson(bad, {form = form})) end)
      equal(why:match "^[^:]*shortest_spec.lua:%d+: johnson: vertex" ~= nil, true)
    end
    raises("johnson: vertex", reference.johnson, bad)
    raises("expected a number of threads from 0 (all) to 1024, got -1", reference.johnson, bad, -1)
    local far = graph.from_edges {n = 4, weights = "i64", {0, 1, math.maxinteger - 1}, {1, 2, 9}, {3, 0, 9}}
    for _, threads in ipairs {1, 2} do raises("does not fit 63 bits", reference.johnson, far, threads) end
  end)
  it("a matrix that there is no memory for, before anything is run", function()
    raises("apsp: the matrix of 4000000 x 4000000 distances takes 64000000000000 bytes, but ", apsp, gen.path(4000000))
  end)
  it("blocks of vertices that no tile has", function()
    local h = gen.path {5, weights = "i32", lo = 1, hi = 9}
    raises("apsp: together is 33, expected a number of vertices from 1 to 32", apsp, h, {form = "shared", together = 33})
    raises("apsp: the option 'together' needs form = 'shared'", apsp, h, {together = 4})
    raises("apsp.many: the option 'together' needs shared = true", apsp.many, h, {0}, {together = 4})
    local many = {off = h.off, to = h.to, w = h.w, k = 1, mask = buffer.new("u32", 5), cost = buffer.new("i32", 5),
      updated = buffer.new("i32", 5), overflow = buffer.new("u32", 1), together = 0, rows = 1, columns = 1}
    raises("together is 0, expected from 1 to 32", scatter_shared, many)
    many.together, many.rows = 4, 6
    raises("rows is 6, expected an index, at most n = 5", scatter_shared, many)
  end)
  it("more sources than there is memory for, before anything is allocated", function()
    local h = gen.path {100000, weights = "i32", lo = 1, hi = 9}
    raises("are more than 2^32 - 1; expected at most 42949 sources", apsp, h, {form = "groups", sources_at_a_time = 100000})
    if device().free > 3 * 8 << 32 then return end -- skipped if memory suffices for the largest matrix
    raises("numbers, but ", apsp, gen.path {1000000, weights = "i64", lo = 1, hi = 9},
      {form = "groups", sources_at_a_time = 4294, file = temporary ".npy"})
    local sources = {}
    for i = 1, 4294 do sources[i] = i end
    raises("(3N + 1)|V| + 2|E| numbers and |V| + 2|E| more, but ", apsp.many, gen.path {1000000, weights = "i64", lo = 1, hi = 9}, sources,
      {parents = true})
  end)
end)

it("references agree with each other", function()
  for seed = 1, 12 do
    for _, kind in ipairs(KINDS) do
      local g = shape(seed, {kind = kind, lo = 0, hi = 30})
      local s = seed % g.n
      local want = reference.dijkstra(g, s)
      for _, threads in ipairs {1, 2} do
        local got, parent = reference.delta_stepping(g, s, 1 + seed, threads)
        equal({got:diff(want), reference.check_sssp(g, s, got, parent)}, {0, true})
        equal(reference.bellman_ford_passes(g, s, threads):diff(want), 0)
      end
      local all = reference.johnson(g)
      equal(reference.check_fw(g, all, kind:sub(1, 1) == "f" and 1e-9 or nil), true)
      for _, threads in ipairs {0, 2, 3} do equal(reference.johnson(g, threads):diff(all), 0) end
    end
  end
end)

if on_cpu() then
  it("Dijkstra's algorithm from some sources fills their rows, and no others", function()
    local g = graph.from_edges {n = 4, weights = "i32", {0, 1, 2}, {1, 2, 3}, {0, 2, 9}, {3, 0, 1}}
    local matrix, overflow = buffer.new("i32", 5, 4), buffer.new("u32", 1)
    equal(dijkstra_rows(g, {w = g.w, source = buffer.new("u32", {3, 1, 0}), base = 1, rows = 5, matrix = matrix, overflow = overflow}), 9)
    equal(matrix:totable(), {0, 0, 0, 0, 1, 3, 6, 0, FAR.i32, 0, 3, FAR.i32, 0, 2, 5, FAR.i32, 0, 0, 0, 0})
    equal(dijkstra_rows(g, {w = g.w, source = buffer.new("u32", {3, 1}), base = 4, rows = 5, matrix = matrix, overflow = overflow}), 4)
    equal(matrix:slice(4):totable(), {1, 3, 6, 0})
    local long = graph.from_edges {n = 3, weights = "i32", {0, 1, 2000000000}, {1, 2, 2000000000}}
    dijkstra_rows(long, {w = long.w, source = buffer.new("u32", {0}), base = 0, rows = 1, matrix = buffer.new("i32", 3),
      overflow = overflow})
    equal(overflow[0], 1)
  end)
end

describe("apsp without a form", function()
  local function taken(g, variant)
    local r = apsp(g)
    equal({r.variant, check(r)}, {variant, true})
    equal(r.matrix:diff(apsp(g, {form = "groups"}).matrix), 0)
  end
  local function w(t, lo)
    t.weights, t.lo, t.hi, t.seed = "i32", lo or 0, 90, 3
    return t
  end
  it("takes Floyd-Warshall where there are many edges", function()
    taken(gen.complete(w {n = 40}), "floyd_warshall")
    taken(gen.complete(w({n = 40}, 1)), "floyd_warshall")
  end)
  long("takes Dijkstra's algorithm on a CPU, unless there are few vertices, or a weight is below 0", function()
    local cpu = on_cpu()
    taken(gen.uniform(w {n = 900, m = 900}), cpu and "dijkstra" or "floyd_warshall")
    taken(gen.uniform(w {n = 900, m = 90}), cpu and "dijkstra" or "groups")
    taken(gen.dag(w({n = 900, m = 1200}, -40)), cpu and "groups" or "floyd_warshall")
    taken(gen.uniform(w {n = 300, m = 1200}), "floyd_warshall")
    taken(gen.dag(w({n = 300, m = 600}, -40)), "floyd_warshall")
    taken(gen.path(900), cpu and "dijkstra" or "floyd_warshall") -- without weights
  end)
  long("leaves a group whose paths have many edges for Floyd-Warshall", function()
    taken(gen.path(w({n = 900}, -40)), "floyd_warshall")
    taken(gen.path(w({n = 60}, -40)), "floyd_warshall")
    raises("lies on a cycle of negative weight: ", apsp, gen.ring {n = 900, weights = "i32", lo = -9, hi = 0, seed = 3})
  end)
  it("begins again in 64 bits", function()
    local long = apsp(gen.ring {n = 900, weights = "i32", lo = 1 << 29, hi = 1 << 30, seed = 3})
    equal({long.matrix.dtype, check(long)}, {"i64", true})
  end)
  it("streams paths of many edges to a file all the same", function()
    local path = temporary ".npy"
    local r = apsp(gen.ring {n = 200, weights = "i32", lo = 1, hi = 9, seed = 3}, {file = path})
    equal({r.variant, check(r)}, {on_cpu() and "dijkstra" or "groups", true})
    r = apsp(gen.path {n = 200, weights = "i32", lo = -9, hi = 9, seed = 3}, {file = path})
    equal({r.variant, check(r)}, {"groups", true})
    os.remove(path)
  end)
end)

it("distances tell of a graph", function()
  local g = graph.from_edges {n = 4, weights = "i32", {0, 1, 2}, {1, 2, 3}, {2, 0, 1}, {3, 0, 10}}
  local far, reached = distances.eccentricity(g)
  equal({far, reached}, {{[0] = 5, 4, 3, 15}, {[0] = 3, 3, 3, 4}})
  equal({distances.diameter(g)}, {15, 3, 2})
  raises("distances.eccentricity: the source 4 is not a vertex of 0 .. 3", distances.eccentricity, g, {0, 4})
  raises("distances.diameter: expected a graph, got nil", distances.diameter)
  equal(distances.closeness(g, {3})[3], 9 / (3 * (10 + 12 + 15)))
end)

describe("a matrix of distances", function()
  it("has a row a source and a column a target", function()
    for _, kind in ipairs(KINDS) do
      local g = gen.dag {n = 50, m = 140, seed = 3, weights = kind, lo = -9, hi = 30}
      local sources, targets = {0, 7, 7, 49, 3}, {49, 0, 12}
      local D, far = distances.matrix(g, sources, targets)
      equal({D.rows, D.cols, D.dtype, far}, {5, 3, kind, FAR[kind]})
      for i, s in ipairs(sources) do
        local want = reference_distances(g, s)
        for j, t in ipairs(targets) do
          local d = D:get(i - 1, j - 1)
          assert(want[t] == nil and d == far or math.abs(d - want[t]) <= 1e-5 * math.abs(want[t]), d)
        end
      end
      D = distances.matrix(g, {4, 5})
      assert(D.rows == 2 and D.cols == 2 and D:get(0, 0) == 0 and D:get(1, 1) == 0)
    end
  end)
  it("is of 64 bits if one distance is", function()
    local long = graph.from_edges {n = 4, weights = "i32", {0, 1, 2000000000}, {1, 2, 2000000000}, {3, 0, 5}}
    local D, far = distances.matrix(long, {1, 0}, {2, 3})
    equal({D:totable(), D.dtype, far}, {{2000000000, math.maxinteger, 4000000000, math.maxinteger}, "i64", math.maxinteger})
  end)
  it("wants lists of vertices", function()
    local g = gen.ring(5)
    raises("distances.matrix: expected a list of sources, got nil", distances.matrix, g)
    raises("distances.matrix: expected a list of sources, got none", distances.matrix, g, {})
    raises("distances.matrix: expected a list of targets, got 5", distances.matrix, g, {0}, 5)
    raises("distances.matrix: the source 5 is not a vertex of 0 .. 4", distances.matrix, g, {5}, {0})
    raises("distances.matrix: the target -1 is not a vertex of 0 .. 4", distances.matrix, g, {0}, {-1})
  end)
end)

-- A source may be nearer to another source than to itself, and zero weights tie sources to each other.
describe("from several sources,", function()
  -- Distances from the nearest source by Bellman-Ford over the list of edges; nil if there is a negative cycle.
  local function oracle(n, edges, sources)
    local d = {}
    for _, v in ipairs(sources) do d[v] = 0 end
    for _ = 0, n do
      local changed = false
      for _, e in ipairs(edges) do
        local x = d[e[1]] and d[e[1]] + e[3]
        if x and (d[e[2]] == nil or x < d[e[2]]) then d[e[2]], changed = x, true end
      end
      if not changed then return d end
    end
  end
  local function random_case(seed, kind)
    local x = seed * 7919
    local function random(n)
      x = (x * 6364136223846793005 + 1442695040888963407) & math.maxinteger
      return (x >> 33) % n
    end
    local n = 2 + random(8)
    local low, span = ({0, -1, -2, -9})[1 + random(4)], 1 + random(12)
    local edges, potential = {n = n, weights = kind}, {}
    local steep = random(3) > 0 -- weights derived from potentials: no negative cycle, but many cycles of weight 0
    for v = 0, n - 1 do potential[v] = random(7) end
    for i = 1, 1 + random(3 * n) do
      local v, u = random(n), random(n)
      edges[i] = {v, u, steep and potential[u] - potential[v] + random(3) * random(2) or low + random(span)}
    end
    local sources = {}
    for i = 1, 1 + random(4) do sources[i] = random(n) end
    return n, edges, sources
  end
  local function weight_of(g, list)
    local sum = 0
    for i = 2, #list do
      local least
      for to, w in g:edges(list[i - 1]) do
        if to == list[i] and (not least or w < least) then least = w end
      end
      sum = sum + least
    end
    return sum
  end
  for _, kind in ipairs(KINDS) do
    it("distances, parents and paths are those of an oracle: " .. kind, function()
      local cycles, lower = 0, 0
      for seed = 1, sized(400, 150) do
        local n, edges, sources = random_case(seed, kind)
        local g, want = graph.from_edges(edges), oracle(n, edges, sources)
        local ran, r = pcall(sssp, g, sources, {form = seed % 2 == 0 and "near_far" or nil})
        if not want then
          cycles = cycles + 1
          equal({ran, r:find("a cycle of negative weight is reachable", 1, true) ~= nil}, {false, true})
        else
          assert(ran, r)
          same("sssp", g, r.dist, want)
          local is_source = {}
          for _, v in ipairs(sources) do is_source[v] = true end
          for v = 0, n - 1 do
            if want[v] == 0 and is_source[v] then equal(r.parent[v], 0xffffffff) end
            local list = r:path(v)
            equal(list == nil, want[v] == nil)
            if list then equal({is_source[list[1]], list[#list], weight_of(g, list) == want[v]}, {true, v, true}) end
            if is_source[v] and want[v] < 0 then lower = lower + 1 end
          end
          equal({check(r), reference.check_sssp(g, buffer.new("u32", sources), r.dist, r.parent)}, {true, true})
          for v = 0, n - 1 do -- after a distance or parent is changed, the checkers on the device and in the reference must agree
            for change = 1, 3 do
              local dist, parent = r.dist:copy(), r.parent:copy()
              if change == 1 then
                dist[v] = dist[v] == FAR[kind] and 0 or dist[v] - 1
              elseif change == 2 then
                dist[v] = dist[v] == FAR[kind] and -1 or dist[v] + 1
              else
                parent[v] = parent[v] == 0xffffffff and sources[1] or 0xffffffff
              end
              local right, why = pcall(reference.check_sssp, g, buffer.new("u32", sources), dist, parent)
              equal(certificate.distances(g, dist, {sources}, {parent = parent}), right)
              if change < 3 then equal(right, false) end
              if right then -- another correct tree: the parent of a source with distance 0 is another source with distance 0
                equal({is_source[v], want[v], why}, {true, 0, true})
              end
            end
          end
        end
      end
      assert(cycles > 5 and lower > 20, ("%d negative cycles, %d sources below 0"):format(cycles, lower))
    end)
  end
  it("a source below 0 has a parent", function()
    local g = graph.from_edges {{0, 1, -5}, {1, 2, 3}, {2, 3, 1}}
    local r = sssp(g, {0, 1})
    equal({r:path(3), r.parent[1], r.dist:totable(), check(r)}, {{0, 1, 2, 3}, 0, {0, -5, -2, -1}, true})
    local sources = buffer.new("u32", {0, 1})
    local function judge(dist, parent)
      return reference.check_sssp(g, sources, buffer.new("i32", dist), parent and buffer.new("u32", parent))
    end
    local none = 0xffffffff
    raises("the source has 1, expected 0, or less where another source is nearer", judge, {0, 1, 4, 5})
    raises("vertex 1 has -6, but its in-edges give -5 at least", judge, {0, -6, -3, -2})
    raises("vertex 1 is reached but has no parent", judge, {0, -5, -2, -1}, {none, none, 1, 2})
  end)
end)

it("distances that rounding takes down around a cycle of weight 0 have a tree", function()
  local found, below = 0, 0
  for seed = 1, sized(300, 100) do
    local e = {n = 6, weights = seed % 4 == 0 and "f32" or "f64"}
    for i = 0, 4 do
      local w = (seed * 7 + i * 13) % 17 - 8
      e[#e + 1], e[#e + 2] = {i, i + 1, w / 10}, {i + 1, i, (i % 2 - w) / 10}
    end
    e[#e + 1] = {5, 0, 0.3}
    local g = graph.from_edges(e)
    for _, sources in ipairs {{seed % 6}, {seed % 6, (seed + 2) % 6}} do
      local ran, r = pcall(sssp, g, sources, {parents = true})
      if ran and not reference.negative_cycle(g) then -- a negative cycle that rounding hides is found only by check
        found = found + 1
        if r.dist:count(0) == 0 then below = below + 1 end
        equal(check(r), true)
        for v = 0, 5 do equal(r:path(v)[1] == sources[1] or r:path(v)[1] == sources[2], true) end
      end
    end
  end
  assert(found > 10 and below > 0, ("%d results, %d whose source is below 0"):format(found, below))
end)

describe("a breadth-first search that does not wait for layers", function()
  local shapes = {
    path = gen.path {n = 3000}, grid = gen.grid {40, 50, one_way = 0.7, seed = 3}, star = gen.star {n = 3000}, ["one vertex"] = gen.path {n = 1},
    ["R-MAT"] = gen.rmat {scale = 10, degree = 4, seed = 1}, rings = gen.copies(gen.ring {n = 9}, 30),
  }
  for shape, g in pairs(shapes) do
    for _, room in ipairs {g.n + 1, 9} do -- vertices that find the queue full are listed again later
      it(("finds the levels and a tree of %s, queues of %d"):format(shape, room), function()
        local s, r = state.bfs(g), bfs(g, 0)
        local expanded, front = buffer.new("u32", g.n), buffer.new("u32", room)
        local args, again = {expanded = expanded, front = front, front_next = buffer.new("u32", room)}, {expanded = expanded, front = front}
        fill(expanded, 0xffffffff)
        s.level[0] = 0
        visit_again(s, again)
        local turns = 0
        repeat
          named(visit_ahead_fix, s, args)
          turns = turns + 1
        until visit_again(s, again) == 0
        equal(s.level:diff(r.dist), 0)
        if shape == "star" and room == 9 then assert(turns > 1) end
        visit_parents(s)
        equal(s.depth[0] + 1, r.passes)
        copy(s.parent, r.parent)
        assert(check(r))
      end)
    end
  end
end)
