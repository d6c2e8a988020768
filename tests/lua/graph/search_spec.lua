-- The CPU's asynchronous searches (without layers): each row's results are compared with plain loops in this
-- file; also tests the components that the searches find.
local NONE, UNMET, ELSEWHERE, JOINED = 0xffffffff, 0xffffffff, 0x7fffffff, 1 << 31

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

-- The vertices reached from v along `next` among those that `inside` allows.
local function reach(next, v, inside)
  local seen, list = {[v] = true}, {v}
  for _, u in ipairs(list) do -- the list grows during the loop
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

local function each_graph(body)
  for seed = 1, sized(12, 4) do
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

-- Returns a state with some settled vertices, a live vertex, and a function that says whether v is live.
local function scattered(g, seed)
  local s, hub = state.scc(g), nil
  for v = 0, g.n - 1 do
    if (v * 2654435761 + seed * 40503) >> 7 & 15 == 0 then
      s.comp[v] = v
    else
      hub = hub or v
    end
  end
  return s, hub, function(v) return s.comp[v] == NONE end
end

for _, name in ipairs {"cpu", "cpu:1"} do
  describe("on " .. name .. ",", function()
    device(name)

    -- Threads that reach a vertex at the same time may each count it.
    local function counted(joined, size)
      assert(size <= joined and joined <= size * device().threads, ("%d joined, not %d"):format(joined, size))
    end

    long("flood reaches what is live and its tree leads back to the hub", function()
      each_graph(function(g, seed)
        local s, hub, inside = scattered(g, seed)
        local next = rows(g)
        local seen, count = reach(next, hub, inside)
        local back = reach(transposed(next, g.n), hub, function(v) return seen[v] end)
        set_hub(s, hub)
        local reached, joined, again = flood(s)
        equal(reached, count)
        local inner = 0
        for v in pairs(seen) do
          for _, t in ipairs(next[v]) do inner = inner + (inside(t) and 1 or 0) end
        end
        equal(again, inner - (count - 1))
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
        counted(joined, known)
      end)
    end)

    it("join_back finds all that reaches the hub, settle_joined settles it", function()
      each_graph(function(g, seed)
        local next = rows(g)
        local s, hub, inside = scattered(g, seed)
        local seen = reach(next, hub, inside)
        local back, size = reach(transposed(next, g.n), hub, function(v) return seen[v] end)
        local before = s.comp:totable()
        set_hub(s, hub)
        local _, joined = flood(s)
        equal(s.front[0], 0)
        local more, left = join_back(s, 1)
        joined = joined + more
        repeat
          -- the pending queue has no duplicates; some of its vertices may meanwhile have joined the component through their children
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
        counted(joined, size)
        equal(settle_joined(s, 0), size)
        for v = 0, g.n - 1 do equal(s.comp[v], back[v] and hub or before[v + 1]) end
      end)
    end)

    -- passes = nil: no search at all; 0: no pass of join_back, so that Tarjan's algorithm finds the hub's component; else that many passes.
    long("tarjan_rest settles what is live, the hub's by the hub's name, else by the largest vertex", function()
      local function holds(g, passes)
        local s, hub, settled = state.scc(g), nil, 0
        if passes then
          walk_hub(s)
          hub = hub_of(s)
          flood(s)
          for pass = 1, passes do
            join_back(s, pass == 1 and 1 or 0)
            prim.swap(s.front, s.front_next)
          end
          settled = settle_joined(s, 0)
        end
        equal(tarjan_rest(s), g.n - settled)
        equal(tarjan_rest(s), 0)
        local id = reference.tarjan(g)
        local name = {}
        for v = 0, g.n - 1 do name[id[v]] = v end
        if hub then name[id[hub]] = hub end
        for v = 0, g.n - 1 do equal(s.comp[v], name[id[v]]) end
      end
      local function holds_always(g)
        holds(g)
        for passes = 0, 2 do holds(g, passes) end
      end
      each_graph(holds_always)
      local many = gen.copies(gen.ring {n = 3}, 20000)
      local large = {many, many:permute(3), gen.ring {n = 70000}, gen.ring {n = 70000}:permute(4),
        gen.copies(gen.grid {30, 30, one_way = 0.7, seed = 2}, 60), gen.copies(gen.uniform {n = 1000, degree = 3, seed = 2}, 50):permute(6),
        gen.torus {250, 250, one_way = 1, seed = 3}, gen.uniform {n = 60000, degree = 2, seed = 5}, gen.grid {220, 220},
        gen.star {n = 50000}, gen.star {n = 50000, inward = true}, gen.path {n = 90000}:permute(2),
        gen.dag {n = 50000, m = 150000, seed = 1}}
      for i = 1, sized(#large, 5) do holds_always(large[i]) end
    end)

    it("tarjan_rest leaves out what is settled", function()
      each_graph(function(g, seed)
        local s, _, live = scattered(g, seed)
        local before, kept, new = s.comp:totable(), {}, {}
        for v = 0, g.n - 1 do
          if live(v) then
            kept[#kept + 1] = v
            new[v] = #kept - 1
          end
        end
        local edges = {n = #kept}
        for _, v in ipairs(kept) do
          for t in g:edges(v) do if new[t] then edges[#edges + 1] = {new[v], new[t]} end end
        end
        local id = reference.tarjan(graph.from_edges(edges))
        local name = {}
        for i, v in ipairs(kept) do name[id[i - 1]] = v end
        equal(tarjan_rest(s), #kept)
        for v = 0, g.n - 1 do equal(s.comp[v], new[v] and name[id[new[v]]] or before[v + 1]) end
      end)
    end)

    it("settle_joined settles a tree", function()
      local s = state.scc(gen.path {n = 90})
      s.comp[80] = 80
      set_hub(s, 20)
      local reached, joined, again = flood(s)
      equal({reached, joined, again}, {60, 1, 0})
      equal(settle_joined(s, 1), 60)
      for v = 0, 89 do equal(s.comp[v], v >= 20 and v <= 80 and v or NONE) end
    end)

    it("walk_hub finds the cycle that all walks end on", function()
      local edges = {n = 3000}
      for v = 0, 2999 do edges[v + 1] = {v, v < 7 and (v + 1) % 7 or v // 3} end
      local s = state.scc(graph.from_edges(edges))
      equal(walk_hub(s), 1)
      assert(hub_of(s) < 7)
      for v = 0, 6 do s.comp[v] = 0 end
      equal(walk_hub(s), 1)
      assert(hub_of(s) >= 7 and hub_of(s) < 3000)
      for v = 0, 2999 do s.comp[v] = 0 end
      equal(walk_hub(s), 0)
      equal(walk_hub(state.scc(graph.from_edges {n = 0})), 0)
    end)
  end)
end
device("auto")

describe("scc", function()
  -- the hub has edges to all vertices; the only path back to the hub leads through all vertices in random order
  local function long_way_back(n)
    local edges = {}
    for v = 1, n - 1 do
      edges[#edges + 1] = {0, v}
      edges[#edges + 1] = {v, v - 1}
    end
    return graph.from_edges(edges):permute(11)
  end

  it("goes back by few passes where they bring little", function()
    device("cpu")
    local whole, calls = join_back, 0
    join_back = function(...)
      calls = calls + 1
      return whole(...)
    end
    local ok, r = pcall(scc, long_way_back(60000))
    join_back = whole
    assert(ok, r)
    equal(r.count, 1)
    assert(calls < 5, calls)
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
