-- Communicating processes: state spaces, traces, properties, walks, the worst cycle.
local m = model.load(model.sample "philosophers.dve")
m:show()
local r = explore(m)
assert(r.states == 242 and r.transitions == 805 and r.deadlocks == 1 and r.complete and r.graph.n == 242)
assert(#r.level > 1 and r.errors == 0 and #r.deadlocked == 1 and check(r))
local run = r:trace "deadlock"
assert(run.vertex == r.deadlocked[0])
assert(r:trace "plato.eating" and r:state(0).plato.state == "thinking")
local ok, why = r:check "deadlock"
assert(ok == false and why)
for _, f in ipairs{explore.search, explore.levels, explore.ranks} do assert(f(m).states == 242) end
local part = explore(m, {bound = 100, edges = false})
assert(not part.complete and part.frontier > 0)

local c = ocm(r.graph, {max = true})
local steps = r:actions(c)
assert(#steps == #c.cycle and steps[1].action and steps[1].cost)

local a = m:automaton "plato"
assert(a.n == 4 and a:label(0) == "thinking" and scc(a).count == 1 and a:move(0, 1))
local w = m:simulate()
assert(#w:enabled() == 5 and w:take(1):state() ~= nil)
w:undo()
w:show()

local f = assert(io.open("door.dve", "w"))
f:write [[
byte opened;
process door {
  state shut, open;
  init shut;
  assert open: opened == 1;
  trans
    shut -> open { guard opened < 3; effect opened = 1; time 2; cost 5; },
    open -> shut { effect opened = 0; time 1; };
}
process stuck { state q, bad; init q; accept bad; trans q -> q {}, q -> bad { guard opened == 1; }, bad -> bad { guard opened == 1; }; }
system async property stuck;
]]
f:close()
local d = explore(model.load "door.dve")
assert(d:check "assert" == true and d:check "error" == true and d:check "property" == true)
assert(d:accepting() == nil and ocr(explore(model.load(model.sample "server")).graph))
local typists = model.load(model.sample "server.mdve", {TYPISTS = 1, REVIEWERS = 1})
assert(explore(typists).states > 1)
