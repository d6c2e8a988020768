-- Each generator, small: sizes, and that a seed gives the same graph again.
local rmat = gen.rmat{scale = 6, degree = 8, seed = 1, weights = "i32", lo = 1, hi = 255}
assert(rmat.n == 64 and rmat.m == 512 and rmat.w:min() >= 1 and rmat.w:max() <= 255)
assert(gen.rmat{scale = 6, degree = 8, seed = 1, weights = "i32", lo = 1, hi = 255}.to:digest() == rmat.to:digest())
assert(gen.rmat{scale = 5, a = 0.25, b = 0.25, c = 0.25, d = 0.25, degree = 2}.m == 64)

assert(gen.uniform{n = 100, m = 300, seed = 2}.m == 300)
assert(gen.uniform{n = 100, degree = 4}.m == 400)
assert(gen.power_law{n = 200, degree = 4, exponent = 2.5, seed = 3}.n == 200)

local dag = gen.dag{n = 50, m = 120, seed = 1}
assert(scc(dag).count == 50 and gen.dag{n = 50, degree = 2}.m == 100)

assert(scc(gen.ring(9)).count == 1 and gen.ring(9).m == 9)
assert(gen.path(9).m == 8 and gen.path{9, weights = "f32"}.w.dtype == "f32")
assert(gen.star(9):degree(0) == 8 and gen.star{9, inward = true}:indegree(0) == 8)
assert(gen.complete(5).m == 20)

assert(gen.grid{4, 5}.m == 2 * (4 * 4 + 3 * 5))
local one_way = gen.grid{4, 5, one_way = 1, seed = 5}
assert(one_way.m == 4 * 4 + 3 * 5)
assert(gen.torus{4, 5}.m == 4 * 20)
local road = gen.road{n = 400, weights = "i32", lo = 1, hi = 1000, seed = 1}
assert(components(road).count == 1)
assert(gen.copies(gen.ring(3), 4).n == 12)

local timed = gen.ring{5, weights = {2, 2}, times = {3, 3}}
assert(timed.w:sum() == 10 and timed.t:sum() == 15)

local clients = gen.clients{{name = "eye", {"look", 1}, {"see", 2}}, {{"rest", 9}}}
assert(clients.n == 2 and clients:move(0, 1) == "eye: look")
local shared = {{name = "a", count = 2, {"think", 1}, {"print", 4, time = 2, server = true}}}
assert(gen.clients(shared).t ~= nil)
