local folder = os.tmpname()
os.remove(folder)
assert(os.execute(("mkdir -p '%s'"):format(folder)))
local has_gnuplot = os.execute("command -v gnuplot >/dev/null 2>&1")

-- What plot says in the terminal goes past print: run the program on a line of text.
local program = arg[-1] or (io.open("/proc/self/cmdline", "rb"):read("a"):match("^[^\0]+"))
local function says(lines, options)
  local path = folder .. "/lines"
  local f = assert(io.open(path, "w"))
  f:write(lines, "\n")
  f:close()
  local p = assert(io.popen(("'%s' %s <'%s' 2>&1"):format(program, options or "--symbols ascii", path)))
  local text = p:read("a")
  p:close()
  return text
end

local function contains(text, part)
  if not text:find(part, 1, true) then error(("no %q in:\n%s"):format(part, text), 2) end
end

describe("plot in the terminal", function()
  it("draws lists by name", function()
    local text = says("plot{squares = {1, 4, 9, 16}, cubes = {1, 8, 27, 64}, height = 5}")
    contains(text, "a cubes   b squares")
    contains(text, "64|")
    equal(select(2, text:gsub("\n", "\n")), 6)
  end)
  it("draws buffers, over a list of x", function()
    local text = says('plot{x = {10, 20, 40}, y = "edges", buffer.new("u32", {3, 1, 2}), title = "three", height = 4}')
    contains(text, "three\n")
    contains(text, "up: edges")
    contains(text, "10 ")
    contains(text, "40\n")
  end)
  it("draws columns of records", function()
    local text = says('plot{rows = {{n = 1, t = 5}, {n = 2}, {n = 3, t = 7}}, x = "n", y = {"t"}, log = true}')
    contains(text, "up: log")
    contains(text, "a t")
  end)
  it("draws what ran", function()
    local text = says("g = gen.grid{8, 8, one_way = 0.6}\nscc.forward_backward(g)\nplot live\nplot log\nplot live no_such")
    contains(text, "a live")
    contains(text, "up: log")
    contains(text, "the run has no series 'no_such'")
  end)
  it("says so where nothing ran", function() contains(says("plot"), "nothing has run that could be plotted") end)
  it("keeps within the width that it is given", function()
    for _, width in ipairs {1, 7, 40, 120} do
      local text = says(("plot{a = {1, 2}, width = %d, height = 3}"):format(width))
      for line in text:gmatch("[^\n]+") do
        if #line > width then error(("%d: %q"):format(width, line)) end
      end
    end
  end)
end)

describe("plot refuses", function()
  it("what is no number", function()
    raises("item 2 is no number, but string", plot, {a = {1, "x"}})
    raises("expected a list of numbers or a buffer, got string", plot, {"x"})
    raises("t of row 2 is no number", plot, {rows = {{t = 1}, {t = {}}}, y = "t"})
  end)
  it("what doesn't fit together", function()
    raises("3 values over 2 of x", plot, {{1, 2, 3}, x = {1, 2}})
    raises("nothing to plot", plot, {})
    raises('log: expected true, "x", "y" or "xy"', plot, {{1}, log = "z"})
    raises('rows wants y = "FIELD"', plot, {rows = {}})
    local many = {}
    for i = 1, 17 do many[i] = {1} end
    raises("more than 16 lines", plot, many)
  end)
  it("another file", function() raises("a plot is a .svg or .png file", plot, {{1}, file = "a.pdf"}) end)
end)

if has_gnuplot then
  describe("plot into a file", function()
    local function written(name, options)
      local path = folder .. "/" .. name
      options.file = path
      plot(options)
      local f = assert(io.open(path, "rb"))
      local text = f:read("a")
      f:close()
      return text
    end
    it("takes any path and any title", function()
      local text = written([[a 'b' "c" $(touch x) `y`; \n.svg]], {["it's $1"] = {1, 4, 9}, title = "10 % of 'all'"})
      contains(text, "<svg")
      contains(text, "10 % of 'all'")
      contains(text, "it's $1")
    end)
    it("shows what a title hides", function()
      local text = written("hidden.svg", {["a\27[2J"] = {1, 2}, title = "b\u{9b}\u{202e}\0", x = "c\x80"})
      for _, part in ipairs {"a\\x1b[2J", "b\\u{9b}\\u{202e}", "c\\x80"} do contains(text, part) end
      equal(text:find("[\27\x80]"), nil)
    end)
    it("writes PNG", function() equal(written("p.png", {{1, 2, 3}, points = true}):sub(2, 4), "PNG") end)
    it("leaves gaps for what is not finite", function()
      contains(written("gap.svg", {{1, 0/0, 3, 1/0, 5}, log = "xy"}), "<svg")
    end)
    it("leaves nothing behind where the folder is missing", function()
      raises("No such file or directory", plot, {{1, 2}, file = folder .. "/none/a.svg"})
    end)
  end)
end

describe("snapshot", function()
  local function snapshot(words)
    return says(("g = gen.ring(6)\nstart scc.forward_backward(g)\nstep 3\nsnapshot '%s/s' %s"):format(folder, words))
  end
  local function read(name)
    local f = assert(io.open(folder .. "/" .. name, "rb"))
    local text = f:read("a")
    f:close()
    return text
  end
  it("writes text, SVG and HTML", function()
    says(("g = gen.ring(6)\nstart scc.forward_backward(g)\nstep 3\nsnapshot '%s/a.txt' 100x30\nsnapshot '%s/a.svg'\nsnapshot '%s/a.html' light"):format(folder, folder, folder))
    local text = read("a.txt")
    contains(text, "scc.lua")
    contains(text, "fill")
    equal(select(2, text:gsub("\n", "\n")), 30)
    contains(read("a.svg"), "</svg>")
    contains(read("a.html"), "</pre>")
  end)
  it("writes a view alone", function()
    says(("g = gen.ring(6)\nstart scc.forward_backward(g)\nstep 3\nsnapshot '%s/b.txt' buffers 60x20"):format(folder))
    local text = read("b.txt")
    contains(text, "buffers: at the stop")
    contains(text, "s.comp")
    for line in text:gmatch("[^\n]+") do equal(#line, 60) end
  end)
  it("refuses other files, sizes and views", function()
    contains(snapshot(""), "a snapshot is a .txt, .svg or .html file")
    contains(says("snapshot a.txt 0x5"), "columns and rows are from 1 to 1000")
    contains(says("snapshot a.txt nothing"), "no view")
    contains(says("snapshot"), "snapshot wants a file")
  end)
end)

os.execute(("rm -r '%s'"):format(folder))
