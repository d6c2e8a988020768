-- The cost of an almost empty step of a loop that runs unstepped: on a GPU with all blocks, with one block while the others wait
-- (the queue has few items), and with smaller blocks. Run by the program with the tests' rows: trial tests/trial/steps.lua [TURNS]
local turns = tonumber(arg[1] or 200000)
local apart, count = turns // 2101, 0

-- Microseconds per step, the minimum of three runs. items: the length of the queue that the step reads.
local function cost(items, options)
  count = count + 1
  local name = "steps" .. count
  trial.loop(name, {{"FOR", "i", "n"}, {"STEP", "trial_take", "round=1 "}, {"END_FOR"}})
  local y, near = buffer.new("u32", turns), buffer.new("u32", turns + 1)
  for i = 1, items do near[i] = apart * i end
  near[0] = items
  local args = {y = y, near = near}
  for key, value in pairs(options or {}) do args[key] = value end
  local least = math.huge
  for _ = 1, 3 do
    fill(y, 0)
    local begun = trace.clock()
    prim.loops[name].call(args)
    least = math.min(least, trace.clock() - begun)
    if y[apart] ~= (items > 0 and 3 * turns or 0) then error "a step has not done what it should" end
  end
  return 1e6 * least / turns
end

print(device().name, turns .. " turns")
for _, traced in ipairs {false, true} do
  if traced then trace.on() else trace.off() end
  local how = traced and "traced" or "not traced"
  print(("a step by all blocks        %-11s %.3f us"):format(how, cost(2100)))
  print(("a step by one block alone   %-11s %.3f us"):format(how, cost(1)))
end
trace.off()
for _, block in ipairs {256, 128, 64} do print(("by all blocks of %3d threads            %.3f us"):format(block, cost(2100, {block_size = block}))) end
