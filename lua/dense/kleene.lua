-- The Kleene star of an acyclic graph in max-plus algebra: the greatest weight of a path, for all pairs of vertices. Goto 2011.

local algorithm = import "base/algorithm"
local bundle = import("base/loops").bundle
local kleene_ranks = import "dense/kleene_ranks"
local matrix = import("dense/matrix").matrix
local matrix_ranks = import "dense/matrix_ranks"
local ranks = import "exchange/ranks"

local kleene = {}

local FORMS = {"blocked", "columns", "updates"}
local OPTIONS = {form = FORMS, closure = "flag", tile = {least = 16, most = 4096, doubled = true}, columns = {least = 1, most = 1024},
  rows = {least = 1, most = 1024}, successors = "flag"}

local MAX_PLUS = {semiring = "max-plus"}
local FINITE = algorithm.finite
local LEAST = algorithm.least

local result = algorithm.results {
  name = "kleene", buffers = {matrix = "least", successor = "vertex"},
  show = function(r)
    return ("greatest weights of paths between all pairs of %d vertices (%s)"):format(r.graph.n, r.matrix.dtype)
  end,
  methods = {
    get = function(r, i, j) return r.matrix:get(i, j) end,
    path = function(r, i, j) return matrix.path(r.graph, r.matrix, i, j, rawget(r, "successor")) end,
  },
  fields = {
    successor = function(r) return matrix.successors(r.graph, r.matrix, MAX_PLUS) end,
    unreached = function(r) return LEAST[r.matrix.dtype] end,
  },
}

-- Variants of the topological order. Each returns the keys by which vertices are sorted, and the number of vertices without a
-- key: those on a cycle or reachable from one.
local order = {}

-- Calls level(s), which computes the level of each vertex. Also returns the remaining in-degrees.
local function by_levels(g, room, level)
  local n = g.n
  local s = bundle {indegree = buffer.new("u32", n), level = buffer.new("u32", n), front = buffer.new("u32", room),
    front_next = buffer.new("u32", room), key = buffer.new("u64", n)}
  level(s)
  local left = order_keys(s)
  return s.key, left, s.indegree
end

-- By levels (Kahn 1962).
function order.levels(g)
  return by_levels(g, g.n + 1, function(s)
    if order_start(g, s) > 0 then order_fix(g, s) end
  end)
end

-- The same levels, computed vertex by vertex on one core of the host.
function order.host(g)
  return by_levels(g, g.n, function(s) ranks.on_host(order_vertices, g, s) end)
end

-- From this number of vertices on, a table with the union of the rows of each subset of four pivots saves more time than it costs, and
-- ranks divide the matrix (figures in lua/dense/kleene_ranks.lua).
local WIDE = 12288

-- By the number of descendants in a closed Boolean matrix (Warshall 1962): n / 64 iterations, whatever the number of levels.
function order.descendants(g, panel)
  local n, s = g.n, nil
  if n == 0 then return order.levels(g) end -- there is no matrix without columns
  if panel then
    s = kleene_ranks.closed_part(g, panel)
  else
    local words = (n + 63) // 64
    s = bundle {bits = buffer.new("u64", n, words), words = words, from = 0, across = words, descendants = buffer.new("u32", n)}
    bits_edges(g, s)
    if n < WIDE then
      s.pivots = buffer.new("u64", 128, words)
      copy_part {x = s.bits, from = 0, count = math.min(64, n) * words, y = s.pivots, to = 0}
      warshall_narrow(s)
    else
      s.within, s.table = buffer.new("u64", 64), buffer.new("u64", 256, words)
      warshall(s)
    end
  end
  local cyclic = s.bits and descendant_counts(s) or 0 -- a rank may have no part of the matrix
  if panel then
    all_reduce(s.descendants, 0)
    cyclic = ranks.sum(cyclic)
  end
  s.key = buffer.new("u64", n)
  descendant_keys(s)
  return s.key, cyclic
end

-- One core takes 1 to 4 ns per edge: 0.1 ms for n = 4000 and 8 edges per vertex, 0.9 ms for n = 32000, 33 ms with 500 edges per
-- vertex. The Boolean matrix takes 2.0 ms on an H200 for n = 4000 and some 70 ms on an H100 for n = 32000, whatever the number of
-- edges. So the host is at least twice as fast up to n / 64 edges per vertex: a margin for slower cores, and for copying edges that
-- only the device has.
local SPARSE = 64

local PANEL = 16 -- words of 64 pivots that ranks exchange at once

