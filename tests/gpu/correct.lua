-- Correctness on the current device: every SCC variant, sssp and fw, compared with their references on generated
-- degenerate graphs. arg[1]: "small" selects a few small graphs (for compute-sanitizer), "tiny" even fewer (for
-- its racecheck).
local small = arg[1] == "small" or arg[1] == "tiny"
local seed = 0
local graphs = {}
local function add(make) graphs[#graphs + 1] = make end

local kinds = {"i32", "i64", "f32", "f64"}
local rounds = small and 1 or 12
for round = 1, rounds do
  for _, w in ipairs(small and {"i32", "f64"} or kinds) do
    local function more() seed = seed + 1; return seed end
    add(function() return gen.uniform{n = 200, m = 600, seed = more(), weights = w, lo = 1, hi = 50} end)
    add(function() return gen.uniform{n = 2000, m = 2600, seed = more(), weights = w, lo = 0, hi = 9} end)
    add(function() return gen.rmat{scale = 9, degree = 6, seed = more(), weights = w, lo = 1, hi = 100} end)
    add(function() return gen.grid{30, 40, one_way = 0.7, seed = more(), weights = w, lo = 1, hi = 100} end)
    add(function() return gen.dag{n = 500, m = 2000, seed = more(), weights = w, lo = -20, hi = 20} end)
    add(function() return gen.power_law{n = 700, degree = 5, exponent = 2.2, seed = more(), weights = w} end)
  end
end
for _, w in ipairs(small and {"i32"} or kinds) do
  local o = {weights = w, lo = 1, hi = 5}
  local function with(t) for k, v in pairs(o) do t[k] = v end return t end
  add(function() return graph.from_edges{n = 1} end)
  add(function() return graph.from_edges{n = 3} end)
  add(function() return graph.from_edges{n = 2, {0, 0}, {0, 1}, {0, 1}, {1, 0}} end)
  add(function() return gen.ring(with{n = 1000}) end)
  add(function() return gen.path(with{n = 3000}) end)
  add(function() return gen.star(with{n = 500}) end)
  add(function() return gen.star(with{n = 500, inward = true}) end)
  add(function() return gen.complete(with{n = 60}) end)
  add(function() return gen.copies(gen.ring(with{n = 3}), 200) end)
end
if not small then
  add(function() return gen.copies(gen.ring{n = 7}, 100000) end)
  add(function() return gen.copies(gen.uniform{n = 9, m = 14, seed = 5}, 100000) end)
  add(function() return gen.ring{n = 1000000} end)
  add(function() return gen.path{n = 1000000} end)
  add(function() return gen.star{n = 1000001} end)
  add(function() return gen.star{n = 1000001, inward = true} end)
  add(function() return gen.rmat{scale = 20, degree = 16, seed = 7} end)
  add(function() return gen.grid{1024, 1024, one_way = 0.69, seed = 7} end)
  for i = 1, 6 do
    add(function() return gen.rmat{scale = 16, degree = 16, seed = i} end)
    add(function() return gen.uniform{n = 400000, degree = 1 + i, seed = i} end)
    add(function() return gen.grid{700, 700, one_way = 0.5 + 0.08 * i, seed = i} end)
    add(function() return gen.torus{600, 600, one_way = 1, seed = i} end)
    add(function() return gen.power_law{n = 200000, degree = 8, exponent = 2 + 0.1 * i, seed = i} end)
    add(function() return gen.dag{n = 200000, m = 1200000, seed = i} end)
  end
end

local checked, large, began = 0, 0, os.time()
for i, make in ipairs(graphs) do
  if arg[1] == "tiny" and i % 4 ~= 1 then goto continue end
  local g = make()
  local big = g.m > 1000000
  if big then large = large + 1 end
  local function try(what, f)
    local ok, why = pcall(f)
    if not ok then
      io.stderr:write(("FAILED %s on %s: %s\n"):format(what, tostring(g), why))
      os.exit(1)
    end
    checked = checked + 1
  end
  try("scc", function() check(scc(g)) end)
  try("scc.maxima", function() check(scc.maxima(g)) end)
  try("components", function() check(components(g)) end)
  try("pagerank", function() check(pagerank(g)) end)
  if 2 * g.m < 1 << 26 then try("triangles", function() check(triangles(g)) end) end
  -- scc.forward_backward needs one pass per layer, so it does not run on long rings and paths
  if g.m ~= g.n and g.m ~= g.n - 1 or g.n <= 5000 then
    try("scc.forward_backward", function() check(scc.forward_backward(g)) end)
  end
  if g.n > 0 and (not big or i % 3 == 0) and not (g.n >= 1000000) then
    try("sssp", function() check(sssp(g, (i * 7919) % g.n)) end)
  end
  if g.n <= 700 then try("fw", function() check(fw(g)) end) end
  if g.n <= 700 and (i % 2 == 1 and small or i <= 24 or i > 72 * #kinds) then -- only some of the random graphs, and the degenerate graphs
    for _, form in ipairs {"blocked", "recursive", "mm", "two-level", "tiles", "textbook"} do
      try("fw, " .. form, function() check(fw(g, {form = form, successors = true})) end)
      if not g.weights or g.weights == "i32" then
        try("fw in 16 bits, " .. form, function() check(fw(g, {form = form, dtype = "i16", successors = true})) end)
      end
    end
    try("fw, out of core", function() check(fw(g, {memory = "128 KiB"})) end)
  end
  g:close()
  ::continue::
end
print(("%d graphs (%d above a million edges), %d results proved right on %s, %d s"):format(
  #graphs, large, checked, device().name, os.time() - began))
