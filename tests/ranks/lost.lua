-- lost.lua ["beside"]: rank 1 loses its device; then all ranks call an exchange. Rank 1 reports that its device is lost, the others
-- report that rank 1 has ended, and no rank hangs. Only for CUDA; run by ranks/run with 2 ranks or more.
kernel [[
#include "language/kernel.h"
PRIM(astray, ASTRAY_ARGS, UNTYPED, VERTEX, "n", EXACT, "", "", "astray(w, x): reads at an odd address.")
#define ASTRAY_ARGS(A, W) A(IN, u32, w, "n") A(OUT, u32, x, "n")
ARGS(astray, ASTRAY_ARGS)
VERTEX_BODY(astray) {
  UNUSED_BODY;
  a->x[v] = *(const u32 *)((const char *)&a->w[0] + 1);
}
]]
local y = buffer.new("u32", 1 << 20)
local function exchanged()
  if arg[1] == "beside" then ranks.beside(all_reduce, y, 0):wait() else all_reduce(y, 0) end
end
fill(y, 1)
exchanged() -- sets up the route between the devices
assert(y[5] == ranks.count)
if ranks.rank == 1 then
  local w, x = buffer.new("u32", 100), buffer.new("u32", 100)
  fill(w, 3)
  local good, why = pcall(astray, w, x)
  assert(not good and why:find("is lost: astray: misaligned address", 1, true), why)
end
local good, why = pcall(exchanged)
local expected = ranks.rank == 1 and "is lost" or "rank 1 has ended and does not take part"
assert(not good and why:find(expected, 1, true), why)
if ranks.rank == 1 then
  device "cpu"
  assert(scc(gen.ring {n = 10}).count == 1)
end
print "what is said of a lost device is right"
