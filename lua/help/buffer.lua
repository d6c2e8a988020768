-- Help texts of buffers and of the reference algorithms, which are implemented in C (src/lua/base/l_buffer*.c, l_reference.c).

--- A buffer of zeros, or of the given values; with cols it is a matrix, stored row by row. dtype is "u8", "u16", "u32", "u64",
--- "i16", "i32", "i64", "f32" or "f64". b[i] counts from 0; the index and the stored value are checked. #b is the number of
--- elements. Contents are copied between host and device as needed; a graph's arrays are read only.
---   b = buffer.new("u32", 8)   b[0] = 5   d = buffer.new("f32", {1, 2, 3, 4}, 2)
--: buffer.new(dtype, n | {values} [, cols])

--- Row i, column j of a matrix, from 0. A matrix is printed by rows; "." is an element that means "no path" (the greatest or
--- least value of its type, or an infinite one).
--: buffer:get(i, j)
--: buffer:set(i, j, x)

--- Least and greatest element; NaNs are ignored. nil for an empty buffer.
--: buffer:min()
--: buffer:max()

--- The sum: exact for integers, an error if it does not fit 64 bits; compensated summation in f64 for reals. mean is nil for an
--- empty buffer.
--: buffer:sum()
--: buffer:mean()

--- How many elements lie in each of some bins of equal width (10 bins if not given): a table that prints as bars, with
--- lo, hi, width and count. Infinities, NaNs and the values for "none" or "no path" (the greatest u16, u32, i16, i32, i64) are
--- in no bin; the field `unknown` of the table is their number.
--: buffer:hist([bins])

--- The first index of a value, or the first where f(x, i) is true; or nil.
--: buffer:find(x)
--: buffer:find(f)

--- The number of elements that equal a value, or for which f(x, i) is true.
--: buffer:count(x)
--: buffer:count(f)

--- The k greatest elements (10 if not given) as a list of {i = index, x = value}, the greatest first; of equal ones the lower
--- index first. NaNs are ignored.
---   r.rank:top(3)
--: buffer:top([k])

--- The number of elements that differ, and a list of the first `max` of them (default 10) as {i =, a =, b =}. dtypes may differ.
--- a == b says whether two buffers have the same dtype, the same shape and the same elements (a NaN differs from every number).
--- A buffer never equals a number; in the commands `until`, `break` and `watch`, and in a lesson's `hold`, such a comparison is an error.
---   n, list = a:diff(b)
--: buffer:diff(other [, max])

--- An integer of 64 bits, computed from the bytes of the contents, not from their type. Two buffers with different contents
--- have the same digest only with a probability of 2^-64. It is computed on the device that holds the buffer, so that large
--- buffers on two devices are compared without a copy; a == b of integer buffers does this too.
---   a:digest() == b:digest()
--: buffer:digest()

--- Sets every element to x, and returns the buffer.
--: buffer:fill(x)

--- A new buffer: copy has the same contents; slice has the elements (of a matrix: the rows) `from` to `to` - 1, and of a matrix
--- optionally only the columns `left` to `right` - 1. `into` is a buffer of the resulting shape: it is written and returned
--- instead of a new one.
---   d = D:slice(0, 8, 16, 24)      8 rows, the columns 16 to 23
---   D:slice(8, 16, 16, 24, d)      the next 8 rows of these columns, into d
--: buffer:copy()
--: buffer:slice([from [, to [, left [, right [, into]]]]])

--- Overwrites elements from index `from` on with the elements of `part`, a buffer of the same type. In a matrix `from` is the first
--- row, and `left` the first column (0 by default), that is overwritten. Returns the buffer.
---   D:paste(D:slice(0, 8, 16, 24), 8, 0)
--: buffer:paste(part, from [, left])

--- Pins the host memory of a matrix whose parts are copied to a GPU and back: b:slice(..., into) and b:paste then return at once,
--- the copy overlaps with kernels, and the next use of the matrix or of the part waits for it. Returns whether the memory is
--- pinned: on a CPU it is not, and need not be. It stays pinned until the buffer is closed.
---   D:pin()
---   D:slice(0, 1024, 0, 1024, block)
--: buffer:pin()

--- Elements as a list: head returns the first n (10 if not given), totable all of them, or those from index `from` to `to` - 1.
--: buffer:head([n])
--: buffer:totable([from [, to]])

--- Writes the contents in the format of the path's ending: .npy (NumPy), .mtx (Matrix Market, array form), .csv or .txt (a line
--- for each row), .bin (raw bytes); with .gz at the end compressed. An old file is replaced when all is written. The file has no
--- header line and no numbers of the elements; csv({dist = b}, "d.csv") writes both. none = x: elements equal to x are empty fields
--- in a .csv file.
--: buffer:save(path [, {none =}])

