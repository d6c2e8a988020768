-- Help texts of the words of the kernel language (kernels/language; kernels/README.md explains them together). `?words` lists
-- them; tests/lua/base/words_spec.lua checks that this file has exactly the words of the language.

--- Atomic read-modify-write: sets *p to *p + x, to the lesser or the greater of *p and x, or to *p | x, and returns the old value.
--- For an element that several threads may change in one launch.
---   atomic_min(&a->dist[to], mine + w);
--: atomic_add(p, x)
--: atomic_min(p, x)
--: atomic_max(p, x)
--: atomic_or(p, x)

--- Compare-and-swap: sets *p = x if *p is `expected`, and returns whether it did. Of several threads only one succeeds.
---   if (atomic_cas(&a->level[to], NONE, depth)) PUSH(front_next, to);
--: atomic_cas(p, expected, x)

--- atomic_min without a result, for an element that very many threads update: only one thread of each warp writes.
--: reduce_min(p, x)

--- Sets *p = 1, for a flag that many threads may set.
--: raise_flag(p)

--- Relaxed atomic read or write of an element that another thread may read or write during the launch. It marks a race that is
--- intended; it does not order other accesses.
--: load_relaxed(p)
--: store_relaxed(p, x)

--- Reads *p, possibly as an outdated value from the cache. Use it only where this does no harm, such as in a test before an atomic
--- operation that tests again.
--: load_cached(p)

--- Prefetches an element that will be read soon; does nothing on a GPU.
--: PREFETCH(p)

--- Declares a kernel, by a row of nine properties: its name; the macro that lists its arguments; its element types (?FOR_W); its
--- domain (?VERTEX); the number of threads; how the results of two devices must agree (?EXACT); the bytes that a launch accesses,
--- and its number of irregular accesses ("" if unknown); its help text.
---   PRIM(degrees, DEGREES_ARGS, UNTYPED, VERTEX, "n", EXACT, "", "", "degrees(g, out): ...")
--: PRIM(name, ARGS, types, domain, items, agreement, bytes, accesses, doc)

--- Written before the bytes or the accesses of a row: the expression is only an upper bound, so no rate is shown.
--: AT_MOST "expression"

--- Defines the argument struct of a kernel from the macro that lists the arguments; comes before the body. In a file that is
--- written for one processor, BOUND_ARGS is used instead.
--: ARGS(name, NAME_ARGS)
--: BOUND_ARGS(name, NAME_ARGS)

--- One argument in the list of a row: its role (?IN), its type, its name, and its extent, an expression of sizes such as "n+1";
--- optionally its contract with the bound (?vertex), and its own rule, instead of the row's, for how the values of two devices must
--- agree (?EXACT).
---   A(IN, u32, to, "m", vertex, "n")
--: A(role, type, name, extent [, contract, bound] [, agreement])

--- Roles of an argument. IN: an array that threads only read; OUT: every element is written, old contents are not read; INOUT:
--- read and written.
--: IN
--: OUT
--: INOUT

--- Roles of read-only arrays in which a domain finds the edges of a vertex v: [off[v], off[v+1]) (OFF), or [start[v], end[v])
--- (START and END).
--: OFF
--: START
--: END

--- Roles of queues, arrays whose element 0 is their length. QIN: its items are the domain; QOUT: emptied before the launch, then
--- filled; QMORE: appended to; QAHEAD: as QOUT, and a loop need not finish a layer before it begins the next.
--: QIN
--: QOUT
--: QMORE
--: QAHEAD

--- Role of a number that is passed to the kernel; if its type is unsigned, extents may use it as a size, by its name.
---   A(VALUE, u32, k, "1")
--: VALUE

--- COUNT: role of a counter that every thread may increment, `count->found++`; the sum is returned to Lua. LOST: role of a
--- counter that the driver sets to the number of items for which the queues had no room.
--: COUNT
--: LOST

