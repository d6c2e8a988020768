/* Mutates files of our own formats (.lsg and checkpoints) in their headers, text and contents, with valid
 * checksums: each file must be rejected, or give a consistent graph and a right result.
 * Every file is tried in its own process, so that a crash or an endless loop is only one finding.
 *
 * Usage: fuzz_files PATH-OF-fuzz_files.lua [COUNT [SEED [lsg | checkpoint]]]; COUNT files of each kind, by
 * default 200. A file that causes a finding is kept in the current folder, and the exit code is 1. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/wait.h"
#include "core/checksum.h"
#include "load/graph.h"
#include "lua/open.h"

enum { LONGEST = 1 << 20, SECONDS = 5, REFUSED = 10, FINE = 11, WRONG = 12 };

static u8 file[LONGEST + 65536];
static size_t bytes;
static u64 state;

static u64 draw(u64 n) { /* a random number below n */
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return n ? (state >> 20) % n : 0;
}

static bool has(size_t at, size_t count) { return at <= bytes && count <= bytes - at; }

static u64 get(size_t at, size_t width) {
  u64 x = 0;
  if (has(at, width)) memcpy(&x, file + at, width);
  return x;
}

static void put(size_t at, u64 x, size_t width) {
  if (has(at, width)) memcpy(file + at, &x, width);
}

/* A random number, often at the edge of a type or next to `old`. */
static u64 number(u64 old) {
  const f64 reals[] = {0, -1, 0.5, 1e308, -1e308, 1.0 / 0.0, 0.0 / 0.0, 1e18, 2};
  u64 bits;
  memcpy(&bits, &reals[draw(9)], 8);
  switch (draw(14)) {
  case 0: return 0;
  case 1: return 1;
  case 2: return old + 1;
  case 3: return old - 1;
  case 4: return ~0ull;
  case 5: return 0x7fffffff;
  case 6: return 0x7fffffffffffffffull;
  case 7: return 1ull << 63;
  case 8: return 1ull << draw(64);
  case 9: return old ^ 1ull << draw(64);
  case 10: return bits;
  case 11: return draw(1 << 20);
  case 12: return old * 2;
  default: return draw(20);
  }
}

/* Mutates [at, at + count): overwrites an element or a range, or swaps two elements. */
static void alter(size_t at, size_t count) {
  const size_t width = draw(3) ? 4 : draw(2) ? 8 : 1;
  if (count < width || !has(at, count)) return;
  const size_t n = count / width, a = at + width * draw(n), b = at + width * draw(n);
  const u64 x = get(a, width), y = get(b, width);
  switch (draw(5)) {
  case 0:
    put(a, y, width);
    put(b, x, width);
    break;
  case 1: put(a, y, width); break;
  case 2:
    for (size_t i = a; i < b; i += width) put(i, y, width);
    break;
  default: put(a, number(x), width);
  }
}

static void resize(size_t to) {
  if (to > LONGEST) to = LONGEST;
  if (to > bytes) memset(file + bytes, (int)draw(256), to - bytes);
  bytes = to;
}

/* --- .lsg: offsets in a header as in src/load/lsg.c ----------------------------------------------------- */

enum { FILE_BYTES = 16, NAME_BYTES = 64, PART = 72, NAMES = 296, PARTS = 10, SUM = 504, HEADER = 512 };

/* The offset of the header's entry for the i-th array; the last array is the names. */
static size_t part_at(size_t i) { return i == PARTS - 1 ? NAMES : PART + 24 * i; }

static void alter_lsg(void) {
  const size_t p = part_at(draw(PARTS));
  switch (draw(8)) {
  case 0: {
    static const struct {
      size_t at, width;
    } fields[] = {{8, 4},  {12, 4}, {16, 8}, {24, 8},  {32, 8},  {40, 4}, {44, 4},
                  {48, 8}, {56, 8}, {64, 8}, {288, 4}, {292, 4}, {320, 8}};
    const u64 i = draw(13);
    put(fields[i].at, number(get(fields[i].at, fields[i].width)), fields[i].width);
    break;
  }
  case 1: put(p + 8 * draw(2), number(get(p, 8)), 8); break;
  case 2: { /* gives one array the position of another */
    const size_t q = part_at(draw(PARTS));
    const u64 at = get(q, 8), count = get(q + 8, 8);
    put(p, at, 8);
    put(p + 8, count, 8);
    break;
  }
  case 3: alter(HEADER, get(NAME_BYTES, 8)); break;
  case 4:
    if (draw(4) == 0) resize(draw(bytes + 200));
    put(FILE_BYTES, bytes, 8);
    break;
  default: alter(get(p, 8), get(p + 8, 8));
  }
}

