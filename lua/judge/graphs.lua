-- Graphs that break programs: shapes, sizes at powers of two, depths beyond 128, 1024 and 65536 levels, extreme weights. And what is
-- made of one graph to see whether a program's answer follows: the same again, other numbers, other weights, one edge more.

local graphs = {}

--- graphs.of_edges(n, edges, weights): a graph of n vertices from a list of edges {from, to, weight}; weights is their type, or "none".
function graphs.of_edges(n, edges, weights)
  local plain, list = weights == "none", {n = n}
  for i, e in ipairs(edges) do list[i] = {e[1], e[2], not plain and (e[3] or 1) or nil} end
  if not plain then list.weights = weights end
  return graph.from_edges(list)
end

--- graphs.edges(g): the edges of g as a list of {from, to, weight}.
function graphs.edges(g)
  local list = {}
  for v = 0, g.n - 1 do
    for to, w in g:edges(v) do list[#list + 1] = {v, to, w} end
  end
  return list
end

local function chain(n, closed)
  local edges = {}
  for v = 0, n - 2 do edges[#edges + 1] = {v, v + 1, v % 7 + 1} end
  if closed then edges[#edges + 1] = {n - 1, 0, 1} end
  return n, edges
end

local function star(n, inward)
  local edges = {}
  for v = 1, n - 1 do edges[v] = {inward and v or 0, inward and 0 or v, v % 9 + 1} end
  return n, edges
end

-- A small generator of pseudo-random numbers (Park and Miller 1988), so that a seed gives the same graphs everywhere.
local function random(seed)
  local x = seed * 2654435761 % 2147483647
  if x == 0 then x = 1 end
  return function(n)
    x = x * 48271 % 2147483647
    return x % n
  end
end

local function uniform(n, m, seed, most)
  local draw, edges = random(seed), {}
  for i = 1, m do edges[i] = {draw(n), draw(n), draw(most or 100) + 1} end
  return n, edges
end

local function acyclic(n, m, seed)
  local _, edges = uniform(n, m, seed)
  local out = {}
  for _, e in ipairs(edges) do
    if e[1] ~= e[2] then out[#out + 1] = {math.min(e[1], e[2]), math.max(e[1], e[2]), e[3]} end
  end
  return n, out
end

local function grid(rows, cols)
  local edges = {}
  for r = 0, rows - 1 do
    for c = 0, cols - 1 do
      local v = r * cols + c
      if c + 1 < cols then edges[#edges + 1], edges[#edges + 2] = {v, v + 1, c % 5 + 1}, {v + 1, v, r % 3 + 1} end
      if r + 1 < rows then edges[#edges + 1], edges[#edges + 2] = {v, v + cols, r % 4 + 1}, {v + cols, v, c % 6 + 1} end
    end
  end
  return rows * cols, edges
end

local function rings(length, copies)
  local edges = {}
  for k = 0, copies - 1 do
    for i = 0, length - 1 do edges[#edges + 1] = {k * length + i, k * length + (i + 1) % length, i + 1} end
  end
  return length * copies, edges
end

local function renumbered(n, edges, seed)
  local draw, to, out = random(seed), {}, {}
  for v = 0, n - 1 do to[v] = v end
  for v = n - 1, 1, -1 do
    local u = draw(v + 1)
    to[v], to[u] = to[u], to[v]
  end
  for i, e in ipairs(edges) do out[i] = {to[e[1]], to[e[2]], e[3]} end
  return n, out
end

local function reweighted(n, edges, seed)
  local draw, out = random(seed), {}
  for i, e in ipairs(edges) do out[i] = {e[1], e[2], draw(1000) + 1} end
  return n, out
end

local function longer(n, edges, from, to)
  local out = table.move(edges, 1, #edges, 1, {})
  out[#out + 1] = {from, to, 1}
  return n, out
end

local SMALL = {
  {"no vertex", 0, {}}, {"one vertex", 1, {}}, {"one self loop", 1, {{0, 0, 3}}}, {"two vertices, no edge", 2, {}},
  {"two vertices, one edge", 2, {{0, 1, 5}}}, {"two vertices, both ways", 2, {{0, 1, 5}, {1, 0, 2}}},
  {"parallel edges", 4, {{0, 1, 9}, {0, 1, 2}, {0, 1, 2}, {1, 2, 4}, {1, 2, 1}, {2, 0, 7}, {2, 0, 3}, {2, 3, 1}}},
  {"self loops", 5, {{0, 0, 2}, {0, 1, 1}, {1, 1, 1}, {1, 2, 6}, {2, 2, 9}, {2, 0, 1}, {3, 3, 1}, {3, 4, 1}}},
  {"a loop better than all cycles", 4, {{0, 1, 5}, {1, 2, 5}, {2, 0, 5}, {3, 3, 1}, {2, 3, 4}}},
  {"two triangles with a bridge", 6, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {2, 3, 8}, {3, 4, 2}, {4, 5, 2}, {5, 3, 2}}},
  {"only vertices", 100, {}}, {"source without edges", 4, {{1, 2, 1}, {2, 3, 1}, {3, 1, 1}}},
  {"a detour that is shorter", 4, {{0, 3, 10}, {0, 1, 2}, {1, 2, 3}, {2, 3, 4}}},
  {"weights of zero", 5, {{0, 1, 0}, {1, 2, 0}, {2, 0, 0}, {2, 3, 0}, {3, 4, 1}}},
  {"sums beyond 2^31", 4, {{0, 1, 2000000000}, {1, 2, 2000000000}, {2, 3, 2000000000}, {3, 1, 2000000000}}},
  {"greatest weights", 3, {{0, 1, 2147483646}, {1, 2, 1}, {2, 0, 2147483646}}},
}

--- graphs.set(options): the list of graphs, each {name =, make = a function that returns n and the edges}. options: seed; size, a
--- number of vertices: adds graphs of about that size; dag: only acyclic ones.
function graphs.set(options)
  local list, seed = {}, options.seed or 1
  local function add(name, make, ...)
    local given = table.pack(...)
    list[#list + 1] = {name = name, make = function() return make(table.unpack(given, 1, given.n)) end}
  end
  local some = options.dag and acyclic or uniform
  for _, x in ipairs(SMALL) do add(x[1], function() return x[2], x[3] end) end
  for n = 3, 8 do
    for k = 1, 3 do add(("random, %d vertices, %d"):format(n, k), some, n, 2 * n - k, seed + 100 * n + k, 9) end
  end
  for _, n in ipairs {31, 32, 33, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025} do
    add(("random, %d vertices"):format(n), some, n, 3 * n, seed + n)
  end
  -- The same file name with another content, which a program may have kept from the time before.
  local n, edges = some(60, 150, seed + 1)
  local function base() return n, edges end
  add("random, 60 vertices", base)
  add("the same again", base)
  if not options.dag then add("the same, renumbered", renumbered, n, edges, seed) end
  add("the same, other weights", reweighted, n, edges, seed)
  add("the same size, other edges", some, 60, #edges, seed + 2)
  add("the same, one edge more", longer, n, edges, 0, n - 1)
  for _, length in ipairs {129, 1025, 4099} do add(("path, %d vertices"):format(length), chain, length) end
  add("path, renumbered", function()
    local count, path = chain(1500)
    return renumbered(count, path, seed)
  end)
  for _, length in ipairs {129, 1025} do add(("ring, %d vertices"):format(length), chain, length, true) end
  add("ring, renumbered", function()
    local count, ring = chain(700, true)
    return renumbered(count, ring, seed)
  end)
  add("two-way grid, 160 x 160", grid, 160, 160)
  add("star, outward", star, 2000)
  add("star, inward", star, 2000, true)
  add("rings of 3, 3000 vertices", rings, 3, 1000)
  add("rings of 10, renumbered", function()
    local count, many = rings(10, 300)
    return renumbered(count, many, seed)
  end)
  add("complete, 40 vertices", function()
    local all = {}
    for u = 0, 39 do
      for v = 0, 39 do
        if u ~= v and (not options.dag or u < v) then all[#all + 1] = {u, v, (u * 7 + v * 3) % 50 + 1} end
      end
    end
    return 40, all
  end)
  local size = options.size
  if size then
    for _, at in ipairs {size - 1, size, size + 1} do add(("random, %d vertices"):format(at), some, at, 4 * at, seed + at) end
    add(("path, %d vertices"):format(size), chain, size)
    add(("ring, %d vertices"):format(size), chain, size, true)
    add(("components of 3, %d vertices"):format(size // 3 * 3), rings, 3, size // 3)
    add(("star, %d vertices"):format(size), star, size)
  end
  return list
end

--- graphs.tiny(seed, k, dag): a random graph of 2 to 7 vertices, number k of a sequence.
function graphs.tiny(seed, k, dag)
  local draw = random(seed + 7919 * k)
  local n = 2 + draw(6)
  return (dag and acyclic or uniform)(n, draw(2 * n + 1), seed + 104729 * k, 9)
end

return graphs
