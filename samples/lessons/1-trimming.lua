-- Trimming: how a graph is eaten from its ends.

lesson = assert(loadfile((...) .. "/common.lua"))(...)

--- Does every live vertex have a live one before it and a live one behind it?
function lesson.held(g, s)
  local before, behind = {}, {}
  for v, mark in pairs(s.mark) do
    if mark ~= lesson.SETTLED then
      for to in g:edges(v) do
        if to ~= v and s.mark[to] ~= lesson.SETTLED then before[to], behind[v] = true, true end
      end
    end
  end
  for v, mark in pairs(s.mark) do
    if mark ~= lesson.SETTLED and not (before[v] and behind[v]) then return false end
  end
  return true
end

return {
  {
    see = "graph",
    run = {"town"},
    hold = {"town.n == 13", "lesson.components(town) == 9", "lesson.singles(town) == 7"},
    say = [[
This is a small town of one-way streets, with {town.n} crossings, the vertices, and {town.m} streets, the edges.

  9 > 8 > 7 > (0 > 1 > 2) > 6
            > (3 > 4 > 5) > 10 > 11 > 12

The two brackets are roundabouts: from 2 one comes to 0 again, and from 5 to 3.

Two crossings belong together if one can drive from each of them to the other. The groups that come of this are the STRONGLY CONNECTED COMPONENTS of the graph: 0, 1 and 2 are one, and 3, 4 and 5 are another. Who leaves 9 never comes back to it, so 9 is a component all by itself. This town has {(lesson.components(town))} components, and {lesson.singles(town)} of them are single vertices.

A search could find out about each vertex, but searches cost time. TRIMMING finds most of the single ones without any search. It goes by one observation: to be together with another vertex, one must be able to leave and to come back. So a vertex that nothing enters, or that nothing leaves, is alone.]],
  },
  {
    see = "graph",
    run = {"start scc.forward_backward(town)", "step"},
    hold = {"trimmed > 0", "lesson.count_gone(s) == trimmed", "lesson.named(s, true)", "s.mark[9] == 0xffffffff", "s.mark[12] == 0xffffffff"},
    say = [[
That was one PASS of trimming. In a pass every vertex looks at its own edges, all vertices at the same time: each asks whether some vertex that is still there leads to it, and whether it leads to one that is still there. If one of the answers is no, it leaves: it is a component of its own, and its edges no longer count.

The line that begins with #, at the prompt, tells of it: the number of the step, its name, the time it took, and `trimmed {trimmed}`, for it removed {trimmed} vertices: {lesson.gone(s)}. Vertex 9 left because nothing enters it, 12 because nothing leaves it.

Still there: {lesson.live(s)}. Look at what 9 was to 8, and 12 to 11, and guess what a second pass does.]],
  },
  {
    see = "graph",
    run = {"step"},
    hold = {"lesson.named(s, true)", "lesson.count_gone(s) > 2", "s.mark[8] == 0xffffffff", "s.mark[11] == 0xffffffff"},
    say = [[
The second pass removed {trimmed}. 8 had an edge from 9 alone. With 9 gone nothing enters it any more, so now it leaves; in the same way 11 has nowhere left to go. Each pass lays bare what the next one takes: the graph is eaten from its ends. (All vertices look at the same time, so some may already see that a neighbour has left in this very pass. Then a pass takes more at once, and fewer passes are needed; what is gone in the end is the same.)

`back` shows the town as it was before this pass, and `forward` brings you here again. Try it, if you like.]],
  },
  {
    see = "graph",
    run = {"until trimmed == 0"},
    hold = {"lesson.named(s, true)", "lesson.held(town, s)", "lesson.count_gone(s) == 6", "s.mark[6] ~= 0xffffffff"},
    say = [[
This ran on to the first pass that found nothing to remove (trimmed 0). Gone are {lesson.count_gone(s)} vertices: {lesson.gone(s)}. Left are {lesson.live(s)}.

Why does it end here? Each vertex that is left is entered by one that is left and leads to one that is left. The roundabouts hold themselves: 0 is entered by 2, 2 by 1, 1 by 0, so none of them is ever the first to go.

But look at 6. It lies on no cycle, so it is a component of its own, and yet it is still there: 2 leads to it and it leads to 3, and neither of these ever leaves. Trimming asks each vertex about its neighbours only, so it cannot see that there is no way back. What it removes is always right; what it leaves may still hold single vertices between cycles. Those are left to the searches, which are lesson 2.]],
  },
  {
    see = "graph",
    run = {"city = lesson.load_city()", "city", "start scc.forward_backward(city)", "step"},
    hold = {"trimmed > 0", "lesson.named(s, true)", "lesson.count_gone(s) == trimmed"},
    say = [[
Now a whole city: {city.n} crossings and {city.m} streets. The same first pass removed {trimmed} crossings at one stroke: those that one can only leave or only enter, like 9 and 12 of the town.]],
  },
  {
    see = "graph",
    run = {"step"},
    hold = {"lesson.named(s, true)", "lesson.count_gone(s) >= trimmed"},
    say = [[The second pass removed {trimmed}, which the first had laid bare, so that {lesson.count_gone(s)} are gone. (At the prompt, the number before the arrow is that of the pass before.)]],
  },
  {
    see = "graph",
    run = {"until trimmed == 0"},
    hold = {"lesson.named(s, true)", "lesson.held(city, s)", "lesson.count_gone(s) <= lesson.singles(city)", "lesson.count_gone(s) > lesson.singles(city) // 2"},
    say = [[
And on to the pass that finds nothing: {lesson.count_gone(s)} crossings are gone. The city has {lesson.singles(city)} components of a single vertex, as a textbook's algorithm counts them, so trimming has found {100 * lesson.count_gone(s) // lesson.singles(city)} % of them, in a few passes that look at each edge once or twice. What is left, {city.n - lesson.count_gone(s)} crossings, is what cycles hold.]],
  },
  {
    hold = {"lesson.cost(city, 'searches').rounds < lesson.cost(city, 'untrimmed').rounds", "lesson.cost(city, 'searches').passes < lesson.cost(city, 'untrimmed').passes"},
    say = [[
What is that good for? The searches of lesson 2 find one component for each region of the graph in a ROUND, however small it is, and a round is many passes long. With trimming before each round the whole city takes {lesson.cost(city, "searches").rounds} rounds and {lesson.cost(city, "searches").passes} passes of searching; without it, {lesson.cost(city, "untrimmed").rounds} rounds and {lesson.cost(city, "untrimmed").passes} passes, most of them spent on single vertices that were never together with anything.

Three questions, to see for yourself whether it is clear:

  1. Only one edge leads to a vertex, and it comes from a vertex that the
     last pass removed. What does the next pass do with it, and why is
     that right?
  2. Vertex 6 of the town lies on no cycle. Why did no pass remove it?
  3. Why does trimming take several passes, when does it stop, and what
     does it spare the searches that come after it?]],
  },
}
