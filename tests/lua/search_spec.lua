-- The CPU's searches without layers: what each row computes, held against plain loops written here, and the
-- decompositions that they make.
local NONE, SETTLED, UNMET, ELSEWHERE, JOINED = 0xffffffff, 0xffffffff, 0xffffffff, 0x7fffffff, 1 << 31

local function hub_of(s) return ((s.hub[0] & 0xffffffff) * 0x0e8b2f51) & 0xffffffff end
local function set_hub(s, v) s.hub[0] = (v * 0x9e3779b1) & 0xffffffff end

local function rows(g)
  local out = {}
  for v = 0, g.n - 1 do
    out[v] = {}
    for t in g:edges(v) do table.insert(out[v], t) end
  end
  return out
end

-- Who is reached from v along `next`, where `inside` allows.
local function reach(next, v, inside)
  local seen, list = {[v] = true}, {v}
  for _, u in ipairs(list) do -- grows meanwhile
    for _, t in ipairs(next[u]) do
      if inside(t) and not seen[t] then
        seen[t] = true
        list[#list + 1] = t
      end
    end
  end
  return seen, #list
end

local function transposed(next, n)
  local out = {}
  for v = 0, n - 1 do out[v] = {} end
  for v = 0, n - 1 do
    for _, t in ipairs(next[v]) do table.insert(out[t], v) end
  end
  return out
end

local function partition(id)
  local first, out = {}, {}
  for v = 0, #id - 1 do
    first[id[v]] = first[id[v]] or v
    out[v + 1] = first[id[v]]
  end
  return out
end

local function each_graph(body)
  for seed = 1, 12 do
    body(gen.uniform {n = 60, m = 40 + 12 * seed, seed = seed}, seed)
    body(gen.rmat {scale = 6, degree = 1 + seed % 4, seed = seed}, seed)
    body(gen.grid {7, 8, one_way = 0.8, seed = seed}, seed)
    body(gen.dag {n = 50, m = 20 * seed, seed = seed}, seed)
  end
  body(gen.ring {n = 9}, 1)
  body(graph.from_edges {{0, 0}, {0, 1}, {1, 1}, {1, 0}, {1, 2}, {1, 2}, {3, 0}}, 1)
  body(gen.uniform {n = 20000, m = 50000, seed = 1}, 2)
  body(gen.grid {150, 150, one_way = 0.7, seed = 3}, 3)
end

-- A state in which some vertices are settled and the rest lie in two regions.
local function scattered(g, seed)
  local s = state.scc(g)
  for v = 0, g.n - 1 do
    local draw = (v * 2654435761 + seed * 40503) >> 7 & 15
    s.mark[v] = draw == 0 and SETTLED or draw < 4 and 4 or 0
  end
  return s
end

local function a_live_vertex(s)
  for v = 0, s.graph.n - 1 do if s.mark[v] ~= SETTLED then return v end end
end

for _, name in ipairs {"cpu", "cpu:1"} do
  describe("on " .. name .. ",", function()
    device(name)

    it("flood reaches the hub's region and its tree leads back to it", function()
      each_graph(function(g, seed)
        local s, next = scattered(g, seed), rows(g)
        local hub = a_live_vertex(s)
        local function inside(v) return s.mark[v] == s.mark[hub] end
        local seen, count = reach(next, hub, inside)
        local back = reach(transposed(next, g.n), hub, function(v) return seen[v] end)
        set_hub(s, hub)
        local reached, joined = flood(s)
        equal(reached, count)
        local known = 0
        for v = 0, g.n - 1 do
          local link = s.link[v]
          if not seen[v] then
            equal(link, inside(v) and UNMET or ELSEWHERE)
          else
            local parent, edge = link & ~JOINED, v == hub
            assert(seen[parent])
            for _, t in ipairs(next[parent]) do edge = edge or t == v end
            assert(edge, "no edge from the parent")
            local at, steps = v, 0
            while at ~= hub and steps <= g.n do at, steps = s.link[at] & ~JOINED, steps + 1 end
            assert(at == hub, "a circle of parents")
            if link & JOINED ~= 0 then
              assert(back[v], "joined, but does not reach the hub")
              known = known + 1
            end
          end
        end
        equal(joined, known)
      end)
    end)

    it("join_back and flood_back find all that reaches the hub, settle_joined settles it", function()
      each_graph(function(g, seed)
        local next = rows(g)
        for _, way in ipairs {"passes", "transpose"} do
          local s = scattered(g, seed)
          local hub = a_live_vertex(s)
          local region, live = s.mark[hub], 0
          local seen, count = reach(next, hub, function(v) return s.mark[v] == region end)
          local back, size = reach(transposed(next, g.n), hub, function(v) return seen[v] end)
          local before = s.mark:totable()
          set_hub(s, hub)
          local _, joined = flood(s)
          if way == "passes" then
            local more, left = join_back(s, 1)
            joined = joined + more
            repeat
              -- pending: nothing is there twice; some may have joined by their children meanwhile
              equal(s.front_next[0], left)
              local listed = {}
              for i = 1, left do
                local v = s.front_next[i]
                assert(seen[v] and not listed[v])
                listed[v] = true
              end
              for v in pairs(seen) do assert(listed[v] or s.link[v] & JOINED ~= 0) end
              prim.swap(s.front, s.front_next)
              more, left = join_back(s, 0)
              joined = joined + more
            until more == 0
          else
            joined = joined + flood_back(s)
          end
          equal(joined, size)
          equal(settle_joined(s), size)
          for v = 0, g.n - 1 do
            equal({s.comp[v], s.mark[v]}, back[v] and {hub, SETTLED} or {NONE, seen[v] and hub << 2 | 1 or before[v + 1]})
          end
        end
      end)
    end)

    it("peel settles what no cycle leads to", function()
      each_graph(function(g, seed)
        local s, next = scattered(g, seed), rows(g)
        local live, gone, more, count = {}, {}, true, 0
        for v = 0, g.n - 1 do live[v] = s.mark[v] ~= SETTLED end
        local into = transposed(next, g.n)
        while more do
          more = false
          for v = 0, g.n - 1 do
            local free = live[v] and not gone[v]
            for _, u in ipairs(free and into[v] or {}) do free = free and (u == v or not live[u] or gone[u]) end
            if free then gone[v], more, count = true, true, count + 1 end
          end
        end
        local before = s.mark:totable()
        equal(peel(s), count)
        for v = 0, g.n - 1 do
          equal({s.comp[v], s.mark[v]}, gone[v] and {v, SETTLED} or {NONE, before[v + 1]})
        end
        equal(peel(s), 0)
      end)
      for _, g in ipairs {gen.path {n = 300000}, gen.dag {n = 100000, m = 400000, seed = 1}, gen.star {n = 100000, inward = true}} do
        equal(peel(state.scc(g)), g.n)
      end
    end)

    it("tarjan_rest settles what is live and names it by its largest vertex", function()
      local function holds(g)
        local s = state.scc(g)
        local peeled = peel(s)
        equal(tarjan_rest(s), g.n - peeled)
        equal(s.mark:find(function(x) return x ~= SETTLED end), nil)
        local id = reference.tarjan(g)
        equal(partition(s.comp), partition(id))
        local largest = {}
        for v = 0, g.n - 1 do largest[id[v]] = v end
        for v = 0, g.n - 1 do equal(s.comp[v], largest[id[v]]) end
      end
      each_graph(holds)
      local many = gen.copies(gen.ring {n = 3}, 20000)
      for _, g in ipairs {many, many:permute(3), gen.ring {n = 70000}, gen.ring {n = 70000}:permute(4),
        gen.copies(gen.grid {30, 30, one_way = 0.7, seed = 2}, 60), gen.copies(gen.uniform {n = 1000, degree = 3, seed = 2}, 50):permute(6),
        gen.torus {250, 250, one_way = 1, seed = 3}, gen.uniform {n = 60000, degree = 2, seed = 5}, gen.grid {220, 220}} do
        for _ = 1, 3 do holds(g) end
      end
    end)

    it("walk_hub finds the cycle that all walks end on", function()
      local edges = {n = 3000}
      for v = 0, 2999 do edges[v + 1] = {v, v < 7 and (v + 1) % 7 or v // 3} end
      local s = state.scc(graph.from_edges(edges))
      equal(walk_hub(s), 1)
      assert(hub_of(s) < 7)
      for v = 0, 6 do s.mark[v] = SETTLED end
      equal(walk_hub(s), 1)
      assert(hub_of(s) >= 7 and hub_of(s) < 3000)
      for v = 0, 2999 do s.mark[v] = SETTLED end
      equal(walk_hub(s), 0)
      equal(walk_hub(state.scc(graph.from_edges {n = 0})), 0)
    end)
  end)
end
device("auto")

describe("scc", function()
  -- the hub leads to all, and back there is one way alone, through vertices in no order
  local function long_way_back(n)
    local edges = {}
    for v = 1, n - 1 do
      edges[#edges + 1] = {0, v}
      edges[#edges + 1] = {v, v - 1}
    end
    return graph.from_edges(edges):permute(11)
  end

  it("turns to the transpose where passes bring little", function()
    device("cpu")
    local whole, calls = flood_back, 0
    flood_back = function(s)
      calls = calls + 1
      return whole(s)
    end
    local ok, r = pcall(scc, long_way_back(60000))
    flood_back = whole
    assert(ok, r)
    equal({r.count, calls}, {1, 1})
    device("auto")
  end)

  it("gives the same names whatever the threads do", function()
    for _, g in ipairs {gen.uniform {n = 100000, degree = 2, seed = 3}, gen.grid {300, 300, one_way = 0.8, seed = 1},
      gen.copies(gen.rmat {scale = 10, degree = 4, seed = 1}, 60), gen.torus {300, 300, one_way = 1, seed = 2}, long_way_back(40000)} do
      device("cpu:1")
      local want = scc(g)
      check(want)
      device("cpu")
      for _ = 1, 5 do equal((scc(g).id:diff(want.id)), 0) end
    end
    device("auto")
  end)
end)
