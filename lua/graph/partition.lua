-- Partition of a graph, one part per rank (lua/exchange/ranks.lua): the out-edges of a range of vertices. A part is a graph with all vertices
-- of the whole graph, so that every primitive runs on it; values that depend on the edges of other ranks are exchanged.

local algorithm = import "base/algorithm"
local ranks = import "exchange/ranks"

local file = {}
for name in pairs {open_in_parts = 1, file_of = 1, file_offset = 1, file_rows = 1, file_sums = 1, file_check = 1, heads_outside = 1} do
  file[name], graph[name] = graph[name], nil -- private, because they do not check their arguments
end

local parts = algorithm.parts

--- ranks.part(p): the description of a part p made by g:partition(): {whole = g, first =, past =, edge =, vertices =, inner =, back =,
--- halo =, back_halo =}; nil for any other graph. This rank has the out-edges of the vertices from `first` to `past` - 1; their first
--- edge has the number `edge` in the whole graph. `vertices` lists these vertices (u32), `inner` is their subgraph, and `back` has their
--- in-edges, as the out-edges of the reversed graph. halo.lists are the arguments of the primitive halo for the heads of the part's
--- edges, back_halo.lists for the heads of the edges of `back`. `vertices`, `inner`, `back` and both halos are made on the host on first
--- access; all ranks must access `back` and the halos together.
function ranks.part(p) return parts[p] end

-- The first vertex of rank r's part: the least v such that at least the fraction r / ranks.count of all edges and vertices is before
-- it.
local function bound(g, offset, r)
  local target, low, high = (g.m + g.n) * r // ranks.count, 0, g.n
  while r < ranks.count and low < high do
    local v = (low + high) // 2
    if offset(v) + v < target then low = v + 1 else high = v end
  end
  return high
end

-- The bytes of the edge arrays of a part on its device.
local function bytes_of(p)
  local edge = 4 + (p.w and algorithm.bytes_of[p.weights] or 0) + (p.t and algorithm.bytes_of[p.t.dtype] or 0)
  return 4 * (p.n + 1) + p.m * edge
end

-- The rows [first, past) of a graph in a file, and the number of their first edge. All ranks call it: each reads its rows, and
-- together they check the file's checksums.
local function rows_of_file(g, first, past, in_edges)
  local own, edge = ranks.together(file.file_rows, g, first, past, in_edges)
  local sums = ranks.together(file.file_sums, g, first, past, edge, edge + own.m, ranks.rank == ranks.count - 1, in_edges)
  local count, all = #sums, nil
  ranks.on_host(function()
    all = buffer.new("i64", count * ranks.count)
    for i = 1, count do all[ranks.rank * count + i - 1] = sums[i] end
    all_gather(all, ranks.rank * count, (ranks.rank + 1) * count)
  end)
  ranks.together(file.file_check, g, in_edges, all)
  return own, edge
end

