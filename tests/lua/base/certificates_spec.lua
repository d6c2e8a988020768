-- Certificates of optimal cycles: planted optima, seeded faults, and what follows from the potentials: slacks, critical edges.
local certificate = import "base/certificate"
local folder = arg[0]:match("^(.*)/") or "."
local planted = dofile(folder .. "/planted.lua")

local function source(g, e)
  local v = 0
  while g.off[v + 1] <= e do v = v + 1 end
  return v
end

local function copy(r, changes)
  local new = {kind = "ocm", graph = r.graph, max = r.max, ratio = r.ratio, p = r.p, q = r.q, mean = r.mean,
    cycle = r.cycle, potential = r.potential, unit = r.unit}
  for k, v in pairs(changes) do new[k] = v end
  if changes.p or changes.q then new.mean = new.p / new.q end
  return new
end

-- Returns a copy of g in which edge e has weight x.
local function with_weight(g, e, x)
  local edges = {n = g.n}
  for v = 0, g.n - 1 do
    local i = g.off[v]
    for to, w, t in g:edges(v) do
      edges[#edges + 1] = {v, to, i == e and x or w, t}
      i = i + 1
    end
  end
  return graph.from_edges(edges)
end

describe("planted optima", function()
  local function try(o)
    local g, cycle = planted.mean(o)
    for _, name in ipairs(o.names) do
      local r = reference[name](g, {max = o.max, ratio = o.times and true})
      equal({r.p, r.q, #r.cycle}, {o.max and -o.p or o.p, o.q, o.length})
      local on = {}
      for i = 0, #cycle - 1 do on[cycle[i]] = cycle[(i + 1) % #cycle] end
      local from = {}
      for i = 0, #r.cycle - 1 do from[i] = g.to[r.cycle[(i - 1) % #r.cycle]] end
      for i = 0, #r.cycle - 1 do equal(on[from[i]], g.to[r.cycle[i]]) end
      local _, count = r:critical()
      equal(count, o.length)
      equal(check(r), true)
    end
  end
  it("of small graphs are found by all", function()
    for seed = 1, 40 do
      local q = 1 + seed % 7
      try {n = 60, m = 300, length = q * (1 + seed % 8), p = seed * 37 % 101 * q - 200 * q + seed % q, q = 1, seed = seed,
        names = {"howard", "yto", "lawler", "karp", "hartmann_orlin"}, max = seed % 2 == 0}
      local p = 10 * seed % 97 - 40
      while q > 1 and math.abs(p) % q == 0 do p = p + 1 end
      local a, b = math.abs(p), q
      while b > 0 do a, b = b, a % b end
      if a == 1 then
        try {n = 60, m = 300, length = q * (1 + seed % 8), p = p, q = q, seed = seed,
          names = {"howard", "yto", "lawler", "karp", "hartmann_orlin"}, max = seed % 2 == 0}
      end
      try {n = 60, m = 300, length = 1 + seed, p = seed - 20, q = 1, seed = seed, times = {1, 9},
        names = {"howard", "yto", "lawler"}, max = seed % 2 == 0}
    end
  end)
  long("of larger graphs, Karp's among them", function()
    try {n = 2000, m = 9000, length = 1400, p = 12347, q = 700, seed = 5, names = {"karp", "howard"}}
    try {n = 2500, m = 9000, length = 7, p = 12345, q = 7, seed = 6, names = {"hartmann_orlin", "yto", "lawler"}}
    try {n = 50000, m = 300000, length = 30000, p = -77777, q = 10000, seed = 7, names = {"howard", "yto"}}
    try {n = 50000, m = 300000, length = 5, p = 3, q = 1, seed = 8, times = {1, 100}, names = {"howard", "yto"}, max = true}
  end)
  local n = sized(300000, 50000)
  it(("a cycle of %d vertices"):format(n), function()
    try {n = n, m = 22 * n // 10, length = n, p = n - 1, q = n // 2, seed = 9, names = {"yto"}}
  end)
end)

describe("the checker", function()
  local g = gen.complete {30, seed = 4, lo = -50, hi = 50, times = {1, 5}}
  local function faults(r)
    equal(check(r), true)
    raises("lambda =", check, copy(r, {p = r.p + r.q}))
    raises("lambda =", check, copy(r, {q = r.q + 1, p = r.p}) )
    raises("not a fraction in lowest terms", check, copy(r, {p = 2 * r.p, q = 2 * r.q}))
    raises("not a fraction in lowest terms", check, copy(r, {p = -r.p, q = -r.q}))
    raises("the mean given", check, copy(r, {mean = r.mean + 1e-9}))
    local edges = r.cycle:totable()
    raises("the cycle has no edges", check, copy(r, {cycle = buffer.new("u32", 0)}))
    if #edges > 1 then
      raises("the cycle is not closed", check, copy(r, {cycle = buffer.new("u32", {table.unpack(edges, 2)})}))
      edges[1], edges[2] = edges[2], edges[1]
      if #edges > 2 then raises("the cycle is not closed", check, copy(r, {cycle = buffer.new("u32", edges)})) end
    end
    raises("is not below m", check, copy(r, {cycle = buffer.new("u32", {r.graph.m})}))
    -- a wrong potential: at a vertex on the cycle, the low or the high half of the 128-bit value is off by 1
    local v = r.graph.to[r.cycle[0]]
    equal(#edges > 1, true) -- on a self-loop, a wrong potential cancels
    local d = r.potential:totable()
    local least = math.min(table.unpack(d))
    for i = 1, #d do d[i] = d[i] - least end
    for _, change in ipairs {1, -1} do
      d[v + 1] = d[v + 1] + change
      raises("prove nothing", check, copy(r, {potential = buffer.new("i64", d)}))
      d[v + 1] = d[v + 1] - change
    end
    local halves = {}
    for i = 1, #d do halves[2 * i - 1], halves[2 * i] = d[i], 0 end
    equal(check(copy(r, {potential = buffer.new("u64", halves)})), true)
    halves[2 * v + 2] = 1
    raises("prove nothing", check, copy(r, {potential = buffer.new("u64", halves)}))
    halves[2 * v + 2] = 1 << 62
    raises("is not below 2^126", check, copy(r, {potential = buffer.new("u64", halves)}))
    raises("says that there is no cycle", check, {kind = "ocm", graph = r.graph})
    raises("the result has no potentials", check, {kind = "ocm", graph = r.graph, p = r.p, q = r.q, mean = r.mean, cycle = r.cycle})
    raises("r.potential: expected u64[60] or i64[30], got u32[30]", check, copy(r, {potential = buffer.new("u32", 30)}))
    raises("prove nothing", check, copy(r, {potential = buffer.new("i64", 30)}))
  end
  it("rejects seeded faults", function()
    for _, kind in ipairs {{}, {max = true}, {ratio = true}, {ratio = true, max = true}} do faults(reference.howard(g, kind)) end
  end)
  it("rejects a cycle that is not the best, whatever the potentials", function()
    local two = graph.from_edges {{0, 1, 5}, {1, 0, 5}, {1, 2, 4}, {2, 1, 4}}
    local r = reference.howard(two)
    raises("prove nothing", check, copy(r, {p = 5, q = 1, cycle = buffer.new("u32", {0, 1})}))
    raises("there is a cycle with a better ratio than the given one: 1 -> 2 -> 1", reference.potentials, copy(r, {p = 5, q = 1, cycle = buffer.new("u32", {0, 1})}))
  end)
  it("covers edges between components", function()
    local h = graph.from_edges {{0, 1, 5}, {1, 0, 5}, {1, 2, -900}, {2, 3, 9}, {3, 2, 9}, {4, 0, 800}}
    local r = reference.yto(h)
    equal({r.p, r.q, check(r)}, {5, 1, true})
    local d = r.potential:totable()
    local flat = buffer.new("i64", {0, 0, 0, 0, 0})
    raises("edge 2 from 1 to 2", check, copy(r, {potential = flat}))
    equal(#d, 5)
  end)
  it("takes narrow potentials, and says where 128 bits are too few", function()
    local h = graph.from_edges {{0, 1, 5}, {1, 0, 7}}
    equal(check(copy(reference.howard(h), {potential = buffer.new("i64", {0, -1})})), true)
    local wide = graph.from_edges {{0, 0, math.maxinteger, math.maxinteger}, {0, 1, 1, 1}, {1, 0, 2, math.maxinteger - 1}}
    raises("126", check, {kind = "ocm", graph = wide, ratio = true, p = math.maxinteger - 2, q = math.maxinteger, mean = 1.0,
      cycle = buffer.new("u32", {0}), potential = buffer.new("i64", 2)})
  end)
  it("holds real optima to 1e-12", function()
    local h = gen.uniform {n = 40, m = 200, seed = 2, weights = "f64", lo = -1, hi = 1}
    local r = reference.howard(h)
    equal(check(r), true)
    raises("but the cycle's is", check, copy(r, {mean = r.mean + 1e-12}))
    local d = {} -- shortest paths in doubles
    for v = 1, h.n do d[v] = 0 end
    for _ = 1, h.n do
      for v = 0, h.n - 1 do
        for to, w in h:edges(v) do d[to + 1] = math.min(d[to + 1], d[v + 1] + w - r.mean) end
      end
    end
    equal(check(copy(r, {potential = buffer.new("f64", d)})), true)
    d[h.to[r.cycle[0]] + 1] = d[h.to[r.cycle[0]] + 1] + 1e-10
    raises("more than 1e-12", check, copy(r, {potential = buffer.new("f64", d)}))
  end)
end)

describe("check believes no field of a result", function()
  local function changed(make, key, x, text)
    local r = make()
    rawset(r, key, x)
    local ok, why = pcall(check, r)
    if ok or not why:find("check: " .. text, 1, true) then
      error(("%s = %s: expected %q, got %s"):format(key, tostring(x), text, ok and "no error" or why), 2)
    end
  end
  it("of cycles", function()
    local whole = graph.from_edges {{0, 1, 3}, {1, 0, 4}, {1, 1, 9}}
    local reals = graph.from_edges {{0, 1, 1.5}, {1, 0, 2.5}, {1, 1, 9.5}}
    for _, make in ipairs {ocm, reference.howard} do
      for _, g in ipairs {whole, reals} do
        local function result() return make(g) end
        for _, x in ipairs {0 / 0, 1 / 0, -1 / 0, "3.5", true} do
          changed(result, "mean", x, g == whole and "lambda = 7/2, but the mean given is" or "r.mean: expected a finite number, got")
        end
        changed(result, "cycle", buffer.new("u32", {4000000000}), "the cycle's edge 4000000000 is not below m = 3")
        changed(result, "cycle", buffer.new("u32", {2}), "")
        changed(result, "cycle", buffer.new("i32", {0, 1}), "r.cycle: expected u32[any], got i32[2]")
        changed(result, "graph", 5, "r.graph: expected a graph, got 5")
        changed(result, "max", 0, "r.max: expected true or false, got 0")
        changed(result, "max", true, "")
        changed(result, "scale", 10, "r.scale: expected the graph's scale, 1, got 10")
        changed(result, "potential", true, "")
        changed(result, "p", 3.5, "")
        for _, x in ipairs {-1, 0, 0 / 0, 1 / 0, "1"} do
          changed(function()
            local r = result()
            assert(r.potential)
            return r
          end, "unit", x, "r.unit: expected a positive finite number, got")
        end
        local r = result()
        r.cycle:close()
        raises("check: r.cycle: expected u32[any], got", check, r)
      end
    end
    local none = function() return ocm(gen.path(3)) end
    changed(none, "p", 1, "r.p: expected nil, as there is no cycle, got 1")
    changed(none, "mean", 1.5, "r.mean: expected nil, as there is no cycle, got 1.5")
    changed(none, "cycle", buffer.new("u32", {0}), "r.p: expected")
  end)
  it("nor does anything else that is asked of it", function()
    local huge = graph.from_edges {{0, 1, math.maxinteger, math.maxinteger}, {1, 0, 3, math.maxinteger}}
    for _, d in ipairs {buffer.new("u64", {0, 1 << 62, 0, 0}), buffer.new("u64", {0, 0x1p63, 5, 0}), buffer.new("i64", {0, 0})} do
      for _, g in ipairs {huge, graph.from_edges {{0, 1, 1.5}, {1, 0, 2.5}}} do
        for _, p in ipairs {math.maxinteger, math.mininteger} do
          local r = {graph = g, ratio = true, p = p, q = math.maxinteger, mean = 1.5, potential = d, cycle = buffer.new("u32", {0, 1})}
          for _, name in ipairs {"slack", "critical", "potentials", "check_cycle"} do
            local good, why = pcall(reference[name], r)
            assert(good or why:find("2^126", 1, true) or why:find(" bits", 1, true) or why:find("only for whole weights", 1, true)
              or why:find("lambda", 1, true), why)
          end
          pcall(reference.sensitivity, r, 0, buffer.new("u8", 2))
        end
      end
    end
    local g = graph.from_edges {{0, 1, 3}, {1, 0, 4}}
    raises("q must be positive", reference.critical, {graph = g, p = 7, q = 0, cycle = buffer.new("u32", {0, 1}), potential = buffer.new("i64", 2)})
    raises("the cycle's edge 4000000000 is not below m = 2", reference.potentials,
      {graph = graph.from_edges {{0, 1, 1.5}, {1, 0, 2.5}}, mean = 2, cycle = buffer.new("u32", {4000000000})})
  end)
  it("of components", function()
    local g = graph.from_edges {n = 5, {0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 2}}
    local function result() return scc(g) end
    local names = result().id:totable()
    changed(result, "count", 2, "components: the result counts 2, but there are 3")
    changed(result, "count", 3.0, "components: the result counts 3, but there are 3")
    changed(result, "id", buffer.new("u32", {names[3], names[3], names[1], names[1], names[5]}),
      ("components: the label %d of vertex 0 is not a vertex of its component"):format(names[3]))
    changed(result, "id", buffer.new("i32", names), "r.id: expected u32[5], got i32[5]")
    changed(result, "id", buffer.new("u32", 4), "r.id: expected u32[5], got u32[4]")
    changed(result, "sizes", buffer.new("u32", {2, 1, 2}), "components: sizes[1] is 1")
    changed(result, "sizes", {2, 2, 1}, "r.sizes: expected u32[any], got a table")
    changed(result, "condensation", g, "r.condensation is not the graph of the components")
    local r = result()
    equal({r.sizes:totable(), r.condensation.n, check(r)}, {{2, 2, 1}, 3, true})
  end)
  it("of distances", function()
    local g = graph.from_edges {n = 4, {0, 1, 3}, {1, 2, 4}}
    local function result() return sssp(g, 0) end
    changed(result, "source", 4000000000, "r.source: expected a whole number from 0 to 3, got 4000000000")
    changed(result, "source", 1, "distances from 1")
    changed(result, "dist", buffer.new("f32", result().dist:totable()), "r.dist: expected i32 or i64[4], got f32[4]")
    changed(result, "dist", buffer.new("u8", {0, 3, 7, 255}), "r.dist: expected i32 or i64[4], got u8[4]")
    changed(result, "parent", 5, "r.parent: expected u32[4], got 5")
    changed(result, "passes", 0 / 0, "r.passes: expected a whole number from 1 to 9223372036854775807")
    changed(result, "unreached", 0, "r.unreached: expected what means unreached in i32, got 0")
    local function all() return fw(g) end
    changed(all, "matrix", buffer.new("i32", 16), "r.matrix: expected a matrix of 4 x 4, got 16 x")
    changed(all, "matrix", buffer.new("u8", 4, 4), "r.matrix: expected i16 or i32 or i64[16], got u8[16]")
    local reals = fw(graph.from_edges {{0, 1, 1.5}})
    reals.matrix:set(0, 1, 7.5)
    for _, tolerance in ipairs {0 / 0, 1 / 0, 1e300} do
      reals.tolerance = tolerance
      raises("check: distances from 0: vertex 1 has 7.5", check, reals)
    end
    raises("argument 3: expected a tolerance from 0 to 1, got nan", reference.check_fw, reals.graph, reals.matrix, 0 / 0)
    raises("argument 3: expected a tolerance from 0 to 1, got inf", reference.check_fw, reals.graph, reals.matrix, 1 / 0)
  end)
end)

describe("the certificate of distances", function()
  local FAR = {i32 = 0x7fffffff, i64 = math.maxinteger, f32 = math.huge, f64 = math.huge}
  -- Asserts that the checker on the device and the sequential one judge dist alike.
  local function agree(g, from, dist, parent, limit)
    local want, why = pcall(reference.check_sssp, g, from, dist, parent, limit)
    local got, text = certificate.distances(g, dist, {{from}}, {parent = parent, limit = limit})
    if got ~= want then error(("certificate: %s, reference: %s"):format(text or got, why), 2) end
    if text then
      local v, u = text:match "edge (%d+) %-> (%d+)"
      local there = false
      for to, w in g:edges(tonumber(v)) do
        local dv, du = dist[tonumber(v)], dist[tonumber(u)]
        there = there or to == tonumber(u) and dv ~= FAR[dist.dtype] and (du == FAR[dist.dtype] or dv + w < du)
      end
      equal(there, true)
    end
    return want
  end
  for _, kind in ipairs {"i32", "i64", "f32", "f64"} do
    it("agrees with the one in sequence: " .. kind, function()
      local good, bad = 0, 0
      for seed = 1, sized(120, 40) do
        local n = 2 + seed % 40
        local g = seed % 3 == 0 and gen.dag {n = n, m = 4 * n, seed = seed, weights = kind, lo = -9, hi = 9} or
          gen.uniform {n = n, m = (1 + seed % 4) * n, seed = seed, weights = kind, lo = 0, hi = seed % 5}
        local r = sssp(g, seed % n)
        equal(agree(g, r.source, r.dist, r.parent), true)
        for change = 1, 8 do
          local dist, parent = r.dist:copy(), r.parent:copy()
          local v = (seed * 31 + change * 17) % n
          if change <= 3 then
            dist[v] = r.dist[v] == FAR[kind] and change or r.dist[v] + change - 2
          elseif change == 4 then
            dist[v] = FAR[kind]
          elseif change == 5 then
            parent[v] = (seed + change) % n
          elseif change == 6 then
            parent[v] = 0xffffffff
          elseif change == 7 then
            parent[v] = n
          else -- all distances are 0: the vertices of a cycle justify each other's distances
            for u = 0, n - 1 do dist[u] = 0 end
          end
          if agree(g, r.source, dist, change > 4 and change < 8 and parent or nil) then good = good + 1 else bad = bad + 1 end
        end
        local limited = seed % 3 ~= 0 and sssp(g, seed % n, {cutoff = 3})
        if limited then
          equal(agree(g, limited.source, limited.dist, nil, limited.limit), true)
          agree(g, limited.source, r.dist, nil, 2)
        end
      end
      assert(good > 20 and bad > 100, ("%d good, %d bad"):format(good, bad))
    end)
  end
  it("names an edge, of every row", function()
    local g = gen.uniform {n = 30, m = 200, seed = 3, weights = "i32", lo = 1, hi = 9}
    local r = apsp(g)
    equal(check(r), true)
    local v = g.to[g.off[17]]
    r.matrix:set(17, v, 100)
    raises(("check: distances from 17: vertex %d has 100, but vertex "):format(v), check, r)
    local b = bfs(g, 0)
    equal(check(b), true)
    b.dist[v] = 50
    raises(("check: distances from 0: vertex %d has 50, but vertex "):format(v), check, b)
  end)
  it("finds vertices that only each other make up, and parents in a ring", function()
    local g = graph.from_edges {n = 4, weights = "i32", {0, 1, 5}, {1, 2, 0}, {2, 1, 0}, {2, 3, 1}}
    local r = sssp(g, 0)
    equal(certificate.distances(g, r.dist, {{0}}, {parent = r.parent}), true)
    equal({certificate.distances(g, buffer.new("i32", {0, 4, 4, 5}), {{0}}, {})}, {false})
    equal({certificate.distances(g, r.dist, {{0}}, {parent = buffer.new("u32", {0xffffffff, 2, 1, 2})})}, {false})
    raises("no path from 0 is that short", check, {kind = "sssp", graph = g, source = 0, dist = buffer.new("i32", {0, 4, 4, 5})})
    equal(certificate.distances(graph.from_edges {{0, 1, 1 << 40}}, buffer.new("i32", 2), {{0}}, {}), nil) -- i32 is too narrow for these weights
  end)
  it("takes weights and distances at the ends of a type", function()
    local most, least = math.maxinteger, math.mininteger
    for _, case in ipairs {{most - 1, 0, most - 1, true}, {most - 1, most, most - 1, false}, {5, least, least + 5, true},
        {-5, least, least, false}} do
      local first, w, last, want = table.unpack(case)
      local g = graph.from_edges {n = 3, weights = "i64", {0, 1, first}, {1, 2, w}}
      equal((certificate.distances(g, buffer.new("i64", {0, first, last}), {{0}}, {})), want)
    end
  end)
end)

describe("from potentials follow", function()
  local kinds = {{}, {max = true}, {ratio = true}, {max = true, ratio = true}}
  it("the critical edges: those of optimal cycles", function()
    for seed = 1, 60 do
      local g = gen.uniform {n = 6, m = 14, seed = seed, lo = 0, hi = 3, times = {1, 2}}
      for _, kind in ipairs(kinds) do
        local r = reference.howard(g, kind)
        if r.cycle then
          local mask = r:critical()
          local slack = r:slack()
          for e = 0, g.m - 1 do
            -- an edge is critical if improving its weight by 1 changes the optimum
            local better = reference.lawler(with_weight(g, e, g.w[e] + (kind.max and 1 or -1)), {max = kind.max, ratio = kind.ratio, canonical = false})
            local worth = r.sensitivity(r, e)
            local gain = kind.max and worth.rise or worth.fall
            equal(better.p ~= r.p or better.q ~= r.q, gain < 1)
            if mask[e] == 1 then equal({gain, slack[e]}, {0.0, 0}) else equal(gain > 0, true) end
            equal(slack[e] >= 0, true)
          end
        end
      end
    end
  end)
  it("how far a weight can move before the optimum does", function()
    for seed = 1, 60 do
      local g = gen.uniform {n = 5, m = 11, seed = seed, lo = -40, hi = 40, times = {1, 3}}
      for _, kind in ipairs(kinds) do
        local r = reference.yto(g, kind)
        local function same(e, x)
          local other = reference.howard(with_weight(g, e, x), {max = kind.max, ratio = kind.ratio, canonical = false})
          return other.p == r.p and other.q == r.q
        end
        for e = 0, r.cycle and g.m - 1 or -1 do
          local move = r:sensitivity(e)
          for sign, far in pairs {[-1] = move.fall, [1] = move.rise} do
            if far == math.huge then
              equal(same(e, g.w[e] + sign * 5000), true)
            else
              equal(same(e, g.w[e] + sign * math.floor(far)), true)
              equal(same(e, g.w[e] + sign * (math.floor(far) + 1)), false)
            end
          end
        end
      end
    end
  end)
  it("and a guess that holds inside components costs one pass; a wrong one is repaired", function()
    for seed = 1, 40 do
      local g = gen.uniform {n = 50, m = 90, seed = seed, lo = -99, hi = 99}
      local r = reference.howard(g)
      if r.cycle then
        local guess = {}
        for v = 1, g.n do guess[v] = seed % 2 == 0 and (v * 7919 * seed) % 100003 or r.potential[v - 1] + 5 end
        local d = reference.potentials(r, buffer.new("i64", guess))
        equal(check(copy(r, {potential = d})), true)
      end
    end
  end)
  it("the canonical cycle, whoever found one", function()
    local g = graph.from_edges {{5, 6, 1}, {6, 5, 1}, {3, 4, 1}, {4, 3, 1}, {3, 7, 1}, {7, 3, 1}, {2, 3, -9}, {7, 5, 3}}
    for _, name in ipairs {"howard", "yto", "lawler", "karp", "hartmann_orlin"} do
      local r = reference[name](g)
      equal({source(g, r.cycle[0]), g.to[r.cycle[0]], #r.cycle}, {3, 4, 2})
    end
  end)
end)

describe("a result", function()
  it("reads like a sentence, with the model's actions", function()
    local g = gen.clients {{name = "a", {"x", 4}, {"y", 2}}, {name = "b", {"z", 1}}}
    local r = reference.howard(g, {max = true})
    equal(tostring(r), "greatest cycle mean 3, by a cycle of 2 edges:\n  a: x                             4\n  a: y                             2")
    equal(r:actions(), {"a: x", "a: y"})
    equal(r:dot():find([["a: x\nb: z" -> "a: y\nb: z" [label="a: x  4"];]], 1, true) ~= nil, true)
    local none = ocm(gen.path(3))
    raises("the graph has no cycle", none.slack, none)
    raises("expected an edge from 0 to 3, got 12", r.sensitivity, r, 12)
    equal(tostring(reference.yto(gen.path(3), {ratio = true})), "the graph has no cycle, so no least cycle ratio")
  end)
end)

describe("samples/saturation.lua", function()
  it("tells how many clients saturate the server", function()
    local lines = {}
    local env = setmetatable({print = function(...) lines[#lines + 1] = table.concat({...}, " ") end}, {__index = _G})
    assert(loadfile(folder .. "/../../samples/saturation.lua", "t", env))()
    local text = table.concat(lines, "\n")
    for _, part in ipairs {"typist        13/50    26.0%   4", "reviewer       3/20    15.0%   7", "publisher     21/40    52.5%   2",
      "4 typists, 3 reviewers, 1 publisher: 7452 states, 44496 steps"} do
      equal({part, text:find(part, 1, true) ~= nil}, {part, true})
    end
  end)
  it("says that a simulation has none", function()
    raises("check: a simulation has no proof", check, simulate(model.from_text "x' = 1\nx(0) = 0", {stop = 1}))
  end)
end)
