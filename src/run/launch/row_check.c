/* Checks rows, loops and states for what the compiler cannot see: sizes that no argument determines, costs
 * with unknown names, swaps of arguments that no step has. The build runs it once (cmake/check_rows.c). */
#include <stdio.h>
#include <string.h>

#include "core/extent.h"
#include "run/launch/contract.h"
#include "run/launch/loop_args.h"
#include "run/launch/state.h"

/* The names that a row's expressions may use. */
typedef struct scope {
  const ls_prim *prim;
  ls_sizes sizes;
  bool cost; /* also its COUNTs, `items`, `edges` and `size` */
} scope;

static f64 has_name(const char *name, size_t len, const void *ctx) {
  static const char *const of_costs[] = {"items", "edges", "size"};
  const scope *s = ctx;
  const ls_size_name asked = {name, (u32)len};
  u64 unused;
  if (ls_sizes_find(&s->sizes, asked, &unused)) return 1;
  for (int i = 0; s->cost && i < 3; i++)
    if (ls_same_size(asked, of_costs[i], (u32)strlen(of_costs[i]))) return 1;
  for (int i = 0; s->cost && i < s->prim->nargs; i++) {
    const ls_arg *arg = &s->prim->args[i];
    if (arg->role == LS_COUNT && ls_same_size(asked, arg->name, (u32)strlen(arg->name))) return 1;
  }
  return -1;
}

/* Finds the sizes that VALUEs and buffers give, as a call does. */
static ls_status find_sizes(scope *s) {
  const ls_prim *p = s->prim;
  ls_extent x;
  for (int i = 0; i < p->nargs; i++) {
    const ls_arg *arg = &p->args[i];
    if (ls_arg_is_size(arg)) ls_sizes_set(&s->sizes, arg->name, strlen(arg->name), 1);
    if (ls_extent_read(arg->extent, &x)) return ls_fail_prefix(LS_EARG, "argument %s: ", arg->name);
  }
  ls_sizes_follow(p, NULL, &s->sizes);
  for (int i = 0; i < p->nargs; i++) {
    u64 unused;
    if (ls_extent_elements(&s->sizes, p->args[i].extent, &unused))
      return ls_fail_prefix(LS_EARG,
                            "argument %s[%s]: no VALUE and no other buffer gives its size: ", p->args[i].name,
                            p->args[i].extent);
  }
  return LS_OK;
}

static int roles(const ls_prim *p, ls_role role) {
  int count = 0;
  for (int i = 0; i < p->nargs; i++) count += p->args[i].role == role;
  return count;
}

/* Checks what the drivers expect of queues. */
static ls_status check_queues(const ls_prim *p) {
  int filled = 0, ahead = 0, lost = 0;
  for (int i = 0; i < p->nargs; i++) {
    const ls_arg *arg = &p->args[i];
    lost += arg->lost;
    if (!ls_contract_fits(arg))
      return ls_fail(LS_EARG, "argument %s: its contract cannot check a queue whose items have %s", arg->name,
                     arg->wide ? "16 bytes" : "one element");
    if (!ls_arg_is_queue(arg)) continue;
    filled += arg->role != LS_QIN;
    ahead += arg->ahead;
    if (arg->type != LS_U32 && arg->type != LS_U64)
      return ls_fail(LS_EARG, "argument %s: the items of a queue are u32, u64 or u64x2", arg->name);
    if (p->domain == LS_QUEUE_EDGES && arg->role == LS_QIN && arg->type != LS_U32)
      return ls_fail(LS_EARG, "argument %s: the items of a queue whose edges are walked are vertices, u32",
                     arg->name);
    if (arg->ahead && (p->domain != LS_QUEUE_EDGES || arg->type != LS_U32))
      return ls_fail(LS_EARG, "argument %s: QAHEAD is for vertices, u32, in the domain QUEUE_EDGES",
                     arg->name);
  }
  if (filled > LS_MAX_FILLED) return ls_fail(LS_EARG, "the row fills more than %d queues", LS_MAX_FILLED);
  if (ahead && filled > 1) return ls_fail(LS_EARG, "a row with a QAHEAD argument cannot fill another queue");
  if (filled && p->domain == LS_LIBRARY)
    return ls_fail(LS_EARG, "a LIBRARY row cannot fill queues of the driver");
  if (lost > 1 || (lost && !filled))
    return ls_fail(LS_EARG, "a row that fills queues may have one LOST, which counts items that do not fit");
  return LS_OK;
}

