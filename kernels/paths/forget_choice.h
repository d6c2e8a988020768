/* Resets the least distance and the chosen vertex before the next ExtractMin. */
#include "paths/paths.h"

#define FORGET_CHOICE_ARGS(A, W) A(INOUT, W, least, "1") A(INOUT, u32, chosen, "1")
ARGS(forget_choice, FORGET_CHOICE_ARGS)

VERTEX_BODY(forget_choice) {
  (void)push, (void)count, (void)v;
  *a->least = NO_PATH;
  *a->chosen = LS_NO_VERTEX;
}
