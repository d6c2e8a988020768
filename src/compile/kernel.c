#include "compile/kernel.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "compile/guarded.h"
#include "compile/host.h"
#include "compile/race_shadow.h"
#include "compile/check_report.h"
#include "compile/nvrtc.h"
#include "compile/parse.h"
#include "compile/reader.h"
#include "compile/row_words.h"
#include "core/mem.h"
#include "core/wait.h"
#include "run/devices/cuda.h"
#include "run/launch/variants.h"
#include "run/launch/loop.h"
#include "run/record/timeline.h"
#include "run/record/trace.h"

static const ls_variants forms;

/* A compiled unit. */
typedef struct ls_compiled {
  struct ls_compiled *next;
  ls_processor processor;
  int device;
  ls_dtype type;
  ls_row_form form;
  int part;        /* ls_unit_part of its rows */
  void *library;   /* CPU */
  ls_watch *watch; /* CPU */
  ls_cuda_unit *cuda;
} compiled;

static compiled *find_compiled(const ls_kernel_text *t, int part, const ls_device *d, ls_dtype type,
                               ls_row_form form) {
  compiled *c = t->compiled;
  while (c && (c->part != part || c->processor != d->processor || c->device != d->index || c->type != type ||
               c->form != form))
    c = c->next;
  return c;
}

/* --- which form of a row runs: plain, bounds-checked or race-checked --------------------------------- */

static ls_bounds everywhere;
static bool races;

typedef struct choice {
  struct choice *next;
  int checked, raced; /* -1: not set */
  char name[];
} choice;
static choice *choices; /* settings of single rows, by name */

/* Does the row have checked variants? Only if it has one body per thread and is not a GRID row: a check ends
 * one thread, for which the other threads of the grid would wait. */
static bool has_body(const ls_prim *p) { return !p->loop && p->domain != LS_LIBRARY && p->domain != LS_GRID; }

static choice *find_choice(const char *name) {
  choice *c = choices;
  while (c && strcmp(c->name, name) != 0) c = c->next;
  return c;
}

ls_bounds ls_kernels_bounds(void) { return everywhere; }
bool ls_kernels_races(void) { return races; }

void ls_kernels_check(ls_bounds bounds) {
  everywhere = bounds;
  for (choice *c = choices; c; c = c->next) c->checked = -1;
  ls_variants_by(&forms);
}

void ls_kernels_race(bool on) {
  races = on;
  for (choice *c = choices; c; c = c->next) c->raced = -1;
  ls_variants_by(&forms);
}

static ls_status choice_of(const char *name, choice **out) {
  const ls_prim *p = ls_prim_find(name);
  if (!p) return ls_fail(LS_EARG, "there is no primitive %s", name);
  if (!has_body(p))
    return ls_fail(LS_EARG, "%s is %s: only rows with one body per thread can be checked", name,
                   p->loop                ? "a loop over rows"
                   : p->domain == LS_GRID ? "a GRID row, whose threads wait for each other"
                                          : "a library's whole operation");
  *out = find_choice(name);
  if (!*out) {
    choice *c = ls_malloc(sizeof *c + strlen(name) + 1);
    if (!c) return LS_EMEM;
    c->checked = c->raced = -1;
    strcpy(c->name, name);
    c->next = choices;
    *out = choices = c;
  }
  ls_variants_by(&forms);
  return LS_OK;
}

ls_status ls_kernels_check_row(const char *name, bool checked) {
  choice *c;
  ls_status st = choice_of(name, &c);
  if (!st) c->checked = checked;
  return st;
}

ls_status ls_kernels_race_row(const char *name, bool on) {
  choice *c;
  ls_status st = choice_of(name, &c);
  if (!st) c->raced = on;
  return st;
}

bool ls_kernels_checked(const ls_prim *p) {
  const choice *c = find_choice(p->name);
  if (!has_body(p)) return false;
  if (c && c->checked >= 0) return c->checked;
  return everywhere == LS_BOUNDS_ON || (everywhere == LS_BOUNDS_OWN && p->text);
}

bool ls_kernels_raced(const ls_prim *p) {
  const choice *c = find_choice(p->name);
  return has_body(p) && (c && c->raced >= 0 ? c->raced : races);
}

static ls_row_form form_of(const ls_prim *p) {
  return ls_kernels_raced(p) ? LS_RACING : ls_kernels_checked(p) ? LS_CHECKED : LS_PLAIN;
}

