-- Runs that are too long or too large for one go: checkpoints, and matrices that stay in a file or on the host.
local g = gen.uniform{n = 900, m = 1500, seed = 1, weights = "i32"}
checkpoint("day.ckpt", 2)
local whole = scc.maxima(g)
checkpoint(false)
assert(io.open "day.ckpt")
local resumed = scc.maxima(g, {from = "day.ckpt"})
assert(resumed.count == whole.count and check(resumed))
assert(not pcall(scc.maxima, gen.ring(5), {from = "day.ckpt"}))

checkpoint("means.ckpt", 1)
local mean = ocm(g, {form = "layered"})
checkpoint(false)
assert(ocm(g, {form = "layered", from = "means.ckpt"}).mean == mean.mean)

local m = model.load(model.sample "lotka-volterra")
local options = {stop = 4, dt = 0.01, every = 1, method = "rk4", engine = "bytecode", variables = {"x"}}
checkpoint("hunt.ckpt", 2)
local hunt = simulate(m, options)
checkpoint(false)
options.from = "hunt.ckpt"
assert(simulate(m, options).x:diff(hunt.x) == 0)

local road = gen.road{n = 300, weights = "i32", lo = 1, hi = 9, seed = 2}
local all = apsp(road)
local file = apsp(road, {file = "d.npy"})
assert(file.file == "d.npy" and file:row(17)[4] == all:get(17, 4) and apsp.row("d.npy", file.dtype, road.n, 17)[4] == all:get(17, 4))
local blocks = fw(road, {memory = "512 KiB"})
assert(blocks.variant == "out of core" and blocks.edge < road.n and blocks.matrix:diff(all.matrix) == 0)
assert(matrix.block_edge(1000, "i32", 1 << 30) == 1000)
local D = reference.distance_matrix(road)
assert(matrix.close_streamed(D, {edge = 64}) and D:diff(all.matrix) == 0)
assert(explore(model.load(model.sample "philosophers"), {memory = "64 MiB"}).complete)
