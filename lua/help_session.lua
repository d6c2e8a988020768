-- What help says of iterations and of the session, which are written in C (src/lua/l_session.c).

--- The iterations of an algorithm, numbered from 1 in it.n; it.state is s. The loop ends by break or return.
--- The prompt's `iter` and `break iter N` stop at the first it:mark of an iteration, or, where it had none, as
--- the loop comes round.
---   for it in iterations(s) do
---     local improved = policy.improve(s)
---     it:mark{improved = improved, lambda = s.lambda}
---     if improved == 0 then break end
---   end
--- With {from = FILE} as an algorithm's option, pass it on: the state is filled from the checkpoint and the number
--- goes on; with names of fields in a list, those alone are, and the others stay as they are. What the loop carries from one iteration to the next, beside the state,
--- belongs into the table `carried` (it.carried): numbers, booleans and short strings, which a checkpoint keeps.
---   local carried = {}
---   if not from then carried.kept = residual(s) end
---   for it in iterations(s, carried, from) do ... carried.kept = remove_edges(s) ... end
--: iterations(s [, carried [, from [, fields]]])

--- Saves the state of the outermost loop over iterations() to a file, where its present iteration ends; with a
--- number, of what runs from now on at the end of every iteration that it divides. The algorithm goes on from it,
--- in this session or a later one, when it is given {from = path}. false: no more. At a stop, the command
--- `checkpoint FILE` runs on to there and saves.
---   checkpoint("day.ckpt", 100)
---   r = scc.maxima(g)
---   r = scc.maxima(g, {from = "day.ckpt"})
--: checkpoint(path [, every])
--: checkpoint(false)

--- Puts named numbers (and true or false, as 1 or 0) of this iteration into the trace, for plots and conditions.
--: iteration:mark{NAME = number, ...}

--- Are primitives to be run one by one now, because someone steps, or a breakpoint or a watch may want to
--- stop between two? A loop of one's own that has a fused form takes that only where this is false.
--: session.stepped()

--- May someone wait for the end of an iteration: at the prompt, or for a checkpoint? A loop of one's own that can do
--- several iterations in one piece does so only where this is false, in scripts.
--: session.awaited()

--- A value to be closed: `next` runs what comes until then as one step.
---   local inside <close> = session.fixpoint()
--: session.fixpoint()

--- The number of the present iteration mark; 0 outside.
--: session.mark()

--- Prints a text for people: to standard output, but with --json or --csv, where that is for data, to standard error.
--- r:show() of a result prints so.
--: session.say(text)