static ls_status check_bounds(const scope *s) {
  for (int i = 0; i < s->prim->nargs; i++) {
    const ls_arg *arg = &s->prim->args[i];
    const bool by_argument = arg->contract == LS_CONTRACT_sums || arg->contract == LS_CONTRACT_uniform;
    const ls_dtype type = arg->type;
    if (arg->agree == LS_TOLERANCE && !(arg->relative >= 0 && arg->absolute >= 0))
      return ls_fail(LS_EARG, "argument %s: a tolerance must not be negative", arg->name);
    if (arg->agree != LS_AS_ROW && !ls_arg_written(s->prim, i) && s->prim->writes)
      return ls_fail(LS_EARG, "argument %s: only an argument that the row writes can have an agreement",
                     arg->name);
    const bool whole = type == LS_U32 || type == LS_U64 || ls_arg_is_size(arg) || by_argument;
    if (arg->contract != LS_CONTRACT_anything && !whole)
      return ls_fail(LS_EARG, "argument %s: a contract is for u32 and u64, not for %s", arg->name,
                     ls_dtype_name(type));
    if (!arg->bound) continue;
    if (by_argument ? ls_arg_find(s->prim, arg->bound) < 0
                    : has_name(arg->bound, strlen(arg->bound), s) < 0 && strcmp(arg->bound, "1") != 0)
      return ls_fail(LS_EARG, "argument %s: its contract uses '%s', which is no %s of this row", arg->name,
                     arg->bound, by_argument ? "argument" : "size");
  }
  return LS_OK;
}

static ls_status check_prim(const ls_prim *p) {
  scope s = {.prim = p};
  f64 unused;
  const bool queue = p->domain == LS_QUEUE || p->domain == LS_QUEUE_EDGES;
  const bool rows =
      p->domain == LS_VERTEX_EDGES || p->domain == LS_VERTEX_BEST || p->domain == LS_QUEUE_EDGES;
  ls_status st = find_sizes(&s);
  if (!st) st = check_bounds(&s);
  if (!st) st = check_queues(p);
  if (st) return st;
  if (roles(p, LS_COUNT) + (ls_domain_walks(p->domain) || p->domain == LS_LIBRARY) > LS_MAX_COUNTS)
    return ls_fail(LS_EARG, "more than %d COUNTs, including the driver's own", LS_MAX_COUNTS);
  if (queue != (roles(p, LS_QIN) == 1))
    return ls_fail(LS_EARG, "a domain of queues has one QIN argument, and no other domain has one");
  const int off = roles(p, LS_OFF), start = roles(p, LS_START), end = roles(p, LS_END);
  if (rows != (off == 1 || (start == 1 && end == 1)))
    return ls_fail(LS_EARG, "a domain of edges has one OFF argument, and no other domain has one");
  if (off > 1 || start > 1 || end > 1 || (!rows && off + start + end))
    return ls_fail(LS_EARG,
                   "a domain of edges has one START and one END at most, and no other domain has one");
  if (queue != (strcmp(p->items, "queue") == 0))
    return ls_fail(LS_EARG, "its items are '%s', expected \"queue\" in a domain of queues, and only there",
                   p->items);
  if (!queue && ls_expr(p->items, has_name, &s, &unused)) return ls_fail_prefix(LS_EARG, "its items: ");
  s.cost = true;
  if (*p->bytes && ls_expr(p->bytes, has_name, &s, &unused)) return ls_fail_prefix(LS_EARG, "its bytes: ");
  if (*p->gathers && ls_expr(p->gathers, has_name, &s, &unused))
    return ls_fail_prefix(LS_EARG, "its irregular accesses: ");
  if (p->operations && ls_expr(p->operations, has_name, &s, &unused))
    return ls_fail_prefix(LS_EARG, "its operations: ");
  return LS_OK;
}

/* Checks that the steps agree on the contract of each argument of the loop, also after swaps: what one step
 * writes is not checked again before the next step reads it. */
static ls_status check_contracts(const ls_prim *p) {
  const ls_loop *loop = p->loop;
  for (int s = 0; s < loop->nsteps; s++)
    for (u32 swaps = 0; swaps < 1u << loop->npairs; swaps++)
      for (int i = 0; i < loop->step[s].prim->nargs; i++) {
        const ls_prim *step = loop->step[s].prim;
        if (loop->step[s].arg[i] >= LS_VARIABLE) continue;
        const ls_arg *own = &step->args[i], *all = &p->args[ls_loop_arg(loop, s, i, swaps)];
        const bool asks = own->contract != LS_CONTRACT_anything;
        if (!asks && !ls_arg_written(step, i)) continue;
        if (own->contract != all->contract || (asks && strcmp(own->bound, all->bound) != 0))
          return ls_fail(LS_EARG, "%s and another step do not agree on what %s may hold", step->name,
                         own->name);
      }
  return LS_OK;
}

