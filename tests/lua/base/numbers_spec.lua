-- Vertices are numbered from 0 in arguments and results; if the file numbers them differently, texts show both numbers.

-- A graph in a .gr file, whose vertices are numbered from 1.
local function loaded(text)
  local g
  with_file(".gr", text, function(path) g = graph.load(path) end)
  return g
end

local function has(text, part) assert(tostring(text):find(part, 1, true), ("%q is not in %s"):format(part, tostring(text))) end
local function has_not(text, part) assert(not tostring(text):find(part, 1, true), ("%q is in %s"):format(part, tostring(text))) end

describe("vertices of a file that counts from 1", function()
  local g = loaded "p sp 4 5\na 1 2 3\na 2 3 4\na 3 1 5\na 3 4 1\na 1 4 100\n"
  local note = "(vertex v is v + 1 in the file)"

  it("g:vertex is the inverse of g:label", function()
    for v = 0, g.n - 1 do equal(g:vertex(g:label(v)), v) end
    raises("g:vertex: no vertex has the label 0: the labels are 1 .. 4", g.vertex, g, 0)
    raises("g:vertex: no vertex has the label 5: the labels are 1 .. 4", g.vertex, g, 5)
    local part = g:subgraph {2, 0}
    equal({part:vertex(3), part:vertex(1)}, {0, 1})
    raises("no vertex has the label 2", part.vertex, part, 2)
    local model = gen.clients {{name = "a", {"x", 1}, {"y", 1}}}
    equal(model:vertex(model:label(1)), 1)
    raises("no vertex has the label 'z'", model.vertex, model, "z")
  end)

  it("results show a vertex's number, and the file's beside it", function()
    has(bfs(g, 1), "a search from 1 (2 in the file): 4 of 4")
    has(sssp(g, 1), "distances from 1 (2 in the file)")
    has(paths.bellman_ford(g, 1), "distances from 1 (2 in the file)")
    has(pagerank(g), "  3 (4 in the file)")
    has(triangles(g), "at vertex 0 (1 in the file)")
    has(g:stats(), "max 2, at vertex 0 (1 in the file)")
    local r = ocm(g)
    has(r, "  0 -> 1  3")
    has(r, note)
    has(r:dot(), "vertex v is v + 1 in the file")
    has(r:dot(), '"0" -> "1"')
    equal(sssp(g, 0):path(3), {0, 1, 2, 3})
    has(bfs(g:subgraph {3, 2, 0, 1}, 0), "a search from 0 (label 4)")
  end)

  it("an error says both, and what to write for a number of the file", function()
    raises("bfs: the source 4 is not a vertex of 0 .. 3; g:vertex(4) is the vertex that has this number in the file", bfs, g, 4)
    raises("path: 4 is not a vertex of 0 .. 3; g:vertex(4)", function() return sssp(g, 0):path(4) end)
    raises("the vertex that the file calls 4 is g:vertex(4)", g.degree, g, 4)
    raises("bfs: the source '0' is not a vertex of 0 .. 3; expected a vertex's number, got a text", bfs, g, "0")
    local r = sssp(g, 0)
    r.dist[1] = 9
    raises("vertex 1 has 9, but vertex 0 has 0 and the edge 0 -> 1 is shorter " .. note, check, r)
    local c = components(g)
    c.id[2] = 2
    raises(note, check, c)
    local cycle = loaded "p sp 3 3\na 1 2 1\na 2 3 -4\na 3 2 1\n"
    raises("is reachable from 0 (1 in the file): ", sssp, cycle, 0)
    raises("(2 edges) weighs -3 " .. note, sssp, cycle, 0)
    raises("(1 in the file) lies on", fw, loaded "p sp 2 2\na 1 2 -1\na 2 1 -1\n")
  end)

  it("of a graph whose numbers are its labels nothing is added", function()
    local ring = gen.ring(5)
    has_not(bfs(ring, 1), "file")
    has_not(ocm(ring), "file")
    local r = bfs(ring, 0)
    r.dist[1] = 3
    local good, why = pcall(check, r)
    equal(good, false)
    has_not(why, "file")
    local ok, missing = pcall(bfs, ring, 5)
    equal(ok, false)
    has_not(missing, "g:vertex")
  end)
end)
