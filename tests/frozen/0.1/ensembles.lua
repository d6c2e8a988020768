-- Many instances of predators and prey: sweeps, samples, statistics, a stream.
local m = model.load(model.sample "lotka-volterra")
local r = simulate(m, {sweep = {a = {1, 1.5, 2}, b = range(0.01, 0.1, 4)}, stop = 5, steps = 10})
assert(r.instances == 12 and #r.t == 11 and r.x.cols == 12 and #r.failed == 0 and r:instance(5).a and check(r))
assert(#r:mean "x" == 11 and r:deviation("x")[0] == 0 and #r.parameters.a == 12)
local low, high = r:quantile("x", 0.05, 0.95)
assert(low[10] <= high[10] and r:histogram("x", 5))
r:show()
r:save("x.csv", "x")
r:save_parameters "given.csv"
r:plot("x", {file = "x_plot.csv"})
assert(r.record.dtype == "f64" and r.names[1] == "x")

local s = simulate(m, {sample = {a = lognormal(0.4, 0.1), k = uniform(0.9, 1.1), b = normal(0.05, 0.001)}, instances = 50, seed = 7, stop = 2, keep = false})
assert(s:mean("x")[0] == 10)
local each = simulate(m, {instances = 3, each = {k = {1, 2, 5}}, times = {0.5, 2}, method = "rodas4"})
assert(#each.t == 2 or #each.t == 3)
local three = simulate(m, {sweep = {k = logrange(0.5, 2, 3)}, stop = 5, steps = 10, variables = {"x"}})
assert(three.instances == 3 and three.names[1] == "x")
simulate(m, {sweep = {a = {1, 2}}, stop = 1, steps = 4, stream = "out.npy", batch = 1})
assert(buffer.load("out.npy").rows == 2 * 5)

