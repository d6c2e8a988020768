#ifdef LOCKSTEP_WITH_XML
#include "model/ode/cellml_units.h"

#include <math.h>
#include <string.h>

enum { SI = 7, DEEPEST = 64, MOST_DEFINITIONS = 10000 };

static const char *const si[SI] = {"metre", "kilogram", "second", "ampere", "kelvin", "mole", "candela"};

/* The standard units of CellML 1.0 and 1.1 (section 5.2.1), with their powers of metre, kilogram, second,
 * ampere, kelvin, mole, candela. */
static const struct {
  const char *name;
  f64 factor, offset;
  int power[SI];
} standard[] = {
    {"ampere", 1, 0, {0, 0, 0, 1}},
    {"becquerel", 1, 0, {0, 0, -1}},
    {"candela", 1, 0, {0, 0, 0, 0, 0, 0, 1}},
    {"celsius", 1, 273.15, {0, 0, 0, 0, 1}},
    {"coulomb", 1, 0, {0, 0, 1, 1}},
    {"dimensionless", 1, 0, {0}},
    {"farad", 1, 0, {-2, -1, 4, 2}},
    {"gram", 1e-3, 0, {0, 1}},
    {"gray", 1, 0, {2, 0, -2}},
    {"henry", 1, 0, {2, 1, -2, -2}},
    {"hertz", 1, 0, {0, 0, -1}},
    {"joule", 1, 0, {2, 1, -2}},
    {"katal", 1, 0, {0, 0, -1, 0, 0, 1}},
    {"kelvin", 1, 0, {0, 0, 0, 0, 1}},
    {"kilogram", 1, 0, {0, 1}},
    {"liter", 1e-3, 0, {3}},
    {"litre", 1e-3, 0, {3}},
    {"lumen", 1, 0, {0, 0, 0, 0, 0, 0, 1}},
    {"lux", 1, 0, {-2, 0, 0, 0, 0, 0, 1}},
    {"meter", 1, 0, {1}},
    {"metre", 1, 0, {1}},
    {"mole", 1, 0, {0, 0, 0, 0, 0, 1}},
    {"newton", 1, 0, {1, 1, -2}},
    {"ohm", 1, 0, {2, 1, -3, -2}},
    {"pascal", 1, 0, {-1, 1, -2}},
    {"radian", 1, 0, {0}},
    {"second", 1, 0, {0, 0, 1}},
    {"siemens", 1, 0, {-2, -1, 3, 2}},
    {"sievert", 1, 0, {2, 0, -2}},
    {"steradian", 1, 0, {0}},
    {"tesla", 1, 0, {0, 1, -2, -1}},
    {"volt", 1, 0, {2, 1, -3, -1}},
    {"watt", 1, 0, {2, 1, -3}},
    {"weber", 1, 0, {2, 1, -2, -1}},
};

void cellml_units_begin(cellml_units *u, const cellml_files *files) {
  *u = (cellml_units){.files = files, .bases = SI};
  for (int i = 0; i < SI; i++) u->base[i] = si[i];
}

/* Reads a number from an attribute of a unit; *out stays unchanged if the attribute is absent. */
static ls_status number(const cellml_units *u, const xmlNode *n, const char *name, f64 *out) {
  const char *text = ls_xml_attribute(u->files->m->terms, n, name);
  f64 x;
  if (!text) return LS_OK;
  if (!ls_xml_number(text, &x) || !isfinite(x))
    return ls_ode_fail(u->files->m, ls_xml_line(n), "the %s of a unit is '%.60s', expected a finite number",
                       name, text);
  *out = x;
  return LS_OK;
}

/* *out: ten to the power that the attribute `prefix` gives as a number or as a name. */
static ls_status prefix(const cellml_units *u, const xmlNode *n, f64 *out) {
  static const struct {
    const char *name;
    int power;
  } all[] = {{"yotta", 24}, {"zetta", 21},  {"exa", 18},   {"peta", 15}, {"tera", 12},  {"giga", 9},
             {"mega", 6},   {"kilo", 3},    {"hecto", 2},  {"deka", 1},  {"deca", 1},   {"deci", -1},
             {"centi", -2}, {"milli", -3},  {"micro", -6}, {"nano", -9}, {"pico", -12}, {"femto", -15},
             {"atto", -18}, {"zepto", -21}, {"yocto", -24}};
  const char *name = ls_xml_attribute(u->files->m->terms, n, "prefix");
  f64 power = 0;
  bool known = !name || ls_xml_number(name, &power);
  for (size_t i = 0; !known && i < sizeof all / sizeof *all; i++)
    if (strcmp(name, all[i].name) == 0) power = all[i].power, known = true;
  if (!known || power != floor(power) || fabs(power) > 300)
    return ls_ode_fail(
        u->files->m, ls_xml_line(n),
        "the prefix of a unit is '%.60s', expected an SI prefix such as milli, or a whole number", name);
  *out = pow(10, power);
  return LS_OK;
}

static ls_status find(cellml_units *u, const cellml_file *file, const xmlNode *component, const char *name,
                      u32 line, int depth, cellml_unit *out);

/* A base unit that the model defines. */
static ls_status new_base(cellml_units *u, const char *name, u32 line, cellml_unit *out) {
  u32 i = SI;
  while (i < u->bases && strcmp(u->base[i], name) != 0) i++;
  if (i == CELLML_BASES)
    return ls_ode_fail(u->files->m, line, "more than %d units are base units", CELLML_BASES - SI);
  if (i == u->bases) u->base[u->bases++] = name;
  *out = (cellml_unit){.factor = 1};
  out->power[i] = 1;
  return LS_OK;
}

