-- Optimal cycle mean and ratio by Howard's policy iteration: Barnat, Bauch, Brim, Češka 2011, Algorithm 3, in every
-- strongly connected component at once (section 3.3).

ocm = {}

local TOLERANCE = 1e-12 -- of reals, in terms of the greatest weight
local PATIENCE = 50     -- how many iterations of reals may leave lambda as it is

-- The best of all regions: lambda = p / q of the (perhaps negated) weights, or nil where no region has a cycle.
local function optimum(p)
  local s = p.state
  s.optimum[0] = 0
  if policy_optimum(s) == 0 then return nil end
  local best = s.optimum[0] - 1
  return s.p[best], s.q[best], best
end

-- Policy iteration on p until nothing improves. Returns false where a sum left its range.
local function iterate(p)
  local s, lambda, since = p.state, math.huge, 0
  if p.edges.w.dtype == "f64" and #p.edges.w > 0 then
    s.slack[0] = TOLERANCE / 2 * math.max(math.abs(p.edges.w:min()), math.abs(p.edges.w:max()))
  end
  policy_first(s, p.edges)
  for it in iterations(s) do
    local cycles = policy.evaluate(p)                    --  4 to 14
    local improved = policy.improve(p)                   --  2  SPFPassIter
    local before = lambda
    if cycles > 0 then
      local a, b = optimum(p)
      lambda = a and p.sign * a / b
    end
    it:mark{improved = improved, cycles = cycles, lambda = lambda}
    since = lambda == before and since + 1 or 0
    if s.overflow[0] ~= 0 then return false end
    if improved == 0 or (since >= PATIENCE and s.slack[0] > 0) then return true end
  end
end

local result = {__name = "ocm"}

local function found(g, p, options)
  local a, b, best = optimum(p)
  local r = {kind = "ocm", graph = g, max = options.max or false, ratio = options.ratio or false, policy = p}
  if a then
    local real = p.edges.w.dtype == "f64"
    r.mean = p.sign * a / b / g.scale
    r.root = p.state.root[best]
    if not real then r.p, r.q = p.sign * a, b end
  end
  return setmetatable(r, result)
end

--- ocm.howard(g, options): Howard's policy iteration. options: max, ratio; form = "doubling" or "layered" (the
--- paper's, one pass a layer); summary = false leaves the predecessor summary of the layered form out.
function ocm.howard(g, options)
  options = options or {}
  local p = policy.new(g, options)
  p.form, p.summary = options.form, options.summary == false and 0 or 1
  if not iterate(p) then
    error("ocm: a sum left 62 bits", 2)
  end
  return found(g, p, options)
end

setmetatable(ocm, {__call = function(_, g, options) return ocm.howard(g, options) end})
