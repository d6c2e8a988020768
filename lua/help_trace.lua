-- What help says of devices, statistics and the trace, which are written in C (src/lua/l_device.c, l_stats.c,
-- l_trace.c).

--- What primitives run on: device() is the present device, device("cpu") makes another the present one.
--- Names: "cpu" (all cores), "cpu:1" (one thread, in order), "cuda", "cuda:1", "auto". Fields: name, model,
--- processor, threads, units, memory, free, cache, lost.
--: device([name])

--- All devices of this machine; the present one is starred.
--: device.list()

--- What a device can do at most: copy rate, min-plus updates, launches, transfers; and by array size, since small ones
--- lie in caches: bytes read or written in order, random gathers and atomic minima. Measured in two seconds the first
--- time, then kept in a cache file; again = true measures anew. `stats` and stop lines show times as shares of these.
--: device.limits([name [, again]])

--- From now on every primitive runs on both devices, and their results are held against each other under the
--- primitive's rule. A disagreement names the buffer, the index and both values: a started algorithm stops
--- after that primitive and goes on with a's outputs; elsewhere it is an error. compare(false) ends it.
--: compare(a, b)

--- What every primitive has cost on every device: calls, total, average, median, min, max, GB/s, edges/s, the
--- share of the device's limit, and the host gap: what devices waited for the host. The limit is for what was touched
--- (mem: all bytes in order, irr: irregular accesses at random). Where a row has only a bound of it (bytes_at_most,
--- gathers_at_most) there is neither rate nor share; nor is there a share where work was quicker than its limit.
--- stats("reset") begins anew; stats{csv = true} and stats{json = true} give text.
---   stats()[1].median      -- seconds; rows are tables
--: stats([options])

--- Records what runs (as from the start), or doesn't.
--: trace.on()
--: trace.off()

--- Is it recording?
--: trace.enabled()

--- Forgets records, statistics and series.
--: trace.reset()

--- The ring keeps n records from now on (65536 at first); older ones stay in the statistics.
--: trace.keep(n)

--- The last n records (10), oldest first. Times are in seconds since the first record.
---   trace.last(1)[1].counts.improved
--: trace.last([n])

--- All records that are kept, oldest first.
---   for r in trace.records() do print(r.kernel, r.time) end
--: trace.records()

--- Writes the records: .json for chrome://tracing and ui.perfetto.dev, .csv, .jsonl.
--: trace.save(path)

--- What iteration marks have recorded: the names, or one series {mark = {...}, value = {...}, time = {...},
--- run = k} of the last run, or of the run asked for.
--: trace.series([name [, run]])

--- Seconds of a clock that never goes back.
--: trace.clock()