char *ls_shipped_text(const char *name) {
  const ls_prim *p = ls_prim_shipped_find(name);
  char def[256], *text = NULL;
  if (!p || (p->domain == LS_LIBRARY && !p->loop)) return NULL;
  snprintf(def, sizeof def, "%s/%s.def", p->family, p->family);
  const char *index = ls_bundled_header(def), *body = p->loop ? "" : p->source;
  ls_tokens t;
  int line;
  if (!index || ls_tokens_read(index, &t, &line)) return NULL;
  for (u32 i = 0; i < t.count && !text; i++) {
    const ls_token *at = &t.token[i], *after = ls_row_text_end(index, at);
    if (!after || !ls_token_is(index, at + 2, name)) continue;
    const u32 len = after[-1].at + after[-1].len - at->at;
    const size_t room = strlen(body) + len + 3;
    if (!(text = ls_malloc(room))) break;
    snprintf(text, room, "%s%s%.*s\n", body, *body ? "\n" : "", (int)len, index + at->at);
  }
  ls_tokens_free(&t);
  return text;
}

/* All texts: those loaded, and those of built-in rows, which are read when the row is first checked. */
static ls_kernel_text *all;

static ls_status shipped_text(const ls_prim *p, ls_kernel_text **out) {
  char name[80];
  snprintf(name, sizeof name, "%s.h", p->name);
  for (ls_kernel_text *t = all; t; t = t->next)
    if (t->shipped == p) return *out = t, LS_OK;
  char *text = ls_shipped_text(p->name);
  if (!text) return ls_fail(LS_EARG, "%s: the text of this kernel is not available", p->name);
  ls_status st = ls_kernel_text_read(name, NULL, 1, text, out);
  ls_free(text);
  if (st) return st;
  (*out)->shipped = p;
  (*out)->next = all;
  all = *out;
  return LS_OK;
}

static ls_status text_of(const ls_prim *p, ls_kernel_text **out) {
  if (!p->text) return shipped_text(p, out);
  *out = p->text;
  return LS_OK;
}

/* --- compiling --------------------------------------------------------------------------------------------
 */

static f64 asked;          /* when the running launch first saw Ctrl-C; 0: it has not */
static ls_launch *running; /* the launch that runs on a CPU */

/* Must the running kernel end? Yes if it still runs 0.3 s after Ctrl-C: the user may only want to stop the
 * algorithm, whose kernels usually end soon. At once if a signal has ended one of the kernel's threads,
 * because others may wait for that thread. Called by all threads of the kernel. */
static bool is_time_to_end(void) {
  if (__atomic_load_n(&running->fault.signal, __ATOMIC_ACQUIRE)) return true;
  if (!ls_interrupted()) return false;
  f64 now = ls_now();
  f64 first;
  __atomic_load(&asked, &first, __ATOMIC_RELAXED);
  if (first == 0) __atomic_store(&asked, &now, __ATOMIC_RELAXED);
  return first != 0 && now - first > 0.3;
}

/* Compiles the text's units. of[i] is the unit of part i: sets its `library` and `watch`. */
static ls_status open_on_cpu(const ls_kernel_text *t, ls_dtype type, ls_row_form form, compiled *const *of) {
  void *library[LS_TEXT_PARTS];
  ls_status st = ls_host_load(t, type, form, library);
  if (st) return st;
  for (int i = 0; i < ls_unit_parts(t); i++) {
    of[i]->library = library[i];
    if (!(of[i]->watch = dlsym(library[i], "ls_unit_watch")))
      return ls_fail(LS_EARG, "%s: the compiled code is not a kernel", t->name);
    of[i]->watch->look = ls_look_flag();
    of[i]->watch->ended = is_time_to_end;
  }
  return LS_OK;
}

static ls_status open_on_cuda(const ls_kernel_text *t, const ls_device *d, ls_dtype type, ls_row_form form,
                              compiled *const *of) {
  ls_cuda_unit *unit[LS_TEXT_PARTS];
  ls_status st = ls_cuda_units_load(t, type, form, d, unit);
  for (int i = 0; !st && i < ls_unit_parts(t); i++) of[i]->cuda = unit[i];
  return st;
}

static void free_unit(compiled *c) {
  if (c && c->library) dlclose(c->library);
  if (c) ls_cuda_unit_free(c->cuda);
  ls_free(c);
}

