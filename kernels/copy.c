#include "library.h"
#include "prims_list.h"

#include <string.h>

ls_status copy_cpu(ls_launch *L) {
  u64 bytes = L->bind.size[0] * ls_dtype_size(L->type);
  if (bytes) memcpy(L->bind.ptr[1], L->bind.ptr[0], bytes);
  return LS_OK;
}
