-- What each kernel costs: statistics, the trace, tables for other programs, pictures, two devices against each other.
assert(device().name and device().threads >= 1 and device().memory > 0)
local before = device().name
device "cpu:1"
assert(device().name == "cpu:1" and #device.list() >= 1)
device(before)

trace.reset()
trace.on()
trace.keep(1000)
local g = gen.rmat{scale = 8, degree = 4, seed = 1, weights = "i32"}
local begin = trace.clock()
local r = scc.maxima(g)
assert(trace.clock() > begin and trace.enabled())
local last = trace.last(1)[1]
assert(last.kernel and last.time >= 0 and last.counts and #trace.last() == 10)
local count = 0
for record in trace.records() do count = count + (record.kernel and 1 or 0) end
assert(count > 0)
trace.save "run.json"
trace.save "run.csv"
trace.save "run.jsonl"
assert(#trace.series() > 0)

local rows = stats()
assert(rows[1].kernel and rows[1].calls >= 1 and rows[1].median >= 0 and rows[1].max >= rows[1].median)
assert(stats{csv = true}:find "kernel" and stats{json = true}:find "kernel" and #stats{by = "line"} > 0)
csv(rows, "stats.csv")
json(rows, "stats.json")
csv({columns = {"n", "ms"}, {n = 8, ms = 5}, {n = 16, ms = 9}}, "times.csv")
stats "reset"

trace.off()
local t = bench(function() return sssp(g, 0) end, 3)
assert(t.median >= t.least and t.greatest >= t.median and t.runs == 3 and t.result.dist)

plot{x = {50, 100, 400}, y = {3, 7, 31}, xlabel = "n", ylabel = "ms", log = "xy", file = "times_plot.csv"}
plot{squares = {1, 4, 9}, cubes = {1, 8, 27}, title = "powers", file = "powers.csv"}
plot{rows = {{n = 1, ms = 2}, {n = 2, ms = 5}}, x = "n", y = "ms", points = true, file = "rows.csv"}

compare("cpu", "cpu:1")
assert(compare() and scc(g).count == r.count)
compare(false)
assert(compare() == false and not panel.is_on() and panel.on() == false and panel.show "graph" == false)
panel.off()
trace.on()