--- kleene.order(g [, {form =, panel =}]): the vertices of an acyclic graph in topological order. Returns `order` (u32[n]); `place`
--- (place[order[i]] = i); the number of vertices that are on cycles or reachable from one; the in-degrees; and the name of the form
--- that ran. The vertices on cycles or reachable from one come last in `order`; their in-degrees count only edges between them. Forms:
---   "levels"       level by level (Kahn 1962): used by a stepped run and on a CPU
---   "host"         the same order by one core of the host: used on CUDA if a vertex has n / 64 edges or fewer, on average
---   "descendants"  by the number of descendants, in a Boolean matrix of n x n bits that is closed 64 pivots at a time
---                  (Warshall 1962): used on CUDA for other graphs. Several ranks divide the matrix by columns, if there are 12288
---                  vertices or more, or the option 'panel' is given; they exchange `panel` words (16) of each row at once.
--- All ranks have the same order, which does not depend on the number of ranks.
function kleene.order(g, options)
  algorithm.graph("kleene.order", g)
  options = algorithm.options("kleene.order", options,
    {form = {"levels", "host", "descendants"}, panel = {least = 1, most = 1024}})
  local n = g.n
  local sparse = not compare() and g.m <= n * n // SPARSE
  local v = algorithm.variant {cpu = "levels", cuda = sparse and "host" or "descendants", stepped = "levels"}
  local form = options.form or v:now()
  local panel = ranks.count > 1 and (options.panel or n >= WIDE and PANEL) or nil
  local key, left, indegree = order[form](g, panel)
  if left > 0 and form == "descendants" then -- the error message needs the in-degrees, which only levels compute
    form = "levels"
    key, left, indegree = order.levels(g)
  end
  local s = bundle {key = buffer.new("u64", n), order = buffer.new("u32", n), place = buffer.new("u32", n)}
  radix_sort(key, s.key)
  order_list(s)
  return s.order, s.place, left, indegree, form
end

