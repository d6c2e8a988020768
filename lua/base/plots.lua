-- Common code of the plot methods of results: parses and checks the arguments of r:plot(NAME, ..., {OPTION = ...}).

local algorithm = import "base/algorithm"

local plots = {}

local OPTIONS = {
  file = "file", title = "text", xlabel = "text", ylabel = "text", x = "text", y = "text", log = "axes", points = "flag",
  width = {least = 1, most = 10000}, height = {least = 1, most = 10000},
}

-- Raises an error at the line that called r:plot. The level counts the calls r:plot -> plots.asked -> add -> wrong.
local LEVEL = 5
local function wrong(fmt, ...) error("r:plot: " .. fmt:format(...), LEVEL) end

local function is_file(name) return name:find "%.%l%l%l$" ~= nil or name:find "/" ~= nil end

local function listed(names, name)
  for _, one in ipairs(names) do
    if one == name then return true end
  end
end

-- The error message for an unknown name.
local function unknown(names, name)
  if is_file(name) then return ("a file is given as an option: r:plot(..., {file = \"%s\"})"):format(name) end
  local near = algorithm.nearest(name, names)
  return ("there is no '%s'%s%s"):format(name, near and (" (did you mean %s?)"):format(near) or "",
    #names <= 12 and (#names > 0 and "; there are " .. table.concat(names, ", ") or "; r:plot takes only options here") or "")
end

-- plots.asked(known, find, ...): parses the arguments of r:plot(NAME, ..., {OPTION = ...}): returns a list of names and a table
-- of options. The names may also be in a list, or in the table of options. A name is valid if it is in the list `known`, or if
-- find(name) is true (find may be nil). A wrong argument is an error at the line that called r:plot.
function plots.asked(known, find, ...)
  local names, options = {}, {}
  local function add(name)
    if type(name) ~= "string" then
      wrong("expected names and a table of options, as in r:plot(\"x\", {file = \"x.svg\"}), got %s", algorithm.described(name))
    end
    if not listed(known, name) and not (find and find(name)) then wrong("%s", unknown(known, name)) end
    names[#names + 1] = name
  end
  for i = 1, select("#", ...) do
    local x = select(i, ...)
    if type(x) == "table" then
      for _, name in ipairs(x) do add(name) end
      for key, value in pairs(x) do
        if math.type(key) ~= "integer" then options[key] = value end
      end
    elseif x ~= nil then
      add(x)
    end
  end
  algorithm.options("r:plot", options, OPTIONS, 4)
  return names, options
end

-- plots.draw(p, options): plot(p), with the user's options overriding those in p.
function plots.draw(p, options)
  plot(algorithm.merged(p, options))
end

return plots
