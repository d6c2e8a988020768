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

--- ranks.greatest(x): the greatest of the ranks' integers x, in all of them. What one rank alone finds out, such as a sum that
--- left its type, becomes known to all by this before they decide what to do.
function ranks.greatest(x) return math.max(table.unpack(ranks.gathered(x))) end

--- ranks.on_host(f, ...): f(...) on the CPU: of the arguments nothing goes to a device.
function ranks.on_host(f, ...)
  local before = device()
  device "cpu"
  local results = table.pack(pcall(f, ...))
  device(before)
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end
