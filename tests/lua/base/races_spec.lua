-- races on: conflicting accesses of two threads are reported with the lines of both; intended ones are not; shipped rows have no races.
local HEAD = '#include "language/kernel.h"\n'
local ARGS = 'A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, x, "n") A(INOUT, u32, y, "n") '
  .. 'A(OUT, u32, out, "n") A(VALUE, u32, k, "1")'

-- Defines the kernel k. In its error messages, the second line of the body has the line number FIRST of this file.
local function kernel_of(domain, head, body, args)
  kernel(HEAD .. ("#define K_ARGS(A, W) %s\nARGS(k, K_ARGS)\n%s {\n%s\n}\n"):format(args or ARGS, head, body)
    .. ('PRIM(k, K_ARGS, UNTYPED, %s, "%s", EXACT, "", "", "k(...)")\n'):format(domain, domain == "EDGE" and "m" or "n"))
end
local FIRST = debug.getinfo(kernel_of, "S").linedefined + 7
local star = graph.from_edges {{1, 0}, {2, 0}, {3, 0}, {4, 0}}

local function run(k_value)
  local x, y, out = buffer.new("u32", {5, 5, 5, 5, 5}), buffer.new("u32", 5), buffer.new("u32", 5)
  k {off = star.off, to = star.to, x = x, y = y, out = out, k = k_value or 0}
  return x, y, out
end
local VERTEX, EDGE = "VERTEX_BODY(k)", "EDGE_BODY(k)"
local QUIET = "UNUSED_BODY;"

describe("a race", function()
  kernel.races("on")
  local cases = { -- the message's lines are counted from FIRST
    {"of two writes", "EDGE", EDGE, "a->x[a->to[e]] = e;", "edge 1 writes x[0] (@0), which edge 0 gives another value (@0)"},
    {"of a read and a write", "VERTEX", VERTEX, "const u32 before = v ? a->x[v - 1] : 0u;\na->x[v] = before + v + 1;",
      "vertex 1 reads x[0] (@0), which vertex 0 writes without an atomic (@1)"},
    {"of a write and a read", "VERTEX", VERTEX, "if (v == 4) a->x[0] = 9;\nelse a->y[v] = a->x[0];",
      "vertex 4 writes x[0] (@0), which vertex 0 reads without an atomic (@1)"},
    {"of an atomic and a read", "VERTEX", VERTEX, "if (v == 4) atomic_add(&a->x[0], 1u);\nelse a->y[v] = a->x[0];",
      "vertex 4 changes by an atomic x[0] (@0), which vertex 0 reads without one (@1)"},
    {"of a read and an atomic", "VERTEX", VERTEX, "if (v < 4) atomic_add(&a->x[0], 1u);\nelse a->y[v] = a->x[0];",
      "vertex 4 reads without an atomic x[0] (@1), which vertex 3 changes by one (@0)"},
    {"of an atomic and a write", "VERTEX", VERTEX, "if (v < 4) atomic_min(&a->x[0], v);\nelse a->x[0] = 7;",
      "vertex 4 writes without an atomic x[0] (@1), which vertex 0 changes by one (@0)"},
    {"by +=", "EDGE", EDGE, "a->x[a->to[e]] += 1;", "edge 1 reads x[0] (@0), which edge 0 writes without an atomic (@0)"},
  }
  local function message() return select(2, pcall(run)) end
  for _, case in ipairs(cases) do
    it(case[1], function()
      kernel_of(case[2], case[3], QUIET .. "\n" .. case[4])
      local why, want = message(), case[5]:gsub("@(%d)", function(line) return "races_spec.lua:" .. FIRST + line end)
      if device().processor == "cuda" then want = "x[0] (races_spec.lua:" end -- either of the two accesses may be the second
      assert(tostring(why):find("k: a race: ", 1, true) and why:find(want, 1, true), ("got %s, expected %s"):format(why, want))
    end)
  end
  it("is not, but as bad: what no thread has written is read", function()
    kernel_of("VERTEX", VERTEX, QUIET .. "\na->y[v] = a->out[v];")
    local why = message()
    assert(why:find("k: vertex %d reads out%[%d%] %(races_spec.lua:%d+%), which no thread has written: its role is OUT"), why)
  end)

  it("leaves what was written as it was before, and the session alive", function()
    kernel_of("EDGE", EDGE, QUIET .. "\na->y[e] = 1;\na->x[a->to[e]] = e + a->k;")
    local x, y = buffer.new("u32", {5, 5, 5, 5, 5}), buffer.new("u32", 5)
    raises("a race", k, {off = star.off, to = star.to, x = x, y = y, out = buffer.new("u32", 5), k = 0})
    equal({x:totable(), y:totable()}, {{5, 5, 5, 5, 5}, {0, 0, 0, 0, 0}})
    kernel.races("k", "off")
    equal(kernel.races("k"), "off")
    equal(select(2, run()):totable(), {1, 1, 1, 1, 0})
    kernel.races("on")
    equal({kernel.races(), kernel.races("k")}, {"on", "on"})
  end)
end)

