-- Symbolic expressions: the equations of a model as trees, their derivatives, and their text in C. Trees are read from bytecode. All
-- kernels that are generated from equations are written from them: those of b:translate and of ensembles. A tree is a number; {"VARIABLE", place}; {"IF", condition, x, y}; or an instruction's name and its operands,
-- {"TIMES_NARY", x, y}.

local symbolic = {}

local CALLS = {MAX_NARY = "fmax", MIN_NARY = "fmin", POWER = "pow", REM = "fmod", SQRT = "sqrt", EXP = "exp", LN = "log",
  LOG10 = "log10", ABS = "fabs", FLOOR = "floor", CEILING = "ceil", QUOTIENT = "trunc", SIN = "sin", COS = "cos", TAN = "tan",
  SINH = "sinh", COSH = "cosh", TANH = "tanh", ARCSIN = "asin", ARCCOS = "acos", ARCTAN = "atan", ARCSINH = "asinh",
  ARCCOSH = "acosh", ARCTANH = "atanh"}
local EXACT = setmetatable({EXP = "ls_exp", LN = "ls_log"}, {__index = CALLS})
local SIGNS = {PLUS_NARY = "+", TIMES_NARY = "*", MINUS = "-", DIVIDE = "/"}
local RELATIONS = {EQ = "==", NEQ = "!=", LT = "<", GT = ">", LEQ = "<=", GEQ = ">="}
local TRUTHS = {AND_NARY = " && ", OR_NARY = " || ", XOR_NARY = " != "}
local LANES = {AND_NARY = " & ", OR_NARY = " | ", XOR_NARY = " ^ "}

local LEAVES = {CONSTANT = true, VARIABLE = true, CONSTANT_IND = true, VARIABLE_IND = true}
-- The number of operands of delays and random numbers (kernels/ode/ode_timed.h).
local TIMED = {DELAY = 3, WIENER = 1, UNIFORM = 3, GAUSS = 3, EXPONENTIAL = 2, POISSON = 2, GAMMA = 3, LOGNORMAL = 3, WEIBULL = 3}

local number = {} -- name of an instruction -> its number
for i = 0, #model.instructions do number[model.instructions[i]] = i end

-- --- reading ---

