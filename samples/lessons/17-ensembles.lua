-- Many instances of one model: when to use one thread per instance.

lesson = assert(loadfile((...) .. "/common.lua"))(...)

prey = model.load(model.sample "lotka-volterra")
robertson = model.load(model.sample "robertson")
--- Rates from slow to quick.
rates = logrange(0.1, 100, 64)
lesson.decay = model.from_text "k = 1\nx' = -k*(x - cos(time))\nx(0) = 0"

--- Attempted steps, in percent of the steps that would fit if every launch had one thread per instance.
function lesson.busy(r, attempts)
  return ("%.0f"):format(100 * (r.accepted + r.rejected) / (r.launches * r.instances * attempts))
end

--- The number of instances in which a has more prey at the end than b.
function lesson.more(a, b)
  local count = 0
  for i = 0, a.instances - 1 do
    if a.x:get(5, i) > b.x:get(5, i) then count = count + 1 end
  end
  return count
end

--- The number of steps of the instance with this k, run by itself.
function lesson.alone(k)
  return simulate(lesson.decay, {sweep = {k = {k}}, stop = 10, steps = 1, method = "dopri5"}).accepted
end

--- Fake measurements of prey: the model's values with noise.
function lesson.counted()
  local c, random, d = simulate(prey, {stop = 15, steps = 30}), ensemble.random(4), {time = {}, x = {}}
  for i = 0, 30 do
    local noise = math.sqrt(-2 * math.log(1 - random())) * math.cos(2 * math.pi * random())
    d.time[i + 1], d.x[i + 1] = c.t[i], c.x[i] + 0.5 * noise
  end
  return d
end

