-- Components: both algorithms on degenerate graphs, the fields of a result, and stepped runs compared with free runs.
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
          -- on these shapes the textbook algorithm takes too many steps: one per layer, or one round per component of a region
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

describe("sizes of classes", function()
  -- Of every 280 vertices, the 40 multiples of 7 form one class; all other vertices are in one giant class, to which most threads
  -- add at the same time. The n vertices are divided into several pieces per thread.
  local n = sized(300000, 100000)
  local g, id, size, giant = graph.from_edges {n = n}, {}, {}, n // 2
  for v = 0, n - 1 do
    local class = v % 7 ~= 0 and giant or (v // 280) * 280
    if v == giant then class = giant end
    id[v + 1] = class
    size[class] = (size[class] or 0) + 1
  end
  -- the first of each 280 vertices is a multiple of 7, and represents its class
  it("are those of a count in sequence, in the order of the representatives", function()
    local want = {}
    for class = 0, n - 1 do want[#want + 1] = size[class] end
    equal(g:class_sizes(buffer.new("u32", id)):totable(), want)
  end)
  it("are not those of labels that are no classes: the first is named", function()
    local bad = buffer.new("u32", id)
    bad[n - 5], bad[70007], bad[n - 2] = n + 3, 1, n - 3
    raises("vertex 70007 has class 1, but a class must have the number of one of its vertices", g.class_sizes, g, bad)
  end)
  it("are shown by size: how many classes have it", function()
    local sizes, times, different = {}, {}, {}
    for k = 1, 200000 do sizes[k] = k % 5 == 0 and k % 23 or k % 10 == 1 and 70000 + k % 3 or 1 end
    for _, x in ipairs(sizes) do
      if not times[x] then different[#different + 1] = x end
      times[x] = (times[x] or 0) + 1
    end
    table.sort(different, function(a, b) return a > b end)
    local want, b = {}, buffer.new("u32", sizes)
    for k = 1, 8 do want[2 * k - 1], want[2 * k] = different[k], times[different[k]] end
    equal({algorithm.tally(b, 8)}, {want, #different})
    equal({algorithm.tally(b, 0)}, {{}, #different})
    equal({algorithm.tally(buffer.new("u32", 0), 8)}, {{}, 0})
    equal({algorithm.tally(buffer.new("u32", {5}), 8)}, {{5, 1}, 1})
    local page = algorithm.sizes_page("title", b)
    assert(page:find(("^title\n  %9d of 70002 vertices\n"):format(times[70002])), page)
    assert(page:find("\n  and smaller ones, of " .. #different - 8 .. " sizes$"), page)
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
