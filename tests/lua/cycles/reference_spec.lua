local cycle = import "cycles/cycle"
local none, far = 0xffffffff, math.maxinteger

describe("tarjan", function()
  it("numbers components, successors first", function()
    local g = graph.from_edges {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 3}}
    local id, count = reference.tarjan(g)
    equal({id:totable(), count, id.dtype}, {{1, 1, 1, 0, 0}, 2, "u32"})
  end)
  it("needs no recursion", function()
    local _, count = reference.tarjan(gen.path {n = 1000000})
    equal(count, 1000000)
    _, count = reference.tarjan(gen.ring {n = 1000000})
    equal(count, 1)
  end)
end)

describe("check_choices", function()
  it("says which edges a vertex has", function()
    local none = 0xffffffff
    local off = buffer.new("u32", {0, 2, 2, 3})
    local function try(...) return reference.check_choices(off, buffer.new("u32", {...})) end
    equal(try(1, none, 2), true)
    raises("vertex 0: its choice is 2, expected one of its own edges, 0 to 1", try, 2, none, 2)
    raises("vertex 1: its choice is 2, expected 2^32 - 1, because it has no edge", try, 0, 2, 2)
    raises("vertex 2: its choice is 4294967295, expected one of its own edges, 2 to 2", try, 0, none, none)
  end)
end)

describe("check_scc", function()
  local g = graph.from_edges {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 3}}
  local function labels(...) return buffer.new("u32", {...}) end
  it("takes any labels", function()
    equal(reference.check_scc(g, labels(7, 7, 7, 4000000000, 4000000000)), true)
  end)
  it("names what is wrong", function()
    raises("vertices 0 and 3 carry the label 1 but 3 does not reach 0", reference.check_scc, g, labels(1, 1, 1, 1, 1))
    raises("vertices 0 and 2 lie on a cycle but carry the labels 1 and 0", reference.check_scc, g, labels(1, 1, 0, 3, 3))
    raises("lie on a cycle", reference.check_scc, g, labels(1, 1, 1, 3, 4))
    raises("expected u32[5], got u32[4]", reference.check_scc, g, buffer.new("u32", 4))
    raises("expected u32[5], got i32[5]", reference.check_scc, g, buffer.new("i32", 5))
  end)
end)

describe("shortest paths", function()
  local g = graph.from_edges {{0, 1, 4}, {0, 2, 1}, {2, 1, 2}, {1, 3, 5}, {4, 0, 1}, weights = "i32"}
  it("are found", function()
    for _, f in ipairs {reference.dijkstra, reference.bellman_ford} do
      local dist, parent = f(g, 0)
      equal({dist:totable(), parent:totable()}, {{0, 3, 1, 8, far}, {none, 2, 0, 1, none}})
      equal(reference.check_sssp(g, 0, dist, parent), true)
    end
  end)
  it("are real where the weights are", function()
    local h = graph.from_edges {{0, 1, 0.5}, n = 3, weights = "f32"}
    equal(reference.dijkstra(h, 0):totable(), {0.0, 0.5, 1 / 0})
  end)
  it("are not, where a cycle is negative", function()
    local h = graph.from_edges {{0, 1, 1}, {1, 2, -2}, {2, 1, 1}, weights = "i32"}
    for _, f in ipairs {reference.dijkstra, reference.bellman_ford} do
      raises("a negative cycle is reachable from 0: 1 -> 2 -> 1 (2 edges) weighs -1", f, h, 0)
    end
  end)
  it("start at a vertex", function()
    raises("argument 2: vertex 5 is not in 0 .. 4", reference.dijkstra, g, 5)
    raises("argument 2: vertex -1 is not in 0 .. 4", reference.bellman_ford, g, -1)
  end)
  it("are checked", function()
    local function try(...) return reference.check_sssp(g, 0, buffer.new("i64", {...})) end
    equal(try(0, 3, 1, 8, far), true)
    raises("vertex 1 has 4, but vertex 2 has 1 and the edge 2 -> 1 is shorter", try, 0, 4, 1, 9, far)
    raises("vertex 3 has 7, but its in-edges give 8 at least", try, 0, 3, 1, 7, far)
    raises("vertex 4 has 2, but no edge from a reached vertex leads to it", try, 0, 3, 1, 8, 2)
    raises("vertex 3 is marked unreachable, but 1 is reached", try, 0, 3, 1, far, far)
    raises("the vertex itself has 1, expected 0", try, 1, 3, 1, 8, far)
  end)
  it("are checked with their parents", function()
    local dist = buffer.new("i64", {0, 3, 1, 8, far})
    local function try(...) return reference.check_sssp(g, 0, dist, buffer.new("u32", {...})) end
    equal(try(none, 2, 0, 1, none), true)
    raises("there is no edge 0 -> 1 whose weight, added to the parent's distance, gives the distance of vertex 1", try, none, 0, 0, 1, none)
    raises("vertex 3 is reached but has no parent", try, none, 2, 0, none, none)
    raises("vertex 4 is unreachable but has the parent 0", try, none, 2, 0, 1, 0)
    raises("the source 0 has the parent 2", try, 2, 2, 0, 1, none)
  end)
  it("are not fooled by a cycle of weight 0", function()
    local h = graph.from_edges {{0, 1, 5}, {1, 2, 0}, {2, 1, 0}, weights = "i32"}
    raises("no path from 0 is that short", reference.check_sssp, h, 0, buffer.new("i64", {0, 4, 4}))
    raises("its own ancestor", reference.check_sssp, h, 0, buffer.new("i64", {0, 5, 5}),
      buffer.new("u32", {none, 2, 1}))
  end)
end)

