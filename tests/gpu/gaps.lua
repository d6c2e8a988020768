-- The gaps between kernels in which the device waits for the host within one scc: lockstep --backend cuda tests/gpu/gaps.lua [SCALE]
local g = gen.rmat {scale = tonumber(arg[1] or 20), degree = 16, seed = 1}
for _ = 1, 3 do scc(g) end
trace.reset()
scc(g)
local before
for _, r in ipairs(trace.last(100)) do
  if before then
    print(("%-18s asked after %7.1f us, begins after %7.1f us, takes %7.1f us"):format(r.kernel, 1e6 * (r.asked - before),
      1e6 * (r.begin - before), 1e6 * r.time))
  end
  before = r.begin + r.time
end
