-- state.NAME(g [, element type]): the buffers of a schema (SCHEMA in kernels/FAMILY/FAMILY.def), in a type that the schema takes.
local function weighted(kind) return gen.ring {n = 5, weights = kind} end

it("refuses an element type that the schema does not take", function()
  local g = weighted("i32")
  for _, kind in ipairs {"u8", "u32", "u64", "none", "W", "no such", 5, {}, true} do
    raises("state.sssp: expected the element type i32, i64, f32 or f64, got " .. (type(kind) == "table" and "table" or tostring(kind)), state.sssp, g, kind)
  end
  for _, kind in ipairs {"u8", "u32", "u64", "i32", "f32"} do
    raises("state.policy: expected the element type i64 or f64, got " .. kind, state.policy, g, kind)
  end
  raises("state.scc: expected no element type, got f64", state.scc, g, "f64")
  raises("state.scc: expected no element type, got no such", state.scc, g, "no such")
  raises("expected a graph and an element type, got 3 arguments", state.sssp, g, "i32", "i64")
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
