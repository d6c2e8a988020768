-- prove: answers in every form in which programs give them; wrong ones are refused, and the vertex is named.
local g = graph.from_edges {{0, 1, 2}, {1, 2, 3}, {2, 0, 1}, {4, 5, 1}, {2, 3, 9}}
local dag = graph.from_edges {{0, 1, 2}, {1, 2, 3}, {0, 2, 4}}
local FAR = math.huge

local function refused(words, ...)
  local good, why = pcall(prove, ...)
  assert(not good, "it was not refused")
  assert(why:find(words, 1, true), why)
end

it("accepts right answers of each kind", function()
  for _, x in ipairs {{"scc", g, {7, 7, 7, 1, 2, 3}}, {"components", g, {5, 5, 5, 5, -2, -2}}, {"bfs", g, {0, 1, 2, 3, -1, -1}},
    {"bfs_parents", g, {0, 0, 1, 2, -1, -1}}, {"bfs_parents", g, {-1, 0, 1, 2, -1, -1}}, {"sssp", g, {0, 2, 5, 14, FAR, FAR}},
    {"sssp_parents", g, {0, 0, 1, 2, -1, -1}}, {"ocm", g, 2}, {"ocm", g, {value = 2, cycle = {0, 1, 2}}}, {"ocm", g, {cycle = {1, 2, 0}}},
    {"triangles", g, 1}, {"triangles", g, {1, 1, 1, 0, 0, 0}}, {"pagerank", g, pagerank(g).rank}, {"topological", dag, {0, 1, 2}},
    {"topological", dag, {1, 2, 3}}, {"kleene", dag, {0, 2, 5, -FAR, 0, 3, -FAR, -FAR, 0}}, {"apsp", dag, {0, 2, 4, -1, 0, 3, -1, -1, 0}},
    {"bfs", g, {1, 2, 0, 1, 9, 9}, {source = 2, unreached = 9}}, {"sssp", g, {1, 3, 0, 9, 0, 1}, {sources = {2, 4}}},
    {"ocr", g, 2}, {"ocm", dag, 0 / 0}} do
    equal(prove(table.unpack(x)), true)
  end
end)

it("refuses wrong ones, and names the vertex", function()
  refused("vertices 4 and 5", "scc", g, {7, 7, 7, 1, 2, 2})
  refused("0 and 4 have the label 0", "components", g, {1, 1, 1, 1, 1, 1})
  refused("vertex 2 has 1", "bfs", g, {0, 1, 1, 3, -1, -1})
  refused("there is no edge 1 -> 3", "bfs_parents", g, {0, 0, 1, 1, -1, -1})
  refused("lead into a cycle", "bfs_parents", g, {2, 0, 1, 2, -1, -1}, {source = 3})
  refused("vertex 3 has 13", "sssp", g, {0, 2, 5, 13, FAR, FAR})
  refused("vertex 3 has 2.5", "sssp", g, {0, 2, 5, 2.5, FAR, FAR})
  refused("but the least mean is 2", "ocm", g, 3)
  refused("there is none", "ocm", g, {cycle = {0, 2}})
  refused("the graph has no cycle", "ocm", dag, 3)
  refused("but there are 1", "triangles", g, 2)
  refused("vertex 2 has the count 2", "triangles", g, {1, 1, 2, 0, 0, 0})
  refused("the rank of vertex 1", "pagerank", g, {1, 0, 0, 0, 0, 0})
  refused("the edge 0 -> 1", "topological", dag, {1, 0, 2})
  refused("is at places 1 and 2", "topological", dag, {1, 1, 2})
  refused("in the graph with negated weights", "kleene", dag, {0, 2, 4, -FAR, 0, 3, -FAR, -FAR, 0})
  refused("the edge 0 -> 2 is shorter", "apsp", dag, {0, 2, 5, -1, 0, 3, -1, -1, 0})
  refused("a graph with a cycle", "topological", g, {0, 1, 2, 3, 4, 5})
  refused("expected 6 values", "scc", g, {1})
  refused("did you mean scc", "sccs", g, {})
  refused("No such file", "scc", g, "/nonexistent/x.txt")
  refused("unknown option", "scc", g, {1, 1, 1, 1, 1, 1}, {source = 1})
end)

