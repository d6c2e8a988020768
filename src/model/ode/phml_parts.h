/* Between the files of the PHML reader: phml.c reads the document into tables, phml_copies.c makes the
 * modules that are simulated out of them (templates give one an instance) and joins their ports,
 * phml_values.c makes variables of their quantities. */
#ifndef LS_MODEL_PHML_PARTS_H
#define LS_MODEL_PHML_PARTS_H

#include "model/ode/xml.h"

#define NOBODY 0xffffffffu

typedef enum reduction { REDUCE_SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_MEAN, REDUCE_DEGREE } reduction;

typedef struct port {
  const char *id;
  const char *quantity; /* the quantity that an out port shows, or NULL */
  bool out;
} port;

typedef struct quantity {
  const xmlNode *node;
  const char *id, *name, *type;
  bool skipped; /* of a type that is not simulated */
} quantity;

typedef struct module {
  const char *id, *name, *type;
  const xmlNode *node;
  const char *parent_id; /* NULL: at the top */
  u32 parent;            /* NOBODY: none */
  u32 root;              /* the module that a template names, of which this is a part; NOBODY: none */
  u32 place;             /* among the parts of its template */
  u32 first_port, ports, first_quantity, quantities;
  u32 copy; /* of a module outside of templates; else NOBODY */
} module;

/* A module that is simulated. */
typedef struct copy {
  u32 module, instance; /* NOBODY: it is no instance's */
  const char *id;
  u32 first_port, first_quantity; /* among all copies' */
} copy;

typedef struct instance {
  const char *id, *label;
  u32 root;       /* the module that its template names */
  u32 first_copy; /* its copies, in the order of module.place */
  const xmlNode *node;
} instance;

typedef struct unit {
  const char *id, *name;
  const xmlNode *node;
} unit;

typedef struct end { /* of an edge */
  u32 instance;      /* NOBODY: a module's own */
  u32 module, port;  /* port: its place in the module */
} end;

typedef struct edge {
  end tail, head;
  u32 line;
} edge;

typedef struct phml {
  ls_ode *m;
  const xmlNode *root;
  unit *units;
  module *modules;
  port *ports;
  quantity *quantities;
  instance *instances;
  edge *edges;
  copy *copies;
  u32 unit_count, module_count, port_count, quantity_count, instance_count, edge_count, copy_count;
  ls_names module_names;   /* module-id -> module */
  ls_names instance_names; /* an instance's module-id -> instance */
  ls_names alias_names;    /* alias-module-id of a part of an instance -> copy */
  u32 copied_ports, copied_quantities;
  u32 *come_off, *come; /* by copied port: the copied ports whose values come in */
  u32 *port_copy;       /* by copied port: its copy */
  u32 *variable;        /* by copied quantity: its variable, or NOBODY */
} phml;

/* phml_copies.c */
ls_status phml_make_copies(phml *p);
ls_status phml_join_ports(phml *p);
/* phml_values.c */
ls_status phml_make_variables(phml *p);
/* phml_series.c: the term of a reference to a column of a time series. */
ls_status phml_series(phml *p, const xmlNode *module_node, const xmlNode *reference, const ls_term **out);
/* phml_units.c */
const char *phml_unit_name(const phml *p, const char *id);
/* One such unit in seconds. LS_EINPUT where it is no unit of time. */
ls_status phml_seconds(const phml *p, const char *id, u32 line, f64 *out);

/* The node that says what the quantity of a copy is: the instance's own `initial-value` or `implementation`,
 * or the module's. NULL: neither says it. */
const xmlNode *phml_part(const phml *p, const copy *c, const quantity *q, const char *name);
static inline const char *phml_attribute(const phml *p, const xmlNode *n, const char *name) {
  return ls_xml_attribute(p->m->terms, n, name);
}
static inline const char *phml_text(const phml *p, const xmlNode *parent, const char *child) {
  return ls_xml_content(p->m->terms, ls_xml_child(parent, child));
}

#endif
