#include "panel/canvas/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/child.h"
#include "core/mem.h"
#include "core/nearest.h"
#include "core/atomic_file.h"
#include "core/escape.h"
#include "core/text.h"
#include "core/wait.h"
#include "panel/canvas/figure.h"
#include "panel/views/series.h"
#include "repl/commands/command.h"
#include "repl/repl.h"

/* --- in the terminal --------------------------------------------------------------------------------- */

/* The legend, "a live   b trimmed": returns how many lines it takes. Draws it only if `end` is not NULL; *end
 * becomes the column after the last entry. */
static int draw_legend(ls_canvas *c, const ls_plot *p, int *end) {
  int row = 0, col = 0;
  for (int i = 0; i < p->count; i++) {
    const int width = 2 + ls_text_width(p->lines[i].name);
    if (col > 0 && col + width > c->cols) row++, col = 0;
    if (end) {
      ls_draw_char(c, ls_canvas_all(c), row, col, (ls_style)(LS_SERIES1 + i % 6), (u32)('a' + i));
      ls_draw_text(c, ls_canvas_all(c), row, col + 2, LS_TEXT_STYLE, p->lines[i].name);
    }
    col += width + 3;
  }
  if (end) *end = col;
  return row + 1;
}

static ls_status in_terminal(const ls_plot *p) {
  const int columns = ls_output_columns();
  int width = p->width ? p->width : columns > 24 && columns < 100 ? columns - 2 : columns ? 98 : 78;
  int height = p->height ? p->height : 16;
  if (width > 400) width = 400;
  if (height > 200) height = 200;
  ls_canvas c = {.symbols = ls_out.symbols, .utf8 = ls_out.symbols != LS_ASCII};
  ls_figure_line lines[LS_PLOT_LINES] = {{0}};
  ls_xy *points[LS_PLOT_LINES] = {NULL};
  char *text = NULL;
  ls_status st = LS_OK;
  for (int i = 0; !st && i < p->count; i++) {
    points[i] = ls_malloc(p->lines[i].count * sizeof **points);
    if (!points[i]) st = LS_EMEM;
    for (u64 k = 0; !st && k < p->lines[i].count; k++)
      points[i][k] = (ls_xy){p->lines[i].x[k], p->lines[i].y[k]};
    lines[i] = (ls_figure_line){(char)('a' + i), (ls_style)(LS_SERIES1 + i % 6), points[i],
                                (int)p->lines[i].count, p->points};
  }
  if (!st) st = ls_canvas_resize(&c, 1, width);
  if (!st) {
    const int top = (*p->title != '\0') + draw_legend(&c, p, NULL);
    st = ls_canvas_resize(&c, top + height, width);
  }
  if (!st) {
    char label[128];
    const int titled = *p->title != '\0';
    if (titled) ls_draw_cut(&c, ls_canvas_all(&c), 0, 0, width, LS_TITLE, p->title);
    ls_canvas rest = c;
    rest.cells += titled * width;
    rest.rows -= titled;
    int end = 0;
    const int legend = draw_legend(&rest, p, &end);
    const ls_axes axes = ls_figure_axes(lines, p->count, p->log_x, p->log_y);
    if (*p->y_name || p->log_y) {
      snprintf(label, sizeof label, "up: %s%s", p->y_name, p->log_y ? *p->y_name ? " (log)" : "log" : "");
      if (rest.cols - ls_text_width(label) > end)
        ls_draw_right(&rest, ls_canvas_all(&rest), legend - 1, rest.cols, LS_DIM, label);
    }
    snprintf(label, sizeof label, "%s%s", p->x_name, p->log_x ? *p->x_name ? " (log)" : "log" : "");
    ls_figure_draw(&rest, ls_rect_cut(ls_canvas_all(&rest), legend), &axes, lines, p->count, label);
    text = ls_canvas_text(&c);
    if (!text) st = LS_EMEM;
  }
  if (!st) ls_say("%s", text);
  for (int i = 0; i < p->count; i++) ls_free(points[i]);
  ls_free(text);
  ls_canvas_free(&c);
  return st;
}

/* --- by gnuplot -------------------------------------------------------------------------------------- */

