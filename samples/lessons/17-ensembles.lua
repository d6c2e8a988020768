-- Many instances of one model: when to use one thread per instance.

lesson = assert(loadfile((...) .. "/common.lua"))(...)

prey = model.load(model.sample "lotka-volterra")
robertson = model.load(model.sample "robertson")
--- Rates from slow to quick.
rates = logrange(0.1, 100, 64)
lesson.decay = model.from_text "k = 1\nx' = -k*(x - cos(time))\nx(0) = 0"

--- The attempted steps in % of those possible if every launch had one thread per instance, each with `attempts` attempts.
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
A model of predators and prey, simulated {r.instances} times, each time with a different birth rate `a`. This is an ENSEMBLE, and each of its runs an INSTANCE. The table has the values at the end.

Here each thread computes one instance. It keeps the two states, the parameter and what the method needs between two steps in its registers, and it exchanges nothing with other threads: no atomics, no barriers. That is the ideal case for a GPU. The equations themselves are in the kernel's source, which was generated and compiled when you called simulate.

How do you know that the instances do not influence each other? One test is to run only ten of them.]],
    ask = [[The same call with instances = 10, and the same seed: how many of these ten instances will end with a different number of prey than here?]],
    answer = "0",
    hint = [[Where does the birth rate of an instance come from, and what does its result depend on? Does it read anything of another instance?]],
  },
  {
    run = {"few = simulate(prey, {sample = {a = uniform(1, 2)}, instances = 10, seed = 7, stop = 5, steps = 5})"},
    hold = {"few.x:get(5, 9) == r.x:get(5, 9)", "few.parameters.a[9] == r.parameters.a[9]"},
    say = [[
Ten instances with the same seed: instance 9 has the same birth rate, {("%.4f"):format(few.parameters.a[9])}, and at the end the same number of prey to the last bit, {("%.4f"):format(few.x:get(5, 9))}. The numbers that an instance draws depend only on the seed and on the instance's number, and its results depend on no other instance.

Each instance also chooses its own step sizes, so that each keeps to the tolerance. Together the 1000 instances took {r.accepted} steps, and tried {r.rejected} more that were too long.

That is where the trouble begins. The 32 threads of a warp run in lockstep. What happens if one of them needs a thousand steps, and the others ten?]],
    ask = [[The warp then goes on for 1000 steps, and so there are 32 * 1000 slots for a step. How many of them are used?]],
    answer = "1000 + 31 * 10",
    hint = [[A slot is used if a thread makes a step in it. Add up the steps of the slow thread and those of the 31 others.]],
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

A BUG TO FIND. Somebody wants to know what happens to the prey if each predator eats a tenth more of them (p = 0.11), and runs the ensemble once more with such predators: `after`. In {lesson.more(after, r)} of the 1000 instances there are more prey at the end than in `r`, in the others fewer. The conclusion is: "It depends on the birth rate." But it does not: look at the calls, and at r.parameters.a and after.parameters.a.]],
    ask = [[One number in the call that computed `after` is wrong. What should it be?]],
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
The seed should be 7: with a different one every instance has a different birth rate, and the two runs cannot be compared one by one. With the same seed all 1000 have more prey at the end (try it).

64 instances of x' = -k*(x - cos(time)): with k = 0.1 an instance takes {lesson.alone(0.1)} steps, with k = 100 {lesson.alone(100)}. A warp that has both waits for the second.

So a thread tries at most `attempts` steps in a launch (48 by default). Then the instances that are not done are COMPACTED: they are listed anew, and the next launch has threads only for them. With attempts = 8 there were {short.launches} launches, none with more threads than the one before; with a million there was {wide.launches}, in which most threads had nothing to do for most of the time. The steps are the same, {wide.accepted} in all.

Without compaction each of these {short.launches} launches would have a thread for each of the 64 instances, and only {lesson.busy(short, 8)} % of the attempts that they allow would be used.

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
Because the equation is STIFF: when x is off the cosine, it returns very fast. Even while x is on it, an explicit method has to take steps short enough for that, or it becomes unstable. Robertson's reactions are a well-known stiff model: {quick.accepted} steps by `dopri5`, {stiff.accepted} by `rodas4`, and the results agree.

