-- An ensemble of which each rank runs some of the instances (lua/ranks.lua). All ranks end with the values of all instances.

--- ensemble.part(count): the instances of this rank: how many there are, and the number of the first. If there are more ranks
--- than instances, some run one that is another rank's, too.
function ensemble.part(count)
  local first, past = ranks.range(count)
  return math.max(1, past - first), math.min(first, count - 1)
end

-- Times, reasons and values of the failures of all ranks, into run.failed.
local function gather_failures(run, first, past)
  local time, value = buffer.new("f64", run.total), buffer.new("f64", run.total)
  local reason = buffer.new("u32", run.total)
  for _, f in ipairs(run.failed) do
    time[f.instance], value[f.instance], reason[f.instance] = f.time, f.value or 0.0, f.reason
  end
  for _, b in ipairs {time, value, reason} do all_gather(b, first, past) end
  run.failed = {}
  for i = 0, run.total - 1 do
    if reason[i] > 0 then run.failed[#run.failed + 1] = ensemble.failure(run, i, time[i], reason[i], value[i]) end
  end
end

--- ensemble.gather(run): the record of all instances, from those of all ranks; run.failed and run.totals are of all, too.
function ensemble.gather(run)
  local record, total, first, past = run.s.record, run.total, ranks.range(run.total)
  local lines = record.rows
  local packed <close>, all = buffer.new("f64", lines * total, 1), buffer.new("f64", lines, total)
  if past > first then matrix_put(record, 1, packed, 1, lines * first, 0) end
  all_gather(packed, lines * first, lines * past)
  for r = 0, ranks.count - 1 do
    local from, to = ranks.range(total, r)
    if to > from then
      local part <close> = buffer.new("f64", lines, to - from)
      matrix_cut(packed, 1, lines * from, 0, 1, part)
      matrix_put(part, to - from, all, total, 0, from)
    end
  end
  gather_failures(run, first, past)
  local names = {"accepted", "rejected", "failed", "launches", "events", "stiff"}
  local counted = buffer.new("i64", #names)
  for k, name in ipairs(names) do counted[k - 1] = run.totals[name] end
  all_reduce(counted, 0)
  for k, name in ipairs(names) do run.totals[name] = counted[k - 1] end
  return all
end
