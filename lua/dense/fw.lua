-- All-pairs shortest paths by Floyd-Warshall: the textbook algorithm (Floyd 1962), blocked (Venkataraman, Sahni, Mukhopadhyaya 2003),
-- recursive (Buluc, Gilbert, Budak 2010), and the kernels of Okuyama 2013, chapter 4.

local algorithm = import "base/algorithm"
local matrix = import "dense/out_of_core"
local matrix_ranks = import "dense/matrix_ranks"
local ranks = import "exchange/ranks"
local tuner = import "dense/tuner"

local fw = {tune = tuner.tune, occupancy = tuner.occupancy}

local FORMS = {"blocked", "rows", "recursive", "mm", "two-level", "tiles", "textbook"}
local OPTIONS = {form = FORMS, tile = {least = 16, most = 4096, doubled = true}, sub = {least = 2, most = 8, doubled = true},
  l = {"model", "measured", least = 1, most = 4096}, dtype = {"i16", "i32", "i64", "f32", "f64"}, successors = "flag",
  memory = "bytes"}

local result = algorithm.results {
  name = "fw", buffers = {matrix = "greatest", successor = "vertex"},
  show = function(r) return ("distances between all pairs of %s (%s)"):format(algorithm.counted(r.graph.n, "vertex", "vertices"), r.matrix.dtype) end,
  methods = {
    get = function(r, i, j) return r.matrix:get(i, j) end,
    path = function(r, i, j) return matrix.path(r.graph, r.matrix, i, j, rawget(r, "successor")) end,
  },
  fields = {
    successor = function(r) return matrix.successors(r.graph, r.matrix) end,
    unreached = function(r) return algorithm.greatest[r.matrix.dtype] end,
  },
}

-- --- forms: each turns D into the matrix of shortest distances, in place, and returns false if a sum overflowed ---

local forms = {}

-- Figure 4.1 of Okuyama 2013 (the thesis): one step per value of k.
-- paper errs: 002, introduction, Floyd-Warshall: it gives the complexity as O(|V|^2); there are |V| steps of |V|^2 updates.
function forms.textbook(D, n)
  local overflow, tiles = buffer.new("u32", 1), (n + 31) // 32
  for k = 0, n - 1 do fw_step(D, overflow, k, tiles) end
  return overflow[0] == 0
end

-- Figure 4.2 by the plain primitives, for any values.
-- paper errs: 004, section 4.2.1, equation 4.2: without updates by way of i or j itself, which change nothing, there are
-- n(n^2 - 2n + 1) updates, whatever t is, not n(n^2 - 2t + 1). Section 4.5.1 has it right: 2n(n - 1)^2 operations.
function forms.tiles(D, n) return matrix.close_tiles(D, n) end

-- Figure 4.2 by the fast primitives, for elements within bounds.
function forms.blocked(D, n, how) return matrix.close(D, n, {tile = how.tile, positive = how.positive, progress = "fw"}) end

-- The same on several ranks, each of which owns some of the rows.
function forms.rows(D, n, how) return matrix_ranks.close_rows(D, n, {tile = how.tile, positive = how.positive}) end

-- Figure 4.4: the matrix is split into four parts; the two on the diagonal are closed recursively. `tile` is the thesis's tR.
-- paper errs: 004, section 4.2.2, kernel launches: the sum must run to log2(n/tR) - 1, not to log2(n/tR), to be 5n/tR - 4.
-- Here every multiplication is one launch: 7n/tR - 6.
function forms.recursive(D, n, how)
  local tile = how.tile or 64
  local given = matrix.tiled(D, tile, 0, how.positive)
  local tiles = given.tiles
  given.upper = 0
  local function multiplied(down, across, over) -- parts: {first, count} of elements. The panel's view of tiles reads these locals, tile and tiles:
    local i, rows, j, cols, k, deep = down[1], down[2], across[1], across[2], over[1], over[2]
    given.i, given.rows, given.j, given.cols, given.k, given.deep = i, rows, j, cols, k, deep
    block_multiply(given)
  end
  local function close(first, count) -- the tiles first .. first + count - 1
    if count == 1 then
      local k = first
      given.k = k
      close_pivot(given)
      return
    end
    local half = count // 2
    local a, b = {first * tile, half * tile}, {(first + half) * tile, 0}
    b[2] = math.min((first + count) * tile, n) - b[1]
    close(first, half)
    multiplied(a, b, a)
    multiplied(b, a, a)
    multiplied(b, b, a)
    close(first + half, count - half)
    multiplied(b, a, b)
    multiplied(a, b, b)
    multiplied(a, a, b)
  end
  close(0, tiles)
  return given.overflow[0] == 0
end

