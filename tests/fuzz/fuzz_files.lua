-- The Lua part of fuzz_files.c: makes the seed files, loads mutated files and judges the results.

-- Graphs that together have every kind of contents of a .lsg file.
local function graphs()
  local edges = {{0, 1, 3, 1}, {1, 2, -4, 2}, {2, 0, 5, 3}, {2, 3, 7, 0}, {3, 3, 1, 1}, {0, 1, 3, 2}, {4, 0, 9, 5}, {3, 4, 2, 2}}
  local plain = {}
  for i, e in ipairs(edges) do plain[i] = {e[1], e[2], e[3]} end
  local list = {gen.uniform{n = 20, m = 60, seed = 1}, graph.from_edges(edges, {n = 6, name = "timed"})}
  for _, kind in ipairs {"i32", "i64", "f32", "f64"} do
    plain.weights, plain.n = kind, 6
    list[#list + 1] = graph.from_edges(plain)
  end
  list[#list + 1] = list[2]:reverse()
  list[#list + 1] = list[3]:subgraph{4, 1, 0, 2}
  list[#list + 1] = gen.uniform{n = 1, m = 0, seed = 1}
  local path = os.tmpname() .. ".dve"
  local file = assert(io.open(path, "w"))
  file:write("byte x; process P { state a, b; init a; trans a -> b { guard x < 3; effect x = x + 1; cost x; }, b -> a { time 2; }; } system async;")
  file:close()
  local m = model.load(path)
  list[#list + 1] = explore(m).graph -- a graph with names of vertices
  list[#list + 1] = m:automaton "P"
  os.remove(path)
  return list
end

-- Every loop that can resume from a checkpoint: a call with its options, over a graph. Each graph is built when it is
-- needed: a process that has built one has threads and can no longer fork.
local function big() return gen.uniform{n = 60, m = 110, seed = 3} end
local function weighted(kind) return gen.uniform{n = 40, m = 90, seed = 2, weights = kind or "i32", lo = -9, hi = 9} end
local function timed()
  local edges = {}
  for i = 1, 80 do edges[i] = {i % 30, (i * 7 + i // 30) % 30, i % 13 - 4, i % 5 + 1} end
  return graph.from_edges(edges, {n = 30})
end
local calls = {
  forward_backward = function(o) return scc.forward_backward(big(), o.from and o) end,
  maxima = function(o) return scc.maxima(big(), o.from and o) end,
  ocm = function(o) return ocm(weighted(), o) end,
  ocm_real = function(o) return ocm(weighted("f64"), o) end,
  ocm_max = function(o) o.max = true return ocm(weighted(), o) end,
  ocm_doubling = function(o) o.form = "doubling" return ocm(weighted(), o) end,
  ocm_layered = function(o) o.form = "layered" return ocm(weighted(), o) end,
  ocm_plain = function(o) return ocm(big(), o) end,
  ocm_bridged = function(o) o.components = "bridged" return ocm(weighted(), o) end,
  ocr = function(o) return ocr(timed(), o) end,
}

function make_seeds()
  local list <close> = assert(io.open("seeds", "w"))
  for i, g in ipairs(graphs()) do
    g:save(i .. ".lsg")
    list:write(i, ".lsg\n")
  end
  for name, call in pairs(calls) do
    for _, every in ipairs {1, 2} do
      local path = ("%s-%d.ckpt"):format(name, every)
      checkpoint(path, every)
      call{}
      checkpoint(false)
      local f = io.open(path)
      if f then
        f:close()
        assert(check(call{from = path}), path)
        list:write(path, "\n")
      end
    end
  end
  return true
end

local function edges_of(g)
  local list = {}
  for v = 0, g.n - 1 do
    for to, w, t in g:edges(v) do list[#list + 1] = ("%d %d %s %s"):format(v, to, w, t) end
  end
  return list
end

-- Loads the file as a mapped file (`mapped`) or not. Verifies the checksums of a mapped file, and compares the transpose with the edges.
function try_lsg(path, _, mapped)
  if mapped then
    local ok, g = pcall(graph.load, path)
    if ok then
      g:stats()
      scc(g)
    end
  end
  local good, p = pcall(graph.load_part, path)
  if good then
    scc(p)
    if p.n > 0 then pcall(bfs, p, 0) end -- reads its in-edges
    local whole = ranks.part(p).whole
    if pcall(function() return whole.off[0] end) then scc(whole) end
  elseif not tostring(p):find(path, 1, true) then
    return "the message of a part names no file: " .. tostring(p)
  end
  for _, options in ipairs {{verify = mapped}, {verify = true}} do
    local ok, g = pcall(graph.load, path, options)
    if not ok then
      if not tostring(g):find(path, 1, true) then return "the message names no file: " .. tostring(g) end
      return nil
    end
    local there, back = edges_of(g), {}
    assert(#there == g.m)
    local turned = g:reverse()
    for v = 0, g.n - 1 do
      for to, w, t in turned:edges(v) do back[#back + 1] = ("%d %d %s %s"):format(to, v, w, t) end
    end
    table.sort(there)
    table.sort(back)
    if table.concat(there, ",") ~= table.concat(back, ",") then return "the transpose has other edges" end
    if g.n > 0 then
      local first, last = g:label(0), g:label(g.n - 1)
      assert(type(first) == "string" or (math.type(first) == "integer" and last >= first) or g.ids)
      if g.m > 0 then g:move(g.n - 1, g.to[g.m - 1]) end
    end
    if not (g.scale >= 1 and g.scale <= 1e18 and g.scale % 1 == 0) then return "a scale of " .. g.scale end
    if tostring(g):find("[\0-\31\127]") then return "a name that is no text" end
    check(scc(g))
    g:stats()
    pcall(g.save, g, path .. ".gr")
    os.remove(path .. ".gr")
  end
  return true
end

function try_checkpoint(path, from)
  local ok, r = pcall(calls[from:match("^(.*)%-%d")], {from = path})
  if not ok then return nil end
  local right, why = pcall(check, r)
  return right or "accepted, and wrong: " .. tostring(why)
end
