-- model.line: many copies of a cell model, each coupled to its neighbours.

local algorithm = import "base/algorithm"

-- Parses a model in lockstep's own format into statements {name, kind, right}; kind is "" (a value), "'" or "(0)".
local function statements(text, path)
  local list, line, open = {}, "", 0
  for part in (text:gsub("#[^\n]*", "") .. "\n"):gmatch("([^\n]*)\n") do
    line = line .. " " .. part
    open = open + select(2, part:gsub("[({]", "")) - select(2, part:gsub("[)}]", ""))
    if open <= 0 and not line:find("[-+*/^,<>=]%s*$") and line:find("%S") then
      local name, kind, right = line:match("^%s*([%a_][%w_]*)%s*(['(]?[0)]*)%s*=%s*(.-)%s*$")
      if name then
        list[#list + 1] = {name = name, kind = kind, right = right:gsub("%s*%[[^%]]*%]$", "")}
      elseif not line:find("^%s*title%s") and not line:find("^%s*time%s") then
        error(("model.line: %s: only equations can be repeated, found '%s'"):format(path,
          line:match("^%s*(.-)%s*$")), 3)
      end
      line = ""
    end
  end
  return list
end

-- The text with the prefix `cell` before every name for which own[name] is true.
local function inside(text, own, cell)
  return (text:gsub("%f[%w_.][%a_][%w_.]*", function(word) return own[word] and cell .. "." .. word or nil end))
end

local KNOWN = {file = true, cells = true, ring = true, state = true, into = true, conductance = true,
  stimulated = true, more = true}

--- A line of cells, or a ring, as a model. It has the equations of `file` (in lockstep's own format) once for each cell, with the names
--- c1.V, c2.V, ...; the cells share the parameters. Neighbours are coupled: for each neighbour, the current conductance * (own `state` -
--- neighbour's `state`) is added to the function `into` of the cell. The equation of `into` in the file is the stimulus. It applies only
--- to the cells in `stimulated` (default: the first one), as an additional function: c1.pulse. more: the text of further equations over
--- these names. The sample luo-rudy-1991 with cells = 1000 and stimulated = {} has the 32,998 functions and 8000 states of the model
--- LR-1000 of Okuyama 2013.
---   m = model.line{cells = 100}
---   m = model.line{cells = 80, ring = true, more = "flow = g1.left + g2.left"}
---   m = model.line{file = "my.ode", cells = 80, ring = true, state = "V", into = "I", conductance = 0.29,
---                  stimulated = {1, 2}}
function model.line(options)
  if type(options) ~= "table" then error("model.line: a table expected, as in model.line{cells = 100}", 2) end
  for key in pairs(options) do
    if not KNOWN[key] then error(("model.line: no option is called '%s'"):format(tostring(key)), 2) end
  end
  local n, file = algorithm.whole(options.cells), options.file or model.sample "luo-rudy-1991"
  local state, into = options.state or "V", options.into or "I_stimulus"
  local conductance = options.conductance or 0.1
  if math.type(n) ~= "integer" or n < 1 or n > 1000000 then
    error("model.line: cells must be a whole number from 1 to 1000000", 2)
  end
  if type(file) ~= "string" or type(state) ~= "string" or type(into) ~= "string" or type(conductance) ~= "number" then
    error("model.line: 'file', 'state' and 'into' must be names, and 'conductance' a number", 2)
  end
  if options.more ~= nil and type(options.more) ~= "string" then
    error(("model.line: 'more' must be a text of equations, got %s"):format(algorithm.described(options.more)), 2)
  end
  local stimulated = {}
  for _, i in ipairs(options.stimulated or {1}) do stimulated[i] = true end

  local source = assert(io.open(file))
  local list = statements(source:read("a"), file)
  source:close()
  local own, has = {}, {}
  for _, s in ipairs(list) do
    has[s.name] = true
    own[s.name] = own[s.name] or s.kind ~= "" or not tonumber(s.right)
  end
  for _, name in ipairs {state, into} do
    if not has[name] then error(("model.line: %s has no equation for %s"):format(file, name), 2) end
  end

  local out = {("title %d cells of %s\ncoupling = %.17g"):format(n, file:match("[^/]+$"), conductance)}
  local function add(form, ...) out[#out + 1] = form:format(...) end
  for _, s in ipairs(list) do
    if not own[s.name] then add("%s = %s", s.name, s.right) end
  end
  local junctions = options.ring and n > 2 and n or n - 1
  for k = 1, junctions do
    local a, b = ("c%d.%s"):format(k, state), ("c%d.%s"):format(k % n + 1, state)
    add("g%d.left = coupling*(%s - %s)", k, a, b)
    add("g%d.right = coupling*(%s - %s)", k, b, a)
  end
  for i = 1, n do
    local cell, sum = "c" .. i, {}
    for _, s in ipairs(list) do
      if s.name == into then
        if stimulated[i] then
          add("%s.pulse = %s", cell, inside(s.right, own, cell))
          sum[1] = cell .. ".pulse"
        end
      elseif own[s.name] then
        add("%s.%s%s = %s", cell, s.name, s.kind, inside(s.right, own, cell))
      end
    end
    local before = i > 1 and i - 1 or junctions == n and n
    if before and before <= junctions then sum[#sum + 1] = ("g%d.right"):format(before) end
    if i <= junctions then sum[#sum + 1] = ("g%d.left"):format(i) end
    add("%s.%s = %s", cell, into, #sum > 0 and table.concat(sum, " + ") or "0")
  end
  out[#out + 1] = options.more
  return model.from_text(table.concat(out, "\n"))
end

return model
