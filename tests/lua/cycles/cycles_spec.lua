local names = {"howard", "yto", "lawler", "karp", "hartmann_orlin"}

-- The optimum by enumerating all simple cycles, as an unreduced fraction p, q.
local function by_enumeration(g, max, ratio)
  local best_p, best_q
  local on, out = {}, {}
  for v = 0, g.n - 1 do
    out[v] = {}
    for to, w, t in g:edges(v) do table.insert(out[v], {to, w, ratio and t or 1}) end
  end
  local function walk(root, v, p, q)
    for _, edge in ipairs(out[v]) do
      local to, sum, time = edge[1], p + edge[2], q + edge[3]
      if to == root then
        local better = not best_p or (max and sum * best_q > best_p * time) or (not max and sum * best_q < best_p * time)
        if better then best_p, best_q = sum, time end
      elseif to > root and not on[to] then
        on[to] = true
        walk(root, to, sum, time)
        on[to] = nil
      end
    end
  end
  for root = 0, g.n - 1 do walk(root, root, 0, 0) end
  return best_p, best_q
end

local kinds = {{}, {max = true}, {ratio = true}, {max = true, ratio = true}}

local ranges = {{-9, 9}, {5, 5}, {2147483600, 2147483647}, {-2147483648, 2147483647}, {0, 1}}

local function random(seed, weights)
  local range = ranges[1 + seed % #ranges]
  local n = 1 + seed % 8
  return gen.uniform {n = n, m = seed * 7 % (3 * n), seed = seed, weights = weights, lo = range[1], hi = range[2],
    times = {1, 1 + seed % 5}}
end

describe("the cycle references", function()
  it("find what enumeration finds, and the same cycle, with a proof", function()
    local cycles = 0
    for seed = 1, 1200 do
      local g = random(seed, ({"i32", "i64"})[1 + seed % 2])
      for _, kind in ipairs(kinds) do
        local p, q = by_enumeration(g, kind.max, kind.ratio)
        local first
        for i = 1, kind.ratio and 3 or 5 do
          local r = reference[names[i]](g, kind)
          equal(r.cycle ~= nil, p ~= nil)
          if p then
            cycles = cycles + 1
            equal(r.p * q, p * r.q)
            first = first or r.cycle:totable()
            equal(r.cycle:totable(), first)
          end
          equal(check(r), true)
        end
      end
    end
    equal(cycles > 5000, true)
  end)

  it("find real optima within 1e-12", function()
    for seed = 1, 300 do
      local g = random(seed, ({"f32", "f64"})[1 + seed % 2])
      for _, kind in ipairs(kinds) do
        local p, q = by_enumeration(g, kind.max, kind.ratio)
        for i = 1, kind.ratio and 3 or 5 do
          local r = reference[names[i]](g, kind)
          equal({r.p, r.cycle ~= nil}, {nil, p ~= nil})
          if p then equal(math.abs(r.mean - p / q) <= 1e-15 * 2147483648, true) end
          equal(check(r), true)
        end
      end
    end
  end)

  it("tell means apart that differ by less than 1e-9", function()
    -- two rings of 40000 and 40001 edges, in each of which one weight is 999 instead of 1000: the means differ by 1 / (40000 * 40001)
    local edges, n = {}, 40000
    for v = 0, n - 1 do edges[#edges + 1] = {v, (v + 1) % n, 1000} end
    for v = 0, n do edges[#edges + 1] = {n + v, n + (v + 1) % (n + 1), 1000} end
    edges[1][3] = 999
    edges[n + 1][3] = 999
    local g = graph.from_edges(edges)
    for i = 1, 3 do
      local r = reference[names[i]](g)
      equal({r.p, r.q, #r.cycle, r.cycle[0]}, {999 + 1000 * (n - 1), n, n, 0})
      equal(check(r), true)
    end
    edges[#edges + 1] = {0, n, -5}
    edges[#edges + 1] = {n, 0, 6} -- the rings are now one component
    local h = graph.from_edges(edges)
    for i = 1, 3 do equal(reference[names[i]](h).mean < .6, true) end
  end)

  it("take times of zero where no cycle takes none", function()
    for seed = 1, 300 do
      local n = 2 + seed % 7
      local g = gen.uniform {n = n, m = 3 * n, seed = seed, lo = -20, hi = 20, times = {0, 2}}
      local ok, why = pcall(reference.howard, g, {ratio = true})
      if ok then
        local p, q = by_enumeration(g, false, true)
        for i = 1, 3 do
          local r = reference[names[i]](g, {ratio = true})
          if p then equal(r.p * q, p * r.q) end
          equal(check(r), true)
        end
      else
        equal(why:find("takes no time", 1, true) ~= nil, true)
        local path = why:match("the cycle (.-) takes")
        local at, first = nil, nil
        for v in path:gmatch("%d+") do -- asserts that it is a closed walk of edges whose time is 0
          v = tonumber(v)
          if at then
            local there = false
            for to, _, t in g:edges(at) do there = there or (to == v and t == 0) end
            equal(there, true)
          end
          first, at = first or v, v
        end
        equal(at, first)
        raises("takes no time", reference.yto, g, {ratio = true})
        raises("takes no time", reference.lawler, g, {ratio = true, max = true})
      end
    end
    raises("the cycle 1 -> 1 takes no time", reference.howard, graph.from_edges {{0, 1, 3, 1}, {1, 1, 4, 0}}, {ratio = true})
  end)

  it("count their iterations", function()
    local g = graph.from_edges {{0, 1, 1}, {1, 0, 1}}
    equal({reference.yto(g).iterations, reference.karp(g).iterations}, {1, nil}) -- one vertex moves below the other, and the next closes the cycle
    assert(reference.howard(g).iterations >= 1 and reference.lawler(g).iterations >= 1)
    equal(reference.yto(graph.from_edges {{0, 1, 1}}).iterations, 1) -- the only edge is one iteration, though there is no cycle
    local h = gen.uniform {n = 200, m = 800, seed = 1, weights = "i32", lo = 1, hi = 9999}
    assert(reference.yto(h).iterations > reference.howard(h).iterations)
  end)
  it("refuse what they can't do exactly", function()
    local g = graph.from_edges {{0, 1, 1, 2}, {1, 0, 1, 1}}
    raises("means, not ratios", reference.karp, g, {ratio = true})
    raises("means, not ratios", reference.hartmann_orlin, g, {ratio = true})
    raises("unknown option 'mex'", reference.howard, g, {mex = true})
    raises("do not fit in 64 bits", reference.howard,
      graph.from_edges {{0, 1, math.maxinteger}, {1, 0, math.maxinteger - 1}})
    raises("edge 0 has weight -2^63", reference.yto, graph.from_edges {{0, 0, math.mininteger}})
    local far = {}
    for e = 1, 3 do far[e] = {0, 0, math.maxinteger, math.maxinteger} end
    far.n = 4
    raises("do not fit in 126 bits", reference.lawler, graph.from_edges(far), {ratio = true})
  end)

  it("unweighted edges weigh 1, loops count, vertices alone don't", function()
    for i = 1, 5 do
      equal({reference[names[i]](gen.ring(7)).p, reference[names[i]](gen.ring(7)).q}, {1, 1})
      equal(reference[names[i]](gen.path(7)).cycle, nil)
      equal(reference[names[i]](graph.from_edges {n = 0}).cycle, nil)
      local r = reference[names[i]](graph.from_edges {n = 5, {3, 3, 9}, {3, 3, 8}})
      equal({r.p, r.q, r.cycle:totable()}, {8, 1, {1}})
    end
  end)
end)
