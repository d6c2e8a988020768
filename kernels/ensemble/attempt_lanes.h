/* The row of attempt.h for one instance per lane. All lanes try a step together, and masks say which of them
 * accept it: `going` has the lanes that have not reached `stop`, `good` those whose step is accepted. Models
 * whose instances branch differently (events, conditions, Radau's iterations) do not use lanes. */
TILE_BODY(STEP_ROW) {
  const u32 listed = a->front[0] < a->instances ? a->front[0] : a->instances;
  const u32 from = tile * LANES;
  if (from >= listed || NO_LANE) return;
  reals y[STATES], z[STATES], p[VARIED], t, h;
  const f64 stop = a->stop[0], rtol = STEP_RTOL;
  u32 at[LANES];
  truths doubt, going, refused;
  EACH_LANE(l) {
    const bool is = from + l < listed;
    const u32 given = a->front[1 + (is ? from + l : from)], i = given < a->instances ? given : 0;
    at[l] = i;
    LANE(t, l) = a->t[i];
    LANE(h, l) = a->h[i];
    LANE(doubt, l) = a->doubt[i];
    LANE(refused, l) = 0;
    LANE(going, l) = is && a->t[i] < stop ? LANE_IS : 0;
    EACH_STATE(LANE(y[k], l) = OF_INSTANCE(a->y, k);)
    EACH_VARIED(LANE(p[k], l) = OF_INSTANCE(a->p, k);)
  }
#define STEP_PART STEP_BEGINS
#include STEP_FILE
#undef STEP_PART
  if (ANY(NOT(h > 0))) { /* the first step, as in Hairer, Norsett and Wanner 1993, II.4 */
    reals size = REALS(0), speed = REALS(0);
    EACH_STATE(const reals tolerated = TOLERATED(k, lanes_fabs(y[k]));
               size += y[k] * y[k] / (tolerated * tolerated);
               speed += STEP_FIRST_RATE[k] * STEP_FIRST_RATE[k] / (tolerated * tolerated);)
    size = lanes_sqrt(size / STATES), speed = lanes_sqrt(speed / STATES);
    reals first = CHOOSE((size < 1e-5) | (speed < 1e-5), 1e-6 * (stop - t), 0.01 * size / speed);
    first = lanes_fmax(first, 1e-14 * lanes_fabs(t));
    h = CHOOSE(h > 0, h, CHOOSE(first < stop - t, first, stop - t));
  }
  for (u32 attempt = 0; attempt < a->attempts && ANY(going); attempt++) {
    const reals left = stop - t;
    const truths last = h * (1 + 1e-9) >= left;
    const reals step = CHOOSE(last & going, left, h);
    const truths stuck = going & NOT((step > 4e-16 * lanes_fabs(t)) & (step > 1e-300));
    if (ANY(stuck)) {
      EACH_LANE(l) {
        if (LANE(stuck, l)) a->way[at[l]] = ENSEMBLE_FAILED;
      }
      count->failed += COUNT_LANES(stuck);
      going &= NOT(stuck);
      if (!ANY(going)) break;
    }
    reals error = REALS(0);
#define STEP_PART STEP_TRIES
#include STEP_FILE
#undef STEP_PART
    error = lanes_sqrt(error / STATES);
    const truths small = error <= 1, good = going & small, bad = going & NOT(small); /* a NaN is not small */
    const reals ratio = 0.9 * lanes_exp(lanes_log(error) * (-1.0 / STEP_ORDER));
    const reals longer = step * lanes_fmin(CHOOSE(refused, 1, 5), CHOOSE(error > 0, ratio, 5));
    const reals shorter = step * CHOOSE(error - error == 0, lanes_fmax(0.2, ratio), 0.1);
    count->accepted += COUNT_LANES(good);
    count->rejected += COUNT_LANES(bad);
    h = CHOOSE(bad, shorter, CHOOSE(good & NOT(last & (longer < h)), longer, h));
    refused = bad | (refused & NOT(good));
    if (!ANY(good)) continue;
    going &= NOT(good & last);
    t = CHOOSE(good, CHOOSE(last, stop, t + step), t);
#define STEP_PART STEP_ACCEPTED
#include STEP_FILE
#undef STEP_PART
  }
  EACH_LANE(l) {
    const u32 i = at[l];
    if (from + l < listed) {
      EACH_STATE(OF_INSTANCE(a->y, k) = LANE(y[k], l);)
      a->t[i] = LANE(t, l);
      a->h[i] = LANE(h, l);
      a->doubt[i] = (u32)LANE(doubt, l);
      if (LANE(going, l)) {
        count->left++;
        PUSH(front_next, i);
      }
    }
  }
}
