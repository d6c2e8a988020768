-- Primitives one by one, as at a prompt: each family's own steps instead of the algorithm that is shipped.
local g = gen.grid{5, 6, one_way = 0.6, seed = 3, weights = {1, 9}}

-- strong components: forward and backward searches, then the same by maxima
local s = state.scc(g)
repeat
  fixpoint(trim, s)
  fill(s.vote, 0)
  pick_pivots(s)
  local live = new_regions(s)
  copy_queue(s)
  reach_forward_fix(s)
  reach_backward_fix(s)
  split(s)
until live == 0
local count = count_components(s)
assert(count == scc(g).count and count == select(2, reference.tarjan(g)))
local by_maxima = state.scc(g)
scc.trim_chains(by_maxima)
local edges = residual(by_maxima)
reset_max(by_maxima)
repeat
  if edges > 0 then
    propagate_max_fix(by_maxima)
    edges = remove_edges(by_maxima)
  end
  local live = settle_max(by_maxima)
  prim.swap(by_maxima.edges, by_maxima.edges_next)
until live == 0
assert(count_components(by_maxima) == count)

-- weak components, distances by passes over all edges, PageRank
local weak = state.components(g)
while hook(weak) > 0 do shortcut_fix(weak) end
assert(count_components(weak) == components(g).count)
local d = state.sssp(g, {type = "i32"})
d.dist[0] = 0
local improved, passes = relax_fix(g, d)
assert(improved > 0 and passes > 1 and relax(g, d) == 0 and d.dist:diff(sssp(g, 0).dist) == 0)
local again = state.sssp{n = g.n, type = "i32"}
again.dist[0], again.front[0], again.front[1] = 0, 1, 0
assert(named(near_far, g, again, {delta = 4, cutoff = 1000}).iterations > 0 and again.dist:diff(d.dist) == 0)

local rank = state.pagerank(g)
rank.damping[0], rank.tolerance[0] = 0.85, 1e-10
fill(rank.rank, 1.0)
repeat rank_share(rank) until rank_pull(rank) == 0
rank.total[0] = rank.rank:sum()
rank_scale(rank)
assert(rank.rank:diff(pagerank(g).rank) == 0)

-- one step of Floyd and Warshall per vertex
local D, overflow = reference.distance_matrix(g), buffer.new("u32", 1)
for k = 0, g.n - 1 do fw_step(D, overflow, k, 1) end
assert(overflow[0] == 0 and D:diff(fw(g).matrix) == 0)
