-- The auto-tuner of Okuyama 2013, section 4.4: for the numbers of the thesis, it must make the choices that the thesis reports.

-- Table 4.5: for each n, the l that is chosen for the matrix multiplication kernel on a GTX 280 with t = 16, 32 and 64.
local TABLE_4_5 = {[128] = {1, 1, 1}, [256] = {1, 1, 1}, [512] = {2, 2, 3}, [1024] = {2, 2, 1}, [2048] = {8, 8, 1},
  [4096] = {4, 4, 4}, [8192] = {16, 16, 4}, [9216] = {29, 29, 18}, [10240] = {8, 8, 16}, [11264] = {16, 16, 16}}

-- Table 4.4, one entry per kernel variant: threads, shared memory in bytes, registers, Y on GT200, Y on G80 and G90, and on both the
-- occupancy in %.
local TABLE_4_4 = {{64, 1144, 39, 12, 6, 38, 25}, {64, 2232, 40, 12, 6, 38, 25}, {64, 4408, 40, 6, 6, 19, 25},
  {64, 576, 18, 16, 12, 50, 50}, {64, 576, 30, 16, 8, 50, 33}}

describe("the tuner's model", function()
  it("chooses what table 4.5 has", function()
    for n, row in pairs(TABLE_4_5) do
      for i, tile in ipairs {16, 32, 64} do equal({n, tile, fw.tune(n, {device = "GTX 280", tile = tile}).l}, {n, tile, row[i]}) end
    end
  end)
  it("knows how many warps run, as table 4.4 has it", function()
    for _, row in ipairs(TABLE_4_4) do
      local kernel = {threads = row[1], shared = row[2], registers = row[3]}
      local new, old = fw.occupancy("GTX 280", kernel), fw.occupancy("8800 GTX", kernel)
      equal({new, old}, {row[4], row[5]})
      equal({("%.0f"):format(100 * new / 32 + 0.01), ("%.0f"):format(100 * old / 24)}, {tostring(row[6]), tostring(row[7])})
    end
    equal({fw.occupancy("GTX 280", {threads = 64, registers = 40, shared = 4408})}, {6, 3, "shared bytes"})
    equal({fw.occupancy(90, {threads = 256, registers = 128, shared = 0})}, {16, 2, "registers"})
    equal({fw.occupancy(90, {threads = 32, registers = 16, shared = 0})}, {32, 32, "blocks"})
    equal({fw.occupancy(75, {threads = 512, registers = 16, shared = 0})}, {32, 2, "warps"})
  end)
  it("estimates as the equations say", function()
    for _, n in ipairs {64, 512, 1000, 3328} do
      local c = fw.tune(n, {device = "GTX 260"})
      for _, x in ipairs(c.candidates) do
        local blocks = math.ceil(math.ceil(n / 64) / x.l) * (math.ceil(n / 16) - 2)
        local warps = math.ceil(blocks / 24) * 2
        equal({x.instructions, x.blocks, x.warps_sm}, {84 + 1166 * x.l, blocks, warps})
        -- formulas 4.4 to 4.8 combined; the warps run in rounds of Y = 12
        local cycles = (84 + 1166 * x.l) * 32 * 12 * math.ceil(warps / 12) / 8
        assert(math.abs(x.cycles - cycles) < 1e-6 * cycles and math.abs(x.seconds - cycles / 1242e6) < 1e-6 * x.seconds)
      end
    end
  end)
  it("leaves no l out that could be chosen", function()
    for n = 64, 4096, 190 do
      local best
      for l = 1, n // 64 do
        local warps = math.ceil(math.ceil(math.ceil(n / 64) / l) * (math.ceil(n / 16) - 2) / 30) * 2
        local cost = (84 + 1166 * l) * math.ceil(warps / 12)
        if not best or cost < best then best = cost end
      end
      local l = fw.tune(n, {device = "GTX 280"}).l
      local warps = math.ceil(math.ceil(math.ceil(n / 64) / l) * (math.ceil(n / 16) - 2) / 30) * 2
      equal((84 + 1166 * l) * math.ceil(warps / 12), best)
    end
  end)
  it("has the variants that the thesis compares: FT takes 8 for n = 512 (figure 4.19), TI the greatest l", function()
    equal(fw.tune(512, {device = "GTX 280", method = "FT"}).l, 8)
    equal(fw.tune(512, {device = "GTX 280", method = "FT"}).candidates[5].warps_sm, 2)
    for n = 128, 11264, 640 do equal(fw.tune(n, {device = "GTX 280", method = "TI"}).l, n // 64) end
  end)
  it("of an H100, where blocks begin as others end, chooses what was measured to be best, or takes 3 % longer at most", function()
    -- For n = 2048, 4096, 8192 and 16384: the l that took less than 3 % longer than the best l, in two runs (tests/gpu/tuner.lua).
    local good = {i32 = {[16] = {{3, 4}, {2, 3, 5, 10}, {3, 4, 5, 6}, {3, 4, 5, 6, 7, 9, 10, 13, 29}},
      [32] = {{3, 4}, {2, 3}, {3, 4, 5}, {2, 3, 4, 5, 6, 7, 9, 10}}, [64] = {{1}, {2, 3}, {2, 3, 4, 5}, {3, 4, 6, 7}}},
      f32 = {[16] = {{4}, {2, 3}, {3, 4, 5, 6}, {3, 4, 5, 6, 7, 9, 10}}, [32] = {{4}, {2, 3}, {3, 4, 5}, {3, 4, 6, 7, 10}},
      [64] = {{1}, {2, 3}, {2, 3, 4, 5}, {3, 4, 5, 6, 7, 9, 10}}}}
    for dtype, tiles in pairs(good) do
      for tile, rows in pairs(tiles) do
        for k, n in ipairs {2048, 4096, 8192, 16384} do
          local c = fw.tune(n, {device = {sms = 132, warps = 28}, method = "tail", tile = tile, dtype = dtype})
          local found = false
          for _, l in ipairs(rows[k]) do found = found or l == c.l end
          assert(found, ("%s, n = %d, t = %d: l = %d"):format(dtype, n, tile, c.l))
        end
      end
    end
    local text = fw.tune(16384, {device = {sms = 132, warps = 28}, method = "tail"}):explain()
    assert(text:find("u = U / SMs", 1, true) and text:find("by the model", 1, true), text)
  end)
  it("takes devices of the caller's", function()
    local same = fw.tune(512, {device = {sms = 30, cores = 8, warps = 12, mhz = 1296, alpha = 84, beta = 1166, name = "a GTX 280"}})
    equal({same.l, same.device, same.seconds == fw.tune(512, {device = "GTX 280"}).seconds}, {2, "a GTX 280", true})
    local ours = fw.tune(8192, {device = {sms = 132, warps = 28}, tile = 128, dtype = "f32"})
    assert(ours.l >= 1 and ours.l <= 128 and ours.seconds == nil and ours.candidates[1].cycles > 0)
  end)
  it("explains itself", function()
    local text = fw.tune(512, {device = "GTX 280"}):explain()
    for _, part in ipairs {"n = 512, tiles of 32 x 32, on GTX 280", "30 SMs of 8 cores at 1296 MHz", "L = 84 + 1166 l instructions",
      "Y = 12 warps at a time, 6 blocks (registers allow no more)", "    2      120      4      8     2416  0.667", "<-", "l = 2, by the thesis's model"} do
      assert(text:find(part, 1, true), part)
    end
    equal(tostring(fw.tune(512, {device = "GTX 280", method = "TI"})),
      "l = 8, by the total number of instructions, for n = 512 and tiles of 32 on GTX 280")
    for _, n in ipairs {0, 1, 32} do
      equal(fw.tune(n, {device = "GTX 280"}):explain(), ("l = 1: %d vertices make one tile of 32, so that nothing is left for this kernel"):format(n))
    end
    device("cpu")
    assert(tostring(fw.tune(512)):find("a CPU has no blocks of threads", 1, true))
  end)
end)

describe("the measured tuner", function()
  it("takes the fastest of what it ran", function()
    device("cpu")
    local c = fw.tune(300, {method = "MT", seconds = 0})
    equal({#c.candidates, c.candidates[1].launches}, {3, 1})
    for _, x in ipairs(c.candidates) do
      assert(x.seconds >= c.seconds)
      if x.l == c.l then equal(x.seconds, c.seconds) end
    end
    assert(c:explain():find("Each l was run for 0 seconds", 1, true))
    equal(fw.tune(32, {method = "MT"}).l, 1)
  end)
  it("and the model serve fw", function()
    local g = gen.uniform {n = 130, m = 600, seed = 1, weights = "i32", lo = 1, hi = 99}
    local want = reference.floyd_warshall(g)
    for _, l in ipairs {3, "model", "measured", false} do
      local r = fw(g, {form = "mm", l = l or nil})
      equal({(r.matrix:diff(want)), check(r), r.tuning ~= nil}, {0, true, l ~= 3})
      if l == "measured" then equal({r.tuning.method, r.tuning.n, r.tuning.tile}, {"MT", 130, 32}) end
    end
    equal(fw(g, {form = "blocked"}).tuning, nil)
  end)
end)

describe("what is wrong", function()
  it("is said", function()
    raises("fw.tune: expected a number of vertices, got -1", fw.tune, -1)
    raises("fw.tune: expected a number of vertices, got a table", fw.tune, {})
    raises("fw.tune: expected a table of options, got 5", fw.tune, 64, 5)
    raises("fw.tune: unknown option 'methd' (did you mean method?)", fw.tune, 64, {methd = "AT"})
    raises("fw.tune: method is 'XT', expected 'tail', 'AT', 'FT', 'TI' or 'MT'", fw.tune, 64, {method = "XT"})
    raises("fw.tune: device is 'GTX 9', expected a table, or a device of Okuyama 2013: 8800 GTS, ", fw.tune, 64, {device = "GTX 9"})
    raises("fw.tune: device is 5, expected a name or a table", fw.tune, 64, {device = 5})
    raises("fw.tune: tile is 128, expected 16, 32 or 64, the tiles of Okuyama 2013 for its devices", fw.tune, 640, {device = "GTX 280", tile = 128})
    raises("fw.tune: tile is 48, expected 16, 32, 64 and so on", fw.tune, 640, {tile = 48})
    raises("fw.tune: a device needs warps, how many warps an SM runs at a time", fw.tune, 640, {device = {sms = 4}})
    raises("fw.tune: a device needs sms, the number of its SMs", fw.tune, 640, {device = {warps = 4}})
    raises("fw.tune: device: sms is 0, expected a whole number from 1 on", fw.tune, 640, {device = {sms = 0, warps = 4}})
    raises("fw.tune: only the current device can be measured: omit the option 'device'", fw.tune, 640, {method = "MT", device = "GTX 280"})
    raises("fw.tune: seconds is -1, expected 0 to 60", fw.tune, 640, {method = "MT", seconds = -1})
    raises("fw.occupancy: expected one of 8800 GTS, ", fw.occupancy, "GTX", {})
    raises("fw.occupancy: the kernel's registers are not given", fw.occupancy, 90, {threads = 64})
    local g = gen.ring {n = 5}
    raises("fw: l is 'best', expected a whole number from 1 to 4096, 'model' or 'measured'", fw, g, {form = "mm", l = "best"})
    raises("fw: l = 'model' is only for form 'mm'; 'two-level' takes a number", fw, g, {form = "two-level", l = "model"})
  end)
end)
