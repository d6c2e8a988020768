-- Optimal cycle means by policy iteration, compared with Karp's recurrence (1978), which is written out here.

local function reduced(p, q)
  local a, b = math.abs(p), q
  while b ~= 0 do a, b = b, a % b end
  return p // a, q // a
end

-- The least mean as p, q; nil if there is no cycle. edges: {from, to, weight}.
local function karp(n, edges)
  local d = {[0] = {}}
  for v = 0, n - 1 do d[0][v] = 0 end
  for k = 1, n do
    d[k] = {}
    for _, e in ipairs(edges) do
      local from = d[k - 1][e[1]]
      if from and (not d[k][e[2]] or from + e[3] < d[k][e[2]]) then d[k][e[2]] = from + e[3] end
    end
  end
  local p, q
  for v = 0, n - 1 do
    if d[n][v] then
      local a, b
      for k = 0, n - 1 do
        if d[k][v] then
          local x, y = d[n][v] - d[k][v], n - k
          if not a or x * b > a * y then a, b = x, y end
        end
      end
      if not p or a * q < p * b then p, q = a, b end
    end
  end
  if p then return reduced(p, q) end
end

local function random_graph(seed)
  math.randomseed(seed)
  local n = math.random(1, 24)
  local m = math.random(0, ({n // 2, n, 2 * n, 5 * n})[math.random(4)])
  local low, high = table.unpack(({{1, 10}, {-9, 9}, {5, 5}, {-1000000, 1000000}, {0, 1}, {-2147483647, 2147483647}})[math.random(6)])
  local edges = {}
  for i = 1, m do edges[i] = {math.random(0, n - 1), math.random(0, n - 1), math.random(low, high)} end
  return n, edges
end

local function graph_of(n, edges, kind)
  local t = {n = n, weights = kind or "i32"}
  for i, e in ipairs(edges) do t[i] = e end
  return graph.from_edges(t)
end

local forms = {{}, {form = "layered"}, {form = "layered", summary = false}}

describe("optimal cycle means", function()
  it("are those of Karp's recurrence", function()
    for seed = 1, sized(400, 400, 50) do
      local n, edges = random_graph(seed)
      local p, q = karp(n, edges)
      local g = graph_of(n, edges)
      for i, form in ipairs(forms) do
        local r = ocm(g, form)
        equal({r.p, r.q}, {p, q}, ("seed %d, form %d"):format(seed, i))
      end
    end
  end)
  it("of maxima are those of the negated weights", function()
    for seed = 1, 100 do
      local n, edges = random_graph(seed)
      local negated = {}
      for i, e in ipairs(edges) do negated[i] = {e[1], e[2], -e[3]} end
      local p, q = karp(n, negated)
      local r = ocm(graph_of(n, edges), {max = true})
      equal({r.p, r.q}, {p and -p, q}, "seed " .. seed)
    end
  end)
  it("of reals are near", function()
    for seed = 1, 100 do
      local n, edges = random_graph(seed)
      local p, q = karp(n, edges)
      for _, kind in ipairs {"f32", "f64"} do
        local exact = true
        for _, e in ipairs(edges) do exact = exact and math.abs(e[3]) < 1 << 24 end
        if exact then
          local r = ocm(graph_of(n, edges, kind))
          if p then assert(math.abs(r.mean - p / q) <= 1e-9, seed) else equal(r.mean, nil) end
          equal(check(r), true)
          equal(check(ocm(graph_of(n, edges, kind), {max = seed % 2 == 0, components = "bridged"})), true)
        end
      end
    end
  end)
  it("of wide integers", function()
    local big = 1 << 40
    local r = ocm(graph_of(3, {{0, 1, big}, {1, 2, big + 1}, {2, 0, big}}, "i64"))
    equal({r.p, r.q}, {3 * big + 1, 3})
  end)
  it("have the references' value and cycle, and are proved", function()
    for seed = 1000, 1000 + sized(300, 300, 25) do
      local n, edges = random_graph(seed)
      local g = graph_of(n, edges)
      for _, max in ipairs {false, true} do
        local want = reference.howard(g, {max = max})
        for i, form in ipairs(forms) do
          local r = ocm(g, {max = max, form = form.form, summary = form.summary})
          local where = ("seed %d, max %s, form %d"):format(seed, max, i)
          equal({r.p, r.q}, {want.p, want.q}, where)
          equal(check(r), true)
          equal(r.cycle and r.cycle:totable(), want.cycle and want.cycle:totable(), where)
        end
        for _, components in ipairs {"one by one", "bridged"} do
          local r = ocm(g, {max = max, components = components})
          equal({r.p, r.q}, {want.p, want.q}, components .. seed)
          equal(r.cycle and r.cycle:totable(), want.cycle and want.cycle:totable(), components .. seed)
        end
      end
    end
  end)
  it("of sums that leave 62 bits are exact too", function()
    for seed = 1, 60 do
      local n, edges = random_graph(seed)
      for _, e in ipairs(edges) do e[3] = e[3] * 1000003 * 7 end
      local g = graph_of(n, edges, "i64")
      local want, r = reference.howard(g), ocm(g, {kind = "f64"})
      equal({r.p, r.q}, {want.p, want.q}, "seed " .. seed)
      equal(check(r), true)
      r = ocm(g)
      equal({r.p, r.q}, {want.p, want.q}, "seed " .. seed)
    end
  end)
end)

it("components are compared exactly, however near their means", function()
  local big = 1 << 53
  local g = graph.from_edges {{0, 1, big}, {1, 0, big + 1}, {2, 3, big}, {3, 2, big}, {2, 0, 1}, weights = "i64"}
  for _, o in ipairs {{max = false, p = big, q = 1, vertex = 2}, {max = true, p = 2 * big + 1, q = 2, vertex = 0}} do
    local r, list = ocm(g, {max = o.max, components = "one by one"}), ocm.components(g, {max = o.max})
    equal({r.p, r.q, list[1].p, list[1].q, list[1].vertex}, {o.p, o.q, o.p, o.q, o.vertex})
    equal({list[2].mean, #list, check(r)}, {list[1].mean, 2, true})
  end
end)

it("reals whose sums leave f64, or lie at its lower end", function()
  for _, x in ipairs {1.7e308, -1.7e308, 1e308, 1e154, 1e-310, -5e-324} do
    for _, n in ipairs {1, 2, 3} do
      local edges = {{0, 0, -x}}
      for v = 0, n - 1 do edges[v + 2] = {v, (v + 1) % n, x} end
      local g = graph.from_edges(edges)
      for _, o in ipairs {{}, {max = true}, {components = "bridged"}, {components = "one by one", max = true}} do
        local r = ocm(g, o)
        equal({r.mean, check(r)}, {(o.max and 1 or -1) * math.abs(x), true})
      end
      for _, name in ipairs {"howard", "yto", "lawler", "karp", "hartmann_orlin"} do
        equal(check(reference[name](g)), true)
      end
    end
  end
end)

it("of reals that nearly tie the check takes either", function()
  equal(check(ocm(graph.from_edges {{0, 1, .1}, {1, 0, .2}, {0, 0, .15}})), true)
  for seed = 1, sized(200, 200, 40) do
    math.randomseed(seed)
    local edges = {n = 8, weights = seed % 2 == 0 and "f64" or "f32"}
    for i = 1, 30 do edges[i] = {math.random(0, 7), math.random(0, 7), math.random(1, 9) / 10} end
    local g = graph.from_edges(edges)
    for _, components in ipairs {false, "one by one", "bridged"} do
      equal(check(ocm(g, {max = seed % 3 == 0, components = components or nil})), true)
    end
  end
end)

it("of weights and times of any size there is a proved answer, or a clear error", function()
  local whole = {0, 1, -1, 3, 1 << 31, -(1 << 31), (1 << 53) + 1, 1 << 61, -(1 << 62), math.maxinteger, math.mininteger,
    math.mininteger + 1}
  local reals = {0.0, 1.0, .1, .2, -.3, 1e17, -1e17, 1e308, -1.7e308, 1e-308, 5e-324, -5e-324, 1e-310, 0.5}
  local lengths = {0, 1, 2, 3, (1 << 31) - 1, 1 << 31, 1 << 62, math.maxinteger}
  local clear = {"do not fit in 64 bits", "do not fit in 126 bits", "takes no time", "a weight is -2^63", "has weight -2^63", "means, not ratios"}
  local seeds, proved = sized(600, 600, 120), 0
  for seed = 1, seeds do
    math.randomseed(seed)
    local function some(list)
      local part = {}
      for i = 1, math.random(2, 5) do part[i] = list[math.random(#list)] end
      return part
    end
    local n, w, t = math.random(6), some(seed % 2 == 0 and whole or reals), some(lengths)
    local edges = {n = n, weights = seed % 2 == 0 and "i64" or "f64"}
    for i = 1, math.random(0, 3 * n) do
      edges[i] = {math.random(0, n - 1), math.random(0, n - 1), w[math.random(#w)], seed % 3 == 0 and t[math.random(#t)] or nil}
    end
    local g = graph.from_edges(edges)
    local o = {max = seed % 5 < 2, form = ({"doubling", "layered", on_cpu() and "paths" or nil})[math.random(3)],
      components = ({nil, "one by one", "bridged"})[math.random(3)]}
    for _, f in ipairs {ocm, reference.howard, reference.yto, reference.lawler, o.components ~= "bridged" and ocr or nil} do
      local good, why = pcall(function()
        return check(f(g, (f == ocm or f == ocr) and o or {max = o.max, ratio = f ~= reference.yto}))
      end)
      local told = good
      for _, text in ipairs(clear) do told = told or why:find(text, 1, true) ~= nil end
      if not told then error(("seed %d: %s"):format(seed, why), 0) end
      proved = proved + (good and 1 or 0)
    end
  end
  assert(proved > 5 * seeds // 2, proved)
end)

describe("bridges", function()
  it("bridge where sums leave 62 bits", function()
    local g = gen.uniform {n = 1000, m = 4000, lo = -1, hi = 1 << 43, seed = 3, weights = "i64"}
    local r, want = ocm(g, {components = "bridged"}), ocm(g)
    equal({r.p, r.q, check(r)}, {want.p, want.q, true})
    local heavy = graph.from_edges {{0, 1, 1 << 61}, {1, 0, -(1 << 61)}, {2, 0, 7}, weights = "i64"}
    equal(ocm(heavy, {components = "bridged"}).p, 0)
    equal(ocm(graph.from_edges {{0, 1, 1 << 61}, {1, 2, -(1 << 61)}}, {components = "bridged"}).cycle, nil)
  end)
  it("are not taken for what rounding makes of the heaviest cycle", function()
    local r = ocm(graph.from_edges {{0, 1, 0.1}, {1, 2, 0.1}, {2, 0, 0.1}}, {components = "bridged"}) -- by rounding, 0.3 / 3 > 0.1
    equal({#r.cycle, check(r)}, {3, true})
    equal(ocm(graph.from_edges {{0, 1, 0.1}, {1, 2, 0.1}}, {components = "bridged"}).mean, nil)
  end)
  it("have no time", function()
    raises("ocr: components = 'bridged' is for means", ocr, graph.from_edges {{0, 1, 1, 3}, {1, 0, 1, 3}}, {components = "bridged"})
  end)
end)

it("every component has its own optimum", function()
  local g = graph.from_edges {{0, 1, 1}, {1, 0, 2}, {1, 2, -50}, {2, 3, 7}, {3, 2, 8}, {3, 4, 0}, {5, 5, -4}}
  local list = ocm.components(g)
  equal(#list, 3)
  for i, want in ipairs {{5, -4, 1, 1}, {0, 3, 2, 2}, {2, 15, 2, 2}} do
    equal({list[i].vertex, list[i].p, list[i].q, list[i].edges}, want)
  end
  equal(ocm.components(g, {max = true})[1].p, 15)
  equal(ocm.components(gen.path(4)), {})
end)

it("every component has its own optimum, of weights and times whose sums leave 62 bits too", function()
  local b = 1 << 62
  local function components_hold(g, of, o, parts)
    local list = ocm.components(g, o)
    equal(#list, #parts)
    for _, part in ipairs(parts) do
      local want, found = of(g:subgraph(part), o), nil
      for _, x in ipairs(list) do
        for _, v in ipairs(part) do found = x.vertex == v and x or found end
      end
      local time = 0
      for i = 0, #want.cycle - 1 do time = time + (o.ratio and want.graph.t[want.cycle[i]] or 1) end
      equal({found.p, found.q, found.mean, found.edges}, {want.p, want.q, want.mean, time})
    end
    local best = of(g, o)
    equal({list[1].p, list[1].q, list[1].mean}, {best.p, best.q, best.mean})
  end
  for _, max in ipairs {false, true} do
    for _, of in ipairs {{ocm}, {ocr, true}} do
      local g = graph.from_edges {{0, 1, b - 3, 2}, {1, 0, b - 8, 3}, {1, 2, 7, 1}, {2, 3, -b + 1, 1}, {3, 2, -b + 5, 4}, {3, 3, 9 - b, 1},
        {3, 4, 1, 1}, {5, 5, 5, 2}, {4, 5, b, 1}, weights = "i64"}
      components_hold(g, of[1], {max = max, ratio = of[2]}, {{0, 1}, {2, 3}, {5}})
    end
    for _, x in ipairs {1e308, 1.7e308} do
      components_hold(graph.from_edges {{0, 1, x}, {1, 0, x / 2}, {1, 2, 3}, {2, 2, -x}}, ocm, {max = max}, {{0, 1}, {2}})
    end
    components_hold(graph.from_edges {{0, 1, 4}, {1, 0, 3}, {2, 2, 9}, {1, 2, 0}, weights = "i64"}, ocm, {max = max, kind = "f64"}, {{0, 1}, {2}})
  end
end)

describe("optimal cycle ratios", function()
  local function timed(seed)
    local n, edges = random_graph(seed)
    local t = {n = n, weights = "i32"}
    for i, e in ipairs(edges) do t[i] = {e[1], e[2], e[3], e[1] < e[2] and math.random(0, 3) or math.random(1, 5)} end
    return graph.from_edges(t)
  end
  it("are the references'", function()
    for seed = 1, sized(200, 200, 40) do
      local g = timed(seed)
      for _, max in ipairs {false, true} do
        local want = reference.howard(g, {max = max, ratio = true})
        for _, form in ipairs(forms) do
          local r = ocr(g, {max = max, form = form.form, summary = form.summary})
          equal({r.p, r.q}, {want.p, want.q}, "seed " .. seed)
          equal(check(r), true)
          equal(r.cycle and r.cycle:totable(), want.cycle and want.cycle:totable(), "seed " .. seed)
        end
      end
    end
  end)
  it("may be less than any weight", function()
    local g = graph.from_edges {{0, 0, 2, 1}, {0, 1, 3, 3}, {1, 0, 3, 3}} -- the initial policy is the lightest edge of each vertex
    local r = ocr(g)
    equal({r.p, r.q, #r.cycle}, {1, 1, 2})
  end)
  it("do not wrap where weights are small and times are not", function()
    for _, w in ipairs {"i32", "i64"} do
      local g = graph.from_edges {{0, 1, 3, 1 << 62}, {1, 0, 3, 1 << 62}, n = 2, weights = w}
      local r = ocr(g)
      equal({r.p, r.q, r.mean, check(r)}, {3, 1 << 62, 3 / 2^62, true})
      local c = ocm.components(g, {ratio = true})
      equal({#c, c[1].p, c[1].q, c[1].mean, c[1].edges, c[1].vertex}, {1, 3, 1 << 62, 3 / 2^62, 2.0^63, 0})
      local odd = ocr(graph.from_edges {{0, 1, 3, 1 << 62}, {1, 0, 3, (1 << 62) + 1}, weights = w})
      equal({odd.p, odd.q, check(odd)}, {2, 3074457345618258603, true}) -- 6 / (2^63 + 1), reduced
    end
    local prime = graph.from_edges {{0, 1, 1, 1 << 62}, {1, 0, 0, 1 << 62}, {1, 1, 0, 1}, n = 2}
    raises("a fraction whose parts do not fit in 64 bits", ocr, prime, {max = true}) -- the optimum is 1 / 2^63
    raises("do not fit in 126 bits", ocr, graph.from_edges {{0, 1, math.maxinteger, math.maxinteger}, {1, 0, 4, math.maxinteger}})
  end)
  it("of a cycle that is listed are exact", function()
    local g = graph.from_edges {{0, 1, math.maxinteger, math.maxinteger}, {1, 0, math.maxinteger, math.maxinteger}}
    local edges = buffer.new("u32", {0, 1})
    equal({reference.ratio(g, edges, true)}, {1, 1})
    equal({reference.ratio(g, edges)}, {math.maxinteger, 1})
    local half = graph.from_edges {{0, 1, 1, 1 << 62}, {1, 0, 0, 1 << 62}}
    raises("a fraction whose parts do not fit in 64 bits", reference.ratio, half, edges, true)
    raises("the cycle's edge 2 is not below m = 2", reference.ratio, g, buffer.new("u32", {2}))
    raises("the cycle takes no time", reference.ratio, g, buffer.new("u32", 0))
    raises("expected edges as u32, got i32", reference.ratio, g, buffer.new("i32", {0}))
    raises("the exact ratio p/q of a cycle needs whole weights", reference.ratio, graph.from_edges {{0, 0, 1.5}}, edges)
  end)
  it("are none where a cycle takes no time", function()
    local g = graph.from_edges {{0, 1, 5, 0}, {1, 0, 5, 0}, {1, 2, 3, 1}, {2, 0, 3, 1}}
    raises("the cycle 0 -> 1 -> 0 takes no time", ocr, g)
    local _, why = pcall(function() return (ocr(g)) end)
    equal(why, "ocr: edges: the cycle 0 -> 1 -> 0 takes no time, so its ratio is undefined")
  end)
end)

describe("the cycle that was found", function()
  it("has the mean, and potentials of its own", function()
    for seed = 1, 20 do
      local g = gen.uniform {n = 40, degree = 3, seed = seed, lo = -9, hi = 9, times = {1, 3}}
      local r, s = ocr(g, {max = seed % 2 == 0, canonical = false}), ocr(g, {max = seed % 2 == 0})
      equal({r.p, r.q}, {s.p, s.q})
      local cost, time, at = 0, 0, g.to[r.cycle[#r.cycle - 1]]
      for i = 0, #r.cycle - 1 do
        local e = r.cycle[i]
        assert(g.off[at] <= e and e < g.off[at + 1], "the edges do not follow one another")
        cost, time, at = cost + g.w[e], time + g.t[e], g.to[e]
      end
      equal(cost * r.q, r.p * time)
      equal(rawget(r, "potential"), nil)
      assert(check(r))
    end
  end)
  it("is walked round along the choices", function()
    local u32 = function(list) return buffer.new("u32", list) end
    equal(reference.round(u32 {2, 0, 1}, u32 {0, 1, 2}, 2):totable(), {1, 0, 2})
    equal(reference.round(u32 {2, 0, 1}, u32 {0, 1, 2}, 0, u32 {7, 8, 9}):totable(), {9, 8, 7})
    raises("the choices do not lead from 2 back to it", reference.round, u32 {1, 0, 0}, u32 {0, 1}, 2)
    raises("the choices do not lead from 0 back to it", reference.round, u32 {1, 0xffffffff, 0}, u32 {0, 1}, 0)
    raises("the choices do not lead from 3 back to it", reference.round, u32 {1, 0, 0}, u32 {0, 1}, 3)
    raises("argument 2: expected a u32 buffer", reference.round, u32 {0}, buffer.new("i32", 1), 0)
  end)
end)

describe("bad calls of ocm", function()
  it("say what is expected", function()
    raises("ocm: expected a graph, got nil", ocm)
    raises("unknown option 'maximum'", ocm, gen.ring(3), {maximum = true})
    raises("ahead is 0, expected a number of edges from 1 on", ocm, gen.ring(3), {ahead = 0})
    raises("form is 'deep', expected 'doubling', 'layered' or 'paths'", ocm, gen.ring(3), {form = "deep"})
  end)

  it("say which options there are", function()
    local g = gen.ring(3)
    raises("ocm: expected a table of options, got a boolean", ocm, g, true)
    raises("ocr: expected a table of options, got 7", ocr, g, 7)
    raises("components is 'all', expected 'one by one' or 'bridged'", ocm, g, {components = "all"})
  end)
end)

describe("samples/experiments/forms.lua", function()
  it("finds the forms equal after every step", function()
    local folder = debug.getinfo(1, "S").source:match("^@(.*)/[^/]*$") or "."
    local lines = {}
    local env = setmetatable({arg = {}, print = function(...) lines[#lines + 1] = table.concat({...}, " ") end}, {__index = _G})
    assert(loadfile(folder .. "/../../../samples/experiments/forms.lua", "t", env))()
    equal(lines[#lines], "\nthe forms agree, step by step")
  end)
end)