/* Writes a string literal of gnuplot: within single quotes, only the quote itself is special. */
static void quote(FILE *f, const char *s) {
  char one[LS_ESCAPED_CHAR];
  fputc('\'', f);
  while (*s) {
    if (*s == '\'') fputc('\'', f);
    s += ls_escaped_char(s, SIZE_MAX, 0, one);
    fputs(one, f);
  }
  fputc('\'', f);
}

static const char *const endings[] = {".svg", ".png", ".pdf", ".csv"};

enum { SVG, PNG, PDF, CSV, FORMS };

/* The form that belongs to the ending of a file's name; FORMS if none does. */
static int form_of(const char *path) {
  int form = 0;
  while (form < FORMS && !ls_ends_in(path, endings[form])) form++;
  return form;
}

static ls_status no_form(const char *path) {
  return ls_fail(LS_EARG, "%s: expected a .svg, .png or .pdf file for a plot, or a .csv file for its numbers",
                 path);
}

/* Can the point not be drawn, because one of its values is <= 0 on a logarithmic axis? */
static bool homeless(const ls_plot *p, f64 x, f64 y) { return (p->log_x && x <= 0) || (p->log_y && y <= 0); }

/* Sets a logarithmic axis whose range is that of the values with a small margin; by default, gnuplot would
 * extend it to whole powers of ten. If it spans less than three decades, the multiples 2 and 5 are labelled,
 * too. */
static void write_decades(FILE *f, const ls_plot *p, char axis) {
  f64 low = INFINITY, high = 0;
  for (int i = 0; i < p->count; i++)
    for (u64 k = 0; k < p->lines[i].count; k++) {
      const f64 x = p->lines[i].x[k], y = p->lines[i].y[k], z = axis == 'x' ? x : y;
      if (!isfinite(x) || !isfinite(y) || homeless(p, x, y)) continue;
      low = fmin(low, z), high = fmax(high, z);
    }
  fprintf(f, "set logscale %c\n", axis);
  if (!(low <= high)) return;
  const f64 room = fmax(pow(high / low, 0.03), 1.02);
  fprintf(f, "set %crange [%.17g:%.17g]\n", axis, low / room, high * room);
  if (high / low >= 1000) return;
  static const int steps[] = {1, 2, 5};
  const char *comma = "";
  fprintf(f, "set %ctics (", axis);
  for (int e = (int)floor(log10(low)) - 1; e <= (int)ceil(log10(high)); e++)
    for (int i = 0; i < 3; i++) {
      const f64 at = steps[i] * pow(10, e);
      if (at < low / room || at > high * room) continue;
      fprintf(f, "%s%.12g", comma, at);
      comma = ", ";
    }
  fputs(*comma ? ")\n" : "'' 1)\n", f);
  if (!*comma) fprintf(f, "set %ctics autofreq\n", axis);
}

/* Writes the script for gnuplot. Lines differ in colour, dashes and signs. gnuplot writes the picture to its
 * standard output, so that the script contains no path. */
static void write_script(FILE *f, const ls_plot *p, int form) {
  static const char *const colours[] = {"#0b69a3", "#b25600", "#1a7f37", "#8a3fa0", "#7a6300", "#b4304a"};
  const int width = p->width ? p->width : 800, height = p->height ? p->height : 500;
  if (form == SVG)
    fprintf(f, "set terminal svg size %d,%d dynamic noenhanced background '#ffffff'\n", width, height);
  else if (form == PDF) /* 800 pixels are 5 inches */
    fprintf(f, "set terminal pdfcairo size %.4gin,%.4gin noenhanced\n", width / 160.0, height / 160.0);
  else
    fprintf(f,
            "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) { set terminal pngcairo size %d,%d noenhanced } "
            "else { set terminal png size %d,%d noenhanced }\n",
            width, height, width, height);
  fputs(
      "set datafile missing 'NaN'\nset grid lc rgb '#d0d7de'\nset key outside bottom center horizontal noenhanced\nset border 3\nset tics nomirror\nset format '%g'\n",
      f);
  fputs("set title noenhanced ", f), quote(f, p->title);
  fputs("\nset xlabel noenhanced ", f), quote(f, p->x_name);
  fputs("\nset ylabel noenhanced ", f), quote(f, p->y_name);
  fputc('\n', f);
  if (p->log_x) write_decades(f, p, 'x');
  if (p->log_y) write_decades(f, p, 'y');
  for (int i = 0; i < p->count; i++) {
    fprintf(f, "$line%d << end_of_line\n", i);
    for (u64 k = 0; k < p->lines[i].count; k++) {
      const f64 x = p->lines[i].x[k], y = p->lines[i].y[k];
      if (isfinite(x) && isfinite(y) && !homeless(p, x, y))
        fprintf(f, "%.17g %.17g\n", x, y);
      else
        fputc('\n', f); /* a gap */
    }
    fputs("end_of_line\n", f);
  }
  for (int i = 0; i < p->count; i++) {
    fprintf(f, "%s $line%d using 1:2 with %s lc rgb '%s' dt %d pt %d ps 0.8 lw 1.6 title ", i ? "," : "plot",
            i,
            p->points                ? "points"
            : p->lines[i].count > 64 ? "lines"
                                     : "linespoints",
            colours[i % 6], i % 5 + 1, i + 1);
    quote(f, p->lines[i].name);
  }
  fputc('\n', f);
}