static void mend_lsg(void) {
  for (size_t i = 0; i < PARTS; i++) {
    const u64 at = get(part_at(i), 8), count = get(part_at(i) + 8, 8);
    if (at && at <= bytes && count <= bytes - at) put(part_at(i) + 16, ls_checksum(file + at, count), 8);
  }
  const u64 name = get(NAME_BYTES, 8);
  if (bytes >= HEADER && name <= bytes - HEADER)
    put(SUM, ls_checksum(file, SUM) ^ ls_checksum(file + HEADER, name), 8);
}

/* --- checkpoints: offsets as in src/run/record/checkpoint.c; all arrays are shorter than a block
 * --------------- */

enum { TEXT_BYTES = 12, LENGTH = 16, CK_SUM = 48, CK_HEADER = 56 };

/* Finds the position and size in bytes of the f-th field with stored contents. Returns false if there is
 * none. */
static bool stored(u64 f, size_t *at, size_t *count) {
  char text[65536] = "";
  const u64 length = get(TEXT_BYTES, 4);
  if (length >= sizeof text || CK_HEADER + length > bytes) return false;
  memcpy(text, file + CK_HEADER, length);
  *at = CK_HEADER + length;
  for (char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
    char type[8];
    unsigned long long n, size = 8;
    if (sscanf(line, "field %*s %7[a-z0-9][%llu] stored", type, &n) != 2) continue;
    if (strcspn(line, "\n") < 7 || strncmp(line + strcspn(line, "\n") - 7, " stored", 7) != 0) continue;
    if (strstr(type, "32")) size = 4;
    if (strcmp(type, "u8") == 0) size = 1;
    if (n > bytes) return false;
    *count = n * size;
    if (f-- == 0) return *count && has(*at, *count + 8);
    *at += *count + 8 * ((*count + (1 << 20) - 1) >> 20);
  }
  return false;
}

static void alter_text(void) {
  const size_t length = get(TEXT_BYTES, 4);
  size_t at = CK_HEADER + draw(length), digits = 0;
  if (at >= bytes) return;
  char *end = memchr(file + at, '\n', bytes - at);
  switch (draw(5)) {
  case 0: file[at] = (u8)draw(256); break;
  case 1: /* changes a digit */
    for (; at < CK_HEADER + length && at < bytes && !(file[at] >= '0' && file[at] <= '9'); at++) {}
    if (at < bytes) file[at] = (u8)('0' + draw(10));
    break;
  default: { /* replaces a number by another one */
    char with[40];
    for (; at < CK_HEADER + length && at < bytes && !(file[at] >= '0' && file[at] <= '9'); at++) {}
    while (at + digits < bytes && file[at + digits] >= '0' && file[at + digits] <= '9') digits++;
    snprintf(with, sizeof with, draw(2) ? "%lld" : "%llu", (long long)number(digits));
    const size_t n = strlen(with);
    memmove(file + at + n, file + at + digits, bytes - at - digits);
    memcpy(file + at, with, n);
    bytes += n - digits;
    put(TEXT_BYTES, length + n - digits, 4);
    break;
  }
  case 2: /* removes a line */
    if (!end || draw(2)) break;
    const size_t gone = (size_t)(end + 1 - (char *)file) - at;
    memmove(file + at, end + 1, bytes - at - gone);
    bytes -= gone;
    put(TEXT_BYTES, length - gone, 4);
  }
}

static void alter_checkpoint(void) {
  size_t at, count;
  switch (draw(8)) {
  case 0: put(8 + 4 * draw(2), number(1), 4); break;
  case 1: put(LENGTH + 8 * draw(4), number(get(24, 8)), 8); break;
  case 2:
  case 3: alter_text(); break;
  default:
    if (stored(draw(40), &at, &count)) alter(at, count);
  }
}

static void mend_checkpoint(void) {
  size_t at, count;
  for (u64 f = 0; f < 64; f++)
    if (stored(f, &at, &count)) put(at + count, ls_checksum(file + at, count), 8);
  if (draw(8)) put(LENGTH, bytes, 8);
  const u64 length = get(TEXT_BYTES, 4);
  if (CK_HEADER + length <= bytes)
    put(CK_SUM, ls_checksum(file, CK_SUM) ^ ls_checksum(file + CK_HEADER, length), 8);
}

/* --- one file ------------------------------------------------------------------------------------------- */

static bool read_seed(const char *name) {
  FILE *f = fopen(name, "rb");
  if (!f) return false;
  bytes = fread(file, 1, LONGEST, f);
  fclose(f);
  return bytes < LONGEST;
}

static void write_file(const char *name) {
  FILE *f = fopen(name, "wb");
  if (!f || fwrite(file, 1, bytes, f) != bytes || fclose(f) != 0) perror(name), exit(2);
}