describe("all pairs", function()
  local g = graph.from_edges {{0, 1, 4}, {0, 2, 1}, {2, 1, 2}, weights = "i32"}
  local no = 0x7fffffff
  it("are a matrix of the weights' type", function()
    local d = reference.floyd_warshall(g)
    equal({d.dtype, d.rows, d.cols, d:totable()}, {"i32", 3, 3, {0, 3, 1, no, 0, no, no, 2, 0}})
    equal(reference.check_fw(g, d), true)
    equal(reference.floyd_warshall(g, "f64"):get(0, 1), 3.0)
  end)
  it("are checked", function()
    local d = reference.floyd_warshall(g)
    d:set(0, 1, 4)
    raises("distances from 0: vertex 1 has 4, but vertex 2 has 1", reference.check_fw, g, d)
    d:set(0, 1, 3)
    d:set(1, 0, 9)
    raises("distances from 1: vertex 0 has 9, but no edge", reference.check_fw, g, d)
    raises("expected a matrix of 3 x 3, got 2 x 3", reference.check_fw, g, buffer.new("i32", 2, 3))
  end)
  it("do not wrap", function()
    local h = graph.from_edges {{0, 1, 2000000000}, {1, 2, 2000000000}, weights = "i32"}
    raises("the distance from 0 to 2 does not fit i32", reference.floyd_warshall, h)
    equal(reference.floyd_warshall(h, "i64"):get(0, 2), 4000000000)
  end)
end)

describe("check", function()
  local g = gen.uniform {n = 60, degree = 3, seed = 4, weights = "i32"}
  it("proves results of every kind", function()
    local id, count = reference.tarjan(g)
    equal(check {kind = "scc", graph = g, id = id, count = count}, true)
    local dist, parent = reference.dijkstra(g, 7)
    equal(check {kind = "sssp", graph = g, source = 7, dist = dist, parent = parent}, true)
    equal(check {kind = "sssp", graph = g, source = 7, dist = dist}, true)
    equal(check {kind = "fw", graph = g, matrix = reference.floyd_warshall(g)}, true)
  end)
  it("refutes wrong ones", function()
    local id, count = reference.tarjan(g)
    raises(("the result counts %d, but there are %d"):format(count + 1, count), check,
      {kind = "scc", graph = g, id = id, count = count + 1})
    raises(("the result has 1 size, there are %d components"):format(count), check,
      {kind = "scc", graph = g, id = id, count = count, sizes = buffer.new("u32", {60})})
    raises("components: sizes[0] is 2", check,
      {kind = "scc", graph = g, id = id, count = count, sizes = buffer.new("u32", count):fill(2)})
    local dist = reference.dijkstra(g, 7)
    dist[7] = 1
    raises("distances from 7", check, {kind = "sssp", graph = g, source = 7, dist = dist})
  end)
  it("says what it knows", function()
    raises("expected the result of an algorithm (apsp, bfs, components, ensemble, explore, fit, fw, fw.stripe, johnson, kleene, many, " ..
      "morris, ocm, pagerank, scc, sensitivities, sobol, sssp, steady, triangles), got a number", check, 4)
    raises("expected the result of an algorithm, as in check(scc(g)), got nil", check, nil)
    raises("got one of kind 'flow'", check, {kind = "flow"})
    raises("got a table", check, {})
  end)
end)

