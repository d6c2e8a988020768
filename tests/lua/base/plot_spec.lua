local folder = os.tmpname()
os.remove(folder)
assert(os.execute(("mkdir -p '%s'"):format(folder)))
local has_gnuplot = os.execute("command -v gnuplot >/dev/null 2>&1")

-- plot writes to the terminal without print, so the program is run on a line of text.
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
  it("draws y over x", function()
    local text = says("plot{x = {1, 2, 5}, y = {1, 4, 9}, xlabel = 'k', height = 4}")
    contains(text, "a y")
    contains(text, "5\n")
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
    local over = says("g = gen.grid{8, 8, one_way = 0.6}\nscc.forward_backward(g)\nplot live iterations\nplot trim.trimmed iterations")
    contains(over, "iteration")
    contains(over, "call of the kernel")
    contains(over, "up: live")
  end)
  it("says so where nothing ran", function() contains(says("plot"), "there is nothing to plot yet: run an algorithm") end)
  it("keeps within the width that it is given", function()
    for _, width in ipairs {1, 7, 40, 120} do
      local text = says(("plot{a = {1, 2}, width = %d, height = 3}"):format(width))
      for line in text:gmatch("[^\n]+") do
        if #line > width then error(("%d: %q"):format(width, line)) end
      end
    end
  end)
end)

describe("plot writes its numbers", function()
  local function written(o)
    o.file = temporary ".csv"
    plot(o)
    local f = assert(io.open(o.file))
    local text = f:read "a"
    f:close()
    return text
  end
  it("as columns where lines share x", function()
    equal(written {a = {1, 0.1}, ["b, \"c\""] = {-3, 1e300}, x = {5, 7}, xlabel = "n"}, 'n,a,"b, ""c"""\n5,1,-3\n7,0.1,1e+300\n')
    equal(written {y = {2, 0 / 0, -1 / 3}, ylabel = "ms"}, "x,ms\n1,2\n2,\n3,-0.3333333333333333\n")
    equal(written {y = {0, -1}, log = true}, "x,y\n1,0\n2,-1\n") -- the file also has values that a logarithmic axis cannot show
  end)
  it("as rows where lines have their own", function()
    equal(written {{x = {1, 2}, y = {3, 4}, name = "p"}, {x = {9}, y = {8}, name = "q"}}, "series,x,value\np,1,3\np,2,4\nq,9,8\n")
  end)
  it("or says why not", function()
    raises("/nonexistent/a.csv", plot, {{1, 2}, file = "/nonexistent/a.csv"})
  end)
end)

describe("plot refuses", function()
  it("what is not a number", function()
    raises("item 2 is not a number, but string", plot, {a = {1, "x"}})
    raises("expected a list of numbers or a buffer, got string", plot, {"x"})
    raises("t of row 2 is not a number", plot, {rows = {{t = 1}, {t = {}}}, y = "t"})
    raises("no row has a field 'z'; the first has n, t", plot, {rows = {{t = 1, n = 2}, {t = 2}}, y = "z"})
    raises("no row has a field 'z'", plot, {rows = {{t = 1}}, x = "z", y = "t"})
    raises("for a list of records: plot{rows = records", plot, {{{t = 1}}, y = "t"})
    raises("'titel' is not an option (file, title, x, y, xlabel, ylabel", plot, {{1, 2}, titel = "x"})
    raises("no point whose x and y are numbers", plot, {{0 / 0}})
  end)
  it("what doesn't fit together", function()
    raises("has 3 values, but x has 2", plot, {{1, 2, 3}, x = {1, 2}})
    raises("nothing to plot", plot, {})
    raises('log: expected true, "x", "y" or "xy"', plot, {{1}, log = "z"})
    raises("'rows' needs y = \"FIELD\"", plot, {rows = {}})
    local many = {}
    for i = 1, 17 do many[i] = {1} end
    raises("more than 16 lines", plot, many)
  end)
  it("another file", function() raises("expected a .svg, .png or .pdf file for a plot, or a .csv file for its numbers", plot, {{1}, file = "a.jpg"}) end)
  it("a file's logarithmic axis without a value above 0", function()
    raises("no point has a value above 0 on the logarithmic axis", plot, {{0, -1}, log = true, file = "a.svg"})
  end)
end)

-- The arguments with which a plot method calls plot.
local function drawn_by(f)
  local before, drawn = plot, nil
  plot = function(p) drawn = p end
  local good, why = pcall(f)
  plot = before
  if not good then error(why, 0) end
  return drawn
end

describe("the plot of a result", function()
  local m = model.from_text "x' = -k*x\ny' = x\nk = 0.5\nx(0) = 1\ny(0) = 0"
  local one = simulate(m, {stop = 2})
  local many = simulate(m, {stop = 2, sweep = {k = {0.1, 0.2}}})
  it("takes names and options in one form", function()
    for _, p in ipairs {drawn_by(function() one:plot("x", "y", {file = "a.svg", log = true}) end),
      drawn_by(function() one:plot({"x", "y"}, {file = "a.svg", log = true}) end),
      drawn_by(function() one:plot {"x", "y", file = "a.svg", log = true} end)} do
      equal({#p, p[1].name, p[2].name, p.file, p.log, p.xlabel}, {2, "x", "y", "a.svg", true, "time"})
    end
    equal(drawn_by(function() many:plot("x", {file = "b.svg", title = "t"}) end).file, "b.svg")
    equal(drawn_by(function() many:plot {file = "b.svg"} end).ylabel, "x")
  end)
  it("refuses what it would leave out", function()
    for _, r in ipairs {one, many} do
      raises("a file is given as an option: r:plot(..., {file = \"e.svg\"})", r.plot, r, "x", "e.svg")
      raises("there is no 'Q'; there are x, y", r.plot, r, "Q")
      raises("unknown option 'fil' (did you mean file?)", r.plot, r, "x", {fil = "a.svg"})
      raises("log is 'z', expected true, \"x\", \"y\" or \"xy\"", r.plot, r, {log = "z"})
      raises("expected names and a table of options", r.plot, r, 5)
    end
    raises("one variable at a time", many.plot, many, "x", "y")
  end)
  it("is explained by ?", function()
    contains(says 'm = model.from_text "x\' = 1\\nx(0) = 0"\nr = simulate(m, {stop = 1})\n?r.plot', "Draws variables over time")
  end)
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
    it("names the axes and leaves room for the curve alone", function()
      local text = written("axes.svg", {rows = {{n = 50, a = 3, b = 4}, {n = 400, a = 30, b = 50}}, x = "n", y = {"a", "b"}, log = "xy",
        xlabel = "vertices", ylabel = "milliseconds"})
      for _, part in ipairs {"vertices", "milliseconds", "50", "200"} do contains(text, part) end
      equal(text:find(">1000<"), nil) -- the axis ends where the values end
    end)
    it("says which points a logarithmic axis does not have", function()
      contains(says("plot{{5, 3, 0}, log = true, file = '" .. folder .. "/zero.svg'}"), "(1 of 3 points is 0 or less")
    end)
    it("writes PDF", function() equal(written("p.pdf", {{1, 2, 3}}):sub(1, 4), "%PDF") end)
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
    contains(says("snapshot a.txt nothing"), "nor a view")
    contains(says("snapshot"), "snapshot needs a file")
  end)
end)

os.execute(("rm -r '%s'"):format(folder))
