/* The devices view: memory, measured limits, and the clock rate if the system reports it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "data/buffer.h"
#include "panel/views/view.h"
#include "run/record/load_balance.h"
#include "run/devices/limits.h"

enum { MOST = 40 };

/* Free memory, queried at most once per second, and on a GPU only while nothing runs. */
static struct {
  f64 at;
  u64 unused;
  bool known;
} memory[MOST];

static bool memory_free(int i, const ls_device *d, bool running, u64 *unused) {
  if (i >= MOST || d->lost) return false;
  f64 now = ls_now();
  if ((!memory[i].known || now - memory[i].at > 1) && !(running && d->processor == LS_CUDA)) {
    memory[i].at = now;
    memory[i].known = ls_device_memory_free(d, &memory[i].unused) == LS_OK;
  }
  *unused = memory[i].unused;
  return memory[i].known;
}

/* MHz of the fastest core; 0 if Linux does not report it. */
static f64 cpu_clock(void) {
  static f64 at, clock;
  f64 now = ls_now();
  if (at > 0 && now - at < 1) return clock;
  at = now;
  clock = 0;
  FILE *f = fopen("/proc/cpuinfo", "r");
  char line[256];
  while (f && fgets(line, sizeof line, f)) {
    const char *colon = strncmp(line, "cpu MHz", 7) == 0 ? strchr(line, ':') : NULL;
    if (colon && atof(colon + 1) > clock) clock = atof(colon + 1);
  }
  if (f) fclose(f);
  return clock;
}

/* The position at which the next text is drawn; text that does not fit begins the next row. */
typedef struct flow {
  const ls_view_draw *d;
  int row, col;
} flow;

__attribute__((format(printf, 3, 4))) static void add_entry(flow *f, const char *label, const char *fmt,
                                                            ...) {
  const ls_view_draw *d = f->d;
  char value[64];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(value, sizeof value, fmt, ap);
  va_end(ap);
  int width = ls_text_width(label) + 1 + ls_text_width(value);
  if (f->col > 4 && f->col + width > d->in.cols) f->row++, f->col = 4;
  int row = f->row - d->state->scroll;
  if (row >= 0) {
    int at = ls_draw_cut(d->canvas, d->in, row, f->col, d->in.cols - f->col, LS_DIM, label);
    ls_draw_cut(d->canvas, d->in, row, at + 1, d->in.cols - at - 1, LS_TEXT_STYLE, value);
  }
  f->col += width + 3;
}

static void put_rate(flow *f, const char *label, f64 value, const char *unit) {
  char number[16];
  add_entry(f, label, "%s%s", ls_short_count(value, number), unit);
}

static void draw_limits(flow *f, const ls_device *d) {
  ls_limits l;
  char text[48], a[16], b[16];
  if (!ls_limits_known(d, &l)) {
    add_entry(f, "limits", d == ls_device_current() ? "unknown: device.limits()" : "not measured");
    return;
  }
  put_rate(f, "copy", l.copy, "B/s");
  add_entry(f, "gathers", "%s..%s/s", ls_short_count(l.gather[LS_GATHER_SIZES - 1], a),
            ls_short_count(l.gather[0], b));
  add_entry(f, "atomic min", "%s..%s/s", ls_short_count(l.atomic_min[LS_GATHER_SIZES - 1], a),
            ls_short_count(l.atomic_min[0], b));
  for (int i = 0; i < LS_MINPLUS_TYPES; i++) {
    snprintf(text, sizeof text, "%s%s", i ? "" : "min-plus ", ls_dtype_name(ls_minplus_types[i]));
    put_rate(f, text, l.minplus[ls_minplus_types[i]], "/s");
  }
  put_rate(f, "multiply-add f64", l.multiply_add_f64, "/s");
  add_entry(f, "launch", "%s", ls_short_time(l.launch, a));
  add_entry(f, "with read-back", "%s", ls_short_time(l.launch_readback, a));
  if (l.transfer > 0) put_rate(f, "host to device", l.transfer, "B/s");
}

