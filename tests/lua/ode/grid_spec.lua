-- Rows of the domain GRID: all threads run concurrently and synchronise at grid barriers.
local found = os.execute "cc --version > /dev/null 2>&1"
if not found and device().processor == "cpu" then print "left out: there is no compiler cc here" return end

local HEAD = '#include "language/kernel.h"\n'
local function text(name, args, body)
  return HEAD .. ([[
PRIM(NAME, NAME_ARGS, UNTYPED, GRID, "k", EXACT, "", "", "NAME(...): for the test.")
#define NAME_ARGS(A, W) ARGUMENTS
ARGS(NAME, NAME_ARGS)
GRID_BODY(NAME) {
  UNUSED_BODY;
INSIDE
}
]]):gsub("%u+", {ARGUMENTS = args, INSIDE = body}):gsub("NAME", name)
end

local HALVE = text("grid_halve", 'A(INOUT, u64, sum, "k") A(VALUE, u64, sum_of, "1") A(COUNT, u32, threads, "1")', [[
  count->threads++;
  for (u64 n = a->sum_of; n > 1; n = (n + 1) / 2) {
    for (u64 i = grid->me; i < n / 2; i += grid->all) a->sum[i] += a->sum[(n + 1) / 2 + i];
    GRID_SYNC(grid)
  }]])

describe("a grid", function()
  kernel(HALVE)
  it("has threads that meet", function()
    for _, n in ipairs {1, 2, 31, 1000, 100000} do
      local sum = buffer.new("u64", n)
      for i = 0, n - 1 do sum[i] = i * i end
      local threads = grid_halve {sum = sum, sum_of = n}
      equal(sum[0], (n - 1) * n * (2 * n - 1) // 6)
      equal(threads >= 1, true)
    end
  end)
  it("has blocks of the size that is asked for", function()
    for _, block in ipairs {32, 64, 256, 512} do
      local sum = buffer.new("u64", 5000):fill(1)
      grid_halve {sum = sum, sum_of = 5000, block_size = block}
      equal(sum[0], 5000)
    end
    local sum = buffer.new("u64", 10)
    raises("a multiple of 32, up to 1024", grid_halve, {sum = sum, sum_of = 10, block_size = 1056})
    kernel((HALVE:gsub("grid_halve", "grid_wide"):gsub("\nGRID_BODY", "\nSHAPE(grid_wide, 1024, 1)\nGRID_BODY")))
    local ones = buffer.new("u64", 5000):fill(1)
    grid_wide {sum = ones, sum_of = 5000, block_size = 1024}
    equal(ones[0], 5000)
  end)
  it("has no checked form", function()
    raises("a GRID row, whose threads wait for each other", kernel.bounds, "grid_halve", "on")
    raises("a GRID row, whose threads wait for each other", kernel.races, "grid_halve", "on")
    local before = kernel.bounds()
    kernel.bounds "on"
    local sum = buffer.new("u64", 100):fill(1)
    grid_halve {sum = sum, sum_of = 100}
    kernel.bounds(before)
    equal(sum[0], 100)
  end)
  it("has a body of its own kind", function()
    raises("is a GRID row: it needs GRID_BODY(grid_wrong)", kernel, (HALVE:gsub("GRID_BODY", "VERTEX_BODY"):gsub("grid_halve", "grid_wrong")))
  end)
  it("is a step of a loop", function()
    loop [[
LOOP(grid_twice, UNTYPED, "grid_twice(sum, sum_of): two launches.")
  FOR(turn, "2")
    STEP(grid_halve)
  END_FOR
END_LOOP(grid_twice)
]]
    local sum = buffer.new("u64", 64):fill(1)
    grid_twice {sum = sum, sum_of = 2}
    equal(sum[0], 3)
  end)
end)
