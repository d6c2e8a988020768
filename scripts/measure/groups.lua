-- One thread or one block of threads per instance of a large model: which is faster, depending on the numbers of states,
-- instances and threads.
--   lockstep [--backend cuda] scripts/measure/groups.lua [seconds, 80 if not given [method [species,... [instances,... [group,...]]]]]
-- Models are random reaction networks (tests/lua/random_reactions.lua). A time is the minimum of two runs; a run with a single
-- instance precedes them, so that they do not include compiling. Unless groups are given, one thread per instance is skipped for more
-- than 30 species, because NVRTC takes minutes for it. Runs that, judging by earlier ones, would take more than a fifth of the
-- time limit are skipped, too. At the end it lists the fastest number of threads per number of states and instances, and says whether
-- time ran out.
local limit, method = tonumber(arg[1] or 80), arg[2] or "rodas4"
local function numbers(text)
  local out = {}
  for x in text:gmatch "[^,]+" do out[#out + 1] = math.tointeger(tonumber(x)) or error("expected whole numbers with commas, got " .. text, 0) end
  return out
end
local species, counts, groups = numbers(arg[3] or "120,20,60,250"), numbers(arg[4] or "100,1000,10000"), numbers(arg[5] or "1,32,64,128,256,512")
local SMALL = arg[5] and math.huge or 30
local here = arg[0]:match "^(.*)scripts/measure/" or ""
local of = dofile(here .. "tests/lua/random_reactions.lua")

local begun, left_out, fastest = trace.clock(), 0, {}
local function over() return trace.clock() - begun end
print(("seconds by %s on %s: states, instances, then for each number of threads an instance"):format(method, device().name))
print(("%8s %10s"):format("states", "instances") .. (("%12s"):rep(#groups)):format(table.unpack(groups)))
for _, n in ipairs(species) do
  local m, table_of = model.from_text(of(n, 5)), {}
  for k, group in ipairs(groups) do -- one group size at a time, so that compiled kernels are used for all instance counts
    local function took(count)
      local from = trace.clock()
      local r = simulate(m, {sample = {scale = lognormal(0, 0.2)}, instances = count, seed = 7, stop = 2, steps = 1, method = method,
        group = group, variables = {"s1"}})
      return trace.clock() - from, #r.failed
    end
    table_of[k] = {}
    local rate -- seconds per instance of the last run
    local fits = over() < limit and not (group == 1 and n > SMALL)
    local good = fits and pcall(took, 1)
    for c, count in ipairs(counts) do
      table_of[k][c] = fits and (good and "-" or "refused") or "-"
      if good and over() < limit and not (rate and rate * count > limit / 5) then
        local seconds, failed = took(count)
        if over() + seconds < limit then seconds = math.min(seconds, (took(count))) end
        table_of[k][c], rate = ("%.4f%s"):format(seconds, failed > 0 and "!" or ""), seconds / count
        local key = ("%d states, %d instances"):format(n, count)
        if not fastest[key] then fastest[#fastest + 1], fastest[key] = key, {seconds, group} end
        if seconds < fastest[key][1] then fastest[key] = {seconds, group} end
      else
        left_out = left_out + 1
      end
    end
  end
  for c, count in ipairs(counts) do
    local row = {}
    for k = 1, #groups do row[k] = table_of[k][c] end
    print(("%8d %10d"):format(n, count) .. (("%12s"):rep(#groups)):format(table.unpack(row)))
  end
end
for _, key in ipairs(fastest) do print(("%s: %d threads are fastest, %.4f s"):format(key, fastest[key][2], fastest[key][1])) end
print(("%.0f s; %d times left out"):format(over(), left_out))
