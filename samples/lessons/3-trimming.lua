-- Trimming: removing vertices from the ends of a graph.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
lesson.on_cpu()

--- Does every live vertex have a live predecessor and a live successor?
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

--- The vertices that are live in s, but that further trimming would remove: computed one vertex at a time.
function lesson.should_be_gone(g, s)
  local gone, more = {}, true
  while more do
    more = false
    local before, behind = {}, {}
    for v = 0, g.n - 1 do
      for to in g:edges(v) do
        if not gone[v] and not gone[to] and v ~= to then before[to], behind[v] = true, true end
      end
    end
    for v = 0, g.n - 1 do
      if not gone[v] and not (before[v] and behind[v]) then gone[v], more = true, true end
    end
  end
  return lesson.those(s.mark, function(mark, v) return mark ~= lesson.SETTLED and gone[v] end)
end

--- Trims a graph; contains the bug that you are asked to find.
function shorten(g)
  local s = state.scc(g)
  repeat
    local trimmed = trim(g.off, g.to, g.off, g.to, s.mark, s.comp)
  until trimmed == 0
  return s
end

-- The number of rounds, or of search passes, that trimming saves on g.
function lesson.spared(g, what) return lesson.cost(g, "untrimmed")[what] - lesson.cost(g, "searches")[what] end