return {
  {
    run = {"r = simulate(prey, {sample = {a = uniform(1, 2)}, instances = 1000, seed = 7, stop = 5, steps = 5})", "r"},
    hold = {"#r.failed == 0", "r.instances == 1000", "r.parameters.a[3] ~= r.parameters.a[4]"},
    say = [[
A model of predators and prey, {r.instances} times, with another birth rate `a` each time. This is an ENSEMBLE, and each of its runs an INSTANCE. The table has the values at the end.

Here each thread computes one instance. It keeps the two states, the parameter and what the method needs between two steps in its registers, and it asks no other thread for anything: no atomics, no barriers. That is the best that can happen to a thread. The equations themselves are in the kernel's text, which was made and compiled when you called simulate.

How do you know that the instances do not disturb each other? One test is to run ten of them alone.]],
    ask = [[The same call with instances = 10, and the same seed: of how many of the ten will the prey at the end differ from here?]],
    answer = "0",
    hint = [[Where does the birth rate of an instance come from, and what does its result depend on? Does it ask another instance for anything?]],
  },
  {
    run = {"few = simulate(prey, {sample = {a = uniform(1, 2)}, instances = 10, seed = 7, stop = 5, steps = 5})"},
    hold = {"few.x:get(5, 9) == r.x:get(5, 9)", "few.parameters.a[9] == r.parameters.a[9]"},
    say = [[
Ten instances of the same seed: instance 9 has the same birth rate, {("%.4f"):format(few.parameters.a[9])}, and at the end the same number of prey to the last bit, {("%.4f"):format(few.x:get(5, 9))}. The numbers that an instance draws depend only on the seed and on the instance's number, and its results depend on no other instance.

Each instance also chooses its own steps, so that each keeps to the tolerance. Together they took {r.accepted} steps, and tried {r.rejected} more that were too long.

That is where the trouble begins. The 32 threads of a warp go forward together. What happens if one of them needs a thousand steps, and the others ten?]],
    ask = [[The warp then goes on for 1000 steps, and so there are 32 * 1000 places for a step. How many of them are used?]],
    answer = "1000 + 31 * 10",
    hint = [[A place is used if a thread makes a step in it. Add up the steps of the one long thread and those of the 31 others.]],
  },
  {
    run = {
      "hungry = model.load(model.sample 'lotka-volterra')",
      "hungry:set('p', 0.11)",
      "after = simulate(hungry, {sample = {a = uniform(1, 2)}, instances = 1000, seed = 8, stop = 5, steps = 5})",
    },
    hold = {"lesson.more(after, r) < 800", "lesson.more(after, r) > 500"},
    say = [[
{1000 + 31 * 10} of 32000: four in a hundred.

A BUG TO FIND. Somebody wants to know what becomes of the prey if each predator takes a tenth more of them (p = 0.11), and runs the ensemble once more with such predators: `after`. In {lesson.more(after, r)} of the 1000 instances there are more prey at the end than in `r`, in the others fewer. "It depends on their births", she writes. But it does not: look at the calls, and at r.parameters.a and after.parameters.a.]],
    ask = [[One number of her call is wrong. What should it be?]],
    answer = "7",
    hint = [[The two runs should differ in p and in nothing else. Compare the two calls argument by argument: the first one has the number that belongs there.]],
  },
  {
    run = {
      "wide = simulate(lesson.decay, {sweep = {k = rates}, stop = 10, steps = 1, method = 'dopri5', attempts = 1000000})",
      "short = simulate(lesson.decay, {sweep = {k = rates}, stop = 10, steps = 1, method = 'dopri5', attempts = 8})",
    },
    hold = {"wide.accepted == short.accepted", "wide.launches < short.launches", "lesson.alone(100) > 10 * lesson.alone(0.1)"},
    say = [[
The seed should be 7: with another one every instance has another birth rate, and the two runs cannot be compared one by one. With the same seed all 1000 have more prey at the end (try it).

64 instances of x' = -k*(x - cos(time)): with k = 0.1 an instance takes {lesson.alone(0.1)} steps, with k = 100 {lesson.alone(100)}. A warp that has both waits for the second.

So a thread tries `attempts` steps at most in a launch (48, if you do not say otherwise). Then the instances that are not done are listed anew, and the next launch has threads for them alone: they are COMPACTED. With attempts = 8 there were {short.launches} launches, none with more threads than the one before; with a million there was {wide.launches}, in which most threads had nothing to do for most of the time. The steps are the same, {wide.accepted} in all.

If each of these {short.launches} launches had a thread for each of the 64 instances, {lesson.busy(short, 8)} % of their attempts would have been steps.

Why does k = 100 take so many steps at all? x follows the cosine, and that is smooth.]],
  },
  {
    run = {
      "quick = simulate(robertson, {sweep = {A = {0.5, 1}}, stop = 10, steps = 1, method = 'dopri5', rtol = 1e-4})",
      "stiff = simulate(robertson, {sweep = {A = {0.5, 1}}, stop = 10, steps = 1, method = 'rodas4', rtol = 1e-4})",
      "auto = simulate(robertson, {sweep = {A = {0.5, 1}}, stop = 10, steps = 1, rtol = 1e-4})",
    },
    hold = {"quick.accepted > 20 * stiff.accepted", "auto.stiff == 2", "math.abs(quick.C:get(1, 1) - stiff.C:get(1, 1)) < 1e-4"},
    say = [[
Because it is STIFF: something in it could change quickly, though it does not, and an explicit method has to take steps as short as that. Robertson's reactions are the well-known case: {quick.accepted} steps by `dopri5`, {stiff.accepted} by `rodas4`, and the results agree.

rodas4 solves linear systems with the JACOBIAN, the derivative of each rate by each state. It is derived from the equations symbolically, and so is the order in which it is eliminated: each thread runs straight-line code. `method = "auto"` begins with dopri5, and an instance that proves to be stiff goes on by rodas4: {auto.stiff} of {auto.instances} did.

A step of rodas4 is more work, and it needs more memory: the Jacobian and its factors. For 3 states that is nothing. For 300?]],
  },
  {
    run = {"line = model.line {cells = 100}", "line", "b = line:bytecode()"},
    hold = {"line.states == 800", "b.widest > 800"},
    say = [[
A hundred cells of a heart in a line: {line.states} states. A thread that had such an instance would need {line.states * 8 // 1024} KiB for each vector of states, and a method has eight vectors and more; a multiprocessor of a GPU has 256 KiB of registers, for up to 2048 threads. What does not fit goes to memory, at every step of every thread. And you would need tens of thousands of instances to keep the GPU busy.

So one thread for each instance is right where the model is small and the instances are many. Where the model is large and the instances are few, the threads have to share an instance: with `engine = "bytecode"` each thread computes one EQUATION, {b.widest} threads at a time, and all threads wait for each other after each phase (lesson bytecode). Between the two a block of threads computes an instance: `group = 64`.

What are a million runs good for? You seldom want to see a million curves.]],
    ask = [[How many bytes would the curves of a million instances take, with 2 variables and 1001 rows of f64?]],
    answer = "1000000 * 2 * 1001 * 8",
    hint = [[Multiply the numbers of instances, of variables and of rows by the bytes of a value. An f64 has 64 bits.]],
  },
  {
    run = {
      "all = simulate(prey, {sample = {a = uniform(1, 2)}, instances = 2000, stop = 5, steps = 5, keep = false})",
      "parts = sobol(prey, {of = 'x', sample = {a = uniform(1, 2), b = uniform(0.04, 0.06)}, stop = 2, points = 256})",
      "parts",
    },
    hold = {"all.record == false", "all:mean('x')[5] > 0", "check(parts)", "parts[1].first > 0.2 and parts[2].first > 0.2", "parts[1].total > parts[1].first"},
    say = [[
With keep = false the values of a row are gone when the next one is made: what stays are means, quantiles and histograms.

Sobol's indices say where the spread of a result comes from: here it is the prey 2 years later. By itself, `a`, the birth rate of prey, causes {("%.0f"):format(100 * parts[1].first)} % of its variance, and `b`, how well predators live on prey, causes {("%.0f"):format(100 * parts[2].first)} %; the rest they cause together, and it is part of both total indices. The bounds next to the indices come from a bootstrap; {parts.evaluations} runs do not give narrower ones. `morris` asks the same with far fewer runs, and only ranks the parameters.

Turn the question round: somebody has counted the prey. What were the parameters?]],
  },
  {
    run = {
      "found = fit(prey, {data = lesson.counted(), parameters = {a = {0.5, 5}, k = {0.5, 5}}, starts = 6})",
      "found",
      "check(found)",
    },
    hold = {"math.abs(found.parameters.a - 1.5) < 4 * found.errors.a", "found.errors.a < 0.05", "found.ended == 'converged'"},
    say = [[
A FIT: six starts, and for each of them the derivative of every value by every parameter, from the sensitivity equations; each start and each parameter is an instance, so that a turn of the method is one run. {found.agree} of 6 starts came to the least sum of squares; the others ended elsewhere, as often happens with curves that oscillate. The truth was 1.5 and 1.

`steady` and `sensitivities` are made in the same way. `help analyses` has them all.

Three questions (`lesson answers` has the answers):

  1. Would it help to sort the instances
     of a sweep by k?
  2. Each instance chooses its own steps.
     What would be better, and what worse,
     if a warp chose them together?
  3. keep = false keeps quantiles. Why can
     they not be made from the quantiles of
     the parts of an ensemble?]],
    answers = [=[
1. Yes: instances beside each other are threads of one warp, and neighbours in k take about as many steps. A sweep is in order already. A sample is not, and there compaction has to do it.

2. The threads would never wait for each other within a step, since all accept or reject it together. But each would have to take the step of the most difficult one of 32, so that there would be more steps; and the results of an instance would depend on its neighbours: they would not be the same to the last bit in an ensemble of another size.

3. The median of medians is not the median. A mean and a deviation can be computed from those of parts, as long as one knows how many values each has; for a quantile all values of a row have to be there at once, or a histogram that is fine enough.]=],
  },
}
