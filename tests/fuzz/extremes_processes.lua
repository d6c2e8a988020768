-- Cases of extremes.lua: models of processes with extreme sizes or contents.
local E = ...

local MEGA = 1000000
local TEXT = "// a comment\nbyte x = 1, a[3] = {1, 2}; int y = -1; const byte N = 2;\nchannel c; channel {byte, int} e[2];\n" ..
  "process P { byte v; state p, q; init p; commit q; trans p -> q { guard x < N; sync c!v + 1; effect x = x + 1; cost 1; time 2; }, q -> p {}; }\n" ..
  "process Q { byte w; state r; init r; trans r -> r { sync c?w; }; }\nsystem async;\n"
local plain = {name = "dve: plain", file = "x.dve", text = TEXT, kind = E.model, want = "loads"}
E.case(plain)

local function add(name, text, want, more)
  local c = {name = "dve: " .. name, file = "x.dve", text = text, want = want, kind = E.model, plain = plain}
  for k, v in pairs(more or {}) do c[k] = v end
  E.case(c)
end

-- A model of one process: `before` are declarations before it, `within` its own declarations.
local function model(before, transition, within)
  return ("%s\nprocess P { %s state p, q; init p; trans p -> q { %s }; }\nsystem async;\n"):format(before, within or "", transition or "")
end

-- --- the file as a whole ---------------------------------------------------------------------------------------

