-- check(r): proves the result of an algorithm by a certificate that shares no code with the algorithm. For each kind of result,
-- the table `certificates` has a function that returns what is wrong as text, or nil; some functions raise that text as an error.
--
-- A result is a table that users can change, so no field is trusted: first its type and size are checked, then its values.
-- Comparisons are written so that a NaN fails them.
local certificates = {}

-- --- fields ---

local is, described = algorithm.is, algorithm.described

local function expected(what, key, x) return ("r.%s: expected %s, got %s"):format(key, what, described(x)) end

local DISAGREE = "the proof on the device finds a fault, but the proof in sequence, on one thread, finds none"

local function no_graph(r, key)
  local g = r[key]
  if not (is("lockstep.graph", g) and pcall(function() return g.n end)) then return expected("a graph", key, g) end
end

-- Returns nil if r[key] is an open buffer of one of the types with count elements (nil: any number); else what is wrong, as text.
local function no_buffer(r, key, types, count)
  local b = r[key]
  if is("lockstep.buffer", b) then
    local good, length = pcall(function() return #b end) -- #b fails if the buffer is closed
    for _, t in ipairs(types) do
      if good and b.dtype == t and (not count or length == count) then return end
    end
  end
  return expected(("%s[%s]"):format(table.concat(types, " or "), count or "any"), key, b)
end

local function no_count(r, key, low, high)
  local x = r[key]
  if not (math.type(x) == "integer" and x >= low and x <= high) then
    return expected(low == high and tostring(low) or ("a whole number from %d to %d"):format(low, high), key, x)
  end
end

local function no_flag(r, key)
  local x = r[key]
  if x ~= nil and type(x) ~= "boolean" then return expected("true or false", key, x) end
end

-- The proofs that on a CPU are faster if they run sequentially.
local IN_SEQUENCE = {scc = true, acyclic = true, pagerank = true, triangles = true}

-- Is the result to be proved on the present device? While the run is stepped, proofs run sequentially on the host, because the
-- user does not want to step through the kernels of a proof.
local route
local function on_device(proof)
  if route == "host" or session.stepped() then return false end
  return route == "device" or not IN_SEQUENCE[proof] or not on_cpu()
end

-- Returns the number of components. by_device, if not nil, is the proof on the device: it returns the number, false if it finds a
-- mistake, or nil if it cannot decide. If it returns no number, the sequential proof in_sequence runs, which raises what is wrong.
local function counted(by_device, in_sequence)
  local count
  if by_device then count = by_device() end
  if count then return count end
  local _, found = in_sequence()
  if count == false then error(DISAGREE, 0) end
  return found
end

local function real(g) return g.weights == "f32" or g.weights == "f64" end

-- --- kinds ---

-- r.condensation, if present, must be the quotient of the graph by the labels, which have been proved already.
local function wrong_condensation(r)
  local made = rawget(r, "condensation")
  if made == nil then return end
  local why = no_graph(r, "condensation")
  if why then return why end
  local want = r.graph:quotient(r.id)
  if made.n ~= want.n or made.m ~= want.m or made.off:diff(want.off) > 0 or made.to:diff(want.to) > 0 then
    return "r.condensation is not the graph of the components"
  end
end

-- Equal labels must mean the same component. Searches inside each component prove that it is strongly connected; an order of the
-- components that all edges between them follow proves that no two can be merged. In a result of scc a label is a vertex of its
-- component; a table that a user made may have any labels.
function certificates.scc(r)
  local why = no_graph(r, "graph") or no_buffer(r, "id", {"u32"}, r.graph.n)
  local sizes = rawget(r, "sizes")
  if not why and sizes ~= nil then why = no_buffer(r, "sizes", {"u32"}) end
  if why then return why end
  local meta = getmetatable(r)
  local named = (type(meta) == "table" and meta.__name == "scc") or rawget(r, "condensation") ~= nil
  local count = counted(named and on_device("scc") and function()
    local classes = certificate.classes(r.graph, r.id)
    local other = classes and sizes and (#sizes ~= classes or sizes:diff(r.graph:class_sizes(r.id)) > 0)
    return not other and classes
  end, function() return reference.check_scc(r.graph, r.id, sizes, named) end)
  if (r.count ~= nil or named) and not (math.type(r.count) == "integer" and r.count == count) then
    return ("components: the result counts %s, but there are %d"):format(described(r.count), count)
  end
  return wrong_condensation(r)
end

local UNREACHED = algorithm.greatest

-- The types that distances may have.
local function types_of(g) return real(g) and {"f32", "f64"} or {"i32", "i64"} end
local function types_of_matrix(g) return real(g) and {"f32", "f64"} or {"i16", "i32", "i64"} end

-- Rounding of real distances may hide a negative cycle: searches in exact arithmetic for one that v reaches (v = nil: for any).
local function hidden_cycle(g, dist, v)
  if certificate.epsilon[dist.dtype] == 0 then return nil end
  local _, cycle = reference.negative_cycle(g, v)
  return cycle and "distances: there are none, because of a negative cycle that rounding hides: " .. cycle or nil
end

-- Returns what is wrong with the distances of options.rows problems, or nil. The proof runs on the present device (lua/certificate.lua). If
-- that cannot decide, or finds an error other than a violated edge, the reference's sequential proof in_sequence runs. whole: a function
-- that returns the graph, if g is only a bundle of its arrays.
local function wrong_distances(g, dist, from, options, in_sequence, whole)
  if not on_device("distances") then return in_sequence() end
  local right, why = certificate.distances(g, dist, from, options)
  if not right then
    if why then return why end
    in_sequence()
    if right == false then return DISAGREE end
    return nil
  end
  for _, v in ipairs(options.rows and {false} or from[1]) do
    local cycle = hidden_cycle(whole and whole() or g, dist, v or nil)
    if cycle then return cycle end
  end
end

-- Returns what is wrong with r.sources, a list of vertices, or nil and the list as a buffer.
local function no_sources(r)
  local list = {}
  if type(r.sources) ~= "table" or #r.sources == 0 then return expected("a list of vertices", "sources", r.sources) end
  for i, v in ipairs(r.sources) do
    if math.type(v) ~= "integer" or v < 0 or v >= r.graph.n then
      return ("r.sources[%d]: expected a whole number from 0 to %d, got %s"):format(i, r.graph.n - 1, described(v))
    end
    list[i] = v
  end
  return nil, buffer.new("u32", list)
end

-- The triangle inequality must hold on every edge, and tight edges must lead to every reached vertex (as a tree, if r has parents).
function certificates.sssp(r)
  local why = no_graph(r, "graph")
  if why then return why end
  local g = r.graph
  why = no_count(r, "source", 0, g.n - 1) or no_buffer(r, "dist", types_of(g), g.n)
  local meta = getmetatable(r)
  local whole = type(meta) == "table" and meta.__name == "sssp" -- does r have all fields of a result of sssp?
  local parent = rawget(r, "parent") -- rawget: reading r.parent would make sssp compute it
  if not why and parent ~= nil then why = no_buffer(r, "parent", {"u32"}, g.n) end
  if not why and (whole or r.passes ~= nil) then why = no_count(r, "passes", 1, math.maxinteger) end
  if why then return why end
  if (whole or r.unreached ~= nil) and r.unreached ~= UNREACHED[r.dist.dtype] then
    return expected(("what means unreached in %s"):format(r.dist.dtype), "unreached", r.unreached)
  end
  local from = r.source
  if rawget(r, "sources") ~= nil then
    why, from = no_sources(r)
    if why then return why end
  end
  local limit = rawget(r, "limit")
  if limit ~= nil and (type(limit) ~= "number" or limit ~= limit or (not real(g) and math.type(limit) ~= "integer")) then
    return expected("a number of the distances' type", "limit", limit)
  end
  return wrong_distances(g, r.dist, {r.sources or {r.source}}, {parent = parent, limit = limit}, function()
    reference.check_sssp(g, from, r.dist, parent, limit)
  end)
end

-- The proof of sssp, with every weight 1.
function certificates.bfs(r)
  local why = no_graph(r, "graph")
  if why then return why end
  local n = r.graph.n
  why = no_count(r, "source", 0, n - 1) or no_buffer(r, "dist", {"u32"}, n) or no_buffer(r, "parent", {"u32"}, n) or
    no_count(r, "passes", 1, n)
  if why then return why end
  if r.unreached ~= 0xffffffff then return expected("what means unreached in u32", "unreached", r.unreached) end
  local dist = buffer.new(n < 1 << 31 and "i32" or "i64", n)
  levels_to_distances(r.dist, dist)
  return wrong_distances(r.graph, dist, {{r.source}}, {parent = r.parent, unit = true}, function()
    reference.check_sssp(r.graph, r.source, r.dist, r.parent, nil, true)
  end)
end

-- A matrix of distances, [source][vertex]. in_sequence (default: reference.check_fw) is the sequential proof.
local function wrong_matrix(g, matrix, tolerance, in_sequence, whole)
  local short = matrix.dtype == "i16"
  local given = tolerance or short and 0 or math.min(1, certificate.epsilon[matrix.dtype] * math.max(16, g.n))
  local dist = short and on_device("distances") and certificate.widened(matrix) or matrix
  return wrong_distances(g, dist, nil, {rows = g.n, tolerance = given}, in_sequence or function()
    reference.check_fw(g, matrix, tolerance)
  end, whole)
end

-- Equal labels must mean the same weakly connected component, and each label must be the least vertex of its component.
function certificates.components(r)
  local why = no_graph(r, "graph") or no_buffer(r, "id", {"u32"}, r.graph.n)
  if why then return why end
  local count = counted(on_device("components") and function() return certificate.components(r.graph, r.id) end,
    function() return reference.check_components(r.graph, r.id, true) end)
  why = no_count(r, "count", count, count)
  if why then return why end
  local sizes = rawget(r, "sizes")
  if sizes == nil then return end
  why = no_buffer(r, "sizes", {"u32"}, count)
  if why then return why end
  if sizes:diff(r.graph:class_sizes(r.id)) > 0 then return "r.sizes are not the sizes of the components" end
end

-- One more step of the walk, computed along out-edges and with the dangling vertices' share, must change the ranks by no more than
-- the tolerance. Computed on the device or sequentially.
function certificates.pagerank(r)
  local why = no_graph(r, "graph") or no_buffer(r, "rank", {"f64"}, r.graph.n) or no_count(r, "iterations", 0, math.maxinteger)
  if why then return why end
  if not (type(r.damping) == "number" and r.damping >= 0 and r.damping < 1) then
    return expected("a number from 0 to less than 1", "damping", r.damping)
  end
  if not (type(r.tolerance) == "number" and r.tolerance > 0 and r.tolerance < math.huge) then
    return expected("a number above 0", "tolerance", r.tolerance)
  end
  if r.converged ~= true then return "pagerank: the ranks had not settled when max_iterations ended the run" end
  local right
  if on_device("pagerank") then right = certificate.pagerank(r.graph, r.rank, r.damping, 2 * r.tolerance) end
  if right then return end
  reference.check_pagerank(r.graph, r.rank, r.damping, 2 * r.tolerance)
  if right == false then return DISAGREE end
end

-- Triangles are counted again by another method: on the device by binary search among all neighbours, sequentially by marking them.
function certificates.triangles(r)
  local why = no_graph(r, "graph") or no_buffer(r, "at", {"i64"}, r.graph.n)
  if why then return why end
  local right
  if on_device("triangles") then right = certificate.triangles(r.graph, r.at) end
  if not right then
    local differ, first = r.at:diff(reference.triangles(r.graph), 1)
    if differ > 0 then
      return ("triangles: vertex %d has the count %d, but is a corner of %d"):format(first[1].i, first[1].a, first[1].b)
    end
    if right == false then return DISAGREE end
  end
  local count = r.at:sum() // 3
  return no_count(r, "count", count, count)
end

-- The sequential proof: for every column j of D, the matrix of least path weights, the successors must be a tree of tight edges that
-- leads to j. On the reversed graph they are parents of a tree from j.
local function wrong_trees(g, D, successor, tol)
  local n, back = g.n, g:reverse()
  for j = 0, n - 1 do
    local good, message = pcall(reference.check_sssp, back, j, D:slice(0, n, j, j + 1), successor:slice(0, n, j, j + 1), nil, false, tol)
    if not good then
      return ("successors: paths to vertex %d, checked in the graph with reversed edges: %s"):format(j,
        (message:gsub("^[%w_]+%.lua:%d+: ", "")))
    end
  end
end

-- If the result r has successors, they must lead to each vertex over edges that are tight for D, the matrix of distances. arrays: the
-- graph for the proof on the device (a graph, or the bundle of certificate.opposite); whole: a function that returns the graph.
local function wrong_successors(r, D, tol, arrays, whole)
  if rawget(r, "successor") == nil then return nil end
  local n = r.graph.n
  local why = no_buffer(r, "successor", {"u32"}, n * n)
  if why then return why end
  if r.successor.cols ~= n then
    return ("r.successor: expected a matrix of %d x %d, got %d x %d"):format(n, n, r.successor.rows, r.successor.cols)
  end
  local exact = certificate.epsilon[D.dtype] == 0
  if not exact then tol = tol or (D.dtype == "f32" and 0x1p-23 or 0x1p-52) * math.max(16, n) end
  local proved
  if arrays and on_device("successors") then
    proved = certificate.successors(exact and arrays or whole(), D, r.successor, exact and 0 or math.min(1, tol))
  end
  if proved then return nil end
  return wrong_trees(whole(), D, r.successor, tol) or proved == false and DISAGREE or nil
end

-- Every row must hold shortest distances from its vertex.
function certificates.fw(r, tolerance)
  local why = no_graph(r, "graph")
  if why then return why end
  local n, m = r.graph.n, r.matrix
  why = no_buffer(r, "matrix", types_of_matrix(r.graph), n * n)
  if why then return why end
  if m.rows ~= n or m.cols ~= n then
    return ("r.matrix: expected a matrix of %d x %d, got %d x %d"):format(n, n, m.rows, m.cols)
  end
  why = wrong_matrix(r.graph, m, tolerance)
  if why then return why end
  local D = m.dtype == "i16" and on_device("successors") and rawget(r, "successor") and certificate.widened(m) or m
  return wrong_successors(r, D, tolerance, r.graph, function() return r.graph end)
end

-- Johnson's algorithm shifts distances by potentials, with rounding errors in proportion to the potentials: the tolerance grows with
-- the greatest |potential| (all potentials are 0 or less).
local function tolerance(r)
  if not real(r.graph) then return nil end
  local h = rawget(r, "potential")
  local narrow = r.matrix.dtype == "f32"
  local least = h and is("lockstep.buffer", h) and pcall(function() return h:min() end) and math.abs(h:min()) or 0
  return math.min(1, (narrow and 0x1p-23 or 0x1p-52) * math.max(16, r.graph.n) * (1 + least))
end

-- The proof of apsp for a matrix in a file, row by row.
local function rows_of_file(r)
  local why = no_graph(r, "graph")
  if why then return why end
  if type(r.file) ~= "string" then return expected("the name of a file", "file", r.file) end
  local n = r.graph.n
  for i = 0, n - 1 do
    local good, row = pcall(apsp.row, r.file, r.dtype, n, i)
    if not good then return (row:gsub("^[%w_]+%.lua:%d+: ", "")) end
    local right, message = pcall(wrong_distances, r.graph, row, {{i}}, {}, function() reference.check_sssp(r.graph, i, row) end)
    if not right or message then return ("row %d of %s: %s"):format(i, r.file, message) end
  end
end

function certificates.apsp(r)
  if rawget(r, "file") ~= nil then return rows_of_file(r) end
  local why = certificates.fw(r, tolerance(r))
  if not why and r.unreached ~= UNREACHED[r.matrix.dtype] then
    why = expected(("what means unreached in %s"):format(r.matrix.dtype), "unreached", r.unreached)
  end
  return why
end
certificates.johnson = certificates.apsp

-- A function that returns column i of x, which is n x k.
local function columns(x, n, k)
  if n > 0 and on_device("distances") then
    local turned = certificate.turned(x, n, k)
    return function(i) return turned:slice(i, i + 1, 0, n) end
  end
  return function(i)
    local y = buffer.new(x.dtype, n)
    for v = 0, n - 1 do y[v] = x[v * k + i] end
    return y
  end
end

-- The distances from each source are proved separately.
function certificates.many(r)
  local why = no_graph(r, "graph")
  if why then return why end
  local g = r.graph
  local bad, sources = no_sources(r)
  if bad then return bad end
  local k = #sources
  why = no_buffer(r, "cost", types_of(g), g.n * k)
  if not why and r.parent ~= nil then why = no_buffer(r, "parent", {"u32"}, g.n * k) end
  if why then return why end
  local costs, parents = columns(r.cost, g.n, k), r.parent and columns(r.parent, g.n, k)
  for i = 0, k - 1 do
    local dist, parent = costs(i), parents and parents(i)
    local s = sources[i]
    why = wrong_distances(g, dist, {{s}}, {parent = parent}, function() reference.check_sssp(g, s, dist, parent) end)
    if why then return why end
  end
end

-- The greatest path weights are the least ones of the graph with negated weights: proves the negated matrix like distances. Without
-- the device, graph and matrix are negated element by element.
function certificates.kleene(r)
  local why = no_graph(r, "graph")
  if why then return why end
  local g, m = r.graph, r.matrix
  local n = g.n
  why = no_buffer(r, "matrix", types_of(g), n * n)
  if why then return why end
  if m.rows ~= n or m.cols ~= n then
    return ("r.matrix: expected a matrix of %d x %d, got %d x %d"):format(n, n, m.rows, m.cols)
  end
  local kind, made = m.dtype, nil
  local function whole()
    if made then return made end
    local from, w = buffer.new("u32", g.m), buffer.new(kind, g.m)
    for v = 0, g.n - 1 do
      for e = g.off[v], g.off[v + 1] - 1 do from[e], w[e] = v, -(g.weights and g.w[e] or 1) end
    end
    made = graph.from_edges(n, from, g.to, w)
    return made
  end
  local below, arrays
  if on_device("distances") then below, arrays = certificate.opposite(g, m) end
  if not below then
    below = buffer.new(kind, n, n)
    local least = algorithm.least[kind]
    for i = 0, n * n - 1 do
      local x = m[i]
      below[i] = x == least and UNREACHED[kind] or -x
    end
  end
  why = wrong_matrix(arrays or whole(), below, nil, function() reference.check_fw(whole(), below) end, whole)
  return why or wrong_successors(r, below, nil, arrays, whole)
end

-- r.mean must be p / q / scale up to a few rounding errors; p / q itself is proved in C.
local function wrong_mean(r)
  local want = r.p / r.q / r.graph.scale
  if not (type(r.mean) == "number" and math.abs(r.mean - want) <= math.abs(want) * 0x1p-50) then
    return ("lambda = %d/%d, but the mean given is %s"):format(r.p, r.q, described(r.mean))
  end
end

local function no_potentials(r)
  local n = r.graph.n
  local wide = no_buffer(r, "potential", {"u64"}, 2 * n)
  if not wide or not no_buffer(r, "potential", real(r.graph) and {"i64", "f64"} or {"i64"}, n) then return end
  return expected(("u64[%d] or i64[%d]%s"):format(2 * n, n, real(r.graph) and (" or f64[%d]"):format(n) or ""), "potential", r.potential)
end

-- What is wrong with the mean in a result of ocm or ocr.
local function wrong_value(r)
  if not real(r.graph) then
    return no_count(r, "p", math.mininteger, math.maxinteger) or no_count(r, "q", math.mininteger, math.maxinteger) or wrong_mean(r)
  end
  local mean = r.mean
  if not (type(mean) == "number" and math.abs(mean) < math.huge) then return expected("a finite number", "mean", mean) end
end

local function wrong_unit(r)
  local unit = rawget(r, "unit")
  if unit ~= nil and not (type(unit) == "number" and unit > 0 and unit < math.huge) then
    return expected("a positive finite number", "unit", unit)
  end
end

-- Proved by a closed walk with the claimed mean, and by potentials that show that no cycle is better; if the result claims that
-- there is no cycle, by an order of the vertices. If r.cycle and r.potential have not been read yet, the proof on the device uses the
-- cycle and the values that the run left, so that they need not be computed sequentially.
function certificates.ocm(r)
  local why = no_graph(r, "graph") or no_flag(r, "max") or no_flag(r, "ratio")
  if why then return why end
  local g = r.graph
  local device = on_device("cycle") and not real(g)
  local claim = device and cycle.claim(r)
  local list = claim and claim.cycle or r.cycle
  if r.scale ~= nil and r.scale ~= g.scale then return expected(("the graph's scale, %g"):format(g.scale), "scale", r.scale) end
  if list == nil or real(g) then
    for _, key in ipairs {"p", "q", list == nil and "mean" or nil} do
      if r[key] ~= nil then return expected(list == nil and "nil, as there is no cycle" or "nil, as weights are real", key, r[key]) end
    end
  end
  if list == nil then
    if not (on_device("acyclic") and certificate.acyclic(g)) then reference.check_cycle(r) end
    return
  end
  why = not claim and no_buffer(r, "cycle", {"u32"}) or wrong_value(r) or claim and wrong_unit(r)
  if why then return why end
  if claim then
    local whole = {graph = g, max = r.max, ratio = r.ratio, p = r.p, q = r.q, cycle = list, potential = claim.guess, region = claim.region}
    local good, proved = pcall(certificate.cycle, g, whole) -- if it fails, the sequential proof below says why
    if good and proved then return end
  end
  if r.potential == nil then return "the result has no potentials" end
  why = no_potentials(r) or wrong_unit(r)
  if why then return why end
  local proved
  if device and r.potential.dtype == "i64" then proved = certificate.cycle(g, r) end
  if proved then return end
  reference.check_cycle(r)
  if proved == false then return DISAGREE end
end

-- Computes every step of every state again, with another table of states, and checks the levels as distances. (Whether the steps
-- follow the language's rules is tested only by the specs.)
function certificates.explore(r)
  if not is("lockstep.dve.space", r.space) then return expected("a state space", "space", r.space) end
  local why = r.graph ~= nil and no_graph(r, "graph")
  if why then return why end
  for key, x in pairs(r.space:numbers()) do
    if key ~= "stopped" and r[key] ~= x then return expected(tostring(x), key, r[key]) end
  end
  r.space:check(r.graph)
end

-- Error texts number vertices from 0. If the graph's file uses other numbers, a note at the end of the text says so.
local function numbering(g) return algorithm.numbering(g) end
local function names_vertices(text)
  for _, word in ipairs {"vert", "distances from", "parents:", "label", " -> "} do
    if text:find(word, 1, true) then return true end
  end
end

local function edges(r) return algorithm.counted(r.graph.m, "edge") end
local function no_short_cut(r) return edges(r) .. ", no short cut; each distance is that of a path" end

-- kind of result -> a line for the prompt that says what has been proved
local proved = {
  scc = function(r)
    return ("%s, no cycle between two components; searches inside each reach all of it"):format(edges(r))
  end,
  components = function(r) return edges(r) .. " join equal labels, and connect all vertices of each label" end,
  sssp = no_short_cut, bfs = no_short_cut, apsp = no_short_cut, fw = no_short_cut, many = no_short_cut,
  kleene = function(r) return edges(r) .. ", none leads to a greater weight; each weight is that of a path" end,
  ocm = function(r)
    if not r.mean then return edges(r) .. ", and no cycle" end
    return ("%s has this mean, and by the potentials of %s no cycle has a %s one"):format(rawget(r, "cycle") and "r.cycle" or "a cycle",
      edges(r), r.max and "greater" or "lower")
  end,
  pagerank = function() return "a step of the walk changes no rank; the sum of ranks is 1" end,
  triangles = function() return "counted again by another method" end,
  explore = function() return "each step of each state, computed again" end,
}

-- Stores the line of `proved` in the registry; the prompt prints it next to `true` and clears it (src/repl/input.c).
local function say_proved(r, kind)
  local own = algorithm.proof(kind) and function() return kind .. "'s own check finds no mistake" end
  local good, text = pcall(proved[kind] or own or function() end, r)
  local g = rawget(r, "graph")
  local unexpanded = kind == "explore" and r.frontier or is("lockstep.graph", g) and g.unexpanded or 0
  if good and text and unexpanded > 0 then
    text = ("%s; this holds for the explored part only: %s"):format(text, algorithm.not_expanded(unexpanded))
  end
  debug.getregistry()["lockstep.proved"] = good and text or nil
end

-- Describes r, which is not a result, and says what can be done with it instead.
local function what_else(r)
  if is("lockstep.graph", r) then return "a graph" end
  if is("lockstep.buffer", r) then
    return "a buffer. To compare buffers: b:diff(bfs(g, 0).dist) lists the elements that differ"
  end
  if type(r) == "userdata" and dve.is(r) then return "a model: check(explore(m)) checks its states" end
  return "a " .. type(r)
end

--- check(r [, {route =}]): is the result r of an algorithm right? Returns true, or raises an error that names the first violation;
--- the prompt prints in one line what was proved. The proof is independent of the algorithm and takes nearly linear time: `help proof`
--- describes it for each kind of result. Most are proved on the current device, by primitives whose names begin with prove_: on a
--- CPU distances, components, and cycles of whole weights; on a GPU also scc, pagerank, triangles and the claim that there is no
--- cycle. While the run is stepped, if the device cannot decide, or with {route = "host"}, another proof runs as sequential code on
--- the host, such as reference.check_sssp; {route = "device"} uses the proof on the device wherever it can decide. Cycles of real
--- weights are always proved on the host. Whole numbers are compared exactly. For real numbers these roundings are allowed:
---   sssp    an edge u -> v may be violated by 8 eps (|dist[u]| + |w|); eps = 2^-23 of f32, 2^-52 of f64
---   fw, kleene   the same with max(n, 16) eps instead of 8 eps
---   ocm     the cycle's mean and the bound that is proved may differ by 1e-12 times the greatest |w|
--- To add a proof for your own kind of result, use algorithm.results{check = ...}: help write.
--- Whether a cycle is negative is decided exactly for real weights too; if 128 bits are too few, the error says so.
function check(r, options)
  options = algorithm.options("check", options, {route = {"device", "host"}})
  local kind = type(r) == "table" and r.kind or nil
  if kind == "course" then
    error("check: a simulation has no proof; simulate with smaller steps or another method and compare. Many instances at once, " ..
      "as in simulate(m, {instances = 1, stop = 9}), can be checked", 2)
  end
  local certificate = certificates[kind] or (type(kind) == "string" and algorithm.proof(kind))
  if not certificate and r == nil then
    error("check: expected the result of an algorithm, as in check(scc(g)), got nil", 2)
  elseif not certificate then
    local known = algorithm.proofs()
    for name in pairs(certificates) do known[#known + 1] = name end
    table.sort(known)
    error(("check: expected the result of an algorithm (%s), got %s"):format(
      table.concat(known, ", "), kind and ("one of kind '%s'"):format(tostring(kind)) or what_else(r)), 2)
  end
  route = options.route
  local good, why = pcall(certificate, r)
  route = nil
  if good and not why then
    say_proved(r, kind)
    return true
  end
  why = tostring(why):gsub("^[%w_]+%.lua:%d+: ", "")
  local g = rawget(r, "graph") -- rawget: r["graph"] of a simulation could be a variable of its model
  if is("lockstep.graph", g) and pcall(numbering, g) and names_vertices(why) and not why:find(numbering(g), 1, true) then
    why = why .. numbering(g)
  end
  error("check: " .. why, 2)
end
