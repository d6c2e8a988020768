-- Parts of a graph, one a rank (lua/ranks.lua): the out-edges of a range of vertices. A part is a graph with all vertices of the
-- whole one, so that every row runs over it; what a row finds out of the edges of other ranks comes by exchanges.

local parts = setmetatable({}, {__mode = "k"}) -- by the part's graph

--- ranks.part(p): of what g:partition() has made: {whole = g, first =, past =, edge =, vertices =, inner =, back =}. This rank has
--- the out-edges of the vertices first to past - 1, the first of which is the whole graph's edge number `edge`; vertices lists
--- these vertices (u32), inner is the subgraph of them, and back has their in-edges, as the out-edges of the reversed graph: the
--- three are made on the host when they are first asked for. nil of another graph.
function ranks.part(p) return parts[p] end

-- The least vertex v with at least `target` edges and vertices before it.
local function reaches(g, target)
  local low, high = 0, g.n
  while low < high do
    local v = (low + high) // 2
    if g.off[v] + v < target then low = v + 1 else high = v end
  end
  return low
end

local WIDTH = {i32 = 4, f32 = 4, i64 = 8, f64 = 8}

-- The bytes of the arrays of edges that a part has on its device.
local function bytes_of(p)
  local edge = 4 + (p.w and WIDTH[p.weights] or 0) + (p.t and WIDTH[p.t.dtype] or 0)
  return 4 * (p.n + 1) + p.m * edge
end

local made = {
  back = function(part) return part.whole:reverse():rows(part.first, part.past) end,
  inner = function(part) return part.whole:subgraph(part.vertices) end,
  vertices = function(part)
    local all, list = buffer.new("u32", part.whole.n), buffer.new("u32", part.past - part.first)
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

--- The part of a graph that this rank has: a graph with all vertices, and the out-edges of a range of them. The ranges of all
--- ranks have about the same number of edges and vertices. If vertices of similar numbers are neighbours, g:permute(1)
--- before it balances the work better. sssp, bfs, scc, ocm and ocr take a part in place of a graph: all ranks call them, and all
--- get the result of the whole graph. memory = "4 GiB": an error, in all ranks, if some rank's part is larger.
---   p = graph.load("x.lsg"):partition()   r = scc(p)   check(r)
--: graph:partition([{memory =}])
local function partition(g, options)
  algorithm.graph("g:partition", g)
  local memory = algorithm.bytes(algorithm.options("g:partition", options, OPTIONS).memory)
  local function bound(r) return r == ranks.count and g.n or reaches(g, (g.m + g.n) * r // ranks.count) end
  local part = {whole = g, first = bound(ranks.rank), past = bound(ranks.rank + 1)}
  part.edge = g.off[part.first]
  local p = g:rows(part.first, part.past)
  if memory then
    local largest = ranks.greatest(bytes_of(p))
    if largest > memory then
      error(("g:partition: a part of %s takes %d bytes on %s; memory is %d"):format(g.name, largest,
        ranks.count == 1 and "one rank" or ranks.count .. " ranks", memory), 2)
    end
  end
  parts[p] = setmetatable(part, meta)
  return p
end

debug.getregistry()["lockstep.graph"].__methods.partition = partition

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