rodas4 solves linear systems with the JACOBIAN, the derivative of each rate with respect to each state. It is derived from the equations symbolically, and the order of elimination is chosen in advance: each thread runs straight-line code. `method = "auto"` begins with dopri5, and an instance that proves to be stiff continues with rodas4: {auto.stiff} of {auto.instances} did.

A step of rodas4 is more work, and it needs more memory: for the Jacobian and its factors. For 3 states that is almost nothing. For 300?]],
  },
  {
    run = {"line = model.line {cells = 100}", "line", "b = line:bytecode()"},
    hold = {"line.states == 800", "b.widest > 800"},
    say = [[
A hundred cells of a heart in a line: {line.states} states. A thread with such an instance would need {line.states * 8 // 1024} KiB for each vector of states, and a method has eight vectors or more; a multiprocessor of a GPU has 256 KiB of registers, for up to 2048 threads. What does not fit is written to memory and read again, at every step of every thread. And you would need tens of thousands of instances to keep the GPU busy.

So one thread per instance is right if the model is small and there are many instances. If the model is large and there are few instances, threads have to share an instance: with `engine = "bytecode"` each thread computes one EQUATION, {b.widest} threads at a time, with a barrier after each phase (lesson bytecode). Between the two, a block of threads computes an instance: `group = 64`.

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
With keep = false the values of a row are discarded when the next row is computed: only means, quantiles and histograms are kept.

Sobol's indices say where the variance of a result comes from; here the result is the number of prey after 2 years. The birth rate of prey, `a`, causes {("%.0f"):format(100 * parts[1].first)} % of the variance by itself. The parameter `b` says how much prey helps predators to multiply; by itself it causes {("%.0f"):format(100 * parts[2].first)} % of the variance. `a` and `b` together cause the rest, which is part of the total index of each. The bounds next to the indices come from a bootstrap; narrower bounds need more than these {parts.evaluations} runs. `morris` needs far fewer runs, but only ranks the parameters.

Now the inverse question: somebody has counted the prey. What were the parameters?]],
  },
  {
    run = {
      "found = fit(prey, {data = lesson.counted(), parameters = {a = {0.5, 5}, k = {0.5, 5}}, starts = 6})",
      "found",
      "check(found)",
    },
    hold = {"math.abs(found.parameters.a - 1.5) < 4 * found.errors.a", "found.errors.a < 0.05", "found.ended == 'converged'"},
    say = [[
A FIT: six starts, and for each of them the derivative of every value with respect to every parameter, from the sensitivity equations; there is one instance for each start and each parameter, so that an iteration of the method is one run of an ensemble. {found.agree} of 6 starts reached the least sum of squares; the others ended elsewhere, such as in local minima, as often happens with curves that oscillate. The data were made with a = 1.5 and k = 1.

`steady` and `sensitivities` use ensembles, too. `help analyses` lists all functions that do.

Three questions (`lesson answers` has the answers):

  1. Would it help to sort the instances
     of a sweep by k?
  2. Each instance chooses its own steps.
     What would be better, and what worse,
     if a warp chose them together?
  3. keep = false keeps quantiles. Why can
     they not be computed from quantiles of
     parts of the ensemble?]],
    answers = [=[
1. Yes: consecutive instances are threads of one warp, and instances with nearly the same k take nearly the same number of steps. A sweep is already in order. A sample is not: there compaction keeps the threads busy.

2. The threads would never wait for each other within a step, since all accept or reject it together. But each would have to take the step size of the most difficult one of the 32 instances, so that there would be more steps; and the results of an instance would depend on its neighbours: they would not be the same to the last bit in an ensemble of another size.

3. The median of medians is not the median. A mean and a deviation can be computed from those of the parts and their numbers of values; a quantile needs all values of a row at once, or a histogram that is fine enough.]=],
  },
}
