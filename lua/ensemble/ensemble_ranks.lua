-- An ensemble whose instances are distributed over ranks (lua/exchange/ranks.lua). In the end all ranks have the values of all instances.

local ensemble_failures = import "ensemble/ensemble_failures"
local ranks = import "exchange/ranks"
local ensemble_ranks = {}

-- ensemble_ranks.part(count): the instances of this rank: their number, and the number of the first. If there are more ranks than
-- instances, some ranks repeat an instance of another rank.
function ensemble_ranks.part(count)
  local first, past = ranks.range(count)
  return math.max(1, past - first), math.min(first, count - 1)
end

-- Gathers the failures of all ranks in run.failed of each rank.
local function gather_failures(run)
  local mine = run.idle and {} or run.failed
  local counts, all, first = ranks.gathered(#mine), 0, 0
  for r, count in ipairs(counts) do
    if r <= ranks.rank then first = first + count end
    all = all + count
  end
  if all == 0 then return end
  local lines = {} -- one buffer each for instance, time, reason and value of all failures
  for k, name in ipairs {"instance", "time", "reason", "value"} do
    lines[k] = buffer.new("f64", all)
    for i, f in ipairs(mine) do lines[k][first + i - 1] = f[name] or 0 end
    all_gather(lines[k], first, first + #mine)
  end
  run.failed = {}
  for i = 0, all - 1 do
    run.failed[i + 1] = ensemble_failures.failure(run, math.tointeger(lines[1][i]), lines[2][i], math.tointeger(lines[3][i]), lines[4][i])
  end
end

local function gather_totals(run)
  local names = {"accepted", "rejected", "failed", "launches", "events", "stiff"}
  local counted = buffer.new("i64", #names)
  for k, name in ipairs(names) do counted[k - 1] = run.idle and 0 or run.totals[name] end
  all_reduce(counted, 0)
  for k, name in ipairs(names) do run.totals[name] = counted[k - 1] end
end

-- ensemble_ranks.gather(run): returns the record of all instances, gathered from all ranks. Afterwards run.failed and run.totals are
-- also those of all ranks.
function ensemble_ranks.gather(run)
  local record, total, first, past = run.s.record, run.total, ranks.range(run.total)
  local lines = record.rows
  local packed <close>, all = buffer.new("f64", lines * total), buffer.new("f64", lines, total)
  if past > first then copy_part {x = record, from = 0, count = #record, y = packed, to = lines * first} end
  all_gather(packed, lines * first, lines * past)
  for r = 0, ranks.count - 1 do
    local from, to = ranks.range(total, r)
    if to > from then
      local part <close> = buffer.new("f64", lines, to - from)
      copy_part {x = packed, from = lines * from, count = #part, y = part, to = 0}
      matrix_copy(part, to - from, 0, 0, lines, to - from, all, total, 0, from)
    end
  end
  gather_failures(run)
  gather_totals(run)
  return all
end

-- ensemble_ranks.own_file(path [, rank]): the file to which a rank (default: this one) streams its instances. Rank 0 writes to `path`
-- itself; in the end the files of the others are appended to it.
function ensemble_ranks.own_file(path, rank)
  rank = rank or ranks.rank
  return rank == 0 and path or ("%s.%dof%d"):format(path, rank, ranks.count)
end

-- ensemble_ranks.see_files(path): raises an error on all ranks unless rank 0 can open the files of the others. All ranks call it, after
-- they have created their files.
function ensemble_ranks.see_files(path)
  ranks.sum(0)
  ranks.together(function()
    for r = 1, ranks.rank == 0 and ranks.count - 1 or 0 do
      local own = ensemble_ranks.own_file(path, r)
      local file = io.open(own)
      if not file then
        error(("simulate: rank 0 cannot open %s, which rank %d wrote: 'stream' needs a folder that all ranks share"):format(own, r), 0)
      end
      file:close()
    end
  end)
end

-- ensemble_ranks.join_files(path, file): appends the complete files of the other ranks to that of rank 0, and removes them. All ranks call
-- it.
function ensemble_ranks.join_files(path, file)
  local _, rows = file:tell()
  if ranks.rank > 0 then file:close() end
  local all = ranks.gathered(rows)
  ranks.together(function()
    for r = 1, ranks.rank == 0 and ranks.count - 1 or 0 do
      local own = ensemble_ranks.own_file(path, r)
      file:append(own, all[r + 1])
      os.remove(own)
    end
  end)
end

-- ensemble_ranks.gather_kept(run, rows): gathers the first `rows` rows of run.state.kept, one number per instance in each, and the
-- totals of all ranks, on each rank.
function ensemble_ranks.gather_kept(run, rows)
  local kept, total, first, past = run.state.kept, run.total, ranks.range(run.total)
  for k = 0, rows - 1 do
    local line <close> = kept:slice(k * total, (k + 1) * total)
    all_gather(line, first, past)
    kept:paste(line, k * total)
  end
  gather_totals(run)
end

return ensemble_ranks
