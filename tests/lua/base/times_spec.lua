-- Every edge as "u>v:w/t", sorted.
local function edges(g)
  local list = {}
  for v = 0, g.n - 1 do
    for to, w, t in g:edges(v) do list[#list + 1] = ("%d>%d:%s/%s"):format(v, to, w, t) end
  end
  table.sort(list)
  return table.concat(list, " ")
end

local function turned(g)
  local list = {}
  local roff, rto, rw, rt = g.roff, g.rto, g.rw, g.rt
  for v = 0, g.n - 1 do
    for e = roff[v], roff[v + 1] - 1 do list[#list + 1] = ("%d>%d:%s/%s"):format(rto[e], v, rw[e], rt[e]) end
  end
  table.sort(list)
  return table.concat(list, " ")
end

local function random(seed) return gen.uniform {n = 40, m = 200, seed = seed, lo = -9, hi = 9, times = {0, 99}} end

describe("transit times", function()
  it("come from a table and from buffers", function()
    local g = graph.from_edges {{2, 0, 5, 3}, {0, 1, 7, 0}, {1, 2, -3, 1}}
    equal({g.times, g.t:totable()}, {"i32", {0, 1, 3}})
    equal(edges(g), "0>1:7/0 1>2:-3/1 2>0:5/3")
    equal(graph.from_edges({{0, 0, 1, 1 << 40}}).times, "i64")
    local src, dst, w, t = buffer.new("u32", {1, 0}), buffer.new("u32", {0, 1}), buffer.new("f64", {.5, 1.5}), buffer.new("i64", {8, 9})
    equal(edges(graph.from_edges(2, src, dst, w, t)), "0>1:1.5/9 1>0:0.5/8")
    equal(graph.from_edges({{0, 1, 5}}).times, nil)
    equal(graph.from_edges({{0, 1, 5}}).t, nil)
    raises("edge 2 has no time, edge 1 has one", graph.from_edges, {{0, 1, 5, 1}, {0, 1, 5}})
    raises("edge 2 has a time, edge 1 has none", graph.from_edges, {{0, 1, 5}, {0, 1, 5, 2}})
    raises("time 0.5 is not a whole number", graph.from_edges, {{0, 1, 5, 0.5}})
    raises("edge 0 has time -1: times are not negative", graph.from_edges, {{0, 1, 5, -1}})
    raises("times are i32 or i64, not u32", graph.from_edges, 2, src, dst, w, src)
  end)
  it("go along with every derived graph", function()
    for seed = 1, 20 do
      local g = random(seed)
      local all = edges(g)
      equal(turned(g), all)
      equal(edges(g:reverse():reverse()), all)
      equal(turned(g:reverse()), edges(g:reverse()))
      local numbers, back = {}, {}
      for v = 0, g.n - 1 do numbers[v + 1] = (v * 7 + seed) % g.n end
      for v = 1, g.n do back[numbers[v] + 1] = v - 1 end
      local p = g:permute(buffer.new("u32", numbers))
      equal(edges(p) == all, false)
      equal(edges(p:permute(buffer.new("u32", back))), all)
      local whole = {}
      for v = 0, g.n - 1 do whole[#whole + 1] = v end
      equal(edges(g:subgraph(whole)), all)
      local kept = {}
      for edge in all:gmatch("%S+") do
        local u, v = edge:match("(%d+)>(%d+)")
        if tonumber(u) < 9 and tonumber(v) < 9 then kept[#kept + 1] = edge end
      end
      equal(edges(g:subgraph {0, 1, 2, 3, 4, 5, 6, 7, 8}), table.concat(kept, " "))
      for edge in edges(g:symmetrize()):gmatch("%S+") do -- an edge of g or its reverse
        local u, v, rest = edge:match("(%d+)>(%d+)(.*)")
        local there = (" " .. all .. " "):find((" %s>%s%s "):format(u, v, rest), 1, true)
        equal((there or (" " .. all .. " "):find((" %s>%s%s "):format(v, u, rest), 1, true)) ~= nil, true)
      end
    end
    local g = random(3)
    local two = gen.copies(g, 2)
    equal(two.t:totable()[g.m + 5], g.t[4])
    equal(#two.t, 2 * g.m)
  end)
  it("are drawn by generators", function()
    equal(random(4).t:min() >= 0 and random(4).t:max() <= 99, true)
    equal(gen.ring {5, times = {3, 3}}.t:totable(), {3, 3, 3, 3, 3})
    equal(gen.ring {5, times = {3, 1 << 40}}.times, "i64")
    equal(gen.grid {4, 4, lo = 1, hi = 9, seed = 2, times = {0, 5}}.t:totable(),
      gen.grid {4, 4, seed = 2, times = {0, 5}}.t:totable())
    raises("expected whole numbers from 0 on", gen.ring, {5, times = {3, 2}})
    raises("times[1]", gen.ring, {5, times = {-3, 2}})
    raises("times[2]", gen.ring, {5, times = {1}})
    raises("times must be a table", gen.ring, {5, times = 3})
  end)
  it("of clients are those of the actions", function()
    local g = gen.clients {{name = "a", {"x", 1, time = 7}, {"y", 2}}, {name = "b", {"z", 3, time = 0}}}
    equal(edges(g), "0>0:3/0 0>1:1/7 1>0:2/1 1>1:3/0")
    equal(gen.clients {{{"x", 1}}}.t, nil)
    raises("its time must be a whole number", gen.clients, {{{"x", 1, time = -1}}})
    raises("its time must be a whole number", gen.clients, {{{"x", 1, time = 0.5}}})
  end)
  it("fill an argument named t", function() equal(prim.takes.relax[4] ~= "t", true) end)
end)

describe("files", function()
  it(".gr holds them as a fifth number", function()
    with_file(".gr", "c x\np sp 3 3\nc y\na 1 2 12 5\na 3 1 7 0\n\na 2 3 1 3000000000\n", function(path)
      local g = graph.load(path)
      equal(edges(g), "0>1:12/5 1>2:1/3000000000 2>0:7/0")
      equal(g.times, "i64")
      for _, extension in ipairs {".gr", ".gr.gz", ".lsg", ".lsg.gz"} do
        local copy = temporary(extension)
        g:save(copy)
        local back = graph.load(copy)
        equal({edges(back), turned(back), back.times}, {edges(g), turned(g), "i64"})
        os.remove(copy)
      end
      raises("the edges have times, which mtx files don't hold", g.save, g, temporary(".mtx"))
    end)
    local g = gen.uniform {n = 5000, m = 60000, lo = 1, hi = 1 << 30, times = {0, 12}}
    local copy = temporary(".gr")
    g:save(copy)
    local back = graph.load(copy)
    equal({back.w:totable(), back.t:totable()}, {g.w:totable(), g.t:totable()})
    os.remove(copy)
  end)
  it(".lsg without times is still of version 1", function()
    local copy = temporary(".lsg")
    for _, case in ipairs {{gen.ring(4), 1}, {gen.ring {4, times = {1, 2}}, 2}} do
      case[1]:save(copy)
      local file = assert(io.open(copy, "rb"))
      equal(string.unpack("<I4", file:read(12), 9), case[2])
      file:close()
      equal(graph.load(copy).m, 4)
    end
    os.remove(copy)
  end)
end)

describe('weights = "scaled"', function()
  it("finds the least power of ten", function()
    with_file(".gr", "p sp 3 3\na 1 2 12.50\na 3 1 7\na 2 3 -0.125\n", function(path)
      local g = graph.load(path, {weights = "scaled"})
      equal({g.weights, g.scale, g.w:totable()}, {"i32", 1000.0, {12500, -125, 7000}})
      local copy = temporary(".gr")
      g:save(copy)
      equal(graph.load(copy, {weights = "scaled"}).w:totable(), g.w:totable())
      os.remove(copy)
    end)
    with_file(".gr", "p sp 2 2\na 1 2 5 1\na 2 1 7 2\n", function(path)
      local g = graph.load(path, {weights = "scaled"})
      equal({g.weights, g.scale, edges(g)}, {"i32", 1.0, "0>1:5/1 1>0:7/2"})
    end)
    with_file(".gr", "p sp 2 2\na 1 2 3000000000.5\na 2 1 7\n", function(path)
      equal(graph.load(path, {weights = "scaled"}).w:totable(), {30000000005, 70})
    end)
  end)
  it("agrees over many pieces", function()
    local lines = {"p sp 100 30000"}
    for e = 1, 30000 do
      lines[#lines + 1] = ("a %d %d %d%s"):format(1 + e % 100, 1 + e * 7 % 100, e, e % 9999 == 0 and ".25" or "")
    end
    with_file(".gr", table.concat(lines, "\n") .. "\n", function(path)
      local g, f = graph.load(path, {weights = "scaled"}), graph.load(path, {weights = "f64"})
      equal(g.scale, 100.0)
      local w = f.w:totable()
      for e = 1, #w do w[e] = math.tointeger(w[e] * 100) end
      equal(g.w:totable(), w)
    end)
  end)
end)