describe("no race", function()
  local cases = {
    {"the same value from many", "EDGE", EDGE, QUIET .. "\na->x[a->to[e]] = 3;"},
    {"an element of one's own", "VERTEX", VERTEX, QUIET .. "\na->x[v] += v; a->x[v]--; a->y[v] = a->x[v] ? a->x[v] : a->y[v]; a->out[v] = 1; a->out[v]++;"},
    {"atomics alone", "EDGE", EDGE, QUIET .. "\natomic_add(&a->x[a->to[e]], 2u); atomic_max(&a->y[0], load_relaxed(&a->x[0]));"},
    {"stores and flags that are meant", "EDGE", EDGE, QUIET .. "\nstore_relaxed(&a->x[0], e); raise_flag(&a->y[0]); store_relaxed(a->y, 1u);"},
    {"one thread of many", "VERTEX", VERTEX, QUIET .. "\nif (v == 3) { a->x[0] = v; a->y[1] = a->x[0]; }"},
  }
  for _, case in ipairs(cases) do
    it(case[1], function()
      kernel_of(case[2], case[3], case[4])
      run()
    end)
  end
  it("between the select of a vertex and its edges", function()
    kernel(HEAD .. [[
#define K_ARGS(A, W) A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, x, "n") A(COUNT, u32, found, "1")
ARGS(k, K_ARGS)
SELECT(k) { return a->x[v] = v + 1; }
EDGES_BODY(k) { (void)push; count->found += a->x[v] == v + 1 && e < a->m; }
PRIM(k, K_ARGS, UNTYPED, VERTEX_EDGES, "n", EXACT, "", "", "k(...)")
]])
    equal(k {off = star.off, to = star.to, x = buffer.new("u32", 5)}, 4)
  end)
end)

-- With race checks the results are proved as usual; a race would raise an error.
it("is in none of the shipped rows of these algorithms", function()
  for seed = 1, sized(3, 1) do
    local g = gen.rmat {scale = 7, degree = 4, seed = seed, weights = "i32", lo = 1, hi = 9}
    for _, f in ipairs {scc.maxima, scc.forward_backward, function(x) return sssp(x, 0) end, function(x) return bfs(x, 0) end,
        function(x) return paths.delta_stepping(x, 0) end, function(x) return fw(x, {form = "tiles"}) end} do
      if due() then equal(check(f(g)), true) end
    end
  end
end)

it("is asked for by words that there are", function()
  kernel.races("off")
  equal(kernel.races(), "off")
  raises("there is no primitive", kernel.races, "no_such", "on")
  raises("is a loop", kernel.races, "trim_fix", "on")
  raises("invalid option", kernel.races, "maybe")
end)