/* Writes what is being compiled, for a user who waits: "compiling 5 kernels of lorenz for sm_90 ...". */
static void say_compiling(const ls_kernel_text *t, const ls_device *d, char *out, size_t bytes) {
  char target[sizeof d->name];
  int rows = 0;
  for (int i = 0; i < t->nrows; i++) rows += t->row[i]->macro != NULL;
  if (d->processor == LS_CUDA)
    snprintf(target, sizeof target, "sm_%d", d->capability);
  else
    snprintf(target, sizeof target, "a CPU");
  if (t->of)
    snprintf(out, bytes, "compiling %d kernel%s of %.100s for %s ...", rows, rows == 1 ? "" : "s", t->of,
             target);
  else
    snprintf(out, bytes, "compiling %.100s for %s ...", t->name, target);
}

/* Compiles all units of the text, unless that has been done. */
static ls_status compile(ls_kernel_text *t, const ls_device *d, ls_dtype type, ls_row_form form) {
  if (find_compiled(t, 0, d, type, form)) return LS_OK;
  compiled *made[LS_TEXT_PARTS] = {NULL};
  const int parts = ls_unit_parts(t);
  ls_status st = LS_OK;
  for (int i = 0; !st && i < parts; i++) {
    if (!(made[i] = ls_calloc(1, sizeof *made[i])))
      st = LS_EMEM;
    else
      *made[i] =
          (compiled){.processor = d->processor, .device = d->index, .type = type, .form = form, .part = i};
  }
  char what[200];
  say_compiling(t, d, what, sizeof what);
  ls_waits_for(what);
  ls_trace_pause(); /* the compiler's time must not count as a gap between kernels */
  if (!st)
    st = d->processor == LS_CPU ? open_on_cpu(t, type, form, made) : open_on_cuda(t, d, type, form, made);
  if (ls_trace_enabled()) ls_timeline_resume();
  ls_waits_for(NULL);
  for (int i = 0; i < parts; i++) {
    if (st) {
      free_unit(made[i]);
      continue;
    }
    made[i]->next = t->compiled;
    t->compiled = made[i];
  }
  return st;
}

/* --- running ----------------------------------------------------------------------------------------------
 */

static ls_status interrupted(const ls_launch *L, ls_row_form form) {
  return ls_fail(LS_EINTERRUPTED, "%s: interrupted; %s", L->prim->name,
                 form != LS_PLAIN ? "the kernel's outputs are restored"
                                  : "the kernel's outputs may be incomplete");
}

/* The unit in which L's row was compiled. */
static compiled *unit_of(const ls_launch *L, ls_row_form form) {
  ls_kernel_text *t;
  const ls_device at = {.processor = L->on_cuda ? LS_CUDA : LS_CPU, .index = L->on_cuda ? L->device : 0};
  if (text_of(L->prim, &t)) return NULL;
  int row = 0;
  while (row < t->nrows && strcmp(t->row[row]->prim.name, L->prim->name) != 0) row++;
  return find_compiled(t, ls_unit_part(t, row), &at, ls_unit_type(t, L->type), form);
}

/* Allocates the shadow memory of a race-checked launch on a CPU, which then runs on one thread. */
static ls_status leave_marks(ls_launch *L, ls_watch *w, ls_mark **out) {
  const u64 count = ls_race_shadow_assign(L, NULL, w);
  *out = ls_calloc(count + 1, sizeof **out);
  if (!*out)
    return ls_fail(LS_EMEM, "%s: finding races in %llu elements needs %llu bytes, which are not available",
                   L->prim->name, (unsigned long long)count, (unsigned long long)(count * sizeof **out));
  ls_race_shadow_assign(L, *out, w);
  w->race = LS_NO_RACE;
  L->serial = true;
  return LS_OK;
}

static ls_status run_on_cpu(ls_launch *L) {
  const ls_row_form form = form_of(L->prim);
  compiled *c = unit_of(L, form);
  char symbol[128];
  snprintf(symbol, sizeof symbol, "%s_%s_cpu", L->prim->name,
           !c || c->type == LS_NONE ? "none" : ls_dtype_name(c->type));
  void *found = c ? dlsym(c->library, symbol) : NULL;
  ls_launch_fn f;
  if (!found) return ls_fail(LS_EARG, "%s: it was not compiled", L->prim->name);
  memcpy(&f, &found, sizeof f);
  f64 none = 0;
  __atomic_store(&asked, &none, __ATOMIC_RELAXED);
  c->watch->violated = 0;
  ls_mark *marks = NULL;
  ls_status st = form == LS_RACING ? leave_marks(L, c->watch, &marks) : LS_OK;
  running = L;
  if (!st) st = ls_launch_guarded(L, f, form != LS_PLAIN);
  ls_free(marks);
  if (!st && c->watch->violated) st = ls_check_report(L, c->watch);
  if (!st && asked != 0 && ls_interrupted() && is_time_to_end()) st = interrupted(L, form);
  return st;
}

