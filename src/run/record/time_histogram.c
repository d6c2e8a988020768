#include "run/record/time_histogram.h"

#include <math.h>
#include <string.h>

void ls_time_cell_work(ls_time_cell *c, const void *what, f64 seconds, u64 count) {
  ls_work_part *least = &c->part[0];
  c->busy += seconds;
  c->count += count;
  if (least->what == what) { /* the usual case */
    least->seconds += seconds;
    least->count += count;
    return;
  }
  for (int i = 0; i < LS_CELL_KINDS; i++) {
    ls_work_part *p = &c->part[i];
    if (!p->what) *p = (ls_work_part){.what = what};
    if (p->what == what) {
      p->seconds += seconds;
      p->count += count;
      return;
    }
    if (p->seconds < least->seconds) least = p;
  }
  least->what = what;
  least->seconds += seconds;
  least->count += count;
}

void ls_time_histogram_add(ls_time_histogram *c, const void *what, f64 begin, f64 end) {
  if (!isfinite(begin) || !isfinite(end) || !(c->width > 0)) return;
  const f64 past = c->from + c->width * c->count;
  if (begin >= c->from && end > begin && end < past) { /* the usual case: within one cell */
    const int i = (int)((begin - c->from) / c->width);
    if (i < c->count && end <= c->from + c->width * (i + 1)) {
      ls_time_cell_work(&c->cell[i], what, end - begin, 1);
      return;
    }
  }
  if (end < begin) end = begin;
  if (begin >= past || end < c->from || (end == c->from && begin < end)) return;
  const bool starts = begin >= c->from;
  if (begin < c->from) begin = c->from;
  if (end > past) end = past;
  int i = (int)((begin - c->from) / c->width), last = (int)((end - c->from) / c->width);
  if (i >= c->count) i = c->count - 1;
  if (last >= c->count) last = c->count - 1;
  for (u64 count = starts; i <= last; i++, count = 0) {
    const f64 left = c->from + c->width * i, right = left + c->width;
    const f64 seconds = (end < right ? end : right) - (begin > left ? begin : left);
    if (seconds > 0 || count) ls_time_cell_work(&c->cell[i], what, seconds > 0 ? seconds : 0, count);
  }
}

void ls_time_cell_add(ls_time_cell *to, const ls_time_cell *from) {
  for (int i = 0; i < LS_CELL_KINDS && from->part[i].what; i++)
    ls_time_cell_work(to, from->part[i].what, from->part[i].seconds, from->part[i].count);
}

void ls_time_histogram_double(ls_time_histogram *c) {
  for (int i = 0; i < c->count; i++) {
    const ls_time_cell cell = c->cell[i];
    memset(&c->cell[i], 0, sizeof cell);
    ls_time_cell_add(&c->cell[i / 2], &cell);
  }
  c->width *= 2;
}

const ls_work_part *ls_time_cell_most(const ls_time_cell *c) {
  const ls_work_part *most = NULL;
  for (int i = 0; i < LS_CELL_KINDS && c->part[i].what; i++)
    if (!most || c->part[i].seconds > most->seconds) most = &c->part[i];
  return most;
}
