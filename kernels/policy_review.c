#include "driver_cpu.h"
#include "library.h"
#include "policy_review.h"
#include "prims_list.h"

#define ASKED 0xfffffffdu /* a layer: v has had its turn */

#define W i64
#include "policy_review_typed.h"
#undef W
#define W f64
#include "policy_review_typed.h"
#undef W

ls_status policy_review_cpu(ls_launch *L) {
  return L->type == LS_F64 ? policy_review_f64(L) : policy_review_i64(L);
}
