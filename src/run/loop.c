#include "run/loop.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/reduce.h"

static int find_arg(const ls_arg *args, int nargs, const char *name, size_t len) {
  for (int i = 0; i < nargs; i++)
    if (strlen(args[i].name) == len && memcmp(args[i].name, name, len) == 0) return i;
  return -1;
}

/* Which of a row's COUNTs has the name; -1: none. */
static int find_count(const ls_prim *p, const char *name) {
  int k = 0;
  for (int i = 0; i < p->nargs; i++) {
    if (p->args[i].role != LS_COUNT) continue;
    if (strcmp(p->args[i].name, name) == 0) return k;
    k++;
  }
  return -1;
}

/* --- from words to operations --- */

typedef struct group {
  ls_loop_word_kind kind;
  int op;     /* where it begins */
  u32 flag;   /* of REPEAT and IF */
  int leaves; /* SKIPs to where it ends */
  u8 leave[8];
  u8 around; /* REPEATs around a REPEAT */
  int steps; /* when it began */
  int var;
} group;

enum { MAX_DEPTH = 8 };

typedef struct compiler {
  ls_prim *p;
  ls_loop *loop;
  ls_arg *args;
  ls_prim *(*find)(const char *name);
  int ops;
  u32 flags; /* that are taken */
  struct {
    const char *count;
    u32 flag;
  } told[32]; /* COUNTs that an IF or a LEAVE goes by */
  int tolds;
  int once; /* steps that come ONCE */
  int depth;
  group open[MAX_DEPTH];
} compiler;

static ls_status emit(compiler *c, ls_op op) {
  if (c->ops == LS_MAX_OPS) return ls_fail(LS_EARG, "more than %d operations", LS_MAX_OPS);
  c->loop->code.op[c->ops++] = op;
  return LS_OK;
}

static ls_status new_flag(compiler *c, u32 *flag) {
  if (c->flags == ~0u) return ls_fail(LS_EARG, "more than 32 REPEATs, IFs and LEAVEs");
  *flag = ~c->flags & (c->flags + 1);
  c->flags |= *flag;
  return LS_OK;
}

/* What all steps ask of an argument of the same name. */
static ls_status join_arg(compiler *c, const ls_arg *of_step, const char *name, int *at) {
  ls_prim *p = c->p;
  *at = find_arg(c->args, p->nargs, name, strlen(name));
  if (*at < 0) {
    if (p->nargs == LS_MAX_ARGS) return ls_fail(LS_EARG, "more than %d arguments", LS_MAX_ARGS);
    *at = p->nargs++;
    c->args[*at] = *of_step;
    c->args[*at].name = name;
    return LS_OK;
  }
  ls_arg *arg = &c->args[*at];
  if (ls_arg_is_queue(arg) && ls_arg_is_queue(of_step) && arg->wide != of_step->wide)
    return ls_fail(LS_EARG, "'%s' has items of 16 bytes in one step, and of 8 in another", name);
  const bool values = arg->role == LS_VALUE || arg->role == LS_COUNT;
  if (values != (of_step->role == LS_VALUE || of_step->role == LS_COUNT) || arg->type != of_step->type)
    return ls_fail(LS_EARG, "'%s' is a %s of one step and a %s of another", name, ls_dtype_name(arg->type),
                   ls_dtype_name(of_step->type));
  if (arg->agree == LS_AS_ROW) {
    arg->agree = of_step->agree;
    arg->relative = of_step->relative;
    arg->absolute = of_step->absolute;
  }
  if (arg->contract == LS_CONTRACT_anything) arg->contract = of_step->contract, arg->bound = of_step->bound;
  return LS_OK;
}

/* Kept for names that are parts of a word's text. */
static const char *keep(const char *text, size_t len) {
  static char pool[1 << 14];
  static size_t used;
  for (size_t at = 0; at < used; at += strlen(pool + at) + 1)
    if (strlen(pool + at) == len && memcmp(pool + at, text, len) == 0) return pool + at;
  if (used + len + 1 > sizeof pool) return NULL;
  char *kept = memcpy(pool + used, text, len);
  used += len + 1;
  return kept;
}

