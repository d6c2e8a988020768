/* Code generator from a model to C, for the compilers of CPU and GPU. Guards, effects, and the order in which
 * an asynchronous system takes its steps become code that needs no tables (generate_together.c does this for
 * a synchronous system). The interpreter in steps.c defines what the code must compute. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checksum.h"
#include "core/mem.h"
#include "core/words.h"
#include "model/dve/compiled.h"
#include "model/dve/generate_together.h"
#include "model/dve/model.h"
#include "model/dve/space.h"

enum { MOST_BYTES = 900 << 10 }; /* largest text that the compilers and the reader of kernels accept */

typedef dve_writer writer;

/* --- code ----------------------------------------------------------------------------------------------- */

/* The operations of code.h, with their conditions and effects as text. */
static const struct operation {
  u8 operands;
  bool pops;
  const char *fails, *does;
} operations[DVE_CODES] = {
#define ROW(id, operands, pops, fails, does) [DVE_DO_##id] = {operands, pops, #fails, #does},
#define FORMS(id, expression) DVE_FORMS(ROW, id, expression)
    [DVE_DO_IF] = {.operands = 1}, [DVE_DO_IF_NOT] = {.operands = 1}, DVE_OPERATIONS(ROW) DVE_BINARIES(FORMS)
#undef FORMS
#undef ROW
};

static void write_table(writer *w, u32 at, u32 count) {
  if (w->done[at]) return;
  w->done[at] = 1;
  fprintf(w->f, "DVE_TABLE_OF i32 t%u[] = {", at);
  for (u32 i = 0; i < count; i++) fprintf(w->f, "%s(i32)%uu", i ? ", " : "", w->p->code[at + i]);
  fprintf(w->f, "};\n");
}

/* Writes the text of an operation, with the operands for the names a and b. */
static void write_text(writer *w, const char *text, const u32 *operand) {
  for (const char *s = text; *s; s++) {
    const bool alone = (s == text || !ls_in_name(s[-1])) && !ls_in_name(s[1]);
    if (alone && (*s == 'a' || *s == 'b'))
      fprintf(w->f, operand[*s - 'a'] > INT32_MAX ? "%uu" : "%u", operand[*s - 'a']);
    else
      fputc(*s, w->f);
  }
}

/* Writes one operation; depth: values on the stack before it. */
static void write_operation(writer *w, u32 op, const u32 *operand, u32 depth) {
  const struct operation *o = &operations[op];
  FILE *f = w->f;
  switch (op) {
  case DVE_DO_STOP: fprintf(f, "  *value = x;\n  return true;\n"); return;
  case DVE_DO_PUSH: fprintf(f, "  s%u = x;\n", depth); return;
  case DVE_DO_IF_NOT: fprintf(f, "  if (!x) goto at%u;\n", operand[0]); return;
  case DVE_DO_IF: fprintf(f, "  if (x) {\n    x = 1;\n    goto at%u;\n  }\n", operand[0]); return;
  default: break;
  }
  if (o->pops) fprintf(f, "  y = x, x = s%u;\n", depth - 1);
  if (strcmp(o->fails, "false") != 0) {
    fprintf(f, "  if (");
    write_text(w, o->fails, operand);
    fprintf(f, ") return false;\n");
  }
  fprintf(f, "  ");
  if (op == DVE_DO_TABLE)
    fprintf(f, "x = t%u[x]", operand[0]);
  else
    write_text(w, o->does, operand);
  fprintf(f, ";\n");
}

static u32 depth_after(u32 op, u32 depth) { return depth + (op == DVE_DO_PUSH) - operations[op].pops; }

/* Writes the code at pc as a function c<pc>, if that has not been done yet. */
static void write_code(writer *w, u32 pc) {
  const u32 *code = w->p->code;
  if (pc == DVE_NONE || w->done[pc]) return;
  w->done[pc] = 1;
  u32 end = pc, depth = 0, most = 0;
  for (;; end += 1u + operations[code[end]].operands) {
    depth = depth_after(code[end], depth);
    most = depth > most ? depth : most;
    if (code[end] == DVE_DO_TABLE) write_table(w, code[end + 1], code[end + 2]);
    if (code[end] == DVE_DO_STOP) break;
  }
  fprintf(w->f, "DVE_PIECE bool c%u(const u32 *old, u32 *now, i32 *value) {\n", pc);
  fprintf(w->f, "  const u32 *from = now;\n  i32 x = *value, y = 0");
  for (u32 i = 0; i < most; i++) fprintf(w->f, ", s%u = 0", i);
  fprintf(w->f, ";\n  (void)old, (void)from, (void)y;\n");
  depth = 0;
  for (u32 at = pc; at <= end; at += 1u + operations[code[at]].operands) {
    bool target = false; /* does an earlier operation jump here? */
    for (u32 i = pc; i < at && !target; i += 1u + operations[code[i]].operands)
      target = (code[i] == DVE_DO_IF || code[i] == DVE_DO_IF_NOT) && code[i + 1] == at;
    if (target) fprintf(w->f, "at%u:\n", at);
    write_operation(w, code[at], code + at + 1, depth);
    depth = depth_after(code[at], depth);
  }
  fprintf(w->f, "}\n");
}

