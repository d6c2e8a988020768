-- Kernels of my own: from a text, from a file, in a loop; with checks of bounds and races.
local f = assert(io.open("degrees.h", "w"))
f:write [[
#include "language/kernel.h"
PRIM(degrees, DEGREES_ARGS, UNTYPED, VERTEX, "n", EXACT, "", "", "degrees(g, out): out[v] = how many edges leave v.")
#define DEGREES_ARGS(A, W) A(IN, u32, off, "n+1") A(OUT, u32, out, "n")
ARGS(degrees, DEGREES_ARGS)
VERTEX_BODY(degrees) { a->out[v] = a->off[v + 1] - a->off[v]; }
]]
f:close()
local g = gen.grid{3, 3}
assert(kernel.load "degrees.h")
local out = buffer.new("u32", g.n)
degrees(g, out)
assert(out:sum() == g.m and out[4] == 4)
assert(kernel.source("degrees"):find "VERTEX_BODY" and kernel.path("degrees"):find "degrees.h")
assert(kernel.save("degrees", "copy.h") == "copy.h" and io.open "copy.h")

kernel [==[
#include "language/kernel.h"
PRIM(spread, SPREAD_ARGS, UNTYPED, VERTEX, "n", FIXPOINT, "", "", "spread(g, label): the least label of the vertices that lead to v.")
#define SPREAD_ARGS(A, W) A(IN, u32, off, "n+1") A(IN, u32, to, "m") A(INOUT, u32, label, "n") A(COUNT, u32, moved, "1")
ARGS(spread, SPREAD_ARGS)
VERTEX_BODY(spread) {
  for (u32 e = a->off[v]; e < a->off[v + 1]; e++) {
    const u32 mine = load_relaxed(&a->label[v]);
    if (mine < load_relaxed(&a->label[a->to[e]]) && mine < atomic_min(&a->label[a->to[e]], mine)) count->moved++;
  }
}
]==]
loop [[
LOOP(spread_all, UNTYPED, "spread_all(g, label): repeat spread until no label moves.")
  REPEAT
    STEP(spread)
  UNTIL(moved)
END_LOOP(spread_all)
]]
local label = buffer.new("u32", g.n)
for v = 0, g.n - 1 do label[v] = v + 1 end
local moved, passes = spread_all(g, label)
assert(label:max() == 1 and moved >= 8 and passes >= 1 and spread(g, label) == 0)
assert(named(spread, g, label).moved == 0 and select(2, fixpoint(spread, g, label)) == 1)
assert(kernel.bounds "own" == nil and kernel.bounds() == "own" and kernel.races() == "off")
-- a shipped one, replaced by its own text and brought back
kernel.generated(kernel.source "numbers")
numbers(label)
assert(label[8] == 8)
kernel.restore "numbers"
assert(kernel.source("trim"):find "trim")