-- A cycle among the remaining vertices, as text: each of them has an in-edge from another.
local function cycle_text(g, indegree)
  local back, at = g:reverse(), 0
  while indegree[at] == 0 do at = at + 1 end
  local seen, walk = {}, {}
  while not seen[at] do
    seen[at], walk[#walk + 1] = true, at
    for e = back.off[at], back.off[at + 1] - 1 do
      if indegree[back.to[e]] > 0 then
        at = back.to[e]
        break
      end
    end
  end
  local names = {tostring(at)}
  repeat
    local v = table.remove(walk)
    names[#names + 1] = tostring(v)
  until v == at
  local edges = #names - 1
  if edges > 8 then names = {names[1], names[2], names[3], "...", names[#names]} end
  return ("%s (%d edge%s)%s"):format(table.concat(names, " -> "), edges, edges > 1 and "s" or "", algorithm.numbering(g))
end

-- Permutes the matrix D from topological order to the graph's vertex numbers. Frees D.
local function permuted(D, place)
  local K = buffer.new(D.dtype, D.rows, D.cols)
  matrix_permute(D, place, K)
  D:close()
  return K
end

local forms = {}

-- An upper triangular matrix, closed by iterating over the tiles of its diagonal. Returns nil if an element is too large for this
-- form.
function forms.blocked(g, kind, how)
  local n = g.n
  local D = matrix.of(g, {semiring = "max-plus", dtype = kind, place = how.place})
  local given = matrix.tiled(D, how.tile or (n <= 64 and 64 or 256), 1, how.positive)
  close_diagonal(given)
  local tiles = given.tiles -- the panel's view of tiles reads k and tiles
  for k = 0, tiles - 1 do
    given.k = k
    close_upper(given)
    session.turn()
  end
  if given.overflow[0] ~= 0 then return nil end
  return permuted(D, how.place)
end

-- The same matrix in topological order; each rank computes a range of its columns.
function forms.columns(g, kind, how)
  local n = g.n
  local D = matrix.of(g, {semiring = "max-plus", dtype = kind, place = how.place})
  -- A step of `tile` rows takes some 50 us in addition to its updates; and tiles add n^2 * tile / 2 updates to the n^3 / 6 that are
  -- needed. Ranks divide the updates, not the steps: 512 is near the optimum for n = 4000 to 32000.
  local tile = how.tile or 64
  while not how.tile and tile < 512 and 8 * tile < n do tile = 2 * tile end
  if not matrix_ranks.star_columns(D, n, {tile = tile, positive = how.positive}) then return nil end
  return permuted(D, how.place)
end

-- Goto's form: from the last vertex to the first, the row of a vertex updates the rows of its predecessors.
function forms.updates(g, kind, how)
  local n = g.n
  local K = matrix.of(graph.from_edges(n, buffer.new("u32", 0), buffer.new("u32", 0)), {semiring = "max-plus", dtype = kind})
  local back = g:reverse()
  local overflow = buffer.new("u32", 1)
  local given = bundle {roff = back.off, rto = back.to, rw = algorithm.widened(algorithm.weights(back), kind), K = K, overflow = overflow,
    columns = how.columns, rows = how.rows}
  for i = n - 1, 0, -1 do
    local v = how.order[i]
    given.vertex, given.arcs = v, back.off[v + 1] - back.off[v]
    if given.arcs > 0 then kleene_update(given) end
  end
  return overflow[0] == 0 and K or nil
end

-- The least and the greatest weight, found on the current device; 1 and 1 if there are no weights.
local function extremes(g)
  if not g.weights or g.m == 0 then return 1, 1 end
  return algorithm.reduced(g.w, 1)[0], algorithm.reduced(g.w, 2)[0]
end

-- Can the matrix have elements of this type? For a real type no sum of weights may overflow, because overflow to infinity would not
-- be detected.
local function fits(g, kind, low, high)
  if not g.weights then return true end
  if not FINITE[kind] then return low > LEAST[kind] end
  return math.max(-low, high) * 1.0 * (g.n - 1) <= FINITE[kind]
end

-- The matrix of a graph with cycles; nil if a sum overflowed, or nil and true if a cycle is positive.
local function closed(g, kind)
  local K, v = matrix.closed(matrix.of(g, {semiring = "max-plus", dtype = kind}), matrix.semiring "max-plus")
  if v then return nil, true end
  return K
end

-- Raises an error if there is a positive cycle.
local function refuse_positive_cycle(g)
  local real = FINITE[g.weights]
  local v, cycle = reference.negative_cycle(algorithm.reweighted(g, real and "f64" or "i64", function(_, x)
    return real and -x or -math.max(x, -math.maxinteger)
  end))
  if v then
    error(("kleene: vertex %s lies on a cycle that is positive: %s"):format(algorithm.vertex_text(g, v), matrix.positive(cycle)), 3)
  end
end

--- kleene(g [, {form =, closure =, tile =, columns =, rows =}]): the Kleene star of an acyclic graph in max-plus algebra: for
--- each pair of vertices i and j the greatest weight of a path from i to j. r:get(i, j) is that weight (0 from a vertex to itself; the
--- type's least value, or -inf, if there is no path), r:path(i, j) the vertices of such a path, r.matrix the n x n buffer; check(r)
--- proves it. r.successor, and the option successors = true, are as in fw. (Goto's [X*]ij is the weight of paths from j to i: his
--- matrix is the transpose of this one.) If a sum of i32 or f32 weights overflows, the run is repeated in 64 bits and says so.
--- A graph with a cycle is an error that names one; with {closure = true} it may have cycles, if none has a positive weight.
--- form:
---   "blocked"   the matrix in topological order is upper triangular, and is closed tile by tile: the fastest
---   "columns"   the same, with a range of columns per rank (help ranks): used if there are several ranks
---   "updates"   Goto's: vertex by vertex, in blocks of `columns` x `rows` threads, 256 x 2; used by a stepped run
--- r.variant is the form that ran.
local function run(g, options)
  algorithm.graph("kleene", g)
  options = algorithm.options("kleene", options, OPTIONS)
  if g.n == 0 then error("kleene: a graph without vertices has no matrix", 2) end
  local columns, rows = options.columns or 256, options.rows or 2
  if columns * rows > 1024 then error(("kleene: a block has %d x %d threads, expected at most 1024"):format(columns, rows), 2) end
  local function successors(K) return options.successors and matrix.successors(g, K, MAX_PLUS) or nil end
  local low, high = extremes(g)
  local order, place, left, indegree = kleene.order(g)
  if left > 0 then
    if not options.closure then
      error(("kleene: the graph has a cycle: %s; {closure = true} allows cycles that are not positive"):format(
        cycle_text(g, indegree)), 2)
    end
    local K, cycle
    for wide in algorithm.widths("kleene", g.weights or "i32") do
      if fits(g, wide, low, high) then K, cycle = closed(g, wide) end
      if K then return result({graph = g, matrix = K, successor = successors(K)}, "closure") end
      refuse_positive_cycle(g)
    end
    if cycle then error("kleene: a cycle has a positive sum only because of rounding", 2) end
    error("kleene: " .. algorithm.too_long(g.weights or "i32"), 2)
  end
  local v = algorithm.variant(ranks.count > 1 and {cpu = "columns", cuda = "columns"}
    or {cpu = "blocked", cuda = "blocked", stepped = "updates"})
  local form, kind = options.form or v:now(), g.weights or "i32"
  local how = {order = order, place = place, tile = options.tile, columns = columns, rows = rows}
  how.positive = low >= 0 and 1 or 0
  for wide in algorithm.widths("kleene", kind) do
    if fits(g, wide, low, high) then
      local K = forms[form](g, wide, how)
      if K then v:take(form) end
      if not K and form ~= "updates" then
        K = forms.updates(g, wide, how)
        if K then v:take("updates") end
      end
      if K then return result({graph = g, matrix = K, order = order, successor = successors(K)}, v) end
    end
  end
  error("kleene: " .. algorithm.too_long(kind), 2)
end

setmetatable(kleene, {__call = function(_, g, options) return run(g, options) end})

return kleene
