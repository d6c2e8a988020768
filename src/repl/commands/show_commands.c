/* Commands that show something: help, time, stats, trace, device, compare, info, list, print; and clear,
 * quit. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/output.h"
#include "core/spent.h"
#include "core/wait.h"
#include "lua/bind.h"
#include "repl/commands/command.h"
#include "repl/output/pager.h"
#include "repl/repl.h"
#include "run/devices/device.h"
#include "run/launch/dispatch.h"
#include "run/record/trace.h"

static ls_status lua(const char *text) {
  int n = 0;
  ls_ran ran = ls_session_eval(text, "=prompt", &n);
  return ls_show_of(ran, n, text);
}

ls_status ls_answer(lua_CFunction push, const void *given) {
  lua_State *L = ls_session_lua();
  lua_pushcfunction(L, push);
  lua_pushlightuserdata(L, (void *)(uintptr_t)given);
  ls_status st = LS_OK;
  if (lua_pcall(L, 1, 1, 0) == LUA_OK)
    st = ls_print_values(L, 1);
  else
    st = ls_fail(LS_EMEM, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
  return st;
}

static int push_trace(lua_State *L) {
  lua_newtable(L);
  lua_pushboolean(L, ls_trace_enabled());
  lua_setfield(L, -2, "on");
  if (ls_trace_last() == 0 || ls_trace_last() < ls_trace_first()) return 1;
  lua_pushinteger(L, (lua_Integer)ls_trace_first());
  lua_setfield(L, -2, "first");
  lua_pushinteger(L, (lua_Integer)ls_trace_last());
  lua_setfield(L, -2, "last");
  return 1;
}

static ls_status help(const char *rest) { return ls_pager(ls_help, rest); }

/* --- time -------------------------------------------------------------------------------------------- */

/* The time of a run, and its parts. host: the clock time that no other part accounts for; overlap: by how
 * much the sum of the other parts exceeds the clock time, because some of them ran at the same time. */
typedef struct run_time {
  double clock, part[LS_SPENT_PARTS], host, overlap;
} run_time;

static const char *const part_names[LS_SPENT_PARTS] = {
    [LS_SPENT_KERNELS] = "kernels", [LS_SPENT_COPIES] = "copies", [LS_SPENT_ALLOCATION] = "allocation"};

static int push_times(lua_State *L) {
  const run_time *t = lua_touserdata(L, 1);
  lua_newtable(L);
  ls_set_number(L, "seconds", t->clock);
  if (!ls_trace_enabled()) return 1;
  for (int i = 0; i < LS_SPENT_PARTS; i++) ls_set_number(L, part_names[i], t->part[i]);
  ls_set_number(L, "host", t->host);
  return 1;
}

static const char *seconds_text(double seconds, char out[24]) {
  const bool micro = seconds < 1e-3, milli = seconds < 1;
  snprintf(out, 24,
           micro   ? "%.1f us"
           : milli ? "%.2f ms"
                   : "%.3f s",
           seconds * (micro   ? 1e6
                      : milli ? 1e3
                              : 1));
  return out;
}

static void say_parts(const run_time *t) {
  char text[24];
  for (int i = 0; i < LS_SPENT_PARTS; i++) ls_say("%s %s, ", part_names[i], seconds_text(t->part[i], text));
  ls_say("host %s", seconds_text(t->host, text));
  if (t->overlap > 0) ls_say(", of which at the same time %s", seconds_text(t->overlap, text));
}

static int ascending(const void *a, const void *b) {
  const double x = ((const run_time *)a)->clock, y = ((const run_time *)b)->clock;
  return (x > y) - (x < y);
}

/* Sets t->part to the times spent so far. To be called before and after the timed run, not within it, because
 * it waits until the times of all kernels are known. */
static void read_parts(run_time *t) {
  ls_trace_last();
  for (int i = 0; i < LS_SPENT_PARTS; i++) t->part[i] = ls_spent((ls_spent_part)i);
}

/* The time of a run between two readings. */
static run_time between(const run_time *before, const run_time *after, double clock) {
  run_time t = {.clock = clock, .host = clock};
  for (int i = 0; i < LS_SPENT_PARTS; i++) t.host -= t.part[i] = after->part[i] - before->part[i];
  t.overlap = t.host < 0 ? -t.host : 0;
  t.host += t.overlap;
  return t;
}

