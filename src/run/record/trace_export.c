/* Exports the trace as Chrome/Perfetto JSON, CSV and JSON lines. Numbers do not depend on the locale. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/atomic_file.h"
#include "core/escape.h"
#include "core/text.h"
#include "ranks/ranks.h"
#include "run/record/trace.h"

/* --- small pieces ----------------------------------------------------------------------------------------
 */

/* A text, and seconds as microseconds with three decimals. */
static void put_us(FILE *f, const char *before, f64 seconds) {
  i64 ns = llround(seconds * 1e9);
  fprintf(f, "%s%s%" PRId64 ".%03" PRId64, before, ns < 0 ? "-" : "", (ns < 0 ? -ns : ns) / 1000,
          (ns < 0 ? -ns : ns) % 1000);
}

/* A real that reads back exactly; null if it is not finite, which JSON cannot express. */
static void put_real(FILE *f, f64 x) {
  char text[40];
  fputs(isfinite(x) ? ls_exact(x, text) : "null", f);
}

static void put_json(FILE *f, const char *s) {
  fputc('"', f);
  while (*s) {
    u32 ch;
    size_t n = ls_utf8_read(s, SIZE_MAX, &ch);
    if (n == 0)
      fputs("\\ufffd", f), n = 1;
    else if (*s == '"' || *s == '\\')
      fprintf(f, "\\%c", *s);
    else if ((u8)*s < 0x20 || *s == 0x7f)
      fprintf(f, "\\u%04x", (unsigned)*s);
    else
      fwrite(s, 1, n, f);
    s += n;
  }
  fputc('"', f);
}

/* The names of a row's COUNTs, in its order. */
static int count_names(const ls_prim *p, const char *names[LS_MAX_COUNTS]) {
  int n = 0;
  for (int i = 0; i < p->nargs && n < LS_MAX_COUNTS; i++)
    if (p->args[i].role == LS_COUNT) names[n++] = p->args[i].name;
  return n;
}

static void put_counts_json(FILE *f, const ls_record *r) {
  const char *names[LS_MAX_COUNTS];
  int n = count_names(r->prim, names);
  fputc('{', f);
  for (int i = 0; i < n; i++) {
    if (i) fputc(',', f);
    put_json(f, names[i]);
    fprintf(f, ":%" PRIu64, r->counts[i]);
  }
  fputc('}', f);
}

static ls_status written(FILE *f) {
  errno = 0;
  if (fflush(f) == 0 && !ferror(f)) return LS_OK;
  return ls_fail(LS_EIO, "writing failed: %s", errno ? strerror(errno) : "an earlier write was not complete");
}

/* --- Chrome/Perfetto -------------------------------------------------------------------------------------
 */

/* The trace event format that chrome://tracing and ui.perfetto.dev read: one process per rank; in it, the
 * host is thread 0, device i is thread i + 1, and exchanges that overlap with kernels are a last thread.
 * Times are in microseconds. */
static int pid;  /* of the process being written */
static f64 zero; /* the time from which its times count */

static int track_of(const ls_record *r) {
  if (r->beside) return ls_devices() + 2; /* the device's track has the kernels */
  for (int i = 0; i < ls_devices(); i++)
    if (ls_device_at(i) == r->device) return i + 1;
  return ls_devices() + 1;
}

static void put_track(FILE *f, int tid, const char *name, const char *model) {
  char text[160];
  snprintf(text, sizeof text, "%s%s%s", name, *model ? " " : "", model);
  fprintf(f, ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":", pid, tid);
  put_json(f, text);
  fprintf(
      f,
      "}},\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%d,\"tid\":%d,\"args\":{\"sort_index\":%d}}",
      pid, tid, tid);
}

static void put_head(FILE *f, char phase, const char *name, const char *suffix, int tid, f64 time) {
  char text[96];
  snprintf(text, sizeof text, "%s%s%s", name, suffix ? "." : "", suffix ? suffix : "");
  fprintf(f, ",\n{\"ph\":\"%c\",\"name\":", phase);
  put_json(f, text);
  fprintf(f, ",\"pid\":%d,\"tid\":%d,\"ts\":", pid, tid);
  put_us(f, "", time - zero);
}

