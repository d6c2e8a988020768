-- State spaces of DVE models, and manual simulation of a model step by step. Models are processes whose transitions have costs and
-- times: Barnat, Bauch, Brim, Ceska 2011, section 2.2. The functions dve.* are bindings in C (src/lua/dve/l_dve.c).

local algorithm = import "base/algorithm"
local cycle = import "cycles/cycle"
import "dve/levels"
import "dve/levels_ranks"

local count = algorithm.counted

local function need_model(m, name)
  if not dve.is(m) then error(("%s: expected a model of processes (model.load), got %s"):format(name, type(m) == "userdata" and tostring(m) or type(m)), 3) end
end

-- Calls f(...) and returns its results; an error that it raises is raised again at the line of the user's call, `level` levels up.
local function from_c(level, f, ...)
  local out = table.pack(pcall(f, ...))
  if out[1] then return table.unpack(out, 2, out.n) end
  error(type(out[2]) == "string" and algorithm.without_place(out[2]) or out[2], level)
end

-- --- paths and cycles of a space ---

local path = {__name = "trace"}

local function line(number, step)
  local worth = ""
  if step.cost then worth = worth .. " cost " .. step.cost end
  if step.time then worth = worth .. " time " .. step.time end
  return ("  %4s  %-40s%s  %s"):format(number, step.action, worth, step.change)
end