/* The binding of the step's own for its argument `name`, "front=near "; NULL: none. */
static const char *own_binding(const char *bindings, const char *name, size_t *len) {
  const size_t of_name = strlen(name);
  for (const char *at = bindings; *at; at += strcspn(at, " "), at += strspn(at, " "))
    if (strncmp(at, name, of_name) == 0 && at[of_name] == '=') {
      *len = strcspn(at + of_name + 1, " ");
      return at + of_name + 1;
    }
  return NULL;
}

static ls_status check_bindings(const ls_prim *step, const char *bindings) {
  for (const char *at = bindings; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
    const size_t len = strcspn(at, "= ");
    if (find_arg(step->args, step->nargs, at, len) < 0)
      return ls_fail(LS_EARG, "%s has no argument '%.*s' to bind", step->name, (int)len, at);
  }
  return LS_OK;
}

/* Has the step one buffer in two places, of which it writes one? A call of the row is refused then. */
static ls_status check_apart(const ls_step *step, const char *row) {
  const ls_prim *p = step->prim;
  for (int i = 0; i < p->nargs; i++)
    for (int j = 0; j < i && step->arg[i] < LS_VARIABLE; j++)
      if (step->arg[i] == step->arg[j] && (ls_arg_written(p, i) || ls_arg_written(p, j)))
        return ls_fail(LS_EARG,
                       "%s: its arguments %s and %s are one buffer of the loop, and it would be written", row,
                       p->args[j].name, p->args[i].name);
  return LS_OK;
}

/* A number that a step binds, WITH(within, 1). */
static ls_status read_constant(const char *step, const ls_arg *arg, const char *text, size_t len, u32 *out) {
  char *end;
  u64 element;
  errno = 0;
  const unsigned long long x = strtoull(text, &end, 10);
  if (errno || end != text + len || x > UINT32_MAX)
    return ls_fail(LS_EARG, "%s: '%s' is %.*s, expected a whole number below 2^32", step, arg->name, (int)len,
                   text);
  if (arg->type != LS_W && ls_number_put(arg->type, &element, 0, (ls_number){.i = x}))
    return ls_fail_prefix(LS_EARG, "%s: '%s': ", step, arg->name);
  *out = (u32)x;
  return LS_OK;
}

static ls_status add_step(compiler *c, const ls_loop_word *w) {
  ls_loop *loop = c->loop;
  const ls_prim *prim = c->find(w->a);
  if (!prim || prim->loop) return ls_fail(LS_EARG, "its step %s is not a row of one kernel", w->a);
  if (loop->nsteps == LS_MAX_STEPS) return ls_fail(LS_EARG, "more than %d steps", LS_MAX_STEPS);
  ls_step *step = &loop->step[loop->nsteps];
  step->prim = prim;
  memset(step->pair, LS_NO_PAIR, sizeof step->pair);
  ls_status st = check_bindings(prim, w->b);
  for (int i = 0; !st && i < prim->nargs; i++) {
    size_t len = 0;
    int at, var = 0;
    const char *name = own_binding(w->b, prim->args[i].name, &len);
    if (name && isdigit((unsigned char)*name)) {
      if (prim->args[i].role != LS_VALUE)
        return ls_fail(LS_EARG, "%s: '%s' is no VALUE, and cannot be a number", w->a, prim->args[i].name);
      step->arg[i] = LS_CONSTANT;
      if ((st = read_constant(w->a, &prim->args[i], name, len, &step->value[i]))) return st;
      continue;
    }
    name = name ? keep(name, len) : prim->args[i].name;
    if (!name) return ls_fail(LS_EMEM, "names of more than 16 KiB");
    for (int d = 0; d < c->depth; d++)
      if (c->open[d].kind == LS_WORD_FOR && strcmp(loop->var[c->open[d].var], name) == 0)
        var = c->open[d].var + 1;
    if (var && (prim->args[i].role != LS_VALUE || prim->args[i].type != LS_U32))
      return ls_fail(LS_EARG, "%s: '%s' is the variable of a FOR, but no VALUE u32 of it", w->a, name);
    if (var)
      step->arg[i] = (u8)(LS_VARIABLE + var - 1);
    else if (!(st = join_arg(c, &prim->args[i], name, &at)))
      step->arg[i] = (u8)at;
  }
  if (!st) st = check_apart(step, w->a);
  if (!st) st = emit(c, (ls_op){.kind = LS_OP_STEP, .at = (u8)loop->nsteps});
  loop->nsteps++;
  return st;
}

