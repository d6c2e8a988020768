-- Cases of extremes.lua: files of arrays with extreme sizes or contents.
local E = ...

local MEGA = 1000000

local function add(name, file, text, want, more)
  local c = {name = name, file = file, text = text, want = want, kind = E.array}
  for k, v in pairs(more or {}) do c[k] = v end
  E.case(c)
  return c
end

-- --- text ------------------------------------------------------------------------------------------------------

local TEXTS = {csv = "a,b\n1,2\n3,-4\n5,6\n", txt = "# numbers\n1 2\n3 -4\n5 6\n",
  mtx = "%%MatrixMarket matrix array real general\n3 2\n1\n3\n5\n2\n-4\n6\n"}
for _, ending in ipairs {"csv", "txt", "mtx"} do
  local text, file = TEXTS[ending], "x." .. ending
  local plain = add(ending .. " array: plain", file, text, "loads", {fits = function(b) return #b ~= 6 and "it has other elements" or nil end})
  local function also(name, contents, want, more)
    local c = add(ending .. " array: " .. name, file, contents, want, more)
    c.plain = plain
  end
  also("empty", "", "refused", {lineless = true})
  also("a newline", "\n", "refused", {lineless = true})
  also("no newline at the end", (text:gsub("\n$", "")), "same")
  also("CRLF", (text:gsub("\n", "\r\n")), "same")
  also("byte order mark", "\xef\xbb\xbf" .. text)
  also("the file twice", text .. text)
  also("100000 columns in the last row", function() return text .. ("1 "):rep(100000) .. "\n" end, "refused", {lineless = ending == "mtx"})
  also("a word of 1 MB", function() return text .. ("x"):rep(MEGA) .. "\n" end, "refused")
  also("a number of 1 MB", function() return text:gsub("5", ("9"):rep(MEGA), 1) end)
  for i = 0, 15 do
    local at = #text * i // 16
    also(("cut off, %d of 16"):format(i + 1), text:sub(1, at), nil, {lineless = true})
    also(("a zero byte, %d of 16"):format(i + 1), text:sub(1, at) .. "\0" .. text:sub(at + 1), "refused", {lineless = true})
  end
  for _, x in ipairs {"nan", "inf", "-inf", "1e400", "-1e400", "1e-400", "-0", "2147483648", "9223372036854775808", "18446744073709551616", "1e", "0x10", "1,5", "--1", ""} do
    for _, dtype in ipairs {"", "u8", "i32", "i64", "f32", "f64"} do
      also(("%s as %s"):format(x, dtype == "" and "it is" or dtype), (text:gsub("5", x, 1)), nil, {options = dtype ~= "" and {dtype = dtype} or nil, lineless = true})
    end
  end
end
for _, sizes in ipairs {"0 0", "0 1", "1 0", "4294967295 1", "4294967296 1", "1 4294967295", "65536 65536", "4294967295 4294967295", "18446744073709551615 1", "-1 1", "1e9 1", "x 1"} do
  add("mtx array: sizes " .. sizes, "x.mtx", ("%%%%MatrixMarket matrix array real general\n%s\n1\n"):format(sizes), "refused", {lineless = true})
end

-- --- binary ----------------------------------------------------------------------------------------------------

local function npy(shape, descr, order, data, version)
  local head = ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"):format(descr or "<i4", order or "False", shape)
  head = head .. (" "):rep(-(10 + #head + 1) % 64) .. "\n"
  return "\x93NUMPY" .. string.char(version or 1, 0) .. string.pack(version and version > 1 and "<s4" or "<s2", head) .. data
end

local SIX = string.pack("<i4i4i4i4i4i4", 1, 2, 3, -4, 5, 6)
local plain = add("npy: plain", "x.npy", npy("(3, 2)", nil, nil, SIX), "loads", {fits = function(b) return #b ~= 6 and "it has other elements" or nil end})
local whole = plain.text
for i = 0, 15 do
  add(("npy: cut off, %d of 16"):format(i + 1), "x.npy", whole:sub(1, #whole * i // 16), "refused", {lineless = true})
  add(("npy: compressed, cut off, %d of 16"):format(i + 1), "x.npy.gz", function(folder)
    E.write(folder .. "/plain", whole)
    local z = E.said(("gzip -nc <%s"):format(E.quoted(folder .. "/plain")))
    return z:sub(1, #z * i // 16)
  end, "refused", {lineless = true})
end
add("npy: twice", "x.npy", whole .. whole, "refused", {lineless = true})
for _, shape in ipairs {"()", "(0,)", "(0, 0)", "(3, 0)", "(0, 3)", "(-1, 2)", "(7,)", "(5,)", "(2, 3, 1)", "(1, 2, 3)", "(1, 1, 2, 3)", "(4294967296,)", "(4611686018427387904,)", "(9223372036854775808,)",
  "(18446744073709551616,)", "(4294967296, 4294967296)", "(3, 2", "3, 2", "(x,)", "(3.5,)", "(" .. ("1, "):rep(10000) .. ")", "(99999999999999999999999999999999, 1)"} do
  add("npy: shape " .. shape:sub(1, 40), "x.npy", npy(shape, nil, nil, SIX), nil, {lineless = true, fits = function(b)
    if #b ~= 6 and #b ~= 0 then return "it has other elements" end
  end})
end
for _, descr in ipairs {"<i4", ">i4", "|i4", "=i4", "<f4", "<c8", "<U5", "|O", "<i16", "<i-4", "i4", "", "<", ("<"):rep(1000), "<M8[ns]", "[('a', '<i4')]", "<f2"} do
  add("npy: type " .. descr:sub(1, 20), "x.npy", npy("(3, 2)", descr, nil, SIX), nil, {lineless = true})
end
for _, order in ipairs {"True", "False", "None", "", ("x"):rep(60000)} do
  add("npy: order " .. order:sub(1, 20), "x.npy", npy("(3, 2)", nil, order, SIX), nil, {lineless = true})
end
for _, version in ipairs {1, 2, 3, 4, 255} do add("npy: version " .. version, "x.npy", npy("(3, 2)", nil, nil, SIX, version), nil, {lineless = true}) end
for _, bytes in ipairs {0, 1, 65535} do
  add(("npy: a header of %d bytes"):format(bytes), "x.npy", "\x93NUMPY\1\0" .. string.pack("<I2", bytes) .. whole:sub(11), nil, {lineless = true})
end
add("npy: a header of 4 GiB", "x.npy", "\x93NUMPY\2\0" .. string.pack("<I4", 0xffffffff) .. whole:sub(11), "refused", {lineless = true})
for _, cols in ipairs {0, 1, 4, 5, 6, 7, 1 << 31, 1 << 32, 1 << 62, math.maxinteger, -1} do
  add(("bin: %d columns"):format(cols), "x.bin", SIX, nil, {options = {dtype = "i32", cols = cols}, lineless = true})
end
for _, rows in ipairs {{0, 0}, {0, 3}, {2, 1}, {0, 4}, {-1, 2}, {1 << 62, (1 << 62) + 1}, {0, math.maxinteger}, {3, 3}} do
  add(("bin: rows %d to %d"):format(rows[1], rows[2]), "x.bin", SIX, nil, {options = {dtype = "i32", cols = 2, rows = rows}, lineless = true})
  add(("npy: rows %d to %d"):format(rows[1], rows[2]), "x.npy", whole, nil, {options = {rows = rows}, lineless = true})
end