/* Calls a Lua function that returns nil if the file was rejected, true if the result is right, or a message.
 */
static int verdict(const char *call) {
  int n = 0;
  const ls_ran ran = ls_session_eval(call, "=fuzz", &n);
  lua_State *L = ls_session_lua();
  if (ran == LS_DONE && n == 1 && lua_isnil(L, -1)) return REFUSED;
  if (ran == LS_DONE && n == 1 && lua_isboolean(L, -1)) return FINE;
  fprintf(stderr, "%s\n", n || ran == LS_ERROR ? lua_tostring(L, -1) : "no verdict");
  return WRONG;
}

/* Makes the call in a child process, with a limit of processor time in seconds. */
static int child(const char *call, int seconds) {
  fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) {
    struct rlimit limit = {0, 0};
    setrlimit(RLIMIT_CORE, &limit);
    limit = (struct rlimit){(rlim_t)seconds,
                            (rlim_t)seconds + 1}; /* not wall-clock time, because the machine may be busy */
    setrlimit(RLIMIT_CPU, &limit);
    alarm(60 * (unsigned)seconds);
    _exit(verdict(call));
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

static bool fuzz(const char *kind, u64 count, u64 seed, const char *const *seeds, int nseeds) {
  const bool lsg = strcmp(kind, "lsg") == 0;
  u64 refused = 0, fine = 0, found = 0;
  for (u64 i = 0; i < count; i++) {
    char name[64], call[256];
    state = seed * 1000003 + i;
    for (int k = 0; k < 4; k++) draw(2);
    const char *from = seeds[draw((u64)nseeds)];
    if (!read_seed(from)) fprintf(stderr, "%s: no seed\n", from), exit(2);
    for (u64 k = 1 + draw(3); k; k--) lsg ? alter_lsg() : alter_checkpoint();
    lsg ? mend_lsg() : mend_checkpoint();
    snprintf(name, sizeof name, "finding-%s-%llu-%llu", kind, (unsigned long long)seed,
             (unsigned long long)i);
    write_file(name);
    ls_lsg_map_bytes = i % 2 ? 1 : 64 << 20;
    snprintf(call, sizeof call, "return try_%s('%s', '%s', %s)", kind, name, from, i % 2 ? "true" : "false");
    const int status = child(call, SECONDS), code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    refused += code == REFUSED;
    fine += code == FINE;
    if (code == REFUSED || code == FINE) {
      unlink(name);
      continue;
    }
    found++;
    if (WIFSIGNALED(status))
      printf("%s of %s: ended by signal %d (%s)\n", name, from, WTERMSIG(status),
             strsignal(WTERMSIG(status)));
    else
      printf("%s of %s: exit code %d\n", name, from, code);
  }
  printf("%s: %llu files: %llu refused, %llu whole, %llu findings\n", kind, (unsigned long long)count,
         (unsigned long long)refused, (unsigned long long)fine, (unsigned long long)found);
  return found == 0;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: fuzz_files fuzz_files.lua [COUNT [SEED [lsg | checkpoint]]]\n");
    return 2;
  }
  const u64 count = argc > 2 ? strtoull(argv[2], NULL, 10) : 200,
            seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  const char *lsg[64], *checkpoint[64];
  int nlsg = 0, ncheckpoint = 0;
  char *script[] = {argv[1]};
  setenv("OMP_NUM_THREADS", "2", 0);
  ls_progress_enable(false);
  if (!ls_session_open() || ls_session_run_file(script[0], 0, script, NULL) != LS_DONE) {
    fprintf(stderr, "%s\n", ls_session_lua() ? lua_tostring(ls_session_lua(), -1) : ls_error());
    return 2;
  }
  /* A child process makes the seeds, too, because this starts threads, after which a process cannot fork. */
  const int made = child("return make_seeds()", 60);
  if (!WIFEXITED(made) || WEXITSTATUS(made) != FINE) {
    fprintf(stderr, "no seeds\n");
    return 2;
  }
  FILE *list = fopen("seeds", "r");
  static char names[128][64];
  for (int i = 0; list && i < 128 && fscanf(list, "%63s", names[i]) == 1; i++) {
    if (strstr(names[i], ".lsg") && nlsg < 64) lsg[nlsg++] = names[i];
    if (strstr(names[i], ".ckpt") && ncheckpoint < 64) checkpoint[ncheckpoint++] = names[i];
  }
  if (list) fclose(list);
  const char *only = argc > 4 ? argv[4] : "";
  bool good = true;
  if (strcmp(only, "checkpoint") != 0) good = fuzz("lsg", count, seed, lsg, nlsg) && good;
  if (strcmp(only, "lsg") != 0) good = fuzz("checkpoint", count, seed, checkpoint, ncheckpoint) && good;
  return good ? 0 : 1;
}
