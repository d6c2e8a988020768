-- Ensembles divided among several ranks, compared with the same ensemble on one rank. Run by ranks/run.
local ensemble_ranks = import "ensemble/ensemble_ranks"
local here = arg[0]:match("^(.*)/") or "."
local by_one = dofile(here .. "/by_one.lua")
local alone, bytes_of = by_one.alone, by_one.bytes_of
local samples = here .. "/../../samples/models/"
local cases = 0

local function same(m, options)
  cases = cases + 1
  local want = alone(function() return simulate(m, options) end)
  local r = simulate(m, options)
  assert(r.instances == want.instances and #r.failed == #want.failed, #r.failed)
  assert(r.accepted == want.accepted or ranks.count > r.instances, r.accepted)
  for i, f in ipairs(r.failed) do
    local w = want.failed[i]
    assert(f.instance == w.instance and f.time == w.time and f.why == w.why, f.why)
  end
  for _, name in ipairs(r.names) do assert(r[name]:diff(want[name]) == 0, name) end
  return r
end

local predators = model.load(samples .. "lotka-volterra.ode")
for _, instances in ipairs {1, 2, 3, 7, 40} do
  same(predators, {instances = instances, sample = {a = uniform(1, 2), x = lognormal(2, 0.1)}, seed = instances, stop = 8, steps = 5})
end
same(model.load(samples .. "robertson.ode"), {instances = 5, stop = 40, steps = 4})

-- resuming from checkpoints, each rank with its own instances; the number of ranks must be the same
do
  local o = {instances = 10, sample = {a = uniform(1, 2)}, seed = 3, stop = 5, steps = 20}
  local want, path, own = simulate(predators, o), "run.ckpt", ranks.count == 1 and "run.ckpt" or ("run.ckpt.%dof%d"):format(ranks.rank, ranks.count)
  checkpoint(path, 3)
  simulate(predators, o)
  checkpoint(false)
  assert(io.open(own)):close()
  o.from = path
  local r = simulate(predators, o)
  for _, name in ipairs(r.names) do assert(r[name]:diff(want[name]) == 0, name) end
  os.remove(own)
  local good, message = pcall(simulate, predators, o)
  assert(not good and message:find(own .. ": No such file", 1, true), message)
  assert(ranks.count == 1 or message:find(("with %d ranks, each resumes from its own file"):format(ranks.count), 1, true), message)
  cases = cases + 1
end

-- if some instances fail, all ranks know which
local blows = model.from_text("k = 1\nx' = k*x*x\nx(0) = 1")
local r = same(blows, {sweep = {k = {0.1, 3, 0.2, 4, 5, 0.3, 0.4}}, stop = 1.5, steps = 3})
assert(#r.failed == 3)

-- an ensemble streamed into one file: the file has the same bytes as with one rank, for batches of any size, and no other file remains
-- in the folder; the result has the last row and the failures of all instances
local function there(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end
local function streamed(m, o, name)
  local own = ("alone%d.%s"):format(ranks.rank, name)
  o.stream = own
  local want = alone(function() return simulate(m, o) end)
  local text = bytes_of(own)
  os.remove(own)
  o.stream = name
  local r = simulate(m, o)
  assert(bytes_of(name) == text, name)
  for k = 1, ranks.count - 1 do assert(not there(("%s.%dof%d"):format(name, k, ranks.count))) end
  for _, x in ipairs(r.names) do assert(r[x]:diff(want[x]) == 0, x) end
  assert(#r.failed == #want.failed and r.written == want.written and r.accepted == want.accepted)
  for i, f in ipairs(r.failed) do
    local w = want.failed[i]
    assert(f.instance == w.instance and f.time == w.time and f.why == w.why, f.why)
  end
  cases = cases + 1
end
for _, ending in ipairs {"npy", "csv"} do
  for _, instances in ipairs {1, 2, 3, 7, 40} do
    for _, batch in ipairs {1, 3, 50} do
      streamed(predators, {instances = instances, sample = {a = uniform(1, 2)}, seed = 5, stop = 3, steps = 2, batch = batch}, "out." .. ending)
    end
  end
  streamed(blows, {sweep = {k = {0.1, 3, 0.2, 4, 5, 0.3, 0.4}}, stop = 1.5, steps = 3, batch = 2}, "out." .. ending)
end

-- resuming a streamed run from checkpoints, each rank with its own file
for _, name in ipairs {"out.npy", "out.csv"} do
  local o = {instances = 10, sample = {a = uniform(1, 2)}, seed = 3, stop = 5, steps = 20, batch = 2, stream = name}
  local path, own = "run.ckpt", ranks.count == 1 and "run.ckpt" or ("run.ckpt.%dof%d"):format(ranks.rank, ranks.count)
  simulate(predators, o)
  local want = bytes_of(name)
  checkpoint(path, 7)
  local join = ensemble_ranks.join_files
  ensemble_ranks.join_files = function() error "the machine was ended" end -- simulates that the process ends here, before the ranks' files are joined
  assert(ranks.count == 1 or not pcall(simulate, predators, o))
  if ranks.count == 1 then simulate(predators, o) end
  ensemble_ranks.join_files = join
  checkpoint(false)
  o.from = path
  simulate(predators, o)
  assert(bytes_of(name) == want, name)
  os.remove(own)
  cases = cases + 1
end

-- a file that one rank cannot open is an error on all ranks
local good, message = pcall(simulate, predators, {instances = 4, stop = 0.5, stream = "none/out.npy"})
assert(not good and message:find "cannot open", message)
ranks.sum(0)
if ranks.rank == 0 then
  os.remove "out.npy"
  os.remove "out.csv"
end
ranks.sum(0)
print(cases .. " ensembles are right")
