/* The interface of src/repl for main.c, the panel and its own files: running typed text, and the prompt's
 * loop. */
#ifndef LS_REPL_REPL_H
#define LS_REPL_REPL_H

#include <stdio.h>

#include "session/session.h"
#include "core/string_builder.h"

/* --- input.c, stream.c: lines, pieces, blocks
 * ------------------------------------------------------------------ */

typedef enum ls_piece {
  LS_COMPLETE,   /* compiles, as an expression or as statements */
  LS_INCOMPLETE, /* may compile with more lines */
  LS_MALFORMED,  /* cannot compile, whatever follows */
} ls_piece;

/* Compiles the text in a separate Lua state, without running it. */
ls_piece ls_piece_of(const char *text);

/* The command that a line names (by the rules of `help prompt`), or NULL if the line is Lua. *rest is what
 * follows the name: within line, or in a static buffer for calls such as quit(2). */
struct ls_command;
const struct ls_command *ls_line_command(const char *line, const char **rest);

/* Runs one complete piece: a command line or Lua text. name and line are its position in messages ("prompt",
 * 1). A failure is printed before this returns. */
ls_status ls_input_piece(const char *text, const char *name, int line);

/* Runs a block of lines (a paste, -e), as pieces.h says. The first failure ends it. (stream.c) */
ls_status ls_input_block(const char *text, const char *name);

/* Runs a stream from which nothing has been read yet; all input that is available at one time is a block. If
 * `stop`, ends at the first failure. Otherwise f is standard input, whose lines run in all ranks; continues
 * after a failure, and returns the first failure. */
ls_status ls_input_stream(FILE *f, const char *name, bool stop);

/* Runs a line in all ranks, if there are several. number: its number in standard input; 0: it was typed.
 * many: the text is a block of lines. (ranks_prompt.c) */
ls_status ls_lead(const char *text, bool many, int number);
/* After the last line: waits until the other ranks have run it, too. (ranks_prompt.c) */
void ls_lead_rest(void);
/* In the ranks above 0: runs the lines of rank 0 until there are no more. (ranks_prompt.c) */
void ls_follow(void);
/* Does a piece run only in rank 0? True for help, for shell commands, and for commands that show something
 * or step. */
bool ls_for_rank_0(const char *text);

/* Ends the session, with this exit code, after the piece that is running. */
void ls_quit(int code);
/* Is the session to end, by ls_quit or a signal? Then *code is the exit code. */
bool ls_quitting(int *code);

/* --- line.c: the prompt ------------------------------------------------------------------------------ */

/* Installs the signal handlers; to be called once, before anything runs. */
void ls_signals_install(bool interactive);
/* The prompt's loop, until Ctrl-D, quit or a hang-up. */
void ls_prompt(void);

/* Hooks of a front end between the prompt and the terminal: the panel. Registered once; all members are set.
 * While it is active, it owns the terminal: it reads the keys and feeds Readline, whose redisplay and
 * terminal functions it has replaced. */
typedef struct ls_front {
  void (*begin)(void); /* after Readline has been set up */
  bool (*active)(void);
  /* Milliseconds after which `serve` must be called even without an event; -1: none; 0: call `input` now. */
  int (*wait)(void);
  void (*input)(void); /* keys are available: handles one; also while inactive */
  void (*serve)(void); /* after every event at the prompt; also while inactive */
  void (*resized)(void);
  void (*idle)(void); /* about every 50 ms while something runs, on the main thread; also while inactive */
  void (*accepted)(const char *prompt, const char *line); /* before a line runs; also while inactive */
  void (*dropped)(const char *prompt, const char *line);  /* Ctrl-C discarded it; also while inactive */
  /* Calls `each` for every word that may follow `panel`, for completion. */
  void (*names)(void (*each)(void *, const char *), void *ctx);
  /* Shows a text in the help pane too, after it was printed; false: not shown, for example because it is
   * short. */
  bool (*read)(const char *text);
  void (*end)(void);    /* after the prompt's loop */
  void (*leave)(void);  /* releases the terminal, before the process stops or ends; async-signal-safe */
  void (*resume)(void); /* takes the terminal again after `leave` */
} ls_front;
void ls_prompt_front(const ls_front *front);
/* Runs a command as if it had been typed; keeps the line that is being edited. Only between events at the
 * prompt. */
void ls_prompt_run(const char *command);
void ls_prompt_wake(void); /* ends the prompt's wait; callable from any thread or signal handler */
bool ls_prompt_interactive(void);
bool ls_prompt_waits(void);  /* is the prompt waiting for input, so that nothing runs? */
bool ls_prompt_called(void); /* is a Ctrl-C at the prompt, or the end of the session, still to be handled? */
/* Blocks until the next byte of a key or a paste can be read. False: Ctrl-C, or the session is to end. */
bool ls_prompt_await(void);
/* Tells Readline the size of its screen, but not less than Readline can handle; 0, 0: the size of the
 * terminal. Does nothing before Readline is initialised: a script may open the panel before there is a
 * prompt. */
