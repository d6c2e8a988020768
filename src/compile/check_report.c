#include "compile/check_report.h"

#include <stdio.h>

const char *ls_thread_name(const ls_prim *p) {
  static const char *const threads[] = {
      [LS_VERTEX] = "vertex",      [LS_VERTEX_WALK] = "vertex", [LS_EDGE] = "edge",
      [LS_ELEMENT] = "element",    [LS_QUEUE] = "item",         [LS_VERTEX_EDGES] = "vertex",
      [LS_QUEUE_EDGES] = "vertex", [LS_VERTEX_BEST] = "vertex", [LS_TILE] = "tile",
      [LS_GRID] = "thread",        [LS_LIBRARY] = "call"};
  return threads[p->domain];
}

/* "vertex 4", "vertex 4, edge 9," */
static void put_thread(char *out, size_t bytes, const ls_prim *p, u64 thread, u64 edge) {
  const int n = snprintf(out, bytes, "%s %llu", ls_thread_name(p), (unsigned long long)thread);
  if (edge != ~0ull && n > 0 && (size_t)n < bytes)
    snprintf(out + n, bytes - (size_t)n, ", edge %llu,", (unsigned long long)edge);
}

/* `who` is encoded as by ls_me() in races.h: from 2^32 on, it is a vertex and its edge, or an item of 64
 * bits. */
static void put_other(char *out, size_t bytes, const ls_prim *p, u64 who) {
  const bool edge = who >> 32 && (p->domain == LS_VERTEX_EDGES || p->domain == LS_QUEUE_EDGES);
  put_thread(out, bytes, p, edge ? (who >> 32) - 1 : who - 1, edge ? (u32)who - 1u : ~0ull);
}

static void put_place(char *out, size_t bytes, const char *file, const ls_prim *p, u32 line) {
  if (line)
    snprintf(out, bytes, "%s:%u", file, line);
  else
    snprintf(out, bytes, "%s.h", p->name); /* *a->x reads the first element; its line is unknown */
}

static ls_status race(const ls_launch *L, const ls_watch *w) {
  static const char both_atomic[] =
      "use an atomic in both places (?atomic_min): load_relaxed to read, store_relaxed or an "
      "atomic_... to write";
  static const char ordered[] =
      "let the first launch write and a second one read, or read from another buffer; if both "
      "orders are right, use load_relaxed and store_relaxed";
  static const char one_value[] =
      "let one thread write each element, or combine the values by an atomic (?atomic_min)";
  static const struct {
    const char *does, *other, *mend;
  } said[] = {
      [LS_READS_WRITTEN] = {"reads", "writes without an atomic", ordered},
      [LS_READS_CHANGED] = {"reads without an atomic", "changes by one", both_atomic},
      [LS_READS_UNWRITTEN] = {"reads", "", ""},
      [LS_WRITES_WRITTEN] = {"writes", "gives another value", one_value},
      [LS_WRITES_CHANGED] = {"writes without an atomic", "changes by one", both_atomic},
      [LS_WRITES_READ] = {"writes", "reads without an atomic", ordered},
      [LS_WRITES_LOADED] = {"writes without an atomic", "reads by one", both_atomic},
      [LS_LOADS_WRITTEN] = {"reads by an atomic", "writes without one", both_atomic},
      [LS_CHANGES_WRITTEN] = {"changes by an atomic", "writes without one", both_atomic},
      [LS_CHANGES_READ] = {"changes by an atomic", "reads without one", both_atomic},
  };
  const ls_prim *p = L->prim;
  const ls_arg *arg = &p->args[w->arg < (u32)p->nargs ? w->arg : 0];
  const u32 kind = w->race < sizeof said / sizeof *said ? w->race : LS_READS_WRITTEN;
  char me[80], other[80], here[LS_WATCH_FILE + 16], there[LS_WATCH_FILE + 16], file[LS_WATCH_FILE];
  snprintf(file, sizeof file, "%s", w->file);
  put_thread(me, sizeof me, p, w->thread, w->edge);
  put_other(other, sizeof other, p, w->other.who);
  put_place(here, sizeof here, file, p, w->line);
  put_place(there, sizeof there, file, p, w->other.line);
  if (kind == LS_READS_UNWRITTEN)
    return ls_fail(
        LS_EARG,
        "%s: %s reads %s[%lld] (%s), which no thread has written: its role is OUT, so an element has no "
        "value before it is written; the kernel's outputs are restored; to mend it: make the role INOUT, or "
        "write the element first",
        p->name, me, arg->name, (long long)w->index, here);
  return ls_fail(
      LS_EARG,
      "%s: a race: %s %s %s[%lld] (%s), which %s %s (%s); the kernel's outputs are restored; to mend it: %s",
      p->name, me, said[kind].does, arg->name, (long long)w->index, here, other, said[kind].other, there,
      said[kind].mend);
}

/* "heaviest: vertex 17 reads w[19], outside its extent of 12 elements (heaviest.h:14)" */
static ls_status left_an_array(const ls_launch *L, const ls_watch *w) {
  const ls_prim *p = L->prim;
  const ls_arg *arg = &p->args[w->arg < (u32)p->nargs ? w->arg : 0];
  const bool fills = arg->role == LS_OUT || arg->role == LS_QOUT;
  const char *verb = !ls_arg_written(p, (int)(arg - p->args)) ? "reads"
                     : fills                                  ? "writes"
                                                              : "reads or writes";
  char me[80], here[LS_WATCH_FILE + 16], file[LS_WATCH_FILE];
  snprintf(file, sizeof file, "%s", w->file);
  put_thread(me, sizeof me, p, w->thread, w->edge);
  put_place(here, sizeof here, file, p, w->line);
  return ls_fail(
      LS_EARG,
      "%s: %s %s %s[%lld], outside its extent of %llu elements (%s); the kernel's outputs are restored",
      p->name, me, verb, arg->name, (long long)w->index, (unsigned long long)w->extent, here);
}

ls_status ls_check_report(const ls_launch *L, const ls_watch *w) {
  return w->race ? race(L, w) : left_an_array(L, w);
}
