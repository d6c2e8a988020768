-- Ranks: processes that run the same script, each with a device of its own. `lockstep --ranks N` or mpirun starts them.

--- ranks.range(n [, rank]): divides n items, numbered from 0 on, among the ranks. Returns `first` and `past`: a rank (default: this
--- process) has the items [first, past). The parts follow each other, and their sizes differ by 1 at most.
function ranks.range(n, rank)
  rank = rank or ranks.rank
  return n * rank // ranks.count, n * (rank + 1) // ranks.count
end

--- ranks.owner(n, i): the rank whose part of n items has item i.
function ranks.owner(n, i) return ((i + 1) * ranks.count - 1) // n end

--- ranks.gathered(x): a list of the integers x of all ranks, in the order of ranks.
--: ranks.gathered(x)

--- ranks.on_host(f, ...): calls f with this rank's CPU as the device: buffers that f makes and exchanges are on the host.
function ranks.on_host(f, ...)
  local before = device()
  if before.name == "cpu" then return f(...) end
  device "cpu"
  local out = table.pack(pcall(f, ...))
  device(before)
  if not out[1] then error(out[2], 0) end
  return table.unpack(out, 2, out.n)
end

local function reduced(op, ...)
  local all <close> = buffer.new("i64", {...})
  all_reduce(all, op)
  local out = {}
  for i = 1, #all do out[i] = all[i - 1] end
  return table.unpack(out)
end

--- ranks.greatest(x, ...): the maximum over all ranks of the integer x, in all ranks; of several integers, the maximum of each. So all
--- ranks learn what any of them has found, such as an overflow, and take the same decision.
function ranks.greatest(...)
  if ranks.count == 1 then return ... end
  return ranks.on_host(reduced, 2, ...)
end

--- ranks.sum(x, ...): the sum over all ranks of the integer x, in all ranks; of several integers, the sum of each.
function ranks.sum(...)
  if ranks.count == 1 then return ... end
  return ranks.on_host(reduced, 0, ...)
end

local function broadcast_text(text, length, root)
  local bytes <close> = buffer.new("u8", length)
  for i = 1, ranks.rank == root and length or 0 do bytes[i - 1] = text:byte(i) end
  broadcast(bytes, root)
  local list = {}
  for i = 1, length do list[i] = string.char(bytes[i - 1]) end
  return table.concat(list)
end

