-- files.lua [SEEDS]: parts of graphs in files (graph.load_part): equal to the parts of the whole graph. Each rank reads only its own
-- rows; an error in them is raised on all ranks, and damage that leaves valid rows is found by the checksums. Run by ranks/run with 1 to 4 ranks, in an empty folder.
local path, other = "part.lsg", "other.lsg"
local cases = 0

-- graph.load_part, called from this file, so that its errors name a line of this file.
local function load_part(...)
  local p = graph.load_part(...)
  return p
end

-- Only rank 0 writes, after the other ranks have read the old contents; they continue once the file is written.
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
      gen.ring(1):subgraph(buffer.new("u32", 0)), -- no vertices
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

-- An error in one rank's rows is raised on all ranks.
written(g.save, g, path)
local q = g:partition()
local part = ranks.part(q)

-- A copy of the file in which element i of an array (0 off, 1 to, 2 w, 3 roff, 4 rto, 5 rw, 6 ids, 7 t, 8 rt) is replaced by other bytes.
local function spoil(array, i, bytes, to)
  local from = assert(io.open(path, "rb"))
  local text = from:read "a"
  from:close()
  local at = string.unpack("<I8", text, 72 + 24 * array + 1)
  assert(at > 0)
  at = at + i * #bytes
  assert(text:sub(at + 1, at + #bytes) ~= bytes)
  local file = assert(io.open(to or other, "wb"))
  file:write(text:sub(1, at), bytes, text:sub(at + #bytes + 1))
  file:close()
end

local function wrong(array, i, bytes, edge, message)
  written(spoil, array, i, bytes)
  local good, text = pcall(load_part, other)
  assert(not good, "no error: " .. message)
  assert(text:find(message) and text:find("files.lua:%d+: " .. other .. ": byte %d+: "), text)
  if edge and ranks.count > 1 then -- the message names the rank whose rows contain the edge
    local rank = ranks.greatest(edge >= part.edge and edge < part.edge + q.m and ranks.rank or -1)
    assert(text:find(("(rank %d)"):format(rank), 1, true), text)
  end
  cases = cases + 1
end

for i = 0, 10 do
  local e = (g.m - 1) * i // 10
  wrong(1, e, string.pack("<I4", 500), e, ("edge %d leads to vertex 500, not below n = 500"):format(e))
  wrong(2, e, string.pack("<f", 0 / 0), e, ("edge %d has weight %%-?nan"):format(e))
  wrong(7, e, string.pack("<i4", -1), e, ("edge %d has a negative time"):format(e))
end
for r = 0, ranks.count - 1 do -- an offset inside a rank's rows, which is not read when the bounds of the parts are searched
  local first, past = ranks.gathered(part.first)[r + 1], ranks.gathered(part.past)[r + 1]
  local v = first + 2
  while v < past - 2 and g.off[v] == g.off[v + 1] do v = v + 1 end
  wrong(0, v, string.pack("<I4", 3001), g.off[v], "offset %d+ of vertex %d+ is less than the previous offset, 3001")
end

-- Damage that only checksums detect: a value is replaced by another valid one.
for i = 0, 4 do
  local e = (g.m - 1) * i // 4
  wrong(1, e, string.pack("<I4", (g.to[e] + 1) % g.n), nil, "the checksum of to is wrong: the file is damaged")
  wrong(2, e, string.pack("<f", g.w[e] + 1), nil, "the checksum of w is wrong: the file is damaged")
  wrong(7, e, string.pack("<i4", g.t[e] + 1), nil, "the checksum of t is wrong: the file is damaged")
end
local v = 1
while g.off[v] == g.off[v + 1] do v = v + 1 end
wrong(0, v, string.pack("<I4", g.off[v + 1]), nil, "the checksum of off is wrong: the file is damaged")

-- The same damage to in-edges, which are checked at the first access, and to labels.
g:reverse()
written(g.save, g, path)
for array, bytes in pairs {[3] = "<I4", [4] = "<I4", [5] = "<f", [8] = "<i4"} do
  local roff = g:reverse().off
  local i, x = 7, array == 5 and 999 or array == 8 and 99 or 0
  if array == 3 then
    while roff[i] == roff[i + 1] do i = i + 1 end
    x = roff[i + 1]
  elseif array == 4 then
    x = (g:reverse().to[i] + 1) % g.n
  end
  written(spoil, array, i, string.pack(bytes, x))
  local p = load_part(other)
  local good, text = pcall(bfs, p, 0)
  assert(not good and text:find(other .. ": byte %d+: the checksum of r%a+ is wrong: the file is damaged"), text)
  cases = cases + 1
end
do
  local labelled = g:subgraph(buffer.new("u32", {4, 9, 2, 30, 17, 300}))
  local before = path
  path = "labels.lsg"
  written(labelled.save, labelled, path)
  assert(load_part(path).m == labelled:partition().m)
  wrong(6, 3, string.pack("<i8", 31), nil, "the checksum of ids is wrong: the file is damaged")
  written(os.remove, path)
  path = before
end

-- Arrays of several blocks of 1 MiB, also with a full last block; blocks end within the ranks' rows. Each rank has its own file, as
-- on several hosts.
local function copied(from, to)
  local source, copy = assert(io.open(from, "rb")), assert(io.open(to, "wb"))
  copy:write(source:read "a")
  source:close()
  copy:close()
end

local BLOCK, last = 1 << 18, ranks.count - 1 -- BLOCK: edges per block of the file
for _, m in ipairs {BLOCK, 3 * BLOCK, 3 * BLOCK + 5} do
  local big = gen.uniform {n = 70000, m = m, seed = m, weights = "i32", lo = 1, hi = 9}
  local before, own = path, ("own%d.lsg"):format(ranks.rank)
  path = "big.lsg"
  written(big.save, big, path)
  copied(path, own)
  local p = load_part(own)
  assert(ranks.sum(p.m) == m)
  local from = ranks.gathered(ranks.part(p).edge)[ranks.count] -- the last rank's rows
  local otherwise = string.pack("<i4", 10)
  for _, e in ipairs {0, math.max(from - 1, 0), from, BLOCK - 1, m - 1} do
    wrong(2, e, otherwise, nil, "the checksum of w is wrong: the file is damaged")
    if ranks.rank == last then spoil(2, e, otherwise, own) end -- only in its own file
    local good, text = pcall(load_part, own)
    if e >= from then
      assert(not good and text:find "the checksum of w is wrong: the file is damaged" or text:find "rank %d+ reads other bytes", text)
    elseif e // BLOCK == from // BLOCK and from % BLOCK > 0 then -- not in the last rank's rows, but in a block that it reads
      assert(not good and text:find("rank %d+ reads other bytes than rank %d+: their files differ, or one is damaged"), text)
    else -- the last rank does not read this block before it loads the whole graph
      local whole = ranks.part(text).whole
      good, text = pcall(function() return whole.w[0] end)
      assert(good == (ranks.rank < last), text)
      assert(good or text:find "the checksum of w is wrong: the file is damaged", text)
    end
    copied(path, own)
    cases = cases + 1
  end
  os.remove(own)
  written(os.remove, path)
  path = before
end

written(function()
  local file = assert(io.open(other, "wb"))
  local text = assert(io.open(path, "rb")):read "a"
  file:write(text:sub(1, 30), "\1", text:sub(32))
  file:close()
end)
local good, message = pcall(load_part, other)
assert(not good and message:find("files.lua:%d+: " .. other), message) -- every rank reads the header

-- the ranks have different files with the same name
if ranks.count > 1 then
  written(plain.save, plain, other)
  good, message = pcall(graph.load_part, ranks.rank == 1 and other or path)
  assert(not good and message:find "the files of that name on rank %d+ and on rank %d+ differ", message)
end
good, message = pcall(graph.load_part, "none.lsg")
assert(not good and message:find("none.lsg", 1, true))
for _, x in ipairs {1, {}, g} do assert(not pcall(graph.load_part, x)) end
local bytes = ranks.greatest(4 * 501 + 12 * q.m)
assert(graph.load_part(path, {memory = bytes}).m == q.m)
good, message = pcall(graph.load_part, path, {memory = bytes - 1})
assert(not good and message:find("graph.load_part: a part of .* takes " .. bytes .. " bytes"), message)

-- memory: of a file of 16 MB a rank loads only its part
if ranks.count > 1 and ranks.transport == "shared memory" then
  local function present()
    for line in io.lines "/proc/self/status" do
      local kib = line:match "^VmRSS:%s*(%d+)"
      if kib then return tonumber(kib) << 10 end
    end
  end
  local big = gen.uniform {n = 20000, m = 2000000, seed = 1}
  big:reverse() -- so that the file has the edges in both directions
  written(big.save, big, path)
  local before, size = present(), 8 * big.m
  local p = graph.load_part(path)
  local grown = present() - before
  local limit = size // 2 // ranks.count + ((os.getenv "TEST_SMALL" and 4 or 2) << 20) -- the system also maps some pages around each page that is read,
  -- and a sanitizer uses further pages
  assert(grown <= limit, ("rank %d of %d: %d bytes more, expected %d at most"):format(ranks.rank, ranks.count, grown, limit))
  assert(p.m < big.m)
end
ranks.sum(0)
if ranks.rank == 0 then
  os.remove(path)
  os.remove(other)
end
print(cases .. " parts are right")
