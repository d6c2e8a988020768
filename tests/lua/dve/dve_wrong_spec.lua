-- Invalid models: each error message names the position, what was found and what was expected.

local good = "process P { state a, b; init a; trans a -> b {}; } system async;"
local function body(text) return "byte x, y[3]; const byte N = 2; channel c, d; channel {byte, int} buf[2]; process P { byte l; state a, b; init a; trans " .. text .. "; } " ..
  "process Q { byte own; state q, r; init q; trans q -> r { sync d?own; }; } system async;" end
local at = #"byte x, y[3]; const byte N = 2; channel c, d; channel {byte, int} buf[2]; process P { byte l; state a, b; init a; trans " + 1

-- text, place (column or {line, column}), message
local wrong = {
  -- characters and tokens
  {"byte x = $;", 10, "'$' is not a character of the language"},
  {"byte x;\n/* no end", {2, 1}, "this comment has no end: expected '*/'"},
  {"byte x = 3a;", 11, "'a' is not allowed directly after the number 3"},
  {"int x = 99999999999;", 9, "the number 99999999999 is larger than 2147483647"},
  {"#x", 1, "a name can't begin with '#'"},
  {"byte x\0;", 7, "a zero byte"},
  -- the file
  {" ", 2, "expected a variable, channel, process or system, found the end of the file"},
  {"proces P {}", 1, "expected a variable, channel, process or system, found the name 'proces' (did you mean process?)"},
  {good .. " byte x;", #good + 2, "expected the end of the file after the system, found 'byte'"},
  {"process P { state a; init a; } byte x; system async;", 32, "'byte' comes too late: variables and channels must come before the processes"},
  {"process P { state a; init a; } system asyn;", 39, "expected 'async' or 'sync' after 'system', found the name 'asyn' (did you mean async?)"},
  {"process P { state a; init a; } system async", 44, "expected ';' after the system, found the end of the file"},
  {"process P { state a; init a; } system async property R;", 54, "the process 'R' is not declared"},
  -- declarations
  {"byte guard;", 6, "expected the name of a variable, found 'guard', which is a keyword"},
  {"byte x = 256; " .. good, 10, "x has the initial value 256, but a byte is from 0 to 255"},
  {"int x = -32769; " .. good, 9, "x has the initial value -32769, but an int is from -32768 to 32767"},
  {"byte x[0]; " .. good, 8, "an array has at least 1 element, found 0"},
  {"const byte N = 3; byte x[N]; " .. good, 26, "expected a number, the size of the array, found the name 'N'"},
  {"byte x[2] = {1, 2, 3}; " .. good, 20, "too many values: the array x has 2 elements"},
  {"byte x[2] = 1; " .. good, 13, "expected '{' before the values of an array, found the number '1'"},
  {"byte x = y; byte y; " .. good, 10, "the variable 'y' is not declared"},
  {"byte x = 1 / 0; " .. good, 12, "a division by zero"},
  {"byte x; int x; " .. good, 13, "the name 'x' is taken: it is the variable of line 1, column 6"},
  {"channel P; " .. good, 20, "the name 'P' is taken: it is the channel of line 1, column 9"},
  {"byte big[100000]; " .. good, nil, "a state of this model has more than 32768 bits"},
  {"channel c[3]; " .. good, 10, "the channel c has a buffer but no types: expected channel {byte} c[...]"},
  {"channel {byte} c; " .. good, 17, "expected '[' and the size of the buffer after a typed channel, found ';'"},
  {"channel {bit} c[0]; " .. good, 10, "expected 'byte' or 'int', found the name 'bit'"},
  {"integer x; " .. good, 1, "found the name 'integer' (types are byte and int)"},
  {"process P { bool x; state a; init a; } system async;", 13, "found the name 'bool' (types are byte and int)"},
  {"channel {byte} c; " .. good, 17, "([0] for a rendezvous)"},
  -- processes
  {"process P { byte x; } system async;", 21, "expected 'state' and the names of the states, found '}'"},
  {"process P { stat a; init a; } system async;", 13, "expected 'state' and the names of the states, found the name 'stat' (did you mean state?)"},
  {"process P { state a, a; init a; } system async;", 22, "the name 'a' is taken: it is the state of line 1, column 19"},
  {"process P { state a; } system async;", 9, "the process P has no initial state"},
  {"process P { state a; init b; } system async;", 27, "the state 'b' is not declared"},
  {"process P { state wait; init wiat; } system async;", 30, "the state 'wiat' is not declared (did you mean wait?)"},
  {"process P { state a; init a; init a; } system async;", 30, "a second init in one process"},
  {"process P { state a; init a; commit c; } system async;", 37, "the state 'c' is not declared"},
  {"process P { state a; init a; accept rabin (a); } system async;", 37, "acceptance is by accepting states (buchi); 'rabin' is not supported"},
  {"process P { state a; init a; trans a -> a {}; byte x; } system async;", 47, "'byte' comes too late"},
  {"process P { state a; init a; channel c; } system async;", 30, "expected init, commit, accept, assert, trans or '}', found 'channel'"},
  {"process P { channel c; state a; init a; } system async;", 13, "a channel can't be declared in a process"},
  {"process P { state a; init a; assert a x; } system async;", 39, "expected ':' after the state, found the name 'x'"},
  -- transitions
  {body "-> b {}", at, "the first transition has no source"},
  {body "a -> z {}", at + 5, "the state 'z' is not declared"},
  {body "x -> a {}", at, "'x' is not declared"},
  {body "l -> a {}", at, "'l' is a variable, expected a state"},
  {body "a -> b {} b -> a {}", at + 10, "expected ',' between two transitions, found the name 'b'"},
  {body "a -> b { guard x == 1 }", at + 22, "expected ';' after the guard, found '}'"},
  {body "a -> b { guard x = 1; }", at + 17, "expected ';' after the guard, found '=' (equality is ==)"},
  {body "a -> b { guard (x = 1); }", at + 18, "expected ')' after the expression, found '=' (equality is ==)"},
  {body "a -> b { cost 4.5; }", at + 15, "expected ';' after the cost, found '.' (all numbers are whole, costs and times too)"},
  {body "a -> b { gaurd x == 1; }", at + 9, "expected guard, sync, effect, cost, time or '}', found the name 'gaurd' (did you mean guard?)"},
  {body "a -> b { effect x = 1; guard x == 1; }", at + 23, "guard must come before effect"},
  {body "a -> b { guard 1; guard 1; }", at + 18, "a second guard in one transition"},
  {body "a -> b { effect x == 1; }", at + 18, "expected '=', which assigns, found '=='"},
  {body "a -> b { effect N = 1; }", at + 16, "'N' is a constant and can't be assigned to"},
  {body "a -> b { effect x[0] = 1; }", at + 16, "'x' is not an array"},
  {body "a -> b { effect y = 1; }", at + 16, "'y' is an array: expected y[index]"},
  {body "a -> b { guard yy[0] == 1; }", at + 15, "the variable 'yy' is not declared"},
  {body "a -> b { guard Q == 1; }", at + 15, "'Q' is a process, expected a variable"},
  {body "a -> b { guard a == 1; }", at + 15, "'a' is a state, expected a variable"},
  {body "a -> b { guard own == 1; }", at + 15, "the variable 'own' is not declared"},
  {body "a -> b { guard Q.s; }", at + 17, "the state 's' is not declared"},
  {body "a -> b { guard R.s; }", at + 15, "the process 'R' is not declared"},
  {body "a -> b { guard Q->own == 0; }", at + 15, "only a property process may use '->', which reads a variable of another process"},
  {body "a -> b { guard x ==; }", at + 19, "expected an expression, found ';'"},
  {body "a -> b { guard !x; }", at + 15, "'!' is not an operator: expected an expression (\"not\" negates)"},
  {body "a -> b { guard (x == 1; }", at + 22, "expected ')' after the expression, found ';'"},
  {body "a -> b { guard y[1; }", at + 18, "expected ']' after the index, found ';'"},
  {body "a -> b { sync buff!; }", at + 14, "the channel 'buff' is not declared (did you mean buf?)"},
  {body "a -> b { sync x!; }", at + 14, "'x' is not a channel"},
  {body "a -> b { sync c; }", at + 15, "expected '!' or '?' after the channel, found ';'"},
  {body "a -> b { sync c?1; }", at + 16, "expected a variable to receive into, found '1'"},
  {body "a -> b { sync c?N; }", at + 16, "'N' is a constant and can't be assigned to"},
  {body "a -> b { sync buf!1; }", at + 14, "the channel buf carries 2 values at a time, found 1"},
  {body "a -> b { sync c!1; }, -> b { sync c?; }", at + 34, "the channel c carries 1 values in line 1, but 0 here"},
  {body "a -> b { sync c!{1, 2; }", at + 21, "expected '}' after the values, found ';'"},
  {"channel {byte} c[0]; process P { state a; init a; trans a -> a { sync c!; }; } process Q { byte x; state a; init a; trans a -> a { sync c?x; }; } system async;", 71,
    "the channel c carries 1 value (byte), but c! has none here"},
  {"channel {int, byte} c[0]; process P { state a; init a; trans a -> a { sync c!{1, 2}; }; } process Q { byte x; state a; init a; trans a -> a { sync c?; }; } system async;", 148,
    "the channel c carries 2 values (int, ...), but c? has none here"},
  {body "a -> b { time 1 - 2; }", at + 14, "a time of -1 is less than 0"},
  -- properties
  {"byte x; process P { state a; init a; trans a -> a { effect x = 1; }; } system async property P;", 60, "the property process may not assign to the global variable 'x'"},
  {"channel c; process P { state a; init a; trans a -> a { sync c?; }; } system async property P;", 61, "the property process moves with every step: it can't synchronise"},
}

describe("a wrong model", function()
  for _, case in ipairs(wrong) do
    local text, place, message = table.unpack(case, 1, 3)
    it(message, function()
      with_file(".dve", text, function(path)
        local line, column = 1, place
        if type(place) == "table" then line, column = table.unpack(place) end
        raises(place and ("%s:%d:%d: "):format(path, line, column) or path .. ": ", model.load, path)
        raises(message, model.load, path)
      end)
    end)
  end
  it("is nested too deeply", function()
    for _, expr in ipairs {("("):rep(5000) .. "1" .. (")"):rep(5000), ("not "):rep(5000) .. "1", "1" .. (" + 1"):rep(5000), ("y["):rep(3000) .. "1" .. ("]"):rep(3000)} do
      with_file(".dve", body("a -> b { guard " .. expr .. "; }"), function(path)
        raises("more than 1000 nested operations", model.load, path)
      end)
    end
  end)
  it("needs too many values at once", function()
    with_file(".dve", body("a -> b { guard " .. ("x * (x + "):rep(70) .. "x / x" .. (")"):rep(70) .. "; }"), function(path)
      raises("needs more than 64 values on the stack", model.load, path)
    end)
  end)
  it("is no file, or of an unknown kind", function()
    raises("no-such.dve: ", model.load, "no-such.dve")
    raises("no-such.mdve: ", model.load, "no-such.mdve")
    raises("model.txt: ", model.load, "model.txt")
  end)
  it("leaves what was loaded before as it is", function()
    with_file(".dve", good, function(path)
      local m = model.load(path)
      for _, case in ipairs(wrong) do
        with_file(".dve", case[1], function(bad) equal(pcall(model.load, bad), false) end)
      end
      equal(explore(m).states, 2)
    end)
  end)
end)

describe("a step to the error state", function()
  -- The last step of a trace to the error state, with its reason; FILE stands for the name of the model's file.
  local function last(text)
    local out
    with_file(".dve", text, function(path)
      local steps = explore(model.load(path)):trace("error")
      out = steps[#steps].change:gsub((path:match("[^/]+$"):gsub("%p", "%%%0")), "FILE")
    end)
    return out
  end
  local function one(variables, clauses)
    return last(("%s\nprocess P { byte own[2]; state a, b; init a; trans\n a -> b {\n %s }; } system async;"):format(variables, clauses))
  end
  it("is told with its line, and why", function()
    equal(one("byte x = 255;", "effect x = x + 1;"), "error: FILE:4: x = 256 is beyond byte (0 ... 255)")
    equal(one("int x;", "effect x = -40000;"), "error: FILE:4: x = -40000 is beyond int (-32768 ... 32767)")
    equal(one("byte i = 1;", "effect i = 2, own[i] = 1;"), "error: FILE:4: own[2]: the array has the elements 0 ... 1")
    equal(one("byte i;", "guard false or 1 / i == 1;"), "error: FILE:4: 1 / i: a division by zero")
    equal(one("byte i;", "cost 3 % i;"), "error: FILE:4: 3 % i: a division by zero")
    equal(one("byte i = 1; const byte t[2] = {3, 4};", "time t[i + 1];"), "error: FILE:4: t[2]: the array has the elements 0 ... 1")
    equal(last [[channel c; byte x; process P { state a; init a; trans a -> a { sync c!; effect x = 1; }; }
      process Q { state a; init a; trans a -> a { sync c?; effect x = 2; }; } system async;]],
      "error: FILE:1: P and Q (line 2) both assign to x in one step")
    equal(last [[channel {int} c[1]; process P { state a, b; init a; trans a -> b { sync c!-1; }; }
      process Q { byte y; state a; init a; trans a -> a { sync c?y; }; } system async;]], "error: FILE:2: y = -1 is beyond byte (0 ... 255)")
    equal(last [[byte x; process P { state a; init a; trans a -> a { effect x = 1; }; }
      process Q { state a; init a; trans a -> a { effect x = 1; }; } system sync;]], "error: FILE:1: P and Q (line 2) both assign to x in one step")
    equal(last [[byte x; process P { state a; init a; trans a -> a {}; }
      process N { byte k; state a; init a; trans a -> a { effect k = 1 / x; }; } system async property N;]], "error: FILE:2: 1 / x: a division by zero")
    equal(last [[byte x = 1; process P { state a; init a; trans a -> a { effect x = 0; }; }
      process N { byte k; state a; init a; trans a -> a { effect k = 1 / x; }; } system sync property N;]], "error: FILE:2: 1 / x: a division by zero")
  end)
  it("is told to who walks by hand", function()
    with_file(".dve", "process P { byte x; state a; init a; trans a -> a { effect x = 300; }, a -> a {}, a -> a { effect x = -1; }; } system async;", function(path)
      local steps = model.load(path):simulate():enabled()
      equal({steps[1].change:match("x = .*"), steps[2].change, steps[3].change:match("x = .*")},
        {"x = 300 is beyond byte (0 ... 255)", "nothing", "x = -1 is beyond byte (0 ... 255)"})
    end)
  end)
end)

describe("an expression about states", function()
  it("names what a process has as that process's", function()
    with_file(".dve", "process P { byte n; state a, b; init a; trans a -> b { effect n = 3; }; } system async;", function(path)
      local r = explore(model.load(path))
      raises("the variable 'n' is not declared (did you mean P->n?)", r.trace, r, "n == 3")
      raises("the variable 'b' is not declared (did you mean P.b?)", r.trace, r, "b")
      raises("(equality is ==)", r.trace, r, "P->n = 3")
      equal(r:trace("P->n == 3").vertex, 1)
    end)
  end)
end)

describe("a check", function()
  it("of a property needs a property process", function()
    with_file(".dve", good, function(path)
      local r = explore(model.load(path))
      raises("check: the model has no property process", r.check, r, "property")
      equal(r:check("assert"), true) -- prints a note, which tests/tui/test_messages.sh checks
    end)
  end)
end)
