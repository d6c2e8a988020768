-- Certificates: every result of an algorithm can be proved right by a route that shares nothing with how it
-- was found. One entry a kind of result.
local certificates = {}

-- Equal labels are the same component: searches inside each, an elimination order between them.
function certificates.scc(r)
  local _, count = reference.tarjan(r.graph)
  if r.count and r.count ~= count then
    error(("components: the result counts %d, there are %d"):format(r.count, count), 3)
  end
  if r.sizes and #r.sizes ~= count then
    error(("components: the result has %d sizes, there are %d components"):format(#r.sizes, count), 3)
  end
  if r.sizes and r.sizes:sum() ~= r.graph.n then
    error(("components: the sizes add up to %d, n = %d"):format(r.sizes:sum(), r.graph.n), 3)
  end
  return reference.check_scc(r.graph, r.id)
end

-- Triangle inequality on every edge, a tight path to every reached vertex, a tree of tight edges.
function certificates.sssp(r) return reference.check_sssp(r.graph, r.source, r.dist, r.parent) end

-- The same for every row.
function certificates.fw(r) return reference.check_fw(r.graph, r.matrix, r.tolerance) end

-- A closed walk of the mean that is claimed, and potentials that no edge beats; or that there is no cycle.
function certificates.ocm(r)
  if r.p and math.abs(r.mean - r.p / r.q / r.graph.scale) > math.abs(r.mean) * 1e-15 then
    error(("lambda = %d/%d, but the mean given is %.17g"):format(r.p, r.q, r.mean), 3)
  end
  return (reference.check_cycle(r))
end

--- check(r): is the result r of an algorithm right? Returns true, or raises an error that names the first
--- violation. The proof is independent of the algorithm and nearly linear: components by searches inside each
--- and an elimination order between them, distances by triangle inequalities and tight paths, cycle means by
--- potentials.
function check(r)
  local kind = type(r) == "table" and r.kind or nil
  local certificate = kind and certificates[kind]
  if certificate then return certificate(r) end
  local known = {}
  for name in pairs(certificates) do known[#known + 1] = name end
  table.sort(known)
  error(("check: expected the result of an algorithm (%s), got %s"):format(
    table.concat(known, ", "), kind and ("one of kind '%s'"):format(kind) or "a " .. type(r)), 2)
end
