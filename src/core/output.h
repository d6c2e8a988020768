/* How the user wants things shown: set once from the options, read by whoever prints. */
#ifndef LS_CORE_OUTPUT_H
#define LS_CORE_OUTPUT_H

#include <stdbool.h>

typedef enum ls_form { LS_TEXT, LS_JSON, LS_CSV } ls_form; /* --json: JSON lines; --csv: tables as CSV */
typedef enum ls_symbols { LS_BRAILLE, LS_BLOCK, LS_ASCII } ls_symbols;

typedef struct ls_output {
  ls_form form;
  ls_symbols symbols; /* ASCII where the locale is not UTF-8 */
  bool color;         /* escape sequences on stdout are wanted */
} ls_output;

extern ls_output ls_out;

/* Columns of the terminal behind stdout; 0 where stdout is none: then nothing need be cut. */
int ls_output_columns(void);
/* Who takes stdout over, a panel or an export, says how wide it shows it; 0: nobody does. Returns what was
 * said before. */
int ls_output_columns_are(int columns);

#endif
