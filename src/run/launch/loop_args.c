/* The arguments of a loop: those of its steps, one for each name; and which of them the loop reads and
 * writes. */
#include "run/launch/loop_args.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data/reduce.h"

/* --- what the steps bind --- */

int ls_loop_find(const ls_arg *args, int nargs, const char *name, size_t len) {
  for (int i = 0; i < nargs; i++)
    if (strlen(args[i].name) == len && memcmp(args[i].name, name, len) == 0) return i;
  return -1;
}

/* Adds a step's argument to the loop's, or merges it with the one of the same name. */
static ls_status join_arg(ls_prim *p, ls_arg *args, const ls_arg *of_step, const char *name, int *at) {
  *at = ls_loop_find(args, p->nargs, name, strlen(name));
  if (*at < 0) {
    if (p->nargs == LS_MAX_ARGS) return ls_fail(LS_EARG, "more than %d arguments", LS_MAX_ARGS);
    *at = p->nargs++;
    args[*at] = *of_step;
    args[*at].name = name;
    return LS_OK;
  }
  ls_arg *arg = &args[*at];
  if (ls_arg_is_queue(arg) && ls_arg_is_queue(of_step) && arg->wide != of_step->wide)
    return ls_fail(LS_EARG, "'%s' has items of 16 bytes in one step, and of 8 in another", name);
  const bool values = arg->role == LS_VALUE || arg->role == LS_COUNT;
  if (values != (of_step->role == LS_VALUE || of_step->role == LS_COUNT) || arg->type != of_step->type)
    return ls_fail(LS_EARG,
                   "'%s' is %s in one step and %s in another; expected one type, and either always a buffer "
                   "or always a number",
                   name, ls_dtype_name(arg->type), ls_dtype_name(of_step->type));
  if (arg->agree == LS_AS_ROW) {
    arg->agree = of_step->agree;
    arg->relative = of_step->relative;
    arg->absolute = of_step->absolute;
  }
  if (arg->contract == LS_CONTRACT_anything) arg->contract = of_step->contract, arg->bound = of_step->bound;
  return LS_OK;
}

/* Copies a name out of a word's text into permanent memory. */
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

/* What the step's own bindings ("front=near ") bind to its argument `name`; NULL: nothing. */
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
    if (ls_loop_find(step->args, step->nargs, at, len) < 0)
      return ls_fail(LS_EARG, "%s has no argument '%.*s' to bind", step->name, (int)len, at);
  }
  return LS_OK;
}

/* LS_EARG if two arguments of the step are the same buffer of the loop and one of them is written; a call of
 * the row fails likewise. */
static ls_status check_apart(const ls_step *step, const char *row) {
  const ls_prim *p = step->prim;
  for (int i = 0; i < p->nargs; i++)
    for (int j = 0; j < i && step->arg[i] < LS_VARIABLE; j++)
      if (step->arg[i] == step->arg[j] && (ls_arg_written(p, i) || ls_arg_written(p, j)))
        return ls_fail(
            LS_EARG, "%s: its arguments %s and %s are the same buffer of the loop, and the step writes to it",
            row, p->args[j].name, p->args[i].name);
  return LS_OK;
}

/* Reads a number that a step binds: WITH(within, 1). */
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

ls_status ls_loop_bind(ls_prim *p, ls_arg *args, ls_step *step, const ls_loop_word *w, u32 vars) {
  const ls_prim *prim = step->prim;
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
    if (!name) return ls_fail(LS_EMEM, "the names take more than 16 KiB");
    for (int v = 0; v < p->loop->nvars; v++)
      if (vars >> v & 1 && strcmp(p->loop->var[v], name) == 0) var = v + 1;
    if (var && (prim->args[i].role != LS_VALUE || prim->args[i].type != LS_U32))
      return ls_fail(LS_EARG,
                     "%s: '%s' is the variable of a FOR, so its argument %s must be a VALUE of type u32",
                     w->a, name, prim->args[i].name);
    if (var)
      step->arg[i] = (u8)(LS_VARIABLE + var - 1);
    else if (!(st = join_arg(p, args, &prim->args[i], name, &at)))
      step->arg[i] = (u8)at;
  }
  return st ? st : check_apart(step, w->a);
}

int ls_loop_arg(const ls_loop *loop, int s, int i, u32 swaps) {
  const int at = loop->step[s].arg[i];
  for (int p = 0; p < loop->npairs; p++)
    if (swaps >> p & 1)
      for (int side = 0; side < 2; side++)
        if (loop->pair[p][side] == at) return loop->pair[p][!side];
  return at;
}

/* --- what the loop reads and writes --- */

/* State of the analysis that follows the loop's operations. `made`: bit i: all elements of the argument that
 * now has name i have certainly been written; `swaps`: which names have been exchanged since the
 * beginning. */
typedef struct follow {
  ls_prim *p;
  u64 made, reads;
  u32 swaps, mixed; /* bit p: pair p is exchanged; is possibly exchanged */
} follow;

/* A step reads elements that no step has written: marks the argument that had this name when the loop
 * began. */
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

/* Merges the states of two paths, either of which may have been taken. */
static void meet(follow *f, const follow *other) {
  f->made &= other->made;
  f->mixed |= other->mixed | (f->swaps ^ other->swaps);
}

/* Follows the operations first .. last-1. */
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
               o.kind == LS_OP_FOR) { /* an IF, a FOR without iterations, or what a LEAVE skips */
      const int end = o.to < last ? o.to : last;
      const follow without = *f;
      follow_ops(f, i + 1, end);
      if (o.kind == LS_OP_FOR) follow_ops(f, i + 1, end);
      meet(f, &without);
      i = end;
      continue;
    } else if (o.kind == LS_OP_CLEAR) { /* a REPEAT: one pass, and possibly more */
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

/* Sets each argument's role to what all steps together do with it. */
static void settle_roles(const ls_prim *p, ls_arg *args) {
  for (int i = 0; i < p->nargs; i++) {
    const bool reads = (p->reads[0] | p->reads[1]) >> i & 1;
    if (args[i].role == LS_IN || args[i].role == LS_OUT || args[i].role == LS_INOUT)
      args[i].role = !(p->writes >> i & 1) ? LS_IN : reads ? LS_INOUT : LS_OUT;
  }
}

void ls_loop_find_access(ls_prim *p, ls_arg *args) {
  find_access(p);
  settle_roles(p, args);
}
