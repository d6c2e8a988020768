-- Cases of extremes.lua: models in the program's own format of equations with extreme sizes or contents.
local E = ...

local MEGA = 1000000
local TEXT = "title growth # a comment\ntime s\nk = 0.5 [1/s]\nf = {1 if time < 5; x otherwise}\nx' = -k*x + f\nx(0) = 1\nwhen x < 0.6: x = 1\n"
local plain = {name = "ode: plain", file = "x.ode", text = TEXT, kind = E.model, want = "loads"}
E.case(plain)

local function add(name, text, want, more)
  local c = {name = "ode: " .. name, file = "x.ode", text = text, want = want, kind = E.model, plain = plain}
  for k, v in pairs(more or {}) do c[k] = v end
  E.case(c)
end

-- --- the file as a whole ---------------------------------------------------------------------------------------

add("empty", "", "refused", {lineless = true})
add("a newline", "\n", "refused", {lineless = true})
add("blanks", (" "):rep(MEGA), "refused", {lineless = true})
add("only comments", ("# nothing\n"):rep(100), "refused", {lineless = true})
add("a comment without an end", "# nothing", "refused", {lineless = true})
add("only a title", "title x\n", "refused", {lineless = true})
add("no newline at the end", (TEXT:gsub("\n$", "")), "same")
add("CRLF", (TEXT:gsub("\n", "\r\n")), "same")
add("byte order mark", "\xef\xbb\xbf" .. TEXT, "same")
add("UTF-16", "\xff\xfe" .. TEXT:gsub(".", "%0\0"), "refused")
add("UTF-16, the other order", "\xfe\xff" .. TEXT:gsub(".", "\0%0"), "refused")
add("a comment of 1 MB", function() return TEXT .. "#" .. ("x"):rep(MEGA) .. "\n" end, "same")
add("100000 comments", function() return TEXT .. ("# x\n"):rep(100000) end, "same")
add("100000 blank lines", function() return ("\n"):rep(100000) .. TEXT end, "same")
add("a line of 1 MB of blanks", function() return (" "):rep(MEGA) .. "\n" .. TEXT end, "same")
add("a title of 1 MB", function() return (TEXT:gsub("growth", ("x"):rep(MEGA))) end, "loads")
add("a unit of time of 1 MB", function() return (TEXT:gsub("time s", "time " .. ("s"):rep(MEGA))) end, "loads")
add("a unit of 1 MB", function() return (TEXT:gsub("1/s", ("s"):rep(MEGA))) end, "loads")
add("the file twice", TEXT .. TEXT, "refused")
add("100 MB of comments", function() return ("# " .. ("x"):rep(997) .. "\n"):rep(100000) .. TEXT end, "same")
add("300 MB", function() return ("\n"):rep(300 * MEGA) end, "refused", {lineless = true})
add("called .gz", TEXT, nil, {file = "x.ode.gz", lineless = true})
add("compressed", function(folder)
  E.write(folder .. "/plain", TEXT)
  return E.said(("gzip -nc <%s"):format(E.quoted(folder .. "/plain")))
end, nil, {file = "x.ode.gz", lineless = true})
for i = 0, 15 do
  local at = #TEXT * i // 16 + E.drawn("ode cut" .. i, 0, #TEXT // 16 - 1)
  add(("cut off, %d of 16"):format(i + 1), TEXT:sub(1, at), nil, {lineless = not TEXT:sub(1, at):find "="}) -- there is no equation whose line could be named
  add(("a zero byte, %d of 16"):format(i + 1), TEXT:sub(1, at) .. "\0" .. TEXT:sub(at + 1), "refused")
  add(("byte 255, %d of 16"):format(i + 1), TEXT:sub(1, at) .. "\xff" .. TEXT:sub(at + 1))
end

-- --- numbers ---------------------------------------------------------------------------------------------------

local NUMBERS = {"0", "-0", "1e308", "1e309", "1e400", "-1e400", "1e-400", "5e-324", "1e999999999999999999999", "nan", "inf", "-inf", "2147483648", "4294967296",
  "9223372036854775808", "18446744073709551616", ("9"):rep(400), ("9"):rep(MEGA), "0." .. ("0"):rep(MEGA) .. "1", "0x10", "1e", "1e+", "1.2.3", ".", "1_0", "1,5", "--1", "+-1",
  "\xd9\xa1", "''", "1'"}
