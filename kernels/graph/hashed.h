/* Shared by the rows that count triangles by looking up in a hash table of a row of the graph. */
#ifndef LS_GRAPH_HASHED_H
#define LS_GRAPH_HASHED_H

#include "language/kernel.h"

enum { HASHED_SLOTS = 4096, HASHED_AT_ONCE = HASHED_SLOTS / 2 };
#define HASHED_SLOT(x, slots) ((x) * 2654435769u >> 7 & ((slots) - 1)) /* Knuth's multiplicative hash */

/* The number of slots for `here` elements: a power of two. */
LS_INLINE u32 hashed_slots(u32 here) {
  u32 slots = 32;
  while (slots < 2 * here) slots *= 2;
  return slots;
}

/* Puts to[first] .. to[first + here - 1] into the table, which is empty. Statements of a TILE body: a barrier follows. */
#define HASHED_FILL(a, table, slots, first, here)                                                           \
  EACH(i, j)                                                                                                \
    for (u32 k = i * TILE + j; k < (here); k += TILE * TILE) {                                              \
      const u32 x = (a)->to[(first) + k];                                                                   \
      u32 s = HASHED_SLOT(x, slots);                                                                        \
      while (!atomic_cas(&(table)[s], LS_NO_VERTEX, x)) s = (s + 1) & ((slots) - 1);                        \
    }

/* Advances s, the slot of x, to the slot that has x, or else to an empty one. */
#define HASHED_FIND(table, slots, s, x)                                                                     \
  while ((table)[s] != (x) && (table)[s] != LS_NO_VERTEX) (s) = ((s) + 1) & ((slots) - 1);

#endif