static void write_pieces(writer *w) {
  const dve_program *p = w->p;
  for (u32 i = 0; i < p->step_count; i++) {
    const dve_step *s = &p->steps[i];
    write_code(w, s->guard);
    write_code(w, s->effects);
    if (p->costs) write_code(w, s->cost);
    if (p->times) write_code(w, s->time);
    for (u32 k = 0; k < s->item_count && (s->how == DVE_SENDS || s->how == DVE_RECEIVES); k++)
      write_code(w, p->code[s->items + k]);
  }
}

/* --- transitions ---------------------------------------------------------------------------------------- */

/* Writes g<step>(old), which returns 0: not enabled; 1: enabled; 2: evaluating the guard fails, which counts
 * as enabled. */
static void write_enabled(writer *w, u32 step) {
  const dve_program *p = w->p;
  const dve_step *s = &p->steps[step];
  fprintf(w->f, "DVE_PIECE u32 g%u(const u32 *old) {\n  i32 x = 1;\n", step);
  if (s->how == DVE_PUTS)
    fprintf(w->f, "  if ((u32)dve_get(old, %u) >= %u) return 0;\n", p->count[s->channel],
            p->capacity[s->channel]);
  if (s->how == DVE_TAKES) fprintf(w->f, "  if (dve_get(old, %u) == 0) return 0;\n", p->count[s->channel]);
  if (s->guard == DVE_NONE)
    fprintf(w->f, "  (void)old;\n  return (u32)x;\n}\n");
  else
    fprintf(w->f, "  if (!c%u(old, (u32 *)old, &x)) return 2;\n  return x != 0;\n}\n", s->guard);
}

static void write_price(writer *w, u32 step) {
  const dve_step *s = &w->p->steps[step];
  fprintf(w->f,
          "DVE_PIECE bool p%u(const u32 *old, dve_worth *price) {\n  i32 x = 0;\n  (void)old, (void)x;\n",
          step);
  if (s->cost != DVE_NONE)
    fprintf(w->f, "  if (!c%u(old, (u32 *)old, &x)) return false;\n  price->cost += x;\n", s->cost);
  if (s->time != DVE_NONE)
    fprintf(w->f, "  x = 1;\n  if (!c%u(old, (u32 *)old, &x)) return false;\n  dve_take_time(price, x);\n",
            s->time);
  else
    fprintf(w->f, "  dve_take_time(price, 1);\n");
  fprintf(w->f, "  return true;\n}\n");
}

/* Writes m<step> or, with a receiver, m<step>_<receiver>, which appends the successor. receiver: DVE_NONE if
 * there is none. */
static void write_make(writer *w, u32 step, u32 receiver) {
  const dve_program *p = w->p;
  FILE *f = w->f;
  const dve_step *s = &p->steps[step], *r = receiver == DVE_NONE ? NULL : &p->steps[receiver];
  fprintf(f, "DVE_PIECE void m%u", step);
  if (r) fprintf(f, "_%u", receiver);
  fprintf(f, "(const u32 *old, bool failed, dve_sink *out) {\n");
  fprintf(f, "  u32 now[WORDS];\n  i32 x = 0;\n  dve_worth price = {0, 0, false};\n  bool fine = !failed;\n"
             "  (void)x;\n  dve_copy(now, old, WORDS);\n");
  if (r && dve_conflict(p, s, r)) {
    fprintf(f, "  fine = false;\n");
  } else {
    for (u32 i = 0; i < (r ? s->item_count : 0); i++)
      fprintf(f, "  fine = fine && c%u(old, now, &x) && c%u(old, now, &x);\n", p->code[s->items + i],
              p->code[r->items + i]);
    if (r && r->effects != DVE_NONE) fprintf(f, "  fine = fine && c%u(old, now, &x);\n", r->effects);
    if (s->effects != DVE_NONE) fprintf(f, "  fine = fine && c%u(old, now, &x);\n", s->effects);
  }
  if (p->costs || p->times) {
    fprintf(f, "  fine = p%u(old, &price) && fine;\n", step);
    if (r) fprintf(f, "  fine = p%u(old, &price) && fine;\n", receiver);
  }
  fprintf(f, p->property == DVE_NONE ? "  dve_put_made(out, now, WORDS, fine, &price);\n}\n"
                                     : "  own(old, now, fine, &price, out);\n}\n");
}

