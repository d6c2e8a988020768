#include "compile/row_words.h"

#include <string.h>

#include "core/nearest.h"
#include "driver/cpu.h"

typedef struct role {
  const char *name;
  ls_role role;
  bool ahead, lost;
} role;

static const role roles[] = {
#define ROLE(name)                                                                                           \
  { #name, LS_ROLE_##name, LS_IS(AHEAD, name), LS_IS(LOST, name) }
    ROLE(IN),   ROLE(OFF),    ROLE(START), ROLE(END),   ROLE(INOUT), ROLE(OUT),  ROLE(QIN),
    ROLE(QOUT), ROLE(QAHEAD), ROLE(QMORE), ROLE(VALUE), ROLE(COUNT), ROLE(LOST),
#undef ROLE
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
  return strcmp(name, "CPU_LIBRARY") == 0;
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

bool ls_contract_find(const char *name, ls_contract *out) {
  static const char *const names[] = {
      [LS_CONTRACT_anything] = "anything",
      [LS_CONTRACT_uniform] = "uniform",
      [LS_CONTRACT_sums] = "sums",
#define CONTRACT(name, queue, right, text) [LS_CONTRACT_##name] = #name,
#include "language/contracts.def"
#undef CONTRACT
#define CONTRACT(name, queue, right, text) [LS_CONTRACT_##name] = #name,
#include "families.def"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!names[i] || strcmp(names[i], name) != 0) continue;
    *out = (ls_contract)i;
    return true;
  }
  return false;
}
