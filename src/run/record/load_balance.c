#include "run/record/load_balance.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"
#include "core/wait.h"
#include "ranks/shared_prompt.h"
#include "ranks/ranks.h"

int ls_load_balance_lines(void) { return ls_ranks() > 1 ? ls_ranks() + 2 : 0; }

static void bytes_text(f64 bytes, char out[24]) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int u = 0;
  while (bytes >= 999.5 && u < 5) bytes /= 1000, u++;
  snprintf(out, 24, "%.*f %s", u == 0 || bytes >= 99.95 ? 0 : bytes < 9.995 ? 2 : 1, bytes, units[u]);
}

static f64 kernels_of(const ls_rank_stats *s) { return s->kernels; }
static f64 before_of(const ls_rank_stats *s) { return s->before; }

/* Sets the maximum and the sum of a time over all ranks; returns the rank with the maximum. */
static int slowest_by(f64 (*seconds)(const ls_rank_stats *), f64 *most, f64 *sum) {
  int slowest = 0;
  *most = *sum = 0;
  for (int r = 0; r < ls_ranks(); r++) {
    ls_rank_stats s;
    ls_rank_stats_of(r, &s);
    const f64 own = seconds(&s);
    *sum += own;
    if (own > *most) *most = own, slowest = r;
  }
  return slowest;
}

static void slowest_line(char *out, size_t bytes) {
  f64 most, sum;
  const int slowest = slowest_by(kernels_of, &most, &sum);
  if (sum <= 0)
    snprintf(out, bytes, "no kernels before the last exchange");
  else
    snprintf(out, bytes, "rank %d slowest: %.2f x mean; as of last exchange", slowest,
             most * ls_ranks() / sum);
}

void ls_load_balance_line(int i, char *out, size_t bytes) {
  if (i == 0) {
    snprintf(out, bytes, "rank kernels ms exchange ms  waits ms       got");
  } else if (i > ls_ranks()) {
    slowest_line(out, bytes);
  } else {
    ls_rank_stats s;
    char got[24];
    ls_rank_stats_of(i - 1, &s);
    bytes_text((f64)s.bytes, got);
    snprintf(out, bytes, "%4d %10.3f %11.3f %9.3f %9s%s", i - 1, 1e3 * s.kernels, 1e3 * s.exchanges,
             1e3 * s.waits, got, s.waiting ? " waits" : "");
  }
}

/* --- a stop ----------------------------------------------------------------------------------------------
 */

static bool all_have_come(const char *name) {
  ls_rank_stats_row_of row;
  for (int r = 0; r < ls_ranks(); r++)
    if (!ls_rank_stats_row(r, name, &row)) return false;
  return true;
}

static void of_exchange(char *out, size_t bytes) {
  f64 most, sum;
  const int slowest = slowest_by(before_of, &most, &sum);
  char slow[24], mean[24];
  ls_time_text(most, slow);
  ls_time_text(sum / ls_ranks(), mean);
  if (sum > 0)
    snprintf(out, bytes, "%d ranks: kernels before it: rank %d slowest: %s, mean %s", ls_ranks(), slowest,
             slow, mean);
}

static void of_row(const ls_record *record, char *out, size_t bytes) {
  ls_rank_stats_row_of sum = {0};
  u32 least = UINT32_MAX, most = 0;
  f64 slow = 0;
  int slowest = 0;
  for (int r = 0; r < ls_ranks(); r++) {
    ls_rank_stats_row_of row;
    ls_rank_stats_row(r, record->prim->name, &row);
    for (int i = 0; i < LS_RANK_STATS_COUNTS; i++) sum.counts[i] += row.counts[i];
    if (row.calls < least) least = row.calls;
    if (row.calls > most) most = row.calls;
    if (row.seconds > slow) slow = row.seconds, slowest = r;
  }
  if (most == 0) return;
  int used = snprintf(out, bytes, "%d ranks", ls_ranks());
  if (least != most)
    used +=
        snprintf(out + used, bytes - (size_t)used, ", %u to %u runs since the last exchange", least, most);
  else if (most > 1)
    used += snprintf(out + used, bytes - (size_t)used, ", %u runs each since the last exchange", most);
  const char *before = ": ";
  for (int i = 0, k = 0; i < record->prim->nargs && k < LS_RANK_STATS_COUNTS && (size_t)used < bytes; i++) {
    if (record->prim->args[i].role != LS_COUNT) continue;
    used += snprintf(out + used, bytes - (size_t)used, "%s%s %llu", before, record->prim->args[i].name,
                     (unsigned long long)sum.counts[k++]);
    before = ", ";
  }
  char text[24];
  ls_time_text(slow, text);
  if ((size_t)used < bytes)
    snprintf(out + used, bytes - (size_t)used, "%sslowest %d: %s", before, slowest, text);
}

void ls_load_balance_stop(const ls_record *r, char *out, size_t bytes) {
  *out = '\0';
  if (!ls_ranks_leading()) return;
  if (ls_prim_exchanges(r->prim)) {
    of_exchange(out, bytes);
    return;
  }
  const char *name = r->prim->name;
  for (const f64 begun = ls_now(); !all_have_come(name) && ls_now() - begun < 0.1;) usleep(500);
  if (all_have_come(name))
    of_row(r, out, bytes);
  else
    snprintf(out, bytes, "other ranks are still at work");
}