--- Reads a vector or a matrix from a .npy, .mtx (array form), .csv, .txt or .bin file; a .gz file is decompressed. dtype: the
--- type of the elements; by default the file's, and for text i32 if all values fit, else i64, else f64. A .bin file has no type
--- and shape: dtype is needed, and cols for a matrix. In .csv and .txt a header line and lines that begin with # are skipped.
--- Text may have inf and nan. A .npy file of three dimensions becomes a matrix: the first two dimensions become the rows; int8
--- is loaded as i16. rows: only the rows `from` to `to` - 1 of a .npy or .bin file. none = x: an empty field of a .csv file is read as
--- x; without it, that is an error.
---   D = buffer.load("distances.npy")      x = buffer.load("x.bin", {dtype = "f32", cols = 64})
--: buffer.load(path [, {dtype =, cols =, rows = {from, to}, none =}])

--- Opens a file of rows x cols elements (without cols a vector) that is written some rows at a time, for data larger than memory:
--- .npy, .csv, .txt or .bin, in the formats of buffer:save. out:put(b) appends the rows of a buffer that has this dtype and number of
--- columns; out:close() creates the file under its name. Without it, or if rows are missing, nothing is saved. none: as for buffer:save.
---   out = buffer.writer("d.npy", "i32", g.n, g.n)     out:put(some_rows)     out:close()
--: buffer.writer(path, dtype, rows [, cols [, {none =}]])

--- Frees the memory now; every later use of the buffer is an error. `local b <close> = ...` does so at the end
--- of its scope.
--: buffer:close()

--- Strongly connected components by Tarjan's algorithm: each vertex's component in a u32 buffer, numbered so that
--- a component's successors have smaller numbers; and the number of components.
---   id, count = reference.tarjan(g)
--: reference.tarjan(g)

--- Distances from s (i64, or f64 if weights are real) and parents (u32). With negative weights dijkstra
--- runs Bellman-Ford; if there is a negative cycle, it raises an error that names the cycle.
---   dist, parent = reference.dijkstra(g, s)
--: reference.dijkstra(g, s)
--: reference.bellman_ford(g, s)

--- Distances and parents by delta-stepping with buckets of width delta (Lesnikov and Chernoskutov 2016), on `threads` threads
--- (default, or 0: all; 1: sequential). No weight may be negative.
---   dist, parent = reference.delta_stepping(g, s, 64)
--: reference.delta_stepping(g, s, delta [, threads])

--- Distances from s by passes over all edges (Bellman-Ford), on `threads` threads (default, or 0: all).
--: reference.bellman_ford_passes(g, s [, threads])

--- The matrix of all distances (i64, or f64 if weights are real) by Johnson's algorithm: potentials, then Dijkstra from
--- every vertex; sequential, or with the vertices divided among `threads` threads (0: all).
--: reference.johnson(g [, threads])

--- A vertex on a cycle of negative weight (reachable from s, if given), and the cycle as text; nothing if there is none. Exact
--- for real weights too; an error if their exponents differ too much for 128-bit integers.
---   v, text = reference.negative_cycle(g)
--: reference.negative_cycle(g [, s])

--- The sum of the weights of the edges listed in `cycle` (u32), divided by their number or, if over_times is true, by the sum of their
--- times: p and q in lowest terms. Only for integer weights; summed in 128 bits.
---   p, q = reference.ratio(g, r.cycle)
--: reference.ratio(g, cycle [, over_times])

--- The matrix of all distances by the triple loop, in the type dtype; by default in the weights' type (i32 for
--- an unweighted graph).
--: reference.floyd_warshall(g [, dtype])

