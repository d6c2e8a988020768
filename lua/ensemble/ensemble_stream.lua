-- Ensembles that stream their values to a file, in batches of instances, so that the file may be larger than memory; and the check
-- that a checkpoint belongs to the run that continues from it.

local algorithm = import "base/algorithm"
local ensemble_failures = import "ensemble/ensemble_failures"
local ensemble_options = import("ensemble/ensemble_options").ensemble_options
local ensemble_ranks = import "ensemble/ensemble_ranks"
local ranks = import "exchange/ranks"
local ensemble_stream = {}

local wrong = ensemble_options.wrong "simulate"
local AT_A_TIME = 1 << 25 -- the default batch records about this many numbers
local LEAST_BATCH = 1024
local SLAB = 1 << 18 -- numbers that are written at a time; Ctrl-C is served in between

-- ensemble_stream.check_stream(o): raises an error if one of the options stream, batch and from is invalid.
function ensemble_stream.check_stream(o)
  if o.stream ~= nil and type(o.stream) ~= "string" then wrong("stream must be the name of a file, as in {stream = \"out.npy\"}") end
  if o.stream and not (o.stream:find "%.npy$" or o.stream:find "%.csv$") then
    wrong("%s: an ensemble is streamed to a file whose name ends in .csv or .npy", o.stream)
  end
  if o.from ~= nil and type(o.from) ~= "string" then wrong("from must be the name of a checkpoint's file") end
  if o.stream and o.keep == false then
    wrong("stream writes the values of the instances, but keep = false keeps none: use only one of the two")
  end
  if o.batch ~= nil and (math.type(o.batch) ~= "integer" or o.batch < 1) then
    wrong("batch must be a whole number from 1 on")
  end
  if o.batch and not o.stream then wrong("batch is for stream; without stream, all instances run at once") end
end

