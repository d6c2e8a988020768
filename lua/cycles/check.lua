-- The proof of cycle means and ratios.

local algorithm = import "base/algorithm"
local cycle = import "cycles/cycle"
local proof = import "base/proof"
local prove_cycles = import "cycles/certificate_cycle"

local expected, DISAGREE, no_graph, no_buffer, no_count = proof.expected, proof.DISAGREE, proof.no_graph, proof.no_buffer, proof.no_count
local no_flag, on_device, real, edges = proof.no_flag, proof.on_device, proof.real, proof.edges
local described = algorithm.described

-- r.mean must be p / q / scale up to a few rounding errors; p / q itself is proved in C.
local function wrong_mean(r)
  local want = r.p / r.q / r.graph.scale
  if not (type(r.mean) == "number" and math.abs(r.mean - want) <= math.abs(want) * 0x1p-50) then
    return ("lambda = %d/%d, but the mean given is %s"):format(r.p, r.q, described(r.mean))
  end
end

local function no_potentials(r)
  local n = r.graph.n
  local wide = no_buffer(r, "potential", {"u64"}, 2 * n)
  if not wide or not no_buffer(r, "potential", real(r.graph) and {"i64", "f64"} or {"i64"}, n) then return end
  return expected(("u64[%d] or i64[%d]%s"):format(2 * n, n, real(r.graph) and (" or f64[%d]"):format(n) or ""), "potential", r.potential)
end

-- What is wrong with the mean in a result of ocm or ocr.
local function wrong_value(r)
  if not real(r.graph) then
    return no_count(r, "p", math.mininteger, math.maxinteger) or no_count(r, "q", math.mininteger, math.maxinteger) or wrong_mean(r)
  end
  local mean = r.mean
  if not (type(mean) == "number" and math.abs(mean) < math.huge) then return expected("a finite number", "mean", mean) end
end

local function wrong_unit(r)
  local unit = rawget(r, "unit")
  if unit ~= nil and not (type(unit) == "number" and unit > 0 and unit < math.huge) then
    return expected("a positive finite number", "unit", unit)
  end
end

-- Proved by a closed walk with the claimed mean, and by potentials that show that no cycle is better; if the result claims that
-- there is no cycle, by an order of the vertices. If r.cycle and r.potential have not been read yet, the proof on the device uses the
-- cycle and the values that the run left, so that they need not be computed sequentially.
function proof.of.ocm(r)
  local why = no_graph(r, "graph") or no_flag(r, "max") or no_flag(r, "ratio")
  if why then return why end
  local g = r.graph
  local device = on_device("cycle") and not real(g)
  local claim = device and cycle.claim(r)
  local list = claim and claim.cycle or r.cycle
  if r.scale ~= nil and r.scale ~= g.scale then return expected(("the graph's scale, %g"):format(g.scale), "scale", r.scale) end
  if list == nil or real(g) then
    for _, key in ipairs {"p", "q", list == nil and "mean" or nil} do
      if r[key] ~= nil then return expected(list == nil and "nil, as there is no cycle" or "nil, as weights are real", key, r[key]) end
    end
  end
  if list == nil then
    if not (on_device("acyclic") and prove_cycles.acyclic(g)) then reference.check_cycle(r) end
    return
  end
  why = not claim and no_buffer(r, "cycle", {"u32"}) or wrong_value(r) or claim and wrong_unit(r)
  if why then return why end
  if claim then
    local whole = {graph = g, max = r.max, ratio = r.ratio, p = r.p, q = r.q, cycle = list, potential = claim.guess, region = claim.region}
    local good, proved = pcall(prove_cycles.cycle, g, whole) -- if it fails, the sequential proof below says why
    if good and proved then return end
  end
  if r.potential == nil then return "the result has no potentials" end
  why = no_potentials(r) or wrong_unit(r)
  if why then return why end
  local proved
  if device and r.potential.dtype == "i64" then proved = prove_cycles.cycle(g, r) end
  if proved then return end
  reference.check_cycle(r)
  if proved == false then return DISAGREE end
end

proof.says.ocm = function(r)
  if not r.mean then return edges(r) .. ", and no cycle" end
  return ("%s has this mean, and by the potentials of %s no cycle has a %s one"):format(rawget(r, "cycle") and "r.cycle" or "a cycle",
    edges(r), r.max and "greater" or "lower")
end
