/* The components of a CellML model, with those that are imported. An import element makes an instance of the
 * file that it names: of the components it names, and of all that these encapsulate. Two import elements make
 * two. */
#ifndef LS_MODEL_CELLML_INSTANCES_H
#define LS_MODEL_CELLML_INSTANCES_H

#include "model/ode/cellml_files.h"

/* Files of all instances together, each as at least 4 KiB: what small files can make, by importing one
 * another twice, stays as small as the largest file that is read. */
#define CELLML_MOST_INSTANCE_BYTES ((size_t)1 << 28)

typedef struct cellml_component {
  const xmlNode *node;
  const cellml_file *file;
  const char *name; /* in the whole model: see cellml_instances_make */
  u32 instance;
  u32 first, count; /* its variables; the caller's */
} cellml_component;

typedef struct cellml_instance {
  const cellml_file *file;
  const char *
      *given; /* for each component of the file, the name that the import gives it, or NULL; or NULL */
  ls_names component; /* of the names in the file: the component's number, as far as it is imported */
} cellml_instance;

typedef struct cellml_instances {
  const cellml_files *files;
  u32 count, room;
  cellml_instance *instance; /* the first is the model that is loaded */
  u32 component_count, component_room;
  cellml_component *component;
  size_t bytes;
} cellml_instances;

/* Finds all components. A component has the name that the importing model gives it; one that comes with it,
 * since it is encapsulated, that name, a dot and its own. LS_EINPUT with file and line; then m->path is the
 * file. cellml_instances_end frees what is there, also after a failure. */
ls_status cellml_instances_make(cellml_instances *a, const cellml_files *files);
void cellml_instances_end(cellml_instances *a);

/* Does a connection of the instance's file hold between these two components of it? It does in the model that
 * is loaded, and where one imported component encapsulates both or is one of them. Between components that
 * are imported side by side, the importing model makes its own (CellML 2.0, 3.1.3). */
bool cellml_connected(const cellml_instance *a, const char *one, const char *two);

#endif
