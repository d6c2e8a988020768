-- Exchanges of all types and odd sizes, compared with values that each rank computes by itself. Run by ranks/run with 1 to 4 ranks.
local count, rank = ranks.count, ranks.rank
local cases = 0
local KINDS = {"u8", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64"}
local SLAB = 1 << 20 -- bytes per piece of an exchange through shared memory

-- The i-th element of rank r: small, so that sums over four ranks fit in every type.
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

-- Very unequal ranges: some ranks have nothing.
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

    -- sent(r): rank r sends the elements from sent(r)[q] to sent(r)[q + 1] - 1 to rank q
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

-- halos: each rank owns a range of x; rank q needs every (q + 2)-th element of the other ranks' ranges
local function halo_lists(n)
  local function taken(q) -- the indices of the elements that rank q needs from each rank
    local lists = {}
    for r = 0, count - 1 do
      lists[r] = {}
      local first, past = ranks.range(n, r)
      if r ~= q then for i = first, past - 1, q + 2 do table.insert(lists[r], i) end end
    end
    return lists
  end
  local function flat(lists)
    local all, at = {}, {0}
    for r = 0, count - 1 do
      table.move(lists[r], 1, #lists[r], #all + 1, all)
      at[r + 2] = #all
    end
    return #all > 0 and buffer.new("u32", all) or buffer.new("u32", 0), buffer.new("u64", at)
  end
  local give = {}
  for q = 0, count - 1 do give[q] = taken(q)[rank] end
  local lists = {}
  lists.take, lists.take_at = flat(taken(rank))
  lists.give, lists.give_at = flat(give)
  return lists
end
local before = cases
for k, kind in ipairs(KINDS) do
  for _, n in ipairs {0, 1, 7, 1000, 70001} do
    local lists = halo_lists(n)
    local first, past = ranks.range(n)
    local x, own = filled(kind, n, rank), filled(kind, n, rank)
    halo(x, lists)
    for i = 0, n - 1, math.max(1, n // 50) do
      local owner = ranks.owner(n, i)
      local taken = owner ~= rank and (i - ranks.range(n, owner)) % (rank + 2) == 0
      expect("halo", x, i, value(taken and owner or rank, i))
    end
    for op = 0, 2 do
      local y = own:copy()
      halo_reduce(y, op, lists)
      for i = 0, n - 1, math.max(1, n // 50) do
        local want = value(rank, i)
        for q = 0, count - 1 do
          if i >= first and i < past and q ~= rank and (i - first) % (q + 2) == 0 then
            local theirs = value(q, i)
            want = op == 0 and want + theirs or op == 1 and math.min(want, theirs) or op == 2 and math.max(want, theirs)
          end
        end
        expect("halo_reduce " .. op, y, i, want)
      end
    end
  end
end
assert(cases > before)
if count > 1 then -- several pieces per exchange; only the listed elements are sent
  local n = 4 * SLAB
  local lists, x = halo_lists(n), buffer.new("u64", n)
  fill(x, rank + 1)
  stats("reset")
  halo(x, lists)
  local got = ranks.stats()[rank + 1].bytes
  assert(got >= 8 * #lists.take and got < 8 * #lists.take + 1000, got)
  for _, i in ipairs {0, #lists.take // 2, #lists.take - 1} do expect("halo", x, lists.take[i], ranks.owner(n, lists.take[i]) + 1) end
end

-- the size is more than one piece, but not a multiple of a piece
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
local long = on_cpu() and n or 80 << 20 -- on CUDA, pieces have 2^25 bytes
local here, there, starts = buffer.new("u8", long), buffer.new("u8", long), buffer.new("u64", count + 1)
fill(here, rank + 1)
local to = {} -- most elements are sent to the next rank; those before bounds[0] are not sent
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

-- the minimum and the maximum of each type: unsigned values must not be treated as negative
for _, ends in ipairs {{0, 0xff, "u8"}, {0, 0xffff, "u16"}, {0, 0xffffffff, "u32"}, {0, math.maxinteger, "u64"}, {-0x8000, 0x7fff, "i16"},
  {-0x80000000, 0x7fffffff, "i32"}, {math.mininteger, math.maxinteger, "i64"}, {-math.huge, math.huge, "f32"}, {-math.huge, math.huge, "f64"}} do
  for op = 1, 2 do
    local e = buffer.new(ends[3], {ends[1], ends[2], ends[1 + rank % 2], ends[2 - rank % 2]})
    all_reduce(e, op)
    expect("all_reduce " .. op, e, 0, ends[1])
    expect("all_reduce " .. op, e, 1, ends[2])
    for i = 2, 3 do expect("all_reduce " .. op, e, i, count == 1 and ends[i - 1] or ends[op]) end
  end
end

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

-- ranks.range: the ranges are contiguous, of nearly equal size, and agree with ranks.owner
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

-- ranks.stats: one row per rank, with the share of the time that it spends on exchanges
stats("reset")
local long = buffer.new("f64", 100000)
for _ = 1, rank + 1 do fill(long, 1) end
all_reduce(long, 0)
local shares = ranks.stats()
assert(#shares == count)
for r, s in ipairs(shares) do
  assert(s.rank == r - 1 and s.kernels > 0 and s.exchanges > 0 and s.share > 0 and s.share < 1, tostring(shares))
end
assert(tostring(shares):find "the slowest rank spends")

-- statistics of other ranks are transferred with the exchanges: bytes received, time waited in exchanges; nothing is counted twice
stats("reset")
local piece, whole = 1000, buffer.new("u64", 1000 * count)
all_gather(whole, rank * piece, (rank + 1) * piece)
if rank == 0 then
  local from = trace.clock()
  repeat fill(long, 1) until trace.clock() - from > 0.5 -- on a busy machine the others may arrive late
end
broadcast(whole, 0)
local one = ranks.stats()
for r, s in ipairs(one) do
  assert(s.bytes >= (count - 1) * piece * 8 + (r > 1 and #whole * 8 or 0) and s.bytes < (count - 1) * piece * 8 + #whole * 8 + 1000)
  assert(s.waits <= s.exchanges)
  if count > 1 then assert(r == 1 and s.kernels > 0 and s.waits < 0.5 or s.waits > 0.05, ("rank %d waits %g"):format(r - 1, s.waits)) end
end
local again = ranks.known()
for r, s in ipairs(again) do
  if r ~= rank + 1 then assert(s.kernels == one[r].kernels and s.bytes == one[r].bytes) end
end

-- The limit of the link is one number for all ranks, and with several ranks exchanges show their share of it.
if count == 1 then
  assert(not pcall(ranks.limits))
else
  device.limits()
  local link = ranks.limits().link
  for _, other in ipairs(ranks.gathered(link)) do assert(other == link and link > 1e6) end
  stats("reset")
  broadcast(buffer.new("f64", 1 << 20), 0)
  local shown = {}
  for _, row in ipairs(stats()) do shown[row.kernel] = row end
  local row = shown.broadcast
  assert(rank == 0 or (row.bound == "link" and row.limit > 0) or row.limit == nil, tostring(stats())) -- nil: faster than the measured limit
end

-- The exchanges used the route that the environment requests.
local asked = ({nccl = "^NCCL %d", peers = "^peer copies$", host = "^the host$"})[os.getenv("LOCKSTEP_EXCHANGE")]
if tostring(device()):find "^cpu" then assert(ranks.route() == ranks.transport) end
if asked and count > 1 and not tostring(device()):find "^cpu" then assert(ranks.route():find(asked), ranks.route()) end

print(cases .. " elements are right, by " .. ranks.route())
