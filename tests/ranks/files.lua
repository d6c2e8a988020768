-- files.lua [SEEDS]: parts of graphs in files (graph.load_part): equal to those of the graph as a whole; each rank reads its own rows
-- alone, and what is wrong there is said by the rank whose rows they are. Run by ranks/run with 1 to 4 ranks, in an empty folder.
local path, other = "part.lsg", "other.lsg"
local cases = 0

-- With its errors at a line of this file.
local function load_part(...)
  local p = graph.load_part(...)
  return p
end

-- Rank 0 alone writes, when the others have read what was there; they go on when it has.
local function written(make, ...)
  ranks.sum(0)
  if ranks.rank == 0 then make(...) end
  ranks.sum(0)
end

local function same_graph(p, q)
  assert(p.n == q.n and p.m == q.m and p.weights == q.weights)
  for _, field in ipairs {"off", "to", "w", "t"} do
    assert((p[field] == nil) == (q[field] == nil), field)
    if p[field] then assert(p[field]:diff(q[field]) == 0, field) end
  end
  local a, b = ranks.part(p), ranks.part(q)
  assert(a.first == b.first and a.past == b.past and a.edge == b.edge)
  assert(a.inner.to:diff(b.inner.to) == 0)
  assert(a.back.off:diff(b.back.off) == 0 and a.back.to:diff(b.back.to) == 0)
  cases = cases + 1
end

local function same_results(p, g, source)
  for _, form in ipairs {"both", "push"} do assert(bfs(p, source, {form = form}).dist:diff(bfs(g, source).dist) == 0) end
  local r = sssp(p, source)
  assert(r.dist:diff(sssp(g, source).dist) == 0 and check(r))
  r = scc(p)
  assert(r.count == scc(g).count and check(r))
  for _, howard in ipairs {ocm, g.t and ocr or nil} do
    local a, b = howard(p), howard(g)
    assert(a.p == b.p and a.q == b.q and (a.mean == b.mean or math.abs(a.mean - b.mean) <= 1e-9 * math.abs(b.mean)))
    assert(check(a))
  end
end

