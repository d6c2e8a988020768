/* Shared by the files of the PHML reader: phml.c reads the document into tables; phml_copies.c creates the
 * simulated modules (those of a template once per instance) and joins their ports; phml_values.c turns their
 * quantities into variables. */
#ifndef LS_MODEL_PHML_PARTS_H
#define LS_MODEL_PHML_PARTS_H

#include "model/ode/xml.h"

#define NOBODY 0xffffffffu

typedef enum reduction { REDUCE_SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_MEAN, REDUCE_DEGREE } reduction;

typedef struct port {
  const char *id;
  const char *quantity; /* the quantity whose value an out port provides, or NULL */
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
  u32 root;              /* the module named by the template that contains this module; NOBODY: none */
  u32 place;             /* its number among the modules of its template */
  u32 first_port, ports, first_quantity, quantities;
  ls_names port_ids, quantity_ids; /* from ids to numbers in the module */
  ls_names quantity_names;         /* from names to numbers; if several have a name, to the first one */
  u32 copy;                        /* its copy if it is not in a template; else NOBODY */
} module;

/* A module that is simulated. */
typedef struct copy {
  u32 module, instance; /* instance NOBODY: it belongs to none */
  const char *id;
  u32 first_port, first_quantity; /* numbers of its first copied port and quantity */
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
  u32 instance;      /* NOBODY: the end names a module, not an instance */
  u32 module, port;  /* port: its number in the module */
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
  ls_names unit_ids;       /* unit-id -> unit */
  ls_names module_names;   /* module-id -> module */
  ls_names instance_names; /* an instance's module-id -> instance */
  ls_names alias_names;    /* alias-module-id of a part of an instance -> copy */
  u32 copied_ports, copied_quantities;
  u32 *come_off, *come; /* offsets and list: the copied ports from which each copied port receives values */
  u32 *port_copy;       /* for each copied port: its copy of a module */
  u32 *variable;        /* for each copied quantity: its variable, or NOBODY */
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
/* *out: how many seconds the unit is. LS_EINPUT if it is not a unit of time. */
ls_status phml_seconds(const phml *p, const char *id, u32 line, f64 *out);

/* The node `name` (initial-value or implementation) that defines a quantity of a copy: that of the instance,
 * else that of the module. NULL: neither has it. */
const xmlNode *phml_part(const phml *p, const copy *c, const quantity *q, const char *name);
static inline const char *phml_attribute(const phml *p, const xmlNode *n, const char *name) {
  return ls_xml_attribute(p->m->terms, n, name);
}
static inline const char *phml_text(const phml *p, const xmlNode *parent, const char *child) {
  return ls_xml_content(p->m->terms, ls_xml_child(parent, child));
}

#endif