static ls_status run_on_cuda(ls_launch *L) {
  const ls_row_form form = form_of(L->prim);
  compiled *c = unit_of(L, form);
  if (!c) return ls_fail(LS_EARG, "%s: it was not compiled", L->prim->name);
  ls_status st = ls_cuda_unit_launch(c->cuda, L);
  f64 begin, end;
  u64 items;
  ls_watch w;
  if (!st) st = ls_cuda_wait(L, L->ticket, &begin, &end, &items);
  if (!st) st = ls_cuda_unit_watch(c->cuda, &w, true);
  if (!st && w.violated) st = ls_check_report(L, &w);
  if (!st && w.stop) st = interrupted(L, form);
  return st;
}

/* For a loaded row that cannot be compiled in the bounds-checked variant, if the user did not request the
 * check: compiles the plain variant, which runs unchecked. */
static ls_status ready_unchecked(const ls_prim *p, ls_kernel_text *t, ls_dtype type, const ls_device *d) {
  fprintf(stderr, "(%s runs unchecked: %s)\n", p->name, ls_error());
  ls_status st = ls_kernels_check_row(p->name, false);
  return st ? st : compile(t, d, type, LS_PLAIN);
}

/* Is the error about the operand types of ? : , in the words of gcc, clang or NVRTC? */
static bool says_of_sides(const char *error) {
  return strstr(error, "?:") || strstr(error, "incompatible operand types") ||
         strstr(error, "\"?\" operation") || strstr(error, "conditional expression");
}

static ls_status ready(const ls_prim *p, ls_dtype type, const ls_device *d, bool *guarded) {
  ls_row_form form = form_of(p);
  ls_kernel_text *t;
  if (!p->text && form == LS_PLAIN) return LS_OK;
  ls_status st = text_of(p, &t);
  if (st) return st;
  if (p->domain == LS_LIBRARY && d->processor != LS_CPU)
    return ls_fail(LS_EARG, "%s runs only on a CPU: select it first by device \"cpu\"", p->name);
  const ls_dtype unit = ls_unit_type(t, type);
  st = compile(t, d, unit, form);
  if (st == LS_EARG && form == LS_RACING && says_of_sides(ls_error()))
    return ls_fail(
        LS_EARG,
        "%s\n  (To find races, both sides of ? : must have the element's type: c ? a->x[v] : (u32)0.)",
        ls_error());
  if (st && st != LS_EINTERRUPTED && form == LS_CHECKED && everywhere == LS_BOUNDS_OWN &&
      !find_choice(p->name))
    st = ready_unchecked(p, t, unit, d);
  *guarded |= form_of(p) != LS_PLAIN;
  return st;
}

static ls_launch_fn launcher(const ls_prim *p, ls_processor processor, ls_dtype type) {
  (void)type;
  if (p->loop || (!p->text && form_of(p) == LS_PLAIN)) return NULL;
  return processor == LS_CPU ? run_on_cpu : run_on_cuda;
}

static const ls_variants forms = {ready, launcher};

/* --- registering ------------------------------------------------------------------------------------------
 */

static ls_status prepare_row(const ls_kernel_text *t, ls_text_row *row) {
  ls_prim *p = &row->prim;
  ls_status st = ls_prim_make(p);
  if (!st) st = ls_row_check(p);
  if (st) return ls_fail_prefix(st, "%s:%d: %s: ", t->name, t->line + row->line, p->name);
  for (int type = 0; type <= LS_NONE; type++)
    if (p->loop && p->types >> type & 1) p->run[LS_CUDA][type] = ls_loop_by_host;
  return LS_OK;
}

/* Registers all rows, and then the loops, which may use them. If one fails, none stays registered. */
static ls_status register_all(ls_kernel_text *t) {
  ls_prim *before[LS_TEXT_ROWS];
  ls_text_row *done[LS_TEXT_ROWS];
  int n = 0;
  ls_status st = LS_OK;
  for (int loops = 0; loops < 2; loops++)
    for (int i = 0; !st && i < t->nrows; i++) {
      ls_text_row *row = t->row[i];
      if ((row->prim.loop != NULL) != loops) continue;
      if (loops) st = prepare_row(t, row);
      if (st) break;
      before[n] = ls_prim_find(row->prim.name);
      st = ls_prim_register(&row->prim);
      if (!st) done[n++] = row;
    }
  while (st && n-- > 0) ls_prim_take_back(&done[n]->prim, before[n]);
  return st;
}

