-- A script for any number of ranks: each computes its part and exchanges it; in one process it gives the same.
local n = 1000
local first, past = ranks.range(n)
assert(ranks.count >= 1 and ranks.rank < ranks.count and ranks.transport and ranks.owner(n, first) == ranks.rank)
local x = buffer.new("i64", n)
for i = first, past - 1 do x[i] = i * i end
all_gather(x, first, past)
assert(x:sum() == (n - 1) * n * (2 * n - 1) // 6)

local most = buffer.new("i32", {ranks.rank, -ranks.rank})
all_reduce(most, 2)
assert(most[0] == ranks.count - 1 and most[1] == 0)
reduce_scatter(x:copy(), first, past, 1)
local p = ranks.beside(broadcast, x, 0)
p:wait()
local bounds, starts = buffer.new("u64", ranks.count + 1), buffer.new("u64", ranks.count + 1)
local y = buffer.new("i32", ranks.count)
for r = 0, ranks.count do bounds[r] = r end
all_to_all(buffer.new("i32", ranks.count):fill(ranks.rank), bounds, y, starts)
for r = 0, ranks.count - 1 do assert(y[r] == r) end

assert(ranks.sum(1) == ranks.count and ranks.greatest(ranks.rank) == ranks.count - 1 and #ranks.gathered(5) == ranks.count)
assert(ranks.together(function() return 7 end) == 7 and ranks.route())
assert(#ranks.concatenate(x, first, past - first) == n)
ranks.on_host(function() return buffer.new("u32", 4) end)

local g = gen.rmat{scale = 7, degree = 4, seed = 2, weights = "i32"}
local part = g:partition()
assert(bfs(part, 0).dist:diff(bfs(g, 0).dist) == 0 and sssp(part, 0).dist:diff(sssp(g, 0).dist) == 0)
assert(scc(part).count == scc(g).count and ocm(part).mean == ocm(g).mean)
assert(ranks.compare(scc, part).count == scc(g).count)
local own = buffer.new("u32", g.n)
ranks.halo(part, own)
ranks.halo_reduce(part, own, 2)
ranks.share(part, own)
assert(own:sum() == 0 and ranks.part(part).whole and ranks.part(g) == nil)

g:save(("web%d.lsg"):format(ranks.rank))
assert(graph.load_part(("web%d.lsg"):format(ranks.rank)).n == g.n)
assert(#ranks.stats() == ranks.count and ranks.known())