static void draw_memory(flow *f, int i, const ls_device *d) {
  const ls_view_draw *v = f->d;
  u64 unused;
  int row = f->row - v->state->scroll;
  char used_text[16], all_text[16];
  if (!memory_free(i, d, v->running, &unused) || d->memory == 0) {
    add_entry(f, "memory", "%s", ls_short_bytes((f64)d->memory, all_text));
    return;
  }
  f64 used = (f64)d->memory - (f64)unused;
  int width = v->in.cols >= 60 ? 24 : 10;
  if (row >= 0)
    ls_draw_track(v->canvas, v->in, row, f->col, width, used / (f64)d->memory,
                  used < 0.9 * (f64)d->memory ? LS_BAR : LS_WARN);
  f->col += width + 1;
  add_entry(f, "memory", "%s used of %s (%.0f %%)", ls_short_bytes(used, used_text),
            ls_short_bytes((f64)d->memory, all_text), 100 * used / (f64)d->memory);
}

static void draw_device(flow *f, int i, const ls_device *d) {
  const ls_view_draw *v = f->d;
  const bool current = d == ls_device_current();
  int row = f->row - v->state->scroll;
  char text[192], cache[16];
  if (row >= 0) {
    ls_draw_char(v->canvas, v->in, row, 0, LS_CURRENT, current ? '>' : ' ');
    int at = ls_draw_cut(v->canvas, v->in, row, 2, v->in.cols - 2,
                         ls_view_matches(v->state, d->name) ? LS_FOUND
                         : current                          ? LS_CURRENT
                                                            : LS_NUMBER,
                         d->name);
    snprintf(text, sizeof text, "%s, %d %s, cache %s%s", d->model, d->units,
             d->processor == LS_CUDA ? "multiprocessors"
             : d->units == 1         ? "core"
                                     : "cores",
             ls_short_bytes((f64)d->cache, cache), d->lost ? ", LOST" : "");
    at = at < 10 ? 10 : at + 1;
    ls_draw_cut(v->canvas, v->in, row, at, v->in.cols - at, d->lost ? LS_BAD : LS_TEXT_STYLE, text);
  }
  f->row++;
  f->col = 4;
  draw_memory(f, i, d);
  f64 clock = d->processor == LS_CPU ? cpu_clock() : 0;
  if (clock > 0) add_entry(f, "clock", "%.2f GHz", clock / 1000);
  if (d->processor == LS_CUDA) add_entry(f, "capability", "%d.%d", d->capability / 10, d->capability % 10);
  f->row++;
  f->col = 4;
  draw_limits(f, d);
  f->row++;
}

static int draw_all(const ls_view_draw *d) {
  flow f = {d, 1, 4};
  char a[16], b[16], c[16], text[96];
  snprintf(text, sizeof text, "lockstep holds %s on the host (peak %s), %s on devices",
           ls_short_bytes((f64)ls_mem_in_use(), a), ls_short_bytes((f64)ls_mem_peak(), b),
           ls_short_bytes((f64)ls_buffer_device_bytes(), c));
  if (d->state->scroll == 0) ls_draw_cut(d->canvas, d->in, 0, 2, d->in.cols - 2, LS_DIM, text);
  for (int i = 0; i < ls_devices(); i++) {
    f.col = 4;
    draw_device(&f, i, ls_device_at(i));
  }
  for (int k = 0; k < ls_load_balance_lines(); k++, f.row++) {
    char line[160];
    const int row = f.row - d->state->scroll;
    ls_load_balance_line(k, line, sizeof line);
    if (row >= 0) ls_draw_cut(d->canvas, d->in, row, 2, d->in.cols - 2, k ? LS_TEXT_STYLE : LS_DIM, line);
  }
  return f.row;
}

static void draw(const ls_view_draw *d) {
  ls_view_draw dry = *d; /* draws nothing, to count the lines */
  dry.in.rows = 0;
  ls_view_settle(d, draw_all(&dry), d->in.rows);
  draw_all(d);
}

const ls_view ls_view_devices = {"devices", "devices", 1, 20, draw, NULL, "", NULL, NULL};
