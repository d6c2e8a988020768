/* The trial's rows: name, arguments, domain, items. */
#ifndef TRIAL_TABLE_H
#define TRIAL_TABLE_H

#define TRIAL_ROWS(ROW)                                                                                      \
  ROW(trial_stir, TRIAL_STIR_ARGS, VERTEX, "n")                                                              \
  ROW(trial_set, TRIAL_SET_ARGS, VERTEX, "n")                                                                \
  ROW(trial_deal, TRIAL_DEAL_ARGS, VERTEX, "n")                                                              \
  ROW(trial_take, TRIAL_TAKE_ARGS, QUEUE, "queue")                                                           \
  ROW(trial_pour, TRIAL_POUR_ARGS, QUEUE, "queue")                                                           \
  ROW(trial_sink, TRIAL_SINK_ARGS, QUEUE, "queue")                                                           \
  ROW(trial_pile, TRIAL_PILE_ARGS, VERTEX, "n")                                                              \
  ROW(trial_light, TRIAL_LIGHT_ARGS, QUEUE_EDGES, "queue")                                                   \
  ROW(trial_heavy, TRIAL_HEAVY_ARGS, VERTEX_EDGES, "n")                                                      \
  ROW(trial_least, TRIAL_LEAST_ARGS, VERTEX_BEST, "n")                                                       \
  ROW(trial_turn, TRIAL_TURN_ARGS, TILE, "1")
/* This row requests dynamic shared memory, which the kernel of its whole loop then gets, too. It is used only
 * together with trial_stir. */
#define TRIAL_MEMORY_ROWS(ROW) ROW(trial_roll, TRIAL_ROLL_ARGS, TILE, "1")

/* Rows that the loops' kernel (rows.cu) does not contain: the host runs loops with one of them. */
#define TRIAL_LIBRARY_ROWS(ROW) ROW(trial_odds, TRIAL_ODDS_ARGS, LIBRARY, "n")

#endif
