#include "compile/kernel_text.h"

#include <string.h>

#include "core/mem.h"

typedef struct ls_block_of_text {
  struct ls_block_of_text *next;
} block;

void *ls_kernel_text_take(ls_kernel_text *t, size_t bytes) {
  block *b = ls_calloc(1, sizeof *b + bytes);
  if (!b) return NULL;
  b->next = t->blocks;
  t->blocks = b;
  return b + 1;
}

char *ls_kernel_text_keep(ls_kernel_text *t, const char *s, size_t len) {
  char *copy = ls_kernel_text_take(t, len + 1);
  return copy ? memcpy(copy, s, len) : NULL;
}

void ls_kernel_text_free(ls_kernel_text *t) {
  if (!t) return;
  while (t->blocks) {
    block *b = t->blocks;
    t->blocks = b->next;
    ls_free(b);
  }
  ls_free(t);
}
