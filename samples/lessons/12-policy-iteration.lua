-- Policy iteration: the least mean of a cycle.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
assert(loadfile((...) .. "/tolls.lua"))(lesson)
town = nil -- so that the graph view shows the town of tolls

--- The least mean of a cycle; contains the bug that you are asked to find.
function least_mean(g)
  local p, before = policy.new(g), nil
  policy.start(p, 1)
  for it in iterations(p.state) do
    local cycles, s = policy.evaluate(p), p.state
    local best = s.optimum[0] - 1
    local lambda = s.p[best] / s.q[best]
    local improved = policy.improve(p)
    it:mark{cycles = cycles, lambda = lambda, improved = improved}
    if lambda == before then return lambda end
    before = lambda
  end
end

return {
  {
    see = "graph",
    run = {"tolls = lesson.tolls()", "tolls"},
    hold = {"tolls.n == 12", "lesson.components(tolls) == 1", "#lesson.cycles(tolls) > 12"},
    say = [[
A town of {tolls.n} crossings and {tolls.m} one-way streets with tolls. For each crossing you see where its streets lead, and in brackets what they cost:

{lesson.streets(tolls)}

A van drives here for ever. What is the least that it can pay PER STREET on average, in the long run? Sooner or later it comes back to a crossing where it was before. So what counts are cycles: the sum of a cycle's tolls, divided by the number of its streets, is its MEAN. The least mean of all cycles is called lambda.

One could try every cycle: there are {#lesson.cycles(tolls)} that visit no crossing twice. But in larger graphs there are far too many. POLICY ITERATION (Howard 1960) finds lambda without trying them.

(From every crossing of this town one can reach every other. Other graphs are divided into components first, as in `lesson maxima`. Each component is treated like this town, and all of them at the same time.)]],
    ask = [[What is the mean of the cycle 4 > 5 > 6 > 4?]],
    answer = "(9 + 4 + 5) // 3",
    hint = [[The tolls are in brackets in the table above. Add up those of the three streets of the cycle, and divide by the number of streets.]],
  },
  {
    see = "graph",
    run = {"start ocm(tolls, {ahead = 1})", "tbreak policy_first", "continue"},
    hold = {"#lesson.chosen_cycles(s) == 3"},
    say = [[
A POLICY is a choice at every crossing: one of the streets that leave it. The first policy takes the one with the least toll:

{lesson.choices(s)}

A van that follows the choices will finally drive around one cycle for ever. There are {#lesson.chosen_cycles(s)} such cycles:

{lesson.show_cycles(s)}

Every policy is like that: some cycles, and trees that lead to them. (Without the option `ahead`, `ocm` looks four streets ahead for its first choices, by the kernel `policy_value`, and these are already good. With `ahead = 1` there is more to see.)]],
    ask = [[Which is the least of these means, as a fraction? (as 7/2)]],
    answer = "'16/3'",
    hint = [[The last number of each line is a mean as a decimal number. Take the least one: its line also has the tolls, whose sum is the numerator, and the number of streets, which is the denominator.]],
  },
  {
    see = "graph",
    run = {"tbreak policy_lambda", "continue"},
    hold = {"#lesson.chosen_cycles(s) == 3", "lesson.best_is_known(s)", "s.cost[0] == 16", "s.time[0] == 3", "s.cost[8] * s.time[0] == s.cost[0] * s.time[8]"},
    say = [[
These steps have found the cycles without walking around them. Every vertex points to the vertex to which its choice leads; in the next pass it points to where THAT vertex points, two streets ahead; then four, eight ... This is POINTER DOUBLING. A vertex to which no other one points is dropped (`policy_land`), and after a few passes only the cycles are left. In the same way each cycle finds its smallest vertex (`policy_least`), and there its tolls and streets are added up (`policy_total`). A path of a million streets takes 20 passes.

The best mean of these cycles is {lesson.fraction(s)}. Two cycles have it; the one with the smallest vertex is taken, so that the choice is the same on every device and in every run. That mean is lambda, for now. It is kept as a fraction p / q (`s.p`, `s.q`), and fractions are compared by cross-multiplication, so nothing is ever rounded. The smallest vertex of the best cycle, {lesson.root(s)}, is called the ROOT.

(You see this form because you step. On a CPU a run that is not stepped walks along the choices instead, and finds the same cycles. `r.variant` names the form; see `?ocm`.)]],
    ask = [[One of the two other cycles has a larger mean, and is broken up. Will the other one, 8 > 9 > 10 > 8, stay: yes or no?]],
    answer = "'no'",
    hint = [[How many cycles are needed to know what lambda is? Think what a second cycle of the same mean would add.]],
  },
  {
    see = "graph",
    run = {"finish"},
    hold = {"#lesson.chosen_cycles(s) == 1", "lesson.best_is_known(s)", "lesson.values_are_right(s)", "lesson.q(s) == 3"},
    say = [[
No: both other cycles are broken up, since one cycle is enough for lambda. For the crossings whose choices did not lead to the root, a search has found a path to it (`policy_connect`), and in each of these cycles at least one crossing has made a new choice (`policy_adopt`). Now all choices lead to {lesson.root(s)}. After each choice there is a number:

{lesson.choices(s, true)}

This is the VALUE of the crossing, `s.d`: what its path to the root costs if lambda is subtracted from every toll. Values are multiplied by {lesson.q(s)}, so that they are whole numbers. So a street counts

  {lesson.q(s)} * toll - {lesson.p(s)}

A path with a positive value costs more than lambda per street, a path with a negative value less. Once around the best cycle gives exactly 0: that is what lambda means. And a cycle with a NEGATIVE sum would have a lower mean.]],
    ask = [[What does the formula give for the street 7 > 8, with a toll of 1?]],
    answer = "lesson.q(s) * 1 - lesson.p(s)",
    hint = [[Put the toll of this street into the formula of the text. A street that costs less than lambda counts less than 0.]],
  },
  {
    see = "graph",
    run = {"iter"},
    hold = {"improved == 1", "lesson.changed(s, 7)", "lambda == 16 / 3"},
    say = [[
Now every vertex adds up, for each of its streets, what the street counts and the value of the crossing to which it leads. If that is less than the vertex's own value, the vertex chooses this street from now on. {improved} vertex has found such a street:

{lesson.show_changes(s)}

That was ONE pass over all streets, `policy_improve`, and the end of iteration 1. All vertices do this at the same time, and none has to wait for another, so a GPU can do it for thousands at once (Barnat, Bauch, Brim and Ceska 2011).]],
    ask = [[In the next iteration values are computed anew, and vertices choose again. Vertex 6 has streets to 7 (toll 6) and to 4. Its value is 25, that of 7 is now -11. What would the value of 6 be by the path through 7?]],
    answer = "3 * 6 - 16 - 11",
    hint = [[The path through 7 has two parts: first what the street from 6 to 7 counts, which is {lesson.q(s)} * toll - {lesson.p(s)}; then the value of 7. Add the two.]],
  },
  {
    see = "graph",
    run = {"iter"},
    hold = {"cycles == 0", "lambda == 16 / 3", "improved == 2", "lesson.changed(s, 0, 6)", "s.d[0] == 0", "lesson.changes(s)[1][4] < 0"},
    say = [[
Iteration 2. The new choice of 7 leads to the root as well, so there was no new cycle, and lambda stayed as it was. But the values of crossings whose path leads through 7 have fallen, and now other vertices find better streets:

{lesson.show_changes(s)}

Look at 0. It is the root itself, and it has found a path to the root with a NEGATIVE sum. A path from 0 to 0 is a cycle, and with a negative sum its mean is below lambda.]],
    ask = [[Will lambda be smaller or larger after the next iteration, or the same? (smaller, larger, same)]],
    answer = "'smaller'",
    hint = [[Lambda becomes the mean of the best cycle that is known. 0 has just found a cycle whose sum is negative: is its mean above lambda, or below it?]],
  },
  {
    see = "convergence",
    run = {"iter"},
    hold = {"cycles == 1", "lambda == 5", "improved == 2", "lesson.changed(s, 5, 9)"},
    say = [[
Iteration 3, and here it is: lambda is {lesson.fraction(s)} now. The values were computed anew, with the new lambda, and again some vertices have changed their choice:

{lesson.show_changes(s)}

So an iteration lowers lambda, or it keeps lambda and lowers values. In both cases no policy occurs twice. The number of policies is finite, so the algorithm ends. In practice it ends after few iterations, even for millions of vertices, though there is no proof that few are always enough.]],
  },
  {
    see = "convergence",
    run = {"until improved == 0", "iter"},
    hold = {"improved == 0", "lesson.count_iterations() == 5", "lesson.always_better()", "lesson.values_are_right(s)", "lambda == 4.5"},
    say = [[
This is the end: a pass has found nothing better.

{lesson.iterations()}

(The column `cycles` counts new cycles. If it is 0, all choices still lead to the old root.) All choices now lead to the cycle

{lesson.show_cycles(s)}

and lambda is {lesson.fraction(s)}.]],
  },
  {
    see = "convergence",
    run = {"start least_mean(tolls)", "continue", "lesson.wrong_mean = _"},
    hold = {"lesson.wrong_mean == 16 / 3"},
    say = [[
A BUG TO FIND. `least_mean` is somebody's own program for policy iteration (`??least_mean` shows it). It has the same steps: evaluate the policy, take its lambda, improve. It has ended with {('%.4f'):format(lesson.wrong_mean)}, and the right answer is 4.5. Its iterations:

{lesson.iterations()}]],
    ask = [[It ends too early, because it looks at the wrong number. Which number has to be 0 at the end: lambda or improved?]],
    answer = "'improved'",
    hint = [[The table on the previous page is of the run that went on to its end. In which column of that table, apart from lambda, does the last row differ from the row of iteration 2?]],
  },
  {
    run = {"??least_mean"},
    hold = {"check(ocm(tolls))"},
    say = [[
`improved`. The program stops when lambda is the same as in the iteration before. But an iteration may leave lambda as it is and lower only the values of vertices, and that prepares a better cycle. Iteration 2 was like that: two vertices improved their choice in it. "Nothing has changed in the result" is not "nothing can change any more".

That 9/2 is right, and 16/3 is not, can be PROVED without trusting the program: `lesson potentials`.

Two questions, so that you can check what you have understood (`lesson answers` has the answers):

  1. Why can the root find a path to itself
     with a negative sum only if lambda was
     not yet the least?
  2. `ocm(tolls, {{form = "layered"})` does
     the steps as in the paper, one pass for
     each layer of the trees. On what kind of
     graph does that take far more passes than
     pointer doubling?]],
    answers = [[
1. A path from the root to itself is made of cycles. Each street on it counts q * toll - p, so a negative sum means tolls / streets < p/q: one of these cycles has a mean below lambda. If lambda is the least, there is none.

2. Where the paths to the root are long: on a ring of n vertices the last layer is n - 1 streets from the root, and the steps that eliminate, mark and propagate take n - 1 passes each. Doubling takes about log2(n). `samples/experiments/forms.lua` counts both.]],
  },
}
