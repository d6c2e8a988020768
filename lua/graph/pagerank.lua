-- PageRank: the stationary distribution of a random walk that follows a random out-edge with probability `damping`, and otherwise
-- jumps to a random vertex. Brin and Page 1998.
--
-- From a vertex without out-edges (a dangling vertex) the walk jumps to a random vertex. That needs no sum over dangling vertices in
-- every iteration: up to a factor, the ranks solve rank[v] = 1 + damping * sum of rank[u] / degree(u) over the edges u -> v, with or
-- without dangling vertices; at the end they are divided by their sum (Del Corso, Gulli, Romani 2005).

local algorithm = import "base/algorithm"
local named = import("base/loops").named
local pagerank

local OPTIONS = {damping = "number", tolerance = "number", max_iterations = {least = 1}, form = {"jacobi", "gauss_seidel"}}

local result = algorithm.results {
  name = "pagerank", buffers = {rank = "value"},
  show = function(r)
    local lines = {("PageRank of %s, damping %g: %s %s"):format(algorithm.counted(r.graph.n, "vertex", "vertices"), r.damping,
      r.converged and "settled after" or "NOT settled after", algorithm.counted(r.iterations, "iteration"))}
    for _, best in ipairs(r:top(8)) do
      lines[#lines + 1] = ("  %12.6g  %s"):format(best.rank, algorithm.vertex_text(r.graph, best.vertex))
    end
    return table.concat(lines, "\n")
  end,
  methods = {top = function(r, k) return algorithm.top(r.rank, k, "vertex", "rank") end},
}

-- On a GPU all iterations but the last are one launch, in which many threads sum the in-edges of a vertex that has many. Returns the
-- number of iterations, and how many elements of `rank` the last one changed.
local function in_one_launch(g, s, most)
  local pieces = g.n + g.m // 64
  local cut, part = buffer.new("u32", pieces + 1), buffer.new("f64", pieces)
  rank_cut(g, pieces, cut)
  local passes = 0
  if most > 1 then passes = named(rank_fix, s, {pieces = pieces, cut = cut, part = part, max_iterations = most - 1}).iterations end
  if passes < most - 1 then return passes, 0 end
  rank_share(s)
  rank_gather(s, {cut = cut, part = part})
  return passes + 1, rank_settle(s, {pieces = pieces, part = part})
end

-- The same iterations one by one, with the steps of Brin and Page. The ranks have the same bits.
local function step_by_step(_, s, most)
  local passes = 0
  for it in iterations(s) do
    rank_share(s)
    local moved = rank_pull(s)
    passes = passes + 1
    it:mark{moved = moved}
    if moved == 0 or passes == most then return passes, moved end
  end
end

-- Iterations in Gauss-Seidel order, until the sum of the changes in one of them is at most tolerance * the sum of ranks, the criterion of the
-- GAP benchmark (Beamer, Asanovic, Patterson 2015).
local function in_order(g, s, most)
  local change, sum = buffer.new("f64", g.n), buffer.new("f64", 1)
  local passes = 0
  rank_share(s)
  for it in iterations(s) do
    rank_sweep(s, {change = change})
    passes = passes + 1
    reduce(change, sum, 0)
    local changed = sum[0]
    reduce(s.rank, sum, 0)
    local moved = changed <= s.tolerance[0] * sum[0] and 0 or 1
    it:mark{change = sum[0] > 0 and changed / sum[0] or 0}
    if moved == 0 or passes == most then return passes, moved end
  end
end

local function is_fraction(x) return x >= 0 and x < 1 end
local function is_positive(x) return x > 0 and x < math.huge end

-- The value of an option, or its default.
local function number(options, name, else_it_is, what, holds)
  local x = options[name]
  if x ~= nil and not holds(x) then error(("pagerank: %s is %s, expected %s"):format(name, algorithm.described(x), what), 3) end
  return x or else_it_is
end

--- pagerank(g [, {damping = 0.85, tolerance = 1e-10, max_iterations = 1000}]): the PageRank of every vertex. Weights are ignored;
--- each of several parallel edges counts. r.rank is f64[n] with sum 1; r:top(k) lists the k vertices of
--- greatest rank; r.iterations, r.converged. The run ends after an iteration that has changed no rank by more than
--- tolerance * rank. damping is from 0 to less than 1. All devices compute the same bits. check(r) proves the ranks: one step of the
--- walk changes them, in sum, by 2 * tolerance at most. form = "gauss_seidel", only on CPUs: a vertex passes on its new rank at once, and
--- the run ends after an iteration that has changed the ranks by no more than tolerance in sum: half as many iterations, but the last bits
--- depend on the threads. r.variant is the form that ran.
function pagerank(g, options)
  algorithm.graph("pagerank", g)
  options = algorithm.options("pagerank", options, OPTIONS)
  local damping = number(options, "damping", 0.85, "a number from 0 to less than 1", is_fraction)
  local tolerance = number(options, "tolerance", 1e-10, "a number above 0", is_positive)
  local most = options.max_iterations or 1000

  local variant = algorithm.variant {cpu = "jacobi", cuda = "jacobi"}
  local form = variant:take(options.form)
  if form == "gauss_seidel" and not algorithm.on_cpu() then
    error(("pagerank: form is 'gauss_seidel', which only CPUs can run; the device is %s"):format(device().name), 2)
  end

  local s = state.pagerank(g)
  s.damping[0], s.tolerance[0] = damping, tolerance
  fill(s.rank, 1.0)
  local run = form == "gauss_seidel" and in_order or (algorithm.on_cpu() or session.stepped() or compare()) and step_by_step or in_one_launch
  local passes, moved = run(g, s, most)
  s.total[0] = s.rank:sum()
  rank_scale(s)
  return result({graph = g, rank = s.rank, iterations = passes, converged = moved == 0, damping = damping, tolerance = tolerance}, variant)
end

return pagerank
