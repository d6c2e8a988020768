-- compare A, B: reports nothing if both results are right, and reports a difference if one is wrong.
local function graphs()
  local list = {
    graph.from_edges {n = 0}, graph.from_edges {n = 1}, graph.from_edges {{0, 0}, {0, 1}, {0, 1}, {1, 0}},
    gen.ring {n = 5000, weights = "i32"}, gen.path {n = 900, weights = "i64"}, gen.star {n = 9000},
    gen.copies(gen.ring {n = 3}, 9000), gen.complete {n = 50, weights = "f32"},
    gen.dag {n = 9000, m = 20000, seed = 3, weights = "i32", lo = -9, hi = 9},
    gen.grid {120, 90, one_way = 0.69, seed = 4, weights = "f64"},
  }
  for seed = 1, 12 do
    local w = ({"i32", "i64", "f32", "f64"})[seed % 4 + 1]
    list[#list + 1] = gen.uniform {n = 8200 + seed, m = 20000, seed = seed, weights = w, lo = 1, hi = 99}
    list[#list + 1] = gen.rmat {scale = 13, degree = 2 + seed, seed = seed, weights = w, lo = 0, hi = 9}
    list[#list + 1] = gen.uniform {n = 40 + seed, m = 150, seed = seed, weights = w, lo = 1, hi = 9}
  end
  return list
end

local function every_algorithm()
  compare("cpu", "cpu:1")
  local ok, why = pcall(function()
    for i, g in ipairs(graphs()) do
      check(scc(g))
      check(scc.maxima(g))
      if g.n <= 9000 then ocm(g) end
      if g.n <= 9000 then check(scc.forward_backward(g)) end
      scc.trim_chains(state.scc(g))
      trim_pair(state.scc(g))
      if g.n > 0 then check(sssp(g, i % g.n)) end
      if g.n > 0 and g.n <= 100 then check(fw(g)) end
    end
  end)
  compare(false)
  if not ok then error(why, 0) end
end

describe("compare", function()
  it("is clean for every algorithm", every_algorithm)
  it("is clean for the forms of other devices", function()
    local whether = algorithm.on_cpu
    algorithm.on_cpu = function() return false end
    local ok, why = pcall(every_algorithm)
    algorithm.on_cpu = whether
    if not ok then error(why, 0) end
  end)
  it("is clean for the libraries' rows", function()
    compare("cpu", "cpu:1")
    local ok, why = pcall(function()
      for _, kind in ipairs {"u8", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64"} do
        local x, y, z = buffer.new(kind, 70000), buffer.new(kind, 70000), buffer.new(kind, 1)
        for i = 0, 69999 do x[i] = i * 37 % 101 end
        if not kind:find "16" then
          scan(x, y)
          radix_sort(x, y)
        end
        copy(x, y)
        fill(y, 3)
        for op = 0, 2 do reduce(x, z, op) end
      end
      local g = gen.uniform {n = 1000, m = 5000, seed = 1}
      transpose(g.off, g.to, buffer.new("u32", 1001), buffer.new("u32", 5000))
    end)
    compare(false)
    if not ok then error(why, 0) end
  end)
  it("takes one undefined sum for as good as another", function()
    compare("cpu", "cpu:1")
    local y = buffer.new("f32", 1)
    local ok, why = pcall(reduce, buffer.new("f32", {1, math.huge, -math.huge}), y, 0)
    compare(false)
    if not ok then error(why, 0) end
    assert(y[0] ~= y[0])
  end)
  it("goes on with the first device's results", function()
    compare("cpu", "cpu:1")
    local s = state.scc(gen.path {n = 50})
    local trimmed = fixpoint(trim, s)
    compare(false)
    equal(trimmed, 50)
    equal(s.comp:count(0xffffffff), 0)
  end)
  it("takes NaN of either sign for the same, also where results must agree exactly", function()
    kernel [[
#include "language/kernel.h"
PRIM(signed_nan, SIGNED_NAN_ARGS, UNTYPED, VERTEX, "n", EXACT, "", "", "signed_nan(out): NaN, of another sign at each call.")
#define SIGNED_NAN_ARGS(A, W) A(OUT, f32, out, "n")
ARGS(signed_nan, SIGNED_NAN_ARGS)
VERTEX_BODY(signed_nan) {
  static u32 calls;
  union { u32 bits; f32 real; } x;
  x.bits = 0x7fc00000u | (calls++ & 1) << 31;
  a->out[v] = x.real;
}
]]
    compare("cpu", "cpu:1")
    local out = buffer.new("f32", 1)
    local ok, why = pcall(signed_nan, out)
    compare(false)
    if not ok then error(why, 0) end
    assert(out[0] ~= out[0])
  end)
  it("says how many launches it did not compare", function()
    compare("cpu", "cpu:1")
    local s = state.scc(gen.path {n = 50})
    fill(s.comp, 1)
    for _ = 1, 3 do trim(s) end
    compare(false)
    local text = tostring(stats())
    local compared = on_cpu() and 1 or 2 -- on a GPU, transposing the graph is a launch, too
    local said = ("compare: launches: %d compared, 3 not compared (rule FIXPOINT"):format(compared)
    assert(text:find(said, 1, true), text)
  end)
  it("names devices that are not there", function()
    raises("no device", compare, "cpu", "cuda:77")
    compare(false)
  end)
  it("is how one process has two devices: device takes one, and says how several work together", function()
    local before = device()
    raises("a process runs on one device at a time; several work together as ranks", device, "cpu", "cpu:1")
    equal(device() == before, true)
  end)
end)
