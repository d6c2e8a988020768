/* Works around an endless loop of Readline 8.2 in vi mode: its motions over a word at the end of a line never
 * end if the last character has no width (a lone combining accent, half a character), because a step forward
 * from there leads back. A blank after that character prevents it, so one is appended during the motion. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <wchar.h>

#include <readline/readline.h>

#include "repl/repl.h"

static bool has_no_width_at_end(void) {
  mbstate_t fresh = {0};
  wchar_t c;
  int start = rl_end - 1;
  if (rl_end == 0 || MB_CUR_MAX == 1) return false;
  while (start > 0 && ((unsigned char)rl_line_buffer[start] & 0xc0) == 0x80) start--;
  const size_t bytes = (size_t)(rl_end - start);
  return mbrtowc(&c, rl_line_buffer + start, bytes, &fresh) != bytes || wcwidth(c) <= 0;
}

static int move(rl_command_func_t *command, int count, int key) {
  if (!has_no_width_at_end()) return command(count, key);
  rl_extend_line_buffer(rl_end + 2);
  rl_line_buffer[rl_end++] = ' ';
  rl_line_buffer[rl_end] = '\0';
  const int result = command(count, key);
  rl_line_buffer[--rl_end] = '\0';
  if (rl_point > rl_end) rl_point = rl_end;
  return result;
}

static int next_word(int count, int key) { return move(rl_vi_next_word, count, key); }
static int end_word(int count, int key) { return move(rl_vi_end_word, count, key); }

/* rl_vi_complete begins with such a motion to the end of the word: here the cursor is moved there first. */
static int complete(int count, int key) {
  if (has_no_width_at_end())
    while (rl_point < rl_end && !isspace((unsigned char)rl_line_buffer[rl_point])) rl_point++;
  return rl_vi_complete(count, key);
}

void ls_vi_install(void) {
  const struct {
    const char *keys;
    rl_command_func_t *command;
  } all[] = {{"wW", next_word}, {"eE", end_word}, {"*=\\", complete}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (const char *k = all[i].keys; *k; k++) rl_bind_key_in_map(*k, all[i].command, vi_movement_keymap);
}