for seed = 1, tonumber(arg[1] or 2) do
  local n = 1 + seed * 97 % 400
  for _, kind in ipairs {"i32", "i64", "f32", "f64"} do
    for _, g in ipairs {
      gen.uniform {n = n, m = 4 * n, seed = seed, weights = kind, lo = 0, hi = 40, times = {1, 5}},
      gen.uniform {n = n, m = n // 2, seed = seed, weights = kind, lo = 1, hi = 3},
      gen.star {n, inward = seed % 2 == 0},
      gen.ring(n):subgraph(buffer.new("u32", {n - 1, 0})), -- with labels
      gen.ring(1):subgraph(buffer.new("u32", 0)), -- nothing
    } do
      written(g.save, g, path)
      local p = graph.load_part(path)
      same_graph(p, g:partition())
      if g.n > 0 then same_results(p, g, seed % g.n) end
    end
  end
end

-- files that cannot be read in parts are read as a whole
local g = gen.uniform {n = 500, m = 3000, seed = 1, weights = "f32", times = {1, 9}}
local plain = gen.uniform {n = 500, m = 3000, seed = 1, weights = "i32"}
for _, name in ipairs {"part.lsg.gz", "part.gr"} do
  written(plain.save, plain, name)
  same_graph(graph.load_part(name), plain:partition())
  written(os.remove, name)
end

-- What is wrong is said by the rank whose rows they are; the others do not even see it, until they want the whole graph.
written(g.save, g, path)
local q = g:partition()
local part = ranks.part(q)

-- A copy of the file in which the element at place i of an array (0 off, 1 to, 2 w, 7 t) is other bytes.
local function spoil(array, i, bytes)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  local at = string.unpack("<I8", text, 72 + 24 * array + 1) + i * #bytes
  file = assert(io.open(other, "wb"))
  file:write(text:sub(1, at), bytes, text:sub(at + #bytes + 1))
  file:close()
end

local function wrong(array, i, bytes, edge, message)
  written(spoil, array, i, bytes)
  local good, p = pcall(load_part, other)
  local mine = edge >= part.edge and edge < part.edge + q.m
  assert(good == not mine, good and ("no error: " .. message) or p)
  if mine then assert(p:find(message) and p:find("files.lua:%d+: " .. other .. ": byte %d+: "), p) end
  if good then
    local whole = ranks.part(p).whole
    for _ = 1, 2 do
      local fine, text = pcall(function() return whole.to[0] end)
      assert(not fine and text:find(other .. ": byte", 1, true), text)
    end
    assert(not pcall(check, {graph = whole, kind = "scc", count = 1, id = buffer.new("u32", whole.n)}))
  end
  cases = cases + 1
end

for i = 0, 10 do
  local e = (g.m - 1) * i // 10
  wrong(1, e, string.pack("<I4", 500), e, ("edge %d leads to vertex 500, not below n = 500"):format(e))
  wrong(2, e, string.pack("<f", 0 / 0), e, ("edge %d has weight %%-?nan"):format(e))
  wrong(7, e, string.pack("<i4", -1), e, ("edge %d has a negative time"):format(e))
end
for r = 0, ranks.count - 1 do -- an offset within the rows of a rank, which no search for the parts' bounds looks at
  local first, past = ranks.gathered(part.first)[r + 1], ranks.gathered(part.past)[r + 1]
  local v = first + 2
  while v < past - 2 and g.off[v] == g.off[v + 1] do v = v + 1 end
  wrong(0, v, string.pack("<I4", 3001), g.off[v], "offset %d+ of vertex %d+ comes after offset 3001")
end
written(function()
  local file = assert(io.open(other, "wb"))
  local text = assert(io.open(path, "rb")):read "a"
  file:write(text:sub(1, 30), "\1", text:sub(32))
  file:close()
end)
local good, message = pcall(load_part, other)
assert(not good and message:find("files.lua:%d+: " .. other), message) -- the header is for all

-- other files of one name
if ranks.count > 1 then
  written(plain.save, plain, other)
  good, message = pcall(graph.load_part, ranks.rank == 1 and other or path)
  assert(not good and message:find "has another file of that name than rank", message)
end
good, message = pcall(graph.load_part, "none.lsg")
assert(not good and message:find("none.lsg", 1, true))
for _, x in ipairs {1, {}, g} do assert(not pcall(graph.load_part, x)) end
local bytes = ranks.greatest(4 * 501 + 12 * q.m)
assert(graph.load_part(path, {memory = bytes}).m == q.m)
good, message = pcall(graph.load_part, path, {memory = bytes - 1})
assert(not good and message:find("graph.load_part: a part of .* takes " .. bytes .. " bytes"), message)

-- memory: of a file of 16 MB a rank has its part
if ranks.count > 1 and ranks.transport == "shared memory" then
  local function present()
    for line in io.lines "/proc/self/status" do
      local kib = line:match "^VmRSS:%s*(%d+)"
      if kib then return tonumber(kib) << 10 end
    end
  end
  local big = gen.uniform {n = 20000, m = 2000000, seed = 1}
  big:reverse() -- both directions, as a file has them
  written(big.save, big, path)
  local before, size = present(), 8 * big.m
  local p = graph.load_part(path)
  local grown = present() - before
  local limit = size // 2 // ranks.count + (2 << 20) -- the system maps some pages around each that is read
  assert(grown <= limit, ("rank %d of %d: %d bytes more, expected %d at most"):format(ranks.rank, ranks.count, grown, limit))
  assert(p.m < big.m)
end
ranks.sum(0)
if ranks.rank == 0 then
  os.remove(path)
  os.remove(other)
end
print(cases .. " parts are right")
