-- Ranks: processes that run the same script, each with a device of its own. `lockstep --ranks N` or mpirun starts them.

--- ranks.range(n [, rank]): the part of n things, 0 to n - 1, that a rank has: the first of them, and the one after the last.
--- Without rank it is that of this process. The parts are one behind the other, and their sizes differ by 1 at most.
function ranks.range(n, rank)
  rank = rank or ranks.rank
  return n * rank // ranks.count, n * (rank + 1) // ranks.count
end

--- ranks.owner(n, i): the rank in whose part of n things the i-th is.
function ranks.owner(n, i) return ((i + 1) * ranks.count - 1) // n end

--- ranks.gathered(x): the integers x of all ranks, a list in their order.
--: ranks.gathered(x)

--- ranks.on_host(f, ...): calls f on this rank's CPU: what it makes and exchanges lies on the host.
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

--- ranks.greatest(x, ...): the greatest of the ranks' integers x, in all of them; of more integers, the greatest of each. What
--- one rank alone finds out, such as a sum that left its type, becomes known to all by this before they decide what to do.
function ranks.greatest(...)
  if ranks.count == 1 then return ... end
  return ranks.on_host(reduced, 2, ...)
end

--- ranks.sum(x, ...): the sum of the ranks' integers x, in all of them; of more integers, the sum of each.
function ranks.sum(...)
  if ranks.count == 1 then return ... end
  return ranks.on_host(reduced, 0, ...)
end
