-- The cost of loops and simulations on a GPU: mechanisms.lua [TURNS [PAIRS]]; TURNS: the iterations of the long loop; PAIRS: how
-- often it runs with and without the trace
local bytecode_blocks = import "ode/bytecode_blocks"
local turns, pairs_wanted = tonumber(arg[1] or 1000000), tonumber(arg[2] or 4)
local common = dofile((arg[0]:match("^(.*)/") or ".") .. "/../../scripts/paper/common.lua")
local timed, median = common.time, common.median
print(device().name)

do -- a loop of very many iterations, with and without the trace
  local b = model.load(model.sample "lotka-volterra"):bytecode()
  local o = {start = 0, stop = turns // 2 * 1e-5, intervals = 1, dt = 1e-5, method = "euler", columns = {0}}
  local function run(on)
    if on then trace.on() else trace.off() end
    collectgarbage()
    local _, seconds = timed(function() b:run(o) end)
    if on then stats() end
    return seconds
  end
  run(false)
  local ratios, least = {}, math.huge
  for i = 1, pairs_wanted do
    local on, off
    if i % 2 == 0 then on, off = run(true), run(false) else off = run(false) on = run(true) end
    ratios[i], least = on / off, math.min(least, off)
  end
  trace.on()
  print(("a loop of %d turns: %.3f s, %.2f us a turn; traced / untraced: median %.4f, greatest %.4f"):format(turns, least, 1e6 * least / turns,
    median(ratios), ratios[#ratios]))
end

if device().processor ~= "cpu" then -- one step of tiled Floyd-Warshall at n = 8192 under compare
  local n = 8192
  local D = buffer.new("i32", n, n)
  fill(D, 1000)
  local args = {D = D, k = 3, tiles = n // 32, overflow = buffer.new("u32", 1)}
  fw_rest(args)
  local _, alone = timed(function() fw_rest(args) D[0] = D[0] end)
  local here = device().name
  compare(here, "cpu")
  stats "reset"
  local _, compared = timed(function() fw_rest(args) end)
  compare(false)
  print(("fw_rest, n = %d: alone %.3f s with a download, compared with the CPU %.3f s in all; of it:"):format(n, alone, compared))
  print(stats())
end

do -- simulations: the block size that was selected in the first steps, compared with fixed block sizes
  local by_block = bytecode_blocks.by_block
  local line = model.line {cells = 1000}
  local o = {stop = 200, dt = 0.01, steps = 2, method = "euler", engine = "bytecode", variables = {"V_1"}}
  o.variables = {line:variable(1).name}
  simulate(line, o)
  local r, tuned = timed(function() return simulate(line, o) end)
  local times = {}
  for i, block in ipairs {512, 256, 128, 64} do
    bytecode_blocks.by_block = function(_, args, _, run) args.block_size = block return run() end
    local _, seconds = timed(function() simulate(line, o) end)
    times[i] = ("%d: %.3f"):format(block, seconds)
  end
  bytecode_blocks.by_block = by_block
  print(("1000 cells, 20 000 steps of Euler's method: %.3f s, blocks of %s; by blocks of one size, s: %s"):format(tuned, r.block,
    table.concat(times, ", ")))
  local m = model.load(model.sample "luo-rudy-1991")
  local p = {stop = 500, steps = 500, method = "dopri5", rtol = 1e-8, variables = {"V"}}
  local want = simulate(m, p)
  p.engine = "bytecode"
  local got, seconds = timed(function() return simulate(m, p) end)
  local off = 0
  for i = 0, 500 do off = math.max(off, math.abs(got.V[i] - want.V[i])) end
  print(("one cell by dopri5, 500 ms: %.3f s, %d steps, %s; V differs from the reference's by %.2g at most"):format(seconds, got.steps,
    got.engine, off))
  local path = os.tmpname() .. ".csv"
  p.stream = path
  simulate(m, p)
  local lines = 0
  for _ in io.lines(path) do lines = lines + 1 end
  os.remove(path)
  print(("streamed: %d lines of 502"):format(lines))
end