/* Limits of the gnuplot process: address space in bytes, processor time in seconds. */
#define MOST_MEMORY (16ull << 30)
enum { MOST_SECONDS = 600 };

/* Starts gnuplot with its default settings (-d ignores ~/.gnuplot). The descriptors are its standard input,
 * output and error. */
static ls_status start(int in, int out, int complaints, pid_t *pid) {
  char *const argv[] = {"gnuplot", "-d", "-", NULL};
  const ls_child c = {
      .words = argv, .in = in, .out = out, .err = complaints, .memory = MOST_MEMORY, .seconds = MOST_SECONDS};
  const int error = ls_child_start(&c, pid);
  if (error == ENOENT)
    return ls_fail(
        LS_EIO,
        "gnuplot is not installed (apt-get install gnuplot-nox): plot without a file draws in the terminal");
  return error ? ls_fail(LS_EIO, "gnuplot: %s", strerror(error)) : LS_OK;
}

/* Copies gnuplot's output from the pipe to the file, because gnuplot itself does not notice a full disk. */
static ls_status take_picture(int from, ls_atomic_file *to, u64 *bytes) {
  char part[1 << 14];
  struct pollfd p = {.fd = from, .events = POLLIN};
  for (;;) {
    if (ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "%s: interrupted", to->path);
    if (poll(&p, 1, 40) <= 0) {
      ls_idle();
      continue;
    }
    const ssize_t n = read(from, part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ls_fail(LS_EIO, "gnuplot: %s", strerror(errno));
    if (n == 0) return LS_OK;
    *bytes += (u64)n;
    const ls_status st = ls_atomic_file_write(to, part, (size_t)n);
    if (st) return st;
  }
}

/* Runs gnuplot, and waits until it has ended, even after a failure. *good: its exit status is 0 and it wrote
 * something. */
static ls_status run(int in, ls_atomic_file *to, int complaints, bool *good) {
  int ends[2], status = 0;
  pid_t pid = 0;
  u64 bytes = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) return ls_fail(LS_EIO, "gnuplot: %s", strerror(errno));
  ls_status st = start(in, ends[1], complaints, &pid);
  close(ends[1]);
  if (!st) {
    st = take_picture(ends[0], to, &bytes);
    if (st)
      ls_child_kill(pid, &status);
    else
      ls_child_wait(pid, &status);
    *good = WIFEXITED(status) && WEXITSTATUS(status) == 0 && bytes > 0;
  }
  close(ends[0]);
  return st;
}

/* Fails with the first line of gnuplot's error output that is not blank. */
static ls_status complain(const char *path, FILE *f) {
  char line[256] = "";
  rewind(f);
  while (fgets(line, sizeof line, f) && line[strspn(line, " \t\n^")] == '\0') line[0] = '\0';
  line[strcspn(line, "\n")] = '\0';
  return ls_fail(LS_EIO, "%s: gnuplot failed: %s", path, *line ? line : "it doesn't say why");
}

static ls_status by_gnuplot(const ls_plot *p, int form) {
  FILE *script = tmpfile(), *complaints = tmpfile();
  ls_atomic_file out;
  bool good = false;
  ls_status st = LS_OK;
  if (!script || !complaints) st = ls_fail(LS_EIO, "no temporary file: %s", strerror(errno));
  if (!st) {
    write_script(script, p, form);
    if (fflush(script) != 0 || ferror(script)) st = ls_fail(LS_EIO, "no temporary file: %s", strerror(errno));
    lseek(fileno(script), 0, SEEK_SET);
  }
  if (!st && !(st = ls_atomic_file_open(&out, p->file))) {
    st = run(fileno(script), &out, fileno(complaints), &good);
    if (!st && !good) st = complain(p->file, complaints);
    st = ls_atomic_file_close(&out, st);
  }
  if (script) fclose(script);
  if (complaints) fclose(complaints);
  return st;
}

