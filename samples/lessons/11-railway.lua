-- A timetable in max-plus algebra: the Kleene star of a small railway.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
lesson.on_cpu()
town = nil

local NONE = -0x80000000 -- there is no way

--- The events of this railway, by number, and the least times between them: {from, to, minutes at least}.
lesson.events = {[0] = "the morning begins", "train A leaves Aberg", "train B leaves Bek", "train A comes to Mitte",
  "train B comes to Mitte", "train C leaves Mitte", "train D leaves Mitte", "train C comes to Celle", "train D comes to Dorf",
  "the last bus leaves Celle"}
railway = graph.from_edges {{0, 1, 5}, {0, 2, 0}, {1, 3, 40}, {2, 4, 52}, {3, 5, 4}, {4, 5, 4}, {3, 6, 6}, {5, 7, 30}, {6, 8, 25},
  {7, 9, 10}, {8, 9, 35}, name = "railway"}

--- The same timetable with a typing mistake.
typed = graph.from_edges {{0, 1, 5}, {0, 2, 0}, {1, 3, 40}, {4, 2, 52}, {3, 5, 4}, {4, 5, 4}, {3, 6, 6}, {5, 7, 30}, {6, 8, 25},
  {7, 9, 10}, {8, 9, 35}, name = "typed"}