--- ranks.together(f, ...): calls f(...) in all ranks and returns its results. If it fails in some ranks, all ranks raise the error of
--- the first of these, so that no rank continues alone.
function ranks.together(f, ...)
  local out = table.pack(pcall(f, ...))
  local message = out[1] and "" or tostring(out[2])
  local lengths, first, failed = ranks.gathered(#message), nil, 0
  for r = ranks.count, 1, -1 do
    if lengths[r] > 0 then first, failed = r - 1, failed + 1 end
  end
  if failed == ranks.count then error(message, 0) end
  if failed > 0 then error(("%s (rank %d)"):format(ranks.on_host(broadcast_text, message, lengths[first + 1], first), first), 0) end
  return table.unpack(out, 2, out.n)
end

local wait = ranks.wait
ranks.wait = nil
local pending = {__name = "exchange"}
pending.__index = pending
pending.__tostring = function() return "an exchange beside kernels; p:wait() waits for it" end
function pending:wait() wait(self.number) end
pending.__close = function(self, failed)
  if failed == nil then self:wait() else pcall(wait, self.number) end -- keeps the error that is being raised
end

--- ranks.beside(exchange, ...): starts exchange(...), such as broadcast(x, 0), asynchronously, so that later kernels overlap with it.
--- It sends the values that earlier kernels have written. Returns p at once; p:wait() waits until the exchange has ended, and raises
--- its error if it failed. So does the end of the scope of `local p <close>`. Every call that needs a buffer of the exchange waits for
--- it first, and so do any other exchange and the end of a script or line. In a run that can stop (start, a script at a prompt),
--- under compare, and with a single rank, it is synchronous: the same as exchange(...).
---   local p = ranks.beside(broadcast, x, 0); fill(y, 1); p:wait()
function ranks.beside(exchange, ...)
  local given = table.pack(...)
  given[given.n + 1] = {beside = true}
  return setmetatable({number = exchange(table.unpack(given, 1, given.n + 1)) or 0}, pending)
end

local shares = {__tostring = function(list)
  local lines, most, sum = {"rank  kernels ms  exchanges ms    waiting     beside  others' MB  exchanges"}, 0, 0
  for _, r in ipairs(list) do
    lines[#lines + 1] = ("%4d %11.3f %13.3f %10.3f %10.3f %11.3f %8.0f %%"):format(r.rank, 1e3 * r.kernels, 1e3 * r.exchanges, 1e3 * r.waits,
      1e3 * r.beside, 1e-6 * r.bytes, 100 * r.share)
    most, sum = math.max(most, r.kernels), sum + r.kernels
  end
  if sum > 0 then
    lines[#lines + 1] = ("the slowest rank spends %.2f times the average on kernels; the others' exchanges include waiting for it"):format(most * #list / sum)
  end
  return table.concat(lines, "\n")
end}

local LINK_BYTES = 1 << 28 -- size of the buffer with which the link is measured
local known, route = ranks.known, ranks.route

--- ranks.route(): how the buffers of the last exchange were sent: "NCCL 2.27.3", "peer copies" (from GPU to GPU), "the host", or on a
--- CPU the same as ranks.transport.
function ranks.route() return route() end

local link = ranks.link
ranks.link = nil
local of_link = {__tostring = function(l)
  return ("%.3g GB/s from other ranks, by %s"):format(1e-9 * l.link, l.route)
end}

--- ranks.limits(): measures the peak rate at which a rank receives bytes from the others, by all_gather of large buffers on the
--- current device. All ranks must call it. From then on stats() and stop lines show which share of this limit (link) exchanges
--- reach. Returns a table: link, in bytes per second, and route (see ranks.route).
---   ranks.limits()
function ranks.limits()
  if ranks.count == 1 then error("ranks.limits: with a single rank there is no exchange to measure", 2) end
  local first, past = ranks.range(LINK_BYTES)
  local x, best = buffer.new("u8", LINK_BYTES), 0
  fill(x, ranks.rank)
  for _ = 1, 5 do
    ranks.gathered(0) -- a barrier, so that all ranks begin at the same time
    local from = trace.clock()
    all_gather(x, first, past)
    best = math.max(best, (LINK_BYTES - (past - first)) / (trace.clock() - from))
  end
  x:close()
  local rate = ranks.greatest(math.floor(best))
  link(rate)
  return setmetatable({link = rate, route = ranks.route()}, of_link)
end

--- ranks.known(): like ranks.stats(), but without an exchange: values of other ranks are those of the last exchange of this rank.
function ranks.known() return setmetatable(known(), shares) end

--- ranks.stats(): how the work was divided among the ranks since the start, or since stats("reset"). All ranks must call it. Returns a
--- list with one row per rank, which prints as a table. The fields of a row:
---   kernels      seconds of its kernels
---   exchanges    seconds of its exchanges
---   waits        of these, seconds until the last rank had reached the exchange
---   beside       of these, seconds that overlapped with kernels (ranks.beside)
---   bytes        bytes received from other ranks
---   share        exchanges that did not overlap, as a share of the total time
--- Times while trace.off() was in effect are not included.
---   ranks.stats()[1].kernels
function ranks.stats()
  ranks.gathered(0) -- each exchange also exchanges the statistics
  return ranks.known()
end

local ROUNDS = 32 -- number of exchanges; the tightest bounds of all are used

--- ranks.clocks([measure]): the offset of each rank's clock, trace.clock(), from that of rank 0: a list of {offset =, within =},
--- in seconds. All ranks must call it. Ranks on one host share a clock: then both are 0, unless measure is true. On several hosts
--- offsets are measured by exchanges: no rank leaves an exchange before all ranks have reached it, which bounds
--- the offset from both sides; the error is at most `within`. If the clocks run at different speeds, measure again later.
function ranks.clocks(measure)
  local list = {}
  if not measure and ranks.one_host then
    for r = 1, ranks.count do list[r] = {offset = 0.0, within = 0.0} end
    return list
  end
  local function now() return math.floor(trace.clock() * 1e9) end
  local came, left, low, high = {}, {}, {}, {}
  for i = 1, ROUNDS do
    came[i] = now()
    ranks.gathered(0)
    left[i] = now()
  end
  for i = 1, ROUNDS do
    local comes, leaves = ranks.gathered(came[i]), ranks.gathered(left[i])
    for r = 1, ranks.count do
      low[r] = math.max(low[r] or math.mininteger, comes[r] - leaves[1])
      high[r] = math.min(high[r] or math.maxinteger, leaves[r] - comes[1])
    end
  end
  for r = 1, ranks.count do list[r] = {offset = r == 1 and 0.0 or (low[r] + high[r]) * 0.5e-9, within = r == 1 and 0.0 or (high[r] - low[r]) * 0.5e-9} end
  return list
end

return ranks
