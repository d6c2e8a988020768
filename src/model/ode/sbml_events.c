#if defined(LOCKSTEP_WITH_XML) && defined(LOCKSTEP_WITH_SBML)
#include <stdio.h>
#include <string.h>

#include "model/ode/sbml_parts.h"

static u32 line_of(const void *element) { return SBase_getLine((SBase_t *)(uintptr_t)element); }

static ls_status optional(sbml *b, const ASTNode_t *math, u32 line, const ls_term **out) {
  if (!math) return LS_OK;
  return (*out = sbml_term(b, math, NULL, line)) ? LS_OK : ls_terms_status(b->m->terms);
}

/* The value that the event assigns to a variable; NULL: none. */
static const ls_term *assigned(const ls_event *e, u32 v) {
  for (u32 k = 0; k < e->count; k++)
    if (e->assigns[k].variable == v) return e->assigns[k].value;
  return NULL;
}

/* Converts assigned values to the quantities that are stored. If the event also changes the size of a
 * compartment, the amounts in it are kept: stored concentrations are converted to the new size. A
 * concentration that the event assigns refers to the old size. */
static ls_status mind_sizes(sbml *b, ls_event *e, u32 given) {
  ls_ode *m = b->m;
  for (u32 k = 0; k < given; k++)
    if (!(e->assigns[k].value = sbml_stored(b, e->assigns[k].variable, e->assigns[k].value)))
      return ls_terms_status(m->terms);
  for (u32 v = 0; v < m->count; v++) {
    const u32 size = m->variables[v].size;
    const ls_term *new = b->symbols[v].species &&size != LS_NO_VARIABLE ? assigned(e, size) : NULL;
    if (!new || m->variables[v].quantity != LS_CONCENTRATION || m->variables[v].role == LS_ALGEBRAIC)
      continue;
    const ls_term *own = assigned(e, v);
    u32 k = 0;
    while (k < e->count && e->assigns[k].variable != v) k++;
    const ls_term *amount =
        ls_term_2(m->terms, LS_TIMES_OP, own ? own : ls_term_leaf(m->terms, LS_VARIABLE_OP, v),
                  ls_term_leaf(m->terms, LS_VARIABLE_OP, size));
    if (k == e->count) e->count++;
    e->assigns[k] = (ls_assign){v, ls_term_2(m->terms, LS_DIVIDE_OP, amount, new)};
    if (!e->assigns[k].value) return ls_terms_status(m->terms);
  }
  return LS_OK;
}

static ls_status read_event(sbml *b, Event_t *from, u32 index) {
  ls_ode *m = b->m;
  const u32 line = line_of(from), n = Event_getNumEventAssignments(from);
  char name[32];
  ls_event *e;
  const Trigger_t *trigger = Event_getTrigger(from);
  if (!trigger || !Trigger_getMath(trigger)) return LS_OK; /* it never fires */
  ls_status st = ls_ode_add_event(m, n + m->count, &e);
  if (st) return st;
  const char *id = Event_getId(from);
  snprintf(name, sizeof name, "event %u", index + 1);
  if (!id || !*id) id = name;
  if (!(e->name = ls_terms_text(m->terms, id, strlen(id)))) return LS_EMEM;
  e->line = line;
  e->persistent = b->level < 3 || Trigger_getPersistent(trigger);
  e->initial_value = b->level < 3 || Trigger_getInitialValue(trigger);
  e->from_trigger_time = Event_getUseValuesFromTriggerTime(from);
  e->count = 0;
  st = optional(b, Trigger_getMath(trigger), line, &e->trigger);
  const Delay_t *delay = Event_isSetDelay(from) ? Event_getDelay(from) : NULL;
  const Priority_t *priority = Event_isSetPriority(from) ? Event_getPriority(from) : NULL;
  if (!st && delay) st = optional(b, Delay_getMath(delay), line, &e->delay);
  if (!st && priority) st = optional(b, Priority_getMath(priority), line, &e->priority);
  for (u32 k = 0; k < n && !st; k++) {
    EventAssignment_t *a = Event_getEventAssignment(from, k);
    const char *variable = EventAssignment_getVariable(a);
    const ASTNode_t *math = EventAssignment_getMath(a);
    u32 v;
    if (!math) continue;
    if ((st = sbml_find(b, variable ? variable : "", line_of(a), &v))) break;
    if (m->variables[v].role == LS_ALGEBRAIC || assigned(e, v))
      return ls_ode_fail(m, line_of(a), "event %s assigns to %s, %s", e->name, variable,
                         assigned(e, v) ? "twice" : "which a rule determines");
    const ls_term *t = sbml_term(b, math, NULL, line_of(a));
    if (!t) return ls_terms_status(m->terms);
    e->assigns[e->count++] = (ls_assign){v, t};
  }
  if (!st) st = mind_sizes(b, e, e->count);
  for (u32 k = 0; k < e->count && !st; k++) m->variables[e->assigns[k].variable].jumps = true;
  return st;
}

ls_status sbml_events(sbml *b) {
  for (u32 i = 0; i < Model_getNumEvents(b->model); i++) {
    ls_status st = read_event(b, Model_getEvent(b->model, i), i);
    if (st) return st;
  }
  return LS_OK;
}
#endif
