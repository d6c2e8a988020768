-- The worst load: from a model of processes to the cycle that proves it.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
editor = model.load((...) .. "/../models/editor.dve")
people = nil -- the graph view is to show the state space

--- The first actions of a result, with the states before them.
function lesson.actions(r, o, most)
  local lines, list = {}, r:actions(o)
  for i = 1, math.min(most, #list) do
    lines[i] = ("  %d  %s\n     %s costs %d"):format(i, list[i].state, list[i].action, list[i].cost)
  end
  if #list > most then lines[#lines + 1] = ("  ... %d more"):format(#list - most) end
  return table.concat(lines, "\n")
end

--- Do the actions' costs give the mean, and do they come back to where they began?
function lesson.is_cycle(r, o)
  local list, sum = r:actions(o), 0
  for i, a in ipairs(list) do
    sum = sum + a.cost
    if a.to ~= list[i % #list + 1].from then return false end
  end
  return sum * o.q == o.p * #list
end

--- Has the walk taken so many steps, and at that cost?
function lesson.walked(w, steps, cost) return #w.past == steps and w.cost == cost end

--- The processes and their states, of the walk's present state.
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
An editor for documents runs on one server, and three people use it. How much of the server's processor can they use up, in the long run, at worst? If it is 100 percent or more, they saturate the server.

The file `samples/models/editor.dve` is a MODEL of them, in the DVE language: each person is a PROCESS, which is in one of its STATES, and goes on by a TRANSITION. A transition has a GUARD, which must be true, an EFFECT on variables, and a COST: here the percent of the processor that is used in that second. `editor:show()` has printed it. A process is a small graph: `writer = editor:automaton "writer"` makes it, with states as vertices and transitions as edges.

The last line says `system sync`: everybody makes one transition in each second. (In a `system async` one process moves at a time, or a sender and a receiver together.)]],
  },
  {
    run = {"w = editor:simulate()", "w:take(1)", "w:take(1)", "w:show()"},
    hold = {"#w.past == 2", "w.cost > 0"},
    say = [[
One can walk through a model by hand. `w:show()` lists the STEPS that are possible: a step is one transition of every process together. Two steps have been taken, the first of the list each time, at a cost of {w.cost}: {lesson.where(w)}.

A state of the whole system says where every process is, and what all variables are. Try some steps: `w:take(2)`, `w:undo()`, and `w:show()` again. Will you find the dearest way to go on for ever? There are too many ways to try them all by hand.]],
  },
  {
    see = "graph",
    run = {"r = explore.levels(editor)", "people = r.graph", "r"},
    hold = {"r.complete", "r.graph.n == r.states", "r.graph.m == r.transitions", "lesson.levels_are_distances(r)"},
    say = [[
`explore.levels(editor)` has found all {r.states} states that can be reached, and all {r.transitions} steps between them: the STATE SPACE. It is a graph: its vertices are states, its edges are steps, and the weight of an edge is the cost of its step.

It was found level by level. The first level is the initial state alone. A level's states are expanded: all their steps are computed, each by a thread of its own. What the steps lead to is looked up in a table of known states; what is new there is the next level. There were {r.levels} levels, and after the last one nothing was new. `start explore.levels(editor)` and `step` show every row of it.

`r.graph:label(7)` says in words what vertex 7 is, and `r:trace("publisher.printing")` how one gets to a state in which the publisher prints, by as few steps as possible.]],
  },
  {
    run = {"worst = ocm(r.graph, {max = true})", "worst"},
    hold = {"check(worst)", "lesson.is_cycle(r, worst)", "#worst.cycle == 6 * 7 * 8 // 2"},
    say = [[
People who use the editor for ever must come back to a state that they were in before, since there are only {r.states}. So in the long run they go round CYCLES of the state space, and the load is the mean cost of the steps of these cycles. No cycle has a greater mean than the one that `ocm(r.graph, {{max = true})` finds: {worst.p}/{worst.q}, that is {('%.1f'):format(worst.mean)} percent. This is the WORST SUSTAINABLE LOAD.

{lesson.actions(r, worst, 4)}

Why is the cycle so long? At this load the writer's round takes 6 seconds, the reviewer's 7 and the publisher's 8. They are all where they began only after {(#worst.cycle)} seconds, the least number that 6, 7 and 8 divide.]],
  },
  {
    run = {"check(r)", "check(worst)"},
    hold = {"_"},
    say = [[
Is it true? Two proofs, by programs of their own. `check(r)` computes the steps of every state once more and looks up where they lead in another table: nothing is missing in the graph and nothing is there twice. `check(worst)` shows that the cycle has that mean, and that none has a greater one: it gives every state a potential by which no step costs more than the mean (lesson 4 tells how).

So the chain has no gap: from the text of the model, over all that can happen, to the worst that can go on for ever.

Now change something: in a copy of the file let the publisher print at 80 percent, `m = model.load("copy.dve")`, and do the same. Or take the clients of `samples/models/server.mdve`, as many as you like: `explore(model.load("samples/models/server.mdve", {{TYPISTS = 5, REVIEWERS = 3})).graph`. Its transitions also take time, and `ocr` finds the greatest ratio of cost and time. On a GPU a hundred million states take less than a second.

Two questions (`lesson answers`):

  1. The model's clients never end. What would the worst sustainable load
     be if every run ended after some steps?
  2. Why is the mean over ALL steps from the beginning on not what is
     wanted?]],
    answers = [[
1. There would be no cycle, so nothing goes on for ever: `ocm` finds none, and r.deadlocks counts the states in which everything has come to an end.

2. What happens at first, before a cycle is reached, is part of that mean, but weighs less and less the longer one looks: in the limit only the cycle counts.]],
  },
}
