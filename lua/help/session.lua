-- Help texts of iterations and of the table session, which are implemented in C (src/lua/base/l_session.c).

--- The iterations of an algorithm, numbered from 1 in it.n; it.state is s. End the loop by break or return. A loop
--- whose body has a <close> variable, or a function that uses a local variable of the body, is to be left by return or goto instead of
--- break: Lua before 5.4.5 does not close a loop that break leaves there.
--- The prompt's `iter` and `break iter N` stop at the first it:mark of an iteration; if it has none, they stop where the
--- next iteration begins.
---   for it in iterations(s) do
---     local improved = policy.improve(s)
---     it:mark{improved = improved, lambda = s.lambda}
---     if improved == 0 then break end
---   end
--- from: the path of a checkpoint, usually the algorithm's own option {from = FILE}; the state is restored from it, and the
--- numbers of iterations continue. fields: a list of names; only these fields of the state are restored (default: all).
--- carried: a table of numbers, booleans and short strings that the loop needs from one iteration to the next besides the
--- state; a checkpoint saves and restores it. The loop reads and writes it as it.carried.
---   local carried = {}
---   if not from then carried.kept = residual(s) end
---   for it in iterations(s, carried, from) do ... carried.kept = remove_edges(s) ... end
--: iterations(s [, carried [, from [, fields]]])

--- What a module of the library, lua/FAMILY/NAME.lua, returns: import "scc/scc". Names that users need are global already; modules use
--- this for each other's functions. A module runs once.
--: import(name)

--- Saves the state of the outermost loop over iterations() to a file, at the end of its current iteration. With `every`, each
--- algorithm that runs from now on saves its state after every `every` iterations; checkpoint(false) ends that.
--- The option {from = path} resumes an algorithm from the file, in this session or a later one. At a stop, the command
--- `checkpoint FILE` runs to the end of the iteration and saves. With several ranks each saves its own state, in
--- FILE.0of2, FILE.1of2 and so on, and the same number of ranks can resume; if the ranks exchange data within the loop, all
--- files must be of the same iteration. scc, ocm and ocr of a part of a graph (g:partition) cannot be resumed: they raise an
--- error while checkpoint(path, every) is in effect, and `checkpoint FILE` is an error while such a run is stopped.
---   checkpoint("day.ckpt", 100)
---   r = scc.maxima(g)
---   r = scc.maxima(g, {from = "day.ckpt"})
--: checkpoint(path [, every])
--: checkpoint(false)

--- Records named numbers of this iteration (true and false as 1 and 0) in the trace, for plots and conditions. A value may
--- also be a text: the line of a stop shows it, before the numbers, and `until` and conditions can use it; the trace does not
--- keep it. If the iteration has called no primitive, then start, step, next and until stop here as after a primitive.
--: iteration:mark{NAME = number or text, ...}

--- Must primitives run one by one, because the run is stepped, or because a breakpoint or a watch may stop between two of
--- them? A loop of your own that can also run as one launch should do so only if this is false.
--: session.stepped()

--- Does the prompt (iter, break iter) or a checkpoint need a stop at the end of each iteration? A loop of your own that can
--- run several iterations in one launch should do so only if this is false, as in scripts.
--: session.awaited()

--- The meaning of a == b in expressions of until, break and watch: as in Lua, except that comparing a buffer with a number,
--- which would never be equal, is an error.
--: session.equal(a, b)

--- Returns the arguments of checkpoint(path, every) if it is in effect, else nothing. A loop of your own that cannot be saved
--- calls this to raise an error instead of saving nothing.
--: session.saves()

--- Until the returned value is closed, checkpoint(path) and the command `checkpoint` are errors with the reason `why`. For code
--- whose state cannot be resumed.
---   local _x <close> = session.saves_nothing "its state is in a file that it removes"
--: session.saves_nothing(why)

--- Until the returned value is closed, `next` runs all primitives as one step.
---   local inside <close> = session.fixpoint()
--: session.fixpoint()

--- Ends an iteration in a loop of your own that has no iteration marks: `iter` stops here. Loops of primitives, like near_far,
--- do this themselves. `iter` ignores it in algorithms with a loop over iterations().
---   for k = 0, n - 1 do fw_step(D, overflow, k, tiles) session.turn() end
--: session.turn()

--- Until the returned value is closed, the first Ctrl-C raises no error; a second one does. For a loop of your own that returns
--- its result so far on Ctrl-C: it calls session.interrupted() in every iteration, and ends early if that is true. Only at the
--- prompt: a script that is run from the shell is ended by Ctrl-C.
---   local kept <close> = session.keep()
---   for it in iterations(s) do ... if session.interrupted() then break end end
--: session.keep()

--- Was Ctrl-C pressed since session.keep()? Returns true once for each press.
--: session.interrupted()

--- The number, from 1, of the current iteration of a loop over iterations(); 0 outside of such a loop.
--: session.mark()

--- Prints a text for people: to standard output, but with --json or --csv to standard error, because standard output is then
--- for data. r:show() of a result prints in this way.
--: session.say(text)
