#include "run/record/timeline.h"

#include <string.h>

#include "core/mem.h"
#include "core/spent.h"
#include "core/wait.h"

enum { LANES = 32, CELLS = 2048 };

static const f64 finest = 1e-6; /* width of a cell at first; wider as the run grows */

static ls_lane lanes[LANES];
static int lane_count;
static f64 skipped, paused_at, last_end; /* skipped 0: no primitive has run */
static bool paused;
static ls_copy *copies;
static u64 copied;

void ls_timeline_pause(void) {
  if (!paused) paused_at = ls_now();
  paused = true;
}

bool ls_timeline_resume(void) {
  const bool was_paused = paused;
  if (skipped == 0)
    skipped = ls_now();
  else if (paused)
    skipped += ls_now() - paused_at;
  paused = false;
  return was_paused;
}

f64 ls_timeline_skipped(void) { return skipped; }

void ls_timeline_reset(void) {
  for (int i = 0; i < lane_count; i++) ls_free(lanes[i].cells.cell);
  ls_free(copies);
  copies = NULL;
  copied = 0;
  lane_count = 0;
  skipped = last_end = 0;
  paused = false;
}

static ls_lane *lane_of(ls_lane_kind kind, const char *device) {
  for (int i = 0; i < lane_count; i++)
    if (lanes[i].kind == kind && (lanes[i].device == device || strcmp(lanes[i].device, device) == 0))
      return &lanes[i];
  if (lane_count == LANES) return NULL;
  ls_time_cell *cells = ls_calloc(CELLS, sizeof *cells);
  if (!cells) return NULL;
  const f64 width = lane_count ? lanes[0].cells.width : finest; /* all lanes have equal cells */
  lanes[lane_count] = (ls_lane){kind, device, {0, width, CELLS, cells}};
  return &lanes[lane_count++];
}

void ls_timeline_add(ls_lane_kind kind, const char *device, const void *what, f64 begin, f64 end) {
  ls_lane *lane = lane_of(kind, device);
  if (!lane || !(end < 1e12)) return;
  if (begin < 0) begin = 0;
  if (end < begin) end = begin;
  while (end >= lane->cells.width * CELLS)
    for (int i = 0; i < lane_count; i++) ls_time_histogram_double(&lanes[i].cells);
  ls_time_histogram_add(&lane->cells, what, begin, end);
  if (end > last_end) last_end = end;
}

void ls_timeline_copy(ls_lane_kind kind, const char *device, f64 begin, f64 end, u64 bytes) {
  static const char copy[] = "copy";
  ls_spend(LS_SPENT_COPIES, end - begin);
  begin = begin > skipped ? begin - skipped : 0;
  end = end > skipped ? end - skipped : 0;
  ls_timeline_add(kind, device, copy, begin, end);
  if (!copies) copies = ls_malloc(LS_TIMELINE_COPIES * sizeof *copies);
  if (copies) copies[copied++ % LS_TIMELINE_COPIES] = (ls_copy){kind, device, begin, end, bytes};
}

f64 ls_timeline_end(void) { return last_end; }

const ls_lane *ls_timeline_lane(int i) { return i >= 0 && i < lane_count ? &lanes[i] : NULL; }

const ls_copy *ls_timeline_copy_at(u64 i) {
  const u64 kept = copied < LS_TIMELINE_COPIES ? copied : LS_TIMELINE_COPIES;
  return i < kept ? &copies[(copied - kept + i) % LS_TIMELINE_COPIES] : NULL;
}