/* The COUNT that has the name sets these flags, in every step from `first` on. */
static void set_flags(compiler *c, int first, const char *count, u32 sets, u32 tells) {
  for (int s = first; s < c->loop->nsteps; s++) {
    const int k = find_count(c->loop->step[s].prim, count);
    if (k < 0) continue;
    c->loop->code.flags[s][k].sets |= sets;
    c->loop->code.flags[s][k].tells |= tells;
  }
}

static bool is_counted(const compiler *c, int first, const char *count) {
  for (int s = first; s < c->loop->nsteps; s++)
    if (find_count(c->loop->step[s].prim, count) >= 0) return true;
  return false;
}

/* A flag that tells whether the COUNT was zero when a step counted it last. */
static ls_status tell(compiler *c, const char *count, u32 *flag) {
  if (!is_counted(c, c->once, count)) return ls_fail(LS_EARG, "no step before counts '%s'", count);
  for (int i = 0; i < c->tolds; i++)
    if (strcmp(c->told[i].count, count) == 0) return *flag = c->told[i].flag, LS_OK;
  ls_status st = new_flag(c, flag);
  if (st) return st;
  c->told[c->tolds].count = count;
  c->told[c->tolds++].flag = *flag;
  return LS_OK;
}

static ls_status add_swap(compiler *c, const ls_loop_word *w) {
  ls_loop *loop = c->loop;
  int pair = -1;
  u8 at[2];
  for (int side = 0; side < 2; side++) {
    const char *name = side ? w->b : w->a;
    const int i = find_arg(c->args, c->p->nargs, name, strlen(name));
    if (i < 0) return ls_fail(LS_EARG, "it swaps '%s', which no step before has", name);
    at[side] = (u8)i;
  }
  const ls_arg *a = &c->args[at[0]], *b = &c->args[at[1]];
  if (a->role == LS_VALUE || b->role == LS_VALUE || a->type != b->type || strcmp(a->extent, b->extent) != 0)
    return ls_fail(LS_EARG, "it swaps %s and %s, which are not alike in type and extent", a->name, b->name);
  for (int p = 0; p < loop->npairs; p++) {
    const bool same = loop->pair[p][0] == at[0] && loop->pair[p][1] == at[1];
    const bool turned = loop->pair[p][0] == at[1] && loop->pair[p][1] == at[0];
    if (same || turned) {
      pair = p;
      continue;
    }
    for (int side = 0; side < 4; side++)
      if (loop->pair[p][side / 2] == at[side % 2])
        return ls_fail(LS_EARG, "it swaps %s with two others", c->args[at[side % 2]].name);
  }
  if (pair < 0) {
    if (loop->npairs == LS_MAX_PAIRS)
      return ls_fail(LS_EARG, "more than %d pairs that are swapped", LS_MAX_PAIRS);
    pair = loop->npairs++;
    loop->pair[pair][0] = at[0], loop->pair[pair][1] = at[1];
  }
  return emit(c, (ls_op){.kind = LS_OP_SWAP, .at = (u8)pair});
}

static ls_status open_group(compiler *c, const ls_loop_word *w) {
  if (c->depth == MAX_DEPTH) return ls_fail(LS_EARG, "groups within groups, more than %d deep", MAX_DEPTH);
  group *g = &c->open[c->depth++];
  *g = (group){.kind = w->kind, .steps = c->loop->nsteps, .op = c->ops};
  ls_status st = LS_OK;
  switch (w->kind) {
  case LS_WORD_ONCE: return c->ops ? ls_fail(LS_EARG, "ONCE is for the beginning of a loop") : LS_OK;
  case LS_WORD_REPEAT:
    for (int d = 0; d < c->depth - 1; d++) g->around += c->open[d].kind == LS_WORD_REPEAT;
    if (g->around == LS_MAX_REPEATS)
      return ls_fail(LS_EARG, "more than %d REPEATs within each other", LS_MAX_REPEATS);
    st = new_flag(c, &g->flag);
    return st ? st : emit(c, (ls_op){.kind = LS_OP_CLEAR, .at = g->around, .flag = g->flag});
  case LS_WORD_IF:
    st = tell(c, w->a, &g->flag);
    return st ? st : emit(c, (ls_op){.kind = LS_OP_SKIP, .flag = g->flag});
  case LS_WORD_FOR:
    if (c->loop->nvars == LS_MAX_VARS) return ls_fail(LS_EARG, "more than %d FORs", LS_MAX_VARS);
    for (int d = 0; d < c->depth - 1; d++)
      if (c->open[d].kind == LS_WORD_FOR && strcmp(c->loop->var[c->open[d].var], w->a) == 0)
        return ls_fail(LS_EARG, "FOR(%s) stands within another FOR(%s)", w->a, w->a);
    g->var = c->loop->nvars++;
    c->loop->var[g->var] = w->a;
    c->loop->limit[g->var] = w->b;
    return emit(c, (ls_op){.kind = LS_OP_FOR, .at = (u8)g->var});
  default: return LS_OK;
  }
}