/* The mean of two runs. */
static run_time middle(const run_time *a, const run_time *b) {
  run_time t = {.clock = 0.5 * (a->clock + b->clock),
                .host = 0.5 * (a->host + b->host),
                .overlap = 0.5 * (a->overlap + b->overlap)};
  for (int i = 0; i < LS_SPENT_PARTS; i++) t.part[i] = 0.5 * (a->part[i] + b->part[i]);
  return t;
}

/* Evaluates the text `runs` times; prints the values of the last run, the median time, and the parts of that
 * run. */
static ls_status time_runs(const char *text, int runs) {
  enum { MOST = 1000 };
  static run_time times[MOST];
  ls_ran ran = LS_DONE;
  if (runs < 1 || runs > MOST) return ls_fail(LS_EARG, "time %d: expected 1 to %d runs", runs, MOST);
  for (int i = 0, n = 0; i < runs && ran == LS_DONE; i++) {
    run_time before, after;
    read_parts(&before);
    const double begin = ls_now();
    ran = ls_session_eval(text, "=time", &n);
    const double clock = ls_now() - begin;
    read_parts(&after);
    times[i] = between(&before, &after, clock);
    if (ran == LS_DONE && i + 1 < runs) {
      lua_pop(ls_session_lua(), n);
      continue;
    }
    ls_status st = ls_show_of(ran, n, text);
    if (st || ran != LS_DONE) return st;
  }
  qsort(times, (size_t)runs, sizeof *times, ascending);
  run_time median = middle(&times[(runs - 1) / 2], &times[runs / 2]);
  if (ls_out.form != LS_TEXT) return ls_answer(push_times, &median);
  char clock[24], least[24], most[24];
  ls_say("%s%s", runs > 1 ? "median " : "", seconds_text(median.clock, clock));
  if (runs > 1)
    ls_say(" of %d runs, from %s to %s", runs, seconds_text(times[0].clock, least),
           seconds_text(times[runs - 1].clock, most));
  if (ls_trace_enabled()) {
    ls_say(runs > 1 ? "\n" : ": ");
    say_parts(&median);
  } else {
    ls_say(" (to see its parts, turn the trace on with `trace on`)");
  }
  ls_say("\n");
  return LS_OK;
}

/* `time 5 scc(g)`: a number before an expression is the number of runs. */
static ls_status time_it(const char *rest) {
  if (!*rest)
    return ls_fail(LS_EARG, "time needs an expression: time scc(g), or time 5 scc(g) for five runs");
  const size_t digits = strspn(rest, "0123456789"), space = strspn(rest + digits, " \t");
  const char *text = rest + digits + space;
  const bool counted =
      digits > 0 && digits < 8 && space > 0 && (isalpha((unsigned char)*text) || *text == '_');
  return counted && strncmp(text, "and ", 4) != 0 && strncmp(text, "or ", 3) != 0
             ? time_runs(text, atoi(rest))
             : time_runs(rest, 1);
}

static ls_status stats(const char *rest) {
  if (!*rest) return lua("stats()");
  if (strcmp(rest, "lines") == 0) return lua("stats{by = 'line'}");
  if (strcmp(rest, "reset") == 0) {
    ls_trace_reset();
    return LS_OK;
  }
  const char *after = rest;
  ls_text word = {0}, chunk = {0};
  ls_status st = LS_OK;
  if (ls_word(&after, &word) && (strcmp(word.s, "by") == 0 || strcmp(word.s, "sort") == 0) && *after) {
    ls_text_puts(&chunk, "stats{by = ");
    ls_text_quote(&chunk, after + strspn(after, " \t"));
    ls_text_putc(&chunk, '}');
    st = chunk.failed ? LS_EMEM : lua(chunk.s);
  } else {
    st = ls_fail(
        LS_EARG,
        "stats %s: expected no argument, `lines`, `reset`, or `by` and a column, as in `stats by limit`",
        rest);
  }
  ls_text_free(&word);
  ls_text_free(&chunk);
  return st;
}

