-- Potentials: a result that proves itself, and a graph of millions.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
assert(loadfile((...) .. "/tolls.lua"))(lesson)
town = nil -- so that the graph view shows the town of tolls

-- The clients of the last pages, one list of costs each; fewer in tests and on machines with less than 2 GiB.
local SMALL = os.getenv("LOCKSTEP_LESSON_SMALL") and 6
local costs = {}
do
  local x = 2011
  local function dice()
    x = (x * 1103515245 + 12345) % 2147483648
    return 1000 + x // 65536 % 9000
  end
  for i = 1, SMALL or 15 do
    costs[i] = {}
    for j = 1, i % 3 == 2 and 4 or 3 do costs[i][j] = dice() end
  end
end

--- The graph of the clients' joint states.
function lesson.crowd()
  local clients = {}
  for i, list in ipairs(costs) do
    clients[i] = {name = "client " .. i}
    for j, cost in ipairs(list) do
      clients[i][j] = {({"ask", "answer", "think", "write"})[j], cost, server = j <= 2}
    end
  end
  return gen.clients(clients)
end

function lesson.clients() return #costs end

--- The client whose round has the least mean cost: {number of the client, sum of its costs, number of its costs}.
function lesson.cheapest_client()
  local best
  for i, list in ipairs(costs) do
    local sum = 0
    for _, cost in ipairs(list) do sum = sum + cost end
    if not best or sum * best[3] < best[2] * #list then best = {i, sum, #list} end
  end
  return best
end

--- The values as the friend heard them: one is too small.
function lesson.misheard(s)
  for _, v in ipairs {8, 4, 2, 1} do
    local d = s.d:totable()
    d[v + 1] = d[v + 1] - 20
    if #lesson.beaten(s, buffer.new("i64", d)) >= 2 then return v end
  end
end
function lesson.telephone(s)
  local d, v = s.d:copy(), lesson.misheard(s)
  d[v] = d[v] - 20
  return d
end