/* May the step stand beside another? The blocks of a device tell each other of two COUNTs of each. */
static ls_status check_beside(const ls_prim *p) {
  int counts = 0;
  for (int i = 0; i < p->nargs; i++) counts += p->args[i].role == LS_COUNT;
  if (counts > 2)
    return ls_fail(LS_EARG, "TOGETHER is for steps of two COUNTs at most, and %s has %d", p->name, counts);
  if (p->domain == LS_VERTEX_BEST)
    return ls_fail(LS_EARG, "TOGETHER is not for %s, which takes two turns for long rows", p->name);
  return LS_OK;
}

static ls_status close_group(compiler *c, const ls_loop_word *w, ls_loop_word_kind opened, const char *name) {
  if (!c->depth || c->open[c->depth - 1].kind != opened)
    return ls_fail(LS_EARG, "%s ends a group that does not begin so", name);
  group *g = &c->open[--c->depth];
  ls_loop_code *code = &c->loop->code;
  ls_status st = LS_OK;
  if (c->loop->nsteps == g->steps) return ls_fail(LS_EARG, "the group that %s ends has no step", name);
  switch (opened) {
  case LS_WORD_ONCE:
    st = emit(c, (ls_op){.kind = LS_OP_FORGET});
    code->begun_at = (u8)c->ops;
    c->once = c->loop->nsteps;
    break;
  case LS_WORD_REPEAT:
    if (!is_counted(c, g->steps, w->a))
      return ls_fail(LS_EARG, "it repeats until '%s' is zero, which no step in between counts", w->a);
    set_flags(c, g->steps, w->a, g->flag, 0);
    st = emit(c, (ls_op){.kind = LS_OP_AGAIN, .at = g->around, .to = (u8)(g->op + 1), .flag = g->flag});
    break;
  case LS_WORD_IF: code->op[g->op].to = (u8)c->ops; break;
  case LS_WORD_FOR:
    st = emit(c, (ls_op){.kind = LS_OP_NEXT, .at = (u8)g->var, .to = (u8)(g->op + 1)});
    code->op[g->op].to = (u8)c->ops;
    break;
  case LS_WORD_TOGETHER:
    if (c->loop->nsteps != g->steps + 2 || c->ops != g->op + 2)
      return ls_fail(LS_EARG, "TOGETHER is for two steps and nothing else");
    for (int s = g->steps; s < c->loop->nsteps; s++)
      if ((st = check_beside(c->loop->step[s].prim))) return st;
    code->op[g->op].to = 1;
    code->op[--c->ops] = (ls_op){0};
    break;
  default: break;
  }
  for (int i = 0; i < g->leaves; i++) code->op[g->leave[i]].to = (u8)c->ops;
  return st;
}

static ls_status add_leave(compiler *c, const ls_loop_word *w, int *ends, u8 *at_end) {
  u32 flag;
  ls_status st = tell(c, w->a, &flag);
  if (!st) st = emit(c, (ls_op){.kind = LS_OP_SKIP, .flag = flag});
  if (st) return st;
  for (int d = c->depth - 1; d >= 0; d--) {
    group *g = &c->open[d];
    if (g->kind != LS_WORD_REPEAT && g->kind != LS_WORD_FOR) continue;
    if (g->leaves == 8) return ls_fail(LS_EARG, "more than 8 LEAVEs in a group");
    g->leave[g->leaves++] = (u8)(c->ops - 1);
    return LS_OK;
  }
  if (*ends == 8) return ls_fail(LS_EARG, "more than 8 LEAVEs in a loop");
  at_end[(*ends)++] = (u8)(c->ops - 1);
  return LS_OK;
}

