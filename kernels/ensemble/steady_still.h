/* Lets instances continue that have settled although an event is still to come: one is pending, a trigger has
 * changed on the way to the steady state, or a comparison with time in a trigger will change. The text
 * defines EVENTS, WORDS, WAITING and model_truths as for events.h; RELATIONS, the comparisons with time;
 * model_timed(t, p, y, truth), which computes a bit for each, TIMED_WORDS words; and EVENT_OF, the event of
 * each. */
#include "ensemble/steady.h"

/* clang-format off */
#define ENSEMBLE_STILL_ARGS(A, W) \
  A(IN, f64, p, "VARIED*instances") A(INOUT, f64, y, "STATES*instances") A(IN, f64, t, "instances") \
  A(IN, f64, kept, "STATES*instances") A(IN, u32, truth, "WORDS*instances") \
  A(IN, f64, pending, "WAITING*instances") A(IN, u32, tally, "3*instances") \
  A(INOUT, u32, way, "instances") A(INOUT, u32, state, "instances") A(INOUT, u32, mover, "instances") \
  A(VALUE, u32, goes_by, "1") A(VALUE, u32, instances, "1") A(COUNT, u32, awaited, "1")
/* clang-format on */
ARGS_OF(ENSEMBLE_ROW(still), ENSEMBLE_STILL_ARGS)

#define STEADY_LATE 1e300 /* a time after all others */

VERTEX_BODY(ENSEMBLE_ROW(still)) {
  (void)push;
  const u64 i = v;
  if (a->way[i] != STEADY_SETTLED) return;
  const u32 of[] = EVENT_OF; /* the event of each comparison with time */
  f64 y[STATES], p[VARIED];
  u32 now[WORDS], soon[TIMED_WORDS], late[TIMED_WORDS];
  LOAD_INSTANCE
  u32 event = 0xffffffff;
  if (a->tally[i] > 0) event = (u32)a->pending[i]; /* a pending event */
  model_truths(a->t[i], p, y, now);
  for (u32 k = 0; k < EVENTS; k++)
    if (((now[k / 32] ^ OF_INSTANCE(a->truth, k / 32)) >> k % 32 & 1) != 0) event = k;
  model_timed(a->t[i], p, y, soon);
  model_timed(STEADY_LATE, p, y, late);
  for (u32 k = 0; k < RELATIONS; k++)
    if (((soon[k / 32] ^ late[k / 32]) >> k % 32 & 1) != 0) event = of[k];
  if (event == 0xffffffff) return;
  a->state[i] = STEADY_AWAITS;
  a->mover[i] = event;
  a->way[i] = a->goes_by;
  for (u32 k = 0; k < STATES; k++) OF_INSTANCE(a->y, k) = OF_INSTANCE(a->kept, k);
  count->awaited++;
}