static void put_slice(FILE *f, const ls_record *r) {
  put_head(f, 'X', r->prim->name, NULL, track_of(r), r->begin);
  put_us(f, ",\"dur\":", r->end - r->begin);
  fprintf(f, ",\"cat\":\"%s\",\"args\":{\"seq\":%" PRIu64 ",\"type\":\"%s\",\"items\":%" PRIu64,
          r->fused ? "fused" : "launch", r->seq, ls_dtype_name(r->type), r->items);
  if (r->turns > 1) fprintf(f, ",\"turns\":%" PRIu64, r->turns);
  fprintf(f, ",\"iteration\":%u,\"mark\":%u,\"where\":", r->iteration, r->mark);
  put_json(f, r->where);
  if (r->bytes > 0 && r->end > r->begin) {
    fputs(",\"GB/s\":", f);
    put_real(f, r->bytes / (r->end - r->begin) * 1e-9);
  }
  fputs(",\"counts\":", f);
  put_counts_json(f, r);
  fputs("}}", f);
  if (!(r->waits > 0)) return;
  put_head(f, 'X', "waits", NULL, track_of(r), r->begin);
  put_us(f, ",\"dur\":", r->waits < r->end - r->begin ? r->waits : r->end - r->begin);
  fprintf(f, ",\"cat\":\"wait\",\"args\":{\"seq\":%" PRIu64 "}}", r->seq);
}

static void put_counters(FILE *f, const ls_record *r) {
  const char *names[LS_MAX_COUNTS];
  int n = count_names(r->prim, names);
  for (int i = 0; i < n; i++) {
    put_head(f, 'C', r->prim->name, names[i], track_of(r), r->end);
    fputs(",\"args\":{", f);
    put_json(f, names[i]);
    fprintf(f, ":%" PRIu64 "}}", r->counts[i]);
  }
}

/* The host's track: when it requested the work (an instant), and when the devices waited for it (a slice). */
static void put_host(FILE *f, const ls_record *r) {
  put_head(f, 'i', r->prim->name, NULL, 0, r->host_begin);
  fprintf(f, ",\"s\":\"t\",\"args\":{\"seq\":%" PRIu64 "}}", r->seq);
  if (r->gap <= 0) return;
  put_head(f, 'X', "host gap", NULL, 0, r->begin - r->gap);
  put_us(f, ",\"dur\":", r->gap);
  fputc('}', f);
}

static void put_marks(FILE *f) {
  for (int i = 0; i < ls_trace_series(); i++) {
    u64 count;
    const ls_point *p = ls_trace_points(i, &count);
    for (u64 k = 0; k < count; k++) {
      if (!isfinite(p[k].value)) continue; /* a counter cannot show it */
      put_head(f, 'C', "mark", ls_trace_series_name(i), 0, p[k].time);
      fputs(",\"args\":{", f);
      put_json(f, ls_trace_series_name(i));
      fputc(':', f);
      put_real(f, p[k].value);
      fputs("}}", f);
    }
  }
}

/* The events of this process, without the comma before the first. */
static void put_events(FILE *f, const char *process) {
  u64 first = ls_trace_first(), last = ls_trace_last();
  fprintf(f, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"tid\":0,\"args\":{\"name\":\"%s\"}}", pid,
          process);
  put_track(f, 0, "host", "");
  for (int i = 0; i < ls_devices(); i++) put_track(f, i + 1, ls_device_at(i)->name, ls_device_at(i)->model);
  if (ls_ranks() > 1) put_track(f, ls_devices() + 2, "exchanges", "beside kernels");
  for (u64 i = first; i <= last; i++) {
    const ls_record *r = ls_trace_get(i);
    if (!r) continue;
    put_slice(f, r);
    put_counters(f, r);
    put_host(f, r);
  }
  put_marks(f);
}

static const char opening[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", closing[] = "\n]}\n";

ls_status ls_trace_export_chrome(FILE *f) {
  pid = 1;
  zero = ls_trace_epoch();
  fputs(opening, f);
  put_events(f, "lockstep");
  fputs(closing, f);
  return written(f);
}

