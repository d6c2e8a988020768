/* The components of a CellML model, including imported ones. Each import element creates an instance of the
 * file that it names, with the components that it names and all that these encapsulate. Two import elements
 * create two instances. */
#ifndef LS_MODEL_CELLML_INSTANCES_H
#define LS_MODEL_CELLML_INSTANCES_H

#include "model/ode/cellml_files.h"

/* Limit of the total size of the files of all instances, each counted as at least 4 KiB. Otherwise a chain of
 * small files, each of which imports the next one twice, would create exponentially many instances. */
#define CELLML_MOST_INSTANCE_BYTES ((size_t)1 << 28)

typedef struct cellml_component {
  const xmlNode *node;
  const cellml_file *file;
  const char *name; /* name in the whole model, see cellml_instances_make */
  u32 instance;
} cellml_component;

typedef struct cellml_instance {
  const cellml_file *file;
  const char **given; /* for each component of the file, the name that the import gives it, or NULL. For the
                         loaded model, `given` is NULL */
  ls_names component; /* from names in the file to numbers of components, as far as they are imported */
} cellml_instance;

typedef struct cellml_instances {
  const cellml_files *files;
  u32 count, room;
  cellml_instance *instance; /* the first is the loaded model */
  u32 component_count, component_room;
  cellml_component *component;
  size_t bytes;
} cellml_instances;

/* Creates all instances and their components. An imported component has the name that the importing model
 * gives it. A component that an imported one encapsulates has the name of the imported one, a dot and its own
 * name. LS_EINPUT with file and line; then m->path is the file. cellml_instances_end must be called, also
 * after a failure. */
ls_status cellml_instances_make(cellml_instances *a, const cellml_files *files);
void cellml_instances_end(cellml_instances *a);

/* Does a connection between these two components in the instance's file apply? In the loaded model it does.
 * In an imported file it does if one imported component encapsulates both, or is one of them and encapsulates
 * the other. Components that are imported separately are connected by the importing model
 * (CellML 2.0, 3.1.3). */
bool cellml_connected(const cellml_instance *a, const char *one, const char *two);

#endif