/* --- the order ------------------------------------------------------------------------------------------ */

/* Writes is<process>(old): is the process in a committed state? Returns whether the process has such states.
 */
static bool write_committed(writer *w, u32 process) {
  const dve_program *p = w->p;
  bool some = false;
  for (u32 s = p->first_state[process]; s < p->first_state[process + 1]; s++)
    some = some || p->flags[s] & DVE_COMMITTED;
  fprintf(w->f, "DVE_PIECE bool is%u(const u32 *old) {\n  (void)old;\n", process);
  if (!some) {
    fprintf(w->f, "  return false;\n}\n");
    return false;
  }
  dve_write_switch(w, process);
  for (u32 s = p->first_state[process]; s < p->first_state[process + 1]; s++)
    if (p->flags[s] & DVE_COMMITTED) fprintf(w->f, "  case %u: return true;\n", s - p->first_state[process]);
  fprintf(w->f, "  default: return false;\n  }\n}\n");
  return true;
}

/* Writes, for the property process, own_steps(old), which counts its enabled transitions, and own, which
 * appends a successor for each. */
static void write_property(writer *w) {
  const dve_program *p = w->p;
  const u32 q = p->property;
  for (int make = 0; make < 2; make++) {
    fprintf(w->f,
            make ? "DVE_PIECE void own(const u32 *old, const u32 *now, bool fine, const dve_worth *price, "
                   "dve_sink *out) {\n"
                 : "DVE_PIECE u32 own_steps(const u32 *old) {\n  u32 count = 0;\n");
    dve_write_switch(w, q);
    for (u32 s = p->first_state[q]; s < p->first_state[q + 1]; s++) {
      fprintf(w->f, "  case %u:\n", s - p->first_state[q]);
      for (u32 k = p->first_step[s]; k < p->first_step[s + 1]; k++) {
        if (!make) {
          fprintf(w->f, "    count += g%u(old) != 0;\n", k);
          continue;
        }
        fprintf(
            w->f,
            "    {\n      const u32 g = g%u(old);\n      if (g) {\n        u32 next[WORDS];\n        i32 x = 0;\n"
            "        (void)x;\n        dve_copy(next, now, WORDS);\n        dve_put_made(out, next, "
            "WORDS, fine && g == 1",
            k);
        if (p->steps[k].effects != DVE_NONE) fprintf(w->f, " && c%u(old, next, &x)", p->steps[k].effects);
        fprintf(w->f, ", price);\n      }\n    }\n");
      }
      fprintf(w->f, "    break;\n");
    }
    fprintf(w->f, make ? "  default: break;\n  }\n}\n" : "  default: break;\n  }\n  return count;\n}\n");
  }
}

static void write_may_move(writer *w, u32 process, bool commits) {
  if (commits) fprintf(w->f, "  if (!committed || is%u(old))\n", process);
  dve_write_switch(w, process);
}

/* Writes code that pairs a sending transition with every enabled receiving one of another process. */
static void write_meeting(writer *w, u32 step, bool commits) {
  const dve_program *p = w->p;
  const dve_step *s = &p->steps[step];
  for (u32 l = p->first_listener[s->channel]; l < p->first_listener[s->channel + 1]; l++) {
    const u32 q = p->listeners[l];
    if (q == s->process || q == p->property) continue;
    write_may_move(w, q, commits);
    for (u32 at = p->first_state[q]; at < p->first_state[q + 1]; at++) {
      bool some = false;
      for (u32 r = p->first_step[at]; r < p->first_step[at + 1]; r++) {
        if (p->steps[r].how != DVE_RECEIVES || p->steps[r].channel != s->channel) continue;
        if (!some) fprintf(w->f, "  case %u:\n", at - p->first_state[q]);
        some = true;
        fprintf(w->f,
                "    h = g%u(old);\n    if (h && make) m%u_%u(old, g == 2 || h == 2, out);\n"
                "    if (h && !make) out->at++;\n",
                r, step, r);
      }
      if (some) fprintf(w->f, "    break;\n");
    }
    fprintf(w->f, "  default: break;\n  }\n");
  }
}

