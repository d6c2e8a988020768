#include "core/nearest.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Edit distance with swaps of neighbours: three rows of the textbook table suffice. */
static size_t edits(const char *a, size_t na, const char *b, size_t nb) {
  size_t rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= nb; j++) last[j] = j;
  for (size_t i = 1; i <= na; i++) {
    row[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
      row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (x != y));
      if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) && y == tolower((unsigned char)a[i - 2]))
        row[j] = least(row[j], before[j - 2] + 1);
    }
    size_t *spare = before;
    before = last, last = row, row = spare;
  }
  return last[nb];
}

const char *ls_nearest(const char *word, const char *const *names, size_t count) {
  size_t len = strlen(word), best = len / 3 > 1 ? len / 3 : 1;
  const char *nearest = NULL;
  if (len > LONGEST) return NULL;
  for (size_t i = 0; i < count; i++) {
    size_t n = strlen(names[i]);
    if (n > LONGEST) continue;
    size_t d = edits(word, len, names[i], n);
    if (nearest ? d < best : d <= best && d < len) nearest = names[i], best = d;
  }
  return nearest;
}
