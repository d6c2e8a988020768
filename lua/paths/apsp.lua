-- Shortest paths between all pairs of vertices: from many sources at a time (Okuyama 2013, chapter 3), by Dijkstra's algorithm
-- from each vertex, or by Floyd-Warshall, whichever suits the graph and the device; and Johnson's algorithm.

local algorithm = import "base/algorithm"
local fw = import "dense/fw"
local named = import("base/loops").named
local paths = import "paths/paths"
local ranks = import "exchange/ranks"
local sssp = import "paths/sssp"

local apsp = {}
local johnson = {}

local FAR = algorithm.greatest
local BYTES = algorithm.bytes_of
local NONE = 0xffffffff
local TILE = 32

-- --- paths from distances ---

-- Figure 3.1 of Okuyama 2013: traces the path from its end. u is a predecessor of v if dist[u] + weight = dist[v].
-- paper errs: 004, figure 3.1, line 9: it follows the first such neighbour, and never leaves a cycle of weight 0. This is a
-- depth-first search that visits no vertex twice and backtracks from dead ends. (SearchPath there is ReconstructPath itself.)
local function path(r, i, j)
  local g, n = r.graph, r.graph.n
  algorithm.vertex("path", g, i)
  algorithm.vertex("path", g, j)
  local far = r.unreached
  if r:get(i, j) == far then return nil end
  local kind = r.dtype or r.matrix.dtype
  local slack = algorithm.epsilon[kind] * math.max(16, n)
  local after, stack = {[j] = -1}, {j} -- after: vertex -> the next vertex on the path to j
  local roff, rto, rw = g.roff, g.rto, g.rw
  while #stack > 0 do
    local v = table.remove(stack)
    if v == i then break end
    local dv = r:get(i, v)
    for e = roff[v], roff[v + 1] - 1 do
      local u = rto[e]
      local du, w = r:get(i, u), rw and rw[e] or 1
      if not after[u] and du ~= far and math.abs(du + w - dv) <= slack * (math.abs(du) + math.abs(w)) then
        after[u] = v
        stack[#stack + 1] = u
      end
    end
  end
  if not after[i] then error("path: no path has the distance that the matrix says", 2) end
  local list = {i}
  while list[#list] ~= j do list[#list + 1] = after[list[#list]] end
  return list
end

local function kind_of_result(name)
  return algorithm.results {
    name = name,
    buffers = {matrix = "greatest"},
    show = function(r)
      return ("distances between all pairs of %d vertices (%s), %s"):format(r.graph.n, r.matrix.dtype, r.variant)
    end,
    methods = {get = function(r, i, j) return r.matrix:get(i, j) end, path = path},
  }
end
local apsp_result, johnson_result = kind_of_result "apsp", kind_of_result "johnson"

-- --- many sources at a time ---

local function free_bytes() return device().free end

-- The bytes that N = count sources at a time need. Okuyama 2013, section 3.4.2: (3N + 1)|V| + 2|E| numbers, and |V| + 2|E| more for
-- the transpose if parents are recorded.
local function bytes_of(g, kind, count, with_parents)
  local size = BYTES[kind]
  local vertex = g.n * (2 * size + 4) * count + 4 * g.n
  local edges = g.m * (4 + size)
  return vertex + edges + (with_parents and 4 * g.n + edges or 0)
end

-- Raises an error if `count` sources at a time do not fit into the free memory of the device. with_matrix: the matrix of all
-- distances is included, and with several ranks also the rows that are being exchanged.
local function check_room(name, g, kind, count, with_parents, with_matrix)
  if count * g.n >= 1 << 32 then
    error(("%s: %d sources times %d vertices are more than 2^32 - 1; expected at most %d sources"):format(name,
      count, g.n, ((1 << 32) - 1) // g.n), 3)
  end
  local bytes, free = bytes_of(g, kind, count, with_parents), free_bytes()
  local matrix = with_matrix and 1.0 * g.n * g.n * BYTES[kind] or 0
  if matrix > free then
    error(('%s: the matrix of %d x %d distances takes %.0f bytes, but %d are free; {file = "d.npy"} writes it to a file')
      :format(name, g.n, g.n, matrix, free), 3)
  end
  bytes = bytes + matrix + (with_matrix and ranks.count > 1 and 1.0 * ranks.count * count * g.n * BYTES[kind] or 0)
  if bytes > free then
    error(("%s: N = %d sources at a time take %.0f bytes, (3N + 1)|V| + 2|E| numbers%s, but %d bytes are free"):format(name, count, bytes,
      with_parents and " and |V| + 2|E| more" or with_matrix and " and a matrix of |V|^2" or "", free), 3)
  end
end

-- Solves the problems of all sources at the same time. If `together` is given, edges are kept in shared memory and each block processes
-- `together` vertices. Returns the number of passes, at most `most`.
local function solve_group(g, w, kind, s, sources, together, most)
  local n, k = g.n, #sources
  local source <close> = buffer.new("u32", sources)
  start_costs {source = source, k = k, far = FAR[kind], mask = s.mask, cost = s.cost, updated = s.updated}
  local args = {w = w, k = k, mask = s.mask, cost = s.cost, updated = s.updated, overflow = s.overflow, max_iterations = most or n + 1}
  if together then
    args.together, args.rows, args.columns = together, (n + together - 1) // together, (k + TILE - 1) // TILE
    return named(scatter_shared_fix, g, args).iterations
  end
  return named(scatter_fix, g, args).iterations
end

local function group_state(g, kind, k)
  return {cost = buffer.new(kind, g.n * k), updated = buffer.new(kind, g.n * k), mask = buffer.new("u32", g.n * k),
    overflow = buffer.new("u32", 1)}
end

-- How the searches of one rank ended; the outcome of the run is the greatest over all ranks.
local FINE, LONG, LEFT_TYPE, ENDLESS, UNWRITTEN = 0, 1, 2, 3, 4

-- The file of the matrix's rows. Rank 0 writes it; the other ranks send it their rows, so that no shared folder is needed. After an
-- error on one rank, all ranks learn of it before the next exchange.
local Rows = {}
Rows.__index = Rows
Rows.__close = function(rows)
  local left <close> = rows.out -- an incomplete file is not saved
end

-- Raises an error on all ranks if rank 0 cannot write.
function Rows:check(level)
  if ranks.greatest(self.wrong and UNWRITTEN or FINE) == FINE then return end
  error(("%s: %s"):format(self.name, self.wrong or "rank 0 cannot write " .. self.file), level + 1)
end

function Rows:try(f, ...)
  local good, out = pcall(f, ...)
  if not good then self.wrong = algorithm.without_place(out) end
  return good and out
end

local function file_for_rows(name, file, kind, n)
  local rows = setmetatable({name = name, file = file, n = n, kind = kind}, Rows)
  if ranks.rank == 0 then rows.out = rows:try(buffer.writer, file, kind, n, n) or nil end
  rows:check(4)
  return rows
end

-- Writes the next `all` rows: each rank contributes the first `mine` rows of its `block`. Closes `block`.
function Rows:put(block, mine, all)
  if ranks.count > 1 then
    local to = {0}
    for r = 1, ranks.count do to[r + 1] = mine * self.n end
    local whole = buffer.new(self.kind, ranks.rank == 0 and all or 1, self.n)
    all_to_all(block, buffer.new("u64", to), whole, buffer.new("u64", ranks.count + 1))
    block:close()
    block = whole
  end
  if self.out and not self.wrong then self:try(self.out.put, self.out, block) end
  block:close()
end

function Rows:close()
  if self.out and not self.wrong then self:try(self.out.close, self.out) end
  self.out = nil
  self:check(4)
end

-- Computes all rows and writes them into the file in their order, N per rank at a time. solve(base, count) solves the sources
-- base .. base + count - 1; it returns their outcome and a block of their rows. Stops at an outcome other than FINE; returns it.
local function rows_in_turn(rows, N, solve)
  for at = 0, rows.n - 1, N * ranks.count do
    local all = math.min(N * ranks.count, rows.n - at)
    local first, past = ranks.range(all)
    local outcome, block = FINE, nil
    if past > first then outcome, block = solve(at + first, past - first) end
    outcome = ranks.greatest(math.max(outcome, rows.wrong and UNWRITTEN or FINE))
    if outcome ~= FINE then return outcome end
    rows:put(block or buffer.new(rows.kind, 1, rows.n), past - first, all)
  end
  return FINE
end

-- Copies the rows of all ranks into every rank's matrix; the exchange of N rows per rank overlaps with the computation of the next N.
-- Returns two functions: send(done, count) sends the rows done .. done + count - 1 of those that this rank computes (all ranks must
-- call it equally often); rest() waits for the last exchange.
local function rows_beside(matrix, n, N)
  local block, first = buffer.new(matrix.dtype, ranks.count * N, n), ranks.range(n)
  local coming, at
  local function rest()
    if coming then coming:wait() end
    for r = 0, coming and ranks.count - 1 or -1 do
      local from, to = ranks.range(n, r)
      local count = math.min(N, to - from - at)
      if r ~= ranks.rank and count > 0 then matrix_copy(block, n, r * N, 0, count, n, matrix, n, from + at, 0) end
    end
    coming = nil
  end
  local function send(done, count)
    rest()
    if count > 0 then matrix_copy(matrix, n, first + done, 0, count, n, block, n, ranks.rank * N, 0) end
    at, coming = done, ranks.beside(all_gather, block, ranks.rank * N * n, (ranks.rank + 1) * N * n)
  end
  return send, rest
end

-- Computes the matrix by groups of N sources; each rank has a part of the sources. Returns the matrix, or the file's name if the
-- rows go to a file; nil if a sum overflowed; false if `most` is given and the first group is not done after that many passes.
local function by_groups(name, g, w, kind, N, together, file, most)
  local n = g.n
  local out <close> = file and file_for_rows(name, file, kind, n) or nil
  local matrix = not file and buffer.new(kind, n, n)
  local s
  local first, past = ranks.range(n)
  local limit = most and most <= n and most + 1 or nil
  local function solved(base, count, limited)
    local sources = {}
    for v = base, base + count - 1 do sources[#sources + 1] = v end
    if #sources == 0 then return FINE end
    if not s or #s.cost ~= n * #sources then s = group_state(g, kind, #sources) end
    local passes = solve_group(g, w, kind, s, sources, together, limited)
    if s.overflow[0] ~= 0 then return LEFT_TYPE end
    if limited and passes >= limited then return LONG end
    if passes > n then return ENDLESS end
    local block = out and buffer.new(kind, #sources, n)
    place_rows(g, {k = #sources, base = out and 0 or base, cost = s.cost, matrix = block or matrix, rows = out and #sources or n})
    return FINE, block
  end
  N = math.min(-ranks.greatest(-N), (n - 1) // ranks.count + 1) -- the least N of all ranks, so that each has room
  local outcome = FINE
  if out then
    outcome = rows_in_turn(out, N, solved)
  else
    local send, rest
    if ranks.count > 1 then send, rest = rows_beside(matrix, n, N) end
    for done = 0, (n - 1) // ranks.count, N do -- as many rounds as the rank with the most rows needs
      local count = math.max(0, math.min(N, past - first - done))
      if outcome == FINE then outcome = solved(first + done, count, done == 0 and limit or nil) end
      if done == 0 and limit then
        outcome = ranks.greatest(outcome)
        if outcome ~= FINE then break end
      end
      if send then send(done, count) end
    end
    outcome = ranks.greatest(outcome)
    if rest then rest() end
  end
  if outcome == LEFT_TYPE then return nil end
  if outcome == LONG then return false end
  if outcome == ENDLESS then
    algorithm.refuse_negative_cycle(name, g, 2)
    error(("%s: %s"):format(name, algorithm.rounding), 3)
  end
  if out then
    out:close()
    return file
  end
  return matrix
end

-- Computes the matrix by Dijkstra's algorithm on a CPU, for non-negative weights: many rows at a time, one thread per row. Returns
-- the matrix, the file's name, or nil if a sum overflowed.
local function by_rows(name, g, w, kind, file)
  local n = g.n
  local at_a_time = math.max(1, math.min(n, (1 << 22) // n))
  local out <close> = file and file_for_rows(name, file, kind, n) or nil
  local matrix, overflow = not file and buffer.new(kind, n, n), buffer.new("u32", 1)
  local line <close> = algorithm.progress_line
  local first, past = ranks.range(n)
  local function solved(base, count)
    local sources = {}
    for v = base, base + count - 1 do sources[#sources + 1] = v end
    local block = out and buffer.new(kind, #sources, n)
    dijkstra_rows(g, {w = w, source = buffer.new("u32", sources), base = out and 0 or base, rows = out and #sources or n,
      matrix = block or matrix, overflow = overflow})
    return overflow[0] == 0 and FINE or LEFT_TYPE, block
  end
  if out then
    if rows_in_turn(out, at_a_time, solved) == LEFT_TYPE then return nil end
    out:close()
    return file
  end
  for base = first, past - 1, at_a_time do
    local count = math.min(at_a_time, past - base)
    if solved(base, count) ~= FINE then break end
    algorithm.progress(name, base - first + count, past - first)
  end
  if ranks.greatest(overflow[0]) ~= 0 then return nil end
  if ranks.count > 1 then all_gather(matrix, first * n, past * n) end
  return matrix
end

-- The default number of sources at a time: enough to keep the device busy, within half of the free memory.
local function usual_sources(g, kind)
  local room = (free_bytes() // 2 - bytes_of(g, kind, 0)) // math.max(1, g.n * (2 * BYTES[kind] + 4 + (ranks.count > 1 and ranks.count * BYTES[kind] or 0)))
  local busy = math.max(TILE, (1 << 26) // math.max(g.n, 1))
  local N = math.min(g.n, busy, ((1 << 32) - 1) // math.max(g.n, 1))
  return math.max(1, math.min(N, room))
end

-- The default form: on CPUs Dijkstra's algorithm, if no weight is negative; else groups of sources. If n is small relative to the
-- mean degree, Floyd-Warshall, which is then faster. The limits were measured on two cores with random graphs of 2 to 64 edges per
-- vertex, and on an H100, where both forms take equally long if n is 2500 to 3100 times the degree (degrees of 2 to 16).
local function usual_form(g, file)
  local cpu = algorithm.on_cpu() and not session.stepped()
  local dijkstra = cpu and (g.m == 0 or not g.weights or g.w:min() >= 0)
  local usual = dijkstra and "dijkstra" or "groups"
  if file then return usual end
  if dijkstra then return g.n * (g.n - 512) <= 128 * g.m and "floyd_warshall" or usual end
  if cpu then return g.n * (g.n - 512) <= 256 * g.m and "floyd_warshall" or usual end
  if session.stepped() then return g.m > g.n * (g.n // 24) and "floyd_warshall" or usual end
  return g.n * g.n <= 2800 * g.m and "floyd_warshall" or usual
end

-- The number of passes above which Floyd-Warshall is faster. If shortest paths have many edges, each pass reads every element but
-- improves few. Floyd-Warshall's n updates per element take as long as n / 32 such reads: measured on two cores with rings of 256
-- to 2048 vertices; the rates of an H200 give the same.
local function usual_passes(g) return math.max(64, g.n // 32) end

local OPTIONS = {form = {"groups", "shared", "floyd_warshall", "dijkstra"}, sources_at_a_time = {least = 1, what = "a number of sources"},
  together = {least = 1, most = TILE, what = "a number of vertices"}, file = "file"}

--- apsp.row(file, dtype, n, i): row i of the matrix in a file that apsp(g, {file =}) has written: a buffer of n elements of the type
--- dtype. A file of another type or row length is an error.
function apsp.row(file, dtype, n, i)
  local row = buffer.load(file, {rows = {i, i + 1}})
  if row.dtype ~= dtype or #row ~= n then
    error(("%s: expected rows of %s[%d], found %s[%d]; has the file been overwritten since?"):format(file, tostring(dtype), n, row.dtype,
      #row), 2)
  end
  return row
end

-- The result of apsp(g, {file = ...}): a row is read from the file when it is needed; the last one read is kept.
local file_result = algorithm.results {
  name = "apsp", record = {"kind", "graph", "variant", "file", "dtype"},
  show = function(r) return ("distances between all pairs of %d vertices (%s), in %s"):format(r.graph.n, r.dtype, r.file) end,
  methods = {
    row = function(r, i)
      algorithm.vertex("row", r.graph, i)
      local kept = rawget(r, "kept")
      if not kept or kept.i ~= i then
        kept = {i = i, row = apsp.row(r.file, r.dtype, r.graph.n, i)}
        algorithm.meaning(kept.row, "greatest", r.graph)
        rawset(r, "kept", kept)
      end
      return kept.row
    end,
    get = function(r, i, j) return r:row(i)[j] end,
    path = path,
  },
}

-- Checks the file's name, and that the other options can be combined with a file.
local function check_file(options)
  local file = options.file
  if not file then return end
  if not file:find "%.npy$" then error(("apsp: file is '%s', expected a name that ends in .npy"):format(file), 3) end
  if options.form == "floyd_warshall" then
    error("apsp: Floyd-Warshall needs the whole matrix in memory; with 'file' use form 'groups', 'shared' or 'dijkstra'", 3)
  end
end

--- apsp(g [, options]): the distances between all pairs of vertices. r:get(i, j) is the distance from i to j (r.unreached, the
--- type's maximum or inf, if there is no path), r:path(i, j) the list of vertices on a shortest path (nil if there is none),
--- r.matrix the n x n buffer with one row per source; check(r) proves the distances. The options:
---   form = "groups"            solves N sources at the same time (Okuyama 2013, chapter 3)
---   form = "shared"            the same with edges in shared memory, figure 3.9
---   together = B               with form = "shared": each block of threads takes B vertices (1 to 32; default 32) for 32 sources
---   form = "floyd_warshall"    fw(g)
---   form = "dijkstra"          Dijkstra's algorithm from every vertex; only on CPUs, and only if no weight is negative
---   sources_at_a_time = N      the N of "groups" and "shared"; by default enough to keep the device busy
---   file = "d.npy"             writes the rows to a file, group by group, for a matrix that is larger than memory. The result
---                              has r.file and r.dtype instead of r.matrix; r:row(i) reads a row. Rank 0 writes the file
--- The default form is "dijkstra" on a CPU if the run is not stepped and no weight is negative, else "groups". It is
--- "floyd_warshall" instead if the graph is dense, or if the first group is not finished after n / 32 passes, because paths have many
--- edges. Dense: more edges per vertex than n / 2800 on a GPU, (n - 512) / 128 on a CPU, and n / 24 in a stepped run.
--- N sources need memory for (3N + 1)|V| + 2|E| numbers on top of the matrix, and for R N |V| more if R ranks exchange their rows;
--- too little memory is an error before anything runs. Sums that overflow 32 bits, and negative cycles, are treated as by sssp.
--- r.variant names the form.
local function run(g, options)
  algorithm.graph("apsp", g)
  options = algorithm.options("apsp", options, OPTIONS)
  check_file(options)
  if g.n == 0 then error("apsp: a graph without vertices has no distances", 2) end
  local form = options.form or usual_form(g, options.file)
  if form == "dijkstra" then
    if not algorithm.on_cpu() then error(("apsp: form is 'dijkstra', which only CPUs can run; the device is %s"):format(device().name), 2) end
    if g.m > 0 and g.weights and g.w:min() < 0 then
      error(("apsp: the least weight is %s, expected 0 at least for form = 'dijkstra'"):format(g.w:min()), 2)
    end
  end
  local matrix
  if options.together and form ~= "shared" then error("apsp: the option 'together' needs form = 'shared'", 2) end
  if form ~= "floyd_warshall" then
    local w, most = algorithm.weights(g), not (options.form or options.file) and usual_passes(g) or nil
    for kind in algorithm.widths("apsp", w.dtype) do
      w = algorithm.widened(w, kind)
      if form == "dijkstra" then
        check_room("apsp", g, kind, 0, false, not options.file)
        matrix = by_rows("apsp", g, w, kind, options.file)
      else
        local N = math.min(options.sources_at_a_time or usual_sources(g, kind), g.n)
        check_room("apsp", g, kind, N, false, not options.file)
        matrix = by_groups("apsp", g, w, kind, N, form == "shared" and (options.together or TILE), options.file, most)
      end
      if matrix and options.file then
        return file_result({graph = g, file = options.file, dtype = kind, unreached = FAR[kind]}, form)
      end
      if matrix ~= nil then break end
      algorithm.refuse_negative_cycle("apsp", g)
    end
    if matrix == nil then error("apsp: " .. algorithm.too_long(w.dtype), 2) end
  end
  if not matrix then form, matrix = "floyd_warshall", fw(g).matrix end
  return apsp_result({graph = g, matrix = matrix, unreached = FAR[matrix.dtype]}, form)
end

setmetatable(apsp, {__call = function(_, g, options) return run(g, options) end})

-- The result of apsp.many.
local many_result = algorithm.results {
  name = "many", buffers = {cost = "greatest", parent = "vertex"},
  show = function(r) return ("distances from %s, %s"):format(algorithm.counted(#r.sources, "source"),
    algorithm.counted(r.passes, "pass", "passes")) end,
  methods = {
    get = function(r, i, v) return r.cost[v * #r.sources + i - 1] end,
    -- Section 3.4.3: follows parents from the destination back to the source.
    path = function(r, i, v)
      if not r.parent then error("path: the parents were not recorded: give apsp.many {parents = true}", 2) end
      if not r.sources[i] then error(("path: %s is not the number of a source, 1 to %d"):format(tostring(i), #r.sources), 2) end
      algorithm.vertex("path", r.graph, v)
      if r:get(i, v) == r.unreached then return nil end
      local list = {v}
      while v ~= r.sources[i] do
        v = r.parent[v * #r.sources + i - 1]
        if v == NONE or #list > r.graph.n then error("path: the parents do not lead to the source", 2) end
        table.insert(list, 1, v)
      end
      return list
    end,
  },
}

--- apsp.many(g, sources [, options]): the distances from each source in a list, all computed at the same time. Okuyama 2013,
--- figure 3.7. r:get(i, v), which is r.cost[v * k + i - 1], is the distance of v from the i-th of k sources (i from 1). With
--- parents = true r.parent has the predecessors at the same indices (section 3.4.3), and r:path(i, v) is the list of vertices on a
--- path. shared = true selects the kernel with shared memory; together = B as in apsp. Negative weights are an error.
function apsp.many(g, sources, options)
  algorithm.graph("apsp.many", g)
  options = algorithm.options("apsp.many", options, {parents = "flag", shared = "flag", together = OPTIONS.together})
  if options.together and not options.shared then error("apsp.many: the option 'together' needs shared = true", 2) end
  if type(sources) ~= "table" or #sources == 0 then
    error("apsp.many: expected a list of sources, got " .. algorithm.described(sources), 2)
  end
  for _, v in ipairs(sources) do algorithm.vertex("apsp.many", g, v, "source") end
  local w, s, passes = algorithm.weights(g), nil, 0
  local least = algorithm.weight_range(g)
  if least < 0 then error(("apsp.many: the least weight is %s, expected 0 at least"):format(least), 2) end
  for kind in algorithm.widths("apsp.many", w.dtype) do
    w = algorithm.widened(w, kind)
    check_room("apsp.many", g, kind, #sources, options.parents)
    s = group_state(g, kind, #sources)
    passes = solve_group(g, w, kind, s, sources, options.shared and (options.together or TILE))
    if s.overflow[0] == 0 then break end
    s = nil
  end
  if not s then error("apsp.many: " .. algorithm.too_long(w.dtype), 2) end
  local parent
  if options.parents then
    parent = algorithm.filled("u32", g.n * #sources, NONE)
    local rw = g.weights and algorithm.widened(g.rw, w.dtype) or w
    record_fix(g, {rw = rw, k = #sources, sources = buffer.new("u32", sources), cost = s.cost, parent = parent,
      overflow = s.overflow})
  end
  return many_result({graph = g, sources = sources, cost = s.cost, parent = parent, passes = passes, unreached = FAR[w.dtype]},
    options.shared and "shared" or "plain")
end

-- --- Johnson ---

-- form -> function that returns the distances from v for non-negative weights w; nil if a sum overflowed.
local searches = {
  near_far = function(g, w, v) return sssp.distances(g, w, v) end,
  outer = function(g, w, v)
    local dist, overflow = paths.settle(g, w, v)
    return overflow[0] == 0 and dist or nil
  end,
  inner = function(g, w, v)
    local dist, overflow = paths.settle_one(g, w, v)
    return overflow[0] == 0 and dist or nil
  end,
}

-- Returns a function like those in `searches` that runs one sequential search on the host, for weights of 64 bits.
local function sequential_search(g, w)
  local h = algorithm.reweighted(g, w.dtype, function(e) return w[e] end)
  return function(_, _, v)
    local good, dist = pcall(reference.dijkstra, h, v)
    if good then return dist end
    if dist:find "does not fit" then return nil end
    error(dist, 0)
  end
end

-- The potentials of all vertices, computed by the algorithm that `form` names.
local function potentials(g, form)
  if form == "near_far" then
    local h, why = sssp.potentials(g)
    if h then return h end
    algorithm.refuse_negative_cycle("johnson", g, 2)
    error("johnson: " .. why, 3)
  end
  local w = algorithm.weights(g)
  if form == "bellman_ford" then w = algorithm.widened(w, algorithm.finite[w.dtype] and "f64" or "i64") end
  local h, passes = paths.potentials(g, w)
  if passes > g.n then
    algorithm.refuse_negative_cycle("johnson", g, 2)
    error("johnson: " .. algorithm.rounding, 3)
  end
  return h
end

--- johnson(g [, {form =}]): the distances between all pairs of vertices by Johnson's algorithm (1977): potentials make all
--- weights non-negative, then a search runs from every vertex. The potentials are distances from an extra vertex with an edge of
--- weight 0 to every other (Pogorilyy and Slynko 2016, extendGraph). r:get(i, j), r:path(i, j), r.matrix and check(r) are as in
--- apsp; r.potential has the potentials. r.variant is the form, which says how the searches run:
---   form = "near_far"      the default: searches and potentials by sssp's algorithm
---   form = "outer"         Pogorilyy and Slynko's parallel outer loop: settles all vertices at the least distance at the same time
---   form = "inner"         their parallel inner loop: settles one vertex at a time, relaxing all its edges in parallel
---   form = "bellman_ford"  their third scheme: Dijkstra's algorithm sequentially on the host, in 64 bits
--- In their three forms the potentials come from Bellman-Ford with one thread per vertex: paths.potentials.
--- In the algebra of the paper, where A * B means A, then B, and [c]{A} repeats A while c holds:
---   Johnson = extendGraph * BellmanFord * reweight * [q < |V|]{Dijkstra(q) * shift back * q = q + 1}
local function run_johnson(g, options)
  algorithm.graph("johnson", g)
  options = algorithm.options("johnson", options, {form = {"near_far", "outer", "inner", "bellman_ford"}})
  if g.n == 0 then error("johnson: a graph without vertices has no distances", 2) end
  local form = options.form or "near_far"
  local h = potentials(g, form)                                                     -- extendGraph * BellmanFord
  local w, kind = algorithm.weights(g), nil
  local matrix, overflow
  for wide in algorithm.widths("johnson", h.dtype) do
    kind = wide
    w, h, overflow = algorithm.widened(w, kind), algorithm.widened(h, kind), buffer.new("u32", 1)
    local shifted = buffer.new(kind, g.m)
    reweight(g, {w = w, potential = h, shifted = shifted, overflow = overflow})     -- * reweight
    local search = searches[form] or sequential_search(g, shifted)
    matrix = buffer.new(kind, g.n, g.n)
    for q = 0, overflow[0] == 0 and g.n - 1 or -1 do                                -- * [q < |V|]{
      local dist = search(g, shifted, q)                                            --   Dijkstra(q)
      if not dist then
        overflow[0] = 1
        break
      end
      shift_back(dist, h, q, overflow)                                              --   * shift back
      place_rows(g, {k = 1, base = q, cost = dist, matrix = matrix, rows = g.n})    -- }
    end
    if overflow[0] == 0 then break end
    matrix = nil
  end
  if not matrix then error("johnson: " .. algorithm.too_long(kind), 2) end
  return johnson_result({graph = g, matrix = matrix, potential = h, unreached = FAR[kind]}, form)
end

setmetatable(johnson, {__call = function(_, g, options) return run_johnson(g, options) end})

return {apsp = apsp, johnson = johnson}
