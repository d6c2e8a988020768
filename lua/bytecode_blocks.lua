-- How many threads a block has, of a simulation on CUDA: the first calls try.

--- bytecode.tried: seconds of steps that tell how fast a way to run them is.
bytecode.tried = 0.002
local BLOCKS = {{512}, {256}, {128}, {64}, {32}} -- threads of a block on CUDA, in the order in which they are tried
local TRIALS = 2 -- of each; the faster counts

--- bytecode.by_block(r, args, steps, run [, ways]): run(), a call over so many steps, with as many threads a block as have been
--- found to be the fastest; a way may also say of how many threads there are work for. The first calls try (Okuyama 2013, section
--- 5.4): r.blocks says what has been found. Results are the same.
function bytecode.by_block(r, args, steps, run, ways)
  ways = ways or BLOCKS
  local t = r.blocks or {at = 1, trials = 0, least = math.huge}
  local way = t.way or ways[t.at]
  r.blocks, args.block_size, args.team = t, way[1], way[2] or args.team
  local begun = trace.clock()
  local counted = run()
  local took = trace.clock() - begun
  if t.found or took < bytecode.tried then return counted end
  if took / steps < t.least then t.least, t.best = took / steps, way end
  t.trials = t.trials + 1
  if t.trials == TRIALS then t.at, t.trials = t.at + 1, 0 end
  if t.at > #ways then t.way, t.found = t.best, t.best[1] end
  return counted
end

local OF_GRID = {1024, 512, 256} -- threads of a block
local IN_TURN = 8 -- instances that a thread may have, one after the other

--- bytecode.ways_of_grid(threads): the ways to run a grid of so many threads: a thread each; or, of a small model, one block, whose
--- threads have several instances in turn, but do not wait for other blocks.
function bytecode.ways_of_grid(threads)
  local ways = {}
  if threads <= OF_GRID[1] then ways[1] = {threads, threads} end
  for _, block in ipairs(OF_GRID) do
    if threads > block then ways[#ways + 1] = {block, threads} end
    if threads > block and threads <= IN_TURN * block then ways[#ways + 1] = {block, block} end
  end
  return ways
end
