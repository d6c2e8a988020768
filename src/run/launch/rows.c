/* The table of primitives and the table of schemas, from every kernels/FAMILY/FAMILY.def. */
#include "run/launch/row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "run/launch/launch.h"
#include "run/launch/loop.h"

#ifdef LOCKSTEP_WITH_CUDA
#define LS_CUDA_ONLY(f) f
#else
#define LS_CUDA_ONLY(f) NULL
#endif

#include "rows_table.h"

enum { PRIMS = sizeof prims / sizeof *prims };

/* All rows, each at a place that never changes: one that is registered at run time is appended, or replaces
 * the one with its name. */
static ls_prim **table;
static int count;
static u32 room;

static ls_prim *find(const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(table[i]->name, name) == 0) return table[i];
  return NULL;
}

static bool role_writes(ls_role r) { return r == LS_INOUT || r == LS_OUT || r == LS_QOUT || r == LS_QMORE; }
static bool role_reads(ls_role r) { return r != LS_OUT && r != LS_QOUT && r != LS_VALUE && r != LS_COUNT; }

/* Takes off the "<=" that AT_MOST stands for. */
static bool take_at_most(const char **cost) {
  const bool bound = strncmp(*cost, "<=", 2) == 0;
  if (bound) *cost += 2;
  return bound;
}

/* Cannot happen in a finished program: the build runs ls_rows_check, and fails at this exit code. */
static void wrong_loop(const ls_prim *p) {
  fprintf(stderr, "error: kernels/%s/%s.def: %s: %s\n", p->family, p->family, p->name, ls_error());
  exit(1);
}

/* A loop's arguments are those of its steps, one for each name, in order; so are its COUNTs. */
static ls_arg loop_args[PRIMS][LS_MAX_ARGS];

/* Sets what follows from a row's arguments. */
static void finish_row(ls_prim *p) {
  while (p->args && p->args[p->nargs].name) p->nargs++;
  for (int k = 0; k < p->nargs; k++) {
    if (role_writes(p->args[k].role)) p->writes |= 1ull << k;
    if (role_reads(p->args[k].role)) p->reads[false] |= 1ull << k;
  }
  p->makes[false] = p->writes & ~p->reads[false];
  if (p->domain == LS_LOOP) return;
  p->bytes_at_most = take_at_most(&p->bytes);
  p->gathers_at_most = take_at_most(&p->gathers);
}

static ls_status make_room(void) {
  ls_prim **grown = ls_grown(table, (u32)count, &room, 2 * PRIMS, sizeof *grown);
  if (!grown) return LS_EMEM;
  table = grown;
  return LS_OK;
}

static void finish(void) {
  if (count) return;
  if (make_room()) {
    fprintf(stderr, "error: %s\n", ls_error());
    exit(1);
  }
  for (int i = 0; i < PRIMS; i++) {
    finish_row(&prims[i]);
    table[count++] = &prims[i];
  }
  for (int i = 0; i < PRIMS; i++)
    if (prims[i].loop) {
      if (ls_loop_compile(&prims[i], loop_args[i], find)) wrong_loop(&prims[i]);
    }
}

bool ls_prim_exchanges(const ls_prim *p) { return p->family && strcmp(p->family, "exchange") == 0; }

int ls_prims(void) {
  finish();
  return count;
}

ls_prim *ls_prim_at(int i) {
  finish();
  return table[i];
}

ls_prim *ls_prim_find(const char *name) {
  finish();
  return find(name);
}

ls_status ls_prim_make(ls_prim *p) {
  finish();
  finish_row(p);
  if (!p->loop) return LS_OK;
  ls_arg *args = ls_calloc(LS_MAX_ARGS, sizeof *args); /* kept as long as the program runs, like the row */
  if (!args) return LS_EMEM;
  ls_status st = ls_loop_compile(p, args, find);
  if (!st) return LS_OK;
  ls_free(args);
  p->args = NULL;
  p->nargs = 0;
  return st;
}

ls_status ls_prim_register(ls_prim *p) {
  ls_prim *old = ls_prim_find(p->name);
  if (!old) {
    ls_status st = make_room();
    if (!st) table[count++] = p;
    return st;
  }
  if (old == p) return LS_OK;
  p->newer = NULL;
  old->newer = p;
  for (int i = 0; i < count; i++)
    if (table[i] == old) table[i] = p;
  return LS_OK;
}

void ls_prim_take_back(ls_prim *p, ls_prim *old) {
  int kept = 0;
  if (old) old->newer = NULL;
  for (int i = 0; i < count; i++) {
    if (table[i] == p && !old) continue;
    table[kept++] = table[i] == p ? old : table[i];
  }
  count = kept;
}

bool ls_prim_shipped(const ls_prim *p) { return p >= prims && p < prims + PRIMS; }

ls_prim *ls_prim_shipped_find(const char *name) {
  for (int i = 0; i < PRIMS; i++)
    if (strcmp(prims[i].name, name) == 0) return &prims[i];
  return NULL;
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

static bool one_item_each(ls_domain d) {
  return d != LS_VERTEX_EDGES && d != LS_QUEUE_EDGES && d != LS_VERTEX_BEST;
}
bool ls_prim_has_block(const ls_prim *p) {
  if (!p->loop) return p->domain != LS_LIBRARY && one_item_each(p->domain);
  for (int s = 0; s < p->loop->nsteps; s++)
    if (!one_item_each(p->loop->step[s].prim->domain)) return false;
  return true;
}

int ls_arg_find(const ls_prim *p, const char *name) {
  for (int i = 0; i < p->nargs; i++)
    if (strcmp(p->args[i].name, name) == 0) return i;
  return -1;
}

/* --- schemas -------------------------------------------------------------------------------------------- */

#define W LS_W
#define u8 LS_U8
#define u16 LS_U16
#define u32 LS_U32
#define u64 LS_U64
#define i16 LS_I16
#define i32 LS_I32
#define i64 LS_I64
#define f32 LS_F32
#define f64 LS_F64
#define SCHEMA(name, types, doc) static const ls_field fields_of_##name[] = {
#define FIELD(type, name, extent, init, doc) {type, #name, extent, init, doc, false},
#define FIELD_ALONE(type, name, extent, init, doc) {type, #name, extent, init, doc, true},
#define END_SCHEMA(name)                                                                                     \
  { LS_NONE, NULL, NULL, NULL, NULL, false }                                                                 \
  }                                                                                                          \
  ;
#include "families.def"
#undef W
#undef u8
#undef u16
#undef u32
#undef u64
#undef i16
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
