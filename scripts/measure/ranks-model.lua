-- A model of how the algorithms for several ranks would scale: work divided by the rate of one device, plus bytes divided by the
-- bandwidth of the slowest link on their path. No algorithm is run.
--   lockstep scripts/measure/ranks-model.lua [NAME=NUMBER...]
-- The constants were measured on an H200, those of exchanges and of graphs on two H100 (tests/gpu/HISTORY.md); the bandwidth
-- between hosts is an assumption.
local c = {
  rate = 16.2e12,    -- min-plus updates per second
  share = 0.92,      -- share of this rate that products of large blocks reach
  pivot = 0.6e-3,    -- seconds to close 1024 x 1024 elements
  step = 53e-6,      -- seconds per step of a triangle's closing on top of its updates: 1.7 ms for the 16 steps of n = 4000
  permute = 8e-12,   -- seconds per element to build and permute a matrix: 0.13 ms for n = 4000
  order = 29e-9,     -- seconds per vertex to compute the order on the host, 8 edges each: 0.93 ms for n = 32000
  link = 394e9,      -- bytes per second between two devices of a host
  network = 50e9,    -- bytes per second between two hosts
  latency = 130e-6,  -- seconds per exchange of 1 KiB
  reduce = 139e9,    -- bytes per second of a reduction between two devices of a host
  per_host = 8,      -- devices per host
  n = 32768,         -- vertices
  groups = 2.38,     -- seconds of N-source all-pairs paths, one device, degree 4
  instances = 4.3e-6, -- seconds per instance of Lotka-Volterra, one device
  count = 1000000,   -- instances
  stream = 3.5e12,   -- bytes per second of a device's memory
  more = 120,        -- bytes moved per candidate in addition to one rank's work: counted, sorted by owner, sorted by number
  launch = 15e-6,    -- seconds per kernel with little work; each block of states needs 9 more of them
}
for _, word in ipairs(arg) do
  local name, x = word:match "^(%w+)=(.+)$"
  if not c[name] or not tonumber(x) then error(("expected NAME=NUMBER, got %s"):format(word), 0) end
  c[name] = tonumber(x)
end

local n, tile = c.n, 1024
local speed = c.rate * c.share
local function way(devices) return devices <= c.per_host and c.link or math.min(c.link, c.network) end
local function hops(devices) return math.max(1, math.ceil(math.log(devices, 2))) end -- rounds until each device has data of all others
-- A broadcast is a pipelined tree: each byte passes the slowest link once, and the first piece passes all levels.
local function broadcast(bytes, devices)
  if devices == 1 then return 0 end
  return bytes / way(devices) + c.latency * hops(devices)
end
local function gather(bytes, devices) -- each device gets the parts of the others
  if devices == 1 then return 0 end
  return bytes * (devices - 1) / devices / way(devices) + c.latency * hops(devices)
end

-- Exploring a model without edges; arguments: seconds on one device, states, steps, words per state, levels.
local function states_of(name, seconds, states, steps, words, levels)
  return {name, function(k)
    if k == 1 then return seconds, 0, 0 end
    local small = 4 * states + steps / 8 -- degrees of all states and one bit per candidate, which are reduced over all ranks
    return (seconds + steps * c.more / c.stream) / k, levels * 9 * c.launch + 4 * small / c.stream,
      levels * 4 * c.latency * hops(k) + steps / k * 4 * (words + 1) * (k - 1) / k / way(k) + 2 * small / way(k)
  end}
end

-- A search over a partitioned graph; arguments: seconds on one device; vertices; and, counted in one run of two ranks on a CPU,
-- launches, exchanges, and the numbers of arrays of 4 bytes per vertex that are gathered and reduced: each rank then reads such an
-- array in full. Assumes that halos are not faster. One device runs such a search as one kernel; ranks launch the kernels of each pass.
local function search(name, seconds, vertices, launches, exchanges, gathered, reduced)
  return {name, function(k)
    if k == 1 then return seconds, 0, 0 end
    local array = 4 * vertices
    local others = array * (k - 1) / k
    return seconds / k, launches * c.launch + (gathered + reduced) * array / c.stream,
      exchanges * c.latency * hops(k) + gathered * others / way(k) + reduced * others / math.min(c.reduce, way(k))
  end}
end
local SPACE, RMAT = 36 ^ 4 * 9, 2 ^ 25 -- vertices: a state space of 14 clients with 212 M edges; an R-MAT graph with 537 M edges

-- Each function returns the seconds of work that is divided over the ranks, of work that is not, and of exchanges.
local algorithms = {
  {"Floyd-Warshall by rows", function(k)
    local turns = n / tile
    return turns * (n * tile * n + n * tile * tile) / speed / k, turns * c.pivot,
      turns * broadcast(4 * tile * n, k) + gather(4 * n * n, k)
  end},
  -- A rank has 1/k of the updates, but all steps (except those after its last column), the whole order and the whole matrix. Each
  -- element of the triangle is copied twice, packed or unpacked; the last rank has the fewest elements and receives those of the others.
  {"Kleene star by columns", function(k)
    local step = k == 1 and 256 or 512
    local alone = n / step * c.step + n * c.order + n * n * c.permute
    if k == 1 then return (n ^ 3 / 6 + n * n / 2 * step) / speed, alone, 0 end
    return (n ^ 3 / 6 + n * n / 2 * step) / speed / k, alone + 4 * 2 * n * n / c.stream,
      2 * n * n * ((k - 1) / k) ^ (2 / 3) / way(k) + c.latency * hops(k)
  end},
  {"N-source all pairs", function(k) return c.groups / k, 0, gather(4 * n * n, k) end},
  states_of("states, counters 22", 0.130, 113379904, 649312632, 2, 127),
  states_of("states, pipeline 11", 0.880, 362797056, 2902376448, 3, 375),
  states_of("the same, interpreted", 1.440, 362797056, 2902376448, 3, 375),
  search("state space, scc", 0.0123, SPACE, 21, 2, 1, 0),
  search("state space, bfs", 0.036, SPACE, 76, 62, 14, 38),
  search("state space, sssp", 0.052, SPACE, 35, 12, 1, 3),
  search("state space, ocm", 0.039, SPACE, 73, 68, 39, 14),
  search("permuted, scc", 0.0143, SPACE, 22, 2, 1, 0),
  search("permuted, bfs", 0.054, SPACE, 76, 62, 14, 38),
  search("permuted, sssp", 0.072, SPACE, 50, 20, 1, 7),
  search("permuted, ocm", 0.085, SPACE, 73, 66, 38, 14),
  search("R-MAT 25, scc", 0.0180, RMAT, 24, 2, 2, 0),
  search("R-MAT 25, bfs", 0.086, RMAT, 15, 19, 5, 3),
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
  local last, fastest = 1, 1
  while last < 4096 and one / seconds(2 * last) / (2 * last) >= 0.5 do last = 2 * last end
  for i = 1, 12 do
    if seconds(1 << i) < seconds(fastest) then fastest = 1 << i end
  end
  local _, _, alone, exchanged = seconds(2 * last)
  print(("  half of the ideal or more up to %s, fastest with %d%s; what holds it back: %s"):format(algorithm.counted(last, "device"), fastest,
    fastest == 4096 and " or more" or "", alone > exchanged and "what each does alone" or "exchanges"))
end