-- The parameter l of the thesis's matrix-multiply kernel: as given, or tuned (lua/dense/tuner.lua); then also returns the tuner's choice.
local function tuned(n, tile, kind, l)
  if math.type(l) == "integer" then return l end
  local method = l == "measured" and not session.stepped() and "MT" or "tail"
  local choice = fw.tune(n, {tile = tile, dtype = kind, method = method, clock = false})
  return choice.l, choice
end

-- Figure 4.2, with one of the thesis's two kernels (rest) for the tiles that are neither in the pivot row nor in the pivot column.
local function thesis(rest)
  return function(D, n, how)
    local tile = how.tile or 32
    local given = matrix.tiled(D, tile, 0, how.positive)
    if how.form == "mm" then how.l, how.tuning = tuned(n, tile, D.dtype, how.l) end
    given.l, given.sub = how.l or 1, how.sub or (tile <= 32 and 4 or 8)
    local tiles = given.tiles -- the panel's view of tiles reads k and tiles
    for k = 0, tiles - 1 do
      given.k = k
      close_pivot(given)
      close_cross(given)
      rest(given)
      session.turn()
    end
    return given.overflow[0] == 0
  end
end
forms.mm = thesis(mm_rest)
forms["two-level"] = thesis(two_level_rest)

-- --- values ---

local MOST = {i16 = 5461, i32 = 1 << 28, i64 = 1 << 60} -- the fast primitives need weights of smaller magnitude than this
local function too_large(kind, low, high) return MOST[kind] and (high >= MOST[kind] or low <= -MOST[kind]) end

-- The type of the distances: the option `dtype`, or the type of the weights. An error if the weights cannot be summed in `dtype`.
local function kind_of(g, dtype)
  local own = g.weights or "i32"
  if dtype and dtype ~= own and not ({i16 = own == "i32", i64 = own == "i32", f64 = own == "f32"})[dtype] then
    error(("fw: weights of %s cannot be summed as %s"):format(own, dtype), 3)
  end
  return dtype or own
end

-- Can this type represent the weights, and for reals all sums of them? The greatest integer is not available: it means "no path".
local function fits(g, kind, low, high)
  if kind == "i16" then return high < 0x7fff and low > -0x8000 end
  if kind == "i32" then return high < 0x7fffffff end
  if kind == "i64" then return high < math.maxinteger end
  return 2.0 * g.n * math.max(-low, high) <= algorithm.finite[kind]
end

local function refuse_negative_cycle(g) algorithm.refuse_negative_cycle("fw", g, 3) end

-- The matrix of distances, computed out of core: by blocks that are streamed through the device. The fast primitives run, or
-- the plain ones if the weights or a sum exceed the limits of the fast ones. nil if a sum overflowed.
local function streamed(g, kind, edge, how, low, high, v)
  matrix.need_room(g.n, kind, device.list()[1], 3)
  for plain = too_large(kind, low, high) and 1 or 0, MOST[kind] and 1 or 0 do
    local D = reference.distance_matrix(g, kind)
    v:take "out of core"
    how.edge = edge
    if matrix.close_streamed(D, {edge = edge, positive = how.positive, plain = plain == 1}) then return D end
    if low < 0 then refuse_negative_cycle(g) end
  end
  return nil
end

-- The matrix of distances on the host, if each rank's device has room only for the rows that it owns. nil if the weights or a sum
-- exceed the limits of the fast primitives.
local function rows_on_host(g, kind, how, low, high, v)
  if too_large(kind, low, high) then return nil end
  matrix.need_room(g.n, kind, device.list()[1], 3)
  local D = reference.distance_matrix(g, kind)
  v:take "rows"
  how.on_host = true
  return matrix_ranks.close_rows(D, g.n, {tile = how.tile, positive = how.positive, host = true}) and D or nil
end

