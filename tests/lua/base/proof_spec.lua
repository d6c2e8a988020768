-- Potentials, slacks and the checker's verdict, compared with plain loops over the edges.
local kinds = {{}, {max = true}, {ratio = true}, {max = true, ratio = true}}

-- {from, to, weight, time} in the order of the graph's edges.
local function edges_of(g)
  local list = {}
  for v = 0, g.n - 1 do
    for to, w, t in g:edges(v) do list[#list + 1] = {v, to, w, t or 1} end
  end
  return list
end

local function random(seed)
  math.randomseed(seed)
  local n = math.random(1, 8)
  local low, high = table.unpack(({{-9, 9}, {0, 2}, {-100, 100}})[seed % 3 + 1])
  local t = {n = n, weights = seed % 2 == 0 and "i64" or "i32"}
  for i = 1, math.random(0, 3 * n) do
    t[i] = {math.random(0, n - 1), math.random(0, n - 1), math.random(low, high), math.random(1, 1 + seed % 4)}
  end
  local g = graph.from_edges(t)
  return g, edges_of(g)
end

-- Every simple cycle, as a list of edges from its smallest vertex.
local function all_cycles(n, edges)
  local out, found, on, path = {}, {}, {}, {}
  for v = 0, n - 1 do out[v] = {} end
  for e, x in ipairs(edges) do table.insert(out[x[1]], e) end
  local function walk(root, v)
    for _, e in ipairs(out[v]) do
      local to = edges[e][2]
      path[#path + 1] = e
      if to == root then
        found[#found + 1] = {table.unpack(path)}
      elseif to > root and not on[to] then
        on[to] = true
        walk(root, to)
        on[to] = nil
      end
      path[#path] = nil
    end
  end
  for root = 0, n - 1 do walk(root, root) end
  return found
end

local function potentials_of(r) -- via a file, which has the low 64 of 128 bits unchanged
  local name, d = os.tmpname(), {}
  r.potential:save(name .. ".bin")
  local file = assert(io.open(name .. ".bin", "rb"))
  local bytes = file:read("a")
  file:close()
  os.remove(name .. ".bin")
  os.remove(name)
  for v = 0, r.graph.n - 1 do d[v] = string.unpack("<i8", bytes, #bytes // r.graph.n * v + 1) end
  return d
end

-- The slack of every edge, and the least of them.
local function slacks(r, edges, d)
  local list, least = {}, math.huge
  for i, e in ipairs(edges) do
    local x = d[e[1]] - d[e[2]] + r.q * e[3] - r.p * (r.ratio and e[4] or 1)
    list[i] = r.max and -x or x
    least = math.min(least, list[i])
  end
  return list, least
end

local function claim_of(r)
  return {kind = "ocm", graph = r.graph, max = r.max, ratio = r.ratio, p = r.p, q = r.q, mean = r.mean, cycle = r.cycle,
    potential = r.potential}
end

local function each(f)
  for seed = 1, 150 do
    local g, edges = random(seed)
    for i, kind in ipairs(kinds) do
      local r = reference[({"howard", "yto", "lawler"})[seed % 3 + 1]](g, kind)
      if r.cycle then f(r, edges, kind, seed * 10 + i) end
    end
  end
end

describe("potentials", function()
  it("hold on every edge, those between components too, whatever they start from", function()
    each(function(r, edges, _, seed)
      local _, least = slacks(r, edges, potentials_of(r))
      equal(least, 0)
      local start = buffer.new("i64", r.graph.n)
      for v = 0, #start - 1 do start[v] = math.random(-50, 50) end
      r.potential = reference.potentials(r, start)
      _, least = slacks(r, edges, potentials_of(r))
      equal(least, 0)
    end)
  end)
  it("do not exist where a cycle is better, which is named", function()
    local g = graph.from_edges {{0, 1, 4}, {1, 0, 4}, {1, 2, 3}, {2, 1, 3}}
    raises("there is a cycle with a better ratio than the given one", reference.potentials, {graph = g, p = 4, q = 1, cycle = buffer.new("u32", {0, 1})})
    local r = reference.howard(g)
    equal(r.p, 3)
  end)
end)

describe("the checker", function()
  it("takes potentials where no edge beats them, and no others", function()
    local refused = 0
    each(function(r, edges)
      local d, claim = potentials_of(r), claim_of(r)
      claim.potential = buffer.new("i64", r.graph.n)
      for v = 0, r.graph.n - 1 do
        for _, by in ipairs {-20, -1, 1, 20} do
          d[v] = d[v] + by
          for u = 0, r.graph.n - 1 do claim.potential[u] = d[u] end
          local _, least = slacks(r, edges, d)
          local good, why = pcall(reference.check_cycle, claim)
          equal(good, least >= 0)
          if not good then
            refused = refused + 1
            assert(why:find("the potentials prove nothing", 1, true), why)
          end
          d[v] = d[v] - by
        end
      end
    end)
    assert(refused > 1000)
  end)
  it("looks at edges between components", function()
    local g = graph.from_edges {{0, 0, 1}, {0, 1, 5}, {1, 1, 1}}
    local claim = {kind = "ocm", graph = g, p = 1, q = 1, cycle = buffer.new("u32", {0}), potential = buffer.new("i64", {0, 4})}
    equal(reference.check_cycle(claim), true)
    claim.potential[1] = 5
    raises("edge 1 from 0 to 1 breaks d(v) <= d(u) + 1 w - 1 t", reference.check_cycle, claim)
  end)
  it("refuses walks that are not closed, and other means", function()
    each(function(r)
      local claim, list = claim_of(r), r.cycle:totable()
      for i = 1, #list do
        local cut = {table.unpack(list)}
        table.remove(cut, i)
        claim.cycle = buffer.new("u32", cut)
        if #cut == 0 then
          raises("the cycle has no edges", reference.check_cycle, claim)
        elseif r.graph.to[list[i]] ~= r.graph.to[list[(i - 2) % #list + 1]] then -- not a self-loop
          raises("the cycle is not closed", reference.check_cycle, claim)
        end
      end
      claim.cycle = buffer.new("u32", {r.graph.m})
      raises("is not below m", reference.check_cycle, claim)
      claim.cycle = r.cycle
      for _, by in ipairs {-r.q, r.q} do
        claim.p = r.p + by
        raises(("lambda = %d/%d, but the cycle's is"):format(claim.p, r.q), reference.check_cycle, claim)
      end
      claim.p, claim.q = 2 * r.p, 2 * r.q
      raises("is not a fraction in lowest terms", reference.check_cycle, claim)
    end)
  end)
  it("refuses that there is no cycle where there is one", function()
    for seed = 1, 150 do
      local g, edges = random(seed)
      local good, why = pcall(reference.check_cycle, {kind = "ocm", graph = g})
      equal(good, #all_cycles(g.n, edges) == 0)
      assert(good or why:find("says that there is no cycle", 1, true), why)
    end
  end)
  it("refuses real means and potentials that are off", function()
    each(function(r, edges, kind)
      local t = {n = r.graph.n, weights = "f64"}
      for i, e in ipairs(edges) do t[i] = {e[1], e[2], e[3] / 8, e[4]} end
      local g = graph.from_edges(t)
      local got = reference.howard(g, kind)
      equal(got.mean * 8, r.p / r.q)
      local claim = {kind = "ocm", graph = g, max = r.max, ratio = r.ratio, mean = got.mean, cycle = got.cycle}
      local d = potentials_of(r)
      claim.potential = buffer.new("f64", g.n)
      local unit = 8 * r.q
      for v = 0, g.n - 1 do claim.potential[v] = d[v] / unit end
      equal(reference.check_cycle(claim), true)
      for v = 0, g.n - 1 do
        for _, by in ipairs {-r.q, r.q} do
          d[v] = d[v] + by
          claim.potential[v] = d[v] / unit
          local _, least = slacks(r, edges, d)
          equal(pcall(reference.check_cycle, claim), least >= 0)
          d[v] = d[v] - by
        end
        claim.potential[v] = d[v] / unit
      end
      claim.mean = got.mean + 1 / 1024
      raises("but the cycle's is", reference.check_cycle, claim)
    end)
  end)
end)

describe("what potentials tell:", function()
  it("slack", function()
    each(function(r, edges)
      equal(r:slack():totable(), (slacks(r, edges, potentials_of(r))))
    end)
  end)
end)
