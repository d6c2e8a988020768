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

describe("==", function()
  it("compares dtype, shape and elements", function()
    for _, kind in ipairs {"u8", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64"} do
      for _, n in ipairs {0, 1, 3, 1000, 300003} do
        local a, b = buffer.new(kind, n), buffer.new(kind, n)
        for i = 0, n - 1, 7 do a[i] = i % 120 end
        copy(a, b)
        equal({a == b, a ~= b}, {true, false})
        if n > 0 then
          b[n - 1] = 1 - b[n - 1] % 2
          equal({a == b, a ~= b}, {false, true})
        end
      end
      equal(buffer.new(kind, 3) == buffer.new(kind, 4), false)
      equal(buffer.new(kind, 2, 3) == buffer.new(kind, 3, 2), false)
      equal(buffer.new(kind, 3) == buffer.new(kind == "i32" and "u32" or "i32", 3), false)
    end
    local g = gen.grid {9, 9}
    equal({bfs(g, 5).dist == bfs(g, 5).dist, bfs(g, 5).dist == bfs(g, 6).dist}, {true, false})
  end)
  it("takes reals as numbers: NaN differs, -0 is 0", function()
    for _, kind in ipairs {"f32", "f64"} do
      local nan = buffer.new(kind, {1, 0 / 0})
      equal({nan == nan:copy(), buffer.new(kind, {0.0}) == buffer.new(kind, {-0.0})}, {false, true})
      equal(buffer.new(kind, {math.huge}) == buffer.new(kind, {math.huge}), true)
      local a, b = buffer.new(kind, 9), buffer.new(kind, 9) -- `fill` allocates them on the device, where they are compared
      fill(a, 0.0)
      fill(b, -0.0)
      equal(a == b, true)
      fill(b, 0 / 0)
      fill(a, 0 / 0)
      equal(a == b, false)
    end
  end)
  it("of a closed buffer is true of itself only", function()
    local a, b = buffer.new("u32", 2), buffer.new("u32", 2)
    b:close()
    equal({a == b, b == a, b == b}, {false, false, true})
  end)
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
    raises("a length must not be negative", buffer.new, "u32", -1)
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
    equal(tostring(buffer.new("f32", {0.1, 1 / 0})), "f32[2] host 8 B: 0.1 inf")
  end)
  it("of a matrix is a line a row, with a point where there is no path", function()
    equal(tostring(buffer.new("f32", {0.1, 1 / 0}, 2)), "f32[1x2] host 8 B\n 0.1 .")
    equal(tostring(buffer.new("i32", {1, 0x7fffffff, -0x80000000, 4000, 5, -6}, 3)), "i32[2x3] host 24 B\n    1 .  .\n 4000 5 -6")
    equal(tostring(buffer.new("u8", {255, 0}, 1)), "u8[2x1] host 2 B\n 255\n   0")
    local large, rows = tostring(buffer.new("f64", 100, 300):fill(-1.5)), 0
    for line in large:gmatch "[^\n]+" do
      rows = rows + 1
      assert(#line <= 80, line)
    end
    equal(rows, 1 + 11 + 1)
    equal({large:find "%-1%.5 %.%.%.\n %.%.%.$" ~= nil, tostring(buffer.new("i32", 0, 4))}, {true, "i32[0x4] nowhere 0 B"})
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
    raises("must end in .npy, .mtx, .csv, .txt or .bin", function() buffer.new("u8", 1):save("a.png") end)
    if io.open("/dev/full") then
      local link = temporary(".txt")
      os.execute(("ln -s /dev/full '%s'"):format(link))
      raises("No space left on device", function() buffer.new("u32", 1000000):save(link) end)
      os.remove(link)
    end
  end)
end)

-- Loads the text from a file whose name ends in `ending`. Returns the buffer, or the error message after the file's name.
local function load_text(ending, text, options)
  local result
  with_file(ending, text, function(path)
    local ok, x = pcall(buffer.load, path, options)
    result = ok and x or tostring(x):gsub("^.*" .. path:match "[^/]*$":gsub("%p", "%%%0"), "")
  end)
  return result
end

describe("buffer.load", function()
  local m = buffer.new("i32", {1, -2, 3, 0x7fffffff, 5, 6}, 3)
  it("reads what b:save wrote, of every type, packed or not", function()
    for _, kind in ipairs {"u8", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64"} do
      for _, b in ipairs {buffer.new(kind, {1, 2, 3, 4, 5, 120}, 3), buffer.new(kind, {7, 0}), buffer.new(kind, {9})} do
        for _, ending in ipairs {".npy", ".mtx", ".csv", ".txt", ".bin", ".npy.gz", ".csv.gz", ".bin.gz"} do
          local path = temporary(ending)
          b:save(path)
          local c = buffer.load(path, {dtype = kind, cols = ending:find "bin" and b.cols > 1 and b.cols or nil})
          os.remove(path)
          equal({c.dtype, c.rows, c.cols, (c:diff(b))}, {kind, b.rows, b.cols, 0})
        end
      end
    end
    local hard = buffer.new("f64", {0.1, 1 / 0, -1 / 0, 5e-324, 1.7976931348623157e308, -0.0}, 2)
    local wide = buffer.new("i64", {math.maxinteger, math.mininteger, 0})
    for _, ending in ipairs {".npy", ".mtx", ".csv", ".txt"} do
      for _, b in ipairs {hard, wide} do
        local path = temporary(ending)
        b:save(path)
        equal({(buffer.load(path):diff(b))}, {0})
        os.remove(path)
      end
    end
  end)
  it("finds the type of text", function()
    equal(load_text(".csv", "1,2\n3,-4\n").dtype, "i32")
    equal(load_text(".csv", "1,2\n3,2147483648\n").dtype, "i64")
    equal(load_text(".csv", "1,2\n3,inf\n").dtype, "f64")
    equal(load_text(".csv", "1;2\n\n# more\n3 ; 4").cols, 2)
    equal(load_text(".txt", "# x\n 1\t2 \r\n 3 .5e1\r\n"):totable(), {1.0, 2.0, 3.0, 5.0})
    equal(load_text(".csv", "time,V (mV)\n0,-84.5\n1,NaN\n"):count(function(x) return x ~= x end), 1)
  end)
  it("reads NumPy's files by rows, by columns, and in the other order of bytes", function()
    local function npy(descr, fortran, shape, bytes)
      local head = ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"):format(descr, fortran, shape)
      head = head .. (" "):rep(64 - (#head + 11) % 64) .. "\n"
      return load_text(".npy", "\x93NUMPY\1\0" .. ("<I2"):pack(#head) .. head .. bytes)
    end
    equal((npy("<i4", "False", "(2, 3)", ("<i4i4i4i4i4i4"):pack(1, -2, 3, 0x7fffffff, 5, 6)):diff(m)), 0)
    equal((npy("<i4", "True", "(2, 3)", ("<i4i4i4i4i4i4"):pack(1, 0x7fffffff, -2, 5, 3, 6)):diff(m)), 0)
    equal((npy(">i4", "False", "(2, 3)", (">i4i4i4i4i4i4"):pack(1, -2, 3, 0x7fffffff, 5, 6)):diff(m)), 0)
    equal(npy("|b1", "False", "(3,)", "\1\0\1"):totable(), {1, 0, 1})
    local bytes = npy("|i1", "True", "(2, 2)", ("i1i1i1i1"):pack(1, -128, 127, -1))
    equal({bytes.dtype, bytes:totable()}, {"i16", {1, 127, -128, -1}})
    equal(npy("<f8", "False", "()", ("<d"):pack(2.5)):totable(), {2.5})
    equal(npy("<i4", "False", "(2, 3)", "abc"), ": expected 24 bytes of elements, found 3")
    equal(npy("<c8", "False", "(1,)", "12345678"), ": expected numbers of u1 u2 u4 u8 i1 i2 i4 i8 f4 f8 or b1 (descr), found <c8")
    equal(npy("<f4", "False", "(1, 1, 1, 1)", "1234"),
      ": expected a vector, a matrix, or by rows three dimensions (shape), found (1, 1, 1, 1), ")
    equal(npy("<f4", "True", "(1, 1, 1)", "1234"),
      ": expected a vector, a matrix, or by rows three dimensions (shape), found (1, 1, 1), ")
    equal(npy("<f4", "False", "(99999999999, 99999999999)", "1234"), ": expected a shape that fits 64 bits, found a larger one")
    equal(load_text(".npy", "PK\3\4........."), ": expected a file of NumPy's .npy format, found other bytes")
  end)
  it("reads Matrix Market by columns, and one triangle", function()
    local function market(head, ...) return load_text(".mtx", "%%MatrixMarket matrix " .. head .. table.concat({...}, "\n")) end
    equal((market("array integer general\n% said\n2 3\n", 1, 0x7fffffff, -2, 5, 3, 6):diff(m)), 0)
    equal(market("array real symmetric\n2 2\n", 1, 2.5, 3):totable(), {1.0, 2.5, 2.5, 3.0})
    equal(market("array integer skew-symmetric\n2 2\n", 7):totable(), {0, -7, 7, 0})
    equal(market("array integer general\n2 3\n", 1, 2), ": expected the element (1, 2), found the end of the file")
    equal(market("array integer general\n1 1\n", 1, 2), ":4: expected the end of the file, found '2'")
    equal(market("array integer general\n1 1\n", "x"), ":3: expected one number, found 'x'")
    equal(market("array integer symmetric\n1 2\n", 1), ":2: expected as many rows as columns, found 1 and 2")
    equal(market("coordinate integer general\n1 1 0\n"),
      ":1: expected the array form, found coordinates; these are read as a graph: matrix.of(graph.load(path))")
    equal(market("array complex general\n1 1\n"), ":1: expected real or integer, found 'complex'")
  end)
  it("names the line of what is wrong", function()
    equal(load_text(".csv", "1,2\n3,x\n"), ":2: expected a number, found 'x'")
    local empty = ": expected a number, found an empty field (none = VALUE reads such fields as VALUE)"
    equal(load_text(".csv", "1,2\n\n3,,4\n"), ":3" .. empty)
    equal(load_text(".txt", "1,2\n\n3,,4\n"), ":3: expected a number, found ','")
    equal(load_text(".csv", "1,2\n3\n"), ":2: expected 2 numbers, as in the first row, found 1")
    equal(load_text(".csv", "1,0x10\n"), ":1: expected a number, found '0x10'")
    equal(load_text(".csv", "1,2,\n"), ":1" .. empty)
    equal(load_text(".csv", ";\n1;2\n"), ":1" .. empty)
    equal(load_text(".csv", 'name\n1\n""\n'), ":3" .. empty)
    equal(load_text(".csv", '1\n"5"\n'), ":2: expected a number, found '\"5\"'")
    equal(load_text(".txt", "1,2,\n"), ":1: expected a number, found the end of the line")
    equal(load_text(".csv", "a,b\n"), ": expected rows of numbers, found none")
    equal(load_text(".csv", ""), ": the file is empty")
    equal(load_text(".txt", "1\0002\n"), ": expected text, found a byte 0")
    equal(load_text(".csv", "1,300\n", {dtype = "u8"}), ":1: 300 does not fit u8 (0 to 255)")
    equal(load_text(".csv", "1.5\n", {dtype = "i32"}), ":1: 1.5 is not an integer, which i32 needs")
    equal(load_text(".bin", "1234567", {dtype = "i16", cols = 2}), ": expected rows of 4 bytes, found 7 bytes in all")
    equal(load_text(".bin", "1234567", {dtype = "f64", cols = 1 << 61}), ": rows of 2305843009213693952 columns are too long")
    equal(load_text(".bin", "12"), ': a .bin file does not say what it holds; give its type and columns, as in {dtype = "f32", cols = 100}')
  end)
  it("leaves fields of .csv empty for the value that means none, and reads them as it", function()
    local none = 0x7fffffff
    local rows = buffer.new("i32", {1, none, none, none, none, 6}, 3)
    for _, ending in ipairs {".csv", ".csv.gz"} do
      for _, b in ipairs {rows, rows:slice(1), buffer.new("i32", {none, 5, none}), buffer.new("i32", {none}),
        buffer.new("f32", {1 / 0, 0.5}), buffer.new("f64", {0.1, 1, -1 / 0}), buffer.new("u32", {0xffffffff, 0})} do
        local value = ({i32 = none, f32 = 1 / 0, f64 = 0.1, u32 = 0xffffffff})[b.dtype]
        local path = temporary(ending)
        b:save(path, {none = value})
        local c = buffer.load(path, {none = value, dtype = b.dtype})
        equal({c.rows, c.cols, (c:diff(b))}, {b.rows, b.cols, 0})
        if ending == ".csv" then
          raises("found an empty field", buffer.load, path)
          local text = contents(path)
          if b == rows then equal(text, "1,,\n,,6\n") end
          equal(text:find('""', 1, true) ~= nil, b.cols == 1)
        end
        os.remove(path)
      end
    end
    local nan = buffer.new("f64", {0 / 0, 2})
    local path = temporary ".csv"
    nan:save(path, {none = 0 / 0})
    equal(contents(path), '""\n2\n')
    rows:save(path, {})
    equal(contents(path), "1,2147483647,2147483647\n2147483647,2147483647,6\n")
    local out = buffer.writer(path, "i32", 2, 3, {none = none})
    out:put(rows)
    out:close()
    equal(contents(path), "1,,\n,,6\n")
    -- buffer.load reads what csv has written
    local dist = sssp(graph.from_edges({n = 3, {0, 1, 5}}), 0).dist
    csv({dist = dist}, path)
    equal(buffer.load(path, {none = -1}):totable(), {0, 0, 1, 5, 2, -1})
    csv(dist, path)
    equal(buffer.load(path, {none = -1}):totable(), {0, 5, -1})
    -- an empty field becomes `none`, so the type must be able to hold that value
    equal(load_text(".csv", "1,\n", {none = -1}).dtype, "i32")
    equal(load_text(".csv", "1,\n", {none = 1 << 40}).dtype, "i64")
    equal(load_text(".csv", "1, ;\n", {none = math.huge}):totable(), {1.0, math.huge, math.huge})
    equal(load_text(".csv", "1,2\n", {none = 0.5}).dtype, "i32")
  end)
  it("refuses none where no field can be empty, and what is no value", function()
    local b = buffer.new("u8", {1, 2})
    for _, ending in ipairs {".npy", ".mtx", ".txt", ".bin", ".npy.gz", ".txt.gz"} do
      local path = temporary(ending)
      raises(ending .. ": none = ... is for .csv files, whose fields can be empty", b.save, b, path, {none = 1})
      equal(io.open(path), nil)
      raises(ending .. ": none = ... is for .csv files", buffer.writer, path, "u8", 2, nil, {none = 1})
      raises(ending .. ": none = ... is for .csv files", buffer.load, path, {none = 1})
    end
    local path = temporary ".csv"
    raises("none: 256 does not fit u8 (0 to 255)", b.save, b, path, {none = 256})
    raises("none: 0.5 is not an integer", b.save, b, path, {none = 0.5})
    raises("buffer:save: 'none' is x, expected a number", b.save, b, path, {none = "x"})
    raises("buffer:save: no option is called 'empty'", b.save, b, path, {empty = 1})
    equal(io.open(path), nil)
    with_file(".csv", "1\n", function(file)
      raises("none: -1 does not fit u8 (0 to 255)", buffer.load, file, {dtype = "u8", none = -1})
    end)
  end)
  it("refuses options that it does not know", function()
    raises("no option is called 'type' (did you mean dtype?)", buffer.load, "x.csv", {type = "i32"})
    raises("no dtype 'int'", buffer.load, "x.csv", {dtype = "int"})
    raises("cols must be a whole number from 1 on", buffer.load, "x.bin", {dtype = "i32", cols = 0})
    raises("'cols' is only for .bin files", buffer.load, "x.csv", {cols = 3})
    raises("must end in .npy, .mtx, .csv, .txt or .bin", buffer.load, "x.png")
    raises("No such file or directory", buffer.load, temporary ".npy")
  end)
end)

describe("buffer.writer", function()
  local b = buffer.new("i32", {1, 2, 3, 4, 5, 6}, 3)
  it("writes some rows at a time, and buffer.load reads some", function()
    for _, ending in ipairs {".npy", ".csv", ".txt", ".bin", ".npy.gz"} do
      local path = temporary(ending)
      local out = buffer.writer(path, "i32", 5, 3)
      out:put(b)
      equal(io.open(path), nil)
      out:put(b)
      out:put(b:slice(1))
      out:close()
      local bin = ending == ".bin"
      local whole = buffer.load(path, {dtype = bin and "i32" or nil, cols = bin and 3 or nil})
      equal(whole:totable(), {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 4, 5, 6})
      local function some(from, to) return buffer.load(path, {dtype = bin and "i32" or nil, cols = bin and 3 or nil, rows = {from, to}}) end
      if ending == ".csv" or ending == ".txt" then
        raises("is for .npy and .bin files", some, 1, 2)
      else
        equal(some(1, 3):totable(), {4, 5, 6, 1, 2, 3})
        equal(some(4, 5):totable(), {4, 5, 6})
        raises("expected a range of its rows, found 4 to 6 of 5", some, 4, 6)
        raises("expected rows = {from, to}, whole numbers", some, 2, 2)
      end
      os.remove(path)
    end
  end)
  it("saves nothing unless all rows are there", function()
    local path = temporary ".npy"
    local out = buffer.writer(path, "i32", 3, 3)
    raises("expected rows of i32[3], got f32[3]", out.put, out, buffer.new("f32", 1, 3))
    raises("expected rows of i32[3], got i32[1]", out.put, out, buffer.new("i32", 3))
    out:put(b)
    raises("more rows than the 3 that were announced", out.put, out, b)
    raises("2 of 3 rows were put: nothing saved", out.close, out)
    raises("the file is closed", out.put, out, b)
    do local left <close> = buffer.writer(path, "u8", 1) end
    equal(io.open(path), nil)
    raises("No such file or directory", buffer.writer, temporary "" .. "/x.npy", "u8", 1)
    raises("takes all 2 rows at once", function() buffer.writer(temporary ".mtx", "i32", 2, 3):put(b:slice(1)) end)
    raises("must end in .npy, .mtx, .csv, .txt or .bin", buffer.writer, "x", "u8", 1)
    raises("no dtype 'u7'", buffer.writer, "x.npy", "u7", 1)
  end)
end)

describe("slices", function()
  local m = buffer.new("i32", {1, 2, 3, 4, 5, 6}, 3)
  it("of a matrix are rows and columns", function()
    equal(m:slice(1):totable(), {4, 5, 6})
    local part = m:slice(0, 2, 1, 3)
    equal({part.rows, part.cols, table.unpack(part:totable())}, {2, 2, 2, 3, 5, 6})
    equal(m:slice(nil, nil, 2):totable(), {3, 6})
    equal({#m:slice(1, 1, 0, 2), m:slice(1, 1, 0, 2).cols}, {0, 2})
  end)
  it("go into a buffer that is there", function()
    local part = buffer.new("i32", {9, 9}, 1)
    equal(m:slice(0, 2, 1, 2, part) == part, true)
    equal(part:totable(), {2, 5})
    raises("slice: expected i32[2 x 2] to write into, got i32[2 x 1]", function() m:slice(0, 2, 1, 3, part) end)
    raises("expected i32[2 x 1] to write into, got f32[2 x 1]", function() m:slice(0, 2, 1, 2, buffer.new("f32", {0, 0}, 1)) end)
    raises("a buffer is not sliced into itself", function() m:slice(0, 2, 0, 3, m) end)
    raises("belongs to a graph", function() part:slice(0, 2, 0, 1, gen.ring(2).off) end)
  end)
  it("of millions of elements are right in every place", function()
    local n = 1700 -- more than 4 MiB are copied by all threads
    local large = buffer.new("i32", n, n)
    for v = 0, n * n - 1, 97 do large[v] = v end
    local copy, part = large:copy(), large:slice(50, n, 3, n - 4)
    equal({(copy:diff(large)), copy.rows, copy.cols}, {0, n, n})
    for v = 0, n * n - 1, 97 do
      local i, j = v // n, v % n
      if i >= 50 and j >= 3 and j < n - 4 and part[(i - 50) * (n - 7) + j - 3] ~= v then error(("row %d, column %d"):format(i, j)) end
    end
    local sum = part:sum()
    copy:fill(0):paste(part, 50, 3)
    equal({copy:sum(), copy[50 * n + 3], copy[n * n - 5], copy[49 * n + 3], copy[50 * n + 2]},
      {sum, large[50 * n + 3], large[n * n - 5], 0, 0})
  end)
  it("stay inside", function()
    raises("to is 4, expected 0 to 3", function() m:slice(0, 1, 0, 4) end)
    raises("ends at 1, before it begins at 2", function() m:slice(0, 1, 2, 1) end)
    raises("a matrix needs at least one column", function() m:slice(0, 1, 2, 2) end)
    raises("a vector has no columns", function() buffer.new("u8", 3):slice(0, 1, 0, 1) end)
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

-- A finalizer may run at any allocation by Lua.
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

describe("what is printed", function()
  it("of no vertex is -, of no distance inf", function()
    equal(tostring(buffer.new("u32", {1, 0xffffffff})), "u32[2] host 8 B: 1 -")
    equal(tostring(buffer.new("u16", {65535, 65534})), "u16[2] host 4 B: - 65534")
    equal(tostring(buffer.new("i32", {0x7fffffff, -1})), "i32[2] host 8 B: inf -1")
    equal(tostring(buffer.new("i64", {math.maxinteger, math.mininteger})), "i64[2] host 16 B: inf -9223372036854775808")
    equal(tostring(buffer.new("u8", {255})), "u8[1] host 1 B: 255")
    equal(tostring(buffer.new("f64", {1 / 0, 0.5})), "f64[2] host 16 B: inf 0.5")
  end)
  it("of a queue are its items", function()
    local s = state.scc(gen.ring {n = 10})
    equal(tostring(s.front):gsub("%] %S+", "] host"), "u32[11] host 44 B, queue of 0") -- the buffer may be on the host, on a device, or not allocated yet
    s.front[0], s.front[1], s.front[2] = 2, 7, 3
    equal(tostring(s.front):gsub("%] %S+", "] host"), "u32[11] host 44 B, queue of 2: 7 3")
    s.front[0] = 11 -- 11 is not a valid length
    assert(tostring(s.front):find("44 B: 11 7 3 0", 1, true))
    s.front[0] = 10
    equal(tostring(s.front):gsub("%] %S+", "] host"), "u32[11] host 44 B, queue of 10: 7 3 0 0 0 0 0 0 0 0")
    prim.swap(s.front, s.front_next)
    equal(tostring(s.front_next):gsub("%] %S+", "] host"), "u32[11] host 44 B, queue of 10: 7 3 0 0 0 0 0 0 0 0")
  end)
end)

describe("buffer:paste", function()
  it("writes a part of a matrix, or of a vector", function()
    local D = buffer.new("i32", 4, 5)
    local part = buffer.new("i32", {1, 2, 3, 4, 5, 6}, 3)
    assert(D:paste(part, 1, 2) == D)
    equal(D:totable(), {0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 0, 0, 0})
    equal(D:slice(1, 3, 2, 5):totable(), part:totable())
    D:paste(part, 2)
    equal(D:totable(10), {1, 2, 3, 5, 6, 4, 5, 6, 0, 0})
    equal(buffer.new("f64", 4):paste(buffer.new("f64", {7, 8}), 2):totable(), {0.0, 0.0, 7.0, 8.0})
    equal(buffer.new("u8", 2):paste(buffer.new("u8", 0), 2):totable(), {0, 0})
    D:paste(D, 0)
    raises("paste: 2 x 3 elements at row 3, column 0 do not fit into 4 x 5", D.paste, D, part, 3)
    raises("paste: 2 x 3 elements at row 0, column 3 do not fit into 4 x 5", D.paste, D, part, 0, 3)
    raises("paste: expected a matrix of i32, got a vector of i32", D.paste, D, buffer.new("i32", 3), 0)
    raises("paste: expected a matrix of i32, got a matrix of f32", D.paste, D, buffer.new("f32", 1, 1), 0)
    raises("from", D.paste, D, part, 5)
    raises("belongs to a graph and cannot be written", function() gen.ring {n = 5}.to:paste(buffer.new("u32", {1}), 0) end)
  end)
end)
