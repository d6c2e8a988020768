-- What help says of devices, statistics and the trace, which are written in C (src/lua/l_device.c, l_stats.c,
-- l_trace.c).

--- The device that primitives run on. device() is the present one; device("cpu") makes another the present one.
--- Names: "cpu" (all cores), "cpu:1" (one thread, in order), "cuda", "cuda:1", "auto". Fields: name, model,
--- processor, threads, units, memory, free, cache, lost.
--: device([name])

--- All devices of this machine; the present one is marked with a star.
--: device.list()

--- What a device can do at most: copy rate, min-plus updates (minplus_f32, minplus_i32, minplus_i16, minplus_f64,
--- minplus_i64), multiply-adds of f64 (x * a + b as one operation, multiply_add_f64), launches, transfers. These rates depend
--- on the size of an array, since small arrays lie in caches: bytes read or written in order, random gathers, atomic minima.
--- It is measured in two seconds the first time, then kept in a cache file; again = true measures anew. `stats` and stop lines
--- compare with these limits.
--: device.limits([name [, again]])

--- From now on every primitive runs on both devices, and the results are compared by the primitive's rule. If they
--- disagree, a message has the buffer, the index and both values: a started algorithm stops after that primitive, and goes on
--- with a's outputs; elsewhere it is an error. compare(false) ends it. compare() returns both devices, or false.
--: compare(a, b)

--- What every primitive has cost on every device: calls, total, average, median, min, max, GB/s, edges/s, the
--- share of the device's limit, and the host gap: how long devices waited for the host. The limit is the rate at which the
--- same data could be touched (mem: all bytes in order, irr: irregular accesses at random), or a product's updates made (ops:
--- min-plus of the same type), or bytes sent by other ranks (link, once ranks.limits() has measured it). If only an upper bound
--- is known of what a primitive touches (bytes_at_most, gathers_at_most), there is no rate and no share, but limit_at_most: what
--- the share is at most. If it was faster than memory in order, there is no share. Irregular accesses that are faster than random
--- ones have reached their limit. All runs since the start count; stats("reset") begins anew. stats{by = "limit"} sorts: the kernel that is furthest from its limit comes first (any other
--- column: the greatest); what its call takes in the median is said if its times are close to each other. stats{csv = true} and stats{json = true} give text.
--- stats{by = "line"} has a row for each line of the scripts that called primitives: its share of their time, calls,
--- and the primitive that took most of it.
---   stats()[1].median      -- seconds; rows are tables
--: stats([options])

--- Switches the recording of primitives on (as it is at the start) or off.
--: trace.on()
--: trace.off()

--- Is it recording?
--: trace.enabled()

--- Forgets records, statistics and series.
--: trace.reset()

--- From now on the last n records are kept (65536 at the start); older ones stay in the statistics.
--: trace.keep(n)

--- The last n records (10 if not given), oldest first. Times are in seconds since the first record. A loop has a record for each
--- turn; after 32768 turns each of its steps has one for about 50 ms: r.turns turns, whose times, items and counts are sums.
---   trace.last(1)[1].counts.improved
--: trace.last([n])

--- All records that are kept, oldest first.
---   for r in trace.records() do print(r.kernel, r.time) end
--: trace.records()

--- Writes the records: .json for chrome://tracing and ui.perfetto.dev, .csv, .jsonl. ranks = true, which all ranks call: one .json of
--- all ranks, which rank 0 writes. Each rank is a process in it, and all times are by the clock of rank 0: of ranks on
--- several hosts as ranks.clocks() measures it when the file is written. In an exchange, `waits` is for how long a rank waited until
--- all had come to it. Exchanges that run beside kernels (ranks.beside) have a track of their own.
---   trace.save("all.json", {ranks = true})
--: trace.save(path [, {ranks =}])

--- What iteration marks have recorded: without arguments the names; with a name one series {mark = {...}, value = {...},
--- time = {...}, run = k}, of the last run or of the given run.
--: trace.series([name [, run]])

--- For profilers of NVIDIA: the function that calls this is an algorithm of that name, and nsys and ncu show a range from
--- here up to the first primitive after its return. algorithm.graph calls it. It does nothing without a profiler. Each
--- primitive has a range of its own: help times.
--: trace.algorithm(name)

--- Seconds of a clock that never goes back.
--: trace.clock()
