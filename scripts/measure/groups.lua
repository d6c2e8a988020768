-- A thread or a block of threads an instance of a large model: which is faster, over states, instances and threads.
--   lockstep [--backend cuda] scripts/measure/groups.lua [seconds, 60 if not given [method [species,... [instances,... [group,...]]]]]
-- Models are random reaction networks (tests/lua/random_reactions.lua). A time is the better of two runs after one that is not
-- counted, whose kernels are compiled; the last lines say from how many states on a block is faster, and when time was over.
local limit, method = tonumber(arg[1] or 60), arg[2] or "rodas4"
local function numbers(text)
  local out = {}
  for x in text:gmatch "[^,]+" do out[#out + 1] = math.tointeger(tonumber(x)) or error("expected whole numbers with commas, got " .. text, 0) end
  return out
end
local species, counts, groups = numbers(arg[3] or "30,60,120,250"), numbers(arg[4] or "100,1000,10000"), numbers(arg[5] or "1,32,64,128")
local here = arg[0]:match "^(.*)scripts/measure/" or ""
local of = dofile(here .. "tests/lua/random_reactions.lua")

local begun, left_out, crossing = trace.clock(), 0, {}
print(("seconds by %s on %s: states, instances, then for each number of threads an instance"):format(method, device().name))
print(("%8s %10s"):format("states", "instances") .. (("%12s"):rep(#groups)):format(table.unpack(groups)) .. "   fastest")
for _, n in ipairs(species) do
  local m = model.from_text(of(n, 5))
  for _, count in ipairs(counts) do
    local row, best, least = {}, nil, nil
    for k, group in ipairs(groups) do
      local function took()
        local from = trace.clock()
        local r = simulate(m, {sample = {scale = lognormal(0, 0.2)}, instances = count, seed = 7, stop = 2, steps = 1, method = method,
          group = group, variables = {"s1"}})
        return trace.clock() - from, #r.failed
      end
      row[k] = "-"
      if trace.clock() - begun < limit then
        local good, first = pcall(took)
        if not good then
          row[k] = "refused"
        else
          local seconds, failed = took()
          if trace.clock() - begun + seconds < limit then seconds = math.min(seconds, (took())) end
          row[k] = ("%.4f%s"):format(seconds, failed > 0 and "!" or "")
          if not least or seconds < least then best, least = group, seconds end
        end
      else
        left_out = left_out + 1
      end
    end
    if best and best > 1 and not crossing[count] then crossing[count] = n end
    print(("%8d %10d"):format(n, count) .. (("%12s"):rep(#groups)):format(table.unpack(row)) .. ("   %s"):format(best or "-"))
  end
end
for _, count in ipairs(counts) do
  print(("%d instances: a block is faster %s"):format(count, crossing[count] and ("from %d states on"):format(crossing[count]) or "nowhere"))
end
print(("%.0f s; %d times left out"):format(trace.clock() - begun, left_out))
