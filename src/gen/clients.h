/* State spaces of clients that each repeat a list of actions, interleaving freely or sharing a server that
 * one at a time may hold: the two templates of Barnat, Bauch, Brim, Ceska 2011, section 4.
 *
 * A client's state is the number of the action it does next. Actions marked `server` are done while holding
 * the server: a run of them takes the server with its first action, holds it between them and gives it back
 * with its last; the first has to wait while another client holds it. A list may not begin within such a run.
 *
 * A vertex is a state of all clients (0: every client at its first action), an edge is one client's action,
 * its weight is the action's cost, its time the action's. A row lists the movable clients in order. */
#ifndef LS_GEN_CLIENTS_H
#define LS_GEN_CLIENTS_H

#include "data/graph.h"

typedef struct ls_action {
  const char *name;
  i32 cost;
  bool server;
  i32 time; /* not negative; where the scenario is timed */
} ls_action;

typedef struct ls_scenario {
  const char *name;
  u32 count; /* clients that follow it */
  u32 length;
  const ls_action *actions;
  bool timed; /* false: each action takes 1. The graph has times where any scenario has */
} ls_scenario;

/* server = false: marks are ignored, all interleave freely. The graph's namer names states and actions. */
ls_status ls_gen_clients(const ls_scenario *scenarios, u32 count, bool server, ls_graph **out);

/* Of a graph made by ls_gen_clients (or derived from one): the number of clients, 0 for other graphs; and the
 * state that each of them has in vertex v (states u32[clients]). */
u32 ls_clients_of(const ls_graph *g);
void ls_clients_states(const ls_graph *g, u32 v, u32 *states);

#endif
