-- The certificate of an optimal cycle mean or ratio of integer weights, on the present device: a closed walk attains p/q, and potentials
-- show that no cycle is better (kernels/cycles/prove_potentials.h). Results for real weights are proved only sequentially, by
-- reference.check_cycle, because sums of f64 are too inexact.

local algorithm = import "base/algorithm"
local levels = import("graph/certificate_components").levels
local prove_cycles = {}

local MOST = 2.0 ^ 125 -- n (q max|w| + |p| max t) must be less than this: beyond 2^126 reference.check_cycle refuses the proof

-- The greatest |x|, as a real.
local function greatest(x)
  if #x == 0 then return 1.0 end
  local low, high = algorithm.reduced(x, 1), algorithm.reduced(x, 2)
  return math.max(math.abs(low[0] + 0.0), math.abs(high[0] + 0.0))
end

-- prove_cycles.cycle(g, r): is p/q the optimal cycle mean or ratio of g? r has p, q, max, ratio, cycle, potential (i64; nil: all 0) and
-- region (nil: the potentials must hold on all edges), where region[v] is a vertex of v's component. Raises an error if the cycle is not
-- closed or does not have the mean p/q. Returns true; or false if the potentials prove nothing; or nil if that is undecided here.
function prove_cycles.cycle(g, r)
  local w, t = algorithm.widened(algorithm.weights(g), "i64"), r.ratio and g.t and algorithm.widened(g.t, "i64") or buffer.new("i64", 0)
  if g.n * (r.q * greatest(w) + math.abs(r.p + 0.0) * greatest(t)) >= MOST then return nil end
  reference.check_walk(r)
  local same = buffer.new("u32", g.n)
  local args = {w = w, t = t, timed = #t, ratio = buffer.new("i64", {r.p, r.q}), greatest = r.max and 1 or 0, id = same,
    level = same, d = r.potential or buffer.new("i64", g.n)}
  if prove_potentials(g, args) == 0 then return true end
  if not r.region then return false end
  args.id, args.level = r.region, levels(g, r.region)
  return args.level and prove_potentials(g, args) == 0 or nil
end

-- prove_cycles.acyclic(g): true if g has no cycle; nil if that is undecided here.
function prove_cycles.acyclic(g)
  local own, none = state.components(g).comp, buffer.new("i64", 0)
  local level = levels(g, own)
  if not level then return nil end
  -- p/q = 1/0: no edge satisfies the inequality, so each edge must lead to a greater level
  local args = {w = buffer.new("i64", g.m), t = none, timed = 0, ratio = buffer.new("i64", {1, 0}), greatest = 0, id = own, level = level,
    d = buffer.new("i64", g.n)}
  return prove_potentials(g, args) == 0 or nil
end

return prove_cycles
