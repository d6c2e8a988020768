-- What help says of the words of the kernel language (kernels/language; kernels/README.md explains them together). `?words` lists
-- them; tests/lua/words_spec.lua holds this file to the words that the language has.

--- Changes *p in one step that no other thread can come between, and returns what was there before: a sum, the larger or the
--- smaller of *p and x, or their bits together. For a cell that several threads may change in one launch.
---   atomic_min(&a->dist[to], mine + w);
--: atomic_add(p, x)
--: atomic_min(p, x)
--: atomic_max(p, x)
--: atomic_or(p, x)

--- Compare and swap: sets *p = x if *p is `expected`, and returns whether it did. Of several threads only one wins.
---   if (atomic_cas(&a->level[to], NONE, depth)) PUSH(front_next, to);
--: atomic_cas(p, expected, x)

--- atomic_min without a result, for a cell that very many threads lower: of the threads of a warp one writes.
--: reduce_min(p, x)

--- Sets *p = 1, where many threads may raise the same flag.
--: raise_flag(p)

--- Reads or writes a cell that another thread may read or write during the launch. It marks a race that is intended; it
--- orders nothing else.
--: load_relaxed(p)
--: store_relaxed(p, x)

--- Reads a cell, possibly an old value of it: only for a test that an atomic repeats.
--: load_cached(p)

--- Asks for a cell that will be read soon; does nothing on a GPU.
--: PREFETCH(p)

--- The row of a kernel: its name, the macro with its arguments, its element types (?FOR_W), its domain (?VERTEX), how many
--- threads there are, how devices agree (?EXACT), the bytes and the irregular accesses of a launch ("" if unknown), its help.
---   PRIM(degrees, DEGREES_ARGS, UNTYPED, VERTEX, "n", EXACT, "", "", "degrees(g, out): ...")
--: PRIM(name, ARGS, types, domain, items, agreement, bytes, accesses, doc)

--- Before the bytes or accesses of a row: the expression is an upper bound, so no rate is shown.
--: AT_MOST "expression"

--- Makes the arguments of a kernel from the macro that lists them; stands before its body. BOUND_ARGS is what it is made
--- of where a body is written for one processor.
--: ARGS(name, NAME_ARGS)
--: BOUND_ARGS(name, NAME_ARGS)

--- One argument in the list of a row: its role (?IN), its type, its name, and its extent over sizes, as "n+1"; after that its
--- contract with its bound (?vertex), and how it agrees, if that differs from the row (?EXACT).
---   A(IN, u32, to, "m", vertex, "n")
--: A(role, type, name, extent [, contract, bound] [, agreement])

--- Roles of an argument. IN: an array that is read, and that no thread writes; OUT: every element is written, what was there
--- before is not read; INOUT: read and written.
--: IN
--: OUT
--: INOUT

--- Roles of arrays that are read, by which a domain finds the edges of a vertex v: off[v] to off[v+1]-1 (OFF); from start[v] (START)
--- to before end[v] (END).
--: OFF
--: START
--: END

--- Roles of queues, arrays whose element 0 is their length. QIN: its items are the domain; QOUT: emptied before the launch, then
--- filled; QMORE: appended to; QAHEAD: as QOUT, and the row may run ahead of its layers.
--: QIN
--: QOUT
--: QMORE
--: QAHEAD

--- Role of a number that is passed; one of an unsigned type is a size too, by its name.
---   A(VALUE, u32, k, "1")
--: VALUE

--- Role of a number that every thread may count up, `count->found++`; the sum is returned to Lua. LOST is counted by the driver: items
--- for which a queue had no room.
--: COUNT
--: LOST

--- For which element types W the body is compiled: none (UNTYPED); i32 i64 f32 f64 (FOR_W); these and i16 (FOR_DENSE); i32 f32
--- (FOR_NARROW); i64 f64 (FOR_SUM); all nine (FOR_ALL); all but u16 and i16 (FOR_SORT).
--: UNTYPED
--: FOR_W
--: FOR_DENSE
--: FOR_NARROW
--: FOR_SUM
--: FOR_ALL
--: FOR_SORT

--- The element type of a row, one of those that it is compiled for: in its arguments and in its body.
--: W

--- Element types: whole numbers without a sign (u), with one (i), and real numbers (f); the number is their bits. u64x2 is a pair of u64, the item
--- of a wide queue.
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

--- Domains: what a thread is. VERTEX: a vertex v; VERTEX_WALK: a vertex that walks edges and says how many by LOOKED_AT; EDGE: an
--- edge e; ELEMENT: an element i, of which there may be more than 2^32; QUEUE: an item of the QIN.
--: VERTEX
--: VERTEX_WALK
--: EDGE
--: ELEMENT
--: QUEUE

--- Domains over edges, which the driver divides among all threads. VERTEX_EDGES: an edge e of a vertex v that SELECT accepts;
--- QUEUE_EDGES: the same for the vertices in the queue; VERTEX_BEST: a vertex with its edge of the least SCORE.
--: VERTEX_EDGES
--: QUEUE_EDGES
--: VERTEX_BEST

--- Domains of cooperating threads. TILE: an element of a tile of 32 x 32, which a block shares; GRID: one of the threads of a grid,
--- which all run at once and meet at GRID_SYNC.
--: TILE
--: GRID

--- Domain of a row with its own implementation per processor, one call for all; CPU_LIBRARY: on the CPU only.
--: LIBRARY
--: CPU_LIBRARY

