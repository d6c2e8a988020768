-- judge: right programs of six kinds are right on every graph, wrong ones are refused with a small graph; and what programs do besides.
local folder = os.tmpname()
os.remove(folder)
assert(os.execute(("mkdir '%s'"):format(folder)))
local program = folder .. "/answers"
local source = arg[0]:match("^(.*)/lua/") .. "/judge/answers.c"
assert(os.execute(("${CC:-cc} -O1 -o '%s' '%s'"):format(program, source)))

local KINDS = {"scc", "components", "bfs", "sssp", "sssp_parents", "triangles"}
-- Answers cut to four bits are right on fewer than 17 vertices; stopping after six levels needs paths of seven edges.
local LARGER = {[10] = 40, [12] = 18}

local function silently(f)
  local say = session.say
  session.say = function() end
  local results = table.pack(pcall(f))
  session.say = say
  assert(results[1], results[2])
  return table.unpack(results, 2)
end

local function judged(kind, variant, options)
  return silently(function() return judge(kind, {program, kind, tostring(variant), "{graph.gr}", "{out}", "{source}"}, options) end)
end

it("accepts right programs, whatever their labels, parents and marks", function()
  for _, kind in ipairs(KINDS) do
    for variant = 0, 9 do
      if due() then
        local r = judged(kind, variant)
        equal({r.refused, r.graph, r.right > 50}, {0, nil, true})
      end
    end
  end
end)

it("refuses wrong ones, each with a small graph", function()
  for _, kind in ipairs(KINDS) do
    for variant = 10, 19 do
      if due() then
        local r = judged(kind, variant)
        assert(r.refused > 0 and r.graph, ("%s %d passes"):format(kind, variant))
        assert(r.graph.n <= (LARGER[variant] or 12), ("%s %d: %d vertices"):format(kind, variant, r.graph.n))
        if r.graph.m <= 60 then -- forgetting all edges beyond the 256th needs more
          local again = load("return " .. r.counterexample)()
          equal({again.n, again.m}, {r.graph.n, r.graph.m})
        end
        assert(#r.why > 0)
      end
    end
  end
end)

local function by_shell(kind, script, options)
  return silently(function() return judge(kind, {"sh", "-c", script, "sh", "{graph.gr}", "{out}"}, options) end)
end

it("says how a program ended", function()
  local r = by_shell("scc", "exit 3", {first = true, shrink = 0})
  equal({r.rows[1].verdict, r.rows[1].why:match("exit code 3") ~= nil}, {"failed", true})
  r = by_shell("scc", "echo oops >&2; exit 4", {first = true, shrink = 0})
  assert(r.rows[1].why:find("exit code 4; oops", 1, true))
  r = by_shell("scc", "kill -SEGV $$", {first = true, shrink = 0})
  assert(r.rows[1].why:find("segmentation fault", 1, true), r.rows[1].why)
  r = by_shell("scc", "sleep 100", {first = true, shrink = 0, seconds = 0.2})
  equal(r.rows[1].verdict, "late")
  assert(r.rows[1].seconds < 5)
  r = by_shell("scc", "true", {first = true, shrink = 0})
  equal(r.rows[#r.rows].verdict, "no answer")
  r = by_shell("scc", "yes > \"$2\"", {first = true, shrink = 0, seconds = 20})
  assert(r.rows[1].verdict == "failed" or r.rows[1].verdict == "late", r.rows[1].why)
end)

it("kills what a program leaves behind", function()
  local mark = folder .. "/alive"
  by_shell("scc", ("(sleep 2; echo > '%s') & exit 1"):format(mark), {first = true, shrink = 0})
  local until_ = trace.clock() + 3
  while trace.clock() < until_ do os.execute "sleep 0.2" end
  equal(io.open(mark), nil)
end)

it("takes the answer from standard output, and other formats", function()
  local count = [[awk '/^p/ {n = $3} END {for (v = 0; v < n; v++) print v}' "$1"]] -- right where no two vertices are strongly connected
  local r = silently(function() return judge("scc", {"sh", "-c", count, "sh", "{graph.gr}"}, {shrink = 5}) end)
  assert(r.right > 10 and r.refused > 10)
  equal(r.graph.n, 2)
  equal(r.graph.m, 2)
end)

it("refuses wrong arguments", function()
  local function refused(words, ...)
    local good, why = pcall(judge, ...)
    assert(not good and tostring(why):find(words, 1, true), why)
  end
  refused("expected a kind", "scx", "a")
  refused("expected a command", "scc", "")
  refused("cannot be started", "scc", "/nonexistent/program {graph.gr}")
  refused("{graph.xyz} is not known", "scc", "true {graph.xyz}")
  refused("unknown option", "scc", "true", {sise = 5})
end)

it("judges on the graphs of a folder", function()
  gen.ring(5):save(folder .. "/ring.mtx")
  local own = folder .. "/graphs"
  assert(os.execute(("mkdir '%s' && mv '%s/ring.mtx' '%s'"):format(own, folder, own)))
  local r = judged("scc", 0, {graphs = own})
  equal({r.right, r.refused, #r.rows}, {1, 0, 1})
  equal(r.rows[1].graph, "ring.mtx")
end)

os.execute(("rm -r '%s'"):format(folder))
