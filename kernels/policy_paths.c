#include "core/mem.h"
#include "driver_cpu.h"
#include "library.h"
#include "policy_paths.h"
#include "prims_list.h"

enum { SMALL = 1 << 11 };

#define W i64
#include "policy_paths_typed.h"
#undef W
#define W f64
#include "policy_paths_typed.h"
#undef W

ls_status policy_paths_cpu(ls_launch *L) {
  return L->type == LS_F64 ? policy_paths_f64(L) : policy_paths_i64(L);
}