local function show_path(p)
  local lines = {p.title, ("  %4d  %s"):format(0, p.start)}
  for i, step in ipairs(p) do lines[#lines + 1] = line(i, step) end
  return table.concat(lines, "\n")
end
path.__tostring = show_path
path.__index = function(_, key)
  if key == "show" then return function(self) session.say(show_path(self)) end end
end

-- Describes what changes in a step; for a step to the error state also why it leads there. which: the number of this step among the
-- steps from `before` to the error state, from 1.
local function change(m, before, after, which)
  local text = dve.change(m, before, after)
  local why = text == "error" and dve.why(m, before, which)
  return why and "error: " .. why or text
end

-- The step from u to v: `which` selects one of several, from 0; e is its edge in the graph, or nil.
local function step_between(r, u, v, which, e)
  local g = r.graph
  return {from = u, to = v, action = r.space:move(u, v, which) or "?", change = change(r.model, r.space:packed(u), r.space:packed(v), which + 1),
    cost = e and g.w and g.w[e] or nil, time = e and g.t and g.t[e] or nil}
end

-- The first edge from u to v.
local function edge_between(g, u, v)
  if not g then return nil end
  for e = g.off[u], g.off[u + 1] - 1 do
    if g.to[e] == v then return e end
  end
end

-- A shortest run from the initial state to state v.
local function run_to(r, v, title)
  local states = {v}
  while r.space:parent(states[#states]) do states[#states + 1] = r.space:parent(states[#states]) end
  local p = {title = title, vertex = v, start = dve.text(r.model, r.space:packed(0))}
  for i = #states, 2, -1 do
    local u, to = states[i], states[i - 1]
    p[#p + 1] = step_between(r, u, to, 0, edge_between(r.graph, u, to))
  end
  return setmetatable(p, path)
end

-- --- results ---

-- The text for an answer that is unknown because some states are not expanded.
local function not_known(r) return ("not known: %s not expanded"):format(count(r.frontier, "state is", "states are")) end

local methods = {}

local state = {__name = "state"}
local lines_of = setmetatable({}, {__mode = "k"})
state.__tostring = function(s) return lines_of[s] end

local function state_of(m, packed)
  local s = setmetatable(dve.decode(m, packed), state)
  lines_of[s] = dve.text(m, packed)
  return s
end

--- The state of vertex v: its variables by name, its processes as tables with `state` and their own variables. It
--- prints as one line.
---   s = r:state(7)   s.turn   s.P.state   s.P.j
function methods:state(v) return state_of(self.model, self.space:packed(v)) end

-- The graph; an error if only states were explored.
local function need_graph(r, what)
  if not r.graph then error(what .. ": only states were explored (edges = false): there is no graph", 3) end
  return r.graph
end

--- A shortest run to a state: the first state in which an expression over the model's variables holds (P.s: process P is in
--- state s; P->x: its variable x), the first "deadlock", the "error" state, or a vertex (its number). It prints as one line per
--- step. Returns nil if no such state can be reached; nil and a text if that is unknown because r is not complete.
---   r:trace("turn == 2 and P.wait")   r:trace("deadlock")
function methods:trace(what)
  if math.type(what) == "integer" then return run_to(self, what, ("a shortest run to state %d:"):format(what)) end
  if type(what) ~= "string" then error(("trace: expected an expression or a vertex, got %s"):format(type(what)), 2) end
  local v
  if what == "deadlock" then
    if self.deadlocks > 0 then v = self.deadlocked[0] end
  elseif what == "error" then
    v = self.error
  else
    v = from_c(3, self.space.find, self.space, what)
  end
  if not v and not self.complete then return nil, not_known(self) end
  if not v then return nil end
  local steps = run_to(self, v)
  steps.title = ("a shortest run to %s: %s to state %d"):format(what, count(#steps, "step"), v)
  return steps
end

--- A run that the property process accepts: it passes through an accepting state infinitely often. Returns the run p to such a
--- state, followed by the steps of a cycle back to it; p.steps is the number of steps before the cycle, p.cycle the cycle's edges.
--- nil if there is no such run; nil and a text if that is unknown because r is not complete.
function methods:accepting()
  local g = need_graph(self, "accepting")
  local v, edges = self.space:lasso(g)
  if not v and not self.complete then return nil, not_known(self) end
  if not v then return nil end
  local p = run_to(self, v)
  p.title = ("an accepting run: %s to state %d, then a cycle of %d"):format(count(#p, "step"), v, #edges)
  p.cycle = edges
  p.steps = #p
  for _, step in ipairs(self:actions(edges)) do p[#p + 1] = step end
  return p
end

--- Does a property hold? "assert": the model's assertions; "deadlock": every state has a step; "error": no step leads to the
--- error state; "property": the property process accepts no run. Returns true; or false and a run that is a counterexample; or nil
--- and the text "not known: N states are not expanded", if no counterexample was found but the space is not complete. For a model
--- without assertions, "assert" is true, with a note on standard error; "property" needs a property process.
---   ok, why = r:check("assert")
function methods:check(what)
  local p
  local assertions, property = dve.claims(self.model)
  if what == "assert" then
    if assertions == 0 then
      io.stderr:write("(nothing to check: the model has no assert)\n")
      return true
    end
    local v, assertion = self.space:violation()
    if v then p = run_to(self, v, "violated: " .. assertion) end
  elseif what == "deadlock" or what == "error" then
    p = self:trace(what)
  elseif what == "property" then
    if not property then
      error('check: the model has no property process; its last line should be `system async property NAME;` (see help dve)', 2)
    end
    p = self:accepting()
  else
    error(('check: expected "assert", "deadlock", "error" or "property", got %s'):format(tostring(what)), 2)
  end
  if p then return false, p end
  if not self.complete then return nil, not_known(self) end
  return true
end

local actions = {__name = "actions", __tostring = function(list)
  local out = {}
  for i, step in ipairs(list) do
    out[#out + 1] = "        " .. step.state
    out[#out + 1] = line(i, step)
  end
  return table.concat(out, "\n")
end}

--- The steps of a cycle or a path with the states that they pass. edges: a result of ocm or ocr, its r.cycle, or any list of
--- edges of the graph. Returns a list of {edge =, from =, to =, action =, cost =, time =, state =, change =}.
---   r:actions(ocm(r.graph, {max = true}))
function methods:actions(edges)
  local g = need_graph(self, "actions")
  if type(edges) == "table" and rawget(edges, "graph") then
    if not edges.cycle then return setmetatable({}, actions) end
    edges, g = edges.cycle, edges.graph
  end
  if type(edges) == "table" then edges = buffer.new("u32", edges) end
  local list = {}
  for i, s in ipairs(cycle.steps {graph = g, cycle = edges}) do
    list[i] = {edge = s.edge, from = s.from, to = s.to, action = s.action, cost = g.w and s.weight, time = g.t and s.time,
      state = tostring(g:label(s.from)), change = g == self.graph and dve.change(self.model, self.space:packed(s.from), self.space:packed(s.to)) or ""}
  end
  return setmetatable(list, actions)
end

local function in_units(bytes)
  if bytes < 1 << 20 then return ("%d KiB"):format(bytes >> 10) end
  return ("%d MiB"):format(bytes >> 20)
end

local function stop_line(r)
  local bound = r.stopped == "interrupted" and "Ctrl-C"
    or r.stopped == "states" and "the bound of " .. count(r.bounds.states, "state")
    or r.stopped == "memory" and "the memory bound of " .. in_units(r.bounds.bytes) or "2^32 edges"
  return ("stopped %s %s: %s not yet expanded, from level %d on"):format(r.stopped == "interrupted" and "by" or "at", bound, count(r.frontier, "state is", "states are"), r.waits)
end

local function show(r)
  local lines = {("%s: %s, %s, %s"):format(r.name, count(r.states, "state"), count(r.transitions, "transition"), count(r.levels, "level"))}
  lines[#lines + 1] = ("  %s%s%s; %d bits for each state"):format(count(r.deadlocks, "deadlock"), r.complete and "" or " so far",
    r.errors > 0 and ", " .. count(r.errors, "step leads", "steps lead") .. " to the error state" or "", 32 * r.words)
  if not r.complete then
    lines[#lines + 1] = "  " .. stop_line(r) .. ":"
    for v = r.states - r.frontier, math.min(r.states - r.frontier + 3, r.states - 1) do
      lines[#lines + 1] = ("  %8d  %s"):format(v, dve.text(r.model, r.space:packed(v)))
    end
    if r.frontier > 4 then lines[#lines + 1] = ("  ... %d more"):format(r.frontier - 4) end
  end
  return table.concat(lines, "\n")
end

--- Prints how much was explored and, if the search stopped early, the first states that were not expanded.
function methods:show() session.say(show(self)) end

local result = {__name = "state space", __tostring = show, __methods = methods}
algorithm.kinds["state space"] = methods
function result.__record(r)
  local out = {}
  for _, name in ipairs {"kind", "name", "graph", "variant", "compiled", "states", "transitions", "levels", "deadlocks", "errors", "error", "expanded",
    "complete", "stopped", "bounds", "words", "bytes"} do
    out[name] = rawget(r, name)
  end
  out.unexpanded = r.frontier
  return out
end
result.__index = function(r, key)
  if methods[key] then return methods[key] end
  if key == "space" and rawget(r, "bring") then -- the states are distributed over the ranks: all ranks must read r.space
    r.space, r.bring = r.bring(), nil
    return rawget(r, key)
  elseif key == "deadlocked" then
    r.deadlocked = r.space:deadlocks()
    return rawget(r, key)
  elseif key == "level" then
    r.level = r.space:levels()
    return rawget(r, key)
  end
end

-- model -> its compiled functions for the CPU
local makers = setmetatable({}, {__mode = "k"})
local function maker_of(m)
  makers[m] = makers[m] or dve.compile(m)
  return makers[m]
end

--- dve.search(m, states, bytes, edges, compiled): calls dve.explore; if `compiled` is true, the model is first compiled to machine code.
function dve.search(m, states, bytes, edges, compiled)
  return dve.explore(m, states, bytes, edges, compiled and maker_of(m) or nil)
end

-- Checks the options, explores with f (dve.search, dve.levels or dve.ranks), and returns the result.
local function explored(name, f, m, options)
  need_model(m, name)
  local o = algorithm.options(name, options, {bound = {least = 0, what = "a number of states", default = 0}, memory = "bytes",
    edges = {kind = "flag", default = true}, compiled = {kind = "flag", default = false}})
  local bytes = o.memory and algorithm.bytes(o.memory) or 0
  local kept <close> = f == dve.search and session.keep() or nil
  local space, g, numbers, bring = from_c(3, f, m, o.bound, bytes, o.edges, o.compiled)
  local r = {}
  for field, x in pairs(numbers or space:numbers()) do r[field] = x end
  r.kind, r.model, r.space, r.graph, r.name, r.bring = "explore", m, space, g, m:name():match "[^/]*$", bring
  r.variant = f == dve.ranks and "ranks" or f == dve.levels and "levels" or "search"
  r.complete, r.frontier = r.stopped == "complete", r.states - r.expanded
  r.compiled = o.compiled
  r.bounds = {states = o.bound, bytes = bytes > 0 and bytes or r.bytes}
  if r.complete then
    r.stopped = nil
  else
    local begins = space:levels()
    r.waits = 0
    while begins[r.waits + 1] <= r.expanded do r.waits = r.waits + 1 end
    io.stderr:write(stop_line(r), "\n")
  end
  return setmetatable(r, result)
end

local explore = {}

--- explore.search(m [, options]): explore by the search in C, on all threads of the CPU.
function explore.search(m, options) return explored("explore.search", dve.search, m, options) end

--- explore.levels(m [, options]): explore by primitives, on the current device, so that it can be stepped: a level is an iteration,
--- and in it these primitives run: dve_degrees, dve_expand, dve_look_up, dve_fresh, dve_keep, dve_connect. A state may take at most
--- 64 words of 32 bits.
function explore.levels(m, options) return explored("explore.levels", dve.levels, m, options) end

--- explore.ranks(m [, options]): explore by primitives on all ranks together: the hash of a state determines the rank that owns it.
--- The graph is the same as that of one rank. memory limits what each rank uses for the search. All ranks get the whole result; but
--- with edges = false each keeps only its own states until r:trace, r:state or another method that reads states is called, which all
--- ranks have to call.
function explore.ranks(m, options) return explored("explore.ranks", dve.ranks, m, options) end

--- explore(m [, options]): the state space of a DVE model, by breadth-first search. The result r has r.graph, whose vertices are
--- the states (0: the initial one) and whose edges are the steps, with weights if the model has costs and times if it has times;
--- g:label(v) is the name of a state, g:move(u, v) that of a step. r.states, r.transitions, r.deadlocks, r.levels and r.errors
--- (steps to the error state, which is vertex r.error) are counts; r.deadlocked is the list of the states without a step, r.level
--- the first state of each level (both u32 buffers). Options:
---   bound = 1000000      the most states
---   memory = "2 GiB"     the most bytes; two thirds of the free memory by default
---   edges = false        only states: no graph
---   compiled = true      translates guards and effects to C and compiles them first (about a second); by default they are
---                        interpreted as bytecode, which needs no compiler. Both make the same graph
--- If a limit is reached, r.complete is false and r.frontier states are not expanded. Ctrl-C at the prompt has the same effect: it
--- keeps the states so far (not with several ranks). Results computed from such a graph hold only for the explored part, and say
--- so: r.unexpanded, g.unexpanded. On CUDA it runs explore.levels, on a CPU explore.search, and with several ranks explore.ranks
--- (r.variant says which). All make the same graph, on any device and with any number of threads and ranks.
---   r = explore(model.load(model.sample "philosophers.dve"))   r:trace("deadlock")
setmetatable(explore, {__call = function(_, m, options)
  local rows = dve.is(m) and #dve.initial(m) <= 4 * dve.MOST_WORDS
  return explored("explore", rows and ranks.count > 1 and dve.ranks or rows and not algorithm.on_cpu() and dve.levels or dve.search, m, options)
end})

-- --- manual simulation ---

local walk = {}

local function reach(w, packed)
  w.now = packed
  w.steps = dve.steps(w.model, packed)
end

-- The list of texts of what each possible step changes.
local function changes_of(w)
  local list, errors = {}, 0
  for i, s in ipairs(w.steps) do
    list[i] = change(w.model, w.now, s.state, errors + 1)
    if list[i]:find "^error" then errors = errors + 1 end
  end
  return list
end

local function show_walk(w)
  local out = {("after %s, cost %d, time %d:"):format(count(#w.past, "step"), w.cost, w.time), "  " .. dve.text(w.model, w.now)}
  local changes = changes_of(w)
  for i, s in ipairs(w.steps) do
    out[#out + 1] = line(i, {action = s.action, change = changes[i], cost = s.cost ~= 0 and s.cost or nil,
      time = s.time ~= 1 and s.time or nil})
  end
  if #w.steps == 0 then out[#out + 1] = "  no step is possible" end
  if #w.past == 0 then out[#out + 1] = "w = m:simulate(); then w:take(1) takes a step, w:undo() takes it back" end
  return table.concat(out, "\n")
end

--- Prints the state and the possible steps, with their numbers.
function walk:show() session.say(show_walk(self)) end

--- The possible steps: a list of {action =, cost =, time =, change =}.
function walk:enabled()
  local list, changes = {}, changes_of(self)
  for i, s in ipairs(self.steps) do
    list[i] = {action = s.action, cost = s.cost, time = s.time, change = changes[i]}
  end
  return list
end

--- Takes the i-th possible step (from 1); with several numbers, one step after the other. Returns the walk.
function walk:take(...)
  for _, i in ipairs {...} do
    local s = self.steps[i]
    if not s then error(("take: expected a step from 1 to %d, got %s"):format(#self.steps, tostring(i)), 2) end
    self.past[#self.past + 1] = {state = self.now, cost = s.cost, time = s.time, action = s.action}
    self.cost, self.time = self.cost + s.cost, self.time + s.time
    reach(self, s.state)
  end
  return self
end

--- Undoes the last step, or the last k steps. Returns the walk.
function walk:undo(k)
  for _ = 1, k or 1 do
    local last = table.remove(self.past)
    if not last then error("undo: this is the initial state", 2) end
    self.cost, self.time = self.cost - last.cost, self.time - last.time
    reach(self, last.state)
  end
  return self
end

--- The state: its variables by name, its processes as tables with `state` and their own variables.
function walk:state() return state_of(self.model, self.now) end

algorithm.kinds.walk = walk
local walking = {__index = walk, __name = "walk", __tostring = show_walk, __methods = walk}

-- --- models ---

--- Prints the model: its processes as automata, its channels, and the layout of a state.
function dve.methods:show()
  local text = dve.describe(self)
  local process = text:match("\nprocess ([^:\n]+):") or text:match("\nproperty process ([^:\n]+):")
  session.say(process and ('%sm:automaton "%s" makes a graph of a process, which the panel draws'):format(text, process) or text)
end

--- A process as a graph: its states are the vertices, its transitions the edges, in the order of the text. g:label(v) is the
--- name of a state, g:move(u, v) the text of the transition's clauses ("always" if it has none), and g:move(u, v, 1) that of
--- the second transition from u to v. The edges have the costs as weights if all costs of the process are constants; times likewise.
--- All functions for graphs accept this graph.
---   a = m:automaton "server"   scc(a).count   a:label(0), a:move(0, 1)
function dve.methods:automaton(process)
  if type(process) ~= "string" then error(("automaton: expected the name of a process, got %s"):format(type(process)), 2) end
  return from_c(2, dve.automaton, self, process)
end

--- The model's origin: the path of its file.
function dve.methods:name() return dve.name(self) end

--- A manual simulation of the model, step by step from its initial state: w:show(), w:enabled(), w:take(2), w:undo(), w:state().
function dve.methods:simulate()
  local w = setmetatable({model = self, past = {}, cost = 0, time = 0}, walking)
  reach(w, dve.initial(self))
  return w
end

return explore