-- All arguments are checked before they are used.
describe("rubbish is refused by", function()
  local g, real = gen.uniform {n = 20, m = 80, seed = 1, weights = "i32"}, gen.uniform {n = 20, m = 80, seed = 1, weights = "f64"}
  local best, mean = cycle.result(reference.find_cycle(0, g, {})), cycle.result(reference.find_cycle(0, real, {}))
  local function with(r, change)
    local t = {graph = r.graph, p = r.p, q = r.q, mean = r.mean, cycle = r.cycle, potential = r.potential, unit = r.unit}
    for k, v in pairs(change) do t[k] = v end
    return t
  end
  local function u32(t) return buffer.new("u32", t) end
  it("find_cycle: an algorithm that there is not", function()
    for _, number in ipairs {5, -1, 1 << 32, math.mininteger} do raises("an algorithm's number, 0 to 4", reference.find_cycle, number, g, {}) end
    raises("number has no integer representation", reference.find_cycle, 0.5, g, {})
    raises("table expected, got number", reference.find_cycle, 0, g, 7)
    raises("table expected, got no value", reference.find_cycle, 0, g)
  end)
  it("all that take a result: edges that the graph has not", function()
    for _, r in ipairs {best, mean} do
      local wrong = with(r, {cycle = u32 {4000000000}})
      for name, f in pairs {check_cycle = reference.check_cycle, potentials = reference.potentials} do
        raises("the cycle's edge 4000000000 is not below m = 80", f, wrong)
      end
      raises("not below m = 80", check, setmetatable(with(r, {cycle = u32 {80}, kind = "ocm"}), getmetatable(r)))
    end
  end)
  it("all that take a result: p, q, a mean and a unit that are none", function()
    for _, q in ipairs {0, -1, math.mininteger} do
      raises(("/%d: q must be positive"):format(q), reference.potentials, with(best, {q = q}))
      raises(("/%d: q must be positive"):format(q), reference.slack, with(best, {q = q}))
    end
    raises("p and q must be whole", reference.slack, with(best, {p = 0.5}))
    for _, x in ipairs {0 / 0, math.huge, -math.huge, "1", {}} do
      raises("expected a finite number", reference.potentials, with(mean, {mean = x}))
      raises("expected a finite number", reference.slack, with(mean, {unit = x}))
    end
    raises("expected a positive number", reference.slack, with(mean, {unit = 0.0}))
    local heavy = cycle.result(reference.find_cycle(0, graph.from_edges {{0, 1, 1 << 60}, {1, 0, 1 << 60}, weights = "i64"}, {}))
    for _, p in ipairs {math.maxinteger, math.mininteger} do
      raises("may not fit in 122 bits", reference.slack, with(heavy, {p = p, q = math.maxinteger}))
      raises("may not fit in 122 bits", reference.potentials, with(heavy, {p = p, q = math.maxinteger}))
    end
    raises("i64 or f64 is expected", reference.slack, best, "f32")
  end)
  it("all that take a result: potentials beyond what sums have room for", function()
    local wide = buffer.new("u64", 40)
    wide[3] = math.maxinteger
    for _, f in ipairs {reference.slack, reference.critical} do
      raises("the potential of vertex 1 is not below 2^126", f, with(best, {potential = wide}))
    end
    raises("the potential of vertex 1 is not below 2^126", reference.potentials, best, wide)
    raises("the potentials are not feasible", reference.critical, with(best, {potential = buffer.new("i64", 20), p = 1000000, q = 1}))
    local low, held = with(best, {potential = buffer.new("i64", 20), p = 1000000, q = 1}), 0
    for e = 0, 79 do
      local ok, message = pcall(reference.sensitivity, low, e, buffer.new("u8", 80))
      if not ok and message:find("its slack is negative: the potentials are not feasible", 1, true) then held = held + 1 end
    end
    assert(held > 0, "sensitivity trusts potentials that prove nothing")
  end)
  it("the checks: elements of no distance, tolerances of no number", function()
    raises("argument 3: expected i16, i32, i64, f32 or f64 [20], got u8[20]", reference.check_sssp, g, 0, buffer.new("u8", 20))
    raises("argument 2: expected a matrix of i16, i32, i64, f32 or f64, got u64", reference.check_fw, g, buffer.new("u64", 20, 20))
    for _, tol in ipairs {0 / 0, -1, math.huge} do
      raises("expected a tolerance from 0 to 1", reference.check_fw, g, reference.floyd_warshall(g), tol)
    end
  end)
end)

-- A finalizer may run at any allocation and close the graph or buffer in use.
it("outlives a graph and buffers that are closed meanwhile", function()
  local g, b
  local function trap() setmetatable({}, {__gc = function() g:close() if b then b:close() end end}) end
  local seen = 0
  collectgarbage("generational")
  for round = 1, 300 do
    local made = gen.uniform {n = 30, m = 100, seed = round, weights = "i32"}
    local r = reference.find_cycle(0, made, {}) -- a finalizer of the previous round closes only that round's graph
    g, b = made, r.cycle
    trap()
    local ok = pcall(({reference.tarjan, reference.potentials, reference.dijkstra, reference.floyd_warshall})[round % 4 + 1], round % 4 == 1 and r or g, round % 4 == 2 and 0 or nil)
    if not ok then seen = seen + 1 end
  end
  collectgarbage("incremental")
  assert(seen < 300)
end)