-- symbolic.instructions(b, pc, last, leaf, assign): reads the instructions pc .. last - 1 of bytecode, and returns their tree. leaf(op, x)
-- returns the tree of an operand: CONSTANT, VARIABLE, or one of these with _IND. assign(op, x, tree) is called for each ASSIGN and
-- ASSIGN_IND.
function symbolic.instructions(b, pc, last, leaf, assign)
  local stack = {}
  while pc < last do
    local word = b.codes[pc]
    local op, x = model.instructions[word & 0xff], word >> 32
    pc = pc + 1
    if op == "END" then return end
    if LEAVES[op] then stack[#stack + 1] = leaf(op, x)
    elseif op == "ASSIGN" or op == "ASSIGN_IND" then assign(op, x, table.remove(stack))
    elseif op == "JUMP_IF_NOT" then -- the first branch ends with a JUMP over the second
      local leave = pc + x - 1
      local behind = leave + 1 + (b.codes[leave] >> 32)
      local condition = table.remove(stack)
      stack[#stack + 1] = {"IF", condition, symbolic.instructions(b, pc, leave, leaf, assign),
        symbolic.instructions(b, leave + 1, behind, leaf, assign)}
      pc = behind
    else
      local count = op:find "_NARY$" and x or TIMED[op] or number[op] >= number.NEGATE and 1 or 2
      if count > #stack then error(("%s takes %s operands, and the stack has %d"):format(op, count, #stack), 0) end
      stack[#stack + 1] = table.move(stack, #stack - count + 1, #stack, 2, {op})
      for _ = 1, count do table.remove(stack, #stack - 1) end
    end
  end
  return stack[1]
end

-- The list of the assignments {place, tree} of the instructions from pc on.
local function assignments(b, pc, list)
  symbolic.instructions(b, pc, b.words, function(op, x) return op == "CONSTANT" and b.numbers[x] or {op, x} end,
    function(_, x, tree) list[#list + 1] = {x, tree} end)
  return list
end

-- Raises an error if the tree has an operation that is possible only in bytecode.
local function check_timed(t)
  if type(t) ~= "table" then return end
  if TIMED[t[1]] then error(("%s is not supported in kernels that are generated from expressions"):format(t[1]:lower()), 0) end
  for i = 2, #t do check_timed(t[i]) end
end

-- symbolic.read(b): the equations of b, bytecode without any optimisation (m:bytecode{base = true}). Returns `functions`, a list
-- of {place, tree} in an order in which they can be computed, and `rates`: rates[place] is the tree of the rate of the state there.
function symbolic.read(b)
  local functions, rates = {}, {}
  for p = 0, b.phases do
    local list = {}
    for t = b.first[p], b.first[p + 1] - 1 do assignments(b, b.index[t], list) end
    for _, pair in ipairs(list) do
      check_timed(pair[2])
      if p < b.phases then functions[#functions + 1] = pair else rates[pair[1]] = pair[2] end
    end
  end
  return functions, rates
end

-- symbolic.value(b, at): the tree of the value that the bytecode at `at` assigns.
function symbolic.value(b, at)
  local tree = assignments(b, at, {})[1][2]
  check_timed(tree)
  return tree
end

-- --- trees ---

local function sum(x, y)
  if x == 0 then return y end
  if y == 0 then return x end
  return {"PLUS_NARY", x, y}
end
local function negative(x)
  if type(x) == "number" then return -x end
  return x[1] == "NEGATE" and x[2] or {"NEGATE", x}
end
local function product(x, y)
  if x == 0 or y == 0 then return 0 end
  if x == 1 then return y end
  if y == 1 then return x end
  if x == -1 then return negative(y) end
  if y == -1 then return negative(x) end
  return {"TIMES_NARY", x, y}
end
local function quotient(x, y)
  if x == 0 then return 0 end
  return y == 1 and x or {"DIVIDE", x, y}
end
local function difference(x, y)
  if y == 0 then return x end
  return x == 0 and negative(y) or {"MINUS", x, y}
end
local function choice(condition, x, y)
  if x == y then return x end
  return {"IF", condition, x, y}
end
local function square(x) return product(x, x) end

-- Name of a function f -> function that returns the tree of f'(x); it is called with the trees of x and f(x).
local SLOPES = {
  NEGATE = function() return -1 end,
  SQRT = function(_, f) return quotient(0.5, f) end,
  EXP = function(_, f) return f end,
  LN = function(x) return quotient(1, x) end,
  LOG10 = function(x) return quotient(1 / math.log(10), x) end,
  ABS = function(x) return choice({"LT", x, 0}, -1, 1) end,
  SIN = function(x) return {"COS", x} end,
  COS = function(x) return negative {"SIN", x} end,
  TAN = function(_, f) return sum(1, square(f)) end,
  SEC = function(x, f) return product(f, {"TAN", x}) end,
  CSC = function(x, f) return negative(product(f, {"COT", x})) end,
  COT = function(_, f) return negative(sum(1, square(f))) end,
  SINH = function(x) return {"COSH", x} end,
  COSH = function(x) return {"SINH", x} end,
  TANH = function(_, f) return difference(1, square(f)) end,
  SECH = function(x, f) return negative(product(f, {"TANH", x})) end,
  CSCH = function(x, f) return negative(product(f, {"COTH", x})) end,
  COTH = function(_, f) return difference(1, square(f)) end,
  ARCSIN = function(x) return quotient(1, {"SQRT", difference(1, square(x))}) end,
  ARCCOS = function(x) return quotient(-1, {"SQRT", difference(1, square(x))}) end,
  ARCTAN = function(x) return quotient(1, sum(1, square(x))) end,
  ARCCOT = function(x) return quotient(-1, sum(1, square(x))) end,
  ARCSEC = function(x) return quotient(1, product({"ABS", x}, {"SQRT", difference(square(x), 1)})) end,
  ARCCSC = function(x) return quotient(-1, product({"ABS", x}, {"SQRT", difference(square(x), 1)})) end,
  ARCSINH = function(x) return quotient(1, {"SQRT", sum(square(x), 1)}) end,
  ARCCOSH = function(x) return quotient(1, {"SQRT", difference(square(x), 1)}) end,
  ARCTANH = function(x) return quotient(1, difference(1, square(x))) end,
  ARCSECH = function(x) return quotient(-1, product(x, {"SQRT", difference(1, square(x))})) end,
  ARCCSCH = function(x) return quotient(-1, product({"ABS", x}, {"SQRT", sum(1, square(x))})) end,
  ARCCOTH = function(x) return quotient(1, difference(1, square(x))) end,
}
local STEPS = {FLOOR = true, CEILING = true, QUOTIENT = true, NOT = true, NEAR = true, IMPLIES = true}

-- The derivative of t = x^y; the partial derivative with respect to y is taken as 0 if x is not positive.
local function of_power(t, dx, dy)
  local x, y = t[2], t[3]
  local by_x, by_y = 0, 0
  if dx ~= 0 then by_x = product(product(y, {"POWER", x, type(y) == "number" and y - 1 or difference(y, 1)}), dx) end
  if dy ~= 0 then by_y = choice({"GT", x, 0}, product(product(t, {"LN", x}), dy), 0) end
  return sum(by_x, by_y)
end

-- The derivative of a product, by the product rule.
local function of_product(t, of)
  local all = 0
  for i = 2, #t do
    local d = symbolic.derivative(t[i], of)
    for k = 2, #t do if k ~= i then d = product(d, t[k]) end end
    all = sum(all, d)
  end
  return all
end

-- symbolic.derivative(t, of): the derivative of a tree; of(place) returns the derivative of a variable as a tree. At a corner (of
-- abs, max, min, a condition) it is the derivative of one side. A function without a known derivative is an error.
function symbolic.derivative(t, of)
  if type(t) == "number" then return 0 end
  local op = t[1]
  if op == "VARIABLE" then return of(t[2]) end
  if RELATIONS[op] or TRUTHS[op] or STEPS[op] then return 0 end
  if op == "IF" then return choice(t[2], symbolic.derivative(t[3], of), symbolic.derivative(t[4], of)) end
  if op == "TIMES_NARY" then return of_product(t, of) end
  local d, still = {}, true
  for i = 2, #t do
    d[i] = symbolic.derivative(t[i], of)
    still = still and d[i] == 0
  end
  if still then return 0 end
  if SLOPES[op] then return product(SLOPES[op](t[2], t), d[2]) end
  if op == "PLUS_NARY" then
    local all = 0
    for i = 2, #t do all = sum(all, d[i]) end
    return all
  end
  if op == "MINUS" then return difference(d[2], d[3]) end
  if op == "DIVIDE" then return quotient(difference(d[2], product(t, d[3])), t[3]) end
  if op == "POWER" then return of_power(t, d[2], d[3]) end
  if op == "ROOT" then -- the root of t[3] of degree t[2]
    return symbolic.derivative({"POWER", t[3], quotient(1, t[2])}, of)
  end
  if op == "LOG" then return symbolic.derivative({"DIVIDE", {"LN", t[3]}, {"LN", t[2]}}, of) end
  if op == "REM" then return difference(d[2], product({"QUOTIENT", t[2], t[3]}, d[3])) end
  if op == "MODULO" then return difference(d[2], product({"FLOOR", quotient(t[2], t[3])}, d[3])) end
  if op == "MAX_NARY" or op == "MIN_NARY" then
    local best, slope = t[2], d[2]
    for i = 3, #t do
      local first = {op == "MAX_NARY" and "GEQ" or "LEQ", best, t[i]}
      slope, best = choice(first, slope, d[i]), {op, best, t[i]}
    end
    return slope
  end
  error(("no derivative of %s is known"):format(op:lower():gsub("_nary", "")), 0)
end

-- symbolic.walk(t, each): calls each(place) for the variables of a tree.
function symbolic.walk(t, each)
  if type(t) ~= "table" then return end
  if t[1] == "VARIABLE" then return each(t[2]) end
  for i = 2, #t do symbolic.walk(t[i], each) end
end

-- symbolic.map(t, f): a copy of the node t, which has operands, with f(operand) instead of each.
function symbolic.map(t, f)
  local out = {t[1]}
  for i = 2, #t do out[i] = f(t[i]) end
  return out
end

-- symbolic.by_reciprocals(t, constant): the tree with divisions by constants replaced by multiplications with the reciprocal. They
-- take a fraction of the time of a division; results differ by a rounding error. constant(place): the value of a variable that is
-- constant, or nil.
function symbolic.by_reciprocals(t, constant)
  if type(t) ~= "table" or t[1] == "VARIABLE" then return t end
  local function value(x) return type(x) == "number" and x or x[1] == "VARIABLE" and constant(x[2]) or nil end
  local out = symbolic.map(t, function(x) return symbolic.by_reciprocals(x, constant) end)
  local y = t[1] == "DIVIDE" and not value(t[2]) and value(t[3])
  if not y or not (math.abs(y) > 1e-290 and math.abs(y) < 1e290) then return out end
  return {"TIMES_NARY", out[2], 1 / y}
end

-- --- text ---

-- symbolic.literal(x): a number as text in C, exactly.
function symbolic.literal(x)
  if x ~= x then return "NAN" end
  if x == math.huge or x == -math.huge then return x > 0 and "INFINITY" or "(-INFINITY)" end
  local text = ("%.17g"):format(x)
  if not text:find "[.e]" then text = text .. ".0" end
  return text:find "^-" and "(" .. text .. ")" or text -- also for -0.0
end

-- The text of x^y for a small integer y: a product, or 1 / a product; else nil.
local function power_text(x, y)
  local whole = type(y) == "number" and math.tointeger(y)
  if whole == 0 then return "1.0" end
  if whole == 1 then return x end
  if whole == -1 then return "(1.0 / " .. x .. ")" end
  if not whole or math.abs(whole) < 2 or math.abs(whole) > 4 or #x > 40 then return nil end
  local product = "(" .. (x .. "*"):rep(math.abs(whole) - 1) .. x .. ")"
  return whole > 0 and product or "(1.0 / " .. product .. ")"
end

local OTHERS = {VARIABLE = true, IF = true, NEGATE = true, QUOTIENT = true, POWER = true}

-- symbolic.fits_lanes(t): can symbolic.text write the tree for lanes (see there)?
function symbolic.fits_lanes(t)
  if type(t) ~= "table" or t[1] == "VARIABLE" then return true end
  local op = t[1]
  if not (OTHERS[op] or SIGNS[op] or RELATIONS[op] or TRUTHS[op] or CALLS[op]) then return false end
  for i = 2, #t do if not symbolic.fits_lanes(t[i]) then return false end end
  return true
end

-- The text of a condition or a comparison for lanes (kernels/ensemble/lanes.h): both sides are computed, and one is selected in each
-- lane. nil for other operators.
local function lanes_text(op, list)
  if op == "IF" then return ("CHOOSE(REALS(%s) != 0, %s, %s)"):format(list[1], list[2], list[3]) end
  if RELATIONS[op] then return ("CHOOSE(REALS(%s) %s REALS(%s), 1, 0)"):format(list[1], RELATIONS[op], list[2]) end
  if not TRUTHS[op] then return nil end
  local parts = {}
  for i, x in ipairs(list) do parts[i] = ("(REALS(%s) != 0)"):format(x) end
  return ("CHOOSE(%s, 1, 0)"):format(table.concat(parts, LANES[op]))
end

-- symbolic.text(t, name, form): a tree as an expression in C; name(place) returns a variable's text. form "lanes": numbers are vectors
-- with the values of several instances (kernels/ensemble/lanes.h); "exact": with the functions that the interpreter of bytecode
-- calls, so that results are the same bits; delays and random numbers become TIMED(op, x, y, z), a macro of the text.
function symbolic.text(t, name, form)
  local lanes, exact = form == "lanes", form == "exact"
  local call, calls = lanes and "lanes_" or "", exact and EXACT or CALLS
  if type(t) == "number" then return symbolic.literal(t) end
  local op, list = t[1], {}
  if op == "VARIABLE" then return name(t[2]) end
  for i = 2, #t do list[i - 1] = symbolic.text(t[i], name, form) end
  local chosen = lanes and lanes_text(op, list)
  if chosen then return chosen end
  if op == "IF" then return ("(%s != 0 ? %s : %s)"):format(list[1], list[2], list[3]) end
  if op == "NEGATE" then return ("(-%s)"):format(list[1]) end
  if SIGNS[op] then return "(" .. table.concat(list, " " .. SIGNS[op] .. " ") .. ")" end
  if RELATIONS[op] then return ("(f64)(%s %s %s)"):format(list[1], RELATIONS[op], list[2]) end
  if TRUTHS[op] then
    for i, x in ipairs(list) do list[i] = ("(%s != 0)"):format(x) end
    return ("(f64)(%s)"):format(table.concat(list, TRUTHS[op]))
  end
  if op == "QUOTIENT" then return ("%strunc(%s / %s)"):format(call, list[1], list[2]) end
  local power = op == "POWER" and not exact and power_text(list[1], t[3])
  if power then return power end
  if calls[op] then
    local text = list[1]
    for i = 2, #list do text = ("%s%s(%s, %s)"):format(call, calls[op], text, list[i]) end
    return #list == 1 and not op:find "_NARY$" and ("%s%s(%s)"):format(call, calls[op], text) or text
  end
  if TIMED[op] then return ("TIMED(%s, %s, %s, %s)"):format(op, list[1], list[2] or "0", list[3] or "0") end
  return ("%s(LS_CODE_%s, %s)"):format(#list == 1 and "ls_code_one" or "ls_code_two", op, table.concat(list, ", "))
end

return symbolic