/* --- tables ----------------------------------------------------------------------------------------------
 */

ls_status ls_trace_export_csv(FILE *f) {
  u64 first = ls_trace_first(), last = ls_trace_last();
  fputs(
      "seq,kernel,type,device,host_us,begin_us,us,gap_us,items,iteration,mark,fused,bytes,gathers,bytes_at_most,gathers_at_most,footprint,turns,counts,where\n",
      f);
  for (u64 i = first; i <= last; i++) {
    const ls_record *r = ls_trace_get(i);
    if (!r) continue;
    const char *names[LS_MAX_COUNTS];
    int n = count_names(r->prim, names);
    fprintf(f, "%" PRIu64 ",", r->seq);
    ls_put_csv(f, r->prim->name);
    fprintf(f, ",%s,%s,", ls_dtype_name(r->type), r->device->name);
    put_us(f, "", r->host_begin - ls_trace_epoch());
    put_us(f, ",", r->begin - ls_trace_epoch());
    put_us(f, ",", r->end - r->begin);
    put_us(f, ",", r->gap);
    fprintf(f, ",%" PRIu64 ",%u,%u,%d,%.0f,%.0f,%.0f,%.0f,%" PRIu64 ",%" PRIu64 ",", r->items, r->iteration,
            r->mark, r->fused, r->bytes, r->gathers, r->bytes_at_most, r->gathers_at_most, r->footprint,
            r->turns ? r->turns : 1);
    for (int k = 0; k < n; k++) fprintf(f, "%s%s=%" PRIu64, k ? ";" : "", names[k], r->counts[k]);
    fputc(',', f);
    ls_put_csv(f, r->where);
    fputc('\n', f);
  }
  return written(f);
}

ls_status ls_trace_export_jsonl(FILE *f) {
  u64 first = ls_trace_first(), last = ls_trace_last();
  for (u64 i = first; i <= last; i++) {
    const ls_record *r = ls_trace_get(i);
    if (!r) continue;
    fprintf(f, "{\"seq\":%" PRIu64 ",\"kernel\":", r->seq);
    put_json(f, r->prim->name);
    fprintf(f, ",\"type\":\"%s\",\"device\":\"%s\",\"host_us\":", ls_dtype_name(r->type), r->device->name);
    put_us(f, "", r->host_begin - ls_trace_epoch());
    put_us(f, ",\"begin_us\":", r->begin - ls_trace_epoch());
    put_us(f, ",\"us\":", r->end - r->begin);
    put_us(f, ",\"gap_us\":", r->gap);
    fprintf(f, ",\"items\":%" PRIu64 ",\"iteration\":%u,\"mark\":%u,\"fused\":%s", r->items, r->iteration,
            r->mark, r->fused ? "true" : "false");
    fprintf(f, ",\"bytes\":%.0f,\"gathers\":%.0f,\"bytes_at_most\":%.0f,\"gathers_at_most\":%.0f", r->bytes,
            r->gathers, r->bytes_at_most, r->gathers_at_most);
    fprintf(f, ",\"footprint\":%" PRIu64 ",\"turns\":%" PRIu64 ",\"counts\":", r->footprint,
            r->turns ? r->turns : 1);
    put_counts_json(f, r);
    fputs(",\"where\":", f);
    put_json(f, r->where);
    fputs("}\n", f);
  }
  return written(f);
}

/* --- saving ----------------------------------------------------------------------------------------------
 */

typedef ls_status exporter(FILE *f);

static const struct {
  const char *extension;
  exporter *export;
} kinds[] = {
    {".json", ls_trace_export_chrome}, {".csv", ls_trace_export_csv}, {".jsonl", ls_trace_export_jsonl}};

static ls_status export_to(FILE *f, void *arg) {
  exporter *const *export = arg;
  return (*export)(f);
}

ls_status ls_trace_save(const char *path) {
  exporter *export = NULL;
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(dot, kinds[i].extension) == 0) export = kinds[i].export;
  if (!export)
    return ls_fail(LS_EARG, "%s: a trace is saved as .json (Chrome, Perfetto), .csv or .jsonl", path);

  return ls_atomic_file_write_all(path, export_to, &export);
}

