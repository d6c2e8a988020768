#include "core/mem.h"
#include "driver_cpu.h"
#include "library.h"
#include "policy_mend.h"
#include "prims_list.h"

enum { SMALL = 1 << 14, SHARE = 8 }; /* that part of all is many */

#define W i64
#include "policy_mend_typed.h"
#undef W
#define W f64
#include "policy_mend_typed.h"
#undef W

ls_status policy_mend_cpu(ls_launch *L) { return L->type == LS_F64 ? policy_mend_f64(L) : policy_mend_i64(L); }
