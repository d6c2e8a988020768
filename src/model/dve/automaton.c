/* A process as a graph: its states are the vertices, its transitions the edges, in the order of the text. */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/nearest.h"
#include "model/dve/model.h"
#include "model/dve/show.h"
#include "model/dve/space.h"
#include "model/dve/space_parts.h"

/* --- names ---------------------------------------------------------------------------------------------- */

typedef struct automaton {
  ls_vertex_names vertex_names;
  ls_dve *m;
  u32 process;
} automaton;

static bool has_state(const automaton *a, i64 label) {
  return label >= 0 && (u64)label < a->m->processes[a->process].states;
}

static void name_vertex(const ls_vertex_names *vertex_names, i64 label, char *out, size_t bytes) {
  const automaton *a = (const automaton *)vertex_names;
  if (has_state(a, label))
    snprintf(out, bytes, "%s", a->m->processes[a->process].state[label]);
  else
    snprintf(out, bytes, "%lld", (long long)label);
}

static bool name_edge(const ls_vertex_names *vertex_names, i64 from, i64 to, u32 which, char *out,
                      size_t bytes) {
  const automaton *a = (const automaton *)vertex_names;
  const dve_program *p = &a->m->program;
  if (!has_state(a, from) || !has_state(a, to)) return false;
  const u32 *first = p->first_step + p->first_state[a->process] + from;
  for (u32 s = first[0]; s < first[1]; s++) {
    if (a->m->to[s] != (u64)to || which-- > 0) continue;
    dve_out o = dve_out_to(out, bytes);
    dve_say_clauses(a->m, s, &o);
    if (o.bytes == 0) dve_say(&o, "always");
    return true;
  }
  return false;
}

static void destroy(ls_vertex_names *vertex_names) {
  ls_dve_release(((automaton *)vertex_names)->m);
  ls_free(vertex_names);
}

static ls_status make_vertex_names(ls_dve *m, u32 process, ls_vertex_names **out) {
  automaton *a = ls_calloc(1, sizeof *a);
  if (!a) return LS_EMEM;
  *a = (automaton){
      {1, name_vertex, name_edge, destroy, &ls_dve_automaton_names, 0}, ls_dve_retain(m), process};
  *out = &a->vertex_names;
  return LS_OK;
}

/* --- in a file ------------------------------------------------------------------------------------------ */

typedef struct head { /* in the file, the model's name and text follow */
  u64 process, name_bytes, text_bytes;
} head;

static ls_status save(const ls_vertex_names *vertex_names, void **out, u64 *bytes) {
  const automaton *a = (const automaton *)vertex_names;
  const dve_text *t = &a->m->text;
  const head h = {a->process, strlen(t->name), t->bytes};
  *bytes = sizeof h + h.name_bytes + h.text_bytes;
  *out = dve_saved_model(&h, sizeof h, a->m, *bytes);
  return *out ? LS_OK : LS_EMEM;
}

static ls_status restore(const void *from, u64 bytes, ls_vertex_names **out) {
  head h;
  if (bytes < sizeof h) return dve_names_damaged();
  memcpy(&h, from, sizeof h);
  if (h.name_bytes > 4096 || h.text_bytes > bytes || sizeof h + h.name_bytes + h.text_bytes != bytes)
    return dve_names_damaged();
  ls_dve *m;
  const char *name = (const char *)from + sizeof h;
  ls_status st = dve_restore_model(name, h.name_bytes, name + h.name_bytes, h.text_bytes, &m);
  if (st) return st;
  if (h.process >= m->program.processes)
    st = ls_fail(LS_EINPUT, "there is no process %llu in the model, which has %u",
                 (unsigned long long)h.process, m->program.processes);
  else
    st = make_vertex_names(m, (u32)h.process, out);
  ls_dve_release(m);
  return st;
}

const ls_vertex_names_kind ls_dve_automaton_names = {"dveproc", save, restore};

/* --- the graph ------------------------------------------------------------------------------------------ */

/* Sets *values to the costs (or times) of the process's transitions, from ls_malloc, if all are constant and
 * at least one is given; else to NULL. */
static ls_status worths(const ls_dve *m, u32 process, u32 first, u32 count, bool costs, i32 **values) {
  bool some = false, constant = true;
  i32 *out = ls_malloc(count * sizeof *out + 1);
  *values = NULL;
  if (!out) return LS_EMEM;
  for (u32 i = 0; i < count && constant; i++) {
    const dve_expr *e = costs ? m->arcs[first + i]->cost : m->arcs[first + i]->time;
    out[i] = costs ? 0 : 1;
    some = some || e;
    constant = !e || dve_constant(m, &m->text, process, e, false, &out[i]);
  }
  if (some && constant)
    *values = out;
  else
    ls_free(out);
  return LS_OK;
}

static ls_status make_graph(ls_dve *m, u32 process, ls_graph **out) {
  const dve_program *p = &m->program;
  const dve_process *of = &m->processes[process];
  const u32 *row = p->first_step + p->first_state[process], first = row[0], count = row[of->states] - first;
  u32 *off = ls_malloc((of->states + 1ull) * sizeof *off), *to = ls_malloc(count * sizeof *to + 1);
  i32 *w = NULL, *t = NULL;
  char name[LS_GRAPH_NAME];
  ls_vertex_names *vertex_names = NULL;
  ls_status st = off && to ? make_vertex_names(m, process, &vertex_names) : LS_EMEM;
  if (!st) st = worths(m, process, first, count, true, &w);
  if (!st) st = worths(m, process, first, count, false, &t);
  if (st) {
    ls_free(off), ls_free(to), ls_free(w);
    if (vertex_names) destroy(vertex_names);
    return st;
  }
  for (u32 s = 0; s <= of->states; s++) off[s] = row[s] - first;
  for (u32 i = 0; i < count; i++) to[i] = m->to[first + i];
  snprintf(name, sizeof name, "%.2000s: %.2000s", ls_dve_name(m), of->name);
  st = ls_graph_from_csr(of->states, count, off, to, w, w ? LS_I32 : LS_NONE, name, out);
  if (st) {
    ls_free(t);
    destroy(vertex_names);
    return st;
  }
  (*out)->vertex_names = vertex_names;
  if (t && (st = ls_graph_take_times(*out, t, LS_I32))) ls_graph_release(*out);
  return st;
}

ls_status ls_dve_automaton(ls_dve *m, const char *process, ls_graph **out) {
  static const char *const what[] = {"", "a variable", "a channel", "a process", "a state"};
  u32 index;
  const dve_meaning is = dve_look_up(m, DVE_NONE, process, (u32)strlen(process), &index);
  if (is == DVE_IS_PROCESS) return make_graph(m, index, out);
  if (is != DVE_NOTHING) return ls_fail(LS_EARG, "'%s' is %s, expected a process", process, what[is]);
  enum { MOST = 4096 };
  const char *names[MOST];
  u32 count = 0;
  while (count < m->program.processes && count < MOST) names[count] = m->processes[count].name, count++;
  const char *near = ls_nearest(process, names, count);
  return ls_fail(LS_EARG,
                 near ? "the model has no process '%.64s' (did you mean %s?)"
                      : "the model has no process '%.64s'",
                 process, near);
}
