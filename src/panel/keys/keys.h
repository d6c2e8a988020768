/* Decodes the bytes that a terminal sends into keys. */
#ifndef LS_PANEL_KEYS_H
#define LS_PANEL_KEYS_H

#include <stdbool.h>

#include "panel/views/view.h"

enum {
  LS_KEY_NONE = -1,               /* nothing, or only the beginning of a key */
  LS_KEY_X = 0x120000,            /* ^X and a character: LS_KEY_X + 'a' */
  LS_KEY_PASTE = LS_KEY_F12 + 1,  /* the beginning of a bracketed paste */
  LS_KEY_OTHER = LS_KEY_PASTE + 1 /* a sequence without a meaning here */
};

/* Decodes the first key of n bytes; *used is its length in bytes. LS_KEY_NONE with *used = 0: the key is
 * incomplete. final: no more bytes will come, so a lone escape is the Escape key. A character is
 * returned as Unicode, Enter as '\n', Alt with a character as LS_KEY_OTHER. */
int ls_key_decode(const char *s, int n, bool final, int *used);
/* Adds a sequence of the current terminal; "" is ignored. At most 16 sequences, of at most 15 bytes. */
void ls_key_learn(const char *sequence, int key);

#endif
