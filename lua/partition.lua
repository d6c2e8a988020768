-- Parts of a graph, one a rank (lua/ranks.lua): the out-edges of a range of vertices. A part is a graph with all vertices of the
-- whole one, so that every row runs over it; what a row finds out of the edges of other ranks comes by exchanges.

local open_in_parts, file_of, file_offset, file_rows = graph.open_in_parts, graph.file_of, graph.file_offset, graph.file_rows
graph.open_in_parts, graph.file_of, graph.file_offset, graph.file_rows = nil, nil, nil, nil -- they trust their arguments

local parts = setmetatable({}, {__mode = "k"}) -- by the part's graph

--- ranks.part(p): of what g:partition() has made: {whole = g, first =, past =, edge =, vertices =, inner =, back =}. This rank has
--- the out-edges of the vertices first to past - 1, the first of which is the whole graph's edge number `edge`; vertices lists
--- these vertices (u32), inner is the subgraph of them, and back has their in-edges, as the out-edges of the reversed graph: the
--- three are made on the host when they are first asked for. nil of another graph.
function ranks.part(p) return parts[p] end

-- The first vertex of rank r's part: the least v with that share of all edges and vertices before it.
local function bound(g, offset, r)
  local target, low, high = (g.m + g.n) * r // ranks.count, 0, g.n
  while r < ranks.count and low < high do
    local v = (low + high) // 2
    if offset(v) + v < target then low = v + 1 else high = v end
  end
  return high
end

local WIDTH = {i32 = 4, f32 = 4, i64 = 8, f64 = 8}

-- The bytes of the arrays of edges that a part has on its device.
local function bytes_of(p)
  local edge = 4 + (p.w and WIDTH[p.weights] or 0) + (p.t and WIDTH[p.t.dtype] or 0)
  return 4 * (p.n + 1) + p.m * edge
end

local made = {
  back = function(part)
    local _, there = file_of(part.whole)
    if there then return (file_rows(part.whole, part.first, part.past, true)) end
    return part.whole:reverse():rows(part.first, part.past)
  end,
  inner = function(part) return part.own:subgraph(part.vertices) end,
  vertices = function(part)
    local all, list = buffer.new("u32", part.own.n), buffer.new("u32", part.past - part.first)
    numbers(all)
    copy_part {x = all, from = part.first, count = #list, y = list, to = 0}
    return list
  end,
}
local meta = {__index = function(part, key)
  if not made[key] then return nil end
  part[key] = ranks.on_host(made[key], part)
  return part[key]
end}

local OPTIONS = {memory = "bytes"}

-- Where the edges of v begin, and the rows from `first` on before `past` with the number of their first edge: of a graph in memory,
-- and of one in a file, of which only these rows are read.
local function in_memory(g)
  return function(v) return g.off[v] end, function(first, past) return g:rows(first, past), g.off[first] end
end
local function in_file(g, checksum)
  for r, other in ipairs(ranks.gathered(checksum)) do
    if other ~= checksum then error(("graph.load_part: %s: rank %d has another file of that name than rank %d"):format(g.name, r - 1, ranks.rank), 0) end
  end
  return function(v) return file_offset(g, v) end, function(first, past) return file_rows(g, first, past, false) end
end

-- What f(...) returns; its error is at the line that called the function `level` above this one.
local function at_caller(level, f, ...)
  local out = table.pack(pcall(f, ...))
  if not out[1] then error((tostring(out[2]):gsub("^partition%.lua:%d+: ", "")), level + 1) end
  return table.unpack(out, 2, out.n)
end

-- Its errors are at the line that called its caller: so it is no tail call.
local function part_of(g, memory, name)
  local checksum = file_of(g)
  local offset, rows = at_caller(3, checksum and in_file or in_memory, g, checksum)
  local part = {whole = g, first = bound(g, offset, ranks.rank), past = bound(g, offset, ranks.rank + 1)}
  part.own, part.edge = at_caller(3, rows, part.first, part.past)
  local p = part.own
  if memory then
    local largest = ranks.greatest(bytes_of(p))
    if largest > memory then
      error(("%s: a part of %s takes %d bytes on %s; memory is %d"):format(name, g.name, largest,
        ranks.count == 1 and "one rank" or ranks.count .. " ranks", memory), 3)
    end
  end
  parts[p] = setmetatable(part, meta)
  return p
end

--- The part of a graph that this rank has: a graph with all vertices, and the out-edges of a range of them. The ranges of all
--- ranks have about the same number of edges and vertices. If vertices of similar numbers are neighbours, g:permute(1)
--- before it balances the work better. sssp, bfs, scc, ocm and ocr take a part in place of a graph: all ranks call them, and all
--- get the result of the whole graph. memory = "4 GiB": an error, in all ranks, if some rank's part is larger.
---   p = graph.load("x.lsg"):partition()   r = scc(p)   check(r)
--: graph:partition([{memory =}])
local function partition(g, options)
  algorithm.graph("g:partition", g)
  local memory = algorithm.bytes(algorithm.options("g:partition", options, OPTIONS).memory)
  local p = part_of(g, memory, "g:partition")
  return p
end

debug.getregistry()["lockstep.graph"].__methods.partition = partition

--- graph.load_part(path [, {memory =}]): this rank's part of the graph in a file, as g:partition makes it. Of a .lsg that is not
--- compressed, a rank reads and checks its own rows alone (and their in-edges when bfs asks for them): the more ranks, the less
--- memory a rank takes. Of other files each rank reads all. check(r) and r.graph read and check the whole file when they first
--- need it.
---   g:save("web.lsg")   p = graph.load_part("web.lsg")   r = scc(p)
function graph.load_part(path, options)
  if type(path) ~= "string" then error(("graph.load_part: a path expected, got %s"):format(algorithm.described(path)), 2) end
  local memory = algorithm.bytes(algorithm.options("graph.load_part", options, OPTIONS).memory)
  local p = part_of(at_caller(2, open_in_parts, path), memory, "graph.load_part")
  return p
end

--- ranks.share(p, x): x[v] as the rank has it that has vertex v, in all ranks. x is a buffer of an element a vertex.
function ranks.share(p, x) all_gather(x, parts[p].first, parts[p].past) end

--- ranks.concatenate(x, from, count): the `count` elements of x from place `from` on, of all ranks, one after the other.
function ranks.concatenate(x, from, count)
  local at, total = 0, 0
  for r, length in ipairs(ranks.gathered(count)) do
    if r <= ranks.rank then at = at + length end
    total = total + length
  end
  local all = buffer.new(x.dtype, total)
  if count > 0 then copy_part {x = x, from = from, count = count, y = all, to = at} end
  all_gather(all, at, at + count)
  return all
end
