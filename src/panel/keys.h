/* From the bytes that a terminal sends to keys. Pure. */
#ifndef LS_PANEL_KEYS_H
#define LS_PANEL_KEYS_H

#include <stdbool.h>

#include "panel/view.h"

enum {
  LS_KEY_NONE = -1,               /* nothing, or only the beginning of a key */
  LS_KEY_X = 0x120000,            /* ^X and a character: LS_KEY_X + 'a' */
  LS_KEY_PASTE = LS_KEY_F12 + 1,  /* the beginning of a bracketed paste */
  LS_KEY_OTHER = LS_KEY_PASTE + 1 /* a sequence that means nothing here */
};

/* The key that n bytes begin with, and in *used how many bytes it took; LS_KEY_NONE with *used = 0: more
 * bytes are wanted. final: no more will come, so an escape is an escape. Characters are Unicode; Enter is
 * '\n', Alt and a character LS_KEY_OTHER. */
int ls_key_decode(const char *s, int n, bool final, int *used);
/* Teaches a terminal's own sequence; "" is ignored. At most 16, of at most 15 bytes. */
void ls_key_learn(const char *sequence, int key);

#endif
