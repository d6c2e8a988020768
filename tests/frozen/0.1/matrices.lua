-- Matrices over semirings: closures, products, and the dense algorithms built on them.
local g = graph.from_edges{{0, 1, 3}, {1, 2, 4}, {0, 2, 9}, {2, 3, 1}}
local A = matrix.of(g)
assert(A:get(0, 1) == 3 and A:get(2, 2) == 0)
assert(product(A, A):get(0, 2) == 7 and power(A, 3):get(0, 3) == 8 and power(A, 0):get(1, 1) == 0)
assert(sum(A, product(A, A)):get(0, 2) == 7)
local C = closure(A)
assert(C:get(0, 3) == 8 and reference.closure(A):diff(C) == 0)

local longest = closure(matrix.of(g, {semiring = "max-plus"}), {semiring = "max-plus"})
assert(longest:get(0, 3) == 10)
local widest = closure(matrix.of(g, {semiring = "max-min"}), {semiring = "max-min"})
assert(widest:get(0, 2) == 9)
local ways = matrix.of(graph.from_edges{{0, 1}, {0, 2}, {1, 3}, {2, 3}, n = 4}, {semiring = "plus-times", dtype = "i64"})
assert(power(ways, 2, {semiring = "plus-times"}):get(0, 3) >= 2)
assert(matrix.semiring "max-plus".row and matrix.semiring().zero)
assert(matrix.diagonal(A):sum() == 0 and matrix.graph(A).m == 4)
assert(matrix.identity("i32", 3):get(0, 0) == 0)

local r = fw(g, {successors = true})
assert(r:get(0, 3) == 8 and table.concat(r:path(0, 3), " ") == "0 1 2 3" and r.successor:get(0, 3) == 1 and check(r))
for _, form in ipairs{"textbook", "tiles", "blocked", "recursive", "mm", "two-level"} do
  assert(fw(g, {form = form}).matrix:diff(r.matrix) == 0, form)
end
assert(table.concat(matrix.path(g, r.matrix, 0, 3), " ") == "0 1 2 3")
assert(matrix.successors(g, r.matrix):get(0, 2) == 1)
assert(reference.floyd_warshall(g):diff(r.matrix) == 0 and reference.check_fw(g, r.matrix))
local D = reference.distance_matrix(g)
assert(matrix.close(D, g.n, {}) and D:diff(r.matrix) == 0)
assert(fw(gen.ring(8), {dtype = "i16"}).matrix.dtype == "i16")
local stripe = fw.stripe(g)
assert(stripe.first == 0 and stripe.past == 4 and stripe.stripe:min() == 0 and stripe:gather():get(0, 3) == 8)

local k = kleene(g)
assert(k:get(0, 3) == 10 and #k:path(0, 3) == 3 and check(k) and reference.kleene(g):diff(k.matrix) == 0)
assert(kleene(g, {form = "updates"}).matrix:diff(k.matrix) == 0)
local order, place, left = kleene.order(g)
assert(order[0] == 0 and place[3] == 3 and left == 0)

assert(fw.tune(8192, {device = "GTX 280"}).l > 0)
assert(fw.occupancy("GTX 280", {threads = 64, registers = 40, shared = 2232}) == 12)
