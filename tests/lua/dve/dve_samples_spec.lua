-- The models of samples/models have the properties that their comments state.
local folder = (arg[0]:match("^(.*)/[^/]*$") or ".") .. "/../../samples/models/"
local function of(name, parameters) return explore(model.load(folder .. name, parameters)) end
local has_m4 = os.execute("command -v m4 >/dev/null")

it("philosophers get stuck with a fork each", function()
  local r = of "philosophers.dve"
  equal({r.states, r.deadlocks, #r:trace("deadlock")}, {242, 1, 5}) -- 3^5 - 2 states and one deadlock
  local o = ocm(r.graph, {max = true})
  equal({o.p, o.q, check(o)}, {1, 1, true})
end)

it("an elevator lets people on the ground floor wait", function()
  local r = of "elevator.dve"
  local ok, run = r:check("property")
  equal(ok, false)
  equal(tostring(run):find("late.waiting", 1, true) ~= nil, true)
  local o = ocr(r.graph, {max = true})
  equal({o.p, o.q, check(o)}, {16, 31, true})
end)

it("a synchronous editor's worst load is its people's together", function()
  local r = of "editor.dve"
  equal({r.deadlocks, r.errors}, {0, 0})
  local o = ocm(r.graph, {max = true})
  equal({o.p, o.q, check(o)}, {230, 3, true})
  equal(#r:actions(o)[1].action > 60, true) -- one transition per person
end)

it("a queue serves in turn", function()
  local r = of "queue.dve"
  equal({r.states, r.deadlocks, r.errors}, {346, 0, 0})
  equal(r:trace("server.done and server->who == 2").vertex ~= nil, true)
end)

if has_m4 then
  it("clients and a server are what gen.clients makes of the same lists", function()
    for _, count in ipairs {{2, 1, 0}, {3, 2, 0}, {2, 2, 2}} do
      local list = {}
      for i, s in ipairs {
        {name = "typist", {"type", 2, time = 40}, {"check", 9, time = 30}, {"save", 12, time = 20, server = true}, {"saved", 3, time = 10, server = true}},
        {name = "reviewer", {"ask", 4, time = 10, server = true}, {"fetch", 25, time = 40, server = true}, {"read", 1, time = 150}},
        {name = "publisher", {"lay out", 30, time = 60}, {"render", 55, time = 80}, {"upload", 20, time = 60, server = true}}} do
        s.count = count[i]
        if s.count > 0 then list[#list + 1] = s end
      end
      for name, server in pairs {["server.mdve"] = true, ["clients.mdve"] = false} do
        list.server = server
        local r, g = of(name, {TYPISTS = count[1], REVIEWERS = count[2], PUBLISHERS = count[3]}), gen.clients(list)
        equal({r.states, r.transitions}, {g.n, g.m})
        for _, solve in ipairs {ocm, ocr} do
          local a, b = solve(r.graph, {max = true}), solve(g, {max = true})
          equal({a.p, a.q}, {b.p, b.q})
        end
      end
    end
  end)
end

describe("help dve", function()
  local file = assert(io.open((arg[0]:match("^(.*)/[^/]*$") or ".") .. "/../../lua/help/topics_algorithms.lua"))
  local page = file:read("a"):match("(%-%-%- Models of processes: the DVE language.-)%-%-: properties\n"):gsub("%f[^\n]%-%-%- ?", "")
  file:close()
  it("names every word and sign of the language", function()
    for word in ([[guard sync async effect process state init accept commit trans system true false and or not imply int byte const channel
      property assert cost time -> && || == != <= >= << >> < > | & ^ + - * / % ~ ! ? P.s P->x // /*]]):gmatch "%S+" do
      if not page:find(word, 1, true) then error("help dve does not name " .. word, 0) end
    end
  end)
  it("has a model and a property that can be explored", function()
    local model = page:match("  (byte paper = 4;.-)  system async;")
    local property = page:match("  (process forgotten.-system async property forgotten;)")
    with_file(".dve", model .. "system async;", function(path)
      local r = explore(_G.model.load(path))
      equal({(r:check("assert")), (r:check("deadlock")), r.complete}, {true, true, true})
    end)
    with_file(".dve", model .. property, function(path)
      equal((explore(_G.model.load(path)):check("property")), true)
    end)
    with_file(".dve", model .. property:gsub("wait %-> wait { guard clerk.waiting; }", "wait -> wait {}"), function(path)
      equal((explore(_G.model.load(path)):check("property")), false)
    end)
  end)
end)
