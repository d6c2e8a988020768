/* The trial's rows on a CPU. */
#include "driver/cpu.h"
#define W none
#include "rows.h"

#define CPU_ROW(name, ARGS_MACRO, DOMAIN, items) CPU_DRIVER(name, ARGS_MACRO, DOMAIN)
TRIAL_ROWS(CPU_ROW)
#undef W
#define ARGS_OF_ROW(name, ARGS_MACRO, DOMAIN, items) ROW_ARGS(name, ARGS_MACRO)
TRIAL_ROWS(ARGS_OF_ROW)
