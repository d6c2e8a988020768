local function contents(path)
  local f = assert(io.open(path, "rb"))
  local text = f:read("a")
  f:close()
  os.remove(path)
  return text
end

it("has a digest, which goes by its bytes and their places", function()
  for _, kind in ipairs {"u8", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64"} do
    for _, n in ipairs {0, 1, 3, 8, 1000, 100003} do
      local a, b = buffer.new(kind, n), buffer.new(kind, n)
      for i = 0, n - 1, 7 do a[i] = i % 120 end
      copy(a, b)
      equal(a:digest(), b:digest())
      if n > 0 then
        b[n - 1] = 1 - b[n - 1] % 2
        assert(a:digest() ~= b:digest())
        copy(b, a)
        equal(a:digest(), b:digest())
      end
    end
  end
end)

describe("making", function()
  it("begins as zeros and nowhere", function()
    local b = buffer.new("f32", 5)
    equal({#b, b.dtype, b.rows, b.cols, b.bytes, b.where}, {5, "f32", 5, 1, 20, "nowhere"})
    equal(b:totable(), {0.0, 0.0, 0.0, 0.0, 0.0})
    equal(b.where, "host")
  end)
  it("takes values of every dtype", function()
    for _, t in ipairs {"u8", "u16", "u32", "u64", "i16", "i32", "i64"} do equal(buffer.new(t, {1, 2, 3}):totable(), {1, 2, 3}) end
    for _, t in ipairs {"f32", "f64"} do equal(buffer.new(t, {1, 2.5}):totable(), {1.0, 2.5}) end
  end)
  it("may be empty", function()
    local b = buffer.new("u32", 0)
    equal({#b, b:sum(), b:min() == nil, b:mean() == nil, tostring(b)}, {0, 0, true, true, "u32[0] host 0 B"})
    equal(tostring(b:hist()), "(empty)")
    equal(#b:copy(), 0)
  end)
  it("names what is wrong", function()
    raises("no dtype 'u33'", buffer.new, "u33", 4)
    raises("a length is not negative", buffer.new, "u32", -1)
    raises("out of memory", buffer.new, "u32", 1 << 60)
    raises("out of memory", buffer.new, "u32", 1 << 40, 1 << 40)
    raises("value 2 is a string", buffer.new, "u32", {1, "x"})
    raises("value 2: 256 does not fit u8 (0 to 255)", buffer.new, "u8", {1, 256})
    raises("5 values do not make rows of 2", buffer.new, "u32", {1, 2, 3, 4, 5}, 2)
    raises("at least one column", buffer.new, "u32", 3, 0)
  end)
end)

describe("indexing", function()
  local b = buffer.new("i32", {5, -6, 7})
  it("counts from 0", function() equal({b[0], b[1], b[2]}, {5, -6, 7}) end)
  it("is checked", function()
    raises("b[3]: index is not below 3", function() return b[3] end)
    raises("b[-1]: index is negative", function() return b[-1] end)
    raises("b[3]: index is not below 3", function() b[3] = 1 end)
    raises("an index is an integer", function() return b[0.5] end)
    raises("no field 'mni'", function() return b.mni end)
    raises("cannot be set", function() b.dtype = "f32" end)
  end)
  it("refuses what does not fit", function()
    raises("b[0]: 2147483648 does not fit i32 (-2147483648 to 2147483647)", function() b[0] = 1 << 31 end)
    raises("b[0]: 0.5 is not an integer", function() b[0] = 0.5 end)
    raises("does not fit i32", function() b[0] = 1 / 0 end)
    raises("a number is expected", function() b[0] = "1" end)
    raises("does not fit f32", function() buffer.new("f32", 1)[0] = 1e39 end)
    raises("-1 does not fit u64", function() buffer.new("u64", 1)[0] = -1 end)
    equal(b[0], 5)
  end)
  it("takes whole floats and special reals", function()
    local c = buffer.new("i64", 2)
    c[1] = 2.0 ^ 40
    equal(c[1], 1 << 40)
    local r = buffer.new("f64", 2)
    r[0], r[1] = 1 / 0, 0 / 0
    equal(r:totable(), {1 / 0, 0 / 0})
  end)
  it("has pairs", function()
    local seen = {}
    for i, v in pairs(b) do seen[#seen + 1] = {i, v} end
    equal(seen, {{0, 5}, {1, -6}, {2, 7}})
  end)
  it("has rows and columns for matrices", function()
    local d = buffer.new("i32", {1, 2, 3, 4, 5, 6}, 3)
    equal({d.rows, d.cols, #d, d:get(0, 0), d:get(1, 2), d[5]}, {2, 3, 6, 1, 6, 6})
    d:set(1, 0, -4)
    equal(d:get(1, 0), -4)
    raises("(2, 0) is not in a matrix of 2 x 3", d.get, d, 2, 0)
    raises("(0, 3) is not in a matrix of 2 x 3", d.get, d, 0, 3)
    raises("(-1, 0) is not in", d.set, d, -1, 0, 1)
    equal(d:slice(1, 2):totable(), {-4, 5, 6})
    equal(d:copy().cols, 3)
  end)
end)

describe("whole buffers", function()
  local b = buffer.new("u32", {3, 1, 4, 1, 5, 9, 2, 6})
  it("reduce", function() equal({b:min(), b:max(), b:sum(), b:mean()}, {1, 9, 31, 3.875}) end)
  it("sum exactly or not at all", function()
    local most = math.maxinteger
    equal(buffer.new("i64", {most, most, -most, -most, 7}):sum(), 7)
    raises("the sum 18446744073709551614 does not fit 64 bits", function() buffer.new("i64", {most, most}):sum() end)
    equal(buffer.new("f64", {1e100, 1, -1e100}):sum(), 1.0)
    equal(buffer.new("f64", {1 / 0, 1}):sum(), 1 / 0)
    local tenths = buffer.new("f64", 1000000):fill(0.1)
    equal(tenths:sum(), 100000.0)
  end)
  it("pass over NaN", function()
    local r = buffer.new("f32", {0 / 0, 2, -1})
    equal({r:min(), r:max()}, {-1.0, 2.0})
    equal(buffer.new("f32", {0 / 0}):max(), 0 / 0)
  end)
  it("find and count", function()
    equal({b:find(1), b:find(9), b:find(7) == nil, b:find(2 ^ 40) == nil, b:find(1.5) == nil}, {1, 5, true, true, true})
    equal({b:count(1), b:count(8)}, {2, 0})
    equal({b:find(function(x) return x > 4 end), b:count(function(x, i) return x > i end)}, {4, 4})
    equal(buffer.new("f32", {0.5, 0.1}):find(0.1), 1)
  end)
  it("survive a predicate that closes them", function()
    local c = b:copy()
    raises("the buffer is closed", function() c:find(function() c:close() end) end)
  end)
  it("differ", function()
    local c = b:copy()
    equal({b:diff(c)}, {0, {}})
    c[2], c[7] = 40, 60
    equal({b:diff(c)}, {2, {{i = 2, a = 4, b = 40}, {i = 7, a = 6, b = 60}}})
    equal({b:diff(c, 1)}, {2, {{i = 2, a = 4, b = 40}}})
    equal((b:diff(buffer.new("f64", b:totable()))), 0)
    raises("8 and 3 elements", b.diff, b, buffer.new("u32", 3))
  end)
  it("copy and slice apart from the original", function()
    local c = b:slice(2, 5)
    equal(c:totable(), {4, 1, 5})
    c[0] = 99
    equal(b[2], 4)
    equal(b:head(3), {3, 1, 4})
    equal(b:head(99), b:totable())
    equal(b:totable(6), {2, 6})
    raises("the range ends at 1, before it begins at 3", b.slice, b, 3, 1)
    raises("to is 9, expected 0 to 8", b.slice, b, 0, 9)
  end)
  it("fill", function()
    equal(buffer.new("u8", 3):fill(7):totable(), {7, 7, 7})
    raises("does not fit u8", function() buffer.new("u8", 3):fill(256) end)
  end)
  it("agree with long ones, which all cores work on", function()
    local n = 10000019
    local c = buffer.new("i32", n):fill(3)
    c[n - 1], c[17] = -2, 5
    equal({c:sum(), c:min(), c:max(), c:count(3), c:find(-2)}, {3 * (n - 2) + 3, -2, 5, n - 2, n - 1})
    equal(c:hist(4).count, {1, 0, n - 2, 1})
    equal({c:diff(c:copy())}, {0, {}})
  end)
end)

describe("histograms", function()
  it("have whole bins for integers", function()
    local h = buffer.new("u32", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9}):hist(5)
    equal({h.lo, h.hi, h.width, h.count}, {0, 9, 2, {2, 2, 2, 2, 4}})
    equal(buffer.new("u32", {7, 7, 8}):hist(10).count, {2, 1})
  end)
  it("keep 'none' and infinities apart", function()
    equal(buffer.new("u32", {0xffffffff, 1, 1}):hist(2).unknown, 1)
    local h = buffer.new("f64", {0, 1, 1 / 0, 0 / 0}):hist(2)
    equal({h.unknown, h.count, h.width}, {2, {1, 1}, 0.5})
    equal(tostring(buffer.new("i32", {0x7fffffff}):hist()), "1 unknown")
  end)
  it("span the widest numbers", function()
    equal(buffer.new("i64", {math.mininteger, math.maxinteger - 1}):hist(2).count, {1, 1})
    equal(buffer.new("f64", {-1.7e308, 1.7e308}):hist(2).count, {1, 1})
  end)
  it("print at most 80 columns", function()
    for _, b in ipairs {buffer.new("f64", {-1e300, 1e300, 3}), buffer.new("i64", {math.mininteger, 0, 1 << 60})} do
      for line in tostring(b:hist(7)):gmatch("[^\n]+") do assert(#line <= 80, line) end
    end
  end)
  it("print first and last value of each bin", function()
    local lines = tostring(buffer.new("u32", {0, 1, 10}):hist(3))
    equal(lines:match("^[^#]*"), " 0 ..  3 2 ")
  end)
end)

describe("printing", function()
  it("is one line of at most 80 columns", function()
    local line = tostring(buffer.new("u32", 8123))
    equal(line:match("^[^:]*"), "u32[8123] nowhere 31.7 KiB")
    assert(#line <= 80 and line:find(" %.%.%.$"), line)
    equal(tostring(buffer.new("i32", {1, -2})), "i32[2] host 8 B: 1 -2")
    equal(tostring(buffer.new("f32", {0.1, 1 / 0}, 2)), "f32[1x2] host 8 B: 0.1 inf")
  end)
end)

describe("files", function()
  it("hold a line a value, or a row", function()
    local path = temporary(".csv")
    buffer.new("f64", {0.1, 2, -3e300}):save(path)
    equal(contents(path), "0.1\n2\n-3e+300\n")
    buffer.new("i32", {1, 2, 3, 4}, 2):save(path)
    equal(contents(path), "1,2\n3,4\n")
  end)
  it("hold raw bytes", function()
    local path = temporary(".bin")
    buffer.new("u32", {1, 0x01020304}):save(path)
    equal(contents(path), ("<I4I4"):pack(1, 0x01020304))
  end)
  it("say what failed, and leave no half behind", function()
    raises("No such file or directory", function() buffer.new("u8", 1):save(temporary("") .. "/a.csv") end)
    raises("ends in .csv, .txt or .bin", function() buffer.new("u8", 1):save("a.png") end)
    if io.open("/dev/full") then
      local link = temporary(".txt")
      os.execute(("ln -s /dev/full '%s'"):format(link))
      raises("No space left on device", function() buffer.new("u32", 1000000):save(link) end)
      os.remove(link)
    end
  end)
end)

describe("closing", function()
  it("is final, and may be repeated", function()
    local b = buffer.new("u32", {1, 2})
    b:close()
    b:close()
    equal(b.where, "closed")
    equal(tostring(b), "u32[2] closed")
    for _, f in ipairs {function() return b[0] end, function() return #b end, function() b[0] = 1 end,
      function() b:sum() end, function() b:copy() end, function() for _ in pairs(b) do end end} do
      raises("the buffer is closed", f)
    end
  end)
  it("comes at the end of a scope", function()
    local kept
    do
      local b <close> = buffer.new("u32", 9)
      kept = b
    end
    equal(kept.where, "closed")
  end)
  it("is refused to a graph's arrays, as is writing", function()
    local g = graph.from_edges {{0, 1}, {1, 0}}
    raises("belongs to a graph", function() g.to[0] = 1 end)
    raises("belongs to a graph", function() g.to:fill(0) end)
    raises("belongs to a graph", function() g.to:close() end)
    do local b <close> = g.to end
    local c = g.to:copy()
    c[0] = 5
    equal({g.to[0], c[0]}, {1, 5})
  end)
  it("is seen by all who share a buffer", function()
    local g = graph.from_edges {{0, 1}}
    assert(g.off == g.off and g.off ~= g.to)
  end)
end)

it("takes numbers, not their digits, which would pass through a double", function()
  local b = buffer.new("i64", {math.maxinteger, 3})
  for _, f in ipairs {b.fill, b.find, b.count} do raises("number expected, got string", f, b, "3") end
  raises("b[0] = 3: a number is expected", function() b[0] = "3" end)
  equal({b:find(math.maxinteger), b:count(math.maxinteger - 1), b:count(math.maxinteger)}, {0, 0, 1})
  raises("gen.uniform: lo = 9007199254740993: a double does not hold this number exactly", gen.uniform,
    {n = 2, m = 2, weights = "i64", lo = (1 << 53) + 1, hi = 1 << 54})
  equal(gen.uniform({n = 2, m = 2, seed = 1, weights = "i64", lo = 1 << 53, hi = 1 << 53}).w:totable(), {1 << 53, 1 << 53})
end)

-- A finalizer may run wherever Lua allocates.
it("is looked at anew after a list is made, in which it may have been closed", function()
  local b
  local function trap() setmetatable({}, {__gc = function() b:close() end}) end
  local f = {function() return b:totable() end, function() return b:copy() end, function() return b:slice(1) end,
    function() return b:diff(buffer.new("u32", 5000), 4096) end, function() return b:hist(100) end}
  local closed = 0
  for round = 1, 500 do
    b = buffer.new("u32", 5000):fill(round)
    trap()
    if not pcall(f[round % #f + 1]) then closed = closed + 1 end
  end
  collectgarbage()
  assert(closed < 500)
end)
