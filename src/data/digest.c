#include "data/digest.h"

#include "core/wait.h"

typedef struct job {
  const void *p;
  u64 item_bytes, count, sum;
  bool set;
} job;

enum { LONG = 1 << 20 };

static void work(void *arg) {
  job *j = arg;
  const u64 bytes = j->item_bytes * j->count, words = j->set ? j->count : (bytes + 7) / 8;
  u64 sum = 0;
#pragma omp parallel for reduction(+ : sum) if (words > LONG)
  for (u64 i = 0; i < words; i++)
    sum += j->set ? ls_digest_item(j->p, i, j->item_bytes) : ls_digest_word(j->p, i, bytes);
  j->sum = sum;
}

u64 ls_digest(const void *p, u64 item_bytes, u64 count, bool set) {
  job j = {p, item_bytes, count, 0, set};
  ls_work(work, &j, item_bytes * count < 8 * LONG);
  return j.sum;
}