it("says what is right there, if asked", function()
  refused("vertex 5: given 4, right 5", "scc", g, {7, 7, 7, 1, 2, 2}, {expected = true})
  refused("vertex 3: given 13, right 14", "sssp", g, {0, 2, 5, 13, 2147483647, 2147483647}, {expected = true})
  refused("row 0, column 2: given 5, right 4", "apsp", dag, {0, 2, 5, -1, 0, 3, -1, -1, 0}, {expected = true})
end)

it("tells a distance from a mark of the same number", function()
  local far = graph.from_edges {n = 4, {0, 1, 2147483646}, {1, 2, 1}}
  local _, line = prove("sssp", far, {0, 2147483646, 2147483647, -1})
  assert(line:find("unreached is -1", 1, true), line)
  equal(prove("sssp", far, {0, 2147483646, 2147483647, FAR}), true)
  local three = graph.from_edges {{1, 2, 1}, {2, 0, 2147483646}}
  equal(prove("apsp", three, {0, FAR, FAR, 2147483647, 0, 1, 2147483646, FAR, 0}), true)
  refused("vertex 2", "sssp", far, {0, 2147483646, 2147483647, 2147483647})
end)

it("reads files of each form", function()
  local name = os.tmpname()
  local function file(ending, text)
    local path = name .. ending
    local f = assert(io.open(path, "w"))
    f:write(text)
    f:close()
    return path
  end
  equal(prove("sssp", g, file(".txt", "0\n2\n5\n14\ninf\ninf\n")), true)
  equal(prove("sssp", g, file(".csv", "vertex,dist\n3,14\n0,0\n2,5\n1,2\n")), true) -- rows in any order; vertices without a row are unreached
  equal(prove("sssp", g, file(".csv", "1,0\n2,2\n3,5\n4,14\n5,-1\n6,-1\n")), true) -- vertices from 1
  equal(prove("sssp", g, file(".csv", "vertex,dist\n0,0\n1,2\n2,5\n3,14\n4,\n5,\n")), true)
  refused("rows 2 and 3 both have vertex 1", "sssp", g, file(".csv", "0,0\n1,2\n1,5\n"))
  refused("names vertex 6", "sssp", g, file(".csv", "0,0\n6,2\n"))
  equal(prove("ocm", g, file(".txt", "2\n")), true)
  equal(prove("ocm", graph.from_edges {{0, 1, 2}, {1, 0, 3}, {1, 1, 9}, {1, 2, 1}}, file(".txt", "5/2\n")), true)
  buffer.new("f32", {0, 2, 5, 14, FAR, FAR}):save(name .. ".npy")
  equal(prove("sssp", g, name .. ".npy"), true)
  for _, ending in ipairs {"", ".txt", ".csv", ".npy"} do os.remove(name .. ending) end
end)

it("proves an own kind of result by its check", function()
  local algorithm = import "base/algorithm"
  algorithm.results {name = "even_spec", show = function() return "" end, check = function(r)
    for i = 0, #r.x - 1 do
      if r.x[i] % 2 ~= 0 then return ("element %d is odd"):format(i) end
    end
  end}
  equal(prove("even_spec", g, {x = buffer.new("i32", {2, 4})}), true)
  refused("element 1 is odd", "even_spec", g, {x = buffer.new("i32", {2, 3})})
  refused("as a table", "even_spec", g, 5)
end)

it("agrees with our own results on random graphs", function()
  for seed = 1, 40 do
    local h = gen.uniform {n = 5 + seed, degree = 2, seed = seed, weights = "i32", lo = 0, hi = 9}
    equal(prove("scc", h, scc(h).id), true)
    equal(prove("components", h, components(h).id), true)
    local r = sssp(h, 0, {parents = true})
    equal(prove("sssp", h, r.dist), true)
    equal(prove("sssp_parents", h, r.parent), true)
    local b = bfs(h, 0)
    equal(prove("bfs", h, b.dist), true)
    equal(prove("bfs_parents", h, b.parent), true)
    local m = ocm(h)
    equal(prove("ocm", h, m.mean or 0 / 0), true)
    equal(prove("apsp", h, apsp(h).matrix), true)
    equal(prove("triangles", h, triangles(h).at), true)
  end
end)
