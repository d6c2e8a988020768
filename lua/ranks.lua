-- Ranks: processes that run the same script, each with a device of its own. `lockstep --ranks N` or mpirun starts them.

--- ranks.range(n [, rank]): the part of n things, 0 to n - 1, that a rank has: the first of them, and the one after the last.
--- Without rank it is that of this process. The parts follow each other, and their sizes differ by 1 at most.
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

--- ranks.greatest(x, ...): the greatest of the ranks' integers x, in all of them; of more integers, the greatest of each. By this all
--- ranks learn what one of them has found, such as a sum that left its type, before they decide what to do.
function ranks.greatest(...)
  if ranks.count == 1 then return ... end
  return ranks.on_host(reduced, 2, ...)
end

--- ranks.sum(x, ...): the sum of the ranks' integers x, in all of them; of more integers, the sum of each.
function ranks.sum(...)
  if ranks.count == 1 then return ... end
  return ranks.on_host(reduced, 0, ...)
end

local EXCHANGES = {all_gather = true, all_reduce = true, reduce_scatter = true, broadcast = true, all_to_all = true}

local shares = {__tostring = function(list)
  local lines, most, sum = {"rank  kernels ms  exchanges ms  exchanges"}, 0, 0
  for _, r in ipairs(list) do
    lines[#lines + 1] = ("%4d %11.3f %13.3f %8.0f %%"):format(r.rank, 1e3 * r.kernels, 1e3 * r.exchanges, 100 * r.share)
    most, sum = math.max(most, r.kernels), sum + r.kernels
  end
  if sum > 0 then
    lines[#lines + 1] = ("the slowest rank spends %.2f times the average on kernels; the others' exchanges include waiting for it"):format(most * #list / sum)
  end
  return table.concat(lines, "\n")
end}

--- ranks.stats(): how the work since the start, or since stats("reset"), was divided. All ranks have to call it. A list with a row
--- for each rank, which prints as a table: the seconds of its kernels and of its exchanges, and the exchanges' share of both.
---   ranks.stats()[1].kernels
function ranks.stats()
  local kernels, exchanges = 0, 0
  for _, row in ipairs(stats()) do
    if EXCHANGES[row.kernel] then
      exchanges = exchanges + row.total
    elseif row.kernel ~= "(host gap)" then
      kernels = kernels + row.total
    end
  end
  local list = {}
  local times = {ranks.gathered(math.floor(kernels * 1e9)), ranks.gathered(math.floor(exchanges * 1e9))}
  for r = 1, ranks.count do
    local k, e = times[1][r] * 1e-9, times[2][r] * 1e-9
    list[r] = {rank = r - 1, kernels = k, exchanges = e, share = k + e > 0 and e / (k + e) or 0}
  end
  return setmetatable(list, shares)
end