static ls_status define(cellml_units *u, const cellml_file *file, const xmlNode *component, const xmlNode *n,
                        const char *name, int depth, cellml_unit *out) {
  const char *base = ls_xml_attribute(u->files->m->terms, n, "base_units");
  if (base && strcmp(base, "yes") != 0 && strcmp(base, "no") != 0)
    return ls_ode_fail(u->files->m, ls_xml_line(n),
                       "base_units of the unit %s is '%.60s', expected yes or no", name, base);
  if (base && strcmp(base, "yes") == 0) return new_base(u, name, ls_xml_line(n), out);
  *out = (cellml_unit){.factor = 1};
  const xmlNode *first = ls_xml_child(n, "unit");
  for (const xmlNode *e = first; e; e = ls_xml_same(e)) {
    const char *of = ls_xml_attribute(u->files->m->terms, e, "units");
    f64 exponent = 1, multiplier = 1, offset = 0, scale = 1;
    cellml_unit part;
    if (!of) return ls_ode_fail(u->files->m, ls_xml_line(e), "a unit lacks the attribute units");
    ls_status st = find(u, file, component, of, ls_xml_line(e), depth + 1, &part);
    if (!st) st = number(u, e, "exponent", &exponent);
    if (!st) st = number(u, e, "multiplier", &multiplier);
    if (!st) st = number(u, e, "offset", &offset);
    if (!st) st = prefix(u, e, &scale);
    if (st) return st;
    out->factor *= multiplier * pow(scale * part.factor, exponent);
    for (int i = 0; i < CELLML_BASES; i++) out->power[i] += exponent * part.power[i];
    if (e == first && !ls_xml_same(e) && exponent == 1) /* only a temperature has an offset */
      out->offset = part.offset + offset * part.factor;
  }
  return LS_OK;
}

/* *out: the element of that name in `in`; unchanged if there is none. LS_EINPUT if *out is already set. */
static ls_status named(const cellml_units *u, const xmlNode *in, const char *name, const xmlNode **out) {
  for (const xmlNode *n = ls_xml_child(in, "units"); n; n = ls_xml_same(n)) {
    const char *own = ls_xml_attribute(u->files->m->terms, n, "name");
    if (!own || strcmp(own, name) != 0) continue;
    if (*out)
      return ls_ode_fail(u->files->m, ls_xml_line(n), "the unit %s is defined twice: also in line %u", name,
                         ls_xml_line(*out));
    *out = n;
  }
  return LS_OK;
}

/* The unit to which the units element n of an import refers, with the meaning that it has in the target file.
 */
static ls_status imported(cellml_units *u, const cellml_file *target, const xmlNode *n, int depth,
                          cellml_unit *out) {
  ls_ode *m = u->files->m;
  const char *before = m->path, *reference;
  ls_status st = cellml_required(m, n, "units_ref", &reference);
  if (st) return st;
  m->path = target->path; /* for messages */
  st = find(u, target, NULL, reference, ls_xml_line(target->model), depth + 1, out);
  if (!st) m->path = before;
  return st;
}

static ls_status find(cellml_units *u, const cellml_file *file, const xmlNode *component, const char *name,
                      u32 line, int depth, cellml_unit *out) {
  const xmlNode *const places[] = {component, file->model};
  if (depth > DEEPEST)
    return ls_ode_fail(u->files->m, line, "the unit %s is defined by itself, or through too many others",
                       name);
  if (++u->looked > MOST_DEFINITIONS)
    return ls_ode_fail(u->files->m, line, "a unit is made of more than %d others", MOST_DEFINITIONS);
  const xmlNode *n = NULL;
  u32 from = 0;
  for (int i = 0; i < 2; i++) {
    const ls_status st = named(u, places[i], name, &n);
    if (st) return st;
    if (n) return define(u, file, component, n, name, depth, out);
  }
  for (u32 i = 0; i < file->import_count; i++) {
    const ls_status st = named(u, file->imports[i].node, name, &n);
    if (st) return st;
    if (!n) from = i + 1;
  }
  if (n) return imported(u, &u->files->file[file->imports[from].file], n, depth, out);
  for (size_t i = 0; i < sizeof standard / sizeof *standard; i++) {
    if (strcmp(standard[i].name, name) != 0) continue;
    *out = (cellml_unit){.factor = standard[i].factor, .offset = standard[i].offset};
    for (int k = 0; k < SI; k++) out->power[k] = standard[i].power[k];
    return LS_OK;
  }
  return ls_ode_fail(u->files->m, line, "the unit '%s' is not defined", name);
}

ls_status cellml_unit_find(cellml_units *u, const cellml_file *file, const xmlNode *component,
                           const char *name, u32 line, cellml_unit *out) {
  u->looked = 0;
  return find(u, file, component, name, line, 0, out);
}

bool cellml_unit_alike(const cellml_unit *a, const cellml_unit *b) {
  for (int i = 0; i < CELLML_BASES; i++)
    if (fabs(a->power[i] - b->power[i]) > 1e-9) return false;
  return a->factor != 0 && b->factor != 0 && isfinite(a->factor) && isfinite(b->factor);
}

bool cellml_unit_same(const cellml_unit *a, const cellml_unit *b) {
  return fabs(a->factor / b->factor - 1) < 1e-12 && a->offset == b->offset;
}
#endif