--- The greatest weight of a path for each pair of vertices of an acyclic graph, one vertex after the other in topological
--- order, on one core (Goto 2011); in the type dtype (default: the weights'). Without a path, the element is the least value of
--- the type, or -inf.
--: reference.kleene(g [, dtype])

--- I + A + A*A + ... of a square matrix over "min-plus" (the default), "max-plus", "max-min" or "or-and", by the
--- triple loop. See closure.
--: reference.closure(A [, semiring])

--- Do equal labels mean the same strongly connected component? true and the number of components, or an error
--- that names the first violation. Labels may be any numbers; with named = true each must be a vertex of its component.
--- sizes: u32, the components' sizes by ascending label.
--: reference.check_scc(g, id [, sizes [, named]])

--- Weakly connected components by breadth-first searches in both directions: a u32 buffer with the least vertex of each vertex's
--- component, and the number of components.
---   id, count = reference.components(g)
--: reference.components(g)

--- Do equal labels mean the same weakly connected component? true and the number of components, or an error that names the
--- first violation. Labels may be any numbers; with least = true each must be the least vertex of its component.
--: reference.check_components(g, id [, least])

--- PageRank by the power method (Page, Brin, Motwani, Winograd 1999): f64[n], whose sum is 1; and the number of steps. The steps end
--- when one changes the ranks by less than `tolerance` in sum. By default damping is 0.85, tolerance 1e-12.
--: reference.pagerank(g [, damping [, tolerance]])

--- Are these ranks above 0 with sum 1, and does one step of the walk change them by at most `allowed` in sum? true, or an error
--- that names the violation. If true, the sum of their errors is at most allowed / (1 - damping).
--: reference.check_pagerank(g, rank, damping, allowed)

--- The number of triangles at each vertex, i64[n], by marking neighbours. Directions, self loops and parallel edges do not count.
--: reference.triangles(g)

--- Has every vertex chosen one of its own edges (0xffffffff if it has none)? true, or an error that names the first vertex
--- that has not. The edges of vertex v are off[v] to off[v+1] - 1 (off is u32[n+1]); choice[v] is the edge it has chosen (u32[n]).
--: reference.check_choices(off, choice)

--- Are these the distances from s, and is parent a tree of shortest paths? true, or an error that names the first violation.
--- Integers are checked exactly; with real weights an edge u -> v may be violated by eight rounding errors, 8 eps (|dist[u]| + |w|), where
--- eps is 2^-23 for f32 and 2^-52 for f64. Negative cycles are excluded exactly. s may be a buffer of u32: distances from
--- the nearest of these. With a limit only distances up to it are checked; with unit = true each edge counts 1. tol (0 to 1)
--- replaces 8 eps.
--: reference.check_sssp(g, s, dist [, parent [, limit [, unit [, tol]]]])

--- A tree of shortest paths (u32: parents) for the distances `dist` from s, found by the search that reference.check_sssp makes.
--- s may be a buffer of u32.
--: reference.sssp_tree(g, s, dist)

--- Is this the matrix of all distances? true, or an error that names the first violation. With real weights an edge u -> v may
--- be violated by tol (|dist[u]| + |w|); by default tol is max(n, 16) eps.
--: reference.check_fw(g, matrix [, tol])

--- The matrix that Floyd-Warshall starts from: the weights (of parallel edges the least) and 0 on the diagonal; or only
--- its rows `first` to `past` - 1.
--: reference.distance_matrix(g [, dtype [, first, past]])

--- The edges on optimal cycles as a u8 mask, and the canonical critical cycle. Only for integer weights. (ocm computes and
--- proves its results with this and the next functions; r is a result of ocm, ocr or a reference.)
--: reference.critical(r)

--- The slack of each edge u -> v, 0 if the edge is tight. With the potentials d of the result it is d(u) + q*w - p*t - d(v), or the
--- negative of this with max = true; t is 1 for means. i64, or f64 on request; for real weights f64, with q = 1 and the mean for p.
--: reference.slack(r [, "f64"])

--- By how much the weight of edge e may fall and rise before the optimum changes: two numbers (math.huge: without limit), each
--- followed by its product with q as an integer, or by nil if that does not fit 64 bits or there is no limit. mask is the first
--- result of reference.critical.
--: reference.sensitivity(r, e, mask)

--- Potentials that prove the result. i64[n], or if one does not fit 64 bits u64[2n], with 128 bits for each vertex. For real
--- weights they are multiples of a unit, a number that is returned too. start: a first guess of the potentials, in either type.
--: reference.potentials(r [, start])

--- true if the cycle is closed and has the mean p/q, and the potentials prove that no cycle is better; else an error
--- that names the first violation. For real weights also the width of the proved interval, divided by the greatest weight.
--: reference.check_cycle(r)

--- true if the cycle is closed and has the mean p/q; else an error. The first part of reference.check_cycle; r needs no
--- potentials. Only for whole weights.
--: reference.check_walk(r)

--- Raises an error if g has a cycle whose transit times are all 0: it has no ratio.
--: reference.check_times(g)

--- An optimal cycle, without potentials. number selects the algorithm: 0 Howard, 1 YTO, 2 Lawler, 3 Karp, 4 Hartmann and Orlin.
--: reference.find_cycle(number, g, {max =, ratio =})

--- The edges of the cycle through v that leaves each vertex u by its chosen edge choice[u]; to[e] is the target of edge e. With `from`,
--- edge e is returned as from[e].
--: reference.round(choice, to, v [, from])
