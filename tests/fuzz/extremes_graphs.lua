-- Cases of extremes.lua: files of graphs with extreme sizes or contents.
local E = ...

local MEGA = 1000000
local AROUND = {"0", "-1", "+1", "1.0", "1e0", "0x1", "", "x", "nan", "\xd9\xa1", "1000000000", "2147483647", "2147483648", "4294967294",
  "4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
  "99999999999999999999999999", ("9"):rep(1000), ("0"):rep(MEGA) .. "1", ("9"):rep(MEGA)}

-- the text of a weight, and its value if the weight is valid
local WEIGHTS = {
  {"nan"}, {"inf"}, {"-inf"}, {"infinity"}, {"NaN"}, {"1e400"}, {"-1e400"}, {"1e999999999999999999999"}, {"1,5"}, {"--1"}, {"+-1"}, {"1e"},
  {"."}, {"x"}, {"0x10"}, {"1_000"}, {"1e+"}, {"1 2 3"}, {"\xd9\xa1"}, {("9"):rep(400)}, {("9"):rep(MEGA)},
  {"0", 0}, {"-0", 0}, {"-0.0", 0}, {"1e-400", 0}, {"-1e-400", 0}, {"1e-999999999999999999999", 0}, {"2147483647", 2147483647},
  {"2147483648", 2147483648}, {"-2147483648", -2147483648}, {"-2147483649", -2147483649}, {"9223372036854775807", math.maxinteger},
  {"-9223372036854775808", math.mininteger}, {"9223372036854775808"}, {"-9223372036854775809"},
  {"18446744073709551616"}, {"1e308", 1e308}, {"1.7976931348623157e308", 1.7976931348623157e308}, {"5e-324", 5e-324},
  {"1.7976931348623159e308"}, {"0.1", 0.1}, {".5", 0.5}, {"5.", 5}, {"+7", 7}, {"0." .. ("0"):rep(300) .. "1", 1e-301},
  {("0"):rep(1000) .. "7", 7}, {"1" .. ("0"):rep(300)}, {"1" .. ("0"):rep(300) .. ".5", 1e300}, {"0." .. ("3"):rep(3000), 1 / 3},
}

-- Text formats. plain: a whole file; comment: the characters that begin a comment; with(u, v, w): the file with this edge instead of the first;
-- counts(n, m): the file with these counts in its header.
local FORMATS = {
  gr = {
    plain = "c a road\np sp 4 4\na 1 2 5\na 2 3 -7\na 3 1 9\na 3 4 2\n",
    comment = "c ",
    with = function(u, v, w) return ("p sp 4 4\na %s %s %s\na 2 3 -7\na 3 1 9\na 3 4 2\n"):format(u, v, w) end,
    counts = function(n, m) return ("p sp %s %s\na 1 2 5\na 2 3 -7\na 3 1 9\na 3 4 2\n"):format(n, m) end,
    base = 1, edges = 4,
  },
  mtx = {
    plain = "%%MatrixMarket matrix coordinate real general\n% a matrix\n4 4 4\n1 2 5\n2 3 -7\n3 1 9\n3 4 2\n",
    comment = "% ", comment_after = 1,
    with = function(u, v, w) return ("%%%%MatrixMarket matrix coordinate real general\n4 4 4\n%s %s %s\n2 3 -7\n3 1 9\n3 4 2\n"):format(u, v, w) end,
    counts = function(n, m) return ("%%%%MatrixMarket matrix coordinate real general\n%s %s %s\n1 2 5\n2 3 -7\n3 1 9\n3 4 2\n"):format(n, n, m) end,
    base = 1, edges = 4,
  },
  tsv = {
    plain = "# a list\n0\t1\t5\n1\t2\t-7\n2\t0\t9\n2\t3\t2\n",
    comment = "# ",
    with = function(u, v, w) return ("%s %s %s\n1 2 -7\n2 0 9\n2 3 2\n"):format(u, v, w) end,
    counts = function(n, m) return ("# Nodes: %s Edges: %s\n0 1 5\n1 2 -7\n2 0 9\n2 3 2\n"):format(n, m) end,
    base = 0, edges = 4,
  },
  csv = {
    plain = "source,target,weight\n0,1,5\n1,2,-7\n2,0,9\n2,3,2\n",
    comment = "# ",
    with = function(u, v, w) return ("source,target,weight\n%s,%s,%s\n1,2,-7\n2,0,9\n2,3,2\n"):format(u, v, w) end,
    base = 0, edges = 4,
  },
  konect = {
    file = "tsv",
    plain = "% asym weighted\n% 4 4 4\n1 2 5\n2 3 -7\n3 1 9\n3 4 2\n",
    comment = "% ", comment_after = 1,
    with = function(u, v, w) return ("%% asym weighted\n%% 4 4 4\n%s %s %s\n2 3 -7\n3 1 9\n3 4 2\n"):format(u, v, w) end,
    counts = function(n, m) return ("%% asym weighted\n%% %s %s %s\n1 2 5\n2 3 -7\n3 1 9\n3 4 2\n"):format(m, n, n) end,
    base = 1, edges = 4,
  },
  metis = {
    file = "graph",
    plain = "% undirected\n4 3 1\n2 5 3 7\n1 5\n1 7 4 2\n3 2\n",
    comment = "% ",
    with = function(u, v, w) return ("4 3 1\n2 %s 3 7\n%s %s\n%s 7 4 2\n3 2\n"):format(w, v == "2" and "1" or v, w, u) end,
    counts = function(n, m) return ("%s %s 1\n2 5 3 7\n1 5\n1 7 4 2\n3 2\n"):format(n, m) end,
    base = 1, edges = 3,
  },
}

