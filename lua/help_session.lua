-- What help says of iterations and of the session, which are written in C (src/lua/l_session.c).

--- The iterations of an algorithm, numbered from 1 in it.n; it.state is s. The loop ends by break or return.
--- The prompt's `iter` and `break iter N` stop at the first it:mark of an iteration, or, where it had none, as
--- the loop comes round.
---   for it in iterations(s) do
---     local improved = policy.improve(s)
---     it:mark{improved = improved, lambda = s.lambda}
---     if improved == 0 then break end
---   end
--: iterations(s)

--- Puts named numbers (and true or false, as 1 or 0) of this iteration into the trace, for plots and conditions.
--: iteration:mark{NAME = number, ...}

--- Are primitives to be run one by one now, because someone steps, or a breakpoint or a watch may want to
--- stop between two? A loop of one's own that has a fused form takes that only where this is false.
--: session.stepped()

--- A value to be closed: `next` runs what comes until then as one step.
---   local inside <close> = session.fixpoint()
--: session.fixpoint()

--- The number of the present iteration mark; 0 outside.
--: session.mark()
