#include "gen/clients.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "gen/make.h"

/* Every state in which at most one client holds the server can be reached: while none holds it, one client
 * after the other can move to any of its free states, and the holder moves last. So no search and no table
 * are needed: states are numbered in closed form.
 *
 * "Held" states of a client are those in which it holds the server, "free" states are all others. States of
 * the graph without a holder come first, as mixed-radix numbers: digit i is the number of client i's free
 * state (client 0 is the lowest digit). Then one block per client i has the states in which i holds the
 * server: (number of i's held state) * (number of combinations of the others) + (the others' combination, as
 * a mixed-radix number without digit i). */

typedef struct script { /* a scenario, copied */
  char *name;
  u32 length, free, held; /* number of states, of free states and of held states */
  char **actions;
  i32 *costs, *times;
  bool *takes; /* does the action need the server to be free? */
  u32 *index;  /* a state's number among its kind; held states have HELD added */
  u32 *state;  /* the reverse: first the free states in order, then the held ones */
} script;

#define HELD 0x80000000u
enum { FEW = 64 }; /* maximum number of clients; with two or more states each, 2^32 states limit it to 32 */

typedef struct client {
  const script *does;
  u32 number;      /* among the clients of its scenario, from 1; 0: the only client */
  u64 place;       /* place value of its digit: product of the earlier clients' numbers of free states */
  u64 block, rest; /* first state in which it holds the server; number of combinations of the other clients */
} client;

typedef struct model {
  ls_vertex_names vertex_names;
  script *scripts;
  client *clients;
  u32 script_count, client_count;
  bool timed;
  u64 n, unheld; /* number of states; number of states without a holder */
} model;

/* --- the model --------------------------------------------------------------------------------------- */

static void destroy(ls_vertex_names *vertex_names) {
  model *m = (model *)vertex_names;
  for (u32 i = 0; m->scripts && i < m->script_count; i++) {
    script *s = &m->scripts[i];
    for (u32 a = 0; s->actions && a < s->length; a++) ls_free(s->actions[a]);
    ls_free(s->name);
    ls_free(s->actions);
    ls_free(s->costs);
    ls_free(s->times);
    ls_free(s->takes);
    ls_free(s->index);
    ls_free(s->state);
  }
  ls_free(m->scripts);
  ls_free(m->clients);
  ls_free(m);
}

static ls_status copy_script(const ls_scenario *from, bool server, script *s) {
  u32 length = from->length;
  s->length = length;
  s->name = ls_strdup(from->name);
  s->actions = ls_calloc(length, sizeof *s->actions);
  s->costs = ls_calloc(length, sizeof *s->costs);
  s->times = ls_calloc(length, sizeof *s->times);
  s->takes = ls_calloc(length, sizeof *s->takes);
  s->index = ls_calloc(length, sizeof *s->index);
  s->state = ls_calloc(length, sizeof *s->state);
  if (!s->name || !s->actions || !s->costs || !s->times || !s->takes || !s->index || !s->state)
    return LS_EMEM;
  for (u32 a = 0; a < length; a++) {
    bool uses = server && from->actions[a].server,
         used = server && from->actions[a ? a - 1 : length - 1].server;
    if (!(s->actions[a] = ls_strdup(from->actions[a].name))) return LS_EMEM;
    s->costs[a] = from->actions[a].cost;
    s->times[a] = from->timed ? from->actions[a].time : 1;
    s->takes[a] = uses && !used;
    s->index[a] = uses && used ? HELD | s->held++ : s->free++;
  }
  if (s->index[0] & HELD)
    return ls_fail(
        LS_EARG,
        "clients: %s: the first action, %s, is within a run of server actions: begin the list elsewhere",
        from->name, s->actions[0]);
  for (u32 a = 0; a < length; a++)
    s->state[s->index[a] & HELD ? s->free + (s->index[a] & ~HELD) : s->index[a]] = a;
  return LS_OK;
}

static ls_status too_many(void) {
  return ls_fail(LS_EARG, "clients: the product has more than %llu states",
                 (unsigned long long)LS_MAX_VERTICES);
}

/* Computes the value of each digit and the beginning of each block. */
static ls_status number_states(model *m) {
  m->unheld = 1;
  for (u32 i = 0; i < m->client_count; i++) {
    m->clients[i].place = m->unheld;
    m->unheld *= m->clients[i].does->free;
    if (m->unheld > LS_MAX_VERTICES) return too_many();
  }
  m->n = m->unheld;
  for (u32 i = 0; i < m->client_count; i++) {
    client *c = &m->clients[i];
    c->block = m->n;
    c->rest = m->unheld / c->does->free;
    m->n += c->rest * c->does->held;
    if (m->n > LS_MAX_VERTICES) return too_many();
  }
  return LS_OK;
}

static ls_status build_model(model *m, const ls_scenario *scenarios, u32 count, bool server) {
  u64 clients = 0;
  for (u32 i = 0; i < count; i++) {
    if (!scenarios[i].length) return ls_fail(LS_EARG, "clients: %s has no actions", scenarios[i].name);
    clients += scenarios[i].count;
  }
  if (clients > FEW)
    return ls_fail(LS_EARG, "clients: %llu clients are more than %d", (unsigned long long)clients, FEW);
  m->script_count = count;
  for (u32 i = 0; i < count; i++) m->timed = m->timed || scenarios[i].timed;
  m->scripts = ls_calloc(count, sizeof *m->scripts);
  m->clients = ls_calloc(clients, sizeof *m->clients);
  if (!m->scripts || !m->clients) return LS_EMEM;
  for (u32 i = 0; i < count; i++) {
    ls_status st = copy_script(&scenarios[i], server, &m->scripts[i]);
    if (st) return st;
    for (u32 k = 1; k <= scenarios[i].count; k++)
      m->clients[m->client_count++] =
          (client){.does = &m->scripts[i], .number = scenarios[i].count > 1 ? k : 0};
  }
  return number_states(m);
}

