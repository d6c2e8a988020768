-- A kernel makes the device fail: the message names the kernel, the host's copies are intact, and the CPU still works.
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
device "cuda"
local w, x = buffer.new("u32", 100):fill(3), buffer.new("u32", 100)
local before = scc(gen.grid {20, 20})
local read = scc(gen.grid {20, 20})
assert(read.id[7] and check(read)) -- after this read, the components are also in host memory
local good, why = pcall(astray, w, x)
assert(not good and why:find("is lost: astray: misaligned address", 1, true), why)
assert(why:find("compute-sanitizer", 1, true) and why:find("bounds on", 1, true), why)
assert(w[7] == 3)
good, why = pcall(scc, gen.ring {n = 10})
assert(not good and why:find('is lost (astray: misaligned address) until lockstep is started again; device("cpu") goes on', 1, true), why)
device "cpu"
-- Contents that only the device held are lost, which is reported; contents that were read are kept.
good, why = pcall(function() return before.id[7] end)
assert(not good and why:find("lost with cuda:0", 1, true), why)
assert(before.id.where == "gone", before.id.where)
assert(check(read))
good, why = pcall(device, "cuda:0")
assert(not good and why:find("until lockstep is started again", 1, true), why)
assert(scc(gen.ring {n = 10}).count == 1)
print "a lost device is told, and the session goes on"
