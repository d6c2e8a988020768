/* stats{by = "line"}: what each line of the scripts has cost. */
#ifndef LS_LUA_L_STATS_LINES_H
#define LS_LUA_L_STATS_LINES_H

#include "lua/bind.h"

typedef enum ls_stats_form { LS_STATS_ROWS, LS_STATS_CSV, LS_STATS_JSON } ls_stats_form;

/* Pushes rows that print as a table, or text. */
void ls_push_stats_lines(lua_State *L, ls_stats_form form);

/* Pops the text on top and gives the list below it a metatable: tostring returns the text, which was made
 * together with the list; __columns has the columns' names, for --csv. */
void ls_set_page(lua_State *L, const char *const *columns, int count);

#endif
