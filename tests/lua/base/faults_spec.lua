-- If an instruction of a kernel on a CPU causes a signal, only the launch ends, and the session continues.
local found = os.execute "cc --version > /dev/null 2>&1"
if not found or device().processor ~= "cpu" then print "left out: this is about a CPU with a compiler" return end

kernel [[
#include "language/kernel.h"
LS_INLINE volatile u32 *nowhere(void) { volatile u32 *volatile p = 0; return p; }
static __attribute__((noinline)) u32 deeper(volatile u32 *x, u32 k) { volatile u32 room[64]; room[k % 64] = *x + k; return deeper(room, k + 1) + room[k % 64]; }
LS_INLINE u32 fault(u32 how) {
  volatile u32 zero = 0;
  if (how == 1) return (how + 99) / zero;
  if (how == 2) return *nowhere();
  if (how == 3) *nowhere() = 1;
  if (how == 4) return deeper(&zero, 1);
  if (how == 5) __builtin_trap();
  return how;
}
PRIM(fault_element, FAULT_ARGS, UNTYPED, ELEMENT, "k", EXACT, "", "", "fault_element(...): for the test.")
PRIM(fault_grid, FAULT_ARGS, UNTYPED, GRID, "k", EXACT, "", "", "fault_grid(...): for the test.")
PRIM(fault_queue, FAULT_QUEUE_ARGS, UNTYPED, QUEUE, "queue", EXACT, "", "", "fault_queue(...): for the test.")
PRIM(fault_tile, FAULT_ARGS, UNTYPED, TILE, "k", EXACT, "", "", "fault_tile(...): for the test.")
#define FAULT_ARGS(A, W) A(OUT, u32, x, "k") A(VALUE, u32, how, "1")
#define FAULT_QUEUE_ARGS(A, W) A(QIN, u32, front, "n+1", queue, "n") A(INOUT, u32, x, "n") A(VALUE, u32, how, "1")
ARGS(fault_element, FAULT_ARGS)
ARGS(fault_queue, FAULT_QUEUE_ARGS)
ARGS(fault_grid, FAULT_ARGS)
ARGS(fault_tile, FAULT_ARGS)
ELEMENT_BODY(fault_element) { UNUSED_BODY; a->x[i] = i == 7 ? fault(a->how) : 0; }
QUEUE_BODY(fault_queue) { UNUSED_BODY; a->x[item] = item == 7 ? fault(a->how) : 0; }
TILE_BODY(fault_tile) { UNUSED_BODY; a->x[tile] = tile == 7 ? fault(a->how) : 0; }
GRID_BODY(fault_grid) {
  UNUSED_BODY;
  GRID_SYNC(grid)
  if (grid->me + 1 == grid->all) a->x[7] = fault(a->how);
  GRID_SYNC(grid)
}
LOOP(fault_loop, UNTYPED, "fault_loop{...}")
  STEP(fault_element, WITH(how, 6))
  STEP(fault_element)
END_LOOP(fault_loop)
]]

local causes = {"divided by zero", "a null pointer", "a null pointer", "the stack is full", "a trap"}
describe("a fault in a kernel", function()
  for _, bounds in ipairs {"own", "off"} do
    it("ends the launch, bounds " .. bounds, function()
      kernel.bounds(bounds)
      for _ = 1, 5 do
        for _, row in ipairs {fault_element, fault_tile, fault_grid} do
          local x = buffer.new("u32", 50000)
          for how, cause in ipairs(causes) do
            raises(cause, row, {x = x, how = how})
            row {x = x, how = 6}
            equal(x[7], 6)
          end
        end
      end
      kernel.bounds "own"
    end)
  end
  local function queue_row(how)
    local front = {20}
    for i = 1, 20 do front[1 + i] = i - 1 end
    for i = 22, 51 do front[i] = 0 end
    local x = buffer.new("u32", 50)
    fault_queue {front = buffer.new("u32", front), x = x, how = how}
    return x
  end
  it("ends a queue's launch and a loop", function()
    local x = buffer.new("u32", 50000)
    raises("at item 7; the kernel's outputs are restored", queue_row, 1)
    raises("fault_element: an integer was divided by zero", fault_loop, {x = x, how = 1})
    kernel.bounds "off"
    raises("at one of the items 0 to 19 of the queue; the kernel's outputs may be incomplete", queue_row, 1)
    raises("fault_element: an integer was divided by zero", fault_loop, {x = x, how = 1})
    kernel.bounds "own"
    equal(queue_row(6)[7], 6)
    fault_loop {x = x, how = 6}
    equal(x[7], 6)
  end)
  it("names the thread in the checked forms, and its items in the plain one", function()
    local x = buffer.new("u32", 50000)
    raises("at element 7; the kernel's outputs are restored", fault_element, {x = x, how = 1})
    kernel.races "on"
    raises("at element 7; the kernel's outputs are restored", fault_element, {x = x, how = 1})
    kernel.races "off"
    kernel.bounds "off"
    raises("at one of the elements 0 to 4095; the kernel's outputs may be incomplete", fault_element, {x = x, how = 1})
    kernel.bounds "own"
  end)
end)
