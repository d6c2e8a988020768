-- csv and json of results: unreached vertices become empty fields or null, and vertices are numbered as in the file of the graph.

local function written(as, value)
  local path = os.tmpname()
  as(value, path)
  local file <close> = assert(io.open(path))
  local text = file:read "a"
  os.remove(path)
  return (text:gsub("\n$", ""))
end

-- A DIMACS graph, whose vertices are numbered from 1. Vertex 4 of the file is not reached.
local function loaded()
  local path = os.tmpname() .. ".gr"
  local file <close> = assert(io.open(path, "w"))
  file:write "p sp 4 3\na 1 2 5\na 2 3 7\na 3 1 1\n"
  file:close()
  local g = graph.load(path)
  os.remove(path)
  return g
end

--- Fails unless the text matches the pattern.
local function matches(text, pattern)
  if not text:find(pattern) then error(("got %q, expected the pattern %q"):format(text, pattern), 2) end
end

describe("csv and json of results", function()
  it("distances of every type of weights that are not reached are null in JSON and empty in CSV", function()
    for _, kind in ipairs {"i32", "i64", "f32", "f64"} do
      local g = graph.from_edges({{0, 1, 5}, n = 3, weights = kind})
      local r = sssp(g, 0)
        matches(written(json, r), '"dist":%[0,5,null%]')
      equal(r.parent.dtype, "u32") -- computed at the first access
    matches(written(json, r), '"parent":%[null,0,null%]')
      equal(written(json, r):find "unreached", nil)
      equal(written(csv, {parent = r.parent}), "i,parent\n0,\n1,0\n2,")
      matches(written(csv, r.dist), '\n""$')
      matches(written(csv, r.dist:copy()), '\n""$')
    end
  end)

  it("so are layers, and matrices of least and of greatest paths", function()
    local g = graph.from_edges {{0, 1, 5}, n = 2}
    equal(written(csv, {dist = bfs(g, 1).dist}), "i,dist\n0,\n1,0")
    for _, r in ipairs {apsp(g), fw(g), johnson(g)} do matches(written(json, r), '"matrix":%[0,5,null,0%]') end
    local r = kleene(g)
    matches(written(json, r), '"matrix":%[0,5,null,0%]')
    equal(r.unreached, -0x80000000)
    equal(fw(g).unreached, 0x7fffffff)
  end)

  it("numbers of a buffer that is no result stay numbers", function()
    equal(written(csv, {x = buffer.new("u32", {1, 0xffffffff})}), "i,x\n0,1\n1,4294967295")
    equal(written(json, buffer.new("i32", {0x7fffffff})), "[2147483647]")
    equal(written(csv, {x = buffer.new("f64", {1 / 0, -1 / 0, 0 / 0})}), "i,x\n0,inf\n1,-inf\n2,nan")
  end)

  it("rows and vertices of a graph from a file have its labels", function()
    local g = loaded()
    local r = sssp(g, 0)
    equal(written(csv, {dist = r.dist, parent = r.parent}), "vertex,dist,parent\n1,0,\n2,5,1\n3,12,2\n4,,")
    matches(written(json, r), '"label":%[1,2,3,4%]')
    equal(written(csv, {id = components(g).id}), "vertex,id\n1,1\n2,1\n3,1\n4,4")
    local part = g:subgraph {2, 0} -- its labels are stored as a list
    equal(written(csv, {d = bfs(part, part:vertex(3)).dist}):match "^[^\n]+", "vertex,d")
    matches(written(csv, {d = bfs(part, part:vertex(3)).dist}), "\n3,0")
  end)

  it("a matrix of a graph from a file keeps its numbers, a column alone has labels", function()
    local g = loaded()
    equal(select(2, written(csv, {d = apsp(g).matrix}):gsub("\n", "")), 16)
    equal(written(csv, {d = apsp(g).matrix}):match "^[^\n]+", "i,d")
    equal(written(csv, sssp(g, 0).parent), '""\n1\n2\n""')
  end)

  it("a file of distances says the same of its rows", function()
    local g, path = loaded(), temporary ".npy"
    local r = apsp(g, {file = path, form = "groups"})
    equal(written(csv, {d = r:row(0)}), "i,d\n0,0\n1,5\n2,12\n3,") -- a matrix of one row
    equal(written(json, r):find "unreached", nil)
    os.remove(path)
  end)

  it("columns of two graphs have numbers as their rows", function()
    local a, b = loaded(), loaded()
    equal(written(csv, {x = bfs(a, 0).dist, y = bfs(b, 0).dist}), "i,x,y\n0,0,0\n1,1,1\n2,2,2\n3,,")
  end)
end)
