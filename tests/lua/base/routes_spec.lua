-- The two routes of check, by primitives on the device and by sequential code: for right and wrong results, both accept or both reject.
local prove_components = import "graph/certificate_components"
local prove_cycles = import "cycles/certificate_cycle"
local prove_matrices = import "dense/certificate_matrix"
local prove_network = import "graph/certificate_network"
local NONE = 0xffffffff
local random = math.random

local function one_of(list) return list[random(#list)] end

-- Does check accept r? Asserts that both routes agree; if the device rejects r, the sequential route must name the error.
local function verdict(r)
  local on_device, why = pcall(check, r, {route = "device"})
  local on_host, text = pcall(check, r, {route = "host"})
  if on_device ~= on_host then
    error(("%s: the device says %s, the sequence %s"):format(r.kind, on_device or why, on_host or text), 2)
  end
  assert(on_device or not why:find("but the proof in sequence", 1, true), why)
  return on_device
end

local function is_buffer(x) return type(x) == "userdata" and pcall(function() return x.dtype, #x end) end

-- A copy of the result's own fields, with copies of its buffers.
local function copy(r)
  local new = {}
  for key, x in pairs(r) do new[key] = is_buffer(x) and x:copy() or x end
  return setmetatable(new, getmetatable(r))
end

-- --- graphs ---

-- Returns the endpoints of the edges of a graph of an unusual shape, and its number of vertices.
local function shape(seed)
  local n, e = random(2, 9), {}
  local function add(u, v) e[#e + 1] = {u, v} end
  local kind = seed % 12
  if kind == 0 then n = 1 end
  if kind == 1 then
    n = 1
    for _ = 1, random(3) do add(0, 0) end -- self loops
  elseif kind == 2 then
    for v = 1, n - 1 do add(0, v) end -- a star
  elseif kind == 3 then
    for v = 1, n - 1 do add(0, v) add(v, 0) end
  elseif kind == 4 then
    for v = 1, n - 1 do add(v - 1, v) end -- a path
  elseif kind == 5 then
    for v = 0, n - 1 do add(v, (v + 1) % n) end -- a ring
  elseif kind == 6 then
    for u = 0, n - 1 do for v = 0, n - 1 do add(u, v) end end -- complete, with self loops
  elseif kind == 7 then
    for _ = 1, 4 do add(0, n - 1) add(n - 1, 0) end -- parallel edges
  elseif kind == 8 then
    for v = 0, n - 1 do add(v, v) end
  elseif kind == 9 then -- two parts, and isolated vertices
    n = n + 6
    for _ = 1, 6 do add(random(0, 2), random(0, 2)) add(random(3, 5), random(3, 5)) end
  elseif kind > 9 then
    for _ = 1, random(0, 4 * n) do add(random(0, n - 1), random(0, n - 1)) end
  end
  return n, e
end

local MOST = {i32 = 0x7fffffff, i64 = math.maxinteger}

-- The random graph with the given seed. options: whole = true: integer weights; negative = "cycles": any weights, "potentials": negative
-- weights without negative cycles, nil: no negative weights; acyclic = true.
local function random_graph(seed, options)
  math.randomseed(seed)
  local n, e = shape(seed)
  local kind = one_of(options.whole and {"none", "i32", "i64"} or {"none", "i32", "i64", "f32", "f64"})
  local real, huge = kind:sub(1, 1) == "f", options.huge and random(3) == 1 and MOST[kind]
  local high = {}
  for v = 0, n - 1 do high[v] = random(0, 20) end
  local edges = {n = n, name = "g", weights = kind ~= "none" and kind or nil}
  for _, x in ipairs(e) do
    local u, v = x[1], x[2]
    if not options.acyclic or u < v then
      local w = random(0, 9)
      if huge then w = huge // (options.huge) - w end
      if huge and options.negative == "cycles" and random(2) == 1 then w = -w end
      if not huge and options.negative == "cycles" then w = random(-9, 9) end
      if not huge and options.negative == "potentials" then w = w + high[u] - high[v] end
      if real then w = w / 8.0 end
      edges[#edges + 1] = {u, v, kind ~= "none" and w or nil, options.times and kind ~= "none" and random(1, 4) or nil}
    end
  end
  return graph.from_edges(edges)
end

-- Changes an element of b, which is not empty, usually to a wrong value.
local function alter(b)
  local i, real = random(0, #b - 1), b.dtype:sub(1, 1) == "f"
  local x = b[i]
  local unsigned = b.dtype:sub(1, 1) == "u"
  local most = ({u32 = NONE, i16 = 0x7fff, i32 = 0x7fffffff, i64 = math.maxinteger, u64 = 0, f32 = math.huge, f64 = math.huge})[b.dtype]
  local other = b[random(0, #b - 1)]
  local y = one_of {x + 1, x - 1, other, 0, most, x + 1000, real and 0 / 0 or 1, real and -math.huge or 2, real and x * 1.001 or 3}
  if real then y = y + 0.0 elseif unsigned and (y < 0 or y > NONE) then y = NONE end
  if not real and b.dtype ~= "i64" and (y > most or y < -most) then y = 0 end
  b[i] = y
end

local COUNT = sized(120, 24)

-- For COUNT graphs: asserts that both routes accept solve(g), and agree on `changes` mutated copies of it.
local function try(options, solve, mutate, changes)
  local made, refused, accepted = 0, 0, 0
  for seed = 1, COUNT do
    local g = random_graph(seed, options)
    local good, r = pcall(solve, g, seed)
    assert(good or not tostring(r):find("unknown", 1, true) and not tostring(r):find("attempt", 1, true), r)
    if good then
      made = made + 1
      equal(verdict(r), true)
      for _ = 1, changes or 4 do
        local other = copy(r)
        mutate(other, g)
        if verdict(other) then accepted = accepted + 1 else refused = refused + 1 end
      end
    end
  end
  assert(made > COUNT // 30 and refused > accepted // 4, ("%d results, %d mutations refused, %d accepted"):format(made, refused, accepted))
end

-- Mutates one of the buffers r[key].
local function altering(...)
  local keys = {...}
  return function(r)
    for _ = 1, 3 do
      local b = rawget(r, one_of(keys))
      if b and #b > 0 then
        alter(b)
        return
      end
    end
  end
end

for _, processor in ipairs(processors) do
  describe("both routes, on " .. processor .. ",", function()
    device(processor)
    local function mutate_cycle(r, g)
      local what = random(7)
      if not rawget(r, "cycle") then r.cycle, r.p, r.q, r.mean = buffer.new("u32", 1), 1, 1, 1.0 / g.scale end
      if what == 1 then r.p = r.p + random(-1, 1) end
      if what == 2 then r.q = r.q + random(0, 1) end
      if what <= 2 and r.q ~= 0 then r.mean = r.p / r.q / g.scale end
      if what == 3 then r.max = not r.max end
      if what == 4 then
        local b, i = r.cycle, random(0, #r.cycle - 1)
        b[i] = random(0, g.m)
      end
      local d = rawget(r, "potential")
      if what >= 5 and d and d.dtype == "i64" then
        local i = random(0, #d - 1)
        d[i] = one_of {d[i] + one_of {-1, 1, -20, 20}, math.maxinteger, math.mininteger, 0}
      end
    end
    local function cycles(f, options)
      return function()
        try({whole = true, negative = "cycles", huge = 16, times = options.ratio}, function(g, seed)
          equal(verdict(f(g, {max = seed % 2 == 0})), true) -- r.potential was not read yet, so check uses the run's own values
          local r = f(g, {max = seed % 2 == 0})
          assert(not r.cycle or r.potential)
          return r
        end, mutate_cycle, 8)
      end
    end
    it("of optimal cycle means", cycles(ocm, {}))
    it("of optimal cycle ratios", cycles(ocr, {ratio = true}))
    it("of the claim that there is no cycle", function()
      try({whole = true, acyclic = true}, function(g) return ocm(g) end, function(r, g)
        local edges = {n = g.n}
        for v = 0, g.n - 1 do
          for to in g:edges(v) do edges[#edges + 1] = {v, to} end
        end
        edges[#edges + 1] = {random(0, g.n - 1), random(0, g.n - 1)}
        r.graph = graph.from_edges(edges)
      end)
    end)
    local function matrices(f, options)
      return function() try(options, f, altering("matrix", "matrix", "successor")) end
    end
    it("of Floyd-Warshall", matrices(function(g, seed) return fw(g, {successors = seed % 2 == 0}) end, {negative = "potentials", huge = 64}))
    it("of Floyd-Warshall in 16 bits", matrices(function(g, seed) return fw(g, {dtype = "i16", successors = seed % 2 == 0}) end,
      {whole = true, negative = "potentials"}))
    it("of apsp", matrices(function(g) return apsp(g) end, {negative = "potentials", huge = 64}))
    it("of Johnson's algorithm", matrices(function(g) return johnson(g) end, {negative = "potentials"}))
    it("of the Kleene star", matrices(function(g, seed) return kleene(g, {successors = seed % 2 == 0}) end,
      {negative = "cycles", acyclic = true, huge = 64}))
    it("of closures in max-plus", matrices(function(g)
      return kleene(g, {closure = true, successors = true})
    end, {negative = "cycles"}))
    it("of many searches", function()
      try({negative = "potentials"}, function(g, seed)
        local list = {}
        for i = 1, random(3) do list[i] = random(0, g.n - 1) end
        return apsp.many(g, list, {parents = seed % 2 == 0})
      end, altering("cost", "parent"))
    end)
    it("of searches from one vertex", function()
      try({}, function(g)
        local r = sssp(g, random(0, g.n - 1))
        assert(r.parent)
        return r
      end, altering("dist", "parent"))
      try({}, function(g) return bfs(g, random(0, g.n - 1)) end, altering("dist", "parent"))
    end)
    it("of PageRank", function()
      try({whole = true}, function(g, seed) return pagerank(g, {damping = seed % 4 / 4 + 0.1}) end, function(r)
        local b = r.rank
        local i, j = random(0, #b - 1), random(0, #b - 1)
        local what = random(4)
        if what == 1 then b[i] = b[i] * (1 + 1e-5) end
        if what == 2 then b[i], b[j] = b[j], b[i] end
        if what == 3 then b[i], b[j] = b[i] - b[j] / 2, b[j] * 1.5 end
        if what == 4 then alter(b) end
      end)
    end)
    it("of triangles", function()
      try({whole = true}, function(g) return triangles(g) end, function(r)
        local b = r.at
        local i, j = random(0, #b - 1), random(0, #b - 1)
        if random(2) == 1 then b[i], b[j] = b[i] + 1, b[j] - 1 else alter(b) end
      end)
    end)
    it("of components", function()
      try({whole = true}, function(g) return scc(g) end, altering("id"))
      try({whole = true}, function(g) return components(g) end, altering("id"))
    end)
  end)
end

describe("the proof on the device", function()
  it("takes larger graphs", function()
    local g = gen.rmat {scale = 9, degree = 6, seed = 1, weights = "i32", lo = -9, hi = 9}
    for _, r in ipairs {ocm(g), ocm(g, {max = true}), pagerank(g), triangles(g), scc(g), components(g)} do equal(verdict(r), true) end
    local small = gen.uniform {n = 70, degree = 3, seed = 1, weights = "i32", lo = 0, hi = 99}
    for _, r in ipairs {fw(small, {successors = true}), apsp(small)} do equal(verdict(r), true) end
  end)
  it("decides by itself where it can", function()
    local g = gen.rmat {scale = 8, degree = 4, seed = 2, weights = "i32", lo = -9, hi = 9}
    equal(prove_network.triangles(g, triangles(g).at), true)
    equal(prove_network.pagerank(g, pagerank(g).rank, 0.85, 2e-10), true)
    equal(prove_cycles.acyclic(gen.dag {n = 90, m = 200, seed = 1}), true)
    equal(prove_cycles.acyclic(gen.ring {n = 9}), nil) -- levels in a ring would rise without bound
    for _, f in ipairs {ocm, ocr} do
      for _, max in ipairs {false, true} do
        local r = f(gen.uniform {n = 90, m = 300, seed = 4, weights = "i64", lo = -999, hi = 999, times = {1, 5}}, {max = max})
        equal(prove_cycles.cycle(r.graph, {p = r.p, q = r.q, max = max, ratio = f == ocr, graph = r.graph, cycle = r.cycle,
          potential = r.potential}), true)
        equal(prove_cycles.cycle(r.graph, {p = r.p, q = r.q, max = max, ratio = f == ocr, graph = r.graph, cycle = r.cycle}), false)
      end
    end
    local small = gen.uniform {n = 30, m = 90, seed = 1, weights = "f32", lo = 0, hi = 9}
    local r = fw(small, {successors = true})
    equal(prove_matrices.successors(small, r.matrix, r.successor, 30 * 0x1p-23), true)
  end)
  it("follows a search through more than 500 layers, if the graph is large", function()
    local rings = gen.copies(gen.ring {n = 510}, 1100)
    equal(prove_components.classes(rings, scc(rings).id), 1100)
    local ring = gen.ring {n = 40000} -- a GPU searches through at most 16 layers in a pass
    equal(prove_components.classes(ring, scc(ring).id), nil)
  end)
  it("takes a graph without vertices", function()
    local g = graph.from_edges {n = 0}
    for _, f in ipairs {ocm, scc, components, pagerank, triangles} do equal(verdict(f(g)), true) end
  end)
  it("finds successors that lead round a ring of weight 0", function()
    local g = graph.from_edges {n = 4, weights = "i32", {0, 1, 0}, {1, 0, 0}, {1, 2, 0}, {2, 0, 0}, {2, 3, 5}, {0, 0, 0}, {2, 2, 0}}
    for i, next in pairs {[0] = 0, [1] = 0, [2] = 2} do -- a wrong successor of vertex i on the path to vertex 3
      local r = fw(g, {successors = true})
      equal(verdict(r), true)
      r.successor:set(i, 3, next)
      if i == 2 then r.successor:set(0, 3, 1) end
      equal(verdict(r), false)
    end
    local r = fw(g, {successors = true})
    r.successor:set(2, 3, 0) -- 0 -> 1 -> 2 -> 0
    equal(verdict(r), false)
  end)
  it("leaves r.cycle and r.potential of an optimal cycle alone", function()
    local r = ocm(gen.uniform {n = 300, m = 900, seed = 3, weights = "i32", lo = -9, hi = 9})
    equal(check(r, {route = "device"}), true)
    equal({rawget(r, "cycle"), rawget(r, "potential")}, {})
    assert(r.cycle and r.potential)
    equal(check(r, {route = "device"}), true)
  end)
  it("does not run while the run is stepped, or in sequence", function()
    local g = gen.uniform {n = 40, m = 160, seed = 2, weights = "i32", lo = 0, hi = 9}
    for _, r in ipairs {ocm(g), fw(g, {successors = true}), triangles(g), pagerank(g), components(g)} do
      assert(not r.cycle or r.potential)
      trace.reset()
      equal(check(r, {route = "host"}), true)
      for _, s in ipairs(stats()) do assert(not s.kernel:find("^prove"), s.kernel) end
    end
  end)
end)