-- ensemble_stream.batch(o, count, lines): the number of instances that run at a time; each records `lines` numbers.
function ensemble_stream.batch(o, count, lines)
  if not o.stream then return count end
  return math.min(count, o.batch or math.max(LEAST_BATCH, AT_A_TIME // lines))
end

-- --- checkpoints ---

local WHAT = {model = "it has another model or other variables", first = "it has other parameters or initial values",
  times = "it has rows at other times", values = "its instances were given other values", atol = "it has other absolute tolerances"}
local ORDER = {"output", "instances", "batch", "method", "group", "rtol", "attempts", "model", "first", "times", "values", "atol"}

-- ensemble_stream.origin(run, o, times): the identity of a run, a table of numbers and texts by name (digests of its model and values,
-- and its options). A checkpoint can be continued only by a run of the same identity.
function ensemble_stream.origin(run, o, times)
  local numbers, values = {}, 0
  for i in pairs(run.values) do numbers[#numbers + 1] = i end
  table.sort(numbers)
  for _, i in ipairs(numbers) do values = (values * 31 + i) * 31 ~ run.values[i]:digest() end
  return {model = run.name, first = run.e.first:digest(), times = buffer.new("f64", times):digest(), values = values,
    instances = run.total, batch = run.count, method = run.method, group = run.e.group, rtol = run.rtol + 0.0,
    atol = buffer.new("f64", run.atol):digest(), attempts = run.s.attempts,
    output = o.stream and "stream to " .. o.stream:sub(-3) or o.keep == false and "statistics" or "values"}
end

-- ensemble_stream.check_origin(file, want, found): raises an error unless the identity `found` in the checkpoint's file is `want`.
function ensemble_stream.check_origin(file, want, found)
  algorithm.check_origin("simulate", file, want, found, ORDER, WHAT)
end

-- --- the file ---

local Output = {}
Output.__index = Output
Output.__close = function(out) if out.file then out.file:leave() end end -- keeps FILE.part for a run that continues from a checkpoint

-- ensemble_stream.output(run, path, names, given, times): an object that writes the variables `names` of all instances to a file.
-- given[name]: the number of the variable `name`, for each variable that differs between instances.
function ensemble_stream.output(run, path, names, given, times)
  local out = setmetatable({run = run, path = path, columns = #names, times = buffer.new("f64", times), titles = {},
    given = {}}, Output)
  if path:find "%.csv$" then
    out.titles[1] = "instance"
    for name in pairs(given) do out.given[#out.given + 1] = name end
    table.sort(out.given)
    for k, name in ipairs(out.given) do
      out.given[k] = given[name]
      out.titles[#out.titles + 1] = run.e.m:variable(given[name]).role == "state" and name .. "(0)" or name
    end
  end
  out.titles[#out.titles + 1] = "time"
  table.move(names, 1, #names, #out.titles + 1, out.titles)
  return out
end

--- out:open([bytes, rows]): creates the file, which is called FILE.part until the run is complete; or opens it to continue after its
--- first `bytes` bytes and `rows` rows. Returns the numbers of bytes and rows. Each rank has its own file.
function Output:open(bytes, rows)
  local own = ensemble_ranks.own_file(self.path)
  self.file = ranks.together(model.stream, own, self.titles, #self.times, bytes, rows, own ~= self.path and self.path or nil)
  if ranks.count > 1 then ensemble_ranks.see_files(self.path) end
  return self.file:tell()
end

--- out:join(): completes the file: appends the files of the other ranks and renames FILE.part to FILE. Afterwards all ranks have the last
--- row and the failures of all instances.
function Output:join()
  local run, file = self.run, self.file
  if ranks.count == 1 then
    self.file = nil
    file:close()
    return
  end
  ensemble_ranks.join_files(self.path, file)
  self.file = nil
  ranks.together(function() if ranks.rank == 0 then file:close() end end)
  ensemble_ranks.gather_kept(run, self.columns + 3)
  self:failures(0, run.total)
end

-- The columns before the time in a CSV file: the number of the instance, and the values that it was given.
function Output:heads()
  local run, heads = self.run, {}
  if self.titles[1] ~= "instance" then return heads end
  local numbers = {}
  for i = 1, run.live do numbers[i] = run.base + i - 1.0 end
  heads[1] = buffer.new("f64", numbers)
  for k, i in ipairs(self.given) do heads[k + 1] = run.values[i]:slice(run.base, run.base + run.live) end
  return heads
end

--- out:put(): writes the batch that the run has recorded, and stores its last row and its failures in run.state.kept. Returns the
--- numbers of bytes and rows of the file.
function Output:put()
  local run, rows, heads, columns = self.run, #self.times, self:heads(), self.columns
  local record, kept, total = run.s.record, run.state.kept, run.total
  if run.idle then return self.file:tell() end -- a rank without an instance of its own
  local slab = math.max(1, SLAB // (rows * columns))
  for from = 0, run.live - 1, slab do
    self.file:put_instances {record = record, times = self.times, heads = heads, from = from,
      to = math.min(from + slab, run.live)}
  end
  for k = 1, columns do
    local last <close> = buffer.new("f64", run.live)
    local part <close> = record:slice(k * rows - 1, k * rows, 0, run.live)
    prim.swap(last, part)
    kept:paste(last, (k - 1) * total + run.base)
  end
  for _, f in ipairs(run.failed) do
    if f.instance >= run.base then
      local at = columns * total + f.instance
      kept[at], kept[at + total], kept[at + 2 * total] = f.time, f.reason + 0.0, f.value or 0.0
    end
  end
  return self.file:tell()
end

-- ensemble_stream.output_size(columns, count): the size of run.state.kept that out:put needs: per instance the last row, and the time,
-- reason and value of a failure.
function ensemble_stream.output_size(columns, count) return (columns + 3) * count end

--- out:failures(first, past): makes run.failed the list of the failures of the instances first .. past - 1, from run.state.kept.
function Output:failures(first, past)
  local run, kept, total, failed = self.run, self.run.state.kept, self.run.total, {}
  for i = first, past - 1 do
    local at = self.columns * total + i
    local reason = math.tointeger(kept[at + total])
    if reason > 0 then failed[#failed + 1] = ensemble_failures.failure(run, i, kept[at], reason, kept[at + 2 * total]) end
  end
  run.failed = failed
end

--- out:last(): the last row of all instances: f64, columns x instances.
function Output:last()
  local last = buffer.new("f64", self.columns, self.run.total)
  prim.swap(last, self.run.state.kept:slice(0, self.columns * self.run.total))
  return last
end

return ensemble_stream
