-- Prints the equations of a model as Python for JAX, which scripts/measure/ensembles-diffrax.py reads: rates(t, y, p), start, value,
-- and size: the factor of each state's absolute tolerance, as in an ensemble with amounts in small compartments.
--   lockstep scripts/measure/equations-jax.lua model [the parameter that varies, or - for none]
local ensemble_kernels = import "ensemble/ensemble_kernels"
local ensemble_writer = import "ensemble/ensemble_writer"
local m = model.load(arg[1])
local varied = arg[2] ~= "-" and select(2, m:find(arg[2])) or nil
local e = ensemble_kernels.parts(m, varied and {[varied] = true} or {}, 0)
if e.events then error("a model with events has no such form", 0) end

local CALLS = {POWER = "jnp.power", REM = "jnp.fmod", SQRT = "jnp.sqrt", EXP = "jnp.exp", LN = "jnp.log", LOG10 = "jnp.log10",
  ABS = "jnp.abs", FLOOR = "jnp.floor", CEILING = "jnp.ceil", SIN = "jnp.sin", COS = "jnp.cos", TAN = "jnp.tan", SINH = "jnp.sinh",
  COSH = "jnp.cosh", TANH = "jnp.tanh", ARCSIN = "jnp.arcsin", ARCCOS = "jnp.arccos", ARCTAN = "jnp.arctan",
  MAX_NARY = "jnp.maximum", MIN_NARY = "jnp.minimum"}
local SIGNS = {PLUS_NARY = " + ", TIMES_NARY = " * ", MINUS = " - ", DIVIDE = " / "}
local RELATIONS = {EQ = " == ", NEQ = " != ", LT = " < ", GT = " > ", LEQ = " <= ", GEQ = " >= ", AND_NARY = " & ", OR_NARY = " | "}

local function name(place)
  local at = e.place_of[place]
  if at then return at[1] == "p" and "p" or ("y[%d]"):format(at[2]) end
  if place == e.time then return "t" end
  if e.tree[place] then return "f" .. place end
  return ("%.17g"):format(e.first[e.variable[place] - 1])
end

local function python(t)
  if type(t) == "number" then return ("(%.17g)"):format(t) end
  if t[1] == "VARIABLE" then return name(t[2]) end
  local list = {}
  for i = 2, #t do list[i - 1] = python(t[i]) end
  if t[1] == "IF" then return ("jnp.where(%s, %s, %s)"):format(list[1], list[2], list[3]) end
  if t[1] == "NEGATE" then return "(-" .. list[1] .. ")" end
  local sign = SIGNS[t[1]] or RELATIONS[t[1]]
  if sign then return "(" .. table.concat(list, sign) .. ")" end
  if t[1] == "POWER" and type(t[3]) == "number" and t[3] == math.floor(t[3]) then -- XLA turns integer powers into products
    return ("(%s)**(%d)"):format(list[1], t[3])
  end
  local call = CALLS[t[1]] or error(("%s has no such form"):format(t[1]:lower()), 0)
  local text = list[1]
  if #list == 1 then return ("%s(%s)"):format(call, text) end
  for i = 2, #list do text = ("%s(%s, %s)"):format(call, text, list[i]) end
  return text
end

local trees, out = ensemble_writer.rate_trees(e), {"def rates(t, y, p):"}
local needed = ensemble_writer.needed(e, trees)
for _, f in ipairs(e.functions) do
  if needed[f[1]] then out[#out + 1] = ("    f%d = %s"):format(f[1], python(f[2])) end
end
local rates, first = {}, {}
for k, t in ipairs(trees) do rates[k] = ("        %s + 0.0 * t,"):format(python(t)) end
local size = {}
for k, i in ipairs(e.states) do
  local v = m:variable(i)
  local volume = v.size and v.held == "amount" and math.abs(e.first[v.size - 1]) or 1
  first[k], size[k] = ("%.17g"):format(e.first[i - 1]), ("%.17g"):format(volume > 0 and volume < 1 and volume or 1)
end
out[#out + 1] = "    return jnp.stack([\n" .. table.concat(rates, "\n") .. "\n    ])"
out[#out + 1] = ("start = [%s]"):format(table.concat(first, ", "))
out[#out + 1] = ("size = [%s]"):format(table.concat(size, ", "))
out[#out + 1] = ("value = %.17g"):format(varied and e.first[varied - 1] or 1)
print(table.concat(out, "\n"))
