-- What belongs together: strong and weak components by several algorithms, PageRank, triangles.
local g = graph.load("samples/city.gr")
local r = scc(g)
assert(r.count == 461 and r.sizes:max() == 4860 and r.id.dtype == "u32" and check(r))
assert(r.condensation.n == 461 and scc(r.condensation).count == 461)
for _, f in ipairs{scc.fast, scc.forward_backward, scc.maxima} do
  local other = f(g)
  assert(other.count == 461 and other.sizes:max() == 4860 and check(other))
end
assert(r.variant and r.kind and r.graph == g)
r:show()

local id, count = reference.tarjan(g)
assert(count == 461 and reference.check_scc(g, id))
assert(g:class_sizes(r.id):max() == 4860)
assert(g:quotient(r.id).n == 461)

local weak = components(g)
assert(weak.count == components(g:reverse()).count and weak.sizes:sum() == g.n and check(weak))
local least, pieces = reference.components(g)
assert(pieces == weak.count and weak.id:diff(least) == 0 and reference.check_components(g, weak.id, true))

local rank = pagerank(g, {damping = 0.85, tolerance = 1e-9})
assert(rank.converged and rank.iterations > 1 and math.abs(rank.rank:sum() - 1) < 1e-9 and check(rank))
assert(reference.check_pagerank(g, rank.rank, 0.85, 1e-6))
local best = rank:top(3)
assert(#best == 3 and best[1].vertex == rank.rank:top(1)[1].i)
local slow, steps = reference.pagerank(g)
assert(math.abs(slow[0] - rank.rank[0]) < 1e-6 and steps > 1)

local t = triangles(gen.complete(6))
assert(t.count == 20 and t.at[0] == 10 and #t:top(2) == 2 and check(t))
assert(reference.triangles(gen.complete(6)):sum() == 60)