local function sorted(t)
  local keys = {}
  for k in pairs(t) do keys[#keys + 1] = k end
  table.sort(keys)
  return keys
end

local function lines(text)
  local list = {}
  for line in text:gmatch "[^\n]*\n" do list[#list + 1] = line end
  return list
end

-- text with `more` as a line after its first `after` lines.
local function inserted(text, after, more)
  local list = lines(text)
  table.insert(list, (after or 0) + 1, more)
  return table.concat(list)
end

-- 16 lengths to which a text of `bytes` bytes is truncated, one from each sixteenth of it.
local function cuts(bytes, what)
  local list = {}
  for i = 0, 15 do list[#list + 1] = math.min(bytes - 1, bytes * i // 16 + E.drawn(what .. i, 0, math.max(bytes // 16 - 1, 0))) end
  return list
end

local function weight_is(value)
  return function(g)
    local w = g.w and g.w[0]
    if w ~= value then return ("the weight is %s, not %s"):format(w, value) end
  end
end

for _, name in ipairs(sorted(FORMATS)) do
  local f = FORMATS[name]
  local file = "x." .. (f.file or name)
  local plain = {name = name .. ": plain", file = file, text = f.plain, kind = E.graph}
  E.case(plain)
  local function add(what, text, want, more)
    local c = {name = name .. ": " .. what, file = file, text = text, want = want, kind = E.graph, plain = plain}
    for k, v in pairs(more or {}) do c[k] = v end
    E.case(c)
  end
  local lineless = {lineless = true}
  plain.want = "loads"

  -- the file as a whole
  add("empty", "", "refused", lineless)
  add("a newline", "\n", "refused", lineless)
  add("blanks", (" "):rep(1000), "refused", lineless)
  add("only comments", (f.comment .. "nothing\n"):rep(3), "refused", lineless)
  add("100000 comments", function() return (f.comment .. "nothing\n"):rep(100000) end, "refused", lineless)
  add("a comment without an end", f.comment, "refused", lineless)
  add("no newline at the end", (f.plain:gsub("\n$", "")), "same")
  add("CRLF", (f.plain:gsub("\n", "\r\n")), "same")
  add("CRLF, and no newline at the end", (f.plain:gsub("\n", "\r\n"):gsub("\r\n$", "")), "same")
  add("CR alone", (f.plain:gsub("\n", "\r")))
  add("byte order mark", "\xef\xbb\xbf" .. f.plain)
  add("UTF-16", "\xff\xfe" .. f.plain:gsub(".", "%0\0"), "refused", lineless)
  add("blank lines at the end", f.plain .. ("\n"):rep(1000), "same")
  add("100000 comments within", function() return inserted(f.plain, 2, (f.comment .. "x\n"):rep(100000)) end, "same")
  add("a comment of 1 MB", function() return inserted(f.plain, f.comment_after, f.comment .. ("x"):rep(MEGA) .. "\n") end, "same")
  add("a comment of 20 MB", function() return inserted(f.plain, f.comment_after, f.comment .. ("x "):rep(10 * MEGA) .. "\n") end, "same")
  add("a comment of bytes over 127", inserted(f.plain, f.comment_after, f.comment .. ("\xff\xfe\x80"):rep(1000) .. "\n"), "same")
  add("a line of 1 MB", function() return f.plain .. ("x"):rep(MEGA) .. "\n" end, "refused")
  add("a line of 1 MB of zero bytes", function() return f.plain .. ("\0"):rep(MEGA) .. "\n" end, "refused")
  add("1 MB of blanks at the end of a line", function() return (f.plain:gsub("\n$", (" "):rep(MEGA) .. "\n")) end)
  add("the file twice", f.plain .. f.plain, (name == "tsv" or name == "konect") and "loads" or "refused")
  add("another format behind", f.plain .. FORMATS[name == "gr" and "mtx" or "gr"].plain, "refused")
  for i, at in ipairs(cuts(#f.plain, name)) do add(("cut off, %d of 16"):format(i), f.plain:sub(1, at), nil, lineless) end
  for i, at in ipairs(cuts(#f.plain, name .. "zero")) do
    add(("a zero byte, %d of 16"):format(i), f.plain:sub(1, at) .. "\0" .. f.plain:sub(at + 1), nil, {fits = function(g)
      if g.n ~= 4 and name ~= "konect" then return "a zero byte changes it" end -- for KONECT the header is destroyed
    end})
  end

  -- ids
  for _, id in ipairs(AROUND) do
    local shown = #id > 30 and ("%s... (%d bytes)"):format(id:sub(1, 10), #id) or id
    local good = id:match "^0*(%d)$"
    local inside = good and tonumber(good) >= f.base and tonumber(good) < 4 + f.base
    if id == "" then inside = nil end
    local want = inside == nil and "refused" or not inside and "refused" or nil
    add(("an edge from %q"):format(shown), function() return f.with(id, "2", "5") end, want, {lineless = #id >= MEGA or id:match "^%d%d%d%d%d%d%d%d%d+$"})
    add(("an edge to %q"):format(shown), function() return f.with("1", id, "5") end, want, {lineless = #id >= MEGA or id:match "^%d%d%d%d%d%d%d%d%d+$"})
  end

  -- weights
  for _, w in ipairs(WEIGHTS) do
    local shown = #w[1] > 30 and ("%s... (%d bytes)"):format(w[1]:sub(1, 10), #w[1]) or w[1]
    local integers = name == "metis" and w[2] and math.type(tonumber(w[1])) ~= "integer"
    local separates = w[1]:find "," and (name == "tsv" or name == "konect") -- the comma then begins a fourth column, which is ignored
    add(("weight %s"):format(shown), function() return f.with(tostring(f.base), tostring(f.base + 1), w[1]) end,
      w[2] and not integers and "loads" or not w[2] and not separates and "refused" or nil,
      {fits = w[2] and weight_is(w[2]), lineless = #w[1] >= MEGA})
  end
  for _, type in ipairs {"i32", "i64", "f32", "f64", "scaled", "none"} do
    for _, w in ipairs {"2147483648", "9223372036854775808", "1e39", "0.1", "1e-50", "-0"} do
      add(("weight %s as %s"):format(w, type), f.with("1", "2", w), nil, {options = {weights = type}, lineless = true})
    end
  end
  for _, scale in ipairs {1, 10, 1000000000000000000, 3} do
    add(("weight 0.1 with scale %d"):format(scale), f.with("1", "2", "0.1"), nil, {options = {scale = scale}})
  end

  -- counts in the header
  for _, count in ipairs(f.counts and AROUND or {}) do
    local shown = #count > 30 and ("%s... (%d bytes)"):format(count:sub(1, 10), #count) or count
    add(("%q vertices"):format(shown), function() return f.counts(count, f.edges) end, nil, {lineless = true, fits = function(g)
      if g.n ~= 4 then return "there are 4 vertices" end
    end})
    add(("%q edges"):format(shown), function() return f.counts(4, count) end, nil, {lineless = true, fits = function(g)
      if g.m ~= (name == "metis" and 6 or 4) then return "there are as many edges as there were" end
    end})
  end
  if f.counts then
    add("one vertex too many", f.counts(5, f.edges), name == "metis" and "refused" or "loads", {lineless = true})
    add("one vertex too few", f.counts(3, f.edges), name == "tsv" and "loads" or "refused")
    add("one edge too many", f.counts(4, f.edges + 1), "refused")
    add("one edge too few", f.counts(4, f.edges - 1), name ~= "tsv" and name ~= "konect" and "refused" or nil)
    add("no vertices and no edges", f.counts(0, 0), nil)
  end

  -- compressed
  local function gzip(options)
    return function(folder)
      E.write(folder .. "/plain", f.plain)
      return E.said(("gzip -nc%s <%s"):format(options or "", E.quoted(folder .. "/plain")))
    end
  end
  local zipped = {file = file .. ".gz"}
  local loose = {file = file .. ".gz", lineless = true}
  add("compressed", gzip(), "same", zipped)
  add("compressed twice", function(folder)
    E.write(folder .. "/once", gzip()(folder))
    return E.said(("gzip -c <%s"):format(E.quoted(folder .. "/once")))
  end, "refused", loose)
  add("compressed, empty", function() return E.said "printf '' | gzip -nc" end, "refused", loose)
  add("not compressed, but called so", f.plain, "refused", loose)
  add("an empty file called compressed", "", "refused", loose)
  for i = 0, 15 do
    add(("compressed, cut off, %d of 16"):format(i + 1), function(folder)
      local z = gzip()(folder)
      return z:sub(1, #z * i // 16)
    end, "refused", loose)
  end
  for _, at in ipairs {8, 5, 4, 1} do
    add(("compressed, byte %d from the end is wrong"):format(at), function(folder)
      local z = gzip()(folder)
      return z:sub(1, #z - at) .. string.char(z:byte(#z - at + 1) ~ 0x55) .. z:sub(#z - at + 2)
    end, "refused", loose)
  end
  add("compressed, with rubbish behind", function(folder) return gzip()(folder) .. ("x"):rep(1000) end, nil, loose)
  add("compressed, with zeros behind", function(folder) return gzip()(folder) .. ("\0"):rep(1000) end, nil, loose)
  add("compressed in two members", function(folder)
    E.write(folder .. "/a", f.plain:sub(1, 20))
    E.write(folder .. "/b", f.plain:sub(21))
    return E.said(("gzip -nc <%s; gzip -nc <%s"):format(E.quoted(folder .. "/a"), E.quoted(folder .. "/b")))
  end, "same", zipped)
  add("compressed, a bomb of a comment", function(folder)
    return E.said(("(printf %%s %s; yes x | tr -d '\\n' | head -c 200000000; echo) | gzip -nc"):format(E.quoted((f.comment_after and lines(f.plain)[1] or "") .. f.comment)))
  end, "refused", loose)
  add("compressed, a bomb of one line", function(folder) return E.said "(printf '1 2 3'; yes x | tr -d '\\n' | head -c 200000000) | gzip -nc" end, "refused", loose)
  add("compressed, a bomb of newlines", function(folder) return E.said "head -c 200000000 /dev/zero | tr '\\0' '\\n' | gzip -nc" end, "refused", loose)
end

-- --- features of one format ---------------------------------------------------------------------------------------

local function add(name, file, text, want, more)
  local c = {name = name, file = file, text = text, want = want, kind = E.graph}
  for k, v in pairs(more or {}) do c[k] = v end
  E.case(c)
end

local function has(n, m)
  return function(g)
    if g.n ~= n or g.m ~= m then return ("it has %d vertices and %d edges, not %d and %d"):format(g.n, g.m, n, m) end
  end
end

add("gr: 100000 columns", "x.gr", function() return "p sp 4 1\na 1 2 5" .. (" 1"):rep(100000) .. "\n" end, "refused")
add("mtx: 100000 columns", "x.mtx", function() return "%%MatrixMarket matrix coordinate real general\n4 4 1\n1 2 5" .. (" 1"):rep(100000) .. "\n" end, "refused")
add("tsv: 100000 columns", "x.tsv", function() return "0 1 5" .. (" 1"):rep(100000) .. "\n" end, "refused")
add("csv: 100000 names of columns", "x.csv", function() return "source,target" .. (",x"):rep(100000) .. "\n0,1" .. (",1"):rep(100000) .. "\n" end, "refused")
add("csv: 100000 columns without names", "x.csv", function() return "0,1" .. (","):rep(100000) .. "\n" end, "refused")
add("csv: a name of 1000000 characters", "x.csv", function() return ("source,target,%s\n0,1,5\n"):format(("w"):rep(MEGA)) end, "refused", {lineless = true})
add("csv: a name of 10000 characters", "x.csv", function() return ("source,target,%s\n0,1,5\n"):format(("w"):rep(10000)) end, "refused")
add("csv: a quote without an end", "x.csv", function() return "source,target,id\n0,1,\"" .. ("x\n"):rep(1000) end, "refused")
add("metis: a vertex with 100000 neighbours", "x.graph", function()
  local list = {"100001 100000\n"}
  for v = 2, 100001 do list[#list + 1] = v .. " " end
  return table.concat(list) .. ("\n1"):rep(100000) .. "\n"
end, "loads", {fits = has(100001, 200000)})
for _, name in ipairs {"gr", "mtx", "tsv"} do
  for _, id in ipairs {1000000000, 1 << 31, (1 << 32) - 2} do
    add(("%s: an edge to %d, and that many vertices"):format(name, id), "x." .. name, FORMATS[name].counts(id, 1):gsub("\n[^\n]*2 5\n.*", ("\n%s1 %d 5\n"):format(name == "gr" and "a " or "", name == "tsv" and id - 1 or id)),
      "refused", {lineless = true})
  end
end
for _, id in ipairs {1000000000, 1 << 31, (1 << 32) - 2} do
  add(("tsv: one edge to %d"):format(id), "x.tsv", ("0 %d\n"):format(id), "refused", {lineless = true})
  add(("konect: two sides of %d"):format(id), "x.tsv", ("%% bip weighted\n%% 1 %d %d\n1 1 1\n"):format(id, id), "refused", {lineless = true})
end
add("tsv: one edge to 16000000", "x.tsv", "0 16000000\n", "loads", {fits = has(16000001, 1)})
for _, mark in ipairs {"complex", "pattern", "quaternion", ("x"):rep(MEGA), ""} do
  local shown = #mark > 20 and "of 1 MB" or mark
  add("mtx: field " .. shown, "x.mtx", function() return ("%%%%MatrixMarket matrix coordinate %s general\n2 2 1\n1 2 5\n"):format(mark) end, "refused", {lineless = #mark > 20})
  add("mtx: symmetry " .. shown, "x.mtx", function() return ("%%%%MatrixMarket matrix coordinate real %s\n2 2 1\n1 2 5\n"):format(mark) end, "refused", {lineless = #mark > 20})
  add("mtx: object " .. shown, "x.mtx", function() return ("%%%%MatrixMarket %s coordinate real general\n2 2 1\n1 2 5\n"):format(mark) end, "refused", {lineless = #mark > 20})
end
for _, n in ipairs {0, 1, 65536, 92682, 1 << 31, (1 << 32) - 1} do
  for _, symmetry in ipairs {"general", "symmetric", "skew-symmetric"} do
    add(("mtx: array of %d rows, %s, with one entry"):format(n, symmetry), "x.mtx", ("%%%%MatrixMarket matrix array real %s\n%d %d\n5\n"):format(symmetry, n, n), nil,
      {lineless = true, fits = has(1, 1)})
  end
end
add("mtx: skew-symmetric -2^63", "x.mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -9223372036854775808\n", "refused")
add("mtx: an array of 100000 zeros", "x.mtx", function() return "%%MatrixMarket matrix array real general\n1000 100\n" .. ("0\n"):rep(100000) end, "refused")
add("gr: times of 2^63", "x.gr", "p sp 2 1\na 1 2 5 9223372036854775808\n", "refused")
add("gr: negative times", "x.gr", "p sp 2 1\na 1 2 5 -1\n", "refused")
add("gr: times of the later arcs", "x.gr", "p sp 2 2\na 1 2 5\na 2 1 5 3\n", "refused")
for _, format in ipairs {"0", "1", "10", "11", "100", "111", "1111", "2", "-1", "4294967296", "x", ("1"):rep(1000)} do
  add("metis: format " .. format:sub(1, 20), "x.graph", ("4 3 %s\n2 5 3 7\n1 5\n1 7 4 2\n3 2\n"):format(format))
end
for _, count in ipairs {"0", "2", "1000000000", "4294967296", "18446744073709551615", "-1"} do
  add(("metis: %s weights of vertices"):format(count), "x.graph", ("4 3 11 %s\n2 5 3 7\n1 5\n1 7 4 2\n3 2\n"):format(count), "refused")
end
add("metis: a neighbour of itself", "x.graph", "2 1\n1\n2\n")
add("metis: a neighbour twice", "x.graph", "2 2\n2 2\n1 1\n")
for _, ending in ipairs {"hgr", "adjlist", "lgl", "ncol", "xyz", "json", ("x"):rep(200)} do
  add("a file called x." .. ending:sub(1, 10), "x." .. ending, "hello\n", "refused", {lineless = true})
end
add("a file with a name of 250 characters", ("x"):rep(247) .. ".gr", FORMATS.gr.plain, "loads", {fits = has(4, 4)})
add("a file with a name of newlines", "a\nb.gr", "p sp x\n", "refused", {lineless = true})

-- --- binary formats --------------------------------------------------------------------------------------------

local function egr(n, m, off, to, w)
  local parts = {string.pack("<i4i4", n, m)}
  for _, list in ipairs {off, to, w} do
    for _, x in ipairs(list) do parts[#parts + 1] = string.pack("<i4", x) end
  end
  return table.concat(parts)
end

local OFF, TO, W = {0, 1, 2, 4, 4}, {1, 2, 0, 3}, {5, -7, 9, 2}
local whole = egr(4, 4, OFF, TO, W)
local plain = {name = "egr: plain", file = "x.egr", text = whole, kind = E.graph, want = "loads", fits = has(4, 4)}
E.case(plain)
add("egr: empty", "x.egr", "", "refused", {lineless = true})
add("egr: no weights", "x.egr", egr(4, 4, OFF, TO, {}), "loads", {fits = has(4, 4)})
add("egr: no vertices", "x.egr", egr(0, 0, {0}, {}, {}), nil, {fits = has(0, 0)})
add("egr: twice", "x.egr", whole .. whole, "refused")
add("egr: half a weight", "x.egr", whole:sub(1, -3), "refused")
for i, at in ipairs(cuts(#whole, "egr")) do
  add(("egr: cut off, %d of 16"):format(i), "x.egr", whole:sub(1, at), nil, {lineless = at == 0, fits = has(4, 4)})
end
for place = 0, #whole // 4 - 1 do
  for _, x in ipairs {-1, -2147483648, 2147483647, 1000000000} do
    add(("egr: word %d is %d"):format(place, x), "x.egr", whole:sub(1, 4 * place) .. string.pack("<i4", x) .. whole:sub(4 * place + 5), place < 11 and "refused" or "loads",
      {lineless = place < 2})
  end
end

local function lsg(folder)
  local g = graph.from_edges {{0, 1, 5}, {1, 2, -7}, {2, 0, 9}, {2, 3, 2}, n = 4}
  g:save(folder .. "/whole.lsg")
  return E.read(folder .. "/whole.lsg")
end
local stored = {name = "lsg: plain", file = "x.lsg", text = lsg, kind = E.graph, want = "loads", fits = has(4, 4)}
E.case(stored)
add("lsg: empty", "x.lsg", "", "refused", {lineless = true})
add("lsg: twice", "x.lsg", function(folder) return lsg(folder):rep(2) end, "refused")
for i = 0, 15 do
  add(("lsg: cut off, %d of 16"):format(i + 1), "x.lsg", function(folder)
    local all = lsg(folder)
    return all:sub(1, math.max(#all * i // 16, 1))
  end, "refused", {lineless = true})
  add(("lsg: compressed, cut off, %d of 16"):format(i + 1), "x.lsg.gz", function(folder)
    lsg(folder)
    local z = E.said(("gzip -nc <%s"):format(E.quoted(folder .. "/whole.lsg")))
    return z:sub(1, math.max(#z * i // 16, 1))
  end, "refused", {lineless = true})
end
for at = 0, 63 do -- each field of the header with all bits inverted
  add(("lsg: word %d of the header is another"):format(at), "x.lsg", function(folder)
    local all = lsg(folder)
    local x = string.unpack("<i8", all, 8 * at + 1)
    return all:sub(1, 8 * at) .. string.pack("<i8", ~x) .. all:sub(8 * at + 9)
  end, "refused", {lineless = true})
end
