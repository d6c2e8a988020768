-- Forward and backward: strongly connected components by searches.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
lesson.on_cpu()

-- A mark is region * 4 + 2 * backward + forward; a region has its pivot's number.
local FORWARD, BACKWARD, BOTH = 1, 2, 3

local function live(mark) return mark ~= lesson.SETTLED end
local function marked(mark, what) return live(mark) and mark & BOTH == what end

--- The pivots: one for each region that has a live vertex.
local function pivots(s)
  local seen, list = {}, {}
  for _, mark in pairs(s.mark) do
    local pivot = mark >> 2
    if live(mark) and not seen[pivot] then
      seen[pivot] = true
      list[#list + 1] = pivot
    end
  end
  table.sort(list)
  return list
end
function lesson.pivots(s) return lesson.words(pivots(s)) end
function lesson.count_pivots(s) return #pivots(s) end

function lesson.reached(s, bit)
  return lesson.those(s.mark, function(mark) return live(mark) and mark & bit ~= 0 end)
end
function lesson.only(s, what)
  return lesson.those(s.mark, function(mark) return marked(mark, what) end)
end

--- Are the vertices marked in both directions exactly the component of their pivot? Checked by the textbook's algorithm.
function lesson.both_is_component(g, s)
  local id = reference.tarjan(g)
  for v, mark in pairs(s.mark) do
    if live(mark) and marked(mark, BOTH) ~= (id[v] == id[mark >> 2]) then return false end
  end
  return true
end

--- Is every live component within one region, with the same mark?
function lesson.nothing_is_torn(g, s)
  local id, where = reference.tarjan(g), {}
  for v, mark in pairs(s.mark) do
    if live(mark) then
      if where[id[v]] and where[id[v]] ~= mark then return false end
      where[id[v]] = mark
    end
  end
  return true
end

--- Finds components by searches; contains the bug that you are asked to find.
function searches(g)
  local s = state.scc(g)
  fixpoint(trim, s)
  while true do
    fill(s.vote, 0)
    pick_pivots(s)
    local live, regions = new_regions(s)
    if live == 0 then break end
    reach_forward_fix(s)
    copy_queue(s)
    reach_backward_fix(s)
    local settled = split(s)
  end
  return s
end

return {
  {
    see = "graph",
    run = {"town", "start scc.forward_backward(town)", "iter"},
    hold = {"regions == 1", "live == 7", "lesson.pivots(s) == '6'", "lesson.named(s, true)"},
    say = [[
This is the town of `lesson trimming`: two roundabouts, 0 1 2 and 3 4 5, with the street 2 -> 6 -> 3 from one to the other.

After trimming, {live} vertices remain: {lesson.live(s)}. Now the searches begin. They start from one vertex, the PIVOT. Any vertex could be the pivot; here it is the largest, {lesson.pivots(s)}.

Take all vertices that the pivot reaches, and all that reach it. From the pivot one can drive to a vertex that is in both sets, and back. So the vertices in both sets, with the pivot, are a complete strongly connected component: two simple searches find a component.]],
    ask = [[The first search goes along the edges. Which of the vertices that remain does the pivot reach? (It reaches itself, too.)]],
    answer = "'3, 4, 5 and 6'",
    hint = [[Start at the pivot and drive along the streets in their direction: which roundabout do you come to, and which of its crossings can you visit there? Count the pivot, too.]],
  },
  {
    see = "graph",
    run = {"until grown == 0"},
    hold = {"lesson.reached(s, 1) == '3, 4, 5 and 6'"},
    say = [[
That was the search FORWARD, along the edges. Each step was one layer: it followed, at the same time, all edges out of the vertices that the layer before had found. The last layer found nothing new (grown 0).

The pivot reaches {lesson.reached(s, 1)}, itself included.

The second search goes from the pivot AGAINST the edges: it finds all vertices that lead to the pivot.]],
    ask = [[Which vertices will both searches have found?]],
    answer = "6",
    hint = [[Such a vertex is reached from the pivot and also leads to it: it is on a round trip with the pivot. Try a vertex of each roundabout, and the pivot itself.]],
  },
  {
    see = "graph",
    run = {"until grown == 0"},
    hold = {"lesson.reached(s, 2) == '0, 1, 2 and 6'", "lesson.both_is_component(town, s)", "lesson.nothing_is_torn(town, s)"},
    say = [[
And that was the search BACKWARD, against the edges: {lesson.reached(s, 2)} lead to the pivot.

Which vertices are in both? Only {lesson.only(s, 3)}: the pivot is a component by itself, the one that trimming could not see.

That is little for two searches. But they have done something more. Vertices of one component are reached together or not at all, so a search never marks only a part of a component. {lesson.only(s, 1)} were reached forward only, {lesson.only(s, 2)} backward only: no component can have vertices of both groups. So the graph now has parts that can be searched independently of each other.]],
    ask = [[The pivot is now a component by itself. How many parts of the graph are still to be searched?]],
    answer = "2",
    hint = [[There are vertices that were found forward only, backward only, or by neither search: each of these groups is a part. Which of them have any vertices, apart from the pivot?]],
  },
  {
    see = "graph",
    run = {"iter"},
    hold = {"regions == 2", "live == 6", "lesson.count_pivots(s) == 2"},
    say = [[
The parts are called REGIONS, and each has chosen a pivot of its own: {lesson.pivots(s)}. From now on both regions are searched at the same time, by the same steps; an edge from one region into another is ignored. The more regions there are, the more is done in each round.]],
    ask = [[How many vertices will get their component in this round?]],
    answer = "6",
    hint = [[In each region, the pivot and all vertices that are on a round trip with it get their component. Add up the regions.]],
  },
  {
    see = "graph",
    run = {"until settled"},
    hold = {"settled == 6", "lesson.live(s) == 'none'", "lesson.named(s)"},
    say = [[
The second round found both roundabouts at once: {settled} vertices got their component. Three components in two rounds, and nothing is left.

`back` goes through all of this again, step by step, with everything as it was. s.mark says which vertices were reached: it is four times the pivot, + 1 if forward, + 2 if backward.]],
  },
  {
    see = "graph",
    run = {"start searches(town)", "until settled"},
    hold = {"settled == 1", "regions == 1", "lesson.only(s, 2) == 'none'", "s.mark:count(lesson.SETTLED) == 7"},
    say = [[
A BUG TO FIND. `searches` is somebody's own program for the same algorithm; `list` shows it, and so does the view `script` of the panel. It uses the same kernels, and has just finished its first round. All looks well: vertex 6 has its component. But in the next round it does not find the roundabouts: in the end it says that every vertex is a component by itself.

Go `back` step by step, and look at the counts in the stop lines and at `s.mark`: which count differs from that of the round that you have seen in this lesson? Every kernel does what it should, but one call is in the wrong place.]],
    ask = [[Which one: pick_pivots, reach_forward_fix, copy_queue or split?]],
    answer = "lesson.only(s, 2) == 'none' and 'copy_queue' or 'split'",
    hint = [[Go `back` to the two searches: one of them has found nothing at all. `?NAME` says from which queue a search starts; `list` shows which call fills this queue, and when.]],
  },
  {
    run = {"back"},
    hold = {"grown == 0", "lesson.only(s, 1) == '3, 4 and 5'"},
    say = [[
copy_queue. No vertex is marked backward, because `reach_backward` begins with an empty queue. `copy_queue` copies the pivots from the queue `front` to the queue `back`, with which the search backward begins. It has to do that BEFORE the search forward, which empties `front` layer by layer; here it is called after that.

Two right steps in the wrong order are a common mistake, and no kernel complains: a search from an empty queue is valid. `check` would reject the result, because 0 and 1 reach each other. To find the place, look for the stop at which a count is not as expected. You are at that stop: `reach_backward` returned 0 at once.]],
    ask = [[And the city? It has {(lesson.load_city()).n} crossings, of which trimming removes a few hundred. Will the first round find the component of more than half of them: yes or no?]],
    answer = "'no'",
    hint = [[A round finds the component of its pivot, whether that is large or small. The pivot is the vertex with the largest number: does its number say that it lies in the centre of the city?]],
  },
  {
    see = "graph",
    run = {"city = lesson.load_city()", "start scc.forward_backward(city)", "iter"},
    hold = {"regions == 1", "live < city.n"},
    say = [[
Now the city of {city.n} crossings. After trimming, {live} of them remain. There is one region, and so one pivot. Its searches come next.]],
  },
  {
    see = "convergence",
    run = {"until settled > city.n // 2"},
    hold = {"lesson.named(s)", "it.n > 1", "city.n - lesson.count_gone(s) < city.n // 5"},
    say = [[
No: the pivots of the first rounds were outside the centre. In round {it.n}, {settled} vertices got their component at once: the centre of the city and nearly all of the rest. From most crossings that one can drive to, one can also come back. Many graphs are like that, with one GIANT component and many small ones. A pair of searches finds a giant component fast.]],
    ask = [[Nearly everything is done after this round. How many rounds will the rest take: fewer than 5, about 10, or more than 20? (5, 10 or 20)]],
    answer = "lesson.cost(city, 'searches').rounds > 20 and 20 or lesson.cost(city, 'searches').rounds > 5 and 10 or 5",
    hint = [[What remains are small components, and a round finds only one in each region: how many vertices did the round before this one settle? The stop line shows that number before the arrow.]],
  },
  {
    see = "convergence",
    run = {"continue"},
    hold = {"check(_)", "_.count == lesson.components(city)", "lesson.cost(city, 'searches').rounds > 10", "lesson.cost(city, 'searches').passes > 10 * lesson.cost(city, 'searches').rounds"},
    say = [[
Done: {_.count} components, and `check` proves in another way that they are right.

But it took {lesson.cost(city, "searches").rounds} rounds with {lesson.cost(city, "searches").passes} passes of searching, though after the giant component very few vertices were left. A search needs one pass for every layer, even if a layer has few vertices, and each region finds one component in a round. On a machine with thousands of processors a pass over five vertices costs as much as one over fifty thousand. `lesson maxima` shows what can be done about that.

Three questions, so that you can check what you have understood (`lesson answers` has the answers):

  1. Why does a search from the pivot never
     mark only a part of a component?
  2. A graph is a row of 100 vertices, each
     with an edge to the next, and nothing is
     trimmed. How many rounds can the searches
     take at most, and at least?
  3. Why may all regions be searched by the
     same launches of a kernel?]],
    answers = [[
1. If it reaches one vertex of a component, it reaches all that this vertex reaches, and that is the whole component.

2. At most 100, if the pivot of each round is at an end: each round then settles only the pivot, and leaves one region. At least 7: with a pivot in the middle of each region, a round settles the pivot and leaves two halves.

3. An edge from one region into another is ignored, so a search never leaves its region, and no two searches meet at a vertex.]],
  },
}