--- The element types W for which the body is compiled: none (UNTYPED); i32 i64 f32 f64 (FOR_W); these and i16 (FOR_DENSE); i32 f32
--- (FOR_NARROW); i64 f64 (FOR_SUM); all nine (FOR_ALL); all but u16 and i16 (FOR_SORT).
--: UNTYPED
--: FOR_W
--: FOR_DENSE
--: FOR_NARROW
--: FOR_SUM
--: FOR_ALL
--: FOR_SORT

--- The element type for which a row is compiled. The row's arguments and its body can use W like any other type.
--: W

--- Element types: unsigned integers (u), signed integers (i), and floating-point numbers (f), with the number of bits. u64x2 is a
--- pair of u64, the item of a wide queue.
--: u8
--: u16
--: u32
--: u64
--: i16
--: i32
--: i64
--: f32
--: f64
--: u64x2

--- Domains: what one thread works on. VERTEX: a vertex v; VERTEX_WALK: a vertex whose body reads edges and counts them by LOOKED_AT;
--- EDGE: an edge e; ELEMENT: an element i, of which there may be more than 2^32; QUEUE: an item of the QIN.
--: VERTEX
--: VERTEX_WALK
--: EDGE
--: ELEMENT
--: QUEUE

--- Domains over edges, which the driver divides evenly among all threads. VERTEX_EDGES: an edge e of a vertex v that SELECT accepts;
--- QUEUE_EDGES: the same for the vertices in the queue; VERTEX_BEST: a vertex and its edge of the least SCORE.
--: VERTEX_EDGES
--: QUEUE_EDGES
--: VERTEX_BEST

--- Domains of cooperating threads. TILE: an element of a tile of 32 x 32, which a block shares; GRID: one of the threads of a grid,
--- which all run at once and synchronise at GRID_SYNC.
--: TILE
--: GRID

--- LIBRARY: domain of a row that has its own implementation per processor, called once per launch. CPU_LIBRARY: only on the CPU.
--: LIBRARY
--: CPU_LIBRARY

--- Begins the body of one thread of that domain: VERTEX_BODY(name) { a->out[v] = ...; }. Its variables are `a` (the arguments),
--- `count`, `push` and, depending on the domain, `v`, `e`, `i`, `item`, `tile`, `grid` or `best`.
--: VERTEX_BODY(name)
--: EDGE_BODY(name)
--: ELEMENT_BODY(name)
--: QUEUE_BODY(name)
--: EDGES_BODY(name)
--: TILE_BODY(name)
--: GRID_BODY(name)
--: BEST_BODY(name, type)

--- Written before the body of an EDGES or BEST domain: the condition on which the vertex v takes part.
---   SELECT(expand) { return a->level[v] == a->depth; }
--: SELECT(name)

--- Written before the body of VERTEX_BEST: the cost of the edge e of v; the least cost is passed to the body as `best`.
--: SCORE(name, type)

--- The value of e in VERTEX_BEST for a vertex without edges.
--: NO_EDGE

--- Adds to the number of edges that a body of VERTEX_WALK has read.
--: LOOKED_AT(edges)

--- Prevents compiler warnings in a body that does not use all of `a`, `count` and `push`.
--: UNUSED_BODY

--- Appends an item to a queue that the row fills. If the queue is full, the item is not stored, and the call ends with an error.
---   PUSH(front_next, to);
--: PUSH(queue, item)

--- LOWEST_BIT: the index of the lowest set bit of a u64, which must not be 0. BIT_COUNT: the number of set bits of a u64.
--: LOWEST_BIT(x)
--: BIT_COUNT(x)

--- Launch bounds on CUDA: threads per block, the least number of resident blocks per multiprocessor, and for a TILE row the bytes of
--- shared memory per block; comes after ARGS. A CPU ignores it.
---   SHAPE(heaviest, 128, 4)
--: SHAPE(name, threads, resident [, 0, bytes])

--- Shared memory of the threads of a tile: an array of 32 x 32 elements, or of `count` elements, whose bytes SHAPE reserves.
--: TILE_ARRAY(type, name)
--: TILE_MEMORY(type, name, count)

