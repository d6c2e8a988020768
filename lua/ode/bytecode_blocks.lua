-- Auto-tuning of the number of threads per block for simulations on CUDA: the first calls try several and time them.

local bytecode_blocks = {}

-- bytecode_blocks.tried: the shortest call, in seconds, whose time is used to compare the ways of running steps.
bytecode_blocks.tried = 0.002
local BLOCKS = {{512}, {256}, {128}, {64}, {32}} -- threads per block on CUDA, in the order in which they are tried
local TRIALS = 2 -- number of timed calls per way; the shorter time is used

-- bytecode_blocks.by_block(r, args, steps, run [, ways]): calls run(), which runs `steps` steps, with the fastest number of threads per
-- block, and returns the result of run(). The first calls try each of `ways`, {threads per block [, all threads]}, and r.blocks keeps
-- their times (Okuyama 2013, section 5.4). The choice does not change what is computed.
function bytecode_blocks.by_block(r, args, steps, run, ways)
  ways = ways or BLOCKS
  local t = r.blocks or {at = 1, trials = 0, least = math.huge}
  local way = t.way or ways[t.at]
  r.blocks, args.block_size, args.team = t, way[1], way[2] or args.team
  local begun = trace.clock()
  local counted = run()
  local took = trace.clock() - begun
  if t.found or took < bytecode_blocks.tried then return counted end
  if took / steps < t.least then t.least, t.best = took / steps, way end
  t.trials = t.trials + 1
  if t.trials == TRIALS then t.at, t.trials = t.at + 1, 0 end
  if t.at > #ways then t.way, t.found = t.best, t.best[1] end
  return counted
end

local OF_GRID = {1024, 512, 256} -- threads per block
local IN_TURN = 8 -- maximum number of instances per thread, which runs them one after the other

-- bytecode_blocks.ways_of_grid(threads): the ways to run a grid that has work for this many threads, for bytecode_blocks.by_block: one thread per
-- instance; for a small model also a single block whose threads run several instances in turn, so that no barrier spans blocks.
function bytecode_blocks.ways_of_grid(threads)
  local ways = {}
  if threads <= OF_GRID[1] then ways[1] = {threads, threads} end
  for _, block in ipairs(OF_GRID) do
    if threads > block then ways[#ways + 1] = {block, threads} end
    if threads > block and threads <= IN_TURN * block then ways[#ways + 1] = {block, block} end
  end
  return ways
end

return bytecode_blocks
