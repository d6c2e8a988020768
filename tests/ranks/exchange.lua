-- Exchanges of all types and odd sizes, held against what each rank can compute alone. Run by ranks/run with 1 to 4 ranks.
local count, rank = ranks.count, ranks.rank
local cases = 0
local KINDS = {"u8", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64"}
local SLAB = 1 << 20 -- bytes that go at a time in shared memory

-- What rank r has as its i-th element: small, so that sums of four ranks fit in every type.
local function value(r, i) return (i * 7 + r * 13 + i // 97) % 31 end
local function filled(kind, n, r)
  local list = {}
  for i = 0, n - 1 do list[i + 1] = value(r, i) end
  return buffer.new(kind, list)
end
local function expect(what, b, i, want)
  cases = cases + 1
  if b[i] ~= want then error(("%s of %s[%d], rank %d of %d: element %d is %s, expected %s"):format(what, b.dtype, #b, rank, count, i, b[i], want)) end
end

-- Ranges that are as unequal as they can be: some ranks have nothing.
local function uneven(n, seed)
  local bounds = {[0] = 0}
  for r = 1, count - 1 do bounds[r] = math.max(bounds[r - 1], (seed * r * 7919) % (n + 1)) end
  bounds[count] = n
  return bounds
end

for k, kind in ipairs(KINDS) do
  for _, n in ipairs {0, 1, 2, 5, 1000, 70001} do
    local bounds = uneven(n, k + n)
    local step = math.max(1, n // 50)

    local x = filled(kind, n, rank)
    all_gather(x, bounds[rank], bounds[rank + 1])
    for r = 0, count - 1 do
      for i = bounds[r], bounds[r + 1] - 1, step do expect("all_gather", x, i, value(r, i)) end
    end

    for op = 0, 2 do
      local function wanted(i)
        local out = value(0, i)
        for r = 1, count - 1 do
          local v = value(r, i)
          out = op == 0 and out + v or op == 1 and math.min(out, v) or op == 2 and math.max(out, v)
        end
        return out
      end
      local y = filled(kind, n, rank)
      all_reduce(y, op)
      for i = 0, n - 1, step do expect("all_reduce " .. op, y, i, wanted(i)) end
      local z = filled(kind, n, rank)
      reduce_scatter(z, bounds[rank], bounds[rank + 1], op)
      for i = bounds[rank], bounds[rank + 1] - 1, step do expect("reduce_scatter " .. op, z, i, wanted(i)) end
    end

    local root = (k + n) % count
    local b = filled(kind, n, rank)
    broadcast(b, root)
    for i = 0, n - 1, step do expect("broadcast", b, i, value(root, i)) end

    -- rank r sends the elements from its bounds on: what they are is known here too
    local function sent(r) return uneven(n, k + n + r) end
    local mine, room, at = sent(rank), 0, buffer.new("u64", count + 1)
    for r = 0, count - 1 do room = room + sent(r)[rank + 1] - sent(r)[rank] end
    local to = buffer.new("u64", count + 1)
    for r = 0, count do to[r] = mine[r] end
    local got = buffer.new(kind, room + 3)
    all_to_all(filled(kind, n, rank), to, got, at)
    local place = 0
    for r = 0, count - 1 do
      expect("starts", at, r, place)
      local first, past = sent(r)[rank], sent(r)[rank + 1]
      for i = first, past - 1, step do expect("all_to_all", got, place + i - first, value(r, i)) end
      place = place + past - first
    end
    expect("starts", at, count, place)
  end
end

-- more than goes at a time, and not a multiple of it
local n = 3 * SLAB + 12345
local first, past = ranks.range(n)
local x = buffer.new("u8", n)
fill(x, rank + 1)
all_gather(x, first, past)
for r = 0, count - 1 do
  local f, p = ranks.range(n, r)
  expect("all_gather", x, f, r + 1)
  expect("all_gather", x, p - 1, r + 1)
end
local y = buffer.new("i64", SLAB // 8 * 3 + 17)
fill(y, rank + 1)
all_reduce(y, 0)
expect("all_reduce", y, #y - 1, count * (count + 1) // 2)
expect("all_reduce", y, SLAB // 8, count * (count + 1) // 2)
local long = on_cpu() and n or 80 << 20 -- on CUDA, slabs have 2^25 bytes
local here, there, starts = buffer.new("u8", long), buffer.new("u8", long), buffer.new("u64", count + 1)
fill(here, rank + 1)
local to = {} -- most goes to the next rank; what lies before bounds[0] goes nowhere
for r = 0, count do to[r + 1] = r <= (rank + 1) % count and 5 + r or long - count + r end
all_to_all(here, buffer.new("u64", to), there, starts)
for r = 0, count - 1 do
  local length = rank == (r + 1) % count and long - count - 4 or 1
  expect("starts", starts, r + 1, starts[r] + length)
  expect("all_to_all", there, starts[r], r + 1)
  expect("all_to_all", there, starts[r + 1] - 1, r + 1)
end
here:close()
there:close()

-- sums of integers wrap, and all ranks get the same bits of sums of reals
local w = buffer.new("i32", {math.maxinteger & 0x7fffffff})
all_reduce(w, 0)
expect("all_reduce", w, 0, ((0x7fffffff * count + 0x80000000) & 0xffffffff) - 0x80000000)
local f = buffer.new("f64", 1000)
for i = 0, 999 do f[i] = math.sin(i + rank) * 10.0 ^ (rank * 5) end
all_reduce(f, 0)
local same = f:copy()
broadcast(same, 0)
for i = 0, 999 do expect("all_reduce", f, i, same[i]) end

-- ranges
for _, things in ipairs {0, 1, 3, 10, 1000} do
  local at = 0
  for r = 0, count - 1 do
    local a, b = ranks.range(things, r)
    assert(a == at and b >= a and b - a <= things // count + 1)
    for i = a, b - 1 do assert(ranks.owner(things, i) == r) end
    at = b
  end
  assert(at == things)
end
assert(ranks.greatest(rank * 10) == (count - 1) * 10)
for r, x in ipairs(ranks.gathered(rank * 7 - 3)) do assert(x == (r - 1) * 7 - 3) end

-- the shares of the ranks
stats("reset")
local long = buffer.new("f64", 100000)
for _ = 1, rank + 1 do fill(long, 1) end
all_reduce(long, 0)
local shares = ranks.stats()
assert(#shares == count)
for r, s in ipairs(shares) do assert(s.rank == r - 1 and s.kernels > 0 and s.exchanges > 0 and s.share > 0 and s.share < 1) end
assert(tostring(shares):find "the slowest rank spends")

print(cases .. " elements are right")
