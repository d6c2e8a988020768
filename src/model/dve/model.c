#include "model/dve/model.h"

#include <string.h>

#include "core/mem.h"
#include "core/escape.h"
#include "core/source.h"
#include "model/dve/macros.h"
#include "model/file_text.h"

enum { MOST_BYTES = 64 << 20 };

bool ls_dve_wide;

/* Takes ownership of the text s, which is from ls_malloc and ends with a 0. */
static ls_status make(const char *name, char *s, size_t bytes, ls_dve **out) {
  ls_dve *m = ls_calloc(1, sizeof *m);
  if (!m) {
    ls_free(s);
    return LS_EMEM;
  }
  m->refs = 1;
  m->text = (dve_text){ls_strdup(name), s, (u32)bytes};
  ls_status st = m->text.name ? LS_OK : LS_EMEM;
  if (!st && bytes > MOST_BYTES)
    st = ls_fail(LS_EINPUT, "%s: a model of more than %d MiB", name, MOST_BYTES >> 20);
  if (!st) st = dve_parse_file(&m->text, &m->arena, &m->file);
  if (!st) st = dve_find_names(m);
  if (!st) dve_find_ranges(m, !ls_dve_wide);
  if (!st) st = dve_compile(m);
  if (st)
    ls_dve_release(m);
  else
    *out = m;
  return st;
}

ls_status ls_dve_parse(const char *name, const char *text, size_t bytes, ls_dve **out) {
  char *copy = ls_malloc(bytes + 1);
  if (!copy) return LS_EMEM;
  memcpy(copy, text, bytes);
  copy[bytes] = 0;
  return make(name, copy, bytes, out);
}

ls_status ls_dve_read(const char *path, const ls_dve_define *defines, u32 count, ls_dve **out) {
  char *text = NULL;
  size_t bytes = 0;
  const bool macros = ls_path_ends(path, ".mdve");
  if (count && !macros)
    return ls_fail(LS_EARG, "%s: only a .mdve file takes parameters, which define its macros", path);
  const ls_status st = macros ? dve_expand(path, defines, count, &text, &bytes)
                              : ls_model_file_text(path, MOST_BYTES, &text, &bytes);
  return st ? st : make(path, text, bytes, out);
}

ls_dve *ls_dve_retain(ls_dve *m) {
  m->refs++;
  return m;
}

void ls_dve_release(ls_dve *m) {
  if (!m || --m->refs > 0) return;
  dve_arena_free(&m->arena);
  ls_free(m->code);
  ls_free(m->text.name);
  ls_free(m->text.s);
  ls_free(m);
}

const char *ls_dve_path(const ls_dve *m) { return m->text.name; }

const char *ls_dve_name(const ls_dve *m) {
  const char *slash = strrchr(m->text.name, '/');
  return slash ? slash + 1 : m->text.name;
}

u32 ls_dve_words(const ls_dve *m) { return m->program.words; }
const u32 *ls_dve_initial(const ls_dve *m) { return m->initial; }

void ls_dve_worth(const ls_dve *m, bool *costs, bool *times) {
  *costs = m->program.costs;
  *times = m->program.times;
}

u32 ls_dve_claims(const ls_dve *m, bool *property) {
  *property = m->program.property != DVE_NONE;
  return m->claim_count;
}

bool ls_dve_accepts(const ls_dve *m, const u32 *state) {
  const dve_program *p = &m->program;
  return p->property != DVE_NONE && !dve_is_error(p, state) &&
         p->flags[dve_at(p, p->property, state)] & DVE_ACCEPTING;
}