return {
  {
    see = "graph",
    run = {"town"},
    hold = {"town.n == 13", "lesson.components(town) == 9", "lesson.singles(town) == 7"},
    say = [[
The town of one-way streets again, with {town.n} crossings and {town.m} streets:

{lesson.picture()}

There are two roundabouts: from 2 one comes back to 0, and from 5 to 3. Vertex 6 is between them, on the only street that leads from the first to the second.

Two crossings belong together if one can drive from each of them to the other. Such groups are the STRONGLY CONNECTED COMPONENTS (scc) of the graph: 0, 1 and 2 are one. A vertex that belongs together with no other vertex is a component by itself: from 9 one can never come back to 9.]],
    ask = [[How many strongly connected components does the town have? Count single vertices too.]],
    answer = "(lesson.components(town))",
    hint = [[From which crossings can you drive away and come back? Those on one roundabout form one component; every other crossing is a component by itself.]],
  },
  {
    see = "graph",
    run = {"start scc.forward_backward(town)", "step"},
    hold = {"trimmed > 0", "lesson.count_gone(s) == trimmed", "lesson.named(s, true)", "lesson.should_be_gone(town, state.scc(town)) == '7, 8, 9, 10, 11 and 12'", "s.mark[9] == 0xffffffff", "s.mark[12] == 0xffffffff"},
    say = [[
{lesson.components(town)} components, and {lesson.singles(town)} of them are single vertices. A search could find the component of each vertex, but searches cost time. TRIMMING finds most of the single vertices without any search. A vertex that no edge enters, or that no edge leaves, is on no round trip: it is a component by itself.

You have started `scc.forward_backward`, which finds all components. It begins by trimming. In a pass every vertex looks at its own edges: if no vertex that is still there leads to it, or it leads to none, it is removed, with its edges.

The line with # says what happened: the number of the step, its name, its time, and `trimmed {trimmed}`: it removed {trimmed} vertices, {lesson.gone(s)}.

{lesson.picture(s)}

Is that allowed? A vertex is removed only if it is on no round trip. So no round trip of other vertices leads through it, and without it they still belong together.]],
    ask = [[8 was entered only from 9. More passes follow, until one removes nothing. How many vertices are left then?]],
    answer = "town.n - 6",
    hint = [[Begin at both ends of the picture: a vertex is removed when nothing leads to it any more, or when it leads nowhere any more. Go on until you find no such vertex, and count those that are left.]],
  },
  {
    see = "graph",
    run = {"step"},
    hold = {"lesson.named(s, true)", "lesson.count_gone(s) > 2", "s.mark[8] == 0xffffffff", "s.mark[11] == 0xffffffff"},
    say = [[
The second pass removed {trimmed}. The only edge into 8 came from 9. Without 9 nothing enters 8 any more, so now it is removed; in the same way 11 now leads nowhere. Each pass makes new dead ends for the next one: the graph gets smaller from its ends.

{lesson.picture(s)}

In `trimmed A->B`, at the prompt, B is what this pass returned, and A what the previous pass had returned. Both may be the same number.

`back` shows the town as it was before this pass, and `forward` brings you here again. Try it, if you like.]],
  },
  {
    see = "graph",
    run = {"step"},
    hold = {"lesson.named(s, true)", "lesson.count_gone(s) == 6", "s.mark[7] == 0xffffffff", "s.mark[10] == 0xffffffff"},
    say = [[
The third pass removed {trimmed}, and nothing is left of the ways in and out:

{lesson.picture(s)}

All vertices look in the same pass, but in no fixed order: on a GPU thousands look at once. A vertex that looks a little later may find that its neighbour has just been removed, and is then removed in the same pass. So on another machine a pass may remove more, and there may be fewer passes. In the end the same vertices are removed: no vertex comes back, so a vertex that can be removed now can also be removed later.]],
    ask = [[Vertex 6 is a component by itself. Will a later pass remove it: yes or no?]],
    answer = "'no'",
    hint = [[A pass asks two questions about 6: does a vertex that is left lead to it, and does it lead to a vertex that is left? Look at these two neighbours: can a pass ever remove them?]],
  },
  {
    see = "graph",
    run = {"until trimmed == 0"},
    hold = {"lesson.named(s, true)", "lesson.held(town, s)", "lesson.count_gone(s) == 6", "s.mark[6] ~= 0xffffffff"},
    say = [[
This pass found nothing to remove (trimmed 0), so it was the last. {lesson.count_gone(s)} vertices are removed: {lesson.gone(s)}. Left are {lesson.live(s)}.

Why does it end here? Each vertex that is left is entered from a vertex that is left, and leads to one. A roundabout protects itself: 0 is entered from 2, 2 from 1, 1 from 0, so none of them can be the first to be removed.

But look at 6. It lies on no cycle, that is, on no round trip, so it is a component by itself. It is still there, because 2 leads to it and it leads to 3, and neither of these is ever removed. Trimming looks only at the neighbours of a vertex, so it cannot see that no path leads back. It never removes a wrong vertex; but it may leave single vertices between cycles. The searches of `lesson forward-backward` find those.]],
  },
  {
    see = "graph",
    run = {"city = lesson.load_city()", "city", "start scc.forward_backward(city)", "step"},
    hold = {"trimmed > 0", "lesson.named(s, true)", "lesson.count_gone(s) == trimmed"},
    say = [[
Now a whole city: {city.n} crossings and {city.m} streets. (The numbering of the steps continues from the town.) The first pass removed {trimmed} crossings: those that one can only leave or only enter, like 9 and 12 of the town.]],
  },
  {
    see = "graph",
    run = {"step"},
    hold = {"lesson.named(s, true)", "lesson.count_gone(s) >= trimmed"},
    say = [[The second pass removed {trimmed} crossings: the first pass had removed their last neighbour on one side. Now {lesson.count_gone(s)} are removed in all. The number before the arrow is what the first pass removed.]],
  },
  {
    see = "graph",
    run = {"until trimmed == 0"},
    hold = {"lesson.named(s, true)", "lesson.held(city, s)", "lesson.count_gone(s) == lesson.singles(city)"},
    say = [[
`until` ran to the pass that finds nothing: {lesson.count_gone(s)} crossings are removed. Tarjan's algorithm, the textbook's sequential one, is built in for comparison. It says that the city has {lesson.singles(city)} components of a single vertex. So trimming has found all of them here; in this city no single vertex stands between cycles, as 6 does in the town. What is left, {city.n - lesson.count_gone(s)} crossings, lies on cycles.]],
  },
  {
    see = "graph",
    run = {"start shorten(town)", "until trimmed == 0"},
    hold = {"lesson.live(s) == '0, 1, 2, 3, 4, 5, 6, 7, 8 and 9'"},
    say = [[
A BUG TO FIND. `shorten` is somebody's own program for trimming; `list` shows it, and so does the view `script` of the panel. It calls the same kernel, and passes it the arrays of the graph one by one, in the order in which `?trim` lists them: off, to, roff, rto, mark, comp. It has just run on the town until a pass removed nothing:

{lesson.picture(s)}

What it removed is right. But it removed too little.]],
    ask = [[Which vertices has it left that trimming should have removed?]],
    answer = "lesson.should_be_gone(town, s)",
    hint = [[Trimming goes on until every vertex that is left is entered from one that is left, and leads to one that is left. Look at both ends of the picture: which vertices break this rule, or break it when their neighbour is gone?]],
  },
  {
    hold = {"lesson.should_be_gone(town, s) == '7, 8 and 9'", "lesson.count_gone(s) == 3"},
    say = [[
7, 8 and 9: the way in. `roff` and `rto` have the reversed edges (`lesson memory`): for each vertex, the vertices that lead TO it. `shorten` passes `off` and `to` instead of them. So each vertex checked twice whether it leads anywhere, and never whether anything leads to it. Only the work for the searches grows; the components are still right, so no check of them would find this mistake.

What is trimming good for? It saves searches. A SEARCH starts at one vertex and marks all that it reaches, one street further in each pass. Two searches from the same vertex, along the edges and against them, find the vertex's component: all vertices that both have marked. Two such searches are a ROUND. A round also cuts the graph into parts, which the next round searches at the same time; in each part it finds one component, even if that is a single vertex. So a row of single vertices may cost a round for each of them. A pass of trimming removes one vertex from either end of the row.]],
    ask = [[In the city, which number will be larger: the rounds of searching that trimming saves, or the rounds that are left? (saved or left)]],
    answer = "lesson.spared(city, 'rounds') > lesson.cost(city, 'searches').rounds and 'saved' or 'left'",
    hint = [[Each component is found in some round, even if it is a single vertex. `scc(city).count` is the number of all components: how many of them are single vertices that trimming removes, as page 8 says, and how many remain for the searches?]],
  },
  {
    hold = {"lesson.cost(town, 'searches').rounds < lesson.cost(town, 'untrimmed').rounds", "lesson.cost(town, 'searches').later == 0",
      "lesson.spared(city, 'rounds') > lesson.cost(city, 'untrimmed').rounds / 2", "lesson.cost(city, 'searches').later == 0",
      "lesson.spared(city, 'passes') > 10 * lesson.cost(city, 'searches').trimming"},
    say = [[
Without trimming the city takes {lesson.cost(city, "untrimmed").rounds} rounds; trimming saves {lesson.spared(city, "rounds")} of them.

               with trimming  without
  town, rounds  {("%12d %8d"):format(lesson.cost(town, "searches").rounds, lesson.cost(town, "untrimmed").rounds)}
   its passes   {("%12d %8d"):format(lesson.cost(town, "searches").passes, lesson.cost(town, "untrimmed").passes)}
  city, rounds  {("%12d %8d"):format(lesson.cost(city, "searches").rounds, lesson.cost(city, "untrimmed").rounds)}
   its passes   {("%12d %8d"):format(lesson.cost(city, "searches").passes, lesson.cost(city, "untrimmed").passes)}

The table counts only passes of searching. In the city there are also {lesson.cost(city, "searches").trimming} passes of trimming; they save {lesson.spared(city, "passes")} passes of searching.

The algorithm trims again before every round, because an edge from one part into another no longer counts, and that can make new dead ends. In these two graphs it never did: each later trimming was one pass that found nothing.

Three questions, so that you can check what you have understood (`lesson answers` has the answers):

  1. Only one edge leads to a vertex, from
     one that the last pass removed. What
     does the next pass do with the vertex,
     and why is that right?
  2. Vertex 6 of the town lies on no cycle.
     Why did no pass remove it?
  3. Why does trimming take several passes,
     and when does it stop? Why would
     searches take more passes than trimming
     for a row of single vertices?]],
    answers = [[
1. It removes the vertex. No vertex that is still there leads to it, so after leaving it one can never come back: it is a component by itself. That is right because the vertex that the last pass removed was on no round trip, so no round trip leads through it to this vertex.

2. 2 leads to it and it leads to 3. Both lie on roundabouts, which no pass can begin to remove, so 6 always has a vertex before it and one after it.

3. A vertex may become a dead end only when its last neighbour on one side is removed, so each pass makes new dead ends. It stops with the first pass that removes nothing: the next would see the same. A round of searches finds one component in each part of the graph, so a row of single vertices may cost a round for each of them, with many passes.]],
  },
}
