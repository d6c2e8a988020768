-- Help texts of devices, statistics and the trace, which are implemented in C (src/lua/base/l_device.c, l_stats.c,
-- l_trace.c).

--- The device that primitives run on. device() returns the current one; device("cpu") makes another the current one.
--- Names: "cpu" (all cores), "cpu:1" (one thread, in order), "cuda", "cuda:1", "auto". Fields: name, model,
--- processor, threads, units, memory, free, cache, lost.
--: device([name])

--- All devices of this machine; a star marks the current one.
--: device.list()

--- Measures the peak rates of a device: copy rate, min-plus updates (minplus_f32, minplus_i32, minplus_i16, minplus_f64,
--- minplus_i64), multiply-adds of f64 (x * a + b as one operation, multiply_add_f64), launches, transfers; and, for several sizes
--- of arrays because small arrays fit into caches, bytes read or written in order, random gathers, atomic minima.
--- The first call takes two seconds, later ones read a cache file; again = true measures again. `stats` and stop lines
--- compare with these limits.
--: device.limits([name [, again]])

--- From now on every primitive runs on both devices, and the results are compared by the primitive's rule. If they
--- disagree, a message has the buffer, the index and both values. A started algorithm stops after that primitive, and goes on
--- with the outputs of device a; in a script, or in a call at the prompt, a disagreement is an error. compare(false) ends the
--- comparison. compare() returns both devices, or false.
--: compare(a, b)

--- The time of every primitive on every device: calls, total, average, median, min, max, GB/s, edges/s, the
--- share of the device's limit, and the host gap: how long devices waited for the host. The limit is the tightest of the
--- device's peak rates: of bytes in order (mem), of irregular accesses at random addresses (irr), of a matrix product's updates
--- (ops, measured as min-plus of the same type), or of bytes from other ranks (link, once ranks.limits() has measured it). If only
--- an upper bound of the accesses is known (bytes_at_most, gathers_at_most), there is no rate and no share, but limit_at_most, an
--- upper bound of the share. A primitive that was faster than the limit of bytes in order has no share. Irregular accesses that are
--- faster than at random addresses count as 100 %. All runs since the start count; stats("reset") sets all to zero.
--- stats{by = "limit"} sorts by `gain`, the time that would be saved at the limit: total * (1 - limit), or at least that if only an
--- upper bound of the share is known. Primitives whose limit is unknown follow. If the times of the first primitive are close to each
--- other, and far from the limit, a note adds its median time. stats{by = COLUMN} sorts by another column, the greatest value first.
--- stats{csv = true} and stats{json = true} return text.
--- stats{by = "line"} has a row for each line of the scripts that called primitives: the line's share of the time of all
--- these lines, its calls, and the primitive that took most of its time.
---   stats()[1].median      -- seconds; rows are tables
--: stats([options])

--- Switches the recording of primitives on (the default) or off.
--: trace.on()
--: trace.off()

--- Is the recording of primitives on?
--: trace.enabled()

--- Deletes records, statistics and series.
--: trace.reset()

--- From now on the last n records are kept (65536 at the start); older ones still count in the statistics.
--: trace.keep(n)

--- The last n records (10 if not given), oldest first. Times are in seconds since the first record. A loop has one record per
--- iteration; after 32768 iterations each of its steps has one record per 50 ms or so, whose times, items and counts are sums
--- over r.turns iterations.
---   trace.last(1)[1].counts.improved
--: trace.last([n])

--- All records that are kept, oldest first.
---   for r in trace.records() do print(r.kernel, r.time) end
--: trace.records()

--- Writes the records: .json for chrome://tracing and ui.perfetto.dev, .csv, .jsonl. With ranks = true, which all ranks must
--- call, rank 0 writes one .json of all ranks. Each rank is a process in it. All times are by the clock of rank 0; for ranks on
--- several hosts, ranks.clocks() measures the offsets when the file is written. In an exchange, `waits` is how long the rank
--- waited until all ranks had reached it. Exchanges that overlap with kernels (ranks.beside) have a track of their own.
---   trace.save("all.json", {ranks = true})
--: trace.save(path [, {ranks =}])

--- What iteration marks have recorded: without arguments the names; with a name one series {mark = {...}, value = {...},
--- time = {...}, run = k}, of the last run or of the given run.
--: trace.series([name [, run]])

--- Names the calling function as an algorithm for NVIDIA's profilers: nsys and ncu show a range of that name, from this call to
--- the first primitive after the function has returned. algorithm.graph calls it. It does nothing without a profiler. Each
--- primitive has a range of its own: help times.
--: trace.algorithm(name)

--- Seconds that kernels, copies (both while the trace is on) and the allocation of buffers have taken since the program began:
--- three numbers. The differences of two readings say how much each of them took in between; `time` and bench
--- show these parts.
---   local kernels, copies, allocation = trace.spent()
--: trace.spent()

--- Seconds of a monotonic clock.
--: trace.clock()
