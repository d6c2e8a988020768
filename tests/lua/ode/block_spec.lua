-- {block_size = N}: the number of threads per block for one call. A CPU has no blocks and ignores it.
local bytecode_blocks = import "ode/bytecode_blocks"
local g = gen.rmat {scale = 9, degree = 8, seed = 3}
local BLOCKS = {32, 64, 96, 128, 256, 480, 512}

-- Asserts that f(block) returns the same for every block size as for the default.
local function same(f)
  local want = f()
  for _, block in ipairs(BLOCKS) do equal(f(block), want) end
  equal(f(0), want)
end

describe("block", function()
  it("changes no result of a row", function()
    same(function(block)
      local s = state.scc(g)
      reset_max(s, {block_size = block})
      return s.max_in:totable()
    end)
    same(function(block) -- one queue is filled, another one is read
      local s = state.scc(g)
      for v = 0, 99 do s.front[v + 1] = 3 * v end
      s.front[0] = 100
      copy_queue(s, {block_size = block})
      local found = table.move(s.back:totable(), 1, s.back[0] + 1, 1, {})
      table.sort(found)
      return found
    end)
    same(function(block) -- one block per tile
      local d = buffer.new("i32", 64, 64)
      for i = 0, 64 * 64 - 1 do d[i] = i * 7919 % 1000 end
      fw_pivot {D = d, k = 1, tiles = 2, overflow = buffer.new("u32", 1), block_size = block}
      return d:totable()
    end)
  end)
  it("changes no result of a loop", function()
    same(function(block)
      local s = state.scc(g)
      local trimmed = trim_fix(s, {block_size = block})
      return {trimmed, s.comp:totable()}
    end)
    same(function(block)
      local m = model.load(model.sample "luo-rudy-1991")
      local b = m:bytecode()
      local x, x_next = b:start {}
      local record, args = buffer.new("f64", 3), {}
      for name, value in pairs {x = x, x_next = x_next, record = record, dt = buffer.new("f64", {0.01}), rows = 3, steps = 20,
        column = buffer.new("u32", {0}), columns = 1, block_size = block} do args[name] = value end
      ode_euler(b:with(args))
      return record:totable()
    end)
  end)
  it("is a multiple of 32, and of rows that have one item a thread", function()
    local s = state.scc(g)
    for _, wrong in ipairs {-32, 31, 544, 1 << 40, 64.5, "64", true} do
      raises("trim: block_size is " .. tostring(wrong), trim, s, {block_size = wrong})
      raises("trim_fix: block_size is " .. tostring(wrong), trim_fix, s, {block_size = wrong})
    end
    for _, f in ipairs {reach_forward, reach_forward_fix, policy_adopt, scan} do
      raises("it has no argument 'block_size'", f, {block_size = 64})
    end
  end)
  it("is kept when a loop goes on step by step", function()
    local args = prim.loops.trim_fix.arguments(state.scc(g), {block_size = 64})
    equal(args.block_size, 64)
    equal(prim.loops.trim_fix.arguments(state.scc(g)).block_size, nil)
  end)
end)

describe("blocks of a simulation", function()
  it("are tried in the first steps, and the fastest is kept", function()
    local r, args, tried = {}, {}, {}
    for call = 1, 16 do
      local counted = bytecode_blocks.by_block(r, args, 10, function()
        tried[call] = args.block_size
        local time = args.block_size == 128 and 0.003 or 0.006
        local begun = trace.clock()
        repeat until trace.clock() - begun > (call == 1 and 0 or time) -- a call that is too short cannot be measured
        return call
      end)
      equal(counted, call)
    end
    equal(tried, {512, 512, 512, 256, 256, 128, 128, 64, 64, 32, 32, 128, 128, 128, 128, 128})
    equal(r.blocks.found, 128)
  end)
  it("are told, and do not change a simulation", function()
    local m = model.load(model.sample "luo-rudy-1991")
    local o = {stop = 20, dt = 0.01, steps = 20, method = "euler", variables = {"V"}, engine = "bytecode"}
    local a, b = simulate(m, o), nil
    o.engine = "reference"
    b = simulate(m, o)
    for i = 0, 20 do equal(math.abs(a.V[i] - b.V[i]) < 1e-9, true) end
    equal(a.block == false or a.block % 32 == 0, true)
    if device().processor == "cpu" then equal(a.block, false) end
  end)
end)
