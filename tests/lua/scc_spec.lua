-- Components: both algorithms on degenerate graphs, the fields of a result, and stepped against free runs.
local function partition(id)
  local first, out = {}, {}
  for v = 0, #id - 1 do
    first[id[v]] = first[id[v]] or v
    out[v + 1] = first[id[v]]
  end
  return out
end

local shapes = {
  nothing = graph.from_edges {n = 0}, ["one vertex"] = graph.from_edges {n = 1}, loop = graph.from_edges {{0, 0}},
  ["lone vertices"] = graph.from_edges {n = 5}, ["parallel edges"] = graph.from_edges {{0, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 2}},
  ["a long ring"] = gen.ring {n = 30000}, ["a long path"] = gen.path {n = 20000}, star = gen.star {n = 20000},
  ["an inward star"] = gen.star {n = 20000, inward = true}, ["many rings"] = gen.copies(gen.ring {n = 3}, 20000),
  ["few rings"] = gen.copies(gen.ring {n = 3}, 200), ["pairs in a row"] = gen.copies(gen.complete {n = 2}, 9000), ["one-way streets"] = gen.grid {60, 60, one_way = 0.69, seed = 1},
  ["two-way streets"] = gen.grid {90, 90}, ["a one-way torus"] = gen.torus {40, 40, one_way = 1, seed = 2},
  ["a giant component"] = gen.uniform {n = 20000, m = 90000, seed = 3}, ["hardly any"] = gen.uniform {n = 9000, m = 10000, seed = 4},
  ["R-MAT"] = gen.rmat {scale = 13, degree = 8, seed = 5}, ["a DAG"] = gen.dag {n = 9000, m = 40000, seed = 6},
}

for _, name in ipairs(processors) do
  describe("on " .. name .. ",", function()
    device(name)
    for shape, g in pairs(shapes) do
      it("components of " .. shape, function()
        local want, count = reference.tarjan(g)
        want = partition(want)
        for _, run in ipairs {scc, scc.fast, scc.forward_backward} do
          -- excluded because the textbook algorithm takes too many steps: one per layer, and one per round that removes one component per region
          if run ~= scc.forward_backward or not (shape == "a long ring" or shape == "many rings" or shape == "pairs in a row") then
            local r = run(g)
            equal({r.count, r.kind, #r.id}, {count, "scc", g.n})
            equal(partition(r.id), want)
            equal(check(r), true)
            -- a representative belongs to its own component
            for v = 0, g.n - 1, 7 do equal(r.id[r.id[v]], r.id[v]) end
          end
        end
      end)
    end
  end)
end
device("auto")

describe("a result", function()
  local g = graph.from_edges {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 4}, {4, 2}, {4, 2}, {5, 0}}
  local r = scc(g)
  it("has sizes in all", function()
    local sizes = r.sizes:totable()
    table.sort(sizes)
    equal(sizes, {1, 2, 3})
  end)
  it("has a condensation", function()
    local c = r.condensation
    equal({c.n, c.m}, {3, 2})
    equal(scc(c).count, 3)
    assert(r.condensation == c)
  end)
  it("prints what a person wants first", function()
    local text = tostring(r)
    assert(text:find("3 strongly connected components of 6 vertices", 1, true), text)
    for _, part in ipairs {"1 of 3 vertices", "1 of 2 vertices", "1 of 1 vertex"} do assert(text:find(part, 1, true), text) end
    equal(r.no_such_field, nil)
  end)
  it("is refused by check once it is wrong", function()
    local bad = scc(g)
    bad.id[5] = bad.id[0]
    raises("components", check, bad)
    bad = scc(g)
    bad.count = 4
    raises("the result counts 4, but there are 3", check, bad)
  end)
end)

it("the edges' order and the vertices' names do not matter", function()
  local g = gen.rmat {scale = 11, degree = 4, seed = 9}
  local _, count = reference.tarjan(g)
  for seed = 1, 5 do equal(scc(g:permute(seed)).count, count) end
  equal(scc(g:reverse()).count, count)
  equal(scc(g:symmetrize()).count, g:stats().weak)
end)

it("what is no graph is refused", function()
  raises("scc: expected a graph, got number", scc, 5)
  raises("scc: expected a graph, got nil", scc.forward_backward)
  local g = graph.from_edges {{0, 1}}
  g:close()
  raises("closed", scc, g)
end)

it("takes a table of options without any", function()
  local g = gen.ring {5}
  for _, f in ipairs {scc, scc.fast, scc.maxima, scc.forward_backward} do
    equal(f(g, {}).count, 1)
    raises("from is 5, expected the name of a checkpoint's file", f, g, {from = 5})
  end
end)