/* A loop whose last group is a REPEAT or FOR with nothing but ONCE before it: a pass is an iteration. */
static void find_main(compiler *c) {
  ls_loop_code *code = &c->loop->code;
  const int end = c->ops - 1;
  ls_op *last = end > 0 ? &code->op[end - 1] : NULL;
  if (last && (last->kind == LS_OP_AGAIN || last->kind == LS_OP_NEXT) && last->to == code->begun_at + 1) {
    code->has_main = last->main = 1;
    if (last->kind == LS_OP_NEXT) code->main_var = (u8)(last->at + 1);
    for (int i = code->begun_at; i < end; i++)
      if (code->op[i].kind == LS_OP_SKIP && code->op[i].to == end) code->op[i].main = 1;
  }
  for (int i = 0; i < c->ops; i++) code->has_inner |= code->op[i].kind == LS_OP_AGAIN && !code->op[i].main;
}

/* Steps that a REPEAT has alone, with swaps: only these may run ahead of their layers. */
static void find_alone(ls_loop_code *code) {
  for (int i = 0; i < LS_MAX_OPS && code->op[i].kind != LS_OP_END; i++) {
    if (code->op[i].kind != LS_OP_CLEAR || code->op[i + 1].kind != LS_OP_STEP) continue;
    int end = i + 2;
    while (code->op[end].kind == LS_OP_SWAP) end++;
    if (code->op[end].kind != LS_OP_AGAIN || code->op[end].to != i + 1) continue;
    const ls_op *step = &code->op[i + 1];
    code->alone |= (step->to ? 3u : 1u) << step->at;
  }
}

static ls_status compile_words(compiler *c) {
  ls_loop *loop = c->loop;
  int ends = 0;
  u8 at_end[8];
  ls_status st = LS_OK;
  for (const ls_loop_word *w = loop->words; !st && w->kind != LS_WORD_END; w++) {
    switch (w->kind) {
    case LS_WORD_STEP: st = add_step(c, w); break;
    case LS_WORD_SWAP: st = add_swap(c, w); break;
    case LS_WORD_LEAVE_IF_NONE: st = add_leave(c, w, &ends, at_end); break;
    case LS_WORD_END_ONCE: st = close_group(c, w, LS_WORD_ONCE, "END_ONCE"); break;
    case LS_WORD_UNTIL: st = close_group(c, w, LS_WORD_REPEAT, "UNTIL"); break;
    case LS_WORD_END_IF: st = close_group(c, w, LS_WORD_IF, "END_IF"); break;
    case LS_WORD_END_FOR: st = close_group(c, w, LS_WORD_FOR, "END_FOR"); break;
    case LS_WORD_END_TOGETHER: st = close_group(c, w, LS_WORD_TOGETHER, "END_TOGETHER"); break;
    default: st = open_group(c, w);
    }
  }
  if (!st && c->depth) st = ls_fail(LS_EARG, "a group has no end");
  if (!st && !loop->nsteps) st = ls_fail(LS_EARG, "it has no step");
  if (!st) st = emit(c, (ls_op){.kind = LS_OP_END});
  for (int i = 0; i < c->tolds; i++) set_flags(c, 0, c->told[i].count, 0, c->told[i].flag);
  for (int i = 0; i < ends; i++) loop->code.op[at_end[i]].to = (u8)(c->ops - 1);
  return st;
}

/* Which pairs each step has a part of. */
static ls_status find_pairs(ls_loop *loop) {
  for (int s = 0; s < loop->nsteps; s++) {
    int used = 0;
    for (int p = 0; p < loop->npairs; p++) {
      bool touches = false;
      for (int i = 0; i < loop->step[s].prim->nargs; i++)
        touches |= loop->step[s].arg[i] == loop->pair[p][0] || loop->step[s].arg[i] == loop->pair[p][1];
      if (!touches) continue;
      if (used == LS_STEP_PAIRS)
        return ls_fail(LS_EARG, "%s has parts of more than %d pairs", loop->step[s].prim->name,
                       LS_STEP_PAIRS);
      loop->step[s].pair[used++] = (u8)p;
    }
  }
  return LS_OK;
}

