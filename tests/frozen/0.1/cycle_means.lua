-- What a system costs per step in the long run: a shared server, by policy iteration and by the algorithms before it.
local g = gen.clients{{name = "eye", {"look", 1}, {"see", 2}}, {{"rest", 9}}}
local r = ocm(g)
assert(r.p == 3 and r.q == 2 and r.mean == 1.5 and #r.cycle == 2 and check(r))
assert(#r.potential > 0 and r:dot():find "digraph" and r:critical():sum() == 2)
assert(r:slack():min() == 0 and #r:actions() == 2)
local change = r:sensitivity(r.cycle[0])
assert(change.fall >= 0 and change.rise >= 0)
r:show()
assert(ocm(g, {max = true}).p == 9)
assert(ocm(gen.path(4)).p == nil)

for _, form in ipairs{"layered", "doubling", on_cpu() and "paths" or nil} do assert(ocm(g, {form = form}).mean == 1.5, form) end
assert(ocm(g, {components = "one by one"}).mean == 1.5 and ocm(g, {components = "bridged"}).mean == 1.5)
assert(ocm.howard(g).mean == 1.5 and #ocm.components(g) == 1)

local timed = graph.from_edges{{0, 1, 6, 1}, {1, 0, 4, 3}, {1, 2, 1, 1}, {2, 1, 1, 4}}
local ratio = ocr(timed)
assert(ratio.p == 2 and ratio.q == 5 and check(ratio) and ocr.howard(timed).p == 2)
assert(ocm(timed, {ratio = true}).q == 5 and ocr(timed, {max = true}).mean == 2.5)
reference.check_times(timed)

for _, name in ipairs{"howard", "yto", "lawler", "karp", "hartmann_orlin"} do
  assert(reference[name](g).p == 3, name)
end
local p, q = reference.ratio(g, r.cycle)
assert(p == 3 and q == 2 and reference.check_cycle(r))
assert(#reference.potentials(r) > 0 and #reference.slack(r) == g.m)
local mask = reference.critical(r)
assert(mask:sum() == 2 and reference.sensitivity(r, r.cycle[0], mask))

-- by hand, as in the paper's listing
local s = policy.new(g)
policy.start(s)
for _ = 1, 20 do
  policy.evaluate(s)
  if policy.improve(s) == 0 then break end
end
local improved, _, iterated = policy.iterate(policy.new(g), 20, true)
assert(improved >= 0 and iterated >= 1 and policy.in_one_piece(policy.new(g)) ~= nil)
assert(policy.new(g, {max = true}).sign == -1)
assert(policy.bridged(g).bridged)
