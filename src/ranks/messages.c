#include "ranks/messages.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "ranks/transport.h"

enum { LINE = 1024, SAID = 512 };

typedef struct held {
  struct held *next;
  int rank;
  f64 since;
  char text[];
} held;

static struct {
  size_t used;
  char text[LINE];
} lines[LS_MOST_RANKS]; /* incomplete lines */
static held *first, *last;
static u64 said[SAID]; /* digests of the last lines of rank 0 */
static u32 said_count;

static u64 digest(const char *text) {
  u64 h = 14695981039346656037u;
  for (; *text; text++) h = (h ^ (u8)*text) * 1099511628211u;
  return h;
}

static bool was_said(const char *text) {
  const u64 h = digest(text);
  for (u32 i = 0; i < said_count && i < SAID; i++)
    if (said[i] == h) return true;
  return false;
}

static void end_line(int rank) {
  char *text = lines[rank].text;
  text[lines[rank].used] = 0;
  lines[rank].used = 0;
  if (rank == 0) {
    said[said_count++ % SAID] = digest(text);
    return;
  }
  held *h = ls_malloc(sizeof *h + strlen(text) + 1);
  if (!h) {
    fprintf(stderr, "rank %d: %s\n", rank, text);
    return;
  }
  h->next = NULL, h->rank = rank, h->since = ls_now();
  strcpy(h->text, text);
  if (last)
    last->next = h;
  else
    first = h;
  last = h;
}

void ls_messages_hear(int rank, const char *text, size_t bytes) {
  if (rank == 0) fwrite(text, 1, bytes, stderr);
  for (size_t i = 0; i < bytes; i++) {
    if (text[i] != '\n') lines[rank].text[lines[rank].used++] = text[i];
    if (text[i] == '\n' || lines[rank].used == LINE - 1) end_line(rank);
  }
}

void ls_messages_pass(bool all) {
  for (int r = 1; all && r < LS_MOST_RANKS; r++)
    if (lines[r].used) end_line(r);
  for (f64 now = ls_now(); first && (all || now - first->since > 0.5);) {
    held *h = first;
    first = h->next;
    if (!first) last = NULL;
    if (!was_said(h->text)) fprintf(stderr, "rank %d: %s\n", h->rank, h->text);
    ls_free(h);
  }
}