add("empty", "", "refused", {lineless = true})
add("a newline", "\n", "refused")
add("only comments", "// nothing\n", "refused")
add("a comment without an end", "/* nothing", "refused")
add("a comment without an end at the end", TEXT .. "/*", "refused")
add("half a comment", TEXT .. "/", "refused")
add("no newline at the end", (TEXT:gsub("\n$", "")), "same")
add("all on one line", (TEXT:gsub("//[^\n]*", ""):gsub("\n", " ")), "same")
add("CRLF", (TEXT:gsub("\n", "\r\n")), "same")
add("byte order mark", "\xef\xbb\xbf" .. TEXT)
add("UTF-16", "\xff\xfe" .. TEXT:gsub(".", "%0\0"), "refused")
add("a comment of 1 MB", function() return "/*" .. ("x"):rep(MEGA) .. "*/" .. TEXT end, "same")
add("a comment of stars", function() return "/*" .. ("*"):rep(MEGA) .. "*/" .. TEXT end, "same")
add("100000 comments", function() return ("// x\n"):rep(100000) .. TEXT end, "same")
add("1 MB of blanks", function() return (" "):rep(MEGA) .. TEXT end, "same")
add("65 MB", function() return (" "):rep(65 << 20) .. TEXT end, "refused", {lineless = true})
add("the file twice", TEXT .. TEXT, "refused")
add("100000 marks of lines", function() return ("# 7 \"other.dve\"\n"):rep(100000) .. TEXT end)
add("a mark of line 2^64", "#line 18446744073709551616 \"x.dve\"\n" .. TEXT)
add("a mark of a name of 1 MB", function() return "#line 5 \"" .. ("x"):rep(MEGA) .. "\"\nprocess\n" end, "refused", {renamed = true})
for i = 0, 15 do
  local at = #TEXT * i // 16 + E.drawn("dve cut" .. i, 0, #TEXT // 16 - 1)
  add(("cut off, %d of 16"):format(i + 1), TEXT:sub(1, at), "refused", {lineless = at == 0})
  add(("a zero byte, %d of 16"):format(i + 1), TEXT:sub(1, at) .. "\0" .. TEXT:sub(at + 1), at > 11 and "refused" or nil)
  add(("byte 255, %d of 16"):format(i + 1), TEXT:sub(1, at) .. "\xff" .. TEXT:sub(at + 1), at > 11 and "refused" or nil)
  add(("compressed, cut off, %d of 16"):format(i + 1), function(folder)
    E.write(folder .. "/plain", TEXT)
    local z = E.said(("gzip -nc <%s"):format(E.quoted(folder .. "/plain")))
    return z:sub(1, #z * i // 16)
  end, "refused", {file = "x.dve.gz", lineless = true})
end
add("compressed", function(folder)
  E.write(folder .. "/plain", TEXT)
  return E.said(("gzip -nc <%s"):format(E.quoted(folder .. "/plain")))
end, "same", {file = "x.dve.gz"})

-- --- numbers ---------------------------------------------------------------------------------------------------

local NUMBERS = {"0", "1", "-1", "255", "256", "-32768", "-32769", "32767", "32768", "65535", "65536", "1048576", "1048577", "2147483647", "2147483648", "-2147483648",
  "4294967295", "4294967296", "9223372036854775808", "18446744073709551616", ("9"):rep(MEGA), ("0"):rep(MEGA) .. "1", "1.5", "0x10", "1e9", "x", "", "--1", "1/0", "1 % 0", "1 << 40",
  "-2147483647 - 2", "2147483647 + 1", "65536*65536"}
local PLACES = {
  ["a byte begins with"] = function(x) return model("byte x = " .. x .. ";") end,
  ["an int begins with"] = function(x) return model("int x = " .. x .. ";") end,
  ["an array of"] = function(x) return model("byte a[" .. x .. "];", "guard a[0] == 0;") end,
  ["an array of ints of"] = function(x) return model("int a[" .. x .. "];", "guard a[0] == 0;") end,
  ["an array at"] = function(x) return model("byte a[3];", "guard a[" .. x .. "] == 0;") end,
  ["an array set at"] = function(x) return model("byte a[3];", "effect a[" .. x .. "] = 1;") end,
  ["a buffer of"] = function(x) return model("channel {byte} c[" .. x .. "];", "sync c!1;") end,
  ["a message"] = function(x) return model("channel {byte} c[2];", "sync c!{" .. x .. "};") end,
  ["a byte becomes"] = function(x) return model("byte x;", "effect x = " .. x .. ";") end,
  ["an int becomes"] = function(x) return model("int x;", "effect x = " .. x .. ";") end,
  ["a cost of"] = function(x) return model("", "cost " .. x .. ";") end,
  ["a time of"] = function(x) return model("", "time " .. x .. ";") end,
  ["a guard"] = function(x) return model("byte x;", "guard " .. x .. ";") end,
  ["shifted by"] = function(x) return model("int x = 1;", "guard (x << (" .. x .. ")) == (x >> (" .. x .. "));") end,
}
local places = {}
for place in pairs(PLACES) do places[#places + 1] = place end
table.sort(places)
for _, place in ipairs(places) do
  for _, number in ipairs(NUMBERS) do
    local shown = #number > 30 and ("%s... (%d bytes)"):format(number:sub(1, 10), #number) or number
    add(("%s %s"):format(place, shown), function() return PLACES[place](number) end, number == "1" and "loads" or number:find "^%d%d%d%d%d%d%d%d%d%d+$" and #number < 30 and
      number ~= "2147483647" and "refused" or nil, {lineless = place:find "^an? %a* ?of" or place:find "ints of"}) -- the error about too large a state names no line
  end
end

-- --- depth -----------------------------------------------------------------------------------------------------

local NESTS = {{"parentheses", "(", "x", ")"}, {"not", "not ", "x", ""}, {"minus signs", "-", "x", ""}, {"tildes", "~", "x", ""}, {"elements", "a[", "0", "]"},
  {"sums in parentheses", "(x + ", "x", ")"}, {"implications", "x imply (", "x", ")"}, {"left parentheses", "(", "", ""}}
for _, n in ipairs(NESTS) do
  for _, depth in ipairs {10, 100, 999, 1001, 10000, 100000, MEGA} do
    add(("%d %s"):format(depth, n[1]), function() return model("byte x, a[2];", ("guard %s%s%s;"):format(n[2]:rep(depth), n[3], n[4]:rep(depth))) end,
      (n[3] == "" or depth > 1001) and "refused" or depth <= 10 and "loads" or nil)
  end
end
for _, operator in ipairs {"+", "-", "*", "/", "%", "and", "or", "imply", "==", "<<", "&", "^", "|"} do
  for _, count in ipairs {10, 900, 1100, 100000} do
    add(("%d operands of %s"):format(count, operator), function() return model("byte x;", "guard x" .. (" " .. operator .. " x"):rep(count) .. ";") end)
  end
end

-- --- many ------------------------------------------------------------------------------------------------------

local function listed(count, what, between)
  local list = {}
  for i = 1, count do list[i] = what:gsub("%$", tostring(i)) end
  return table.concat(list, between or "")
end

for _, count in ipairs {1, 100, 10000} do
  add(("%d processes"):format(count), function() return listed(count, "process P$ { state p; init p; trans p -> p {}; }\n") .. "system async;\n" end, "loads")
  add(("%d processes together"):format(count), function() return listed(count, "process P$ { state p; init p; trans p -> p {}; }\n") .. "system sync;\n" end, "loads")
  add(("%d states"):format(count), function() return "process P { state " .. listed(count, "s$", ", ") .. "; init s1; trans s1 -> s" .. count .. " {}; }\nsystem async;\n" end, "loads")
  add(("%d transitions"):format(count), function() return "process P { state p; init p; trans " .. ("p -> p {}, "):rep(count - 1) .. "p -> p {}; }\nsystem async;\n" end, "loads")
  add(("%d variables"):format(count), function() return model("byte " .. listed(count, "v$", ", ") .. ";") end, "loads")
  add(("%d channels"):format(count), function() return model("channel " .. listed(count, "c$", ", ") .. ";") end, "loads")
  add(("%d effects"):format(count), function() return model("byte x;", "effect " .. ("x = x + 1, "):rep(count - 1) .. "x = 0;") end, "loads")
  add(("%d assertions"):format(count), function() return "process P { state p; init p; assert " .. ("p: 1 == 1, "):rep(count - 1) .. "p: 1 == 1; trans p -> p {}; }\nsystem async;\n" end, "loads")
  add(("%d values to an array of 3"):format(count), function() return model("byte a[3] = {" .. ("0, "):rep(count - 1) .. "0};") end)
  add(("%d readers and writers of a channel"):format(count), function()
    return "channel c;\n" .. listed(count, "process P$ { state p, q; init p; trans p -> q { sync c!; }, q -> p { sync c?; }; }\n") .. "system async;\n"
  end, "loads")
end
for _, count in ipairs {1, 16, 17, 1000, 100000} do
  add(("a message of %d values"):format(count), function()
    return model("channel {" .. ("byte, "):rep(count - 1) .. "byte} c[1];", "sync c!{" .. ("1, "):rep(count - 1) .. "1};")
  end, count == 1 and "loads" or nil)
end
for _, bytes in ipairs {100, 10000, MEGA} do
  local name = ("n"):rep(bytes)
  add(("a variable with a name of %d characters"):format(bytes), function() return model("byte " .. name .. ";", "effect " .. name .. " = 1;") end)
  add(("a state with a name of %d characters"):format(bytes), function() return "process P { state " .. name .. "; init " .. name .. "; trans " .. name .. " -> " .. name .. " {}; }\nsystem async;\n" end)
  add(("an unknown name of %d characters"):format(bytes), function() return model("", "guard " .. name .. " == 1;") end, "refused")
  add(("a process with a name of %d characters"):format(bytes), function() return "process " .. name .. " { state p; init p; trans p -> p {}; }\nsystem async;\n" end)
end

-- --- what does not fit ------------------------------------------------------------------------------------------

add("a channel with itself", model("channel c;", "sync c!1, sync c?1;"), "refused")
add("a process sends to itself", "channel c; process P { byte v; state p; init p; trans p -> p { sync c!1; }, p -> p { sync c?v; }; }\nsystem async;\n")
add("a channel of a channel", model("channel c; channel d;", "sync c!d;"), "refused")
add("a name twice", model("byte x; byte x;"), "refused")
add("a state twice", "process P { state p, p; init p; trans p -> p {}; }\nsystem async;\n", "refused")
add("a process twice", ("process P { state p; init p; trans p -> p {}; }\n"):rep(2) .. "system async;\n", "refused")
add("no processes", "system async;\n")
add("an initial state that is not", "process P { state p; init q; trans p -> p {}; }\nsystem async;\n", "refused")
add("a transition to a state that is not", "process P { state p; init p; trans p -> q {}; }\nsystem async;\n", "refused")
add("a property that is not", model(""):gsub("system async", "system async property N"), "refused")
add("a property that is the only process", model(""):gsub("system async", "system async property P"))
add("a constant that depends on itself", model("const byte N = N;"), "refused")
add("a constant that is set", model("const byte N = 1;", "effect N = 2;"), "refused")
add("an array without an index", model("byte a[3];", "effect a = 1;"), "refused")
add("a negative index", model("byte a[3]; int i = -1;", "effect a[i] = 1;"), "loads")
add("a division by a variable of zero", model("byte x;", "guard 1 / x == 0;"), "loads")
add("the least number by minus one", model("int x = -32768;", "guard (x * 65536) / (0 - 1) == (x * 65536) % (0 - 1);"))
add("a buffer that is never read", "channel {byte} c[32767]; process P { state p; init p; trans p -> p { sync c!1; }; }\nsystem async;\n", nil, {lineless = true})

-- --- macros ----------------------------------------------------------------------------------------------------

local function macros(name, text, want, more)
  local c = {name = "mdve: " .. name, file = "x.mdve", text = text, want = want, kind = E.model, plain = plain, lineless = true}
  for k, v in pairs(more or {}) do c[k] = v end
  E.case(c)
end

macros("plain", TEXT, "same")
macros("empty", "", "refused")
macros("a macro that is itself twice", "define(`x', `x x')x\n" .. TEXT, "refused")
macros("a macro that doubles 40 times", "define(`d', `ifelse($1, 0, x, `d(decr($1))d(decr($1))')')d(40)\n" .. TEXT, "refused")
macros("a macro of 1000000 arguments", function() return "define(`d', `')d(" .. ("x, "):rep(MEGA) .. ")\n" .. TEXT end)
macros("nested 100000 deep", function() return "define(`d', `$1')" .. ("d("):rep(100000) .. "x" .. (")"):rep(100000) .. "\n" .. TEXT end)
macros("a quote without an end", "`" .. TEXT, "refused")
macros("an argument without an end", "define(x" .. TEXT, "refused")
macros("a file that is not there", "include(`no such file')\n" .. TEXT, "refused")
macros("a file that includes itself", "include(`x.mdve')\n" .. TEXT, "refused")
macros("a command of the shell", "syscmd(`touch made')\n" .. TEXT)
macros("100 MB", "define(`d', `ifelse($1, 0, `" .. ("x"):rep(1000) .. "', `d(decr($1))d(decr($1))')')d(17)\n" .. TEXT, "refused")
macros("a zero byte", TEXT:sub(1, 60) .. "\0" .. TEXT:sub(61))
macros("format with a width of 2^31", "format(`%2147483647d', 1)\n" .. TEXT, "refused")