/* Checks a loop, except for its words, which were checked when they were compiled. */
static ls_status check_loop(const ls_prim *p) {
  scope s = {.prim = p};
  ls_status st = find_sizes(&s);
  f64 unused;
  if (!st) st = check_contracts(p);
  for (int v = 0; !st && v < p->loop->nvars; v++)
    if (ls_expr(p->loop->limit[v], has_name, &s, &unused))
      st = ls_fail_prefix(LS_EARG, "the limit of FOR(%s): ", p->loop->var[v]);
  if (!st && roles(p, LS_COUNT) > LS_MAX_SUMS) st = ls_fail(LS_EARG, "more than %d COUNTs", LS_MAX_SUMS);
  return st;
}

ls_status ls_row_check(const ls_prim *p) { return p->domain == LS_LOOP ? check_loop(p) : check_prim(p); }

/* Are all sizes of the extent among the state's sizes, whose number is limited? */
static bool knows_sizes(const ls_schema *s, const ls_extent *x) {
  ls_size_name name[LS_SCHEMA_SIZES];
  const int count = ls_schema_sizes(s, name);
  for (int t = 0; t < x->terms; t++)
    for (int k = 0; k < x->term[t].names; k++) {
      int i = 0;
      while (i < count && !ls_same_size(name[i], x->term[t].name[k].text, x->term[t].name[k].len)) i++;
      if (i == count) return false;
    }
  return true;
}

/* Checks the names of sizes: in Lua a state has fields and sizes by name, and its constructor takes sizes by
 * name. */
static ls_status check_size_names(const ls_schema *s) {
  static const char *const taken[] = {"type", "graph", "close"};
  ls_size_name name[LS_SCHEMA_SIZES];
  const int count = ls_schema_sizes(s, name);
  for (int i = 0; i < count; i++) {
    const ls_field *same = NULL;
    size_t k = 0;
    for (int f = 0; f < s->nfields; f++)
      if (ls_same_size(name[i], s->fields[f].name, (u32)strlen(s->fields[f].name))) same = &s->fields[f];
    while (k < 3 && !ls_same_size(name[i], taken[k], (u32)strlen(taken[k]))) k++;
    if (same || k < 3)
      return ls_fail(LS_EARG, "a size cannot have the name '%.*s'%s", (int)name[i].len, name[i].text,
                     same ? ", which is a field's" : "");
  }
  return LS_OK;
}

/* Checks the initial contents for every type that the field may have. */
static ls_status check_initial(const ls_schema *s, const ls_field *f) {
  ls_pattern unused;
  ls_status st = LS_OK;
  for (int t = 0; !st && t < LS_DTYPES; t++)
    if (f->type == LS_W ? s->types >> t & 1 : f->type == (ls_dtype)t)
      st = ls_pattern_read(f->init, (ls_dtype)t, &unused);
  return st;
}

ls_status ls_schema_check(const ls_schema *s) {
  if (s->nfields > LS_MAX_FIELDS) return ls_fail(LS_EARG, "more than %d fields", LS_MAX_FIELDS);
  for (int i = 0; i < s->nfields; i++) {
    const ls_field *f = &s->fields[i];
    ls_extent x;
    if (ls_extent_read(f->extent, &x) || check_initial(s, f))
      return ls_fail_prefix(LS_EARG, "field %s: ", f->name);
    if (!knows_sizes(s, &x))
      return ls_fail(LS_EARG, "field %s: more than %d sizes in a state", f->name, LS_SCHEMA_SIZES);
  }
  return check_size_names(s);
}

ls_status ls_prim_add(ls_prim *p) {
  ls_status st = ls_prim_make(p);
  if (!st) st = ls_row_check(p);
  if (!st && ls_prim_find(p->name)) st = ls_fail(LS_EARG, "another row has that name");
  if (!st) st = ls_prim_register(p);
  return st ? ls_fail_prefix(st, "%s: ", p->name) : LS_OK;
}

ls_status ls_rows_check(void) {
  for (int i = 0; i < ls_prims(); i++) {
    const ls_prim *p = ls_prim_at(i);
    if (ls_row_check(p))
      return ls_fail_prefix(LS_EARG, "kernels/%s/%s.def: %s: ", p->family, p->family, p->name);
  }
  for (int i = 0; i < ls_schemas(); i++)
    if (ls_schema_check(ls_schema_at(i)))
      return ls_fail_prefix(LS_EARG, "kernels/%s/%s.def: the state %s: ", ls_schema_at(i)->family,
                            ls_schema_at(i)->family, ls_schema_at(i)->name);
  return LS_OK;
}
