/* What main.c and the files of src/repl/ share: from text to actions, and the prompt's loop. */
#ifndef LS_REPL_REPL_H
#define LS_REPL_REPL_H

#include <stdio.h>

#include "session/session.h"
#include "repl/text.h"

/* --- input.c, stream.c: lines, pieces, blocks
 * ------------------------------------------------------------------ */

typedef enum ls_piece {
  LS_COMPLETE,   /* compiles, as an expression or as statements */
  LS_INCOMPLETE, /* would with more lines */
  LS_MALFORMED,  /* never will */
} ls_piece;

/* Judged on a Lua state of its own: nothing runs. */
ls_piece ls_piece_of(const char *text);

/* The command that a line names (by the rules of `help prompt`), or NULL where the line is Lua. *rest is what
 * follows, within line. */
struct ls_command;
const struct ls_command *ls_line_command(const char *line, const char **rest);

/* Runs one complete piece: a command line or Lua text. name and line place it for messages ("prompt", 1). The
 * failure has been printed. */
ls_status ls_input_piece(const char *text, const char *name, int line);

/* Runs a block of lines (a paste, -e), as pieces.h says. The first failure ends it. (stream.c) */
ls_status ls_input_block(const char *text, const char *name);

/* The same of a stream, of which nothing has been read: what there is to read is a block. stop: at the first
 * failure; else it is standard input, which all ranks run: goes on, and the first failure is what is
 * returned. */
ls_status ls_input_stream(FILE *f, const char *name, bool stop);

/* A line that was typed (number 0), or that number of standard input: runs it, in all ranks where there are
 * several. Behind the last one: waits for the others. (follow.c) */
ls_status ls_lead(const char *text, bool many, int number);
void ls_lead_rest(void);
/* Of several ranks, one above 0: runs the lines of rank 0 until there are no more. (follow.c) */
void ls_follow(void);
/* Is a piece of the prompt rank 0's alone? Commands that look, those that step, help and the shell are. */
bool ls_for_rank_0(const char *text);

/* `quit` and signals that end the session. */
void ls_quit(int code);
bool ls_quitting(int *code);

/* --- line.c: the prompt ------------------------------------------------------------------------------ */

/* SIGINT, SIGHUP, SIGTERM, SIGPIPE: once, before anything runs. */
void ls_signals_install(bool interactive);
/* The prompt's loop, until Ctrl-D, quit or a hang-up. */
void ls_prompt(void);

/* What stands between the prompt and the terminal: a panel. Registered once; all members are given. While it
 * is active, the terminal is its own: it reads the keys and feeds Readline, whose redisplay and terminal
 * functions it has replaced. */
typedef struct ls_front {
  void (*begin)(void); /* Readline has been set up */
  bool (*active)(void);
  int (*wait)(
      void); /* milliseconds until `serve` is wanted though nothing happens; -1: never; 0: `input` is */
  void (*input)(void); /* keys are there: serve one, active or not */
  void (*serve)(void); /* after every event at the prompt, active or not */
  void (*resized)(void);
  void (*idle)(void); /* something runs; on the main thread, every 50 ms or so, active or not */
  void (*accepted)(const char *prompt, const char *line);       /* before it runs; active or not */
  void (*dropped)(const char *prompt, const char *line);        /* by Ctrl-C; active or not */
  void (*names)(void (*each)(void *, const char *), void *ctx); /* what may follow `panel`, for completion */
  bool (*read)(const char *text); /* shows a text page by page; false: it is short, and printed */
  void (*end)(void);              /* the prompt is over */
  void (*leave)(
      void); /* gives the terminal back, async-signal-safe: the process is to be stopped or to end; */
  void (*resume)(void); /* and takes it again */
} ls_front;
void ls_prompt_front(const ls_front *front);
/* Runs a command as if it had been typed; what is being typed stays. Between events at the prompt only. */
void ls_prompt_run(const char *command);
void ls_prompt_wake(void); /* the prompt's wait ends; from any thread or signal handler */
bool ls_prompt_interactive(void);
bool ls_prompt_waits(void);  /* a line is being typed: nothing runs */
bool ls_prompt_called(void); /* Ctrl-C at the prompt, or the end of the session, waits to be served */
/* Waits for a byte to read in the middle of a key or a paste. False: Ctrl-C, or the session is to end. */
bool ls_prompt_await(void);
/* Tells Readline the size of what it writes on, or the least that it can live with; 0, 0: the terminal's.
 * Nothing where Readline has not begun: a script opens the panel before there is a prompt. */