local PLACES = {
  ["a parameter"] = "k = %s\nx' = -k*x\nx(0) = 1\n", ["a first value"] = "x' = -x\nx(0) = %s\n", ["a rate"] = "x' = %s*x\nx(0) = 1\n",
  ["an exponent"] = "x' = x^%s\nx(0) = 1\n", ["a delay"] = "x' = -delay(x, %s)\nx(0) = 1\n", ["a pause"] = "x' = -x\nx(0) = 1\nwhen x < 0.95 after %s: x = 1\n",
  ["a divisor"] = "x' = x/%s\nx(0) = 1\n", ["a bound"] = "x' = -x\nx(0) = 1\nwhen x < %s: x = 1\n", ["a constant"] = "k := exp(%s)\nx' = -k*x\nx(0) = 1\n",
}
local places = {}
for place in pairs(PLACES) do places[#places + 1] = place end
table.sort(places)
for _, place in ipairs(places) do
  for _, number in ipairs(NUMBERS) do
    local shown = #number > 30 and ("%s... (%d bytes)"):format(number:sub(1, 10), #number) or number
    local finite = number:find "^[%d.]+$" and number ~= "." and number ~= "1.2.3"
    add(("%s of %s"):format(place, shown), function() return PLACES[place]:format(number) end, finite and #number < 400 and place ~= "a delay" and "loads" or nil)
  end
end

-- --- names -----------------------------------------------------------------------------------------------------

for _, bytes in ipairs {255, 256, 10000, MEGA} do
  add(("a name of %d characters"):format(bytes), function()
    local name = ("x"):rep(bytes)
    return ("%s' = -%s\n%s(0) = 1\n"):format(name, name, name)
  end, bytes < 256 and "loads" or "refused")
  add(("an unknown name of %d characters"):format(bytes), function() return "x' = -" .. ("y"):rep(bytes) .. "\nx(0) = 1\n" end, "refused")
  add(("a function of %d characters"):format(bytes), function() return "x' = -" .. ("y"):rep(bytes) .. "(x)\nx(0) = 1\n" end, "refused")
end
for _, name in ipairs {"time", "pi", "inf", "nan", "true", "if", "otherwise", "and", "not", "when", "title", "d", "dx", "exp", "delay", "\u{e9}t\u{e9}", "\xff", "x.y.z", "_",
  "series", "piecewise"} do
  add(("a state called %s"):format(name == "\xff" and "byte 255" or name), ("%s' = 1\n%s(0) = 1\n"):format(name, name))
  add(("a parameter called %s"):format(name == "\xff" and "byte 255" or name), ("%s = 1\nx' = %s\nx(0) = 1\n"):format(name, name))
end

-- --- depth -----------------------------------------------------------------------------------------------------

local DEPTHS = {10, 50, 99, 199, 201, 1000, 10000, 100000, MEGA}
local NESTS = { -- before, inside, after, per level
  {"parentheses", "(", "x", ")"}, {"minus signs", "-", "x", ""}, {"not", "not ", "x", ""}, {"calls", "exp(", "0", ")"}, {"calls of two", "max(x, ", "x", ")"},
  {"powers", "x^", "x", ""}, {"powers of minus", "x^-", "x", ""}, {"pieces", "{", "x", " otherwise}"}, {"conditions", "{x if ", "x", "; x otherwise}"},
  {"sums in parentheses", "(x + ", "x", ")"}, {"delays", "delay(", "x", ", 1)"}, {"left parentheses", "(", "", ""}, {"left braces", "{", "", ""}, {"plus signs", "+", "x", ""},
}
for _, n in ipairs(NESTS) do
  for _, depth in ipairs(DEPTHS) do
    add(("%d %s"):format(depth, n[1]), function() return ("x' = %s%s%s\nx(0) = 1\n"):format(n[2]:rep(depth), n[3], n[4]:rep(depth)) end,
      n[3] == "" and "refused" or depth < 40 and n[1] ~= "plus signs" and n[1] ~= "delays" and "loads" or nil)
  end
end
for _, count in ipairs {10, 1000, 100000, MEGA} do
  for _, operator in ipairs {" + ", " - ", "*", "/", " and ", " or ", " == ", " xor ", " implies "} do
    add(("%d operands of%s"):format(count, operator), function() return "x' = x" .. (operator .. "x"):rep(count) .. "\nx(0) = 1\n" end,
      count == 10 and operator ~= " == " and "loads" or nil)
  end
end
for _, count in ipairs {63, 64, 65, 100000} do
  add(("%d pieces"):format(count), function() return "f = {" .. ("1 if x < 1; "):rep(count - 1) .. "2 otherwise}\nx' = f\nx(0) = 1\n" end, count > 65 and "refused" or nil)
  add(("%d arguments"):format(count), function() return "x' = min(x" .. (", x"):rep(count - 1) .. ")\nx(0) = 1\n" end, count > 65 and "refused" or nil)
  add(("%d assignments of an event"):format(count), function()
    local list = {"when x < 1: x = 1"}
    local more = {"x' = 1\nx(0) = 1\n"}
    for i = 2, count do list[i], more[i] = ("y%d = 1"):format(i), ("y%d = 1\n"):format(i) end
    return table.concat(more) .. table.concat(list, ", ") .. "\n"
  end, count > 65 and "refused" or nil)
end

-- --- many ------------------------------------------------------------------------------------------------------

for _, count in ipairs {10, 1000, 30000} do
  add(("%d states"):format(count), function()
    local list = {}
    for i = 1, count do list[i] = ("x%d' = -x%d\nx%d(0) = 1\n"):format(i, i % count + 1, i) end
    return table.concat(list)
  end, "loads", {fits = function(m) return m.states ~= count and "states are missing" or nil end})
  for direction, step in pairs {["functions that call the next"] = 1, ["functions that call the one before"] = -1} do
    add(("%d %s"):format(count, direction), function()
      local list = {"x' = f1\nx(0) = 1\n"}
      for i = 1, count do
        local to = i + step
        list[#list + 1] = ("f%d = %s\n"):format(i, to >= 1 and to <= count and "f" .. to .. " + 1" or "x")
      end
      return table.concat(list)
    end, "loads")
  end
  add(("a circle of %d functions"):format(count), function()
    local list = {"x' = f1\nx(0) = 1\n"}
    for i = 1, count do list[#list + 1] = ("f%d = f%d + 1\n"):format(i, i % count + 1) end
    return table.concat(list)
  end, "refused", {lineless = true})
  add(("constants that double, %d"):format(count), function()
    local list = {"k0 := 1\nx' = k" .. count .. "\nx(0) = 1\n"}
    for i = 1, count do list[#list + 1] = ("k%d := k%d + k%d\n"):format(i, i - 1, i - 1) end
    return table.concat(list)
  end, "loads")
  add(("%d events"):format(count), function() return "x' = -x\nx(0) = 1\n" .. ("when x < 0.5: x = 1\n"):rep(count) end, "loads")
  add(("%d parameters"):format(count), function()
    local list = {"x' = -x\nx(0) = 1\n"}
    for i = 1, count do list[#list + 1] = ("p%d = %d\n"):format(i, i) end
    return table.concat(list)
  end, "loads")
  add(("%d delays"):format(count), function()
    local list = {"x' = -x\nx(0) = 1\n"}
    for i = 1, count do list[#list + 1] = ("d%d = delay(x, %d)\n"):format(i, i) end
    return table.concat(list)
  end, "loads")
  add(("%d first values that depend on one another"):format(count), function()
    local list = {}
    for i = 1, count do list[#list + 1] = ("x%d' = 1\nx%d(0) = %s\n"):format(i, i, i == 1 and "1" or "x" .. i - 1 .. " + 1") end
    return table.concat(list)
  end, "loads")
end
add("one state and itself", "x = x\n", "refused", {lineless = true})
add("a second derivative", "x'' = 1\n", "refused")
add("an event without assignments", "x' = 1\nx(0) = 1\nwhen x < 1:\n", "refused")
add("an event of itself", "x' = 1\nx(0) = 1\nn = 0\nwhen n >= 0: n = n + 1\n")
