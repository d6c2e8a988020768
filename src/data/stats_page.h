/* The statistics of a graph as text, at most 80 columns wide. */
#ifndef LS_DATA_STATS_PAGE_H
#define LS_DATA_STATS_PAGE_H

#include "core/string_builder.h"
#include "data/stats.h"

typedef struct ls_strong { /* strongly connected components */
  u32 count, largest;      /* largest: vertices of the largest one */
} ls_strong;

/* The mean of the weights; g has weights and edges. */
f64 ls_graph_mean_weight(const ls_graph *g, const ls_graph_stats *s);
/* Adds lines, each after a newline. strong: NULL if the components were not counted. */
void ls_graph_stats_page(ls_text *b, ls_graph *g, const ls_graph_stats *s, const ls_strong *strong);

#endif
