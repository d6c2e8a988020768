/* Compiles the words of a loop (STEP, REPEAT, UNTIL and the others) to operations, and prints them as
 * text. */
#include "run/launch/loop.h"

#include <stdio.h>
#include <string.h>

#include "run/launch/loop_args.h"

/* Index of the row's COUNT of that name; -1: none. */
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
  int op;     /* the operation with which the group begins */
  u32 flag;   /* flag of a REPEAT or IF */
  int leaves; /* number of SKIPs (in `leave`) that jump to the group's end */
  u8 leave[8];
  u8 around; /* for a REPEAT: number of REPEATs around it */
  int steps; /* number of steps before the group */
  int var;
} group;

enum { MAX_DEPTH = 8 };

typedef struct compiler {
  ls_prim *p;
  ls_loop *loop;
  ls_arg *args;
  ls_prim *(*find)(const char *name);
  int ops;
  u32 flags; /* flags in use */
  struct {
    const char *count;
    u32 flag;
  } told[32]; /* COUNTs that an IF or a LEAVE tests */
  int tolds;
  int once; /* number of steps in the ONCE group */
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

static ls_status add_step(compiler *c, const ls_loop_word *w) {
  ls_loop *loop = c->loop;
  const ls_prim *prim = c->find(w->a);
  if (!prim || prim->loop) return ls_fail(LS_EARG, "the step %s is not a row of one kernel", w->a);
  if (loop->nsteps == LS_MAX_STEPS) return ls_fail(LS_EARG, "more than %d steps", LS_MAX_STEPS);
  ls_step *step = &loop->step[loop->nsteps];
  step->prim = prim;
  memset(step->pair, LS_NO_PAIR, sizeof step->pair);
  u32 vars = 0;
  for (int d = 0; d < c->depth; d++)
    if (c->open[d].kind == LS_WORD_FOR) vars |= 1u << c->open[d].var;
  ls_status st = ls_loop_bind(c->p, c->args, step, w, vars);
  if (!st) st = emit(c, (ls_op){.kind = LS_OP_STEP, .at = (u8)loop->nsteps});
  loop->nsteps++;
  return st;
}

/* Makes the COUNT of that name act on the flags `sets` and `tells` in every step from `first` on. */
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

/* Finds or makes the flag that says whether the COUNT was not zero when a step counted it last. */
static ls_status tell(compiler *c, const char *count, u32 *flag) {
  if (!is_counted(c, c->once, count)) return ls_fail(LS_EARG, "no earlier step has a COUNT '%s'", count);
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
    const int i = ls_loop_find(c->args, c->p->nargs, name, strlen(name));
    if (i < 0) return ls_fail(LS_EARG, "SWAP names '%s', which is not an argument of an earlier step", name);
    at[side] = (u8)i;
  }
  const ls_arg *a = &c->args[at[0]], *b = &c->args[at[1]];
  if (a->role == LS_VALUE || b->role == LS_VALUE || a->type != b->type || strcmp(a->extent, b->extent) != 0)
    return ls_fail(LS_EARG, "SWAP(%s, %s): expected two buffers of the same type and extent", a->name,
                   b->name);
  for (int p = 0; p < loop->npairs; p++) {
    const bool same = loop->pair[p][0] == at[0] && loop->pair[p][1] == at[1];
    const bool turned = loop->pair[p][0] == at[1] && loop->pair[p][1] == at[0];
    if (same || turned) {
      pair = p;
      continue;
    }
    for (int side = 0; side < 4; side++)
      if (loop->pair[p][side / 2] == at[side % 2])
        return ls_fail(LS_EARG, "two SWAPs exchange %s with different buffers", c->args[at[side % 2]].name);
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
  if (c->depth == MAX_DEPTH) return ls_fail(LS_EARG, "groups nested more than %d deep", MAX_DEPTH);
  group *g = &c->open[c->depth++];
  *g = (group){.kind = w->kind, .steps = c->loop->nsteps, .op = c->ops};
  ls_status st = LS_OK;
  switch (w->kind) {
  case LS_WORD_ONCE:
    return c->ops ? ls_fail(LS_EARG, "ONCE is allowed only at the beginning of a loop") : LS_OK;
  case LS_WORD_REPEAT:
    for (int d = 0; d < c->depth - 1; d++) g->around += c->open[d].kind == LS_WORD_REPEAT;
    if (g->around == LS_MAX_REPEATS) return ls_fail(LS_EARG, "more than %d nested REPEATs", LS_MAX_REPEATS);
    st = new_flag(c, &g->flag);
    return st ? st : emit(c, (ls_op){.kind = LS_OP_CLEAR, .at = g->around, .flag = g->flag});
  case LS_WORD_IF:
    st = tell(c, w->a, &g->flag);
    return st ? st : emit(c, (ls_op){.kind = LS_OP_SKIP, .flag = g->flag});
  case LS_WORD_FOR:
    if (c->loop->nvars == LS_MAX_VARS) return ls_fail(LS_EARG, "more than %d FORs", LS_MAX_VARS);
    for (int d = 0; d < c->depth - 1; d++)
      if (c->open[d].kind == LS_WORD_FOR && strcmp(c->loop->var[c->open[d].var], w->a) == 0)
        return ls_fail(LS_EARG, "FOR(%s) is within another FOR(%s)", w->a, w->a);
    g->var = c->loop->nvars++;
    c->loop->var[g->var] = w->a;
    c->loop->limit[g->var] = w->b;
    return emit(c, (ls_op){.kind = LS_OP_FOR, .at = (u8)g->var});
  default: return LS_OK;
  }
}

/* May the step be in a TOGETHER? The blocks of a device exchange only two COUNTs of each of the two steps. */
static ls_status check_beside(const ls_prim *p) {
  int counts = 0;
  for (int i = 0; i < p->nargs; i++) counts += p->args[i].role == LS_COUNT;
  if (counts > 2)
    return ls_fail(LS_EARG, "TOGETHER is for steps with at most two COUNTs, and %s has %d", p->name, counts);
  if (p->domain == LS_VERTEX_BEST)
    return ls_fail(LS_EARG, "TOGETHER is not for %s, which handles long rows in a second pass", p->name);
  return LS_OK;
}

static ls_status close_group(compiler *c, const ls_loop_word *w, ls_loop_word_kind opened, const char *name) {
  if (!c->depth || c->open[c->depth - 1].kind != opened)
    return ls_fail(LS_EARG, "%s does not match the beginning of its group", name);
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
      return ls_fail(LS_EARG, "UNTIL(%s): no step between REPEAT and UNTIL has this COUNT", w->a);
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

/* Finds the main group: if a loop consists only of a REPEAT or FOR, after an optional ONCE, each pass of it
 * is an iteration. */
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

/* Finds REPEATs that contain, apart from swaps, only one step, or two parallel ones: only such a step may
 * begin its next layer before the present one is finished (role QAHEAD). */
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
  if (!st && !loop->nsteps) st = ls_fail(LS_EARG, "the loop has no step");
  if (!st) st = emit(c, (ls_op){.kind = LS_OP_END});
  for (int i = 0; i < c->tolds; i++) set_flags(c, 0, c->told[i].count, 0, c->told[i].flag);
  for (int i = 0; i < ends; i++) loop->code.op[at_end[i]].to = (u8)(c->ops - 1);
  return st;
}

/* Finds the pairs that each step uses. */
static ls_status find_pairs(ls_loop *loop) {
  for (int s = 0; s < loop->nsteps; s++) {
    int used = 0;
    for (int p = 0; p < loop->npairs; p++) {
      bool touches = false;
      for (int i = 0; i < loop->step[s].prim->nargs; i++)
        touches |= loop->step[s].arg[i] == loop->pair[p][0] || loop->step[s].arg[i] == loop->pair[p][1];
      if (!touches) continue;
      if (used == LS_STEP_PAIRS)
        return ls_fail(LS_EARG, "the arguments of %s are in more than %d swapped pairs",
                       loop->step[s].prim->name, LS_STEP_PAIRS);
      loop->step[s].pair[used++] = (u8)p;
    }
  }
  return LS_OK;
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
      p->agree = loop->step[s].prim->agree; /* if a step has ties, so has the loop */
  }
  ls_loop_find_access(p, args);
  p->items = "0";
  p->bytes = p->gathers = "";
  return LS_OK;
}

const char *ls_loop_word_name(ls_loop_word_kind kind) {
  static const char *const names[] = {"",
#define WORD(name, names) #name,
                                      LS_LOOP_WORDS(WORD)
#undef WORD
  };
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