-- The halo of this rank's part: the vertices whose values ranks must exchange if each reads values at the heads of its edges.
-- Returns lists, the arguments of the primitive halo: lists.take has the heads that other ranks own, ascending; lists.give the
-- vertices of this rank that others take. pays: averaged over the ranks, does the halo have less than half of the vertices that a rank
-- does not own? Otherwise exchanging whole arrays is faster.
local function halo_of(part, edges)
  local take = file.heads_outside(edges, part.first, part.past)
  local firsts = ranks.gathered(part.first)
  local take_at, give_at, room = buffer.new("u64", ranks.count + 1), buffer.new("u64", ranks.count + 1), 0
  for r = 1, ranks.count do -- where the heads that rank r owns begin
    local low, high = 0, #take
    while low < high do
      local middle = (low + high) // 2
      if take[middle] < firsts[r] then low = middle + 1 else high = middle end
    end
    take_at[r - 1] = low
  end
  take_at[ranks.count] = #take
  for q = 0, ranks.count - 1 do
    local list = ranks.gathered(take_at[q + 1] - take_at[q]) -- how many vertices of rank q each rank takes
    if q == ranks.rank then
      for _, length in ipairs(list) do room = room + length end
    end
  end
  local give = buffer.new("u32", room)
  all_to_all(take, take_at, give, give_at)
  return {pays = 2 * ranks.sum(#take) < (ranks.count - 1) * part.own.n,
    lists = {give = give, give_at = give_at, take = take, take_at = take_at}}
end

local methods = debug.getregistry()["lockstep.graph"].__methods
local subgraph = methods.subgraph -- the original, which accepts a part

local made = {
  halo = function(part) return halo_of(part, part.own) end,
  back_halo = function(part) return halo_of(part, part.back) end,
  back = function(part)
    local _, there = file.file_of(part.whole)
    if there then return (rows_of_file(part.whole, part.first, part.past, true)) end
    return part.whole:reverse():rows(part.first, part.past)
  end,
  inner = function(part) return subgraph(part.own, part.vertices) end,
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

-- Two functions for a graph in memory, or in a file, of which only the needed rows are read: the first returns where the edges of v
-- begin; the second returns the rows [first, past) and the number of their first edge.
local function in_memory(g)
  return function(v) return g.off[v] end, function(first, past) return g:rows(first, past), g.off[first] end
end
local function in_file(g)
  return function(v) return file.file_offset(g, v) end, function(first, past) return rows_of_file(g, first, past, false) end
end

-- Opens a graph file, to be read in parts if its format allows that. All ranks call it; an error if their files differ.
local function open_in_parts(path)
  local g = ranks.together(file.open_in_parts, path)
  for r, other in ipairs(ranks.gathered(file.file_of(g) or 0)) do
    if other ~= (file.file_of(g) or 0) then
      error(("graph.load_part: %s: the files of that name on rank %d and on rank %d differ"):format(g.name, r - 1, ranks.rank), 0)
    end
  end
  return g
end

-- Returns f(...). An error of f gets the position that error(message, level) in the calling function would give it.
local function at_caller(level, f, ...)
  local out = table.pack(pcall(f, ...))
  if not out[1] then error(algorithm.without_place(out[2]), level + 1) end
  return table.unpack(out, 2, out.n)
end

-- Makes this rank's part of g. Errors get the position at which the function that calls part_of was called, so that function must
-- not call part_of as a tail call.
local function part_of(g, memory, name)
  local offset, rows = (file.file_of(g) and in_file or in_memory)(g)
  local part = {whole = g, first = bound(g, offset, ranks.rank), past = bound(g, offset, ranks.rank + 1)}
  part.own, part.edge = at_caller(3, rows, part.first, part.past)
  local p = part.own
  if memory then
    local largest = ranks.greatest(bytes_of(p))
    if largest > memory then
      error(("%s: a part of %s takes %d bytes on %s, more than memory = %d"):format(name, g.name, largest,
        ranks.count == 1 and "one rank" or ranks.count .. " ranks", memory), 3)
    end
  end
  parts[p] = setmetatable(part, meta)
  return p
end

--- This rank's part of a graph: a graph with all vertices, and the out-edges of a range of them. The ranges of all
--- ranks have about the same number of edges and vertices. If neighbours have similar numbers, g:permute(1)
--- first balances the work better. sssp, bfs, scc, ocm and ocr accept a part instead of a graph: all ranks call them, and all
--- get the result of the whole graph. memory = "4 GiB": an error, in all ranks, if the part of any rank is larger.
---   p = graph.load("x.lsg"):partition()   r = scc(p)   check(r)
--: graph:partition([{memory =}])
local function partition(g, options)
  algorithm.graph("g:partition", g)
  local memory = algorithm.bytes(algorithm.options("g:partition", options, OPTIONS).memory)
  local p = part_of(g, memory, "g:partition")
  return p
end

methods.partition = partition

-- For a part these methods are errors: they would make a graph of only the part's edges, which algorithms would take for the whole graph.
for _, name in ipairs {"permute", "reverse", "subgraph", "symmetrize"} do
  local of_whole = methods[name]
  methods[name] = function(g, ...)
    if parts[g] then
      error(("g:%s: g is a rank's part of a graph and has only some of the graph's edges; call it for the whole graph, " ..
        "ranks.part(g).whole, and divide the result with g:partition()"):format(name), 2)
    end
    return of_whole(g, ...)
  end
end

-- The description of a part (ranks.part), or an error of the function `name`.
local function part_named(name, p)
  return parts[p] or error(("%s: expected a rank's part of a graph (g:partition, graph.load_part), got %s"):format(name, algorithm.described(p)), 3)
end

--- graph.load_part(path [, {memory =}]): this rank's part of the graph in a file, as g:partition makes it. From an uncompressed .lsg
--- file a rank reads and checks only its own rows (and their in-edges when bfs needs them): the more ranks, the less memory each
--- needs. Together the ranks check the file's checksums: if it is damaged, all of them have the same error. Other files are read whole
--- by each rank. check(r) and r.graph read and check the whole file when they first need it.
---   g:save("web.lsg")   p = graph.load_part("web.lsg")   r = scc(p)
function graph.load_part(path, options)
  if type(path) ~= "string" then error(("graph.load_part: a path expected, got %s"):format(algorithm.described(path)), 2) end
  local memory = algorithm.bytes(algorithm.options("graph.load_part", options, OPTIONS).memory)
  local p = part_of(at_caller(2, open_in_parts, path), memory, "graph.load_part")
  return p
end

--- ranks.share(p, x): sends each x[v] from the rank that owns vertex v to all ranks. x is a buffer with one element per vertex.
function ranks.share(p, x)
  local part = part_named("ranks.share", p)
  all_gather(x, part.first, part.past)
end

--- ranks.halo(p, x [, "back_halo"]): for each head v of this rank's edges (with "back_halo": of the edges of ranks.part(p).back), gets
--- x[v] from the rank that owns v, by the primitive halo, which sends only these elements. If they are half or more of all elements
--- that ranks do not own, it calls ranks.share instead, which is then faster. Returns true if it used halo; then the other elements of
--- x that this rank does not own are undefined.
function ranks.halo(p, x, which)
  local plan = part_named("ranks.halo", p)[which or "halo"]
  if plan.pays then halo(x, plan.lists) else ranks.share(p, x) end
  return plan.pays
end

--- ranks.halo_reduce(p, x, op): combines what ranks have computed for the heads of their edges, at the owner of each vertex: x[v]
--- becomes the sum (op = 0), the minimum (1) or the maximum (2) of the owner's value and those of other ranks. By the primitive
--- halo_reduce, or by reduce_scatter, chosen as in ranks.halo.
function ranks.halo_reduce(p, x, op)
  local part = part_named("ranks.halo_reduce", p)
  local plan = part.halo
  if plan.pays then halo_reduce(x, op, plan.lists) else reduce_scatter(x, part.first, part.past, op) end
end

--- ranks.concatenate(x, from, count): concatenates, in the order of ranks, the `count` elements of each rank's x from index `from` on.
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

return ranks
