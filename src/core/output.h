/* How the user wants output to look: set once from the options, read by all code that prints. */
#ifndef LS_CORE_OUTPUT_H
#define LS_CORE_OUTPUT_H

#include <stdbool.h>

typedef enum ls_form { LS_TEXT, LS_JSON, LS_CSV } ls_form; /* --json: JSON lines; --csv: tables as CSV */
typedef enum ls_symbols { LS_BRAILLE, LS_HALF_BLOCK, LS_ASCII } ls_symbols;

typedef struct ls_output {
  ls_form form;
  ls_symbols symbols; /* ASCII if the locale is not UTF-8 */
  bool color;         /* escape sequences on stdout are wanted */
} ls_output;

extern ls_output ls_out;

/* Width in columns of the terminal on stdout; 0 if stdout is no terminal, so that nothing must be
 * truncated. */
int ls_output_columns(void);
/* Called by code that takes over stdout (a panel, an export), with the width at which it shows the output; 0
 * ends the takeover. Returns the previous value. */
int ls_output_columns_are(int columns);

#endif
