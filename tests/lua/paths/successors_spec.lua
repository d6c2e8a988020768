-- Matrices of successors: every path that they describe ends, and has the weight in the matrix of distances. The spec
-- follows the paths itself, with a table of the graph's edges.
local NONE = 0xffffffff
local KINDS = {"i32", "i64", "f32", "f64"}

-- The weights of the edges, by source and target.
local function edges_of(g)
  local weight = {}
  for v = 0, g.n - 1 do
    weight[v] = {}
    for e = g.off[v], g.off[v + 1] - 1 do
      local list = weight[v][g.to[e]] or {}
      list[#list + 1] = g.weights and g.w[e] or 1
      weight[v][g.to[e]] = list
    end
  end
  return weight
end

-- Asserts for every pair of vertices that the path along the successors is a path of g and has the weight in r's matrix.
local function followed(r, best)
  local g, s, weight = r.graph, r.successor, edges_of(r.graph)
  local n, kind = g.n, r.matrix.dtype
  local none = ({i32 = best == math.min and 0x7fffffff or -0x80000000, i64 = best == math.min and math.maxinteger or
    math.mininteger, f32 = best(math.huge, -math.huge) * -1, f64 = best(math.huge, -math.huge) * -1})[kind]
  for i = 0, n - 1 do
    for j = 0, n - 1 do
      if i == j or r:get(i, j) == none then
        assert(s:get(i, j) == NONE)
        equal(r:path(i, j), i == j and {i} or nil)
      else
        local path, sum, scale = {i}, 0, 0
        while path[#path] ~= j do
          local v = path[#path]
          local u = s:get(v, j)
          path[#path + 1] = u
          assert(#path <= n and weight[v][u], "the path is none")
          local w = best(table.unpack(weight[v][u]))
          sum, scale = sum + w, scale + math.abs(w)
        end
        assert(math.abs(sum - r:get(i, j)) <= (kind:sub(1, 1) == "f" and 1e-4 * (1 + scale) or 0))
        equal(r:path(i, j), path)
      end
    end
  end
end

for _, processor in ipairs(processors) do
  describe("successors on " .. processor .. ",", function()
    device(processor)
    for _, form in ipairs {"blocked", "recursive", "mm", "two-level", "tiles", "textbook"} do
      it("of Floyd-Warshall, " .. form, function()
        for seed, n in ipairs {1, 2, 3, 63, 64, 65} do
          for _, kind in ipairs(n < 60 and KINDS or {seed % 2 == 0 and "i32" or "f32"}) do
            for _, low in ipairs(n < 60 and {0, 1, -3} or {form == "blocked" and -3 or 0}) do
              local g = low < 0 and gen.dag {n = n, m = math.min(4 * n, n * (n - 1) // 2), seed = seed, weights = kind, lo = low, hi = 9}
                or gen.uniform {n = n, m = 3 * n, seed = seed, weights = kind, lo = low, hi = 9}
              local r = fw(g, {form = form, successors = true})
              followed(r, math.min)
              equal(check(r), true)
            end
          end
        end
      end)
    end
    it("of the Kleene star", function()
      for seed, n in ipairs {1, 2, 20, 65} do
        for _, kind in ipairs(KINDS) do
          local g = gen.dag {n = n, m = math.min(3 * n, n * (n - 1) // 2), seed = seed, weights = kind, lo = -5, hi = 9}
          local r = kleene(g, {successors = seed % 2 == 0})
          followed(r, math.max)
          equal(check(r), true)
        end
      end
      local r = kleene(graph.from_edges {{0, 1, -1}, {1, 0, 1}, {1, 2, 5}}, {closure = true, successors = true})
      followed(r, math.max)
      equal(check(r), true)
    end)
  end)
end
device(processors[1])

describe("paths over cycles of weight 0", function()
  it("end, and have the fewest edges", function()
    -- All weights are 0: every vertex's heaviest tight edge is its first one, and these edges form cycles.
    for seed = 1, 6 do
      local g = gen.uniform {n = 40, m = 90, seed = seed, weights = seed % 2 == 0 and "i64" or "f32", lo = 0, hi = 0}
      local r = fw(g, {successors = true})
      followed(r, math.min)
      equal(check(r), true)
      for i = 0, 39 do
        local hops = bfs(g, i).dist
        for j = 0, 39 do
          local path = r:path(i, j)
          if path then equal(#path - 1, hops[j]) end
        end
      end
    end
    -- A positive edge out of a cycle of weight 0, parallel edges, self loops, and a negative edge.
    local r = fw(graph.from_edges {weights = "i32", {0, 1, 0}, {1, 2, 0}, {2, 0, 0}, {2, 3, 4}, {2, 3, 3}, {1, 1, 0}, {3, 4, -2}, {0, 4, 1}})
    followed(r, math.min)
    equal({r:get(0, 4), #r:path(0, 4), check(r)}, {1, 2, true})
  end)
  it("are found by searches from each level", function()
    local g = graph.from_edges {weights = "i32", {0, 1, 0}, {1, 0, 0}, {1, 2, 0}}
    local D = fw(g).matrix
    local given = bundle {w = g.w, D = D, none = 0x7fffffff, roundings = 16, hops = buffer.new("u32", 3, 3), successor = buffer.new("u32", 3, 3)}
    equal(path_first(g, given), 0)
    equal(given.successor:totable(), {NONE, 1, 1, 0, NONE, 0, NONE, NONE, NONE})
    fill(given.hops, NONE)
    fill(given.successor, NONE)
    local found = {}
    for level = 1, 3 do
      given.level = level
      found[level] = path_level(g, given)
    end
    equal(found, {3, 1, 0})
    equal(given.hops:totable(), {NONE, 1, 2, 1, NONE, 1, NONE, NONE, NONE})
    equal(given.successor:totable(), {NONE, 1, 1, 0, NONE, 2, NONE, NONE, NONE})
    local circle = buffer.new("u32", {NONE, 1, 1, 0, NONE, 0, NONE, NONE, NONE}, 3)
    local further = buffer.new("u32", 3, 3)
    equal({path_double(circle, further), further:totable()}, {2, {NONE, 1, 0, 0, NONE, 1, NONE, NONE, NONE}})
  end)
end)

describe("wrong successors", function()
  local function made() return fw(gen.uniform {n = 30, m = 120, seed = 2, weights = "i32", lo = 0, hi = 9}, {successors = true}) end
  it("are found by check", function()
    local r, seen = made(), 0
    for i = 0, 899, 17 do
      local old = r.successor[i]
      for _, other in ipairs {NONE, 0, 29, i // 30, i % 30, 77} do
        r.successor[i] = other
        local good, why = pcall(check, r)
        if good then -- the changed successor is as good as the old one
          assert(other == old or other ~= NONE)
          followed(r, math.min)
        else
          seen = seen + 1
          assert(why:find("check: successors: paths to vertex " .. i % 30, 1, true), why)
        end
      end
      r.successor[i] = old
    end
    assert(seen > 100)
    r.successor = buffer.new("u32", 9)
    raises("check: r.successor: expected u32[900], got u32[9]", check, r)
    r.successor = buffer.new("u32", 30 * 30)
    raises("check: r.successor: expected a matrix of 30 x 30, got 900 x", check, r)
  end)
  it("and matrices of others, are refused", function()
    local r = made()
    r.successor:set(0, 1, 0)
    raises("path: the successors do not lead to the end", r.path, r, 0, 1)
    r.successor:set(0, 1, 77)
    raises("path: the successors do not lead to the end", r.path, r, 0, 1)
    r.matrix:set(0, 1, -5)
    raises("path: the matrix does not belong to the graph: no edge continues the path", matrix.successors, r.graph, r.matrix)
    local circle = graph.from_edges {weights = "i32", {0, 1, 0}, {1, 0, 0}, {1, 2, 5}}
    local D = fw(circle).matrix
    D:set(0, 2, 3)
    D:set(1, 2, 3) -- the value is justified only by a cycle, not by a path
    raises("path: the matrix does not belong to the graph", matrix.successors, circle, D)
    raises("matrix.successors: expected a matrix of 30 x 30, got 2 x 2", matrix.successors, r.graph, buffer.new("i32", 2, 2))
    raises("matrix.successors: weights of f32 cannot be elements of i32", matrix.successors,
      gen.uniform {n = 2, m = 1, weights = "f32", lo = 0, hi = 1}, buffer.new("i32", 2, 2))
    raises("matrix.successors: expected a square matrix, got 3 x 2", matrix.successors, r.graph, buffer.new("i32", 3, 2))
    raises("matrix.successors: semiring is 'max-min', expected 'min-plus' or 'max-plus'", matrix.successors, r.graph, r.matrix, {semiring = "max-min"})
    raises("fw: successors is 1, expected true or false", fw, r.graph, {successors = 1})
  end)
end)
