-- What help says of iterations and of the session, which are written in C (src/lua/l_session.c).

--- The iterations of an algorithm, numbered from 1 in it.n; it.state is s. End the loop by break or return.
--- The prompt's `iter` and `break iter N` stop at the first it:mark of an iteration; if it has none, they stop where the
--- next iteration begins.
---   for it in iterations(s) do
---     local improved = policy.improve(s)
---     it:mark{improved = improved, lambda = s.lambda}
---     if improved == 0 then break end
---   end
--- An algorithm that has the option {from = FILE} passes it on here: the state is filled from the checkpoint, and the
--- iterations are counted on. fields is a list of names; if it is given, only those fields are filled. What the loop
--- carries from one iteration to the next, besides the state, belongs in the table `carried` (it.carried): numbers,
--- booleans and short strings, which a checkpoint keeps.
---   local carried = {}
---   if not from then carried.kept = residual(s) end
---   for it in iterations(s, carried, from) do ... carried.kept = remove_edges(s) ... end
--: iterations(s [, carried [, from [, fields]]])

--- Saves the state of the outermost loop over iterations() to a file, at the end of its present iteration. With a number
--- `every`, all algorithms that run from now on save theirs after every so many iterations; checkpoint(false) ends that.
--- An algorithm goes on from the file, in this session or a later one, when it is given {from = path}. At a stop, the
--- command `checkpoint FILE` runs to the end of the iteration and saves. Of several ranks each saves its own state, in
--- FILE.0of2, FILE.1of2 and so on, and goes on from there; as many ranks have to go on. If they exchange within the loop,
--- these files have to be of one iteration. scc, ocm and ocr of a part of a graph (g:partition) refuse to run while
--- checkpoint(path, every) is asked for, and `checkpoint FILE` while such a run is stopped: nothing could go on from their files.
---   checkpoint("day.ckpt", 100)
---   r = scc.maxima(g)
---   r = scc.maxima(g, {from = "day.ckpt"})
--: checkpoint(path [, every])
--: checkpoint(false)

--- Records named numbers of this iteration (true and false as 1 and 0) in the trace, for plots and conditions. A value may
--- also be a text: the line of a stop shows it, before the numbers, and `until` and conditions see it; the trace does not
--- keep it. If the iteration has called no primitive, then start, step, next and until stop here as after a primitive.
--: iteration:mark{NAME = number or text, ...}

--- Are primitives to be run one by one now, because the run is stepped, or because a breakpoint or a watch may
--- stop between two of them? A loop of your own that can also run in one piece does so only if this is false.
--: session.stepped()

--- Is the end of an iteration awaited, by a person at the prompt or by a checkpoint? A loop of your own that can do
--- several iterations in one piece does so only if this is false, as in scripts.
--: session.awaited()

--- What a == b means where an expression is watched (until, break, watch): the comparison of Lua, but an error if a buffer is
--- compared with a number, which would never be equal.
--: session.equal(a, b)

--- The file, and after how many iterations, that checkpoint(path, every) has asked for; nothing where none is asked for. For
--- a loop of your own that has no checkpoints, and says so instead of saving nothing.
--: session.saves()

--- Until the value is closed, checkpoint(path) and the command `checkpoint` are errors with this reason: no run could go on from
--- the state of what runs.
---   local _x <close> = session.saves_nothing "its state is in a file that it removes"
--: session.saves_nothing(why)

--- A value to be closed: `next` runs all primitives until it is closed as one step.
---   local inside <close> = session.fixpoint()
--: session.fixpoint()

--- An iteration of a loop of your own that marks none is over: `iter` stops here. Loops of primitives, like near_far, do this
--- themselves. In algorithms with a loop over iterations() it is no stop.
---   for k = 0, n - 1 do fw_step(D, overflow, k, tiles) session.turn() end
--: session.turn()

--- A value to be closed, for a loop of your own that keeps its result so far when Ctrl-C is pressed: it asks
--- session.interrupted() in every iteration, and ends early if that is true. Until the value is closed the first Ctrl-C raises
--- no error; a second one does. Only at the prompt: a script that is run from the shell ends by Ctrl-C.
---   local kept <close> = session.keep()
---   for it in iterations(s) do ... if session.interrupted() then break end end
--: session.keep()

--- Was Ctrl-C pressed since session.keep()? It is true once for each press.
--: session.interrupted()

--- The number of the present iteration mark; 0 outside.
--: session.mark()

--- Prints a text for people: to standard output; with --json or --csv to standard error, since standard output is for data
--- then. r:show() of a result prints in this way.
--: session.say(text)
