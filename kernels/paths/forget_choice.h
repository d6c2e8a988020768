/* No distance is the least yet, and no vertex is chosen. */
#include "paths/paths.h"

#define FORGET_CHOICE_ARGS(A, W) A(INOUT, W, least, "1") A(INOUT, u32, chosen, "1")
ARGS(forget_choice, FORGET_CHOICE_ARGS)

VERTEX_BODY(forget_choice) {
  (void)push, (void)count, (void)v;
  *a->least = NO_PATH;
  *a->chosen = LS_NO_VERTEX;
}