--- Begins the body of one thread of that domain: VERTEX_BODY(name) { a->out[v] = ...; }. It has a (the arguments), count, push, and
--- v, e, i, item, tile, grid or best by the domain.
--: VERTEX_BODY(name)
--: EDGE_BODY(name)
--: ELEMENT_BODY(name)
--: QUEUE_BODY(name)
--: EDGES_BODY(name)
--: TILE_BODY(name)
--: GRID_BODY(name)
--: BEST_BODY(name, type)

--- Before the body of an EDGES or BEST domain: does the vertex v take part?
---   SELECT(expand) { return a->level[v] == a->depth; }
--: SELECT(name)

--- Before the body of VERTEX_BEST: what the edge e of v costs; the least is passed as `best`.
--: SCORE(name, type)

--- What VERTEX_BEST passes as e for a vertex without edges.
--: NO_EDGE

--- Adds to the number of edges that a body of VERTEX_WALK has passed over.
--: LOOKED_AT(edges)

--- Says of a, count and push that a body does not use all of them.
--: UNUSED_BODY

--- Appends an item to a queue that the row fills. If the queue is full, the item is not stored, and the call ends with an error.
---   PUSH(front_next, to);
--: PUSH(queue, item)

--- Of a u64: the place of its lowest 1 (x is not 0), and how many 1s it has.
--: LOWEST_BIT(x)
--: BIT_COUNT(x)

--- Threads of a block on CUDA, blocks that a multiprocessor holds at least, and bytes of memory for each block of a TILE row; stands after
--- ARGS. A CPU ignores it.
---   SHAPE(heaviest, 128, 4)
--: SHAPE(name, threads, resident [, 0, bytes])

--- Memory that the threads of a tile share: an array of 32 x 32 elements, or `count` elements, as many bytes as SHAPE says.
--: TILE_ARRAY(type, name)
--: TILE_MEMORY(type, name, count)

--- Runs what follows for each element (i, j) of the tile. Between two of them TILE_SYNC waits for all threads of the tile; it stands
--- outside of EACH.
--: EACH(i, j)
--: TILE_SYNC

--- Waits for all threads of the grid: what they wrote is seen after it.
--: GRID_SYNC(grid)

--- How the results of two devices agree. EXACT: element by element; FIXPOINT: at the end of the loop; TIE: each may have another
--- of several right answers; TOLERANCE: reals nearly; WITHIN: one argument's reals, by absolute + relative * the larger.
--: EXACT
--: FIXPOINT
--: TIE
--: TOLERANCE
--: WITHIN(relative, absolute)

--- Updates of a launch whose time goes into its operations, for the share of the limit that `stats` shows.
--: OPERATIONS(name, "expression")

--- Which tiles of a square matrix a row updates, for the view of tiles: PIVOT, CROSS, REST, UPPER, STEP or PART.
--: TILED(name, part)

--- A loop over rows, one word on each line: LOOP(name, types, doc) ... END_LOOP(name). `help kernels` shows one.
--: LOOP(name, types, doc)
--: END_LOOP(name)

--- Runs a row of a loop. WITH names another buffer for one of its arguments, or a number for a VALUE.
---   STEP(relax_queue, WITH(front, near))
--: STEP(row [, WITH(argument, name) ...])
--: WITH(argument, name)

--- The two buffers of a loop change places.
--: SWAP(a, b)

--- Pass after pass, until in one pass no step has counted anything in `count`.
--: REPEAT
--: UNTIL(count)

--- Only if the last step before it with that COUNT has counted something.
--: IF(count)
--: END_IF

--- Once for each k from 0 below a size; k is a VALUE of the steps within.
--: FOR(k, "size")
--: END_FOR

--- Leaves the innermost REPEAT or FOR, or the loop, if that step has counted nothing.
--: LEAVE_IF_NONE(count)

--- At the beginning of a loop only; left out with {begun = true}.
--: ONCE
--: END_ONCE

--- Two steps side by side: neither reads what the other writes.
--: TOGETHER
--: END_TOGETHER

--- The buffers that an algorithm works on: SCHEMA(name, types, doc) FIELD ... END_SCHEMA(name). Only in a family's index.
--: SCHEMA(name, types, doc)
--: END_SCHEMA(name)

--- One buffer of a state: its type, name, extent, what it holds at first ("0", "none", "inf", "huge", "identity", "empty"), and
--- what it means. FIELD_ALONE has its memory by itself, so that it may outlive the others.
--: FIELD(type, name, extent, init, doc)
--: FIELD_ALONE(type, name, extent, init, doc)

--- Defines a contract: its name, whether it is of a queue, what is true of an element x, and what the message expects.
---   CONTRACT(vertex, false, x < bound, "a vertex, below %s")
--: CONTRACT(name, queue, condition, expected)

--- Defines a domain, in kernels/language/domains.def.
--: DOMAIN(name, counters, chunk, short name, meaning)

--- Contracts: what the elements of an argument are, checked before the kernel runs. vertex: below the bound; link: a vertex or none;
--- index: below the bound; upto: at most the bound; flag: 0 or 1; all: the bound; offset, rows, place: they rise, as row offsets do.
--: vertex
--: link
--: index
--: upto
--: flag
--: all
--: offset
--: rows
--: place

--- Contracts of queues: their items are vertices below the bound, edges (source * 2^32 + target), or anything.
--: queue
--: vertex_queue
--: edge_queue
--: wide_queue
--: wide_vertex_queue
