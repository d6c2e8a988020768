-- The worst load: from a model of processes to the cycle that proves it.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
editor = model.load((...) .. "/../models/editor.dve")
people = nil -- so that the graph view shows the state space

--- The same model with a mistake in one line.
do
  local file = assert(io.open((...) .. "/../models/editor.dve"))
  local text = file:read "a"
  file:close()
  local changed, count = text:gsub("printing %-> idle { guard chapters == 0;", "printing -> idle { guard chapters == 1;")
  assert(count == 1, "editor.dve does not have exactly one line with the guard that this lesson changes")
  local name = os.tmpname()
  local other = name .. ".dve"
  file = assert(io.open(other, "w"))
  file:write(changed)
  file:close()
  wrong = model.load(other)
  os.remove(name)
  os.remove(other)
end

--- The first actions of a result, with the states before them.
function lesson.actions(r, o, most)
  local lines, list = {}, r:actions(o) -- numbered, below a heading
  for i = 1, math.min(most, #list) do
    local states = {}
    for name in tostring(list[i].state):gmatch "%w+%.(%w+)" do states[#states + 1] = name end
    lines[i] = ("  %6d  %s%6d"):format(i, ("%-11s"):rep(#states):format(table.unpack(states)), list[i].cost)
  end
  if #list > most then lines[#lines + 1] = ("  ... %d more"):format(#list - most) end
  return table.concat(lines, "\n")
end

--- Do the actions' costs give the mean, and does the last action lead back to the first state?
function lesson.is_cycle(r, o)
  local list, sum = r:actions(o), 0
  for i, a in ipairs(list) do
    sum = sum + a.cost
    if a.to ~= list[i % #list + 1].from then return false end
  end
  return sum * o.q == o.p * #list
end

--- Has the walk taken `steps` steps at this cost?
function lesson.walked(w, steps, cost) return #w.past == steps and w.cost == cost end

--- The processes and their states in the walk's current state.
function lesson.where(w)
  local s = w:state()
  return ("writer %s, reviewer %s, publisher %s"):format(s.writer.state, s.reviewer.state, s.publisher.state)
end

--- Are the levels distances from the initial state?
function lesson.levels_are_distances(r)
  local level, at = {[0] = 0}, {0}
  for _, v in ipairs(at) do
    for to in r.graph:edges(v) do
      if not level[to] then level[to], at[#at + 1] = level[v] + 1, to end
    end
  end
  for k = 0, r.levels - 1 do
    for v = r.level[k], r.level[k + 1] - 1 do
      if level[v] ~= k then return false end
    end
  end
  return #at == r.states
end

return {
  {
    run = {"editor:show()"},
    hold = {"dve.is(editor)"},
    say = [[
An editor for documents runs on one server, and three people use it. What is the greatest load that they can put on the server's processor in the long run? If it is 100 percent or more, they saturate the server.

The file `samples/models/editor.dve` is a MODEL of them, in the DVE language: each person is a PROCESS, which is in one of its STATES, and moves to another one by a TRANSITION. A transition has a GUARD, which must be true, an EFFECT on variables, and a COST: here the percentage of the processor that the transition uses for one second. `editor:show()` has printed it. A process is a small graph: `writer = editor:automaton "writer"` returns it, with states as vertices and transitions as edges.

The last line says `system sync`: every process makes one transition in each second. (In a `system async` one process moves at a time, or a sender and a receiver together.)]],
    ask = [[At first the writer types (4), the reviewer opens a document (45), and the publisher may do nothing (0) or ask for a book (1). What is the greatest cost of the first second?]],
    answer = "4 + 45 + 1",
    hint = [[All three make a transition in the same second, so their costs are added. Where there is a choice, take the more expensive one.]],
  },
  {
    run = {"w = editor:simulate()", "w:take(1)", "w:take(1)", "w:show()"},
    hold = {"#w.past == 2", "w.cost > 0"},
    say = [[
One can walk through a model by hand. `w:show()` lists the STEPS that are possible: in a step every process makes one transition, all at the same time. Two steps have been taken, the first of the list each time, at a cost of {w.cost}: {lesson.where(w)}.

A state of the whole system says where every process is, and what all variables are. Try some steps: `w:take(2)`, `w:undo()`, and `w:show()` again. Will you find the most expensive run that goes on for ever? There are too many runs to try them all by hand.]],
    ask = [[Each person can be in several states, and has a counter. What do you think: how many states of the whole system can be reached: about 10, 500 or 50000?]],
    answer = "(function() local n = explore(editor).states return n < 70 and 10 or n < 5000 and 500 or 50000 end)()",
    hint = [[`editor:show()` prints the states of each person, and the guards that bound the counters. For each person count the pairs of a state and a value of the counter that are possible; then multiply the three numbers: that is the most that there can be.]],
  },
  {
    see = "graph",
    run = {"r = explore.levels(editor)", "people = r.graph", "r"},
    hold = {"r.complete", "r.graph.n == r.states", "r.graph.m == r.transitions", "lesson.levels_are_distances(r)"},
    say = [[
`explore.levels(editor)` has found all {r.states} states that can be reached, and all {r.transitions} steps between them: the STATE SPACE. It is a graph: its vertices are states, its edges are steps, and the weight of an edge is the cost of its step.

It was found level by level. The first level is only the initial state. The states of a level are expanded: all their steps are computed, each by a thread of its own. The states to which these steps lead are looked up in a table of known states; the new ones are the next level. There were {r.levels} levels, and from the last one no step led to a new state. `start explore.levels(editor)` and `step` show the primitives one by one.

`r.graph:label(7)` describes the state of vertex 7, and `r:trace("publisher.printing")` shows how to get to a state in which the publisher prints, in as few steps as possible.]],
    ask = [[At the greatest load the writer's round takes 6 seconds, the reviewer's 7 and the publisher's 8. After how many seconds are all three, for the first time, back in the states in which they began?]],
    answer = "6 * 7 * 8 // 2",
    hint = [[That number has to be a multiple of all three rounds. Look for the least one: it is less than their product, because two of them have a common factor.]],
  },
  {
    run = {"worst = ocm(r.graph, {max = true})", "worst"},
    hold = {"check(worst)", "lesson.is_cycle(r, worst)", "#worst.cycle == 6 * 7 * 8 // 2"},
    say = [[
People who use the editor for ever must come back to a state that they were in before, since there are only {r.states}. So in the long run they move along CYCLES of the state space, and the load is the mean cost of the steps of these cycles. No cycle has a greater mean than the one that `ocm(r.graph, {{max = true})` finds: {worst.p}/{worst.q}, that is {('%.1f'):format(worst.mean)} percent. This is the WORST SUSTAINABLE LOAD.

  second  writer     reviewer   publisher    cost
{lesson.actions(r, worst, 4)}

Why is the cycle so long? The rounds take 6, 7 and 8 seconds. Only after {(#worst.cycle)} seconds, the least common multiple of 6, 7 and 8, are all three back in the states in which they began.]],
  },
  {
    run = {"x = explore(wrong)", "x.deadlocks", 'x:trace("deadlock")'},
    hold = {"x.deadlocks > 0 and r.deadlocks == 0"},
    say = [[
A BUG TO FIND. `wrong` is the same model with one number changed in one line. It has {x.deadlocks} DEADLOCKS: states in which no step is possible, though this system should run for ever. `x:trace("deadlock")` has printed a shortest run into one of them, with its states. In a `system sync` every process must make a transition in each second: if one of them has none, nobody can move.]],
    ask = [[Which of them has no transition in the last state: the writer, the reviewer or the publisher? (`wrong:show()` prints the model.)]],
    answer = "'publisher'",
    hint = [[Look at the last state that `x:trace("deadlock")` has printed. For each person, find the transitions that leave its state there: is the guard of one of them true?]],
  },
  {
    say = [[
The publisher: it prints while chapters > 0, and goes back to idle if chapters == 1. With no chapter left neither guard is true. In the right model the second guard is chapters == 0. A search of all states finds such a mistake though nobody has thought of a test for it, and says how to get there.]],
    ask = [[And is the worst load right? To know that no step is missing in the graph, how many of its {r.states} states have to be checked once more?]],
    answer = "r.states",
    hint = [[A step could be missing at any state that was found. Is there a state that need not be checked?]],
  },
  {
    run = {"check(r)", "check(worst)"},
    hold = {"_"},
    say = [[
All of them. Is the worst load right? Two separate programs prove it. `check(r)` computes the steps of every state once more, and looks up their targets in another table: no step is missing in the graph and none is there twice. `check(worst)` proves that the cycle has that mean, and that no cycle has a greater one: it computes potentials for the states, and checks an inequality for every step (`lesson potentials` explains it).

So there is no gap in the proof: the graph has everything that the model can do, and no cycle of the graph costs more.

Now change something: in a copy of the file let the publisher print at 80 percent, `m = model.load("copy.dve")`, and do the same. Or take the clients of `samples/models/server.mdve`, as many as you like: `explore(model.load("samples/models/server.mdve", {{TYPISTS = 5, REVIEWERS = 3})).graph`. Its transitions also take time, and `ocr` with `max = true` finds the greatest ratio of cost to time. On a GPU a hundred million states take less than a second.

Two questions (`lesson answers`):

  1. The model's clients never end. What would
     the worst sustainable load be if every run
     ended after some steps?
  2. Why is the load not the mean over ALL
     steps from the beginning?]],
    answers = [[
1. There would be no cycle, so nothing goes on for ever: `ocm` finds none, and r.deadlocks counts the states in which everything has come to an end.

2. That mean includes the steps before a cycle is reached, which count less and less the longer the run is: in the limit only the cycle counts.]],
  },
}
