-- Auto-tuning of l, the number of parts of 16 x 64 elements per block of the kernel mm_rest: chosen without a run, by a model of the
-- execution time, or by measurements. Okuyama 2013 (the thesis), sections 4.4 and 4.5.3, from which the symbols are taken.

local algorithm = import "base/algorithm"
local bundle = import("base/loops").bundle
local fw = {} -- what lua/dense/fw.lua adds to its own table

-- --- parameters of devices and kernels ---

-- The limits on resident blocks per SM, by generation: registers, bytes of shared memory, warps, blocks. Registers are allocated in
-- units per block or per warp (field `to`), shared memory in units per block, plus `own` bytes that the system reserves per block. CUDA C
-- Programming Guide, and the occupancy calculator of CUDA 2.3.
local generations = {
  GT200 = {registers = 16384, shared = 16384, warps = 32, blocks = 8, unit = 512, to = "block", shared_unit = 512, own = 0},
  G80 = {registers = 8192, shared = 16384, warps = 24, blocks = 8, unit = 256, to = "block", shared_unit = 512, own = 0},
}
local function of_warps(shared, warps, blocks, own)
  return {registers = 65536, shared = shared * 1024, warps = warps, blocks = blocks, unit = 256, to = "warp",
    shared_unit = 128, own = own}
end
local capabilities = {[70] = of_warps(96, 64, 32, 0), [75] = of_warps(64, 32, 16, 0), [80] = of_warps(164, 64, 32, 1024),
  [86] = of_warps(100, 48, 16, 1024), [89] = of_warps(100, 48, 24, 1024), [90] = of_warps(228, 64, 32, 1024),
  [100] = of_warps(228, 64, 32, 1024), [120] = of_warps(100, 48, 24, 1024)}

-- Tables 4.2 and 4.3: M_g, S_g, H_g and W_g.
local gpus = {}
for name, gpu in pairs {["GTX 280"] = {30, 1296, "GT200"}, ["FX 5800"] = {30, 1296, "GT200"}, ["GTX 260"] = {24, 1242, "GT200"},
  ["9800 GX2"] = {16, 1500, "G80"}, ["8800 GTS 512"] = {16, 1625, "G80"}, ["8800 GTX"] = {16, 1350, "G80"},
  ["8800 GTS"] = {12, 1200, "G80"}} do
  gpus[name] = {name = name, sms = gpu[1], cores = 8, mhz = gpu[2], warp = 32, generation = gpu[3]}
