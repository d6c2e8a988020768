-- beside.lua: asynchronous exchanges, which overlap with kernels (ranks.beside): the results are right, whichever call waits for the exchange, and
-- in the trace, kernels and exchanges overlap. Run by ranks/run with 1 to 4 ranks, in an empty folder.
local n, count, rank = 1 << 20, ranks.count, ranks.rank
local checked = 0
local function expect(x, f)
  for _, i in ipairs {0, #x // 3, #x - 1} do
    if x[i] ~= f(i) then error(("element %d is %s, expected %s"):format(i, x[i], f(i))) end
  end
  checked = checked + 1
end

-- each exchange, overlapped with kernels
local side = buffer.new("u32", n)
local function work(k)
  for i = 1, k do fill(side, i) end
end
for _, kind in ipairs {"u32", "f64"} do
  for _, k in ipairs {count, 1000 + count, n} do
    local first, past = ranks.range(k)
    local x = buffer.new(kind, k)
    fill(x, rank + 1)
    local p = ranks.beside(broadcast, x, count - 1)
    work(3)
    p:wait()
    expect(x, function() return count end)
    fill(x, rank + 1)
    p = ranks.beside(all_reduce, x, 0)
    work(3)
    p:wait()
    p:wait() -- waiting twice is allowed
    expect(x, function() return count * (count + 1) // 2 end)
    fill(x, rank + 1)
    p = ranks.beside(all_gather, x, first, past)
    p:wait()
    expect(x, function(i) return ranks.owner(k, i) + 1 end)
    fill(x, rank + 1)
    p = ranks.beside(reduce_scatter, x, first, past, 2)
    work(1)
    p:wait()
    if past > first then assert(x[first] == count and x[past - 1] == count) end
    local y, bounds, starts = buffer.new(kind, count * k), buffer.new("u64", count + 1), buffer.new("u64", count + 1)
    for r = 0, count do bounds[r] = r < count and ranks.range(k, r) or k end
    fill(x, rank + 1)
    p = ranks.beside(all_to_all, x, bounds, y, starts)
    work(1)
    p:wait()
    for r = 0, count - 1 do assert(y[starts[r]] == r + 1 and starts[r + 1] - starts[r] == past - first) end
  end
end

-- an access to a buffer of the exchange waits for the exchange; other accesses do not
local x, y = buffer.new("u32", n), buffer.new("u32", n)
local uses = {
  function() return x[n - 1] end, function() return x:copy()[n - 1] end, function() return x:max() end,
  function() copy_part {x = x, from = 0, count = n, y = y, to = 0} return y[n - 1] end,
  function() prim.swap(x, y) local found = y[n - 1] prim.swap(x, y) return found end,
  function() return x:sum() // n end,
}
for _, use in ipairs(uses) do
  fill(x, rank + 5)
  local p <close> = ranks.beside(broadcast, x, 0)
  assert(use() == 5, "it was used before it had come")
end
fill(x, rank)
do
  local p = ranks.beside(all_reduce, x, 2)
  fill(x, 77) -- runs after the exchange
  p:wait()
end
expect(x, function() return 77 end)
do -- the buffers of an exchange stay alive even if nothing else refers to them
  local z = buffer.new("u32", n)
  fill(z, 3)
  local p = ranks.beside(all_reduce, z, 0)
  z = nil
  collectgarbage()
  p:wait()
  local closed = buffer.new("u32", n)
  p = ranks.beside(all_reduce, closed, 0)
  closed:close()
  p:wait()
end

-- later exchanges run after the asynchronous one, in the order of the calls
fill(x, 1)
for i = 1, 8 do
  ranks.beside(all_reduce, x, 0)
  if i % 2 == 0 then assert(ranks.gathered(i)[count] == i) end
end
expect(x, function() return count ^ 8 end)
assert(ranks.greatest(rank) == count - 1)

-- kernels that were launched before an exchange finish writing the data before it is sent
for i = 1, 20 do
  fill(x, i)
  for _ = 1, 3 do copy_part {x = x, from = 0, count = n, y = y, to = 0} end
  fill(x, 0)
  local p <close> = ranks.beside(broadcast, y, i % count)
  work(2)
  p:wait()
  expect(y, function() return i end)
end

-- under compare an exchange runs synchronously, with the same result
if on_cpu() then
  compare("cpu", "cpu:1")
  fill(x, rank)
  local p <close> = ranks.beside(all_reduce, x, 0)
  expect(x, function() return count * (count - 1) // 2 end)
  compare(false)
end

-- primitives that are not exchanges are rejected
local function refused(text, f, ...)
  local good, message = pcall(f, ...)
  assert(not good and message:find(text, 1, true), message)
end
refused("fill is not an exchange", ranks.beside, fill, x, 1)

-- the trace: an exchange's interval overlaps those of kernels, and ranks.stats() reports the seconds of overlap
if count > 1 then
  stats("reset")
  local large = buffer.new("f64", 1 << 22)
  fill(large, 1)
  local p = ranks.beside(all_reduce, large, 0)
  local from, kernels = trace.clock(), 0
  repeat work(10) kernels = kernels + 10 until trace.clock() - from > 0.2
  p:wait()
  local exchange
  for r in trace.records() do if r.kernel == "all_reduce" then exchange = r end end
  local beside = 0
  for r in trace.records() do
    if r.kernel == "fill" then
      local begin, past = math.max(r.begin, exchange.begin), math.min(r.begin + r.time, exchange.begin + exchange.time)
      beside = beside + math.max(0, past - begin)
    end
  end
  assert(beside > 0, "no kernel ran beside the exchange")
  local own = ranks.stats()[rank + 1]
  assert(math.abs(own.beside - beside) <= 1e-6 + 1e-3 * beside, ("%g s of %g s are beside kernels, %g by the records"):format(own.beside, own.exchanges, beside))
  assert(own.beside <= own.exchanges and tostring(ranks.stats()):find " beside ")
  trace.save("beside.json", {ranks = true})
  if rank == 0 then
    local file <close> = assert(io.open "beside.json")
    local text = file:read "a"
    assert(text:find "exchanges beside kernels")
  end
end
print(checked .. " exchanges beside kernels are right")
