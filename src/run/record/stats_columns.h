/* The columns of stats(): what each holds, the order of rows, and the rows as CSV and as JSON lines. */
#ifndef LS_RUN_STATS_COLUMNS_H
#define LS_RUN_STATS_COLUMNS_H

#include "core/string_builder.h"
#include "run/record/trace.h"

typedef struct ls_stat_column {
  const char *name;
  f64 (*value)(const ls_stat *s); /* NAN: unknown, and omitted */
} ls_stat_column;
enum { LS_STAT_COLUMNS = 16 };
extern const ls_stat_column ls_stat_columns[LS_STAT_COLUMNS];

/* The column of that name; NULL if there is none. */
const ls_stat_column *ls_stat_column_named(const char *name);
/* The time that would be saved if the kernel ran at its limit; if only an upper bound of its share of the
 * limit is known, a lower bound of this time. */
f64 ls_stat_gain(const ls_stat *s);
f64 ls_stat_byte_rate(const ls_stat *s); /* bytes per second */
f64 ls_stat_edge_rate(const ls_stat *s); /* edges per second */
/* Are rows in this order (NULL: unsorted) sorted by limit or gain? Both mean the order by gain: a kernel that
 * is far from its limit but takes no time is of no interest. */
bool ls_stats_by_limit(const ls_stat_column *order);
/* Sorts rows by decreasing value. Rows whose value is unknown follow, by decreasing total time. The host gap
 * is always last. */
void ls_stats_sort(ls_stat *rows, int n, const ls_stat_column *order);
void ls_stats_csv(ls_text *b, const ls_stat *rows, int n);
void ls_stats_json(ls_text *b, const ls_stat *rows, int n);

#endif