/* --- all ranks -------------------------------------------------------------------------------------------
 */

/* The events of all ranks, one rank after the other; those of rank r begin at starts[r]. */
typedef struct gathered {
  const char *text;
  const u64 *starts;
  f64 within;
} gathered;

static ls_status export_gathered(FILE *f, void *arg) {
  const gathered *g = arg;
  fputs(opening, f);
  for (int r = 0; r < ls_ranks(); r++) {
    if (r) fputs(",\n", f);
    fwrite(g->text + g->starts[r], 1, g->starts[r + 1] - g->starts[r], f);
  }
  fputs("\n],\"otherData\":{\"ranks\":", f);
  fprintf(f, "%d,\"clocks agree within us\":", ls_ranks());
  put_us(f, "", g->within);
  fputs("}}\n", f);
  return written(f);
}

/* This rank's events; *text is from malloc. */
static ls_status own_events(f64 from, char **text, u64 *bytes) {
  char name[40];
  size_t n = 0;
  FILE *f = open_memstream(text, &n);
  if (!f) return ls_fail(LS_EMEM, "no memory for a trace");
  pid = ls_rank() + 1;
  zero = from;
  snprintf(name, sizeof name, "rank %d of %d", ls_rank(), ls_ranks());
  put_events(f, name);
  fprintf(
      f,
      ",\n{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%d,\"tid\":0,\"args\":{\"sort_index\":%d}}",
      pid, pid);
  const ls_status st = written(f);
  fclose(f);
  *bytes = n;
  return st;
}

/* Called by all ranks: each takes part in every exchange, even if its own part has failed. Returns a failure
 * if any has failed. */
static ls_status all_well(const char *path, ls_status st) {
  u8 failed = st != LS_OK;
  char why[512];
  snprintf(why, sizeof why, "%s", st ? ls_error() : ""); /* the exchange changes the message */
  const ls_status met = ls_exchange_reduce(&failed, 1, LS_U8, LS_MAXIMUM);
  if (st) return ls_fail(st, "%s", why);
  if (met) return met;
  return failed ? ls_fail(LS_EIO, "%s: another rank could not do its part of the trace", path) : LS_OK;
}

ls_status ls_trace_save_ranks(const char *path, f64 offset, f64 within) {
  if (!ls_ends_in(path, ".json"))
    return ls_fail(LS_EARG, "%s: a trace of all ranks is saved as .json (Chrome, Perfetto)", path);
  f64 begins[LS_MOST_RANKS], from = INFINITY;
  ls_trace_last(); /* completes late records */
  const int ranks = ls_ranks(), me = ls_rank();
  begins[me] = ls_trace_epoch() > 0 ? ls_trace_epoch() - offset : INFINITY;
  ls_status st = ls_exchange_gather(begins, (u64)ranks, sizeof *begins, (u64)me, (u64)me + 1);
  if (st) return st;
  for (int r = 0; r < ranks; r++)
    if (begins[r] < from) from = begins[r];
  if (!isfinite(from)) from = 0;

  char *text = NULL, *all = NULL;
  u64 lengths[LS_MOST_RANKS] = {0}, bounds[LS_MOST_RANKS + 1], starts[LS_MOST_RANKS + 1], sum = 0;
  st = own_events(from + offset, &text, &lengths[me]);
  st = all_well(path, st);
  if (!st) st = ls_exchange_gather(lengths, (u64)ranks, sizeof *lengths, (u64)me, (u64)me + 1);
  for (int r = 0; !st && r < ranks; r++) sum += lengths[r];
  if (!st && me == 0 && !(all = ls_malloc(sum))) st = LS_EMEM;
  if (text) st = all_well(path, st);
  if (!st) { /* everything goes to rank 0 */
    for (int r = 0; r <= ranks; r++) bounds[r] = r ? lengths[me] : 0;
    st = ls_exchange_all_to_all(text, bounds, 1, all, me ? 0 : sum, starts);
  }
  if (!st) {
    if (me == 0) st = ls_atomic_file_write_all(path, export_gathered, &(gathered){all, starts, within});
    st = all_well(path, st);
  }
  free(text);
  ls_free(all);
  return st;
}
