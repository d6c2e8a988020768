/* The trial's rows on a CPU. */
#include "driver/library.h"
#define W none
#include "rows.h"

#define CPU_ROW(name, ARGS_MACRO, DOMAIN, items) CPU_DRIVER(name, ARGS_MACRO, DOMAIN)
TRIAL_ROWS(CPU_ROW)
TRIAL_MEMORY_ROWS(CPU_ROW)

CPU_LIBRARY(trial_odds) {
  for (u64 i = 0; i < L->items; i++) {
    count->some += a->x[i] % 4 == 0;
    if (a->x[i] % 2 == 0) continue;
    a->y[i] += 3 * a->round + 1;
    count->odd++;
  }
  return LS_OK;
}
CPU_LIBRARY_DRIVER(trial_odds, TRIAL_ODDS_ARGS)
