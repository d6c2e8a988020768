#include "driver_cpu.h"
#include "library.h"
#include "policy_attach.h"
#include "prims_list.h"

enum { FEW = 512 }; /* layers of fewer vertices are one thread's */

#define W i64
#include "policy_attach_typed.h"
#undef W
#define W f64
#include "policy_attach_typed.h"
#undef W

ls_status policy_attach_cpu(ls_launch *L) {
  return L->type == LS_F64 ? policy_attach_f64(L) : policy_attach_i64(L);
}