--- The streets that violate the inequality, as {from, to, toll}.
function lesson.beaten(s, d)
  local list = {}
  for u = 0, s.graph.n - 1 do
    for to, w in s.graph:edges(u) do
      if d[u] > lesson.q(s) * w - lesson.p(s) + d[to] then list[#list + 1] = {u, to, w} end
    end
  end
  return list
end

function lesson.show_beaten(s, d)
  local lines = {}
  for i, e in ipairs(lesson.beaten(s, d)) do
    lines[i] = ("  %2d > %-2d  %d <= %d * %d - %d + %d"):format(e[1], e[2], d[e[1]], lesson.q(s), e[3], lesson.p(s), d[e[2]])
  end
  return table.concat(lines, "\n")
end

--- 1907712 as "1,907,712".
function lesson.number(x) return (tostring(x):reverse():gsub("%d%d%d", "%0,"):reverse():gsub("^,", "")) end

return {
  {
    see = "graph",
    run = {"tolls = lesson.tolls()", "start ocm(tolls)", "until improved == 0", "iter"},
    hold = {"improved == 0", "lesson.q(s) == 2 and lesson.p(s) == 9", "lesson.count_iterations() > 0"},
    say = [[
This is the town of tolls of `lesson policy-iteration`:

{lesson.streets(tolls)}

A van drives here for ever. The least that it can pay per street on average is the least mean of all cycles, lambda. Policy iteration has just ended and says {lesson.fraction(s)}. At the end each crossing has chosen a street, and has a value, `s.d`: what its path to the root costs, if each street counts {lesson.q(s)} * toll - {lesson.p(s)}.

{lesson.choices(s, true)}

But is {lesson.fraction(s)} the least? There are {#lesson.cycles(tolls)} cycles that visit no crossing twice, and the algorithm has not looked at most of them.]],
    ask = [[Street 0 > 1 has a toll of 4. How much is {lesson.q(s)} * toll - {lesson.p(s)} for this street?]],
    answer = "lesson.q(s) * 4 - lesson.p(s)",
    hint = [[Multiply the toll by {lesson.q(s)} first, then subtract {lesson.p(s)}. The result may be negative.]],
  },
  {
    see = "graph",
    hold = {"lesson.proves(s)", "lesson.q(s) == 2", "lesson.p(s) == 9", "lesson.is_least(9, 2, lesson.cycles(tolls))"},
    say = [[
Look at the values once more: no street gives its crossing a lower value than the chosen street does. So for EVERY street from u to v

  d(u) <= {lesson.q(s)} * toll - {lesson.p(s)} + d(v)

Take any cycle, and add this up over its streets. Each crossing's d is once on the left and once on the right, so all of them cancel:

  0 <= {lesson.q(s)} * (its tolls) - {lesson.p(s)} * (its streets)

that is, tolls / streets >= {lesson.fraction(s)}. So no cycle at all is better, and one cycle has exactly this mean. Values like these are called POTENTIALS, and they are a PROOF: if you doubt the result you need not trust the program; it is enough to look at each street once.]],
    ask = [[To prove that no cycle of this town has a mean below 9/2, how many inequalities have to be checked?]],
    answer = "tolls.m",
    hint = [[There is one inequality for each street from u to v. `tolls` says how many streets the town has.]],
  },
  {
    see = "graph",
    hold = {"#lesson.beaten(s, lesson.telephone(s)) >= 2", "#lesson.beaten(s, s.d) == 0"},
    say = [[
One for each street, {tolls.m} of them.

A BUG TO FIND. Somebody has told the values to a friend by telephone, and one of the {tolls.n} numbers came out wrong. The friend looks at each street, and finds some for which the inequality does not hold:

{lesson.show_beaten(s, lesson.telephone(s))}

A value that is too small makes streets that lead TO its crossing look too good.]],
    ask = [[For which crossing did the friend hear a wrong number?]],
    answer = "lesson.misheard(s)",
    hint = [[Each of these inequalities has the values of the two ends of its street. Which crossing is an end of all of these streets?]],
  },
  {
    hold = {"lesson.telephone(s)[lesson.misheard(s)] ~= s.d[lesson.misheard(s)]"},
    say = [[
Crossing {lesson.misheard(s)}: all of these streets begin or end there. The friend heard {lesson.telephone(s)[lesson.misheard(s)]} in place of {s.d[lesson.misheard(s)]}.

Note what this proof can do. A wrong value is noticed, and the street at which it is noticed is near the mistake. The cycle with the mean 9/2 says that lambda is not larger; the values say that it is not smaller. `check(r)` looks at both, in integers of 128 bits. It is a separate program, which shares no code with the one that found the result.]],
    ask = [[If ALL values were larger by 100, would the proof still hold: yes or no?]],
    answer = "'yes'",
    hint = [[Write down the inequality of one street, with d(u) + 100 and d(v) + 100 in place of d(u) and d(v). What becomes of the 100 on both sides?]],
  },
  {
    run = {"continue", "r = _", "check(r)", "r:sensitivity(0)"},
    hold = {"r.p == 9 and r.q == 2", "check(r)", "r:slack():min() == 0", "_.fall == 2.5", "lesson.is_least(9, 2, lesson.cycles(lesson.tolls(2)))", "not lesson.is_least(9, 2, lesson.cycles(lesson.tolls(3)))", "r:critical():sum() == #r.cycle"},
    say = [[
Yes: in each inequality both sides grow by 100. Only differences count.

The potentials tell more. `r:slack()` is, for each street, the right side of its inequality minus the left side: {r.q} times the amount by which its toll could fall before the inequality would no longer hold. `r:critical()` marks the streets on best cycles. And `r:sensitivity(e)` says how far one toll may fall or rise before lambda changes. Street 0 is 0 > 1, with a toll of {tolls.w[0]}: it may rise without limit, and it may fall by {_.fall} before a cycle through it becomes the best.]],
    ask = [[A street on the best cycle costs one more. Can lambda stay the same: yes or no? (There is one best cycle here.)]],
    answer = "'no'",
    hint = [[What happens to the mean of this cycle? Lambda can stay only if another cycle has the old mean.]],
  },
  {
    see = "convergence",
    run = {"crowd = lesson.crowd()", "crowd", "time ocm(crowd, {ahead = 1})", "cheapest = _"},
    hold = {"cheapest.p * lesson.cheapest_client()[3] == lesson.cheapest_client()[2] * cheapest.q", "lesson.always_better()", "lesson.count_iterations() > 2"},
    say = [[
No: the only best cycle would have a larger mean.

And now a large one. {lesson.clients()} clients each repeat a list of 3 or 4 actions, with random costs. One client moves at a time. During its first two actions a client holds the server, which only one client may hold at a time. A vertex is a STATE: what each client does next. An edge is one action of one client. That makes {lesson.number(crowd.n)} states and {lesson.number(crowd.m)} edges. What is the least average cost of an action in the long run?

{lesson.iterations()}

The algorithm did the same as in the town of tolls: every vertex chooses an edge, cycles are compared, vertices whose choices do not lead to the root are connected to it, values are computed, one pass over the edges improves choices; and all of this again: {lesson.count_iterations()} iterations. (If the first choices look four actions ahead, as `ocm(crowd)` does, it takes fewer.)

Here the answer can be found in another way too, so the result can be compared with it. When a cycle comes back to its first state, each client has repeated its list some number of times. So the mean of the cycle lies between the means of the clients' lists, and the least of these is client {lesson.cheapest_client()[1]}'s: {lesson.cheapest_client()[2]} for {lesson.cheapest_client()[3]} actions. On the best cycle only this client moves, while all others wait. The GREATEST mean, `ocm(crowd, {{max = true})`, is found in the same way.]],
  },
  {
    run = {"check(cheapest)"},
    hold = {"_"},
    say = [[
`check` has looked at each of the {lesson.number(crowd.m)} edges, and here too the potentials prove the result.

Two questions, so that you can check what you have understood (`lesson answers` has the answers):

  1. In the proof, why does it not matter
     how the values were found? What
     would happen if one of them were wrong?
  2. Somebody gives you a cycle and potentials
     for a road network of a whole continent,
     computed on a machine you do not trust.
     What do you have to do?]],
    answers = [[
1. The proof uses only the inequalities, and these are checked afterwards, street by street; any numbers that satisfy them will do. With a wrong value some inequality would most likely fail, and `check` would name its street. If none failed, the proof would hold with the wrong value, too.

2. Add up the cycle's weights and count its edges, which gives p/q. Then look at each edge of the network once: is d(u) <= q * weight - p + d(v)? That takes one pass over the edges, and no algorithm for cycles.]],
  },
}
