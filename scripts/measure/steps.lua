--- steps.lua [STEPS [MODEL...]]: seconds of 100,000 Euler steps of Luo and Rudy's model by each form of the simulator on the current device:
--- the interpreter, one kernel per phase, and one kernel for many steps.
---
---   lockstep --backend cuda scripts/measure/steps.lua 10000                 all: single, ring, lines of 100, 1000, 5000 cells
---   lockstep --backend cuda scripts/measure/steps.lua 10000 5000 sweep      a line of 5000 cells, also with each block size
---
--- Times are extrapolated from STEPS. `made`: seconds from the model to bytecode; `ready`: seconds to generated and compiled kernels,
--- less if the cache has compiled kernels.
local bytecode_blocks = import "ode/bytecode_blocks"
local ALL, DT = 100000, 0.01
local steps = math.tointeger(tonumber(arg[1] or 10000))
if not steps or steps < 100 then error("usage: steps.lua [STEPS, from 100 on [MODEL...] [sweep]]", 0) end
trace.off()

local names, sweep = {}, false
for i = 2, #arg do
  if arg[i] == "sweep" then sweep = true else names[#names + 1] = arg[i] end
end
if #names == 0 then names = {"single", "ring", "100", "1000", "5000"} end
local on_gpu = device().processor ~= "cpu"

local function load(name)
  if name == "single" then return model.load(model.sample "luo-rudy-1991") end
  if name == "ring" then return model.line {cells = 80, ring = true} end
  return model.line {cells = math.tointeger(tonumber(name)) or error("a model is single, ring, or how many cells a line has", 0)}
end

-- Seconds of 100,000 steps, without a run's preparation (which for 5000 cells takes as long as thousands of steps); and the
-- last value of the first variable.
local function seconds(b, count)
  local o = {start = 0, intervals = 1, dt = DT, method = "euler", columns = {0}}
  local function timed(number)
    o.stop = number * DT
    local begun = trace.clock()
    local r = b:run(o)
    local value = r.columns[1][1]
    return trace.clock() - begun, value, r.block
  end
  timed(count) -- a first run, which allocates, compiles and tries block sizes
  local start = math.min((timed(1)), (timed(1)))
  local took, value, block = timed(count)
  return (took - start) * ALL / (count - 1), value, block
end

print(("%s, %d steps"):format(device().name, steps))
print(("%-8s %9s %9s %12s %12s %12s %8s %8s"):format("model", "made", "ready", "interpreter", "phases", "one kernel", "us/step", "block"))
for _, name in ipairs(names) do
  local m = load(name)
  local interpreted, phases = m:bytecode(), m:bytecode():compile {method = "euler", phases = true}
  local begun = trace.clock()
  local one = m:bytecode()
  local made = trace.clock() - begun
  begun = trace.clock()
  one:compile {method = "euler"}
  seconds(one, 10)
  local ready = trace.clock() - begun
  local few = math.max(100, steps // 10)
  local is, a = seconds(interpreted, few)
  local by_phases, b = seconds(phases, few)
  local _, c = seconds(one, few)
  local by_one, _, block = seconds(one, steps)
  print(("%-8s %9.2f %9.2f %12.3f %12.3f %12.3f %8.2f %8s"):format(name, made, ready, is, by_phases, by_one, by_one / ALL * 1e6, block or "-"))
  if b ~= c then print(("  one kernel: %.17g, phases: %.17g, interpreter: %.17g"):format(c, b, a)) end
  if sweep and on_gpu then
    local by_block, team = bytecode_blocks.by_block, one.many.cuda.euler.args.team
    for _, threads in ipairs {1024, 768, 512, 384, 256, 128} do
      for _, of in ipairs(team > threads and {team, threads} or {team}) do
        if of == team or team <= 16 * threads then
          bytecode_blocks.by_block = function(_, args, _, run) args.block_size, args.team = threads, of return run() end
          print(("  blocks of %4d, work for %6d threads: %8.3f s"):format(threads, of, (seconds(one, few))))
        end
      end
    end
    bytecode_blocks.by_block = by_block
  end
end
