/* The table of commands. */
#include <string.h>

#include "repl/commands/command.h"

enum { OURS = 6, MORE = 4 };
static const ls_command *tables[OURS + MORE] = {ls_commands_file,   ls_commands_step, ls_commands_back,
                                                ls_commands_lesson, ls_commands_look, ls_commands_kernel};
static int count = OURS;

void ls_commands_add(const ls_command *table) {
  if (count < OURS + MORE) tables[count++] = table;
}

const ls_command *ls_command_at(int i) {
  for (int t = 0; t < count; t++)
    for (const ls_command *c = tables[t]; c->name; c++)
      if (i-- == 0) return c;
  return NULL;
}

/* Aliases: a letter with which several commands begin, and names known from other programs. */
static const char *const other_names[][2] = {
    {"b", "break"}, {"c", "continue"}, {"d", "delete"},  {"f", "finish"}, {"h", "help"},
    {"i", "iter"},  {"n", "next"},     {"q", "quit"},    {"s", "step"},   {"u", "until"},
    {"w", "where"}, {"p", "print"},    {"exit", "quit"}, {"ls", "list"},  {"cls", "clear"}};

const ls_command *ls_command_find(const char *word, size_t len) {
  const ls_command *found = NULL, *c;
  int matches = 0;
  for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
    if (len == strlen(other_names[i][0]) && strncmp(word, other_names[i][0], len) == 0)
      return ls_command_find(other_names[i][1], strlen(other_names[i][1]));
  for (int i = 0; (c = ls_command_at(i)); i++) {
    if (strncmp(c->name, word, len) != 0) continue;
    if (strlen(c->name) == len) return c;
    found = c;
    matches++;
  }
  return len > 0 && matches == 1 ? found : NULL;
}
