#ifdef LOCKSTEP_WITH_XML
#include <math.h>
#include <string.h>

#include "model/ode/phml_parts.h"

enum { DEEPEST = 16 }; /* maximum length of a chain of units that are defined by other units */

static const unit *find(const phml *p, const char *id) {
  const u32 i = ls_names_find(&p->unit_ids, id);
  return i == LS_NO_NAME ? NULL : &p->units[i];
}

const char *phml_unit_name(const phml *p, const char *id) {
  const unit *u = id ? find(p, id) : NULL;
  return u && *u->name ? u->name : NULL;
}

static f64 prefix(const char *name) {
  static const struct {
    const char *name;
    int power;
  } all[] = {{"yotta", 24}, {"zetta", 21},  {"exa", 18},   {"peta", 15}, {"tera", 12},  {"giga", 9},
             {"mega", 6},   {"kilo", 3},    {"hecto", 2},  {"deca", 1},  {"deka", 1},   {"deci", -1},
             {"centi", -2}, {"milli", -3},  {"micro", -6}, {"nano", -9}, {"pico", -12}, {"femto", -15},
             {"atto", -18}, {"zepto", -21}, {"yocto", -24}};
  for (size_t i = 0; name && i < sizeof all / sizeof *all; i++)
    if (strcmp(name, all[i].name) == 0) return pow(10, all[i].power);
  return name && *name ? NAN : 1;
}

static f64 number(const phml *p, const xmlNode *n, const char *name, f64 otherwise) {
  const char *text = phml_attribute(p, n, name);
  f64 x;
  if (!text || !*text) return otherwise;
  return ls_xml_number(text, &x) ? x : NAN;
}

/* How many seconds the unit is; 0: it is not a unit of time. */
static f64 seconds(const phml *p, const char *id, int depth) {
  const unit *u = find(p, id);
  if (!u || depth > DEEPEST) return 0;
  const xmlNode *e = ls_xml_child(u->node, "element");
  if (!e) return strcmp(u->name, "second") == 0 ? 1 : 0;
  const char *of = phml_attribute(p, e, "unit-id");
  if (!of || ls_xml_same(e) || number(p, e, "exponent", 1) != 1) return 0;
  return number(p, e, "multiplier", 1) * prefix(phml_attribute(p, e, "prefix")) * seconds(p, of, depth + 1);
}

ls_status phml_seconds(const phml *p, const char *id, u32 line, f64 *out) {
  *out = seconds(p, id, 0);
  if (*out > 0) return LS_OK;
  if (!find(p, id)) return ls_ode_fail(p->m, line, "unit %s is not in the unit-set", id);
  return ls_ode_fail(p->m, line,
                     "unit %s (%s) is not a unit of time, or its prefix or multiplier cannot be read", id,
                     find(p, id)->name);
}
#endif
