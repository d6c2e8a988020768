-- A first look: the sample city, its strongly connected components, and the proof that they are right.
-- A component is a set of crossings such that one can drive from each of them to every other one.
local here = arg[0]:match("^(.*/)") or ""

g = graph.load(here .. "city.gr")
print(g)
r = scc(g)
r:show()
print(("on %s: certificate %s"):format(device().name, check(r) and "holds" or "fails"))
print("g is the graph and r the result.  At the prompt: stats   help   start scc(g)   step   ?trim")