-- The bytes that may be used on the device: the option `memory`, or 90 % of the device's free memory (the least over all ranks).
local function memory_for(options)
  if options.memory then return algorithm.bytes(options.memory) end
  return -ranks.greatest(-(device().free // 10 * 9))
end

-- The edge of the blocks in which the matrix is streamed through the device; nil if it fits as a whole.
local function edge_of_blocks(n, kind, options)
  if not options.memory and (algorithm.on_cpu() or options.form) then return nil end
  local bytes = memory_for(options)
  local edge, least = matrix.block_edge(n, kind, bytes)
  if not edge then
    error(("fw: memory is %d bytes, expected %d at least, for five blocks of 16 x 16 elements and the product of two blocks"):format(bytes,
      least), 3)
  end
  return edge < n and edge or nil
end

-- The matrix of distances in the type `kind`, by `form`, or by the plain primitives if the weights or a sum exceed the form's limits;
-- nil if a sum overflowed.
local function distances(g, kind, form, how, v)
  local low, high = algorithm.weight_range(g)
  local plain = form == "tiles" or form == "textbook"
  local thesis_form = form == "mm" or form == "two-level"
  if thesis_form and kind ~= "i32" and kind ~= "f32" then form = "blocked" end
  if plain or not too_large(kind, low, high) then
    local D = matrix.of(g, {dtype = kind})
    v:take(form)
    how.edge = nil
    if forms[form](D, g.n, how) then return D end
    if low < 0 then refuse_negative_cycle(g) end
    if plain then return nil end
  end
  if kind == "f32" or kind == "f64" then return nil end
  local D = matrix.of(g, {dtype = kind})
  v:take("tiles")
  return forms.tiles(D, g.n) and D or nil
end

--- fw(g [, options]): the distances between all pairs of vertices. r:get(i, j) is the distance from i to j (the type's maximum, or
--- inf, if there is no path), r:path(i, j) the vertices of a shortest path (nil if there is none), r.matrix the n x n buffer.
--- check(r) proves them. If a sum of i32 or f32 weights overflows, the run repeats in 64 bits and says so. A negative cycle is an
--- error that names it. With real weights a cycle may be missed if its weight is within the rounding of distances: check(r) finds
--- it. r.successor:get(i, j) is the vertex that follows i on a shortest path to j (2^32 - 1: none); it is computed when it is first
--- read, and r:path uses it from then on. r.variant is the form that ran. The options:
---   form = "blocked"     tiles of 64 x 64 and more, in registers: the fastest; the default unless the run is stepped
---   form = "rows"        the same, with a stripe of rows per rank (help ranks): the default if there are several ranks
---   form = "recursive"   the matrix in four parts (Buluc et al. 2010), down to tiles of `tile`
---   form = "mm"          the thesis's matrix-multiply kernel, l parts of 16 x 64 per block; i32 and f32
---   form = "two-level"   the thesis's kernel with two-level blocking, `sub` columns at a time, l tiles per block; i32 and f32
---   form = "tiles"       tiles of 32 x 32, plain; the default of a stepped run, and used if the magnitude of integers reaches
---                        5461 (i16), 2^28 (i32) or 2^60 (i64)
---   form = "textbook"    one step per vertex
---   tile, sub            sizes for these forms: tile 16, 32, 64 and so on; sub 2, 4 or 8
---   l = "model"          for form "mm": "model" (default) chooses l without a run, "measured" by running every candidate first;
---                        or a number. r.tuning:explain() says how it was chosen: see fw.tune. A stepped run does not measure
---   successors = true    computes r.successor at once
---   dtype = "i16"        elements of 16 bits: half the memory. If a distance is 32767 or more, the run repeats in 32 bits.
---                        dtype may also be a wider type than that of the weights
---   memory = "8 GiB"     (or bytes) limits how much of the matrix is on the device. A larger matrix stays on the host and is
---                        computed by blocks of r.edge x r.edge elements that are copied to the device and back (r.variant "out
---                        of core"), or, with several ranks, by rows if each rank has room for its rows. By default this happens on
---                        CUDA if the matrix does not fit
local function run(g, options)
  algorithm.graph("fw", g)
  options = algorithm.options("fw", options, OPTIONS)
  if options.memory and options.form and options.form ~= "blocked" then
    error(("fw: memory is an option only of the form 'blocked', not of '%s'"):format(options.form), 2)
  end
  if g.n == 0 then error("fw: a graph without vertices has no distance matrix", 2) end
  local v = algorithm.variant(ranks.count > 1 and {cpu = "rows", cuda = "rows"}
    or {cpu = "blocked", cuda = "blocked", stepped = "tiles"})
  local form = options.form or v:now()
  if form == "two-level" and type(options.l) == "string" then
    error(("fw: l = '%s' is only for form 'mm'; 'two-level' takes a number"):format(options.l), 2)
  end
  local kind, low, high = kind_of(g, options.dtype), algorithm.weight_range(g)
  local D, how = nil, {tile = options.tile, l = options.l, sub = options.sub, form = form}
  how.positive = low >= 0 and 1 or 0
  for wide in algorithm.widths("fw", kind) do
    if fits(g, wide, low, high) then
      local edge = edge_of_blocks(g.n, wide, options)
      local rows = edge and ranks.count > 1 and matrix_ranks.rows_bytes(g.n, wide, options.tile) <= memory_for(options)
      D = rows and rows_on_host(g, wide, how, low, high, v)
        or edge and streamed(g, wide, edge, how, low, high, v) or not edge and distances(g, wide, form, how, v)
    end
    if D then break end
    D = nil
    refuse_negative_cycle(g)
  end
  if not D then error("fw: " .. algorithm.too_long(kind), 2) end
  if low < 0 then
    local d = not how.edge and not how.on_host and matrix.diagonal(D)
    for i = 0, g.n - 1 do
      if (d and d[i] or D:get(i, i)) < 0 then -- with real weights this may be only rounding
        refuse_negative_cycle(g)
        break
      end
    end
  end
  local successor = options.successors and matrix.successors(g, D) or nil
  return result({graph = g, matrix = D, tuning = how.tuning, edge = how.edge, successor = successor}, v)
end

-- --- a matrix of which each rank has only a stripe ---

local function own_row(r, i)
  if math.type(i) ~= "integer" or i < 0 or i >= r.graph.n then
    error(("fw.stripe: expected a vertex of 0 .. %d, got %s"):format(r.graph.n - 1, algorithm.described(i)), 3)
  end
  if i < r.first or i >= r.past then
    local own = r.stripe and ("rows %d to %d"):format(r.first, r.past - 1) or "no rows"
    error(("fw.stripe: row %d belongs to another rank, this rank has %s; r:gather() brings all rows to all ranks"):format(i, own), 3)
  end
  return i - r.first
end

-- Returns what is wrong with the rows of this rank; else which rank has found a mistake in its rows; else nil.
local function wrong_rows(r)
  local wrong
  local tolerance = algorithm.finite[r.dtype] and algorithm.epsilon[r.dtype] * math.max(16, r.graph.n) or nil
  for i = r.first, r.past - 1 do
    local row <close> = r.stripe:slice(i - r.first, i - r.first + 1)
    local good, message = pcall(reference.check_sssp, r.graph, i, row, nil, nil, false, tolerance)
    if not good then
      wrong = ("row %d: %s"):format(i, algorithm.without_place(message))
      break
    end
  end
  local who = ranks.greatest(wrong and ranks.rank or -1)
  return wrong or who >= 0 and ("a row of rank %d is wrong"):format(who) or nil
end

local stripe = algorithm.results {
  name = "fw.stripe",
  show = function(r)
    return ("distances from %s of %d (%s); all ranks have such a stripe"):format(algorithm.counted(r.past - r.first, "vertex", "vertices"),
      r.graph.n, r.dtype)
  end,
  methods = {
    get = function(r, i, j)
      local row = own_row(r, i)
      return r.stripe:get(row, j)
    end,
    gather = function(r)
      return result({graph = r.graph, matrix = matrix_ranks.whole(r.stripe, r.graph.n, r.dtype, {tile = r.tile})}, "rows")
    end,
  },
  check = wrong_rows,
}

--- fw.stripe(g [, {tile =, dtype =}]): as fw(g), but each rank has only a stripe of the matrix throughout, so that the matrix may be
--- larger than the memory of one device or one host. r.stripe has the rows r.first to r.past - 1 (nil: this rank has none); r:get(i, j)
--- is an element of them; r:gather() returns the result of fw, with all rows on all ranks. All ranks have to call fw.stripe,
--- r:gather and check(r). The magnitude of integer weights must be below 2^28 (2^60 in 64 bits).
---   r = fw.stripe(g)   r.stripe:min()   check(r)
function fw.stripe(g, options)
  algorithm.graph("fw.stripe", g)
  options = algorithm.options("fw.stripe", options, {tile = OPTIONS.tile, dtype = {"i32", "i64", "f32", "f64"}})
  if g.n == 0 then error("fw.stripe: a graph without vertices has no distance matrix", 2) end
  local kind, low, high = kind_of(g, options.dtype), algorithm.weight_range(g)
  local first, past = matrix_ranks.stripe(g.n, options)
  for wide in algorithm.widths("fw.stripe", kind) do
    if fits(g, wide, low, high) and not too_large(wide, low, high) then
      local own = past > first and reference.distance_matrix(g, wide, first, past)
      if matrix_ranks.close_stripe(own, g.n, {dtype = wide, tile = options.tile, positive = low >= 0 and 1 or 0}) then
        local negative = 0
        for i = first, low < 0 and past - 1 or -1 do
          if own:get(i - first, i) < 0 then negative = 1 end -- with real weights this may be only rounding
        end
        if low < 0 and ranks.greatest(negative) > 0 then refuse_negative_cycle(g) end
        return stripe({graph = g, stripe = own or nil, first = first, past = past, dtype = wide, tile = options.tile}, "rows")
      end
      if own then own:close() end
    end
    if low < 0 then refuse_negative_cycle(g) end
  end
  error("fw.stripe: " .. algorithm.too_long(kind), 2)
end

setmetatable(fw, {__call = function(_, g, options) return run(g, options) end})

return fw
