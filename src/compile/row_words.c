#include "compile/row_words.h"

#include <string.h>

#include "core/nearest.h"

typedef struct role {
  const char *name;
  ls_role role;
  bool ahead, lost;
} role;

static const role roles[] = {
    {"IN", LS_IN, false, false},       {"OFF", LS_OFF, false, false},     {"START", LS_START, false, false},
    {"END", LS_END, false, false},     {"INOUT", LS_INOUT, false, false}, {"OUT", LS_OUT, false, false},
    {"QIN", LS_QIN, false, false},     {"QOUT", LS_QOUT, false, false},   {"QAHEAD", LS_QOUT, true, false},
    {"QMORE", LS_QMORE, false, false}, {"VALUE", LS_VALUE, false, false}, {"COUNT", LS_COUNT, false, false},
    {"LOST", LS_COUNT, false, true},
};
enum { ROLES = sizeof roles / sizeof *roles };

bool ls_role_find(const char *name, ls_arg *arg) {
  for (int i = 0; i < ROLES; i++) {
    if (strcmp(roles[i].name, name) != 0) continue;
    arg->role = roles[i].role;
    arg->ahead = roles[i].ahead;
    arg->lost = roles[i].lost;
    return true;
  }
  return false;
}

const char *ls_role_nearest(const char *name) {
  const char *names[ROLES];
  for (int i = 0; i < ROLES; i++) names[i] = roles[i].name;
  return ls_nearest(name, names, ROLES);
}

bool ls_type_find(const char *name, ls_arg *arg) {
  arg->wide = strcmp(name, "u64x2") == 0;
  arg->type = arg->wide ? LS_U64 : ls_dtype_parse(name);
  return arg->type < LS_DTYPES;
}

bool ls_domain_find(const char *name, ls_domain *out) {
  static const char *const names[] = {
#define DOMAIN(name, own, chunk, short_name, thread) [LS_##name] = #name,
#include "language/domains.def"
#undef DOMAIN
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(names[i], name) != 0) continue;
    *out = (ls_domain)i;
    return true;
  }
  *out = LS_LIBRARY;
  return strcmp(name, "CPU_LIBRARY") == 0 || strcmp(name, "LIBRARY") == 0;
}

bool ls_agree_find(const char *name, ls_agree *out) {
  static const char *const names[] = {
      [LS_EXACT] = "EXACT", [LS_FIXPOINT] = "FIXPOINT", [LS_TIE] = "TIE", [LS_TOLERANCE] = "TOLERANCE"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!names[i] || strcmp(names[i], name) != 0) continue;
    *out = (ls_agree)i;
    return true;
  }
  return false;
}

bool ls_types_of_set(const char *name, u32 *out) {
#define SET(set, bits)                                                                                       \
  if (strcmp(#set, name) == 0) return *out = TYPES_##set, true;
  LS_SETS_OF_TYPES(SET)
#undef SET
  return false;
}

const char *ls_sets_text(void) {
#define SET(set, bits) " " #set
  return LS_SETS_OF_TYPES(SET);
#undef SET
}
