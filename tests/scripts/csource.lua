--- A simple C parser for arrows.lua and callers.lua: what a file includes, exports and uses. It relies on
--- clang-format's layout of our sources and does not know the full grammar.
local csource = {}

--- The files below a folder whose names end in one of the endings, sorted; {} if there is no such folder.
function csource.files(root, folder, endings)
  local list = {}
  local listing = assert(io.popen(("find '%s/%s' -type f 2>/dev/null"):format(root, folder)))
  for path in listing:lines() do
    local ending = path:match("%.([%w]+)$")
    if endings[ending or ""] then list[#list + 1] = path:sub(#root + 2) end
  end
  listing:close()
  table.sort(list)
  return list
end

function csource.read(path)
  local f = assert(io.open(path, "rb"))
  local text = f:read("a")
  f:close()
  return text
end

--- The text without comments and with emptied string and character literals; continued lines are joined. Names in
--- #include lines are kept.
function csource.strip(text)
  text = text:gsub("\\\r?\n", " ")
  local out, from = {}, 1
  while true do
    local at = text:find("[/\"']", from)
    if not at then break end
    out[#out + 1] = text:sub(from, at - 1)
    local two = text:sub(at, at + 1)
    if two == "/*" then
      local _, last = text:find("*/", at + 2, true)
      from = (last or #text) + 1
      out[#out + 1] = " "
    elseif two == "//" then
      from = text:find("\n", at, true) or #text + 1
    elseif two:sub(1, 1) == "/" then
      out[#out + 1] = "/"
      from = at + 1
    else
      local quote, last = two:sub(1, 1), at + 1
      while last <= #text and text:sub(last, last) ~= quote do
        if text:sub(last, last) == "\\" then last = last + 1 end
        last = last + 1
      end
      out[#out + 1] = quote .. quote
      from = last + 1
    end
  end
  out[#out + 1] = text:sub(from)
  return table.concat(out)
end

--- The names in quotes of #include lines, in order.
function csource.includes(text)
  local list = {}
  for line in text:gmatch("[^\n]+") do
    local name = line:match('^%s*#%s*include%s+"([^"]+)"')
    if name then list[#list + 1] = name end
  end
  return list
end

local function add_words(set, text)
  for word in text:gmatch("[%a_][%w_]*") do set[word] = true end
end

--- Parses a file's text: {defines = {name = true}, declares = {...}, uses = {...}}. `defines` are functions and variables
--- that other files can see; in a header, its inline functions. `uses` are all words of bodies, values and macros,
--- except the file's own static functions.
function csource.parse(text, is_header)
  local defines, declares, uses, own = {}, {}, {}, {}
  text = csource.strip(text)
  text = ("\n" .. text):gsub("\n%s*#%s*(%w+)([^\n]*)", function(directive, rest)
    if directive == "define" then add_words(uses, rest:gsub("^%s*[%w_]+", "", 1)) end
    return "\n"
  end)
  text = text:gsub('extern%s+""%s*{', " "):gsub("__attribute__%s*%b()%)?", " ")
  local at, before = 1, ""
  while true do
    local stop = text:find("[;{]", at)
    if not stop then break end
    local head = before .. text:sub(at, stop - 1)
    local hidden = head:find("%f[%w_]static%f[^%w_]") and not is_header
    local declared = head:find("%f[%w_]extern%f[^%w_]") or head:find("%f[%w_]typedef%f[^%w_]")
    local value = head:find("=")
    local name = (value and head:sub(1, value - 1) or head):match("([%a_][%w_]*)%s*%b()%s*$")
    if text:sub(stop, stop) == "{" then
      local _, last = text:find("%b{}", stop)
      last = last or #text
      local body = text:sub(stop, last)
      if not value and name then -- a function
        add_words(uses, body)
        if hidden then own[name] = true else defines[name] = true end
        at, before = last + 1, ""
      elseif value then -- a variable's initialiser; the rest of the declaration follows
        add_words(uses, body)
        at, before = last + 1, head .. " "
      else -- a type
        at, before = last + 1, head:gsub("[%w_]+%s*$", "x") .. " "
      end
    else
      if value then add_words(uses, head:sub(value)) end
      if name and not value and not head:find("typedef") then
        declares[name] = true
      elseif not declared and not is_header then
        local one = (value and head:sub(1, value - 1) or head):gsub("%b[]", "")
        local variable = one:match("[%w_%*]%s+%**([%a_][%w_]*)%s*$") or one:match("%*([%a_][%w_]*)%s*$")
        if variable and not hidden and not one:find("%f[%w_]struct%s+[%w_]+%s*$") then defines[variable] = true end
      end
      at, before = stop + 1, ""
    end
  end
  for name in pairs(own) do uses[name] = nil end
  return {defines = defines, declares = declares, uses = uses}
end

--- The strongly connected components with more than one vertex of a graph {name = {other = true}}: its cycles (Tarjan 1972).
function csource.circles(graph)
  local index, low, stack, on, next_index, found = {}, {}, {}, {}, 0, {}
  local function visit(v)
    next_index = next_index + 1
    index[v], low[v] = next_index, next_index
    stack[#stack + 1], on[v] = v, true
    for w in pairs(graph[v] or {}) do
      if not index[w] then
        visit(w)
        low[v] = math.min(low[v], low[w])
      elseif on[w] then
        low[v] = math.min(low[v], index[w])
      end
    end
    if low[v] ~= index[v] then return end
    local part = {}
    repeat
      local w = table.remove(stack)
      on[w] = nil
      part[#part + 1] = w
    until w == v
    table.sort(part)
    if #part > 1 then found[#found + 1] = part end
  end
  local names = {}
  for v in pairs(graph) do names[#names + 1] = v end
  table.sort(names)
  for _, v in ipairs(names) do
    if not index[v] then visit(v) end
  end
  table.sort(found, function(a, b) return a[1] < b[1] end)
  return found
end

return csource