int ls_loop_arg(const ls_loop *loop, int s, int i, u32 swaps) {
  const int at = loop->step[s].arg[i];
  for (int p = 0; p < loop->npairs; p++)
    if (swaps >> p & 1)
      for (int side = 0; side < 2; side++)
        if (loop->pair[p][side] == at) return loop->pair[p][!side];
  return at;
}

/* --- what a loop reads and writes --- */

/* Followed along its operations: what has surely been made, by the names of now; and where names stood at the
 * beginning. */
typedef struct follow {
  ls_prim *p;
  u64 made, reads;
  u32 swaps, mixed; /* of pairs: they have changed places; they may have */
} follow;

/* A name's elements are read that nothing has made: which of the loop's arguments were these at the
 * beginning? */
static void read_name(follow *f, int s, int i) {
  const ls_loop *loop = f->p->loop;
  const int name = loop->step[s].arg[i];
  if (f->made >> name & 1) return;
  f->reads |= 1ull << ls_loop_arg(loop, s, i, f->swaps);
  for (int p = 0; p < loop->npairs; p++)
    if (f->mixed >> p & 1 && (loop->pair[p][0] == name || loop->pair[p][1] == name))
      f->reads |= 1ull << loop->pair[p][0] | 1ull << loop->pair[p][1];
}

static void follow_step(follow *f, int s) {
  const ls_loop *loop = f->p->loop;
  const ls_prim *step = loop->step[s].prim;
  u64 makes = 0;
  for (int i = 0; i < step->nargs; i++) {
    if (loop->step[s].arg[i] >= LS_VARIABLE) continue;
    if (step->reads[false] >> i & 1) read_name(f, s, i);
    if (step->writes >> i & 1) f->p->writes |= 1ull << ls_loop_arg(loop, s, i, f->swaps);
    if (step->makes[false] >> i & 1) makes |= 1ull << loop->step[s].arg[i];
  }
  f->made |= makes;
}

static void follow_swap(follow *f, int pair) {
  const u8 *at = f->p->loop->pair[pair];
  const u64 a = f->made >> at[0] & 1, b = f->made >> at[1] & 1;
  f->made = (f->made & ~(1ull << at[0] | 1ull << at[1])) | b << at[0] | a << at[1];
  f->swaps ^= 1u << pair;
}

/* Either way may have been taken. */
static void meet(follow *f, const follow *other) {
  f->made &= other->made;
  f->mixed |= other->mixed | (f->swaps ^ other->swaps);
}

/* Operations first .. last-1. */
static void follow_ops(follow *f, int first, int last) {
  const ls_op *op = f->p->loop->code.op;
  for (int i = first; i < last;) {
    const ls_op o = op[i];
    if (o.kind == LS_OP_STEP) {
      follow_step(f, o.at);
      if (o.to) follow_step(f, o.at + 1);
    } else if (o.kind == LS_OP_SWAP) {
      follow_swap(f, o.at);
    } else if (o.kind == LS_OP_SKIP ||
               o.kind == LS_OP_FOR) { /* an IF, a FOR of none, what a LEAVE leaves out */
      const int end = o.to < last ? o.to : last;
      const follow without = *f;
      follow_ops(f, i + 1, end);
      if (o.kind == LS_OP_FOR) follow_ops(f, i + 1, end);
      meet(f, &without);
      i = end;
      continue;
    } else if (o.kind == LS_OP_CLEAR) { /* a REPEAT: a pass, and perhaps more */
      int end = i + 1;
      while (op[end].kind != LS_OP_AGAIN || op[end].to != i + 1) end++;
      follow_ops(f, i + 1, end);
      const follow once = *f;
      follow_ops(f, i + 1, end);
      meet(f, &once);
      i = end + 1;
      continue;
    }
    i++;
  }
}

static void find_access(ls_prim *p) {
  const ls_loop_code *code = &p->loop->code;
  int end = 0;
  while (code->op[end].kind != LS_OP_END) end++;
  for (int begun = 0; begun < 2; begun++) {
    follow f = {.p = p};
    if (!begun) {
      follow_ops(&f, 0, code->begun_at);
      p->begins = f.made;
    }
    follow_ops(&f, code->begun_at, end);
    p->makes[begun] = f.made;
    p->reads[begun] = f.reads;
  }
  for (int q = 0; q < p->loop->npairs; q++)
    for (int side = 0; side < 2; side++) p->writes |= 1ull << p->loop->pair[q][side];
  u64 first = ~0ull;
  for (int begun = 0; begun < 2; begun++) {
    int i = begun ? code->begun_at : 0;
    while (code->op[i].kind != LS_OP_STEP) i++;
    follow f = {.p = p};
    follow_step(&f, code->op[i].at);
    first &= f.made & ~p->reads[begun];
  }
  p->first = first;
}

