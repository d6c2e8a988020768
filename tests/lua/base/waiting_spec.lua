-- Threads that wait for a late thread sleep: at the end of a launch and of a loop's step (OpenMP's barrier, src/main.c), and at a
-- grid barrier (kernels/driver/cpu.h). tests/c/test_thread_pool.c tests src/core/thread_pool.c.
if device().processor ~= "cpu" then return end
if not os.execute "cc --version > /dev/null 2>&1" then print "left out: there is no compiler cc here" return end
local LATE = 0.5 -- seconds

kernel [[
#include "language/kernel.h"
#ifdef __cplusplus
extern "C"
#endif
int usleep(unsigned);

PRIM(be_late, LATE_ARGS, UNTYPED, ELEMENT, "k", EXACT, "", "", "be_late(out): element 0 takes half a second, without computing.")
#define LATE_ARGS(A, W) A(INOUT, u32, out, "k")
ARGS(be_late, LATE_ARGS)
ELEMENT_BODY(be_late) {
  UNUSED_BODY;
  if (i == 0) usleep(500000);
  a->out[i]++;
}

PRIM(meet_late, LATE_ARGS, UNTYPED, GRID, "k", EXACT, "", "", "meet_late(out): thread 0 takes half a second, without computing.")
ARGS(meet_late, LATE_ARGS)
GRID_BODY(meet_late) {
  UNUSED_BODY;
  if (grid->me == 0) usleep(500000);
  GRID_SYNC(grid)
  a->out[grid->me]++;
}

LOOP(be_late_twice, UNTYPED, "be_late_twice(out)")
  STEP(be_late)
  STEP(be_late)
END_LOOP(be_late_twice)
]]

-- Fails unless f() takes at least `seconds`, of which each waiting thread uses less than a tenth as processor time.
local function sleeps(f, seconds)
  f() -- the first call compiles the kernel
  local began, before = trace.clock(), os.clock()
  f()
  local took, used = trace.clock() - began, os.clock() - before
  assert(took >= seconds, ("it takes only %.2f s"):format(took))
  assert(used < 0.1 * seconds * math.max(device().threads - 1, 1), ("%.2f s of processor time in %.2f s"):format(used, took))
end

local out = buffer.new("u32", 1 << 16)
it("at the end of a launch", function() sleeps(function() be_late(out) end, LATE) end)
it("between the steps of a loop", function() sleeps(function() be_late_twice(out) end, 2 * LATE) end)
it("within a grid", function() sleeps(function() meet_late(out) end, LATE) end)