static void write_walk(writer *w, bool commits) {
  const dve_program *p = w->p;
  FILE *f = w->f;
  const bool property = p->property != DVE_NONE;
  fprintf(
      f,
      "DVE_PIECE void walk(const u32 *old, bool make, dve_sink *out) {\n  u32 g = 0, h = 0;\n  (void)g, (void)h;\n"
      "  if (dve_all_ones(old, WORDS)) return;\n");
  if (property)
    fprintf(f, "  const u32 with = own_steps(old);\n  const u64 first = out->at;\n  if (!with) return;\n");
  if (commits) {
    fprintf(f, "  const bool committed = false");
    for (u32 q = 0; q < p->processes; q++)
      if (q != p->property) fprintf(f, " || is%u(old)", q);
    fprintf(f, ";\n");
  }
  for (u32 q = 0; q < p->processes; q++) {
    if (q == p->property) continue;
    write_may_move(w, q, commits);
    for (u32 at = p->first_state[q]; at < p->first_state[q + 1]; at++) {
      if (p->first_step[at] == p->first_step[at + 1]) continue;
      fprintf(f, "  case %u:\n", at - p->first_state[q]);
      for (u32 k = p->first_step[at]; k < p->first_step[at + 1]; k++) {
        if (p->steps[k].how == DVE_RECEIVES) continue;
        fprintf(f, "    g = g%u(old);\n", k);
        if (p->steps[k].how == DVE_SENDS) {
          fprintf(f, "    if (g) {\n");
          write_meeting(w, k, commits);
          fprintf(f, "    }\n");
        } else {
          fprintf(f, "    if (g && make) m%u(old, g == 2, out);\n    if (g && !make) out->at++;\n", k);
        }
      }
      fprintf(f, "    break;\n");
    }
    fprintf(f, "  default: break;\n  }\n");
  }
  if (property)
    fprintf(f, "  if (out->at == first && make) {\n    const dve_worth price = {0, 1, false};\n"
               "    own(old, old, true, &price, out);\n"
               "  } else if (out->at == first) {\n    out->at += with;\n  } else if (!make) {\n"
               "    out->at = first + (out->at - first) * with;\n  }\n");
  fprintf(f, "}\n");
}

static void write_model(writer *w) {
  const dve_program *p = w->p;
  fprintf(w->f, "#define WORDS %u\n", p->words);
  write_pieces(w);
  for (u32 i = 0; i < p->step_count; i++) {
    write_enabled(w, i);
    if (p->costs || p->times) write_price(w, i);
  }
  if (p->property != DVE_NONE) write_property(w);
  if (p->synchronous) {
    dve_write_together(w);
    return;
  }
  for (u32 i = 0; i < p->step_count; i++) {
    const dve_step *s = &p->steps[i];
    if (s->process == p->property || s->how == DVE_RECEIVES) continue;
    if (s->how != DVE_SENDS) write_make(w, i, DVE_NONE);
    for (u32 r = 0; r < p->step_count && s->how == DVE_SENDS && ftell(w->f) < MOST_BYTES; r++)
      if (p->steps[r].how == DVE_RECEIVES && p->steps[r].channel == s->channel &&
          p->steps[r].process != s->process)
        write_make(w, i, r);
  }
  bool commits = false;
  for (u32 q = 0; q < p->processes; q++)
    if (q != p->property) commits = write_committed(w, q) || commits;
  write_walk(w, commits);
}

/* --- the rows ------------------------------------------------------------------------------------------- */

/* for and while are undefined because kernels redefine them to stop at an interrupt. The generated loops do
 * not need that: the size of a state bounds them. */
static const char head[] = "#undef for\n"
                           "#undef while\n"
                           "#include \"dve/dve_degrees.h\"\n"
                           "#include \"dve/dve_expand.h\"\n"
                           "#include \"model/dve/compiled.h\"\n";