/* An argument has the role that the steps give it together. */
static void settle_roles(const ls_prim *p, ls_arg *args) {
  for (int i = 0; i < p->nargs; i++) {
    const bool reads = (p->reads[0] | p->reads[1]) >> i & 1;
    if (args[i].role == LS_IN || args[i].role == LS_OUT || args[i].role == LS_INOUT)
      args[i].role = !(p->writes >> i & 1) ? LS_IN : reads ? LS_INOUT : LS_OUT;
  }
}

ls_status ls_loop_compile(ls_prim *p, ls_arg *args, ls_prim *(*find)(const char *name)) {
  compiler c = {.p = p, .loop = p->loop, .args = args, .find = find};
  ls_loop *loop = p->loop;
  p->args = args;
  while (loop->words[loop->nwords].kind != LS_WORD_END) loop->nwords++;
  ls_status st = compile_words(&c);
  if (!st) st = find_pairs(loop);
  if (st) return st;
  find_main(&c);
  find_alone(&loop->code);
  for (int s = 0; s < loop->nsteps; s++) {
    if (loop->step[s].prim->agree > p->agree)
      p->agree = loop->step[s].prim->agree; /* a tie in a step is one in the loop */
  }
  find_access(p);
  settle_roles(p, args);
  p->items = "0";
  p->bytes = p->gathers = "";
  return LS_OK;
}

const char *ls_loop_word_name(ls_loop_word_kind kind) {
  static const char *const names[] = {[LS_WORD_END] = "",
                                      [LS_WORD_STEP] = "STEP",
                                      [LS_WORD_SWAP] = "SWAP",
                                      [LS_WORD_ONCE] = "ONCE",
                                      [LS_WORD_END_ONCE] = "END_ONCE",
                                      [LS_WORD_REPEAT] = "REPEAT",
                                      [LS_WORD_UNTIL] = "UNTIL",
                                      [LS_WORD_IF] = "IF",
                                      [LS_WORD_END_IF] = "END_IF",
                                      [LS_WORD_FOR] = "FOR",
                                      [LS_WORD_END_FOR] = "END_FOR",
                                      [LS_WORD_TOGETHER] = "TOGETHER",
                                      [LS_WORD_END_TOGETHER] = "END_TOGETHER",
                                      [LS_WORD_LEAVE_IF_NONE] = "LEAVE_IF_NONE"};
  return names[kind];
}

int ls_loop_text(const ls_loop *loop, char *out, size_t bytes) {
  size_t used = 0;
  int depth = 0;
  for (const ls_loop_word *w = loop->words; w->kind != LS_WORD_END; w++) {
    const char *name = ls_loop_word_name(w->kind);
    const bool ends = w->kind == LS_WORD_UNTIL || strncmp(name, "END_", 4) == 0;
    const bool begins = w->kind == LS_WORD_ONCE || w->kind == LS_WORD_REPEAT || w->kind == LS_WORD_IF ||
                        w->kind == LS_WORD_FOR || w->kind == LS_WORD_TOGETHER;
    if (ends) depth--;
    char line[200];
    if (w->kind == LS_WORD_STEP && *w->b)
      snprintf(line, sizeof line, "STEP(%s, %.*s)", w->a, (int)strlen(w->b) - 1, w->b);
    else if (w->b && *w->b)
      snprintf(line, sizeof line, "%s(%s, %s)", name, w->a, w->b);
    else if (w->a)
      snprintf(line, sizeof line, "%s(%s)", name, w->a);
    else
      snprintf(line, sizeof line, "%s", name);
    const int n = snprintf(out + (used < bytes ? used : bytes), used < bytes ? bytes - used : 0, "%*s%s\n",
                           2 * depth, "", line);
    used += (size_t)n;
    if (begins) depth++;
  }
  return (int)used;
}
