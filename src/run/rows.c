/* The table of primitives and the table of schemas, expanded from every kernels/FAMILY/FAMILY.def. */
#include "run/row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/launch.h"
#include "rows_list.h"

#ifdef LOCKSTEP_WITH_CUDA
#define LS_CUDA_ONLY(f) f
#else
#define LS_CUDA_ONLY(f) NULL
#endif

#define LS_CPU_LIBRARY LS_LIBRARY
#define AT_MOST "<="

static ls_prim prims[] = {
#define PRIM(name_, args_, types_, domain_, items_, agree_, bytes_, gathers_, doc_)                          \
  {.name = #name_,                                                                                           \
   .family = FAMILY,                                                                                         \
   .doc = doc_,                                                                                              \
   .source = name_##_source,                                                                                 \
   .domain = LS_##domain_,                                                                                   \
   .items = items_,                                                                                          \
   .agree = LS_##agree_,                                                                                     \
   .bytes = bytes_,                                                                                          \
   .gathers = gathers_,                                                                                      \
   .args = name_##_row_args,                                                                                 \
   .types = TYPES_##types_,                                                                                  \
   .run = RUN_##name_},
#define LOOP(name_, types_, until_, steps_, swaps_, doc_)                                                    \
  {.name = #name_,                                                                                           \
   .family = FAMILY,                                                                                         \
   .doc = doc_,                                                                                              \
   .domain = LS_LOOP,                                                                                        \
   .agree = LS_FIXPOINT,                                                                                     \
   .until = until_,                                                                                          \
   .types = TYPES_##types_,                                                                                  \
   .steps_text = steps_,                                                                                     \
   .swaps_text = swaps_,                                                                                     \
   .run = RUN_##name_},
#include "families.def"
};

enum { PRIMS = sizeof prims / sizeof *prims };

static int find_arg(const ls_arg *args, int nargs, const char *name) {
  for (int i = 0; i < nargs; i++)
    if (strcmp(args[i].name, name) == 0) return i;
  return -1;
}

static ls_prim *find(const char *name, size_t len) {
  for (int i = 0; i < PRIMS; i++)
    if (strlen(prims[i].name) == len && memcmp(prims[i].name, name, len) == 0) return &prims[i];
  return NULL;
}

/* A loop's arguments are its steps', each name once, in order; its COUNTs likewise. */
static ls_arg loop_args[PRIMS][LS_MAX_ARGS];
static char swap_names[PRIMS][LS_MAX_SWAPS][2][24];
static u8 step_args[PRIMS][LS_MAX_STEPS][2][LS_MAX_ARGS];

static bool role_writes(ls_role r) { return r == LS_INOUT || r == LS_OUT || r == LS_QOUT; }
static bool role_reads(ls_role r) { return r == LS_IN || r == LS_OFF || r == LS_INOUT || r == LS_QIN; }

/* What one step asks of the elements all ask. */
static void join(ls_arg *arg, const ls_arg *other) {
  if (arg->contract == LS_CONTRACT_anything) arg->contract = other->contract, arg->bound = other->bound;
}

/* Step s takes its arguments: what it reads and no step before has made matters from the beginning. */
static void follow_step(ls_prim *loop, int s, int odd, bool begun, u64 *made) {
  const ls_prim *step = loop->steps[s];
  u64 makes = 0;
  for (int i = 0; i < step->nargs; i++) {
    const u64 bit = 1ull << loop->args_of[s][odd][i];
    if (ls_arg_read(step, i, false) && !(*made & bit)) loop->reads[begun] |= bit;
    if (ls_arg_written(step, i)) loop->writes |= bit;
    if (step->makes[false] >> i & 1) makes |= bit;
  }
  *made |= makes;
}

/* One iteration. A group may be left out: what it makes, it makes for its own steps alone. */
static void follow_iteration(ls_prim *loop, int first, bool swaps, bool begun, u64 *made) {
  int end[LS_MAX_STEPS], depth = 0;
  u64 before[LS_MAX_STEPS];
  for (int s = first; s < loop->nsteps; s++) {
    while (depth && end[depth - 1] == s) *made = before[--depth];
    follow_step(loop, s, swaps, begun, made);
    if (loop->program && loop->again >> s & 1) follow_step(loop, s, true, begun, made);
    if (!loop->past[s]) continue;
    end[depth] = loop->past[s];
    before[depth++] = *made;
  }
  if (depth) *made = before[0];
}

/* Which arguments a loop reads, writes and makes, from two iterations: what is swapped has been on both sides
 * then. */
static void follow_loop(ls_prim *loop, bool begun) {
  u64 made = 0;
  for (int s = 0; !begun && s < (int)loop->once && !loop->past[s]; s++)
    follow_step(loop, s, false, begun, &loop->begins);
  follow_iteration(loop, begun ? (int)loop->once : 0, false, begun, &made);
  loop->makes[begun] = made;
  follow_iteration(loop, (int)loop->once, !loop->program, begun, &made);
  for (int s = 0; s < loop->nswaps; s++)
    for (int side = 0; side < 2; side++)
      loop->writes |= 1ull << find_arg(loop->args, loop->nargs, loop->swaps[s][side]);
}

/* A loop's argument has the role that its steps give it together. */
static void settle_roles(ls_prim *loop, ls_arg *args) {
  for (int i = 0; i < loop->nargs; i++) {
    const bool reads = (loop->reads[0] | loop->reads[1]) >> i & 1;
    if (args[i].role == LS_IN || args[i].role == LS_OUT || args[i].role == LS_INOUT)
      args[i].role = !ls_arg_written(loop, i) ? LS_IN : reads ? LS_INOUT : LS_OUT;
  }
}

/* "z | a & b, c*, (d, e), f'": z once, before the first iteration; a and b side by side, c again and again, d
 * and e where c has counted anything, and f with the pairs swapped. */
static void read_steps(ls_prim *loop) {
  int open[LS_MAX_STEPS], depth = 0; /* the steps whose groups are not over */
  for (const char *p = loop->steps_text; *p;) {
    const size_t len = strcspn(p, " ,&*()|'");
    if (len) loop->steps[loop->nsteps++] = find(p, len);
    p += len;
    const int last = loop->nsteps - 1;
    if (*p == '&') loop->alongside |= 1u << last;
    if (*p == '*') loop->again |= 1u << last;
    if (*p == '(') open[depth++] = last;
    if (*p == ')') loop->past[open[--depth]] = (u8)loop->nsteps;
    if (*p == '\'') loop->crossed |= 1u << last;
    if (*p == '|') loop->once = (u32)loop->nsteps;
    if (*p == '*' || *p == '(' || *p == '|') loop->program = true;
    if (*p) p++;
  }
}

static const char *swapped(const ls_prim *loop, const char *name, bool odd) {
  for (int s = 0; odd && s < loop->nswaps; s++)
    for (int side = 0; side < 2; side++)
      if (strcmp(name, loop->swaps[s][side]) == 0) return loop->swaps[s][!side];
  return name;
}

static void finish_loop(int index) {
  ls_prim *loop = &prims[index];
  read_steps(loop);
  for (int s = 0; s < loop->nsteps; s++) {
    const ls_prim *step = loop->steps[s];
    if (step->agree != LS_EXACT) loop->agree = step->agree; /* a tie in a step is one in the loop */
    for (int i = 0; i < step->nargs; i++) {
      const int at = find_arg(loop_args[index], loop->nargs, step->args[i].name);
      if (at < 0 && loop->nargs == LS_MAX_ARGS) abort(); /* a row that was just written: raise LS_MAX_ARGS */
      if (at < 0)
        loop_args[index][loop->nargs++] = step->args[i];
      else
        join(&loop_args[index][at], &step->args[i]);
    }
  }
  loop->args = loop_args[index];
  for (const char *p = loop->swaps_text; *p;) {
    char(*pair)[24] = swap_names[index][loop->nswaps];
    int used = 0;
    if (sscanf(p, " %23[a-z_]<>%23[a-z_]%n", pair[0], pair[1], &used) != 2) break;
    loop->swaps[loop->nswaps][0] = pair[0];
    loop->swaps[loop->nswaps++][1] = pair[1];
    p += used;
  }
  for (int s = 0; s < loop->nsteps; s++)
    for (int i = 0; i < loop->steps[s]->nargs; i++)
      for (int odd = 0; odd < 2; odd++) {
        const bool swaps = (loop->crossed >> s & 1) != (odd && (!loop->program || loop->again >> s & 1));
        step_args[index][s][odd][i] =
            (u8)find_arg(loop->args, loop->nargs, swapped(loop, loop->steps[s]->args[i].name, swaps));
      }
  loop->args_of = step_args[index];
  follow_loop(loop, false);
  follow_loop(loop, true);
  settle_roles(loop, loop_args[index]);
  loop->items = "0";
  loop->bytes = loop->gathers = "";
  loop->source = loop->steps[0]->source;
}

static bool take_at_most(const char **cost) {
  const bool bound = strncmp(*cost, AT_MOST, sizeof AT_MOST - 1) == 0;
  if (bound) *cost += sizeof AT_MOST - 1;
  return bound;
}

static void finish(void) {
  static bool done;
  if (done) return;
  done = true;
  for (int i = 0; i < PRIMS; i++) {
    ls_prim *p = &prims[i];
    while (p->args && p->args[p->nargs].name) p->nargs++;
    for (int k = 0; k < p->nargs; k++) {
      if (role_writes(p->args[k].role)) p->writes |= 1ull << k;
      if (role_reads(p->args[k].role)) p->reads[false] |= 1ull << k;
    }
    p->makes[false] = p->writes & ~p->reads[false];
    if (p->domain == LS_LOOP) continue;
    p->bytes_at_most = take_at_most(&p->bytes);
    p->gathers_at_most = take_at_most(&p->gathers);
  }
  for (int i = 0; i < PRIMS; i++)
    if (prims[i].domain == LS_LOOP) finish_loop(i);
}

int ls_prims(void) { return PRIMS; }

ls_prim *ls_prim_at(int i) {
  finish();
  return &prims[i];
}

ls_prim *ls_prim_find(const char *name) {
  finish();
  return find(name, strlen(name));
}

static const struct domain {
  const char *name, *thread;
  bool walks;
} domains[] = {
#define DOMAIN(name, own, chunk, short_name, thread) [LS_##name] = {short_name, thread, own > 0},
#include "language/domains.def"
#undef DOMAIN
    [LS_LIBRARY] = {"library", "(a library's whole operation)", false},
    [LS_LOOP] = {"loop", "(a loop over other primitives)", false},
};

const char *ls_domain_name(ls_domain d) { return domains[d].name; }
const char *ls_domain_thread(ls_domain d) { return domains[d].thread; }
bool ls_domain_walks(ls_domain d) { return domains[d].walks; }

int ls_arg_find(const ls_prim *p, const char *name) { return find_arg(p->args, p->nargs, name); }

/* --- schemas -------------------------------------------------------------------------------------------- */

#define W LS_W
#define u8 LS_U8
#define u32 LS_U32
#define u64 LS_U64
#define i32 LS_I32
#define i64 LS_I64
#define f32 LS_F32
#define f64 LS_F64
#define SCHEMA(name, types, doc) static const ls_field fields_of_##name[] = {
#define FIELD(type, name, extent, init, doc) {type, #name, extent, init, doc},
#define END_SCHEMA(name)                                                                                     \
  { LS_NONE, NULL, NULL, NULL, NULL }                                                                        \
  }                                                                                                          \
  ;
#include "families.def"
#undef W
#undef u8
#undef u32
#undef u64
#undef i32
#undef i64
#undef f32
#undef f64

static ls_schema schemas[] = {
#define SCHEMA(name_, types_, doc_)                                                                          \
  {.name = #name_, .family = FAMILY, .doc = doc_, .types = TYPES_##types_, .fields = fields_of_##name_},
#include "families.def"
};

const char *ls_types_text(u32 types, char out[LS_TYPES_TEXT]) {
  size_t used = 0;
  u32 left = types & TYPES_FOR_ALL;
  out[0] = '\0';
  for (int t = 0; left; t++) {
    if (!(left >> t & 1)) continue;
    left &= left - 1;
    const char *before = !used ? "" : left ? ", " : " or ";
    used += (size_t)snprintf(out + used, LS_TYPES_TEXT - used, "%s%s", before, ls_dtype_name((ls_dtype)t));
  }
  return out;
}

int ls_schemas(void) { return sizeof schemas / sizeof *schemas; }

const ls_schema *ls_schema_at(int i) {
  ls_schema *s = &schemas[i];
  if (!s->nfields)
    while (s->fields[s->nfields].name) s->nfields++;
  return s;
}
