-- Optimal cycle means and ratios on the current device: small degenerate graphs are compared with the sequential references,
-- large ones with planted optima and by certificates. lockstep tests/gpu/ocm.lua [small]
local small = arg[1] == "small"
local clients = dofile((arg[0]:match("^(.*)/") or ".") .. "/../../scripts/measure/clients.lua")
local proved, graphs, large = 0, 0, 0

local function same(a, b, what)
  if a ~= b then error(("%s: %s, expected %s"):format(what, a, b), 0) end
end

local function text(r) return r.p and ("%d/%d"):format(r.p, r.q) or r.mean and "a real" or "none" end

-- --- small graphs: every reference and every variant (`form`) must give the same value and canonical cycle ---

local shapes = {
  function(n) return n // 2 end, function(n) return n end, function(n) return 2 * n end, function(n) return 6 * n end}
local ranges = {{1, 10}, {-9, 9}, {5, 5}, {0, 1}, {-2147483648, 2147483647}, {2147483000, 2147483647}, {-1000000, 1000000}}

local function random_graph(seed)
  math.randomseed(seed)
  local n = math.random(1, seed % 10 == 0 and 300 or 24)
  local m = shapes[math.random(#shapes)](n)
  local low, high = table.unpack(ranges[math.random(#ranges)])
  local t = {n = n, weights = "i32"}
  for i = 1, m do
    local u, v = math.random(0, n - 1), math.random(0, n - 1)
    t[i] = {u, v, math.random(low, high), u < v and math.random(0, 3) or math.random(1, 5)}
  end
  return graph.from_edges(t)
end

local forms = {{}, {form = "layered"}, {form = "layered", summary = false}, {components = "bridged"}}

for seed = 1, small and 60 or 1000 do
  local g = random_graph(seed)
  graphs = graphs + 1
  for _, max in ipairs {false, true} do
    local want = reference.howard(g, {max = max})
    for _, name in ipairs {"yto", "lawler", "karp", "hartmann_orlin"} do
      same(text(reference[name](g, {max = max, canonical = false})), text(want), name)
    end
    local times = reference.howard(g, {max = max, ratio = true})
    for i, form in ipairs(forms) do
      if not (form.components and ranges and math.abs(g.m > 0 and g.w:max() or 0) > 1e6) then
        local r = ocm(g, {max = max, form = form.form, summary = form.summary, components = form.components})
        same(text(r), text(want), ("seed %d, form %d"):format(seed, i))
        if r.p and seed % 4 == 0 then
          same(table.concat(r.cycle:totable(), " "), table.concat(want.cycle:totable(), " "), "cycle of seed " .. seed)
        end
        if check(r) then proved = proved + 1 end
      end
      if not form.components then
        local r = ocr(g, {max = max, form = form.form, summary = form.summary})
        same(text(r), text(times), ("ratio of seed %d, form %d"):format(seed, i))
        proved = proved + 1
      end
    end
  end
end
print(("%d small graphs: %d results as the references say"):format(graphs, proved))
if small then return end

-- --- large graphs ---

local function hold(name, g, options, p, q)
  local r = ocm(g, options)
  if p then same(text(r), ("%d/%d"):format(p, q), name) end
  check(r)
  if g.m > 1000000 then large = large + 1 end
end

-- A graph with a cycle of k vertices and mean p/q = (base * k + 1) / k; all other edges are heavier.
local function planted(n, k, m, seed, base)
  local src, dst, w = buffer.new("u32", n + m), buffer.new("u32", n + m), buffer.new("i32", n + m)
  math.randomseed(seed)
  for v = 0, n - 1 do
    local on = v < k
    src[v], dst[v], w[v] = v, on and (v + 1) % k or (v + 1) % n, on and base + (v == 0 and 1 or 0) or base + 5
  end
  for i = n, n + m - 1 do src[i], dst[i], w[i] = math.random(0, n - 1), math.random(0, n - 1), math.random(base + 2, base + 999) end
  return graph.from_edges(n, src, dst, w)
end
for i, k in ipairs {1, 2, 1000, 50000, 400000, 1000000} do
  for _, base in ipairs {1, -100000} do
    hold("planted " .. k, planted(1000000, k, 1000000, i, base), nil, base * k + 1, k)
  end
end
for _, n in ipairs {1000000, 3000000} do
  local w = {}
  hold("ring", gen.ring(n), nil, 1, 1)
end
for seed = 1, 6 do
  hold("uniform", gen.uniform {n = 1 << 20, degree = 4, seed = seed, weights = "i32", lo = 1, hi = 1000})
  hold("uniform", gen.uniform {n = 1 << 19, degree = 16, seed = seed, weights = "i32", lo = -1000, hi = 1000}, {max = true})
  hold("rmat", gen.rmat {scale = 17, degree = 16, seed = seed, weights = "i32", lo = 1, hi = 100000})
  hold("grid", gen.grid {1000, 1000, one_way = 0.3, seed = seed, weights = "i32", lo = 10, hi = 1000000})
end
hold("torus", gen.torus {1024, 1024, weights = "i32", lo = -50, hi = 50})
hold("rings", gen.copies(gen.uniform {n = 20, degree = 3, seed = 1, weights = "i32", lo = 1, hi = 9}, 100000))
hold("dag", gen.dag {n = 1000000, m = 4000000, seed = 1, weights = "i32", lo = 1, hi = 9})
for k = 9, 12 do
  hold("clients", clients(k, {3, 3, 4}, false))
  hold("server", clients(k, {3, 4, 4}, true), {max = true})
end
print(("%d large graphs (above 10^6 edges): values as planted, certificates hold"):format(large))