/* --- as numbers -------------------------------------------------------------------------------------- */

/* Writes a number so that it reads back exactly; an empty field if it is not finite. */
static void put_number(FILE *f, f64 x) {
  char text[40];
  if (isfinite(x)) fputs(ls_exact(x, text), f);
}

static bool share_x(const ls_plot *p) {
  const ls_plot_line *first = &p->lines[0];
  for (int i = 1; i < p->count; i++) {
    if (p->lines[i].count != first->count) return false;
    for (u64 k = 0; k < first->count; k++)
      if (p->lines[i].x[k] != first->x[k]) return false;
  }
  return true;
}

/* If all lines have the same x: one column per line. Else one row per point: the name of its line, x and
 * y. */
static ls_status write_csv(FILE *f, void *arg) {
  const ls_plot *p = arg;
  const char *x_name = p->x_name && *p->x_name ? p->x_name : "x";
  const char *y_name = p->y_name && *p->y_name ? p->y_name : NULL;
  const bool wide = share_x(p);
  if (!wide) fputs("series,", f);
  ls_put_csv(f, x_name);
  for (int i = 0; i < p->count && wide; i++) {
    fputc(',', f);
    ls_put_csv(f, p->count == 1 && y_name ? y_name : p->lines[i].name);
  }
  if (!wide) fprintf(f, ",value");
  fputc('\n', f);
  for (int i = 0; i < (wide ? 1 : p->count); i++)
    for (u64 k = 0; k < p->lines[i].count; k++) {
      if (!wide) ls_put_csv(f, p->lines[i].name), fputc(',', f);
      put_number(f, p->lines[i].x[k]);
      for (int j = i; j < (wide ? p->count : i + 1); j++) fputc(',', f), put_number(f, p->lines[j].y[k]);
      fputc('\n', f);
    }
  return LS_OK;
}

ls_status ls_plot_draw(const ls_plot *p) {
  const int form = p->file ? form_of(p->file) : FORMS;
  if (p->file && form == FORMS) return no_form(p->file);
  if (form == CSV && p->count > 0) {
    const ls_status st = ls_atomic_file_write_all(p->file, write_csv, (void *)(uintptr_t)p);
    if (!st) ls_note("(wrote %s)\n", p->file);
    return st;
  }
  u64 points = 0, without_place = 0;
  for (int i = 0; i < p->count; i++)
    for (u64 k = 0; k < p->lines[i].count; k++) {
      const f64 x = p->lines[i].x[k], y = p->lines[i].y[k];
      if (!isfinite(x) || !isfinite(y)) continue;
      points++;
      if (homeless(p, x, y)) without_place++;
    }
  if (points == 0)
    return ls_fail(LS_EARG, "plot: nothing to draw: there is no point whose x and y are numbers");
  if (p->file && points == without_place)
    return ls_fail(LS_EARG, "plot: nothing to draw: no point has a value above 0 on the logarithmic axis");
  const ls_status st = p->file ? by_gnuplot(p, form) : in_terminal(p);
  if (!st && without_place)
    ls_note("(%llu of %llu points %s 0 or less, which a logarithmic axis cannot show: %s)\n",
            (unsigned long long)without_place, (unsigned long long)points, without_place == 1 ? "is" : "are",
            p->file ? "left out" : "drawn at its lower end");
  if (!st && p->file) ls_note("(wrote %s)\n", p->file);
  return st;
}

/* --- the command ------------------------------------------------------------------------------------- */

/* Finds a series by name: "trimmed" is the mark of that name, else the count trim.trimmed. */
static const ls_series *find(const ls_series_set *set, const char *name) {
  for (int i = 0; i < set->count; i++)
    if (strcmp(set->series[i].name, name) == 0) return &set->series[i];
  for (int i = 0; i < set->count; i++) {
    const char *dot = strchr(set->series[i].name, '.');
    if (dot && strcmp(dot + 1, name) == 0) return &set->series[i];
  }
  return NULL;
}

