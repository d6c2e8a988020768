/* Records some variables of all instances: a row of the table of results. The text defines COLUMNS, the
 * number of these variables, and EACH_COLUMN(RECORD), which calls RECORD(c, value) for each. */
#include "ensemble/unit.h"

/* clang-format off */
#define ENSEMBLE_RECORD_ARGS(A, W) \
  A(IN, f64, p, "VARIED*instances") A(IN, f64, y, "STATES*instances") A(IN, f64, t, "instances") \
  A(IN, u32, way, "instances") A(INOUT, f64, record, "COLUMNS*rows*instances") \
  A(VALUE, u32, row, "1", index, "rows") A(VALUE, u32, rows, "1") A(VALUE, u32, instances, "1")
/* clang-format on */
ARGS_OF(ENSEMBLE_ROW(record), ENSEMBLE_RECORD_ARGS)

#define RECORD_COLUMN(c, value) OF_INSTANCE(a->record, (u64)(c)*a->rows + a->row) = there ? value : NAN;

VERTEX_BODY(ENSEMBLE_ROW(record)) {
  UNUSED_BODY;
  const u32 i = v;
  f64 y[STATES], p[VARIED];
  const f64 t = a->t[i];
  (void)t;
  LOAD_INSTANCE
  const bool there = a->way[i] != ENSEMBLE_FAILED;
  EACH_COLUMN(RECORD_COLUMN)
}
