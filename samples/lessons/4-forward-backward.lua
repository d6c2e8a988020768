-- Forward and backward: strongly connected components by searches.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
lesson.on_cpu()

-- A mark is region * 4 + 2 * backward + forward; a region goes by its pivot's number.
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

--- By the textbook: are the vertices that are marked both ways exactly the component of their pivot?
function lesson.both_is_component(g, s)
  local id = reference.tarjan(g)
  for v, mark in pairs(s.mark) do
    if live(mark) and marked(mark, BOTH) ~= (id[v] == id[mark >> 2]) then return false end
  end
  return true
end

--- Does every live component lie in one region and one kind of mark?
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

return {
  {
    see = "graph",
    run = {"town", "start scc.forward_backward(town)", "iter"},
    hold = {"regions == 1", "live == 7", "lesson.pivots(s) == '6'", "lesson.named(s, true)"},
    say = [[
This is the town of lesson 1 again: two roundabouts, 0 1 2 and 3 4 5, with the street 2 -> 6 -> 3 from one to the other.

Trimming has left {live} vertices: {lesson.live(s)}. Now the searches begin. They start from one vertex, the PIVOT. Any vertex could be the pivot; here it is the largest, {lesson.pivots(s)}.

Take all vertices that the pivot reaches, and all that reach it. From the pivot one can drive to a vertex that is in both sets, and back. So the vertices in both sets, with the pivot, are a strongly connected component, and a whole one: two simple searches find a component. Let us watch them.]],
  },
  {
    see = "graph",
    run = {"until grown == 0"},
    hold = {"lesson.reached(s, 1) == '3, 4, 5 and 6'"},
    say = [[
That was the search FORWARD, along the edges. Each step was one layer: it followed, at the same time, all edges out of the vertices that the layer before had found. The last layer found nothing new (grown 0).

The pivot reaches {lesson.reached(s, 1)}, itself included.]],
  },
  {
    see = "graph",
    run = {"until grown == 0"},
    hold = {"lesson.reached(s, 2) == '0, 1, 2 and 6'", "lesson.both_is_component(town, s)", "lesson.nothing_is_torn(town, s)"},
    say = [[
And that was the search BACKWARD, against the edges: {lesson.reached(s, 2)} lead to the pivot.

Which vertices are in both? Only {lesson.only(s, 3)}: the pivot is a component by itself, the one that trimming could not see.

That is little for two searches. But they have done something else. Vertices of one component are reached together or not at all, so a search never marks only a part of a component. {lesson.only(s, 1)} were reached forward only, {lesson.only(s, 2)} backward only: no component can have vertices of both groups. So the graph now has parts that can be searched independently of each other.]],
  },
  {
    see = "graph",
    run = {"iter"},
    hold = {"regions == 2", "live == 6", "lesson.count_pivots(s) == 2"},
    say = [[
The parts are called REGIONS, and each has chosen a pivot of its own: {lesson.pivots(s)}. From now on both regions are searched at the same time, by the same steps: an edge from one region into another is ignored. The more regions there are, the more is done in each round.]],
  },
  {
    see = "graph",
    run = {"until settled"},
    hold = {"settled == 6", "lesson.live(s) == 'none'", "lesson.named(s)"},
    say = [[
The second round found both roundabouts at once: {settled} vertices got their component. Three components in two rounds, and nothing is left.

`back` goes through all of this again, step by step, with everything as it was. s.mark says who was reached: four times the pivot, + 1 if forward, + 2 if backward.]],
  },
  {
    see = "graph",
    run = {"city = lesson.load_city()", "start scc.forward_backward(city)", "iter"},
    hold = {"regions == 1", "live < city.n"},
    say = [[
Now the city of {city.n} crossings. Trimming has left {live}. There is one region, and so one pivot.]],
  },
  {
    see = "convergence",
    run = {"until settled > city.n // 2"},
    hold = {"lesson.named(s)", "city.n - lesson.count_gone(s) < city.n // 5"},
    say = [[
In round {it.n}, {settled} vertices got their component at once: the centre of the city and nearly all of the rest. From most crossings that one can drive to, one can also come back. Many graphs are like that, with one GIANT component and many small ones. A pair of searches finds a giant component fast.]],
  },
  {
    see = "convergence",
    run = {"continue"},
    hold = {"check(_)", "_.count == lesson.components(city)", "lesson.cost(city, 'searches').rounds > 10", "lesson.cost(city, 'searches').passes > 10 * lesson.cost(city, 'searches').rounds"},
    say = [[
Done: {_.count} components, and `check` proves in another way that they are right.

But it took {lesson.cost(city, "searches").rounds} rounds with {lesson.cost(city, "searches").passes} passes of searching, though after the giant component very few vertices were left. A search needs one pass for every layer, even if a layer has few vertices, and each region finds one component in a round. On a machine with thousands of processors a pass over five vertices costs as much as one over fifty thousand. Lesson 3 shows what can be done about that.]],
  },
}
