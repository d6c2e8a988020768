/* State spaces of clients, each of which repeats a list of actions. They interleave freely or share a server
 * that only one can hold at a time: the two templates of Barnat, Bauch, Brim, Ceska 2011, section 4.
 *
 * A client's state is the number of its next action. Actions marked `server` need the server: the first of
 * several in a row acquires it, and waits while another client holds it; the last releases it. A list must
 * not begin within such a run.
 *
 * A vertex is a state of all clients (0: every client is at its first action). An edge is one client's
 * action; its weight and time are the action's cost and time. A row lists the clients that can move, in
 * order. */
#ifndef LS_GEN_CLIENTS_H
#define LS_GEN_CLIENTS_H

#include "data/graph.h"

typedef struct ls_action {
  const char *name;
  i32 cost;
  bool server;
  i32 time; /* not negative; used if the scenario is timed */
} ls_action;

typedef struct ls_scenario {
  const char *name;
  u32 count; /* clients that follow it */
  u32 length;
  const ls_action *actions;
  bool timed; /* false: each action takes 1. The graph has times if any scenario is timed */
} ls_scenario;

/* server = false: the `server` flags of actions are ignored, and all clients interleave freely. The graph
 * names its states and actions. */
ls_status ls_gen_clients(const ls_scenario *scenarios, u32 count, bool server, ls_graph **out);

/* For a graph of ls_gen_clients, or derived from one: the number of clients (0 for other graphs), and the
 * state of each client in vertex v (states u32[clients]). */
u32 ls_clients_of(const ls_graph *g);
void ls_clients_states(const ls_graph *g, u32 v, u32 *states);

#endif