--- EACH runs the next statement for each element (i, j) of the tile. TILE_SYNC is a barrier for all threads of the tile; it
--- comes between two EACH statements, never inside one.
--: EACH(i, j)
--: TILE_SYNC

--- Barrier for all threads of the grid: what they wrote before it is visible after it.
--: GRID_SYNC(grid)

--- How the results of two devices must agree. EXACT: every element is equal; FIXPOINT: equal at the end of the loop; TIE: several
--- answers are right, and each device may find a different one; TOLERANCE: real numbers agree up to rounding; WITHIN,
--- for one argument: the reals differ by at most absolute + relative * the larger.
--: EXACT
--: FIXPOINT
--: TIE
--: TOLERANCE
--: WITHIN(relative, absolute)

--- The number of updates in a launch that is limited by arithmetic, not by memory: `stats` then shows its share of that limit.
--: OPERATIONS(name, "expression")

--- Which tiles of a square matrix a row updates, for the panel's view `tiles`: PIVOT, CROSS, REST, UPPER, STEP or PART.
--: TILED(name, part)

--- Declares a loop, which runs rows again and again. Between LOOP and END_LOOP, each line has one word: STEP, SWAP, REPEAT, UNTIL
--- and others. `help own` shows a loop.
--: LOOP(name, types, doc)
--: END_LOOP(name)

--- Runs a row in a loop. WITH passes another buffer for one of its arguments, or a number for a VALUE.
---   STEP(relax_queue, WITH(front, near))
--: STEP(row [, WITH(argument, name) ...])
--: WITH(argument, name)

--- Swaps two buffers of a loop.
--: SWAP(a, b)

--- Repeats the steps between them until `count` is 0 for all steps of an iteration.
--: REPEAT
--: UNTIL(count)

--- Runs the steps up to END_IF only if `count` of the last step that has it is not 0.
--: IF(count)
--: END_IF

--- Runs the steps up to END_FOR once for each k from 0 to size - 1; k is a VALUE of the steps within.
--: FOR(k, "size")
--: END_FOR

--- Leaves the innermost REPEAT or FOR, or the loop, if `count` of the last step that has it is 0.
--: LEAVE_IF_NONE(count)

--- Steps that run once, at the beginning of a loop; skipped with {begun = true}.
--: ONCE
--: END_ONCE

--- Two steps that may run in parallel: neither reads what the other writes.
--: TOGETHER
--: END_TOGETHER

--- The buffers that an algorithm works on: SCHEMA(name, types, doc) FIELD ... END_SCHEMA(name). It is
--- allowed only in kernels/FAMILY/FAMILY.def, the index of a folder of kernels.
--: SCHEMA(name, types, doc)
--: END_SCHEMA(name)

--- One buffer of a state: its type, name, extent, initial contents ("0", "none", "inf", "huge", "identity", "empty"), and
--- meaning. FIELD_ALONE is allocated separately, so that it may outlive the others.
--: FIELD(type, name, extent, init, doc)
--: FIELD_ALONE(type, name, extent, init, doc)

--- Defines a contract: its name, whether it is for queues, the condition on an element x, and the expected value for messages.
---   CONTRACT(vertex, false, x < bound, "a vertex, below %s")
--: CONTRACT(name, queue, condition, expected)

--- Defines a domain, in kernels/language/domains.def.
--: DOMAIN(name, counters, chunk, short name, meaning)

--- Contracts: valid elements of an argument, checked before the kernel runs. vertex: below the bound; link: a vertex or none;
--- index: below the bound; upto: at most the bound; flag: 0 or 1; all: equal to the bound; offset, rows, place: ascending, as row
--- offsets are.
--: vertex
--: link
--: index
--: upto
--: flag
--: all
--: offset
--: rows
--: place

--- Contracts of queues. vertex_queue: the items are vertices below the bound; edge_queue: edges (source * 2^32 + target) between
--- such vertices; queue: anything. wide_queue and wide_vertex_queue: the same for items of type u64x2, whose first half is the vertex.
--: queue
--: vertex_queue
--: edge_queue
--: wide_queue
--: wide_vertex_queue
