#include "core/spent.h"

static u64 nanoseconds[LS_SPENT_PARTS];

void ls_spend(ls_spent_part part, f64 seconds) {
  if (seconds > 0) __atomic_fetch_add(&nanoseconds[part], (u64)(1e9 * seconds), __ATOMIC_RELAXED);
}

f64 ls_spent(ls_spent_part part) { return 1e-9 * (f64)__atomic_load_n(&nanoseconds[part], __ATOMIC_RELAXED); }