--- The events with their times from a vector, one per line.
function lesson.timetable(times)
  local lines = {}
  for v = 0, railway.n - 1 do lines[#lines + 1] = ("  %3s  %s"):format(times(v) == NONE and "-" or times(v), lesson.events[v]) end
  return table.concat(lines, "\n")
end

--- A path's events, one per line.
function lesson.chain(list)
  local lines = {}
  for i, v in ipairs(list) do lines[i] = "  " .. v .. "  " .. lesson.events[v] end
  return table.concat(lines, "\n")
end

--- How late event v may be without delaying the last event.
function lesson.slack(v) return r:get(0, 9) - r:get(0, v) - r:get(v, 9) end

function lesson.slacks()
  local out = {}
  for v = 1, 8 do out[#out + 1] = ("%d: %d"):format(v, lesson.slack(v)) end
  return table.concat(out, "   ", 1, 4) .. "\n  " .. table.concat(out, "   ", 5)
end

return {
  {
    see = "graph",
    run = {"railway", "r = kleene(railway)", "r.matrix"},
    hold = {"r:get(0, 3) == 45", "r:get(0, 5) == 56", "r:get(3, 4) == -0x80000000"},
    say = [[
This graph is a small railway. Its vertices are events:

{lesson.timetable(function(v) return v end)}

An edge from u to v of weight w means: v happens at least w minutes after u. Train A takes 40 minutes from Aberg to Mitte; train C leaves Mitte at least 4 minutes after the arrival of A, and 4 after that of B, so that people can change trains.

When can train C leave? A can be in Mitte at {r:get(0, 3)}, B at {r:get(0, 4)}. C waits for the LATER of the two: the maximum of {r:get(0, 3)} + 4 and {r:get(0, 4)} + 4. Waiting for several things is a maximum, and one thing after the other is a sum. The algebra with these two in place of sum and product is called MAX-PLUS.

You have computed the KLEENE STAR of the graph's matrix: row i, column j is the greatest weight of all paths from i to j; a dot means that there is no path.]],
    ask = [[At which minute can train C leave Mitte at the earliest?]],
    answer = "math.max(r:get(0, 3) + 4, r:get(0, 4) + 4)",
    hint = [[C waits for both trains. Add the minutes for changing to each of the two arrivals, and take the later time.]],
  },
  {
    run = {"r.matrix:slice(0, 1)"},
    hold = {"r:get(0, 9) == 111", "r:get(0, 8) == 76"},
    say = [[
Row 0 is the EARLIEST TIMETABLE: how many minutes after the beginning each event can happen. Every path from 0 to the event is a chain of events that wait for each other, and the longest path decides:

{lesson.timetable(function(v) return r:get(0, v) end)}

A shortest path is of no use here: it would let train C leave without the people of the slower train.]],
    ask = [[Which path decides when the last bus leaves? Give the numbers of its events from 0 to 9.]],
    answer = "table.concat(r:path(0, 9), ' ')",
    hint = [[Event v is on this path if the greatest weight from 0 to v plus the greatest weight from v to 9 is the greatest weight from 0 to 9. So add r:get(0, v) and r:get(v, 9) for each event.]],
  },
  {
    run = {"r:path(0, 9)"},
    hold = {"#_ == 6", "lesson.slack(3) == 0", "lesson.slack(4) == 15"},
    say = [[
Which path decides when the last bus leaves? `r:path(0, 9)` returns it:

{lesson.chain(_)}

This is the CRITICAL PATH: if one of these events is a minute late, the bus is a minute late. Other events may be late without harm. How late? Event v happens at r:get(0, v) at the earliest, and the bus leaves at least r:get(v, 9) minutes after v. What remains of the {r:get(0, 9)} minutes is the SLACK of v:

  {lesson.slacks()}

To make the bus leave earlier, a train on the critical path has to be faster.]],
    ask = [[Train B comes to Mitte 20 minutes late today. Its slack is {lesson.slack(4)} minutes. How many minutes late will the bus be?]],
    answer = "20 - lesson.slack(4)",
    hint = [[The slack is the delay that does no harm. The bus is late only by the rest.]],
  },
  {
    run = {"late = r.matrix:slice(0, 1)", "late[4] = late[4] + 20", "today = product(late, r.matrix, {semiring = 'max-plus'})", "today"},
    hold = {"today[4] == 72", "today[5] == 76", "today[9] == 116", "today[3] == r:get(0, 3)"},
    say = [[
Train B is 20 minutes late today: it comes to Mitte at {today[4]}. What follows? Take the row of times with this one changed, `late`, and multiply it by the star: each event j happens at the maximum over all i of late[i] + r:get(i, j). That is a product of matrices over max-plus, and it gives the new timetable at once:

{lesson.timetable(function(v) return today[v] end)}

The bus leaves {today[9] - r:get(0, 9)} minutes later than planned, and not 20: the rest was slack. The star is computed once; each such question takes one product.]],
  },
  {
    run = {"wrong = kleene(typed)", "check(wrong)"},
    hold = {"_ == true", "wrong:get(0, 4) == -0x80000000", "wrong:get(0, 5) == 49"},
    say = [[
A BUG TO FIND. Somebody has typed the railway anew (`typed`), and `kleene` has computed its star. `check` proves the result right: the mistake is in the DATA. This is the timetable that comes out (a dash: no path leads there from event 0):

{lesson.timetable(function(v) return wrong:get(0, v) end)}

Train C leaves at {wrong:get(0, 5)}, before train B is there.]],
    ask = [[Somebody typed one edge in the wrong direction. Between which two events is it? (`typed:edges(v)` and `typed:neighbors(v)` show where edges lead.)]],
    answer = "'2 and 4'",
    hint = [[One event has no time, because nothing leads to it any more: which event should come just before it? `typed:neighbors(v)` of these two events shows in which direction the edge was typed.]],
  },
  {
    run = {"start kleene(railway)", "tbreak kleene_update", "continue"},
    hold = {"v == 9", "i > 0"},
    say = [[
Between 2 and 4: the edge of train B's journey leads from its arrival to its departure. So no edge leads to event 4 any more, and it has no earliest time. A proof of a result says nothing about the data. A result that looks wrong is often the first sign of a mistake in the data.

How is the star computed? You have started Goto's algorithm (2011), in his form for GPUs. A timetable has no cycles, so events can be put into an order in which all edges lead forward; `order_level` finds it level by level: first the events that wait for nothing, then those that wait only for these, and so on.

Then `kleene_update` processes the vertices from the last to the first, as it has just done with event {v}: for every edge u -> {v}, the row of u is improved by the paths that begin with this edge: K[u] = max(K[u], w + K[{v}]), for all columns at the same time. Since the rows of all later vertices are final by then, every edge is needed only once.]],
  },
  {
    run = {"continue", "web = gen.dag{n = 600, m = 4000, seed = 1, weights = 'i32', lo = 1, hi = 9}", "big = kleene(web)", "check(big)",
      "slow = kleene(web, {form = 'updates'})"},
    hold = {"big.matrix:diff(slow.matrix) == 0", "big.variant == 'blocked'"},
    say = [[
One row per edge is too little work for a GPU. The fast form orders the matrix topologically: then it is upper TRIANGULAR, since no edge leads back. It is computed tile by tile, as in `lesson tiles`, but with only a sixth of the work of Floyd and Warshall's algorithm: n^3 / 6 updates. `kleene(g)` takes this form unless the run is stepped. Both forms have just computed the same matrix for a graph of {web.n} vertices.

With a cycle there is no earliest timetable: if trains wait for each other in a circle, each of them waits for itself. `kleene` says so and names the cycle. Then the question is a different one: after how many minutes can the whole timetable repeat? The answer is the greatest cycle mean, which `ocm(g, {{max = true})` computes (`lesson policy-iteration` is about the least cycle mean).

Three questions (`lesson answers` has the answers):

  1. Train C does not wait for train B any
     more. What changes in the graph, and
     what in the timetable?
  2. Which elements of the matrix show that
     train D does not depend on train B?
  3. `closure` over min-plus gives
     distances. What would they mean for
     this railway?]],
    answers = [[
1. The edge from event 4 to event 5 is removed. C then leaves at 49, 4 minutes after A, and arrives at Celle at 79, 7 minutes earlier.

2. Row 2 (B leaves) and row 4 (B arrives at Mitte) have a dot in the columns 6 and 8: there is no path from B's events to D's.

3. The shortest path from one event to another: when an event could happen if each event waited only for the first of its predecessors. That is no timetable, but a lower bound: no event can be earlier.]],
  },
}
