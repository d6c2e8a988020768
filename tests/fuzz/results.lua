-- Mutated results: lockstep tests/fuzz/results.lua [COUNT [SEED]]. Solves small random graphs, mutates fields of the results
-- at random, and passes these to check(). If check accepts a result, a judge, which enumerates all paths and simple cycles, must
-- accept it, too; if check rejects it, the message must be check's own, not Lua's; nothing may crash (so run it with
-- sanitizers, too). Exit code 1 if one of these does not hold.
local COUNT, SEED = tonumber(arg and arg[1] or 5000), tonumber(arg and arg[2] or 1)
math.randomseed(SEED)
local random = math.random

local function one_of(list) return list[random(#list)] end

-- --- graphs: all sums of their weights are exact, also in floating point ---

local function random_graph(options)
  local n, kind = random(7), options.weights or one_of {"none", "i32", "i64", "f32", "f64"}
  local real, times = kind:sub(1, 1) == "f", options.times ~= false and random(4) == 1
  local low = options.low or one_of {-9, 0, -2}
  local edges = {n = n, name = "g"}
  if kind ~= "none" then edges.weights = kind end
  for i = 1, random(0, 3 * n) do
    local w = random(low, 9)
    if real then w = w / one_of {1.0, 8.0} end
    edges[i] = {random(0, n - 1), random(0, n - 1), kind ~= "none" and w or nil}
    if times and kind ~= "none" then edges[i][4] = random(1, 4) end
  end
  return graph.from_edges(edges)
end

local function edges_of(g)
  local list = {}
  for v = 0, g.n - 1 do
    for to, w, t in g:edges(v) do list[#list + 1] = {from = v, to = to, w = w or 1, t = t or 1} end
  end
  return list
end

-- --- judges: each returns nil if the result is right, else a message ---

local judges = {}

local function is_buffer(b, types, count)
  local good, dtype, length = pcall(function() return b.dtype, #b end)
  return good and type(b) == "userdata" and types:find(dtype, 1, true) and (not count or length == count)
end

local function is_real(g) return g.weights == "f32" or g.weights == "f64" end

function judges.scc(r)
  local g = r.graph
  local n, reach = g.n, {}
  for u = 0, n - 1 do
    reach[u] = {[u] = true}
  end
  for _, e in ipairs(edges_of(g)) do reach[e.from][e.to] = true end
  for k = 0, n - 1 do
    for i = 0, n - 1 do
      if reach[i][k] then
        for j in pairs(reach[k]) do reach[i][j] = true end
      end
    end
  end
  if not is_buffer(r.id, "u32", n) then return "id is no u32[n]" end
  local size, count, sizes = {}, 0, {}
  for u = 0, n - 1 do
    for v = 0, n - 1 do
      if (r.id[u] == r.id[v]) ~= ((reach[u][v] and reach[v][u]) or false) then return "no partition into components" end
    end
    local label = r.id[u]
    if label >= n or r.id[label] ~= label then return "a label is none of its vertices" end
    if not size[label] then size[label], count = 0, count + 1 end
    size[label] = size[label] + 1
  end
  for v = 0, n - 1 do sizes[#sizes + 1] = size[v] end
  if math.type(r.count) ~= "integer" or r.count ~= count then return "the count" end
  local claimed = rawget(r, "sizes")
  if claimed ~= nil then
    if not is_buffer(claimed, "u32", count) then return "sizes are no u32[count]" end
    for i = 1, count do
      if claimed[i - 1] ~= sizes[i] then return "a size" end
    end
  end
  local made = rawget(r, "condensation")
  if made == nil then return end
  local number, at, want, have = {}, 0, {}, {}
  for v = 0, n - 1 do
    if size[v] then number[v], at = at, at + 1 end
  end
  if made.n ~= count then return "the condensation's vertices" end
  for _, e in ipairs(edges_of(g)) do
    local a, b = number[r.id[e.from]], number[r.id[e.to]]
    if a ~= b then want[a .. ">" .. b] = true end
  end
  for _, e in ipairs(edges_of(made)) do
    local name = e.from .. ">" .. e.to
    if not want[name] or have[name] then return "an edge of the condensation" end
    have[name] = true
  end
  for name in pairs(want) do
    if not have[name] then return "an edge is missing in the condensation" end
  end
end

-- Distances from s by n rounds of the Bellman-Ford algorithm; nil if there is a negative cycle.
local function distances(g, s)
  local d, edges = {}, edges_of(g)
  for v = 0, g.n - 1 do d[v] = v == s and 0 or math.huge end
  for round = 1, g.n + 1 do
    local changed = false
    for _, e in ipairs(edges) do
      if d[e.from] + e.w < d[e.to] then d[e.to], changed = d[e.from] + e.w, true end
    end
    if not changed then return d end
  end
end

local FAR = {i32 = 0x7fffffff, i64 = math.maxinteger, f32 = math.huge, f64 = math.huge}
local EPSILON = {i32 = 0, i64 = 0, f32 = 0x1p-23, f64 = 0x1p-52}

-- The tolerance of a distance: at most n edges on a path, each with `roundings` rounding errors of the largest number that occurs.
local function allowance(g, d, dtype, roundings)
  local most = 0
  for _, x in pairs(d) do
    if x < math.huge then most = math.max(most, math.abs(x)) end
  end
  for _, e in ipairs(edges_of(g)) do most = math.max(most, math.abs(e.w)) end
  return roundings * EPSILON[dtype] * 2 * most * g.n
end

local function wrong_row(d, get, far, off)
  for v, want in pairs(d) do
    local have = get(v)
    if want == math.huge then
      if have ~= far then return ("vertex %d is not reached"):format(v) end
    elseif have == far or not (math.abs(have - want) <= off) then
      return ("vertex %d: %s, not %s"):format(v, have, want)
    end
  end
end

local function types_of(g) return is_real(g) and "f32 f64" or "i32 i64" end

function judges.sssp(r)
  local g, s = r.graph, r.source
  if math.type(s) ~= "integer" or s < 0 or s >= g.n then return "the source" end
  if not is_buffer(r.dist, types_of(g), g.n) then return "the type of dist" end
  local far, d = FAR[r.dist.dtype], distances(g, s)
  if not d then return "a cycle is negative" end
  local off = allowance(g, d, r.dist.dtype, 8)
  local why = wrong_row(d, function(v) return r.dist[v] end, far, off)
  if why then return why end
  if r.unreached ~= far then return "unreached" end
  if math.type(r.passes) ~= "integer" or r.passes < 1 then return "passes" end
  if not is_buffer(r.parent, "u32", g.n) then return "the type of parent" end
  for v = 0, g.n - 1 do
    local at, steps = v, 0
    if v == s or d[v] == math.huge then
      if r.parent[v] ~= 0xffffffff then return "a parent of what has none" end
    else
      while at ~= s do
        local up, tight = r.parent[at], false
        steps = steps + 1
        if up >= g.n or steps > g.n then return "the parents do not lead to the source" end
        for to, w in g:edges(up) do
          tight = tight or (to == at and math.abs(d[up] + (w or 1) - d[at]) <= 2 * off)
        end
        if not tight then return "a parent that is not the last of a shortest path" end
        at = up
      end
    end
  end
end

function judges.fw(r)
  local g, m = r.graph, r.matrix
  local good, rows, cols = pcall(function() return m.rows, m.cols end)
  if not is_buffer(m, types_of(g)) or not good or rows ~= g.n or cols ~= g.n then return "the type of the matrix" end
  for s = 0, g.n - 1 do
    local d = distances(g, s)
    if not d then return "a cycle is negative" end
    local why = wrong_row(d, function(v) return m:get(s, v) end, FAR[m.dtype], allowance(g, d, m.dtype, math.max(16, g.n)))
    if why then return why end
  end
end

-- Whether a/b < c/d, for small numbers.
local function less(a, b, c, d) return a * d < c * b end

-- The best ratio over all simple cycles.
local function best_ratio(edges, n, max, ratio)
  local out, on, best_w, best_t = {}, {}, nil, nil
  for v = 0, n - 1 do out[v] = {} end
  for _, e in ipairs(edges) do table.insert(out[e.from], e) end
  local function walk(root, v, w, t)
    for _, e in ipairs(out[v]) do
      local nw, nt = w + e.w, t + (ratio and e.t or 1)
      if e.to == root then
        if not best_w or (max and less(best_w, best_t, nw, nt) or not max and less(nw, nt, best_w, best_t)) then
          best_w, best_t = nw, nt
        end
      elseif e.to > root and not on[e.to] then
        on[e.to] = true
        walk(root, e.to, nw, nt)
        on[e.to] = nil
      end
    end
  end
  for root = 0, n - 1 do walk(root, root, 0, 0) end
  return best_w, best_t
end

-- The potential of v as a pair: the number is high * 2^64 + low, low unsigned. Halves of 2^63 and more
-- become floats in Lua, with an error of at most 1024.
local LOST = 4096.0

local function pair(d, v)
  if d.dtype == "i64" then return d[v] < 0 and -1 or 0, d[v] end
  local high, low = d[2 * v + 1], d[2 * v]
  if math.type(high) == "float" then high = math.min(math.tointeger(high - 2.0^64), -1) end
  return high, math.type(low) == "float" and math.tointeger(low - 2.0^64) or low
end

-- a - b as a float, exact if the difference is small.
local function difference(d, a, b)
  local ah, al = pair(d, a)
  local bh, bl = pair(d, b)
  local high = ah + 0.0 - bh - (math.ult(al, bl) and 1 or 0)
  local low = al - bl
  if high == 0 and low >= 0 or high == -1 and low < 0 then return low + 0.0 end
  return high * 2.0^64 + (low < 0 and low + 2.0^64 or low)
end

function judges.ocm(r)
  local g, max, ratio = r.graph, r.max, r.ratio
  for _, key in ipairs {"max", "ratio"} do
    if r[key] ~= nil and type(r[key]) ~= "boolean" then return key end
  end
  if r.scale ~= nil and r.scale ~= g.scale then return "the scale" end
  local edges = edges_of(g)
  local w, t = best_ratio(edges, g.n, max, ratio)
  local cycle, real = r.cycle, is_real(g)
  if not w or cycle == nil then
    for _, key in ipairs {"p", "q", "mean", "cycle"} do
      if r[key] ~= nil then return "there is no cycle, but " .. key end
    end
    return w and "there is a cycle" or nil
  end
  if not is_buffer(cycle, "u32") or #cycle == 0 then return "the cycle is no list of edges" end
  local cost, time, before = 0, 0, nil
  for i = 0, #cycle - 1 do
    local e = edges[cycle[i] + 1]
    if not e or before and before.to ~= e.from then return "the cycle is no walk" end
    cost, time, before = cost + e.w, time + (ratio and e.t or 1), e
  end
  if before.to ~= edges[cycle[0] + 1].from then return "the cycle is not closed" end
  if cost * t ~= w * time then return "the cycle is not the best" end
  local greatest = 0
  for _, e in ipairs(edges) do greatest = math.max(greatest, math.abs(e.w)) end
  if type(r.mean) ~= "number" or not (math.abs(r.mean - w / t) <= (real and 1.1e-12 * greatest or 1e-14 * math.abs(w / t))) then
    return "the mean"
  end
  local d, unit = r.potential, r.unit or 1
  if type(unit) ~= "number" or not (unit > 0 and unit < math.huge) then return "the unit" end
  local narrow = is_buffer(d, real and "i64 f64" or "i64", g.n)
  if not narrow and not is_buffer(d, "u64", 2 * g.n) then return "the type of the potentials" end
  if real then
    if r.p ~= nil or r.q ~= nil then return "a fraction of reals" end
    if d.dtype == "f64" then unit = 1 end
    for _, e in ipairs(edges) do
      local fall = d.dtype == "f64" and d[e.from] - d[e.to] or difference(d, e.from, e.to)
      local slack = fall * unit + e.w - r.mean * (ratio and e.t or 1)
      if not ((max and -slack or slack) >= -1e-11 * greatest) then return "a potential" end
    end
    return
  end
  if math.type(r.p) ~= "integer" or math.type(r.q) ~= "integer" then return "p and q are no integers" end
  local a, b = math.abs(r.p), r.q
  while b ~= 0 do a, b = b, a % b end
  if r.q <= 0 or a ~= 1 or r.p * t ~= w * r.q then return "p / q" end
  for _, e in ipairs(edges) do
    local slack = difference(d, e.from, e.to) + r.q * e.w - r.p * (ratio and e.t or 1)
    if not ((max and -slack or slack) >= (narrow and 0 or -LOST)) then return "a potential" end
  end
end

-- Weakly connected components.
local function joined(g)
  local next = {}
  for v = 0, g.n - 1 do next[v] = {} end
  for _, e in ipairs(edges_of(g)) do next[e.from][e.to], next[e.to][e.from] = true, true end
  return next
end

function judges.components(r)
  local g = r.graph
  local next, least, size, count = joined(g), {}, {}, 0
  for first = 0, g.n - 1 do
    local stack = {}
    if not least[first] then least[first], stack[1], size[first], count = first, first, 1, count + 1 end
    while #stack > 0 do
      for t in pairs(next[table.remove(stack)]) do
        if not least[t] then least[t], stack[#stack + 1], size[first] = first, t, size[first] + 1 end
      end
    end
  end
  if not is_buffer(r.id, "u32", g.n) then return "id is no u32[n]" end
  for v = 0, g.n - 1 do
    if r.id[v] ~= least[v] then return "a label" end
  end
  if math.type(r.count) ~= "integer" or r.count ~= count then return "the count" end
  local claimed, at = rawget(r, "sizes"), 0
  if claimed == nil then return end
  if not is_buffer(claimed, "u32", count) then return "sizes are no u32[count]" end
  for v = 0, g.n - 1 do
    if size[v] then
      if claimed[at] ~= size[v] then return "a size" end
      at = at + 1
    end
  end
end

-- PageRank by its definition, iterated until it hardly changes.
function judges.pagerank(r)
  local g, d, n = r.graph, r.damping, r.graph.n
  if not is_buffer(r.rank, "f64", n) then return "rank is no f64[n]" end
  if type(d) ~= "number" or not (d >= 0 and d < 1) then return "the damping" end
  if type(r.tolerance) ~= "number" or not (r.tolerance > 0 and r.tolerance < math.huge) then return "the tolerance" end
  if r.converged ~= true then return "it has not converged" end
  if math.type(r.iterations) ~= "integer" or r.iterations < 0 then return "the iterations" end
  local rank, degree = {}, {}
  for v = 0, n - 1 do rank[v], degree[v] = 1 / n, g:degree(v) end
  for _ = 1, math.min(3000, math.ceil(40 / (1 - d))) do
    local next, dangling = {}, 0
    for v = 0, n - 1 do
      next[v] = 0
      if degree[v] == 0 then dangling = dangling + rank[v] end
    end
    for _, e in ipairs(edges_of(g)) do next[e.to] = next[e.to] + rank[e.from] / degree[e.from] end
    for v = 0, n - 1 do next[v] = (1 - d) / n + d * (next[v] + dangling / n) end
    rank = next
  end
  local sum, off = 0, 0
  for v = 0, n - 1 do sum, off = sum + r.rank[v], off + math.abs(r.rank[v] - rank[v]) end
  if not (math.abs(sum - 1) <= 1e-8) then return "the sum" end
  if not (off <= (2 * r.tolerance + 1e-13) / (1 - d) + 1e-12) then return "a rank" end
end

function judges.triangles(r)
  local g = r.graph
  local next, sum = joined(g), 0
  if not is_buffer(r.at, "i64", g.n) then return "at is no i64[n]" end
  for v = 0, g.n - 1 do
    local at = 0
    for u in pairs(next[v]) do
      for w in pairs(next[v]) do
        if u < w and u ~= v and w ~= v and next[u][w] then at = at + 1 end
      end
    end
    if r.at[v] ~= at then return "a corner" end
    sum = sum + at
  end
  if math.type(r.count) ~= "integer" or r.count * 3 ~= sum then return "the count" end
end

-- --- results ---

local makers = {
  function() return components(random_graph {}) end,
  function() return triangles(random_graph {}) end,
  function() return pagerank(random_graph {}, {damping = one_of {0.85, 0.5, 0, 0.97}, tolerance = one_of {1e-10, 1e-6}}) end,
  function() return one_of {scc, scc.forward_backward, scc.maxima}(random_graph {}) end,
  function()
    local g = random_graph {low = one_of {0, 0, 1, -1}, times = false}
    return sssp(g, random(0, g.n - 1), {parents = true})
  end,
  function() return fw(random_graph {low = one_of {0, 0, 1, -1}, times = false}) end,
  function()
    local o = {max = random(2) == 1, canonical = random(4) > 1}
    return one_of {ocm, ocr}(random_graph {}, o)
  end,
  function()
    local o = {max = random(2) == 1, ratio = random(2) == 1, canonical = random(4) > 1}
    return reference[one_of {"howard", "yto", "lawler"}](random_graph {}, o)
  end,
}

local FIELDS = {
  components = {"graph", "count", "id", "id", "id", "sizes", "kind"},
  triangles = {"graph", "count", "at", "at", "at", "kind"},
  pagerank = {"graph", "rank", "rank", "rank", "damping", "tolerance", "iterations", "converged", "kind"},
  scc = {"graph", "count", "id", "id", "id", "sizes", "condensation", "kind"},
  sssp = {"graph", "source", "dist", "dist", "dist", "parent", "parent", "parent", "unreached", "passes", "kind"},
  fw = {"graph", "matrix", "matrix", "matrix", "kind"},
  ocm = {"graph", "max", "ratio", "p", "q", "mean", "cycle", "cycle", "potential", "potential", "potential", "unit", "scale",
    "kind"},
}

-- --- mutations ---

local NUMBERS = {0 / 0, 1 / 0, -1 / 0, 1e308, -1e308, 5e-324, 0, -0.0, 1, -1, 0.5, 4000000000, 0xffffffff, 1 << 32, 1 << 62,
  math.maxinteger, math.mininteger, 0x7fffffff, 2.0^63}

local function other_thing() return one_of {true, false, "x", "7", {}, function() end, gen.path(3), buffer.new("u32", 2)} end

local function mutated_number(x)
  local number = type(x) == "number" and x or 3
  return one_of {
    function() return one_of(NUMBERS) end,
    function() return number + one_of {1, -1, 0.5, 1e-9, 2} end,
    function() return -number end,
    function() return 2 * number end,
    function() return number + 0.0 end,
    function() return tostring(number) end,
    function() return number * (1 + one_of {1e-16, 1e-12, -1e-12, 1e-15}) end,
  }()
end

-- Stores x if the buffer's type can hold it; other specs test values that do not fit.
local function put(b, i, x) pcall(function() b[i] = x end) end

local DTYPES = {"u8", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64"}

local function converted(b, dtype, count, cols)
  local c = cols and buffer.new(dtype, count, cols) or buffer.new(dtype, count)
  for i = 0, math.min(#b, #c) - 1 do put(c, i, b[i]) end
  return c
end

-- Returns a mutated copy of b, or b itself after changing it in place.
local function mutated_buffer(b)
  local n = #b
  local shape = b.cols and b.cols > 0 and b.rows or nil
  local function copy() return b:copy() end
  local function element(c, x)
    if n > 0 then put(c, random(0, n - 1), x) end
    return c
  end
  return one_of {
    function() return element(random(2) == 1 and b or copy(), one_of(NUMBERS)) end,
    function() return element(copy(), random(0, 8)) end,
    function()
      if n == 0 then return b end
      local c, i = copy(), random(0, n - 1)
      put(c, i, c[i] + one_of {1, -1, 1, -1, 0.125, 1e-13})
      return c
    end,
    function()
      if n == 0 then return b end
      local c, i, j = copy(), random(0, n - 1), random(0, n - 1)
      local x, y = c[i], c[j]
      put(c, i, y)
      put(c, j, x)
      return c
    end,
    function() -- adds a constant to all elements: potentials remain a valid certificate
      local c, by = copy(), one_of {1, -3, 7}
      for i = 0, n - 1 do put(c, i, c[i] + by) end
      return c
    end,
    function() -- rotates the elements: a cycle remains the same
      local c = copy()
      for i = 0, n - 1 do put(c, i, b[(i + 1) % n]) end
      return c
    end,
    function()
      local c = copy()
      c:fill(one_of {0, 1, 7})
      return c
    end,
    function() return converted(b, one_of(DTYPES), n) end,
    function() return shape and converted(b, one_of(DTYPES), shape, n // shape) or converted(b, "i64", n) end,
    function() return converted(b, b.dtype, math.max(0, n + one_of {-1, 1, n, -n})) end,
    function() -- widens to 128 bits
      local c, least = buffer.new("u64", 2 * n), n > 0 and b:min() or 0
      for i = 0, n - 1 do put(c, 2 * i, b[i] - least) end
      if random(2) == 1 and n > 0 then put(c, random(0, 2 * n - 1), one_of(NUMBERS)) end
      return c
    end,
    function()
      local c = copy()
      c:close()
      return c
    end,
    function()
      if not b.read_only then pcall(b.close, b) end
      return b
    end,
  }()
end

local function mutated_graph(g)
  return one_of {
    function() return g:reverse() end,
    function() return random_graph {} end,
    function() return random_graph {weights = g.weights} end,
    function() return g:symmetrize() end,
    function()
      local h = gen.ring(4)
      h:close()
      return h
    end,
  }()
end

local function mutate(r, key)
  local good, x = pcall(function() return r[key] end)
  if not good then x = nil end
  local new
  if random(12) == 1 then
    new = other_thing()
  elseif random(12) == 1 then
    new = nil
  elseif key == "kind" then
    new = one_of {"scc", "sssp", "fw", "ocm", "components", "pagerank", "triangles", "flow", 5, 0 / 0, {}}
  elseif key == "graph" or key == "condensation" then
    local is_open = type(x) == "userdata" and pcall(function() return x.m end)
    new = is_open and mutated_graph(x) or gen.ring(3)
  elseif type(x) == "userdata" then
    local made, b = pcall(mutated_buffer, x)
    new = made and b or x
  elseif type(x) == "boolean" then
    new = not x
  else
    new = mutated_number(x)
  end
  rawset(r, key, new)
end

-- --- the trial ---

local INNER = {"attempt to", "bad argument", "stack overflow", "a nil value", "out of memory", "argument #"}

local function own_words(why)
  if type(why) ~= "string" or not why:find("check: ", 1, true) then return false end
  for _, text in ipairs(INNER) do
    if why:find(text, 1, true) then return false end
  end
  return true
end

-- Uses the result's other methods: they may raise errors, but not crash.
local function use(r)
  pcall(tostring, r)
  for _, name in ipairs {"critical", "slack", "actions", "dot", "get"} do
    pcall(function() return r[name](r, 0, 0) end)
  end
  pcall(function() return r:sensitivity(0) end)
end

local refused, accepted, findings, tried = 0, 0, 0, 0

local function finding(r, changes, what)
  findings = findings + 1
  io.write(("FINDING seed %d, result %d (%s, changed: %s): %s\n"):format(SEED, tried, tostring(rawget(r, "kind")),
    table.concat(changes, ", "), what))
end

while tried < COUNT do
  local solved, r = pcall(one_of(makers))
  if solved then -- else there is a negative cycle
    tried = tried + 1
    local kind = r.kind
    if random(2) == 1 then -- computes the lazy fields in half of the cases
      local _ = kind == "scc" and {r.sizes, r.condensation} or kind == "components" and r.sizes or kind == "ocm" and r.potential
    end
    if random(10) == 1 then
      local good, why = pcall(check, r)
      if not good then finding(r, {}, "refused as it was made: " .. tostring(why)) end
      why = judges[kind](r)
      if why then finding(r, {}, "the judge refuses it as it was made: " .. why) end
    end
    local changes = {}
    for i = 1, one_of {1, 1, 1, 2, 3} do
      changes[i] = one_of(FIELDS[kind])
      mutate(r, changes[i])
    end
    local good, why = pcall(check, r)
    if good then
      accepted = accepted + 1
      local judged, wrong = pcall(judges[r.kind], r)
      if not judged or wrong then finding(r, changes, "accepted, but " .. tostring(wrong)) end
    else
      refused = refused + 1
      if not own_words(why) then finding(r, changes, "refused in other words: " .. tostring(why)) end
    end
    use(r)
  end
end

print(("%d mutated results: %d refused, %d accepted and judged right, %d findings"):format(tried, refused, accepted, findings))
if findings > 0 then os.exit(1, true) end