/* --- states and moves -------------------------------------------------------------------------------- */

/* The client that holds the server in state v; client_count: none does. */
static u32 holder_in(const model *m, u64 v) {
  if (v < m->unheld) return m->client_count;
  u32 i = 0;
  while (v >= m->clients[i].block + m->clients[i].rest * m->clients[i].does->held) i++;
  return i;
}

static void decode(const model *m, u64 v, u32 holder, u32 *states) {
  u64 setting = v;
  if (holder < m->client_count) {
    const client *h = &m->clients[holder];
    setting = (v - h->block) % h->rest;
    states[holder] = h->does->state[h->does->free + (v - h->block) / h->rest];
  }
  for (u32 i = 0; i < m->client_count; i++) {
    if (i == holder) continue;
    const script *s = m->clients[i].does;
    states[i] = s->state[setting % s->free];
    setting /= s->free;
  }
}

/* *to: where client i's next action leads from v; false if it has to wait. */
static bool move(const model *m, u64 v, u32 holder, u32 i, u32 state, u64 *to) {
  const client *c = &m->clients[i];
  const script *s = c->does;
  u32 from = s->index[state], next = s->index[state + 1 < s->length ? state + 1 : 0];
  if (holder == i) {
    u64 held = (v - c->block) / c->rest, others = (v - c->block) % c->rest;
    if (next & HELD)
      *to = c->block + (held + 1) * c->rest + others;
    else
      *to = others % c->place + (next + others / c->place * s->free) * c->place;
    return true;
  }
  if (s->takes[state] && holder < m->client_count) return false;
  if (next & HELD) {
    *to = c->block + (next & ~HELD) * c->rest + v % c->place + v / (c->place * s->free) * c->place;
    return true;
  }
  u64 place = c->place; /* v has no digit for the holder */
  if (holder < i) place /= m->clients[holder].does->free;
  *to = v + next * place - from * place;
  return true;
}

/* --- the graph --------------------------------------------------------------------------------------- */

static u32 each_row(const void *arg, u32 v, u32 *to, i32 *w, i32 *t) {
  const model *m = arg;
  u32 states[FEW], holder = holder_in(m, v), degree = 0;
  decode(m, v, holder, states);
  for (u32 i = 0; i < m->client_count; i++) {
    u64 there;
    if (!move(m, v, holder, i, states[i], &there)) continue;
    if (to) to[degree] = (u32)there;
    if (w) w[degree] = m->clients[i].does->costs[states[i]];
    if (t) t[degree] = m->clients[i].does->times[states[i]];
    degree++;
  }
  return degree;
}

/* --- names ------------------------------------------------------------------------------------------- */

static int put_action(const model *m, u32 i, u32 state, char *out, size_t bytes) {
  const client *c = &m->clients[i];
  if (!c->number) return snprintf(out, bytes, "%s: %s", c->does->name, c->does->actions[state]);
  return snprintf(out, bytes, "%s %u: %s", c->does->name, c->number, c->does->actions[state]);
}

static void name_state(const ls_vertex_names *vertex_names, i64 label, char *out, size_t bytes) {
  const model *m = (const model *)vertex_names;
  u32 states[FEW];
  decode(m, (u64)label, holder_in(m, (u64)label), states);
  size_t at = 0;
  out[0] = 0;
  for (u32 i = 0; i < m->client_count && at < bytes; i++) {
    if (i) at += (size_t)snprintf(out + at, bytes - at, ", ");
    if (at < bytes) at += (size_t)put_action(m, i, states[i], out + at, bytes - at);
  }
}

static bool name_move(const ls_vertex_names *vertex_names, i64 from, i64 to, u32 which, char *out,
                      size_t bytes) {
  (void)which; /* no two actions lead from one state to the same one */
  const model *m = (const model *)vertex_names;
  u32 states[FEW], holder = holder_in(m, (u64)from);
  decode(m, (u64)from, holder, states);
  for (u32 i = 0; i < m->client_count; i++) {
    u64 there;
    if (!move(m, (u64)from, holder, i, states[i], &there) || there != (u64)to) continue;
    put_action(m, i, states[i], out, bytes);
    return true;
  }
  return false;
}

ls_status ls_gen_clients(const ls_scenario *scenarios, u32 count, bool server, ls_graph **out) {
  model *m = ls_calloc(1, sizeof *m);
  if (!m) return LS_EMEM;
  m->vertex_names = (ls_vertex_names){1, name_state, name_move, destroy, NULL, 0};
  char name[64];
  ls_status st = build_model(m, scenarios, count, server);
  snprintf(name, sizeof name, "clients(%u%s)", m->client_count, server ? ",server" : "");
  const ls_make k = {.name = name,
                     .n = (u32)m->n,
                     .weights = {.type = LS_I32, .timed = m->timed},
                     .arg = m,
                     .worth = each_row};
  if (!st) st = ls_make_from_rows(&k, NULL, out);
  if (st)
    destroy(&m->vertex_names);
  else
    (*out)->vertex_names = &m->vertex_names;
  return st;
}

u32 ls_clients_of(const ls_graph *g) {
  return g->vertex_names && g->vertex_names->destroy == destroy
             ? ((const model *)g->vertex_names)->client_count
             : 0;
}

void ls_clients_states(const ls_graph *g, u32 v, u32 *states) {
  const model *m = (const model *)g->vertex_names;
  u64 label = (u64)ls_graph_label(g, v);
  decode(m, label, holder_in(m, label), states);
}