static ls_status unknown(const ls_series_set *set, const char *name) {
  const char *names[LS_SERIES_MOST];
  const char *ending = strrchr(name, '.');
  static const char *const others[] = {".eps", ".ps", ".jpg", ".html", ".txt"};
  for (size_t i = 0; ending && i < sizeof others / sizeof *others; i++)
    if (strcmp(ending, others[i]) == 0) return no_form(name);
  for (int i = 0; i < set->count; i++) names[i] = set->series[i].name;
  const char *near = ls_nearest(name, names, (size_t)set->count);
  if (near) return ls_fail(LS_EARG, "the run has no series '%s' (did you mean %s?)", name, near);
  if (!set->count)
    return ls_fail(LS_EARG, "the run has no series '%s': nothing that records a series has run yet", name);
  char known[400] = "";
  for (int i = 0; i < set->count; i++) {
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", names[i]);
  }
  return ls_fail(LS_EARG, "the run has no series '%s'; it has %s", name, known);
}

typedef struct request {
  const ls_series *chosen[LS_PLOT_LINES];
  int count;
  bool log, iterations;
  ls_text file;
} request;

static ls_status read_words(const char *rest, const ls_series_set *set, request *r) {
  ls_status st = LS_OK;
  for (ls_text word = {0}; !st && ls_word(&rest, &word); ls_text_free(&word)) {
    const ls_series *s = find(set, ls_text_str(&word));
    if (word.failed)
      st = LS_EMEM;
    else if (!s && strcmp(word.s, "log") == 0)
      r->log = true;
    else if (!s && strcmp(word.s, "iterations") == 0)
      r->iterations = true;
    else if (form_of(word.s) < FORMS)
      ls_text_cut(&r->file, 0), ls_text_puts(&r->file, word.s);
    else if (!s)
      st = unknown(set, word.s);
    else if (r->count < LS_PLOT_LINES)
      r->chosen[r->count++] = s;
  }
  return st ? st : r->file.failed ? LS_EMEM : LS_OK;
}

/* The name of the x axis. With `iterations`, x is the iteration for marks, and the call of the kernel for
 * counts. */
static const char *x_name(const request *r) {
  if (!r->iterations) return "step";
  for (int i = 0; i < r->count; i++)
    if (!r->chosen[i]->mark) return r->count == 1 ? "call of the kernel" : "iteration, or call of the kernel";
  return "iteration";
}

ls_status ls_plot_command(const char *rest) {
  const ls_series_set *set = ls_series_now();
  request r = {.count = 0};
  f64 *values = NULL;
  ls_status st = read_words(rest, set, &r);
  if (!st && r.count == 0) { /* by default all marks, or all counts if there are no marks */
    const bool marks = set->count > 0 && set->series[0].mark;
    for (int i = 0; i < set->count && r.count < LS_PLOT_LINES; i++)
      if (set->series[i].mark == marks) r.chosen[r.count++] = &set->series[i];
  }
  if (!st && r.count == 0)
    st = ls_fail(LS_EARG,
                 "there is nothing to plot yet: run an algorithm, as in scc(g), or pass values, as in "
                 "plot{squares = {1, 4, 9}}");
  if (!st && !(values = ls_malloc((size_t)r.count * 2 * LS_SERIES_POINTS * sizeof *values))) st = LS_EMEM;
  if (!st) {
    ls_plot p = {.title = "",
                 .x_name = x_name(&r),
                 .y_name = r.count == 1 ? r.chosen[0]->name : "",
                 .file = r.file.s,
                 .log_y = r.log,
                 .count = r.count};
    for (int i = 0; i < r.count; i++) {
      f64 *x = values + (size_t)i * 2 * LS_SERIES_POINTS, *y = x + LS_SERIES_POINTS;
      for (int k = 0; k < r.chosen[i]->count; k++) {
        x[k] = r.iterations ? r.chosen[i]->turn[k] : r.chosen[i]->points[k].x;
        y[k] = r.chosen[i]->points[k].y;
      }
      p.lines[i] = (ls_plot_line){r.chosen[i]->name, x, y, (u64)r.chosen[i]->count};
    }
    st = ls_plot_draw(&p);
  }
  ls_free(values);
  ls_text_free(&r.file);
  return st;
}
