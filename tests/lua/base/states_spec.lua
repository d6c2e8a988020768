-- state.NAME(g [, element type]): the buffers of a schema (SCHEMA in kernels/FAMILY/FAMILY.def), in a type that the schema allows.
local function weighted(kind) return gen.ring {n = 5, weights = kind} end

it("refuses an element type that the schema does not take", function()
  local g = weighted("i32")
  for _, kind in ipairs {"u8", "u16", "u32", "u64", "i16", "none", "W", "no such", 5, true} do
    raises("state.sssp: expected the element type i32, i64, f32 or f64, got " .. tostring(kind), state.sssp, g, kind)
  end
  for _, kind in ipairs {"u8", "u16", "u32", "u64", "i16", "i32", "f32"} do
    raises("state.policy: expected the element type i64 or f64, got " .. kind, state.policy, g, kind)
  end
  raises("state.scc: expected no element type, got f64", state.scc, g, "f64")
  raises("state.scc: expected no element type, got no such", state.scc, g, "no such")
  raises("state.sssp: expected a graph, and a table of sizes or an element type, got 3 arguments", state.sssp, g, "i32", "i64")
  raises("got 2 arguments", state.sssp, {n = 5}, g)
  raises("graph expected, got string", state.sssp, "i32")
end)

it("takes the weights' type, or the wider of its kind", function()
  local sssp_of = {i32 = "i32", i64 = "i64", f32 = "f32", f64 = "f64"}
  local policy_of = {i32 = "i64", i64 = "i64", f32 = "f64", f64 = "f64"}
  for kind, of in pairs(sssp_of) do
    equal(state.sssp(weighted(kind)).dist.dtype, of)
    equal(state.sssp(weighted("i32"), kind).dist.dtype, kind)
    equal(state.policy(weighted(kind)).d.dtype, policy_of[kind])
  end
  equal(state.sssp(gen.ring {5}).dist.dtype, "i32")
  equal(state.sssp(weighted("i32"), nil).dist.dtype, "i32")
  equal(state.sssp(weighted("i64")).dist:count(math.maxinteger), 5)
  equal(state.sssp(weighted("f32")).dist:count(math.huge), 5)
end)

it("takes its sizes from a graph or from a table", function()
  local s = state.sssp {n = 6, type = "f64"}
  equal({s.n, #s.dist, s.dist.dtype, #s.front, s.graph}, {6, 6, "f64", 13, nil})
  equal(s.dist:count(math.huge), 6)
  equal(tostring(s):match("^[^\n]*"), "state sssp, n 6")
  s = state.sssp(weighted("i32"), {type = "i64"})
  equal({s.n, s.dist.dtype, s.graph.n}, {5, "i64", 5})
  s = state.scc {n = 3, m = 0}
  equal({#s.comp, #s.vote, #s.edges}, {3, 9, 1})
  equal(#state.scc {n = 0, m = 0}.comp, 0)
end)

it("names the sizes that are missing, unknown, given twice, or no sizes", function()
  local g = weighted("i32")
  raises("state.scc: the size m is missing, expected n and m", state.scc, {n = 5})
  raises("state.scc: the size n is missing, expected n and m", state.scc, {})
  raises("state.sssp: it has no size 'm', expected n", state.sssp, {n = 5, m = 8, type = "i32"})
  raises("state.sssp: it has no size 'sources', expected no size", state.sssp, g, {sources = 8})
  raises("state.sssp: the size n = 5 comes from the graph and cannot be given", state.sssp, g, {n = 5})
  raises("state.sssp: no element type is given, expected {type = ...}: i32, i64, f32 or f64", state.sssp, {n = 5})
  raises("state.sssp: expected the element type i32, i64, f32 or f64, got u8", state.sssp, {n = 5, type = "u8"})
  raises("state.scc: expected no element type, got i32", state.scc, {n = 5, m = 5, type = "i32"})
  for _, size in ipairs {-1, 1.5, "5", {}, 0 / 0} do
    raises("state.sssp: the size n is " .. (type(size) == "table" and "table" or tostring(size)) , state.sssp, {n = size, type = "i32"})
  end
  raises("a table of sizes has names as keys", state.sssp, {5, type = "i32"})
  raises("more elements than 64 bits can count", state.scc, {n = math.maxinteger, m = 1})
  raises("MiB, but", state.sssp, {n = 1 << 55, type = "i32"})
end)

it("runs rows, loops and checkpoints without a graph", function()
  local g = gen.ring {n = 50}
  local s = state.scc {n = 50, m = 50}
  raises("argument 2 (off: u32[n+1]) is missing", trim, s)
  equal(chain_link(g, s, {backward = 0}), nil)
  equal(chain_link(s, {off = g.off, to = g.to, roff = g.roff or g.off, rto = g.to, backward = 0}), nil)
  raises("expected u32", trim, state.scc {n = 51, m = 50}, g)
  local file = os.tmpname()
  local function double(from)
    local t, values = state.sssp {n = 40, type = "i64"}, {total = 0}
    for it in iterations(t, values, from) do
      for v = 0, 39 do t.dist[v] = it.n * v end
      values.total = values.total + it.n
      it:mark {}
      if it.n == 4 then break end
    end
    return t, values.total
  end
  checkpoint(file, 2)
  local whole, total = double()
  checkpoint(false)
  local again, sum = double(file)
  equal({again.dist:totable(), sum}, {whole.dist:totable(), total})
  os.remove(file)
end)

it("a state's buffers cannot be replaced, and an assignment says what to do", function()
  local s = state.scc(gen.ring {n = 10})
  raises("s.mark[0] = x sets one element, s.mark:fill(x) sets all, copy(x, s.mark) copies a u32[10] into it",
    function() s.mark = 5 end)
  raises("copy(x, s.mark) copies a u32[10] into it", function() s.mark = buffer.new("u32", 9) end)
  raises("copy(x, s.mark) copies x into it, prim.swap(s.mark, x) exchanges", function() s.mark = buffer.new("u32", 10) end)
  raises("a state scc has no field 'marks', and none can be added", function() s.marks = 5 end)
  raises("a state scc has no field '5', and none can be added", function() s[5] = 5 end)
  s:close()
  raises("the state is closed", function() s.mark = 5 end)
end)