static ls_status trace(const char *rest) {
  if (strcmp(rest, "on") == 0 || strcmp(rest, "off") == 0) {
    ls_trace_enable(rest[1] == 'n');
    return LS_OK;
  }
  const char *after = rest;
  ls_text word = {0}, path = {0}, chunk = {0};
  ls_status st = LS_OK;
  if (!ls_word(&after, &word) && ls_out.form != LS_TEXT) {
    st = ls_answer(push_trace, NULL);
  } else if (!word.len) {
    u64 first = ls_trace_first(), last = ls_trace_last();
    ls_say("tracing is %s", ls_trace_enabled() ? "on" : "off");
    if (last >= first && last > 0)
      ls_say("; records #%llu to #%llu are kept", (unsigned long long)first, (unsigned long long)last);
    ls_say("\n");
  } else if (strcmp(word.s, "save") == 0) {
    if (ls_word(&after, &path)) {
      ls_text_call(&chunk, "trace.save", path.s, NULL);
      st = chunk.failed ? LS_EMEM : lua(chunk.s);
    } else {
      st = ls_fail(LS_EARG, "trace save needs a file (.json: Chrome or Perfetto, .csv, .jsonl)");
    }
  } else if (strspn(word.s, "0123456789") == strlen(word.s) && atoi(word.s) > 0) {
    ls_text_printf(&chunk, "trace.last(%d)", atoi(word.s));
    st = chunk.failed ? LS_EMEM : lua(chunk.s);
  } else {
    st = ls_fail(LS_EARG, "trace [on | off | N | save FILE]");
  }
  ls_text_free(&word);
  ls_text_free(&path);
  ls_text_free(&chunk);
  return st;
}

/* --- devices and memory ------------------------------------------------------------------------------ */

static const char *bytes_text(u64 bytes, char *out, size_t size) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double x = (double)bytes;
  int u = 0;
  while (x >= 1024 && u < 4) x /= 1024, u++;
  snprintf(out, size, u == 0 ? "%.0f %s" : "%.1f %s", x, units[u]);
  return out;
}

static void say_device(const ls_device *d) {
  char all[32], left[32];
  u64 unused;
  bool known = !d->lost && ls_device_memory_free(d, &unused) == LS_OK;
  ls_say("%c %-8s %s, %d %s, %s%s%s%s\n", d == ls_device_current() ? '*' : ' ', d->name, d->model, d->units,
         d->processor == LS_CUDA ? "multiprocessors" : "cores", bytes_text(d->memory, all, sizeof all),
         known ? ", free " : "", known ? bytes_text(unused, left, sizeof left) : "", d->lost ? ", LOST" : "");
}

static ls_status device(const char *rest) {
  if (*rest) {
    if (strpbrk(rest, " \t,")) return ls_device_only_one();
    if (strcmp(rest, "reset") == 0)
      return ls_fail(
          LS_EARG,
          "device: a lost GPU cannot be reset by this process: after such an error the CUDA driver allows a "
          "new context only in a new process; save what the host holds, and start lockstep again");
    ls_device *d = ls_device_find(rest);
    if (!d) return LS_EDEVICE;
    ls_device_use(d);
    if (ls_out.form != LS_TEXT) return lua("device()");
    say_device(d);
    return LS_OK;
  }
  if (ls_out.form != LS_TEXT) return lua("device.list()");
  for (int i = 0; i < ls_devices(); i++) say_device(ls_device_at(i));
  return LS_OK;
}

/* Prints the setting of `compare`, and its cost. */
static void say_compare(void) {
  ls_device *a, *b;
  char tally[120];
  ls_compare_tally(tally, sizeof tally);
  if (!ls_compare_on(&a, &b))
    ls_note("compare off: each kernel runs once, on %s, and nothing is compared%s%s\n",
            ls_device_current()->name, *tally ? ". While it was on: " : "", tally);
  else
    ls_note(
        "compare on: from now on each kernel runs on %s and on %s, and the first value that differs is reported; "
        "this takes the time of both, and of the copies between them\n",
        a->name, b->name);
}