end
local gpu_names = {}
for name in pairs(gpus) do gpu_names[#gpu_names + 1] = name end
table.sort(gpu_names)

-- Table 4.4 and equation 4.9, by t (the tile): the resources of a block of the thesis's own kernel, and L = alpha + beta l.
local kernels_then = {
  [16] = {threads = 64, shared = 1144, registers = 39, alpha = 72, beta = 609},
  [32] = {threads = 64, shared = 2232, registers = 40, alpha = 84, beta = 1166},
  [64] = {threads = 64, shared = 4408, registers = 40, alpha = 108, beta = 2844},
}

-- The same for our kernel, counted in the code that nvcc 12 generates from kernels/dense/cuda/mm_rest.cuh for compute capability 9.0.
-- For every 64 rows of the tile a thread runs `fill` instructions, and for each part `part` instructions, plus `sixteen` for every 16 of
-- these rows.
local counted = {
  i32 = {registers = 72, fill = 357, part = 481, sixteen = 395},
  f32 = {registers = 72, fill = 372, part = 322, sixteen = 668},
}
local function kernel_now(tile, dtype)
  local c, slices = counted[dtype], (tile + 63) // 64
  return {threads = 64, shared = 4096, registers = c.registers, alpha = c.fill * slices,
    beta = c.part * slices + c.sixteen * (tile // 16)}
end

local function up(x, unit) return (x + unit - 1) // unit * unit end

-- Returns Y, the number of resident warps of this kernel per SM; the number of blocks, and the resource that limits them.
local function occupancy(generation, kernel, warp)
  local g, warps = generation, up(kernel.threads, warp) // warp
  local registers = g.to == "block" and up(kernel.registers * kernel.threads, g.unit) or
    up(kernel.registers * warp, g.unit) * warps
  local shared = math.max(up(kernel.shared, g.shared_unit) + g.own, 1)
  local room = {{g.registers // registers, "registers"}, {g.shared // shared, "shared bytes"}, {g.warps // warps, "warps"},
    {g.blocks, "blocks"}}
  local least = room[1]
  for _, r in ipairs(room) do
    if r[1] < least[1] then least = r end
  end
  return least[1] * warps, least[1], least[2]
end

-- --- the model ---

-- In the thesis's model all resident blocks of an SM start and end together. On today's devices a block starts when another ends.
-- The method `tail`, our own, counts an SM's share of all blocks instead of rounds of blocks, and the time in which the SM is partly
-- idle:
local LEAST = 8        -- fewer blocks than this do not hide latencies: they take as long as this number of blocks
local LAST = 0.7       -- at the end fewer and fewer blocks are left: the loss, as a fraction of the resident blocks;
local LAST_OF_ALL = 0.5 -- or as a fraction of all blocks of the SM, if all of them are resident at once
local START = 400      -- the cost of starting a block, in instructions
local PART = 1 / 40    -- the relative loss per part: longer blocks end at more different times
-- The five constants were fitted to 78 cases on an H100 (tests/gpu/tuner.lua).

-- Equations 4.4 to 4.10 for one l. Sizes are rounded up to multiples of 64 and 16.
-- paper errs: 004, section 4.4.2, U: the number of blocks is ceil(n/64/l) times (n/16 - t/16), not minus.
local function estimate(m, n, tile, l, method)
  local c = {l = l}
  c.instructions = m.kernel.alpha + m.kernel.beta * l -- L
  c.blocks = ((n + 63) // 64 + l - 1) // l * math.max((n + 15) // 16 - (tile + 15) // 16, 0) -- U
  c.blocks_sm = (c.blocks + m.sms - 1) // m.sms -- U_SM
  c.warps_sm = c.blocks_sm * m.kernel.threads // m.warp -- Y_SM
  local turns, each = (c.warps_sm + m.Y - 1) // m.Y, c.blocks / m.sms
  c.throughput = method == "AT" and turns > 0 and c.warps_sm / m.Y / turns or 1 -- Z
  if method == "tail" and each > 0 then
    local at_a_time = m.Y * m.warp // m.kernel.threads
    local idle = c.blocks_sm > at_a_time and LAST * at_a_time or LAST_OF_ALL * c.blocks_sm
    c.throughput = each / (math.max(each, LEAST) + idle) * c.instructions / (c.instructions + START) / (1 + PART * l)
  end
  local threads = m.kernel.threads * ((method == "TI" or method == "tail") and each or c.blocks_sm)
  c.cycles = c.instructions * threads / (m.cores * c.throughput)
  c.seconds = m.mhz and c.cycles / (m.mhz * 1e6) or nil
  return c
end

-- The candidates: for each number of blocks in a row of the matrix, the least l. A larger l with the same number of blocks only makes
-- blocks longer.
local function candidates(n)
  local list, columns = {}, (n + 63) // 64
  for l = 1, math.max(n // 64, 1) do
    local side_by_side = (columns + l - 1) // l
    if l == 1 or side_by_side < (columns + l - 2) // (l - 1) then list[#list + 1] = l end
  end
  return list
end

-- --- runs ---

-- Measures phase 3 with the first tile as pivot: launches it for `seconds`; returns the median in seconds and the number of launches.
-- (With launches of 30 us an average is wrong by up to a fifth if anything else delays the device.)
local function measured(n, tile, l, dtype, seconds)
  local D, overflow = buffer.new(dtype, n, n), buffer.new("u32", 1)
  fill(D, 1)
  local given = bundle {D = D, overflow = overflow, tiles = (n + tile - 1) // tile, tile = tile, k = 0, semiring = 0,
    positive = 1, l = l}
  local function launch()
    mm_rest(given)
    return trace.last(1)[1].time
  end
  launch()
  local total, times = 0, {}
  repeat
    times[#times + 1] = launch()
    total = total + times[#times]
  until total >= seconds or #times == 10000
  D:close()
  table.sort(times)
  return times[(#times + 1) // 2], #times
end

-- --- choices ---

local WORDS = {AT = "the thesis's model", tail = "the model", FT = "the model with a fixed throughput of 1", TI = "the total number of instructions",
  MT = "measured times"}

local Choice = {}
Choice.__index = Choice

--- choice:explain(): how l was chosen: a text, and a table with the terms of the model for each candidate.
function Choice:explain()
  local lines, m = {}, self.model
  local function line(...) lines[#lines + 1] = (...):format(select(2, ...)) end
  if self.why then
    line("l = %d: %s", self.l, self.why)
    return table.concat(lines, "\n")
  end
  line("n = %d, tiles of %d x %d, on %s", self.n, self.tile, self.tile, self.device)
  if m then
    line("%d SMs of %d cores%s, warps of %d threads", m.sms, m.cores, m.mhz and (" at %.0f MHz"):format(m.mhz) or "", m.warp)
    line("A thread runs L = %d + %d l instructions, for the l parts of 16 x 64 elements of its block.", m.kernel.alpha,
      m.kernel.beta)
    line("A block has %d threads. An SM runs Y = %d warps at a time%s, enough to", m.kernel.threads, m.Y, m.limit or "")
    line("hide memory latency. Of all U blocks, the busiest SM runs U_SM, with Y_SM warps in all;")
    line("%s", ({
      AT = "if Y_SM is no multiple of Y, the last warps reduce the throughput: Z = (Y_SM / Y) / ceil(Y_SM / Y).",
      tail = "blocks begin as others end, and the SM is partly idle during the last ones:\n" ..
        "with u = U / SMs its throughput is Z = u / (max(u, 8) + h) * L / (L + 400)\n" ..
        "/ (1 + l / 40). h is 0.7 of the blocks that it runs at a time, or half of its\n" ..
        "blocks if all of them run at a time.",
      FT = "the throughput Z is taken as 1, however few warps there are (the thesis's FT).",
      TI = "neither U_SM nor Y_SM counts here, only the instructions of all threads (the thesis's TI)."})[self.method])
    line("%5s %8s %6s %6s %8s %6s %12s %10s", "l", "U", "U_SM", "Y_SM", "L", "Z", "cycles", "ms")
  else
    line("Each l was run for %g seconds, with the first tile as pivot.", self.seconds_each)
    line("%5s %10s %10s", "l", "launches", "ms")
  end
  for _, c in ipairs(self.candidates) do
    local mark, ms = c.l == self.l and "  <-" or "", c.seconds and ("%.4f"):format(1e3 * c.seconds) or "-"
    if m then
      line("%5d %8d %6d %6d %8d %6.3f %12.0f %10s%s", c.l, c.blocks, c.blocks_sm, c.warps_sm, c.instructions, c.throughput,
        c.cycles, ms, mark)
    else
      line("%5d %10d %10s%s", c.l, c.launches, ms, mark)
    end
  end
  line("l = %d, by %s", self.l, WORDS[self.method])
  return table.concat(lines, "\n")
end

Choice.__tostring = function(self)
  if self.why then return ("l = %d: %s"):format(self.l, self.why) end
  return ("l = %d, by %s, for n = %d and tiles of %d on %s"):format(self.l, WORDS[self.method], self.n, self.tile, self.device)
end
Choice.__name = "choice"

-- Completes the choice with the candidate of the least time; the first one if several are equal.
local function best_of(choice)
  local best
  for _, c in ipairs(choice.candidates) do
    local cost = c.cycles or c.seconds
    if not best or cost < best then best, choice.l, choice.seconds = cost, c.l, c.seconds end
  end
  return setmetatable(choice, Choice)
end

local NUMBERS = {sms = {least = 1}, cores = {least = 1}, warp = {least = 1}, warps = {least = 1}, mhz = "number", name = "text",
  alpha = "number", beta = "number", threads = {least = 1}}

-- The model of a device that the caller describes by a table.
local function own_device(given, tile, dtype)
  algorithm.options("fw.tune: device", given, NUMBERS)
  for _, key in ipairs {"sms", "warps"} do
    if not given[key] then error(("fw.tune: a device needs %s, %s"):format(key,
      key == "sms" and "the number of its SMs" or "how many warps an SM runs at a time"), 3) end
  end
  local kernel = kernel_now(tile, dtype)
  kernel.alpha, kernel.beta, kernel.threads = given.alpha or kernel.alpha, given.beta or kernel.beta, given.threads or 64
  return {name = given.name or "a device of the caller's", sms = given.sms, cores = given.cores or 64, mhz = given.mhz,
    warp = given.warp or 32, Y = given.warps, kernel = kernel}
end

-- The model of a device: one of the thesis's by name, one described by a table, or the current device (nil).
local function model_of(device_given, tile, dtype, clock)
  if type(device_given) == "table" then return own_device(device_given, tile, dtype) end
  local m, generation = {}, nil
  if type(device_given) == "string" then
    local gpu = gpus[device_given]
    if not gpu then
      error(("fw.tune: device is '%s', expected a table, or a device of Okuyama 2013: %s"):format(device_given,
        table.concat(gpu_names, ", ")), 3)
    end
    if not kernels_then[tile] then
      error(("fw.tune: tile is %d, expected 16, 32 or 64, the tiles of Okuyama 2013 for its devices"):format(tile), 3)
    end
    m = algorithm.merged(gpu)
    m.kernel, generation = kernels_then[tile], generations[gpu.generation]
  else
    local d = device()
    generation = capabilities[d.capability] or capabilities[d.capability // 10 * 10] or capabilities[90]
    m.name, m.sms, m.cores, m.warp, m.kernel = d.model, d.units, 64, 32, kernel_now(tile, dtype)
    if clock then m.mhz = device.limits()["minplus_" .. dtype] / (m.sms * m.cores) / 1e6 end
  end
  local blocks, limit
  m.Y, blocks, limit = occupancy(generation, m.kernel, m.warp)
  m.limit = (", %d blocks (%s allow no more)"):format(blocks, limit)
  return m
end

local OPTIONS = {method = {"tail", "AT", "FT", "TI", "MT"}, tile = {least = 16, most = 4096, doubled = true},
  dtype = {"i32", "f32"}, seconds = "number", clock = "flag"}

--- fw.tune(n [, options]): chooses l, the number of parts of 16 x 64 elements per block of the thesis's kernel
--- mm_rest, for n vertices and tiles of size `tile` (32). Returns c: c.l, and c:explain() says why. Okuyama 2013, 4.4.
---   method = "tail" a model, without a run: instructions of a thread, blocks per SM, and the idle time at the end.
---                   The default if no device is given
---   method = "AT"   the thesis's model, the default if a device is given: instructions of a thread, blocks of the busiest SM, and
---                   whether its warps are enough to hide the latency of memory
---   method = "FT"   the same with a fixed throughput; "TI" only by the total number of instructions (both of section 4.5.3)
---   method = "MT"   runs each candidate for `seconds` (0.02) on the current device, and takes the fastest
---   device          for the model: one of the thesis's, with its kernel ("GTX 280", "FX 5800", "GTX 260", "9800 GX2",
---                   "8800 GTS 512", "8800 GTX", "8800 GTS"); or a table with sms, warps (resident warps per SM), and
---                   optionally cores (64), mhz, warp (32), threads (64), alpha and beta of L = alpha + beta l. By default the
---                   current device, whose clock rate follows from device.limits(). On a CPU l has no meaning.
---   dtype           "i32" or "f32", for the instructions of lockstep's kernel, which were counted for compute capability 9.0
---   clock = false   estimates no seconds for the current device, so that device.limits() is not needed
--- c.candidates lists what was compared: l, instructions, blocks, blocks_sm, warps_sm, throughput, cycles, seconds.
---   print(fw.tune(8192, {device = "GTX 280"}):explain())
function fw.tune(n, options)
  if math.type(n) ~= "integer" or n < 0 or n >= 1 << 32 then
    error(("fw.tune: expected a number of vertices, got %s"):format(algorithm.described(n)), 2)
  end
  if options ~= nil and type(options) ~= "table" then algorithm.options("fw.tune", options, OPTIONS) end
  local given = algorithm.merged(options)
  local wanted = given.device
  given.device = nil
  if wanted ~= nil and type(wanted) ~= "string" and type(wanted) ~= "table" then
    error(("fw.tune: device is %s, expected a name or a table"):format(algorithm.described(wanted)), 2)
  end
  given = algorithm.options("fw.tune", given, OPTIONS)
  local tile, dtype, method = given.tile or 32, given.dtype or "i32", given.method or (wanted and "AT" or "tail")
  local choice = {n = n, tile = tile, method = method, l = 1, candidates = {}, device = tostring(device().model)}
  if n <= tile then
    choice.why = ("%d vertices make one tile of %d, so that nothing is left for this kernel"):format(n, tile)
    return setmetatable(choice, Choice)
  end
  if method == "MT" then
    if wanted ~= nil then error("fw.tune: only the current device can be measured: omit the option 'device'", 2) end
    choice.seconds_each = given.seconds or 0.02
    if not (choice.seconds_each >= 0 and choice.seconds_each <= 60) then
      error(("fw.tune: seconds is %s, expected 0 to 60"):format(algorithm.described(choice.seconds_each)), 2)
    end
    for _, l in ipairs(candidates(n)) do
      local seconds, launches = measured(n, tile, l, dtype, choice.seconds_each)
      choice.candidates[#choice.candidates + 1] = {l = l, seconds = seconds, launches = launches}
    end
    return best_of(choice)
  end
  if wanted == nil and device().processor == "cpu" then
    choice.why = "a CPU has no blocks of threads, so that l has no meaning there; name a device for the model"
    return setmetatable(choice, Choice)
  end
  choice.model = model_of(wanted, tile, dtype, given.clock ~= false)
  choice.device = choice.model.name
  for _, l in ipairs(candidates(n)) do choice.candidates[#choice.candidates + 1] = estimate(choice.model, n, tile, l, method) end
  return best_of(choice)
end

--- fw.occupancy(device, {threads =, registers =, shared =}): the numbers of resident warps and blocks of a kernel per SM, and
--- the resource that limits them. registers: per thread; shared: bytes per block. device: one of the thesis's by name, or a
--- compute capability, such as 90 for 9.0.
---   fw.occupancy("GTX 280", {threads = 64, registers = 40, shared = 2232})      12  6  registers
function fw.occupancy(name, kernel)
  local generation = gpus[name] and generations[gpus[name].generation] or capabilities[name]
  if not generation then
    error(("fw.occupancy: expected one of %s, or a compute capability such as 90, got %s"):format(table.concat(gpu_names, ", "),
      type(name) == "string" and ("'%s'"):format(name) or algorithm.described(name)), 2)
  end
  kernel = algorithm.options("fw.occupancy", kernel, {threads = {least = 1, most = 1024}, registers = {least = 1, most = 255},
    shared = {least = 0}})
  for _, key in ipairs {"threads", "registers", "shared"} do
    if not kernel[key] then
      error(("fw.occupancy: the kernel's %s are not given"):format(key == "shared" and "bytes of shared memory" or key), 2)
    end
  end
  return occupancy(generation, kernel, 32)
end

return fw