/* Compiles a text once, so that its errors are found now and not when a row is first called: with the host's
 * compiler or, if there is none, for the current device. A generated text is compiled for the device on which
 * it will run. */
static ls_status compile_once(ls_kernel_text *t) {
  const ls_device cpu = {.processor = LS_CPU}, *present = ls_device_current();
  bool bodies = false, elsewhere = false; /* elsewhere: not only on a CPU */
  for (int i = 0; i < t->nrows; i++) {
    bodies |= t->row[i]->macro != NULL;
    elsewhere |= t->row[i]->macro && t->row[i]->prim.domain != LS_LIBRARY;
  }
  if (!bodies) return LS_OK;
  const bool at_present = t->of && elsewhere;
  const bool host = present->processor == LS_CPU || (!at_present && ls_host_compiler(LS_PLAIN) == LS_OK);
  return compile(t, host ? &cpu : present, ls_unit_type(t, LS_NONE), LS_PLAIN);
}

static void free_compiled(ls_kernel_text *t) {
  while (t && t->compiled) {
    compiled *c = t->compiled;
    t->compiled = c->next;
    free_unit(c);
  }
}

/* Large generated texts are compiled in several units at the same time. Each has the whole text, so small
 * ones would take longer. */
static int parts_of(const ls_kernel_text *t) {
  enum { SPLIT = 12 << 10 }; /* bytes of text */
  int rows = 0;
  for (int i = 0; i < t->nrows; i++) rows += t->row[i]->macro != NULL;
  const int cores = ls_device_at(0)->units, most = cores < LS_TEXT_PARTS ? cores : LS_TEXT_PARTS;
  return !t->of || strlen(t->text) < SPLIT || most < 2 ? 1 : rows < most ? rows : most;
}

ls_status ls_kernels_load(const char *name, const char *folder, int line, const char *text, const char *of,
                          ls_status (*may_be_called)(const char *name, void *context), void *context,
                          ls_kernel_text **out) {
  ls_kernel_text *t;
  ls_variants_by(&forms);
  ls_status st = ls_kernel_text_read(name, folder, line, text, &t);
  if (st) return st;
  if (of && !(t->of = ls_kernel_text_keep(t, of, strlen(of)))) st = LS_EMEM;
  t->parts = parts_of(t);
  for (int i = 0; !st && i < t->nrows; i++) {
    const ls_text_row *row = t->row[i];
    if (row->macro && strcmp(row->domain, "LIBRARY") == 0) /* the build compiles these */
      st = ls_fail(LS_EARG, "%s: there is no domain 'LIBRARY' (%s)", row->prim.name, LS_DOMAINS_TEXT);
    else
      st = may_be_called(row->prim.name, context);
    if (st) ls_fail_prefix(st, "%s:%d: ", t->name, t->line + row->line);
  }
  for (int i = 0; !st && i < t->nrows; i++)
    if (!t->row[i]->prim.loop) st = prepare_row(t, t->row[i]);
  if (!st) st = compile_once(t);
  if (!st) st = register_all(t);
  if (st) {
    free_compiled(t);
    ls_kernel_text_free(t);
    return st;
  }
  t->next = all;
  all = *out = t;
  return LS_OK;
}

ls_status ls_kernels_renew_loop(ls_prim *loop, ls_prim **newer) {
  bool changed = false;
  *newer = NULL;
  for (int s = 0; s < loop->loop->nsteps; s++)
    changed |= ls_prim_find(loop->loop->step[s].prim->name) != loop->loop->step[s].prim;
  if (!changed) return LS_OK;
  ls_text_row *row = ls_kernel_text_take(loop->text, sizeof *row);
  if (!row) return LS_EMEM;
  row->loop.words = loop->loop->words;
  row->prim = (ls_prim){.name = loop->name,
                        .doc = loop->doc,
                        .family = loop->family,
                        .domain = LS_LOOP,
                        .agree = LS_FIXPOINT,
                        .types = loop->types,
                        .loop = &row->loop,
                        .text = loop->text};
  ls_status st = prepare_row(loop->text, row);
  if (!st) st = ls_prim_register(&row->prim);
  if (!st) *newer = &row->prim;
  return st;
}