/* Runs a call of compare(...). Prints its values with --json or --csv, else a sentence on the new setting. */
static ls_status compare_by(const char *chunk) {
  if (ls_out.form != LS_TEXT) return lua(chunk);
  int n = 0;
  const ls_ran ran = ls_session_eval(chunk, "=prompt", &n);
  if (ran != LS_DONE) return ls_show_of(ran, n, chunk);
  lua_pop(ls_session_lua(), n);
  say_compare();
  return LS_OK;
}

static ls_status compare(const char *rest) {
  if (!*rest) return compare_by("compare()");
  if (strcmp(rest, "off") == 0) return compare_by("compare(false)");
  const char *after = rest;
  ls_text a = {0}, b = {0}, chunk = {0};
  ls_status st = LS_OK;
  if (!ls_word(&after, &a) || !ls_word(&after, &b) || *after) {
    st = ls_prim_find(ls_text_str(&a))
             ? ls_fail(LS_EARG,
                       "compare applies to all kernels, not only to %s: `compare cpu cpu:1` or `compare cpu "
                       "cuda` runs each on both devices, which takes the time of both; `compare off` ends it",
                       a.s)
             : ls_fail(LS_EARG, "compare needs two devices, as in `compare cpu cuda`, or off");
  } else {
    ls_text_call(&chunk, "compare", a.s, b.s);
  }
  if (!st) st = chunk.failed ? LS_EMEM : compare_by(chunk.s);
  ls_text_free(&a);
  ls_text_free(&b);
  ls_text_free(&chunk);
  return st;
}