void ls_prompt_size(int rows, int cols);
/* From on to off, Lua code that runs is interrupted 20 times a second to call ls_idle. */
void ls_prompt_ticks(bool on);

void ls_prompt_front_names(void (*each)(void *, const char *), void *ctx);
bool ls_prompt_fronted(void);
void ls_prompt_read(const char *text); /* in the panel: a long text is shown from its beginning */
/* Returns run_it(command), with a panel standing aside meanwhile. */
int ls_prompt_aside(int (*run_it)(const char *command), const char *command);

/* --- shell.c ----------------------------------------------------------------------------------------- */

/* Runs a command of the shell. In a panel what it writes is shown there, and it has no keys, unless it wants
 * the whole terminal. LS_EARG: it ended with another status than 0, or by a signal. */
ls_status ls_shell(const char *command, bool whole_terminal);

/* --- print.c ----------------------------------------------------------------------------------------- */

/* Prints the n values on top of L's stack, one a line (JSON: one JSON value a line), and leaves them there.
 */
ls_status ls_print_values(lua_State *L, int n);
/* One value in one line of at most `width` bytes, from 64 on; of a table as many items as fit. */
void ls_print_brief(lua_State *L, int index, size_t width, ls_text *out);
void ls_print_push(lua_State *L, int index); /* for ls_session_on_text */

/* --- names.c: values by name, without running anything of the user's --------------------------------- */

/* Pushes what a chain like `gen.rmat`, `r.id`, `t[3].x` or `g:stats` stands for (at a stop, as the stopped
 * function sees it), by raw access and __index tables only; false (nothing pushed) where it stands for
 * nothing. */
bool ls_lookup(lua_State *L, const char *chain, size_t len);
/* Calls each(ctx, name, value's Lua type) for every field name of the value at index that is an identifier.
 */
void ls_members(lua_State *L, int index, void (*each)(void *, const char *, int), void *ctx);
/* The name nearest to a misspelt one, among globals and commands ("" as table) or a table's members, written
 * as it would be typed ("gen.rmat"); false where none is near. */
bool ls_near_name(lua_State *L, const char *table, const char *name, ls_text *out);
/* " (did you mean `...`?)" for an error message that a Lua text gave, or nothing. */
void ls_suggest(lua_State *L, const char *message, const char *text, ls_text *out);

/* --- complete.c, vi.c, history.c, help.c -------------------------------------------------------------------
 */

void ls_complete_install(void);
void ls_vi_install(void);

void ls_history_open(void); /* reads the file; a history that cannot be kept is no error */
void ls_history_add(const char *text);

/* Prints what is known of a name; LS_EARG with a suggestion where nothing is. */
ls_status ls_help(const char *name);
ls_status ls_help_source(const char *name); /* source.c */
/* The text of a file, or NULL; the caller's to free(). (source.c) */
char *ls_file_text(const char *path, size_t *bytes);
ls_status ls_list(const char *rest); /* the source around the stop, or line `rest`, or the source of a name */
/* Does the source of what stands at a stop have that word? True also where the source is not known. */
bool ls_source_has(const char *word);
void ls_help_open(lua_State *L);    /* help(name) in Lua */
void ls_answers_open(lua_State *L); /* csv and json in Lua; with --csv and --json also print (answers.c) */
/* What the library says of a function or a method that a chain like gen.rmat or g:stats names. Nothing is
 * run. */
struct ls_doc;
bool ls_help_doc(lua_State *L, const char *chain, struct ls_doc *out);
/* Every name that has a doc, for completion. */
void ls_help_names(void (*each)(void *, const char *), void *ctx);

/* LS_EARG where the path's name is that of a graph's or a model's file: what to do instead of running it.
 * (file.c) */
ls_status ls_refuse_data(const char *path);

/* --- paths.c ----------------------------------------------------------------------------------------- */

/* $VARIABLE/lockstep (fallback: $HOME/fallback/lockstep), made with mode 0700 where it is missing. */
ls_status ls_user_folder(const char *variable, const char *fallback, ls_text *out);
/* A word of a command line: quotes taken off, ~ expanded. *rest moves behind it. false: no word left, or
 * no memory for it (then ls_error() says so). */
bool ls_word(const char **rest, ls_text *out);
/* A whole number from 1; `none` where nothing is given. */
ls_status ls_count_of(const char *rest, u64 none, u64 *n);

#endif
