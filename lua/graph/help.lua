-- Help texts of graphs and generators, which are implemented in C (src/lua/graph, src/lua/cycles/l_clients.c).

--- Makes a graph from edges, in a table or in buffers. Vertices count from 0. Weights are i32 if all are whole
--- numbers that fit, else i64, else f64; weights = "f32" selects a type, also for a graph without edges. By default n
--- is the largest vertex + 1.
--- Options are in the table of edges or in a second table. Weights must be finite; a whole weight that the type
--- cannot represent exactly is an error.
---   g = graph.from_edges{{0, 1, 5}, {1, 2, 7}, {2, 0, -3}}
--- Edges may have transit times, whole numbers from 0 on: all of them or none.
---   g = graph.from_edges(3, src, dst, w)
--- g == h says whether two graphs have the same vertices and edges, in the same order, with the same weights, times and labels.
--: graph.from_edges({n =, weights =, name =, {from, to [, weight [, time]]}, ...} [, {n =, weights =, name =}])
--: graph.from_edges(n, src, dst [, w [, t]])

--- Reads a graph file; `help formats` lists the formats. The format is recognised by the name (x.gr, x.mtx.gz) or by the
--- first bytes; "-" is standard input. Options:
---   weights = "i32"   the type of weights: i32, i64, f32, f64; "none" leaves them out; "scaled" turns decimals into whole numbers
---   scale = 100       the factor of "scaled"; by default the least one that makes all weights whole numbers
---   format = "gr"     the format, whatever the file's name is
---   base = 1          the first vertex number of an edge list (default 0, unless the file says otherwise)
---   verify = true     checks the checksums and the transpose of an .lsg file, whatever its size
--- In an edge list the first line, or the last comment before the edges, may name the columns, in any order: source, target
--- and weight (or from, to; src, dst; u, v; w); without names they are source, target, weight. A header of KONECT ("% bip
--- weighted") is understood. A note names all assumptions, and what was not read.
---   g = graph.load("road.gr", {weights = "f64"})
--: graph.load(path [, options])

--- Writes the graph; the path's ending selects the format: `help formats`. An old file is replaced when all is written.
--: graph:save(path [, {format = "gr"}])

--- label: the number or name of vertex v in the graph's file; in a model's graph the state of v. Subgraphs and permutations
--- keep labels. vertex: the vertex with that label. At the prompt vertices always count from 0.
---   r = bfs(g, g:vertex(2000))   r:path(g:vertex(7))
--: graph:label(v)
--: graph:vertex(label)

--- The model's name for the step from u to v ("editor 2: save"), or nil. Graphs of gen.clients and of DVE models have
--- such names. If there are several steps from u to v, it names the first, or step number `which`, from 0 on.
--: graph:move(u, v [, which])

--- The number of out-edges of v, and of in-edges. indegree makes the transpose of the graph first.
--: graph:degree(v)
--: graph:indegree(v)

--- Iterates over v's out-edges: the target of each, its weight and its time.
---   for to, w, t in g:edges(v) do print(to, w) end
--: graph:edges(v)

--- The targets of v's out-edges as a list, each once. The sources of its in-edges: g:reverse():neighbors(v).
---   g:neighbors(0)
--: graph:neighbors(v)

--- Is there an edge from u to v?
--: graph:has_edge(u, v)

--- Degrees, loops and parallel edges, components and weights: a table that prints as a page. Strong components are counted
--- in graphs of at most 16 million edges, or if scc = true. top is a vertex of the largest degree; bins[1] counts vertices
--- of degree 0, bins[k + 1] those of degree 2^(k-1) to 2^k - 1.
---   s = g:stats()   s.out_degree.max   s.in_degree.bins[1]   s.weak   s.scc   s.weights.mean
--: graph:stats()
--: graph:stats{scc = true}

--- The graph with every edge reversed. It shares all arrays with the graph, so it costs nothing if the transpose
--- exists already.
--: graph:reverse()

--- The part induced by some vertices: a list {5, 2, 9}, a u32 buffer of them, or a u8 mask. They are numbered
--- in the order given; label() still gives their labels in g.
--: graph:subgraph(vertices)

--- The graph with only the out-edges of the vertices `first` to `past` - 1. All vertices stay, and keep their numbers.
--- ranks.partition uses this.
--: graph:rows(first, past)

--- The graph with every edge's reverse added; of parallel edges only the one of least weight is kept.
--: graph:symmetrize()

--- Renumbers the vertices: at random by a seed, or by a u32 buffer whose element v is the new number of v.
--: graph:permute(seed)
--: graph:permute(numbers)

--- The graph of classes, one vertex per class: element v of the u32 buffer id is the vertex that represents the class of v, as
--- in r.id of scc.
--: graph:quotient(id)

--- The sizes of the classes, in the order of their representatives: u32.
--: graph:class_sizes(id)

--- Frees the graph now, but not those of its arrays that are still referenced. `local g <close> = ...` does so at the end of its
--- scope.
--: graph:close()

--- R-MAT graph of 2^scale vertices and degree * 2^scale edges. The place of an edge in the adjacency matrix is drawn by choosing a
--- quadrant `scale` times, with probabilities a, b, c, d (default: Graph500's); ids are scrambled. Chakrabarti, Zhan, Faloutsos
--- 2004. All generators have the options seed; weights = "i32", "i64", "f32" or "f64", drawn from lo to hi (default 1 to 100); and
--- times = {least, greatest} for transit times. Weights are i32 if lo or hi is given without `weights`, or weights = {lo, hi}. A
--- seed gives the same graph on every machine.
---   g = gen.rmat{scale = 20, degree = 16, seed = 1, weights = "i32", lo = 1, hi = 255}
--: gen.rmat{scale =, degree = 16, a = .57, b = .19, c = .19, d = .05}

--- m edges between independent, uniformly drawn vertices; self loops and parallel edges occur.
---   g = gen.uniform{n = 4000000, degree = 4}
--: gen.uniform{n =, m =}
--: gen.uniform{n =, degree =}

--- Both ends of an edge are drawn so that the degrees follow a power law with the exponent (Chung, Lu 2002).
--: gen.power_law{n =, degree = 16, exponent = 2.5}

--- An acyclic graph: random edges, each from the earlier to the later vertex in a random order of the vertices.
--: gen.dag{n =, m =}
--: gen.dag{n =, degree =}

--- 0 -> 1 -> ... -> n-1 -> 0.
--: gen.ring(n)

--- 0 -> 1 -> ... -> n-1.
--: gen.path(n)

--- Edges from vertex 0 to all others; with inward = true, from all others to vertex 0.
--: gen.star{n, inward = false}

--- Every edge between two different vertices.
--: gen.complete(n)

--- Streets between neighbours on a map: two-way, or with probability one_way a single edge in a random direction.
---   g = gen.grid{2048, 2048, one_way = 0.69}
--: gen.grid{rows, cols, one_way = 0}

--- A grid that wraps around: the last row is next to the first one, the last column next to the first one. Rows wrap only if
--- there are more than two, and so do columns.
--: gen.torus{rows, cols, one_way = 0}

--- Like a network of roads: n vertices on a square lattice, highways on every eighth row and column, streets that lead to
--- them. All edges go both ways, and the graph is connected. The mean degree is 2.44, as in USA-road (23947347 vertices,
--- 58333344 edges); the diameter is about 1.25 sqrt(n) hops (USA-road: 1.29 sqrt(n), about 6300). Weights are like
--- travel times, the same both ways: on a highway at most lo + 0.15 (hi - lo), on a street at least lo + 0.2 (hi - lo).
---   g = gen.road{n = 23947347, weights = "i32", lo = 1, hi = 10000}:save("road.gr")
--: gen.road{n =}

--- The disjoint union of k copies of a graph.
--: gen.copies(g, k)

--- The state space of clients that share a server. Each client repeats a list of actions {name, cost}; one client moves at a time. An
--- action may have a time (1 if not given); the edges have times if any action has one. During actions with server = true the client
--- holds the server: before the first of them it waits until no other client holds the server, and after the last it releases it.
--- The option server = false, after the scenarios, removes this waiting. Vertex 0 is the initial state; label(v)
--- and move(u, v) name states and actions. Barnat, Bauch, Brim, Ceska 2011, section 4.
---   g = gen.clients{
---     {name = "editor", count = 3, {"edit", 1}, {"save", 5, server = true}, {"saved", 1, server = true}},
---     {name = "reader", count = 2, {"ask", 1, server = true}, {"answer", 4, server = true}, {"read", 2}}}
--: gen.clients{{name =, count = 1, {action, cost [, time = 1] [, server = true]}, ...}, ..., server = true}