/* Calls `each` for every global graph and buffer, with its name and a line about it. */
static void each_data(lua_State *L, void (*each)(lua_State *L, const char *name, const char *line)) {
  lua_pushglobaltable(L);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    if (lua_type(L, -2) == LUA_TSTRING && (ls_test_graph(L, -1) || ls_test_buffer(L, -1)) &&
        *lua_tostring(L, -2) != '_') {
      ls_text line = {0};
      ls_print_brief(L, -1, 64, &line);
      each(L, lua_tostring(L, -2), ls_text_str(&line));
      ls_text_free(&line);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void say_data(lua_State *L, const char *name, const char *line) {
  (void)L;
  ls_say("  %-10s %s\n", name, line);
}

static int list_data(lua_State *L) {
  each_data(L, say_data);
  return 0;
}

static void set_data(lua_State *L, const char *name, const char *line) {
  lua_pushstring(L, line);
  lua_setfield(L, 2, name); /* 2: the first table of push_info */
}

static int push_info(lua_State *L) {
  const struct {
    const char *name;
    u64 bytes;
  } memory[] = {{"host_bytes", ls_mem_in_use()},
                {"host_peak_bytes", ls_mem_peak()},
                {"device_bytes", ls_buffer_device_bytes()},
                {"lua_bytes", 1024 * (u64)lua_gc(L, LUA_GCCOUNT)}};
  lua_newtable(L);
  each_data(L, set_data);
  lua_newtable(L);
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
    lua_pushinteger(L, (lua_Integer)memory[i].bytes);
    lua_setfield(L, -2, memory[i].name);
  }
  lua_pushstring(L, ls_device_current()->name);
  lua_setfield(L, -2, "device");
  lua_pushvalue(L, 2);
  lua_setfield(L, -2, "data");
  return 1;
}

/* The command for a subject of gdb's info: info break, info locals, info stack; else NULL. */
static const ls_command *of_debugger(const char *rest) {
  static const char *const names[][2] = {
      {"break", "break"},       {"breakpoints", "break"}, {"b", "break"},          {"watch", "break"},
      {"watchpoints", "break"}, {"locals", "locals"},     {"variables", "locals"}, {"stack", "backtrace"},
      {"frame", "where"},       {"display", "display"},   {"source", "list"},      {"line", "where"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(rest, names[i][0]) == 0) return ls_command_find(names[i][1], strlen(names[i][1]));
  return NULL;
}

static ls_status info(const char *rest) {
  char used[32], peak[32], on_device[32];
  lua_State *L = ls_session_lua();
  const ls_command *other = of_debugger(rest);
  if (other) return other->exec("");
  if (*rest) return help(rest);
  if (ls_out.form != LS_TEXT) return ls_answer(push_info, NULL);
  say_device(ls_device_current());
  ls_say("  host %s (peak %s), device %s, Lua %d KiB\n", bytes_text(ls_mem_in_use(), used, sizeof used),
         bytes_text(ls_mem_peak(), peak, sizeof peak),
         bytes_text(ls_buffer_device_bytes(), on_device, sizeof on_device), lua_gc(L, LUA_GCCOUNT));
  ls_session_try(L, list_data, NULL);
  return LS_OK;
}

static ls_status print(const char *rest) {
  if (!*rest) return ls_fail(LS_EARG, "print what? print EXPR; an expression alone shows its value too");
  return lua(rest);
}

static ls_status clear(const char *rest) {
  if (*rest)
    return ls_fail(LS_EARG,
                   "clear takes no argument; `delete` deletes breakpoints, NAME = nil forgets a value");
  if (ls_prompt_interactive()) ls_say_raw("\033[H\033[2J");
  return LS_OK;
}

static ls_status list(const char *rest) { return ls_list(rest); }

static ls_status quit(const char *rest) {
  char *end;
  long code = strtol(rest, &end, 10);
  if (*end || code < 0 || code > 255) return ls_fail(LS_EARG, "quit takes an exit code from 0 to 255");
  ls_quit((int)code);
  return LS_OK;
}

const ls_command ls_commands_look[] = {
    {"help", "help [NAME]",
     "Lists topics, commands and functions; with NAME, says what it does.\n"
     "?NAME is the same, ??NAME shows the source: Lua of an algorithm, C of a primitive.",
     help, false},
    {"time", "time [N] EXPR",
     "Evaluates EXPR, shows its value and the time that it took.\n"
     "The clock is the sum of the times of kernels, copies, the allocation of buffers, and what Lua and the host do besides.\n"
     "time 5 scc(g) runs it five times and shows the median, the least and the greatest time, and the parts of the median run.",
     time_it, false},
    {"stats", "stats [by COLUMN | lines | reset]",
     "The times of the primitives that ran; stats lines: of the script's lines.\n"
     "stats by limit sorts by the time that would be saved at the device's limit (gain); stats by COLUMN by another one.\n"
     "All runs since the start are counted; after stats reset, those since then.\n"
     "Calls, total, average, median, GB/s and the share of the device's limit; the last row is the host's part.",
     stats, false},
    {"trace", "trace [on | off | N | save FILE]",
     "The record of what ran.\n"
     "trace N shows the last N records; save writes Chrome or Perfetto JSON (.json), .csv or .jsonl.",
     trace, false},
    {"device", "device [NAME]",
     "Lists the devices; with NAME, runs on that one from now on: cpu, cpu:1, cuda, cuda:1, auto.", device,
     false},
    {"compare", "compare [A B | off]",
     "Runs every primitive on two devices and compares their results.\n"
     "As in `compare cpu cuda`, or without a GPU `compare cpu cpu:1`. If the results differ, a started algorithm stops,\n"
     "and goes on with the results of A; other code fails with an error.",
     compare, false},
    {"info", "info [break | locals | stack | display | NAME]",
     "Memory, the device, graphs and buffers.\n"
     "info break lists the breakpoints, as `break` does; info locals, stack and display are `locals`, `backtrace`\n"
     "and `display`; info NAME is help NAME.",
     info, false},
    {"list", "list [LINE | NAME]",
     "Shows the source: at a stop the lines around it, with > before the current line.\n"
     "list LINE shows the lines around that one, list NAME the source of a function or a kernel, as ??NAME does. `ls` is\n"
     "the same. For the files of a folder: !ls.",
     list, false},
    {"print", "print EXPR", "Shows the value of EXPR, as the line EXPR does.", print, false},
    {"clear", "clear",
     "Clears the screen; in the panel, the pane of the prompt. So does Ctrl-L without the panel.", clear,
     false},
    {"quit", "quit [CODE]",
     "Leaves; so do `exit` and Ctrl-D. At a terminal it asks first, if an algorithm is stopped.", quit,
     false},
    {NULL, NULL, NULL, NULL, false},
};
