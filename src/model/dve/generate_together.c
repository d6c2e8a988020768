/* Code generator for synchronous systems: in a step every process takes one of its transitions, and their
 * effects on the old state are combined. One function per process tries the process's transitions in turn and
 * calls the next process's function for each, so that the last process's choice varies fastest, as in
 * steps.c. */
#include "model/dve/generate_together.h"

/* Can a synchronous system take this transition? It never takes those that use a buffer. */
static bool takes_part(const dve_step *s) { return s->how != DVE_PUTS && s->how != DVE_TAKES; }

/* Writes add<step>(old, before, after): adds this transition to `before`, the combined choices of the earlier
 * processes, and stores the result in `after`; false if the transition is not enabled. */
static void write_transition(dve_writer *w, u32 step) {
  const dve_program *p = w->p;
  const dve_step *s = &p->steps[step];
  FILE *f = w->f;
  fprintf(f,
          "DVE_PIECE bool add%u(const u32 *old, const together *before, together *after) {\n"
          "  const u32 g = g%u(old);\n  u32 own[WORDS];\n  i32 x = 0;\n  (void)x;\n"
          "  if (!g) return false;\n  *after = *before;\n  dve_copy(own, old, WORDS);\n"
          "  if (g == 2) after->fine = false;\n",
          step, step);
  if (s->effects != DVE_NONE) fprintf(f, "  after->fine = after->fine && c%u(old, own, &x);\n", s->effects);
  for (u32 i = 0; i < p->words; i++) {
    const u32 mask = p->masks[s->writes + i];
    if (!mask) continue;
    fprintf(f,
            "  if (before->written[%u] & %uu) after->fine = false;\n  after->written[%u] |= %uu;\n"
            "  after->now[%u] = (after->now[%u] & ~%uu) | (own[%u] & %uu);\n",
            i, mask, i, mask, i, i, mask, i, mask);
  }
  if (p->costs || p->times) fprintf(f, "  after->fine = p%u(old, &after->price) && after->fine;\n", step);
  fprintf(f, "  return true;\n}\n");
}

/* Writes n<process>(old), which returns the number of the process's enabled transitions, and
 * take<process>(old, number, before, after), which calls add<step> for the number-th transition from the
 * process's current state. Returns the maximum number of transitions of its states. */
static u32 write_process(dve_writer *w, u32 process) {
  const dve_program *p = w->p;
  FILE *f = w->f;
  u32 most = 0;
  for (int take = 0; take < 2; take++) {
    if (take)
      fprintf(
          f, "DVE_PIECE bool take%u(const u32 *old, u32 number, const together *before, together *after) {\n",
          process);
    else
      fprintf(f, "DVE_PIECE u32 n%u(const u32 *old) {\n  u32 count = 0;\n", process);
    dve_write_switch(w, process);
    for (u32 s = p->first_state[process]; s < p->first_state[process + 1]; s++) {
      u32 number = 0;
      fprintf(f, take ? "  case %u:\n    switch (number) {\n" : "  case %u:\n", s - p->first_state[process]);
      for (u32 k = p->first_step[s]; k < p->first_step[s + 1]; k++) {
        if (!takes_part(&p->steps[k])) continue;
        if (take)
          fprintf(f, "    case %u: return add%u(old, before, after);\n", number, k);
        else
          fprintf(f, "    count += g%u(old) != 0;\n", k);
        number++;
      }
      fprintf(f, take ? "    default: return false;\n    }\n" : "    break;\n");
      most = number > most ? number : most;
    }
    fprintf(f, take ? "  default: return false;\n  }\n}\n" : "  default: break;\n  }\n  return count;\n}\n");
  }
  return most;
}

/* Writes w<process>, which combines each choice of the process with all choices of the processes after it.
 * next: the process that follows; DVE_NONE for the last one. */
static void write_choices(dve_writer *w, u32 process, u32 next, u32 most) {
  fprintf(w->f,
          "DVE_PIECE void w%u(const u32 *old, const together *before, dve_sink *out) {\n  together after;\n"
          "  for (u32 number = 0; number < %u; number++)\n"
          "    if (take%u(old, number, before, &after)) ",
          process, most, process);
  if (next == DVE_NONE)
    fprintf(w->f, "together_made(old, &after, out);\n}\n");
  else
    fprintf(w->f, "w%u(old, &after, out);\n}\n", next);
}

void dve_write_together(dve_writer *w) {
  const dve_program *p = w->p;
  FILE *f = w->f;
  const bool property = p->property != DVE_NONE;
  u32 next = DVE_NONE;
  fprintf(
      f,
      "typedef struct together {\n  u32 now[WORDS], written[WORDS];\n  dve_worth price;\n  bool fine;\n} together;\n"
      "DVE_PIECE void together_made(const u32 *old, const together *t, dve_sink *out) {\n");
  fprintf(f, property ? "  own(old, t->now, t->fine, &t->price, out);\n}\n"
                      : "  (void)old;\n  dve_put_made(out, t->now, WORDS, t->fine, &t->price);\n}\n");
  for (u32 k = 0; k < p->step_count; k++)
    if (p->steps[k].process != p->property && takes_part(&p->steps[k])) write_transition(w, k);
  for (u32 q = p->processes; q-- > 0;) {
    if (q == p->property) continue;
    const u32 most = write_process(w, q);
    write_choices(w, q, next, most);
    next = q;
  }
  fprintf(
      f,
      "DVE_PIECE void walk(const u32 *old, bool make, dve_sink *out) {\n  if (dve_all_ones(old, WORDS)) return;\n"
      "  const u64 with = %s;\n  u64 product = %u;\n  if (!with) return;\n",
      property ? "own_steps(old)" : "1", next != DVE_NONE);
  for (u32 q = 0; q < p->processes; q++)
    if (q != p->property) fprintf(f, "  product = dve_more_choices(product, n%u(old));\n", q);
  if (property)
    fprintf(f, "  if (!product && make) {\n    const dve_worth price = {0, 1, false};\n"
               "    own(old, old, true, &price, out);\n    return;\n  }\n  if (!product) product = 1;\n");
  fprintf(f, "  if (!make) {\n    out->at += product * with;\n    return;\n  }\n"
             "  if (product * with > DVE_MOST_STEPS) {\n    out->wrong++;\n    return;\n  }\n");
  if (next != DVE_NONE)
    fprintf(f,
            "  together none = {{0}, {0}, {0, 0, false}, true};\n  dve_copy(none.now, old, WORDS);\n"
            "  if (product) w%u(old, &none, out);\n",
            next);
  fprintf(f, "}\n");
}
