-- What the scripts of this folder, and some of scripts/measure and tests/gpu, share: the frame of a paper's evaluation (tables,
-- figures, claims), random sources, times, edges that are traversed.
local common = {}

local RING = 65536 -- records that the trace keeps

--- n sources at random, each of which has an edge.
function common.sources(g, n, seed)
  local x, list = seed or 1, {}
  if g.m == 0 then return list end
  while #list < n do
    x = (x * 1103515245 + 12345) % 2147483648
    local v = x * g.n // 2147483648
    if g:degree(v) > 0 then list[#list + 1] = v end
  end
  return list
end

--- Runs f. Returns the result of f; the seconds from the first launch to the end of the last on the device; and the number of
--- random accesses (to places that depend on data), nil if no record of the trace has it.
function common.device_time(f)
  trace.reset()
  local r = f()
  local first, last, irregular, list = math.huge, 0, nil, trace.last(RING)
  for _, x in ipairs(list) do
    first = math.min(first, x.begin)
    last = math.max(last, x.begin + x.time)
    if x.gathers then irregular = (irregular or 0) + x.gathers end
  end
  if #list == RING then first, irregular = 0, nil end -- older records are lost; times are relative to the first record of the run
  return r, last - first, irregular
end

--- The kernels in the trace: ms from the first launch to the end of the last, the sum of their ms, rows (ms by kernel), launches.
--- except: a set of names of kernels that are left out, whose ms are in `others`.
function common.kernels(except)
  local first, last, all = math.huge, 0, {rows = {}, sum = 0, launches = 0, others = 0}
  for _, x in ipairs(trace.last(RING)) do
    local ms = 1e3 * x.time
    if except and except[x.kernel] then
      all.others = all.others + ms
    else
      first, last = math.min(first, x.begin), math.max(last, x.begin + x.time)
      all.rows[x.kernel] = (all.rows[x.kernel] or 0) + ms
      all.sum, all.launches = all.sum + ms, all.launches + 1
    end
  end
  all.ms = 1e3 * (last - first)
  return all
end

--- Runs f(...). Returns the result of f, and the wall-clock seconds.
function common.time(f, ...)
  local begun = trace.clock()
  local r = f(...)
  return r, trace.clock() - begun
end

--- The number of edges of the vertices that r reaches, which TEPS count. A pass of `relax` reads just these edges.
function common.reached_edges(r)
  local g = r.graph
  if g.m == 0 then return 0 end
  local traced = trace.enabled()
  trace.on()
  local improved = relax(g, {w = algorithm.widened(algorithm.weights(g), r.dist.dtype), dist = r.dist,
    overflow = buffer.new("u32", 1)})
  local edges = math.tointeger(trace.last(1)[1].edges or 0)
  if not traced then trace.off() end
  assert(improved == 0 or r.unreached == math.huge, "these are not the shortest distances")
  return edges
end

--- Random accesses per second of the current device to an array of `bytes` bytes, as device.limits() measures them.
function common.access_rate(bytes)
  local rows = device.limits().random
  if bytes <= rows[1].bytes then return rows[1].gather end
  for i = 2, #rows do
    local a, b = rows[i - 1], rows[i]
    if bytes == b.bytes then return b.gather end
    if bytes < b.bytes then
      return a.gather * (b.gather / a.gather) ^ (math.log(bytes / a.bytes) / math.log(b.bytes / a.bytes))
    end
  end
  return rows[#rows].gather
end

--- The number of threads of the device cpu.
function common.threads()
  for _, d in ipairs(device.list()) do
    if d.name == "cpu" then return d.threads end
  end
end

--- Dijkstra's algorithm from every vertex, in seconds: in sequence, estimated from 16 sources; and by all threads, each with
--- sources of its own: nil if that would take more than half a minute, or more than 4 GB.
function common.all_by_dijkstra(g)
  local list = common.sources(g, math.min(g.n, 16), 3)
  local _, seconds = common.time(function()
    for _, s in ipairs(list) do reference.dijkstra(g, s) end
  end)
  local sequence = seconds * g.n / math.max(1, #list)
  if sequence / common.threads() > 30 or 8 * g.n * g.n > 4e9 then return sequence end
  local _, all = common.time(function() return reference.johnson(g, 0) end)
  return sequence, all
end

--- The median of a list. Sorts the list.
function common.median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

-- --- the frame: what the command `paper` passes to a script ---

local Frame = {}
Frame.__index = Frame

--- The frame of a run: number, size ("least", "small", "full"), options, folder (of the figures), write(path, text), program and
--- scripts (paths). A script calls its methods in the order of the paper; each of them prints, and keeps what it printed.
function common.frame(f)
  f.tables, f.figures, f.claims = {}, {}, {}
  return setmetatable(f, Frame)
end

--- The value for the size of this run.
function Frame:pick(least, small, full)
  return ({least = least, small = small, full = full})[self.size]
end

--- Prints to standard error what runs now.
function Frame:progress(...) io.stderr:write("(", (...):format(select(2, ...)), ")\n") end

--- A number in at most nine characters; a text as it is; "-" for nil.
function common.number(x)
  if type(x) ~= "number" then return x or "-" end
  if x == math.floor(x) and math.abs(x) < 1e9 then return ("%d"):format(x) end
  local size = math.abs(x)
  return (size >= 1000 and size < 1e6 and "%.1f" or size >= 1e6 and size < 1e9 and "%.0f" or "%.4g"):format(x)
end

--- t = {title, unit =, columns = {NAME, ...}, {NAME, theirs = {...}, ours = {...}}, ...}: prints each cell of each row as
--- theirs | ours | ratio. A value may be a number, a text, or false (none). Rows without any value are left out. comparable = false:
--- theirs and ours are of different sizes, so that they have no ratio.
function Frame:table(t)
  print(("\n%s%s"):format(t[1], t.unit and (" (%s)"):format(t.unit) or ""))
  local shown, wide, narrow, cell = {title = t[1], unit = t.unit}, 4, 4, 9
  for i = 2, #t do wide = math.max(wide, #t[i][1]) end
  for _, name in ipairs(t.columns) do narrow = math.max(narrow, #tostring(name)) end
  for i = 2, #t do -- a series of numbers, as in "842>40>480", may be wide
    for k in ipairs(t.columns) do
      for _, values in ipairs {t[i].theirs or {}, t[i].ours or {}} do cell = math.max(cell, #common.number(values[k] or nil)) end
    end
  end
  local form = ("  %%-%ds  %%-%ds  %%%ds | %%%ds | %%9s"):format(wide, narrow, cell, cell)
  print(form:format("", "", "theirs", "ours", "ratio"))
  for i = 2, #t do
    local name = t[i][1]
    for k, column in ipairs(t.columns) do
      local theirs, ours = t[i].theirs and t[i].theirs[k] or nil, t[i].ours and t[i].ours[k] or nil
      if theirs ~= nil or ours ~= nil then
        local ratio = t.comparable ~= false and type(theirs) == "number" and type(ours) == "number" and ours ~= 0 and theirs / ours or nil
        shown[#shown + 1] = {row = t[i][1], column = column, theirs = theirs, ours = ours, ratio = ratio}
        print(form:format(name, column, common.number(theirs), common.number(ours), ratio and common.number(ratio) or "-"))
        name = ""
      end
    end
  end
  self.tables[#self.tables + 1] = shown
end

--- Draws a figure in the terminal and writes it to NAME.svg: f is {name = "figure-1", ...} and what plot takes. If gnuplot is not
--- installed, the numbers are written to NAME.csv.
function Frame:figure(f)
  local name = f.name
  f.name = nil
  print ""
  plot(f)
  f.width, f.height = nil, nil
  for _, ending in ipairs {"svg", "csv"} do
    f.file = ("%s/%s.%s"):format(self.folder, name, ending)
    local good, why = pcall(plot, f)
    if good then
      self.figures[#self.figures + 1] = {name = name, file = f.file}
      return
    end
    if ending == "csv" or not tostring(why):find("gnuplot is not installed", 1, true) then error(why, 0) end
    print "  (gnuplot is not installed: the numbers of the figure, instead of a picture)"
  end
end

-- A colour from dark blue (0) by green to yellow (1).
local function colour(x)
  local stops = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}
  local at = math.min(x, 0.9999) * (#stops - 1)
  local a, b, part = stops[at // 1 + 1], stops[at // 1 + 2], at % 1
  return ("#%02x%02x%02x"):format(math.floor(a[1] + part * (b[1] - a[1])), math.floor(a[2] + part * (b[2] - a[2])),
    math.floor(a[3] + part * (b[3] - a[3])))
end

--- A surface, as a table with a column for each x and as a picture of coloured squares, NAME.svg: f is {name =, title =, xlabel =,
--- ylabel =, x = {...}, y = {...}, z = {{...}, ...}}, z[i][k] at y[i] and x[k]. A * marks the greatest of each row.
function Frame:surface(f)
  local least, greatest, best = math.huge, -math.huge, {}
  for i, row in ipairs(f.z) do
    best[i] = 1
    for k, z in ipairs(row) do
      least, greatest = math.min(least, z), math.max(greatest, z)
      if z > row[best[i]] then best[i] = k end
    end
  end
  local W, H, left, top = 64, 40, 90, 50
  local svg = {("<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>"):format(
    left + W * #f.x + 20, top + H * #f.y + 60), "<rect width='100%' height='100%' fill='#ffffff'/>"}
  local function text(x, y, s, anchor, fill)
    svg[#svg + 1] = ("<text x='%d' y='%d' text-anchor='%s' fill='%s'>%s</text>"):format(x, y, anchor, fill or "#000000",
      (tostring(s):gsub("[<>&]", {["<"] = "&lt;", [">"] = "&gt;", ["&"] = "&amp;"})))
  end
  text(left, 24, f.title, "start")
  local line = ("%10s"):format(f.ylabel)
  for k, x in ipairs(f.x) do
    line = line .. ("%9s "):format(common.number(x))
    text(left + W * (k - 1) + W // 2, top + H * #f.y + 18, common.number(x), "middle")
  end
  text(left + W * #f.x // 2, top + H * #f.y + 42, f.xlabel, "middle")
  print(("\n%s, over %s"):format(f.title, f.xlabel))
  print(line)
  for i, y in ipairs(f.y) do
    line = ("%10s"):format(common.number(y))
    text(left - 8, top + H * (i - 1) + H // 2 + 4, ("%s %s"):format(f.ylabel, common.number(y)), "end")
    for k, z in ipairs(f.z[i]) do
      local part = greatest > least and (z - least) / (greatest - least) or 1
      line = line .. ("%9s%s"):format(common.number(z), k == best[i] and "*" or " ")
      svg[#svg + 1] = ("<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>"):format(left + W * (k - 1), top + H * (i - 1), W, H, colour(part))
      text(left + W * (k - 1) + W // 2, top + H * (i - 1) + H // 2 + 4, common.number(z), "middle", part > 0.6 and "#000000" or "#ffffff")
    end
    print(line)
  end
  svg[#svg + 1] = "</svg>\n"
  local file = ("%s/%s.svg"):format(self.folder, f.name)
  self.write(file, table.concat(svg, "\n"))
  self:progress("wrote %s", file)
  self.figures[#self.figures + 1] = {name = f.name, file = file}
end

--- A claim of the paper. holds: true, false, or nil if it cannot be measured here; why: by how much, or why not.
function Frame:claim(claim, holds, why, ...)
  why = why:format(...)
  local verdict = holds == nil and "cannot be measured here" or holds and "holds" or "does not hold"
  print(("\nclaim: %s\n  %s: %s"):format(claim, verdict, why))
  self.claims[#self.claims + 1] = {claim = claim, holds = holds, why = why}
end

--- A claim about a GPU; on a CPU `why` has the numbers of the CPU.
function Frame:claim_on_gpu(claim, holds, why, ...)
  if device().processor == "cuda" then return self:claim(claim, holds, why, ...) end
  self:claim(claim, nil, "no GPU; on " .. device().name .. ": " .. why, ...)
end

--- What paper() returns.
function Frame:result()
  return setmetatable({paper = self.number, folder = self.folder, tables = self.tables, figures = self.figures, claims = self.claims}, {
    __tostring = function(r)
      local held, failed = 0, 0
      for _, c in ipairs(r.claims) do
        if c.holds then held = held + 1 elseif c.holds == false then failed = failed + 1 end
      end
      return ("paper %s: tables: %d, figures in %s: %d; of %d claims %d hold, %d do not hold, %d cannot be measured here"):format(r.paper,
        #r.tables, r.folder, #r.figures, #r.claims, held, failed, #r.claims - held - failed)
    end,
  })
end

return common