void ls_prompt_size(int rows, int cols);
/* While on, running Lua code is interrupted 20 times a second to call ls_idle. */
void ls_prompt_ticks(bool on);

void ls_prompt_front_names(void (*each)(void *, const char *), void *ctx);
bool ls_prompt_fronted(void);
void ls_prompt_read(const char *text); /* in the panel: shows a long text from its beginning */
/* Returns run_it(command); an active panel releases the terminal meanwhile. */
int ls_prompt_aside(int (*run_it)(const char *command), const char *command);

/* --- shell.c ----------------------------------------------------------------------------------------- */

/* Runs a shell command. While the panel is active, the panel shows its output and its standard input is
 * empty, unless whole_terminal. LS_EARG if its exit status is not 0 or a signal ended it. */
ls_status ls_shell(const char *command, bool whole_terminal);

/* --- print.c ----------------------------------------------------------------------------------------- */

/* Prints the n values on top of L's stack, in the form of --json, --csv or text, and leaves them there. */
ls_status ls_print_values(lua_State *L, int n);
/* Appends a value in one line of at most `width` (>= 10) bytes; of a table, as many items as fit. */
void ls_print_brief(lua_State *L, int index, size_t width, ls_text *out);
void ls_print_push(lua_State *L, int index); /* pushes that line, for ls_session_on_text */

/* --- lookup.c: values by name, without running user code ---------------------------------------------- */

/* Pushes the value of a chain such as `gen.rmat`, `r.id`, `t[3].x` or `g:stats` (at a stop, as seen by the
 * stopped function), by raw access and __index tables only. False, with nothing pushed, if it has no
 * value. */
bool ls_lookup(lua_State *L, const char *chain, size_t len);
bool ls_lookup_callable(lua_State *L, const char *chain,
                        size_t len); /* is its value called like a function? */
/* Appends the full name of a method, which has the type instead of the object: "graph:stats" for g:stats.
 * False if the chain has no object, or its type has no name. */
bool ls_full_method_name(lua_State *L, const char *chain, ls_text *out);
/* Is the chain, or the full name of its method, an old name in lua/base/renamed.lua? If so, appends the new
 * name to `now`, and the hint to `hint`. */
bool ls_renamed(lua_State *L, const char *chain, ls_text *now, ls_text *hint);
/* Calls each(ctx, name, Lua type) for every field of the value at index whose name is an identifier. */
void ls_members(lua_State *L, int index, void (*each)(void *, const char *, int), void *ctx);
/* Appends the name nearest to the misspelt `name`, as it would be typed ("gen.rmat"): a member of `table`, or
 * if `table` is "", a global or a command. False if none is near. */
bool ls_near_name(lua_State *L, const char *table, const char *name, ls_text *out);
/* Appends a hint, such as " (did you mean `...`?)", for the error message of a Lua text; or nothing. */
void ls_suggest(lua_State *L, const char *message, const char *text, ls_text *out);

/* --- complete.c, vi.c, history.c, help.c ------------------------------------------------------------- */

void ls_complete_install(void);
void ls_vi_install(void);

void ls_history_open(void); /* reads the file; not an error if the history cannot be saved */
void ls_history_add(const char *text);

/* Prints the help on a name; LS_EARG, with a suggestion, if there is none. */
ls_status ls_help(const char *name);
ls_status ls_help_source(const char *name); /* source.c */
/* The text of a file up to its first zero byte, to be freed by free(); NULL if it cannot be read.
 * (source.c) */
char *ls_file_text(const char *path, size_t *bytes);
ls_status ls_list(const char *rest); /* source of a name, around a line number, or ("") around the stop */
/* Does the source of the stopped function's file contain the word? Also true if the source is unknown. */
bool ls_source_has(const char *word);
void ls_help_open(lua_State *L);    /* help(name) in Lua */
void ls_answers_open(lua_State *L); /* Lua's csv and json; with --csv or --json also print (answers.c) */
/* Finds the doc of the function or method that a chain such as gen.rmat or g:stats names, without running
 * code. */
struct ls_doc;
bool ls_help_doc(lua_State *L, const char *chain, struct ls_doc *out);
/* Every name that has a doc, for completion. */
void ls_help_names(void (*each)(void *, const char *), void *ctx);

/* LS_EARG if the name of the file says that it is a graph or a model and not a script; the message says how
 * to load it. (file.c) */
ls_status ls_refuse_data(const char *path);

/* --- paths.c ----------------------------------------------------------------------------------------- */

/* Appends $VARIABLE/lockstep (or $HOME/fallback/lockstep if unset); creates the folder with mode 0700 if
 * absent. */
ls_status ls_user_folder(const char *variable, const char *fallback, ls_text *out);
/* Reads a word of a command line: removes quotes, expands ~, moves *rest past it. False if there is no word
 * left, or no memory (out->failed). */
bool ls_word(const char **rest, ls_text *out);
/* Parses a whole number from 1; `none` if rest is empty. */
ls_status ls_count_of(const char *rest, u64 none, u64 *n);

#endif
