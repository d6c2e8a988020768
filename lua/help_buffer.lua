-- What help says of buffers and of the references, which are written in C (src/lua/l_buffer*.c, l_reference.c).

--- A buffer of zeros, or of the values given; cols makes it a matrix, row after row. dtype is "u8", "u32", "u64",
--- "i32", "i64", "f32" or "f64". b[i] counts from 0 and is checked, as is what is stored; #b counts elements.
--- Contents move between host and device by themselves; a graph's arrays are read only.
---   b = buffer.new("u32", 8)   b[0] = 5   d = buffer.new("f32", {1, 2, 3, 4}, 2)
--: buffer.new(dtype, n | {values} [, cols])

--- Row i, column j of a matrix, from 0.
--: buffer:get(i, j)
--: buffer:set(i, j, x)

--- Least and greatest element; NaNs are passed over. nil of an empty buffer.
--: buffer:min()
--: buffer:max()

--- The sum: exact for integers, an error where it leaves 64 bits; compensated in f64 for reals. mean is nil of
--- an empty buffer.
--: buffer:sum()
--: buffer:mean()

--- How many elements lie in each of some equal bins (10 where not given): a table that prints as bars, with lo,
--- hi, width and count. Infinities, NaNs and the values for "none" or "no path" (the greatest u32, i32, i64) are
--- in no bin, but in unknown.
--: buffer:hist([bins])

--- The first index of a value, or the first where f(x, i) is true; or nil.
--: buffer:find(x)
--: buffer:find(f)

--- How many elements equal a value, or for how many f(x, i) is true.
--: buffer:count(x)
--: buffer:count(f)

--- How many elements differ, and the first few (10 where not given) as {i =, a =, b =}. dtypes may differ.
---   n, list = a:diff(b)
--: buffer:diff(other [, max])

--- Makes every element x, and returns the buffer.
--: buffer:fill(x)

--- A buffer of its own with the same contents, or with elements (of a matrix: rows) from .. to - 1.
--: buffer:copy()
--: buffer:slice([from [, to]])

--- The first n elements (10 where not given), or elements from .. to - 1, as a list.
--: buffer:head([n])
--: buffer:totable([from [, to]])

--- Writes the contents: .csv and .txt a line a row, .bin raw bytes. An old file is replaced when all is written.
--: buffer:save(path)

--- Frees the memory now; using the buffer is an error from then on. `local b <close> = ...` does so at the end
--- of its scope.
--: buffer:close()

--- Strongly connected components by Tarjan's algorithm: each vertex's component in a u32 buffer, numbered so that
--- a component's successors have smaller numbers; and how many there are.
---   id, count = reference.tarjan(g)
--: reference.tarjan(g)

--- Distances from s (i64, or f64 where weights are real) and parents (u32). Dijkstra leaves negative weights to
--- Bellman-Ford; a negative cycle is an error that names it.
---   dist, parent = reference.dijkstra(g, s)
--: reference.dijkstra(g, s)
--: reference.bellman_ford(g, s)

--- A vertex on a cycle of negative weight (that s reaches), and the cycle in words; nothing where there is none. Exact
--- for real weights too; where these lie so far apart that 128 bits cannot tell, an error.
---   v, text = reference.negative_cycle(g)
--: reference.negative_cycle(g [, s])

--- What the edges listed in cycle (u32) weigh over how many they are, or over their times, as p and q in lowest terms.
--- Whole weights; summed in 128 bits.
---   p, q = reference.ratio(g, r.cycle)
--: reference.ratio(g, cycle [, over_times])

--- The matrix of all distances by the triple loop, in the weights' type (i32 for an unweighted graph) where none
--- is asked for.
--: reference.floyd_warshall(g [, dtype])

--- Do equal labels mean the same strongly connected component? true and how many components there are, or an error
--- that names the first violation. Any labels will do; with named = true each has to be a vertex of its component.
--- sizes: u32, the components' sizes by ascending label.
--: reference.check_scc(g, id [, sizes [, named]])

--- Has every vertex chosen one of its own edges (all ones where it has none)? true, or an error that names the first
--- that has not. off is u32[n+1], choice u32[n].
--: reference.check_choices(off, choice)

--- Are these the distances from s, and is parent a tree of shortest paths? true, or an error that names the first
--- violation. Integers are exact; an edge u -> v of reals may miss by eight roundings, 8 eps (|dist[u]| + |w|), where
--- eps is 2^-23 of f32 and 2^-52 of f64. That no cycle is negative is decided exactly.
--: reference.check_sssp(g, s, dist [, parent])

--- Is this the matrix of all distances? true, or an error that names the first violation. An edge u -> v of reals may
--- miss by tol (|dist[u]| + |w|); where tol is left out, by n eps (16 at least) in its place.
--: reference.check_fw(g, matrix [, tol])

--- The matrix that Floyd-Warshall starts from: weights, the least of parallel edges, 0 on the diagonal.
--: reference.distance_matrix(g [, dtype])

--- What ocm's results are made and proved with. r is a result of ocm, ocr or a reference.
--- The edges on optimal cycles as a u8 mask, and the canonical critical cycle. Whole weights only.
--: reference.critical(r)

--- How far each edge is from being tight, times q: i64, or f64 where that is asked for.
--: reference.slack(r [, "f64"])

--- By how much edge e's weight may fall and rise before the optimum changes: two numbers (math.huge: by any), each
--- followed by the whole number that it is over q, or nil. mask is reference.critical's.
--: reference.sensitivity(r, e, mask)

--- Potentials that prove the result, as u64[2n]; for real weights also their unit. start is a guess.
--: reference.potentials(r [, start])

--- true where the cycle is closed and has the mean p/q, and the potentials prove that none is better; else an error
--- that names the first violation. For real weights also the width of the interval proved, over the greatest weight.
--: reference.check_cycle(r)

--- Raises where g's transit times allow no cycle ratio.
--: reference.check_times(g)

--- p and q, in lowest terms, of the edges listed in cycle: their weight over their number, or over their times.
--: reference.ratio(g, cycle, over_times)

--- An optimal cycle by the algorithm of that number (reference.howard is 0), without potentials.
--: reference.find_cycle(number, g, {max =, ratio =})

--- The edges from v to v again, where every vertex goes on by the edge that is its choice.
--: reference.round(choice, to, v [, from])
