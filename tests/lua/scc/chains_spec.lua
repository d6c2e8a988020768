-- Trimming whole chains by pointer doubling: removes all of a path, nothing of a ring, and the tails of a ring with tails.
describe("trimming chains", function()
  local function trimmed(g)
    local s = state.scc(g)
    scc.trim_chains(s)
    return s.comp:count(function(c) return c ~= 0xffffffff end)
  end
  it("takes paths of every length whole", function()
    for n = 1, 130 do equal(trimmed(gen.path(n)), n) end
  end)
  it("leaves rings of every length alone", function()
    for n = 2, 130 do equal(trimmed(gen.ring(n)), 0) end
  end)
  it("takes a ring's tails", function()
    local edges = {n = 20}
    for v = 0, 9 do edges[#edges + 1] = {v, (v + 1) % 10} end
    for v = 10, 13 do edges[#edges + 1] = {v, v + 1} end
    edges[#edges + 1] = {14, 0} -- a path 10 .. 14 into the ring
    edges[#edges + 1] = {5, 15} -- a path 15 .. 19 out of the ring
    for v = 15, 18 do edges[#edges + 1] = {v, v + 1} end
    equal(trimmed(graph.from_edges(edges)), 10)
  end)
  it("is what a deep graph's components begin with", function()
    for _, g in ipairs {gen.path(200000), gen.ring(200000), gen.copies(gen.ring(50000), 3)} do
      equal(check(scc(g)), true)
    end
  end)
end)
