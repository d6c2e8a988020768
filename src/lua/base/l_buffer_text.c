/* How buffers are printed: a vector as one line, a matrix as a line and its rows. */
#include "lua/base/l_buffer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/record/journal.h"

enum { WIDTH = 80 };

const char *ls_buffer_where(ls_buffer *b, char out[32]) {
  if (b->closed) return "closed";
  if (ls_buffer_gone(b)) return "gone";
  if (b->host_valid && b->dev_valid) return "both";
  if (b->host_valid) return "host";
  if (!b->dev_valid) return "nowhere";
  snprintf(out, 32, "cuda:%d", b->device);
  return out;
}

static int size_text(u64 bytes, char *out, size_t room) {
  static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return snprintf(out, room, "%d B", (int)bytes);
  f64 x = (f64)bytes / 1024;
  int u = 0;
  for (; x >= 1000 && u < 3; u++) x /= 1024;
  return snprintf(out, room, "%.1f %s", x, units[u]);
}

/* u32[8123] host 31.7 KiB */
static int head_text(ls_buffer *b, char *out, size_t room) {
  char size[32], where[32];
  int n = snprintf(out, room, "%s[%llu", ls_dtype_name(b->type), (unsigned long long)b->rows);
  if (b->cols) n += snprintf(out + n, room - (size_t)n, "x%llu", (unsigned long long)b->cols);
  n += snprintf(out + n, room - (size_t)n, "] %s", ls_buffer_where(b, where));
  if (b->closed) return n;
  size_text(ls_buffer_bytes(b), size, sizeof size);
  return n + snprintf(out + n, room - (size_t)n, " %s", size);
}

/* An element of a vector as text. The greatest value of u16 or u32 means "no vertex" and is shown as "-";
 * that of another integer type means "no path" and is shown as "inf". */
static const char *element_text(ls_dtype type, const u64 *elements, u64 i, char out[LS_NUMBER_CHARS]) {
  const ls_number x = ls_number_at(type, elements, i);
  if (x.real || !ls_number_is_none(type, x)) return ls_number_text(type, x, out);
  return strcpy(out, type == LS_U16 || type == LS_U32 ? "-" : "inf");
}

/* Sets the number of items of a queue. false: b is not a queue, or element 0 is not a length. */
static bool is_queue(ls_buffer *b, u64 *items) {
  u64 first;
  if (!b->queue || b->count == 0 || ls_buffer_peek(b, 0, 1, &first)) return false;
  const ls_number length = ls_number_at(b->type, &first, 0);
  *items = (u64)length.i;
  return !length.real && length.i >= 0 && length.i < (ls_i128)b->count;
}

/* Adds the elements of a vector to its line: 0 1 2 3 ...; if it is a queue, only the queue's items. */
static void add_elements(luaL_Buffer *out, ls_buffer *b, int used) {
  enum { FIRST = 40 };
  u64 first[FIRST]; /* the widest element has 8 bytes */
  char text[LS_NUMBER_CHARS];
  u64 count = b->count, from = 0;
  if (is_queue(b, &count)) {
    from = 1;
    char items[48];
    used += snprintf(items, sizeof items, ", queue of %llu", (unsigned long long)count);
    luaL_addstring(out, items);
  }
  u64 shown = count < FIRST ? count : FIRST;
  if (shown == 0 || ls_buffer_peek(b, from, shown, first)) return;
  luaL_addchar(out, ':');
  used++;
  for (u64 i = 0; i < shown; i++) {
    element_text(b->type, first, i, text);
    const int width = 1 + (int)strlen(text);
    if (used + width > WIDTH - (i + 1 == count ? 0 : 4)) {
      shown = i;
      break;
    }
    luaL_addchar(out, ' ');
    luaL_addstring(out, text);
    used += width;
  }
  if (shown < count) luaL_addstring(out, " ...");
}

/* An element of a matrix as text; "." if it means that there is no path: it is infinite, or the greatest or
 * least value of its type. */
static const char *cell_text(ls_dtype type, const u64 *cells, u64 j, char out[LS_NUMBER_CHARS]) {
  const ls_number x = ls_number_at(type, cells, j);
  const bool least = (type == LS_I32 && x.i == INT32_MIN) || (type == LS_I64 && x.i == INT64_MIN);
  if (least || (x.real ? isinf(x.r) : ls_number_is_none(type, x))) return strcpy(out, ".");
  return ls_number_text(type, x, out);
}

/* Adds the rows of a matrix below its first line, one per line. Only the first rows and columns of a large
 * matrix are shown. */
static void add_rows(luaL_Buffer *out, ls_buffer *b) {
  enum { ROWS = 12, COLS = 40 };
  u64 cells[ROWS][COLS];
  char text[LS_NUMBER_CHARS];
  const u64 rows = b->rows <= ROWS ? b->rows : ROWS - 1, peeked = b->cols < COLS ? b->cols : COLS;
  int width[COLS] = {0}, used = 0;
  for (u64 i = 0; i < rows; i++) {
    if (ls_buffer_peek(b, i * b->cols, peeked, cells[i])) return;
    for (u64 j = 0; j < peeked; j++) {
      const int n = (int)strlen(cell_text(b->type, cells[i], j, text));
      if (n > width[j]) width[j] = n;
    }
  }
  u64 cols = 0;
  while (cols < peeked && used + 1 + width[cols] <= WIDTH - (cols + 1 < b->cols ? 4 : 0))
    used += 1 + width[cols++];
  for (u64 i = 0; i < rows; i++) {
    luaL_addchar(out, '\n');
    for (u64 j = 0; j < cols; j++) {
      cell_text(b->type, cells[i], j, text);
      for (int pad = 1 + width[j] - (int)strlen(text); pad > 0; pad--) luaL_addchar(out, ' ');
      luaL_addstring(out, text);
    }
    if (cols < b->cols) luaL_addstring(out, " ...");
  }
  if (rows < b->rows) luaL_addstring(out, "\n ...");
}

int ls_buffer_tostring(lua_State *L) {
  ls_buffer *b = *(ls_buffer **)luaL_checkudata(L, 1, LS_BUFFER_NAME);
  if (!b) return lua_pushliteral(L, "buffer (closed)"), 1;
  char head[160];
  const int used = head_text(b, head, sizeof head);
  luaL_Buffer out;
  luaL_buffinit(L, &out);
  luaL_addlstring(&out, head, (size_t)used);
  if (ls_journal_lacks(b))
    luaL_addstring(&out, ": not recorded");
  else if (!b->closed && b->cols)
    add_rows(&out, b);
  else if (!b->closed)
    add_elements(&out, b, used);
  luaL_pushresult(&out);
  return 1;
}
