-- One block of threads per instance: the same results as with one thread per instance; rejected options.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near, samples = M.near, M.samples
local here = arg[0]:match "^(.*/)" or "./"
local network = dofile(here .. "random_reactions.lua")
local small = os.getenv "TEST_SMALL"

local ROBERTSON = [[
k = 0.04
a' = -k*a + 1e4*b*c
b' = k*a - 1e4*b*c - 3e7*b*b
c' = 3e7*b*b
a(0) = 1
b(0) = 0
c(0) = 0
]]
local MIXED = [[
k = 1.5
w = k*exp(-x) + sin(time)
x' = w*y - x^2.5/(1 + y^2) + 0.1*time
y' = -w + sqrt(1 + x*x) - 3.75*y
x(0) = 1
y(0) = 0.5
]]

-- Asserts that the variant with `group` threads per instance has the same results as the variant with one. For a large model the variant
-- with one thread runs on a CPU, because NVRTC would take minutes to compile its straight-line code.
local function same(text, options, group)
  local m, present = model.from_text(text), device()
  local function run(g)
    local o = {group = g}
    for k, x in pairs(options) do o[k] = x end
    return simulate(m, o)
  end
  if #text > 1000 then device "cpu" end
  local good, a = pcall(run, 1)
  device(present)
  if not good then error(a, 0) end
  local b = run(group)
  assert(a.group == 1 and b.group == group)
  assert(#a.failed == #b.failed and a.stiff == b.stiff)
  near(b.accepted, a.accepted, 0.02, 2)
  for _, name in ipairs(a.names) do
    for i = 0, a.instances - 1 do
      local size = 0
      for row = 0, a.rows - 1 do size = math.max(size, math.abs(a[name]:get(row, i))) end -- math.max ignores NaN in this order
      for row = 0, a.rows - 1 do
        local x, y = b[name]:get(row, i), a[name]:get(row, i)
        if y ~= y then assert(x ~= x) else near(x, y, 0, 10 * (a.least_atol + a.rtol * size)) end
      end
    end
  end
  return a, b
end

local function values(count)
  local out = {}
  for k = 1, count do out[k] = 0.02 + 0.01 * k end
  return out
end

describe("a block of threads an instance", function()
  long("Robertson's reactions by a block, with any number of threads and of instances", function()
    for _, count in ipairs {1, 3, 33} do
      same(ROBERTSON, {sweep = {k = values(count)}, stop = 40, steps = 3, method = "rodas4"}, count == 33 and 128 or 32)
    end
    for _, group in ipairs {256, 512} do same(ROBERTSON, {sweep = {k = values(3)}, stop = 40, steps = 3, method = "rodas4"}, group) end
    local _, b = same(ROBERTSON, {sweep = {k = values(3)}, stop = 40, steps = 3}, 64)
    assert(b.stiff == 3 and tostring(b):find("64 threads for each instance", 1, true))
  end)

  long("equations of other forms by a block: functions of others, of time, powers", function()
    for _, method in ipairs {"dopri5", "rodas4"} do
      same(MIXED, {sweep = {k = {0.5, 1, 1.5}}, stop = 3, steps = 3, method = method}, 32)
    end
  end)

  it("networks of 120 species by a block, and of so many that an instance's numbers are not in shared memory", function()
    for _, species in ipairs(small and {40} or {120, 260}) do
      for _, method in ipairs {"dopri5", "rodas4", "auto"} do
        if due() then
          same(network(species, 5), {sweep = {scale = {0.5, 1, 2}}, stop = method == "dopri5" and 0.1 or 10, steps = 2, method = method}, 64)
        end
      end
    end
  end)

  long("both checked forms find nothing in a block's kernels", function()
    local m = model.from_text(MIXED)
    for _, what in ipairs {"bounds", "races"} do
      local before = kernel[what]()
      kernel[what] "on"
      local good, r = pcall(simulate, m, {sweep = {k = {0.75, 1.25, 1.5}}, stop = 2, steps = 2, group = 32})
      kernel[what](before)
      if not good then error(r, 0) end
      assert(#r.failed == 0)
    end
  end)

  it("an instance that fails in a block is reported as that of a thread", function()
    local a, b = same("k = 1\nx' = k*x*x\nx(0) = 1\n", {sweep = {k = {0.1, 2, 0.2}}, stop = 2, steps = 2, method = "rodas4"}, 32)
    assert(#a.failed == 1 and b.failed[1].instance == 1 and b.failed[1].variable == "x" and b.failed[1].why:find "changes too fast")
    near(b.failed[1].time, a.failed[1].time, 1e-3)
  end)

  it("a checkpoint is gone on from by as many threads an instance", function()
    local m, file = model.from_text(ROBERTSON), os.tmpname()
    local function run(group, from)
      return simulate(m, {sweep = {k = values(3)}, stop = 40, steps = 3, method = "rodas4", group = group, from = from})
    end
    checkpoint(file, 2)
    local whole = run(32)
    checkpoint(false)
    local again = run(32, file)
    for i = 0, 2 do equal(again.a:get(3, i), whole.a:get(3, i)) end
    local good, why = pcall(run, 1, file)
    os.remove(file)
    assert(not good and why:find("group", 1, true), tostring(why))
  end)

  it("what group is refused", function()
    local m = model.from_text(MIXED)
    local function refused(text, o)
      o.stop = 1
      local good, why = pcall(simulate, m, o)
      assert(not good and why:find(text, 1, true), tostring(why))
    end
    refused("group is 33; an instance may have 1, 32, 64, 128, 256, 512 threads", {instances = 2, group = 33})
    refused("group is 0", {instances = 2, group = 0})
    refused("group is x", {instances = 2, group = "x"})
    refused("instances is 0", {instances = 0, group = 32})
    refused("radau5 cannot do that", {instances = 2, group = 32, method = "radau5"})
    m = model.from_text "x' = 1 - x*(time > 0.5)\nx(0) = 1\n"
    refused("the model has events or conditions", {instances = 2, group = 32})
  end)
end)
