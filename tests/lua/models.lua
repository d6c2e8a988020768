-- Helpers for the specs of models: formats that this build reads, the folder of published models, comparisons.
local M = {}

local here = arg[0]:match("^(.*)/tests/") or "."
M.samples = here .. "/samples/models/"
M.small = here .. "/tests/models/"

-- Published models, next to the repository; tests that need them are skipped with a message if they are absent.
M.DATA = "../shared/data"
for _, place in ipairs {here .. "/../shared/data", here .. "/../../shared/data", "../shared/data", "../../shared/data"} do
  local f = io.open(place .. "/README.md")
  if f then
    f:close()
    M.DATA = place
    break
  end
end

--- model.line with the model file of this repository, wherever the program was built.
function M.line(options)
  options.file = M.samples .. "luo-rudy-1991.ode"
  return model.line(options)
end

function M.there(path)
  local f = io.open(M.DATA .. "/" .. path)
  if f then
    f:close()
    return true
  end
  print(("left out what needs %s/%s"):format(M.DATA, path))
  return false
end

-- Whether this build reads a format, judged by its error for an empty document.
local function reads(root)
  local name = temporary(".xml")
  local f = io.open(name, "w")
  f:write(root)
  f:close()
  local _, why = pcall(model.load, name)
  os.remove(name)
  local missing = tostring(why):match("this build reads no.*")
  if missing then print("left out: " .. missing) end
  return not missing
end
M.xml = reads "<insilico-model/>"
M.sbml = M.xml and reads '<sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" level="3" version="1"><model/></sbml>'
M.cvode = reference.has_cvode
if not M.cvode then print "left out: cvode, which this build lacks" end
M.adaptive = {"dopri5", M.cvode and "cvode" or nil}

function M.near(got, want, relative, absolute)
  if not (math.abs(got - want) <= (absolute or 0) + relative * math.abs(want)) then
    error(("got %.17g, expected %.17g within %g"):format(got, want, relative), 2)
  end
end

-- Asserts that simulation b, by bytecode, has the same values as simulation a, by the reference: on a CPU bit for bit; on a GPU
-- the last bits of exp and similar functions may differ.
function M.same(a, b, relative)
  local on_cpu = device().processor == "cpu"
  for _, name in ipairs(a.names) do
    for i = 0, #a.t - 1 do
      local x, y = a[name][i], b[name][i]
      local fine = x == y or (x ~= x and y ~= y)
      if not fine and not on_cpu then fine = math.abs(x - y) <= (relative or 1e-9) * (1e-3 + math.abs(x)) end
      if not fine then error(("%s in row %d: %.17g by reference, %.17g by bytecode"):format(name, i, x, y), 2) end
    end
  end
end

-- The value of x after the model (or the text of one) has run until `stop`.
function M.ends(m, stop, method, x, options)
  local o = {stop = stop, method = method, steps = 1, variables = {x or "x"}}
  for k, v in pairs(options or {}) do o[k] = v end
  return simulate(type(m) == "string" and model.from_text(m) or m, o)[x or "x"][1]
end

return M