/* The rows of the two compiled kernels; $ stands for the common part of their names. */
static const char rows[] =
    "PRIM($_degrees, DVE_DEGREES_ARGS, UNTYPED, VERTEX, \"sources\", EXACT, \"sources*(4*words + 4)\", \"0\",\n"
    "     \"$_degrees(program, states, ...): dve_degrees of one model, compiled.\")\n"
    "PRIM($_expand, DVE_EXPAND_ARGS, UNTYPED, VERTEX, \"sources\", EXACT, \"sources*(4*words + 4) + made*(4*words + 4 + "
    "4*priced + 4*timed)\", \"0\",\n"
    "     \"$_expand(program, states, ...): dve_expand of one model, compiled.\")\n"
    "ARGS($_degrees, DVE_DEGREES_ARGS)\n"
    "ARGS($_expand, DVE_EXPAND_ARGS)\n"
    "VERTEX_BODY($_degrees) {\n"
    "  u32 old[WORDS];\n"
    "  const u32 number = a->first + v;\n"
    "  dve_sink out = {0, 0, 0, 0, 0, 0, 0};\n"
    "  a->degree[v] = 0;\n"
    "  if (v >= a->room - a->first || a->words != WORDS) return;\n"
    "  dve_copy(old, LS_POINTER(a->states) + (u64)number * WORDS, WORDS);\n"
    "  walk(old, false, &out);\n"
    "  if (out.at > DVE_MOST_STEPS) {\n"
    "    count->faults++;\n"
    "    atomic_min(a->fault, number);\n"
    "    return;\n"
    "  }\n"
    "  a->degree[v] = (u32)out.at;\n"
    "  count->steps += (u32)out.at;\n"
    "  if (out.at || dve_all_ones(old, WORDS)) return;\n"
    "  count->deadlocks++;\n"
    "  PUSH(dead, number);\n"
    "}\n"
    "VERTEX_BODY($_expand) {\n"
    "  u32 old[WORDS];\n"
    "  const u32 number = a->first + v, place = a->place[v];\n"
    "  (void)push;\n"
    "  if (v >= a->room - a->first || a->words != WORDS) return;\n"
    "  if (number < a->rows) a->off[number] = a->edges + place;\n"
    "  dve_copy(old, LS_POINTER(a->states) + (u64)number * WORDS, WORDS);\n"
    "  dve_sink out = {LS_POINTER(a->successors), 0, 0, a->reach, place, 0, 0};\n"
    "  if (a->priced) out.cost = LS_POINTER(a->cost);\n"
    "  if (a->timed) out.time = LS_POINTER(a->time);\n"
    "  walk(old, true, &out);\n"
    "  for (u64 i = place; i < out.at && i < a->reach; i++) a->from[i] = number;\n"
    "  count->made += (u32)(out.at - place);\n"
    "  count->errors += out.errors;\n"
    "  if (out.wrong) {\n"
    "    count->faults += out.wrong;\n"
    "    atomic_min(a->fault, number);\n"
    "  }\n"
    "}\n"
    "DVE_EXPORTED(__attribute__((visibility(\"default\"))) void " LS_DVE_MAKER
    "(const u32 *state, dve_sink *out);\n"
    "void " LS_DVE_MAKER "(const u32 *state, dve_sink *out) { walk(state, true, out); })\n";

ls_status ls_dve_generate(const ls_dve *m, char name[LS_DVE_ROW], ls_text *out) {
  char *model = NULL;
  size_t bytes = 0;
  writer w = {open_memstream(&model, &bytes), &m->program, ls_calloc(m->program.code_size + 1ull, 1)};
  ls_status st = w.f && w.done ? LS_OK : LS_EMEM;
  if (!st) write_model(&w);
  if (w.f && (ferror(w.f) | fclose(w.f)) && !st) st = LS_EMEM;
  ls_free(w.done);
  if (!st && bytes > MOST_BYTES)
    st = ls_fail(LS_EARG, "%s: translated to C, the model has more than %d KiB: leave out compiled = true",
                 m->text.name, MOST_BYTES >> 10);
  *out = (ls_text){0};
  if (!st) {
    /* of the code, so that equal models share their rows */
    snprintf(name, LS_DVE_ROW, "dve_%016llx", (unsigned long long)ls_checksum(model, bytes));
    ls_text_puts(out, head);
    ls_text_add(out, model, bytes);
    for (const char *s = rows; *s; s += strcspn(s, "$")) {
      if (*s == '$') ls_text_puts(out, name), s++;
      ls_text_add(out, s, strcspn(s, "$"));
    }
    if (out->failed) {
      ls_text_free(out);
      st = LS_EMEM;
    }
  }
  free(model);
  return st;
}
