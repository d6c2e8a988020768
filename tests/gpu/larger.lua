--- larger.lua [GIB]: Floyd-Warshall out of core, on a matrix of 1.5 times the free device memory: another buffer occupies all but GIB
--- (default 4) GiB. Before that, the same matrix is closed in core, for comparison. The out-of-core time is that of fw as a whole, from
--- the graph to the result: the matrix is built and pinned on the host, and its blocks are copied to the device and back.
---
---   lockstep --backend cuda tests/gpu/larger.lua
local left = math.floor((tonumber(arg[1]) or 4) * (1 << 30))
local n = math.floor((1.5 * left / 4) ^ 0.5) -- i32
local g = gen.uniform {n = n, m = 8 * n, seed = 1, weights = "i32", lo = 1, hi = 1000}

local function seconds(f)
  local begun = trace.clock()
  f()
  return trace.clock() - begun
end
local function rows_of(D) -- eight rows of D, for comparison
  local rows = {}
  for k = 0, 7 do rows[k + 1] = D:slice(k * (n - 1) // 7, k * (n - 1) // 7 + 1, 0, n) end
  return rows
end

local D = matrix.of(g)
local core = seconds(function() assert(matrix.close(D, n, {positive = 1})) end)
local want = rows_of(D)
D:close()

local hold
if device().processor == "cuda" then
  hold = buffer.new("f64", (device().free - left) // 8)
  fill(hold, 0)
end
local bytes = 4.0 * n * n
print(("n %d: %.2f GiB, of which %s has %.2f left"):format(n, bytes / (1 << 30), device().model or device().name, device().free / (1 << 30)))
local r
local blocks = seconds(function() r = fw(g, device().processor == "cpu" and {memory = left} or nil) end)
assert(r.edge, "the matrix was closed in core")
for k, row in ipairs(rows_of(r.matrix)) do assert(row:diff(want[k]) == 0, "another result") end
print(("in core %.3f s, %.2f T updates/s; out of core, blocks of %d, %.3f s, %.2f T updates/s: %.0f %% of the rate"):format(core, n ^ 3 / core * 1e-12,
  r.edge, blocks, n ^ 3 / blocks * 1e-12, 100 * core / blocks))
if hold then hold:close() end
