-- How the algorithms that ranks share out would scale, by a model on paper: work over the rate of one device, and bytes over the
-- slowest link on their way. Nothing runs.
--   lockstep scripts/measure/ranks-model.lua [NAME=NUMBER...]
-- The constants are those of an H200 (tests/gpu/README.md); of the links between hosts it is an assumption.
local c = {
  rate = 16.2e12,    -- min-plus updates a second
  share = 0.92,      -- of it, that products of large blocks reach
  pivot = 0.6e-3,    -- seconds to close 1024 x 1024 elements
  link = 394e9,      -- bytes a second between two devices of a host
  network = 50e9,    -- bytes a second between two hosts
  latency = 30e-6,   -- seconds that an exchange takes at least
  per_host = 8,      -- devices
  n = 32768,         -- vertices
  groups = 2.38,     -- seconds of N-source all pairs, one device, degree 4
  instances = 4.3e-6, -- seconds an instance of Lotka-Volterra, one device
  count = 1000000,   -- instances
  stream = 3.5e12,   -- bytes a second of a device's memory
  more = 120,        -- bytes that a candidate costs beside what one rank does: counted, sorted by owner, sorted by number
  launch = 15e-6,    -- seconds of a kernel that has little to do; a block has 9 more of them
}
for _, word in ipairs(arg) do
  local name, x = word:match "^(%w+)=(.+)$"
  if not c[name] or not tonumber(x) then error(("expected NAME=NUMBER, got %s"):format(word), 0) end
  c[name] = tonumber(x)
end

local n, tile = c.n, 1024
local speed = c.rate * c.share
local function way(devices) return devices <= c.per_host and c.link or math.min(c.link, c.network) end
-- A broadcast goes by a tree and in pieces: each byte passes the slowest link once, and a first piece all levels.
local function broadcast(bytes, devices)
  if devices == 1 then return 0 end
  return bytes / way(devices) + c.latency * math.ceil(math.log(devices, 2))
end
local function gather(bytes, devices) -- each device gets what it lacks
  if devices == 1 then return 0 end
  return bytes * (devices - 1) / devices / way(devices) + c.latency * math.ceil(math.log(devices, 2))
end

-- A model's states, without edges: the seconds that one device takes, states, steps, words of a state, levels.
local function states_of(name, seconds, states, steps, words, levels)
  return {name, function(k)
    if k == 1 then return seconds, 0, 0 end
    local small = 4 * states + steps / 8 -- degrees of all states, a bit for each candidate: reduced in all ranks
    return (seconds + steps * c.more / c.stream) / k, levels * 9 * c.launch + 4 * small / c.stream,
      levels * 4 * c.latency + steps / k * 4 * (words + 1) * (k - 1) / k / way(k) + 2 * small / way(k)
  end}
end

-- Each returns the seconds of work that is shared out, of work that is not, and of exchanges.
local algorithms = {
  {"Floyd-Warshall by rows", function(k)
    local turns = n / tile
    return turns * (n * tile * n + n * tile * tile) / speed / k, turns * (c.pivot + tile * tile * n / speed),
      turns * broadcast(4 * tile * n, k) + gather(4 * n * n, k)
  end},
  {"Kleene star by columns", function(k)
    return (n ^ 3 / 6 + n * n / 2 * tile) / speed / k, 2.0e-3 * (n / 4000) ^ 2, gather(4 * n * n, k)
  end},
  {"N-source all pairs", function(k) return c.groups / k, 0, gather(4 * n * n, k) end},
  states_of("states, counters 22", 0.130, 113379904, 649312632, 2, 127),
  states_of("states, pipeline 11", 0.880, 362797056, 2902376448, 3, 375),
  states_of("the same, interpreted", 1.440, 362797056, 2902376448, 3, 375),
  {"ensemble, last values kept", function(k) return c.instances * c.count / k, 0, gather(16 * c.count, k) end},
}

print(("n = %d, %d instances; %d devices a host"):format(n, c.count, c.per_host))
print(("%-28s %8s %10s %8s %8s   %s"):format("", "devices", "seconds", "ratio", "of ideal", "shared + alone + exchanges"))
for _, a in ipairs(algorithms) do
  local name, parts = a[1], a[2]
  local function seconds(k)
    local shared, alone, exchanged = parts(k)
    return shared + alone + exchanged, shared, alone, exchanged
  end
  local one = seconds(1)
  for _, k in ipairs {1, 2, 4, 8, 64} do
    local all, shared, alone, exchanged = seconds(k)
    print(("%-28s %8d %10.4f %8.2f %7.0f %%   %.4f + %.4f + %.4f"):format(name, k, all, one / all, 100 * one / all / k, shared, alone,
      exchanged))
  end
  local last = 1
  while last < 4096 and one / seconds(2 * last) / (2 * last) >= 0.5 do last = 2 * last end
  local _, shared, alone, exchanged = seconds(2 * last)
  print(("  half of the ideal or more up to %d devices; with twice as many most of the time goes into %s"):format(last,
    shared > math.max(alone, exchanged) and "the work" or alone > exchanged and "what one device does alone" or "exchanges"))
end
