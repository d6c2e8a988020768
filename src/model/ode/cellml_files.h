/* The files of a CellML 1.1 model: the one that is loaded, those that it imports, and those that they import.
 *
 * Read are files in the folder of the model that is loaded and in folders inside that one, by relative paths:
 * nothing from a network, and no absolute path. */
#ifndef LS_MODEL_CELLML_FILES_H
#define LS_MODEL_CELLML_FILES_H

#include "model/ode/xml.h"

enum {
  CELLML_MOST_FILES = 256,
  CELLML_DEEPEST_FILES = 32, /* files on a way of imports, with the one that is loaded */
};

typedef struct cellml_import {
  const xmlNode *node;
  u32 file; /* the one that it names */
} cellml_import;

typedef struct cellml_file {
  const char *path;     /* for messages */
  const char *relative; /* to the folder of the model that is loaded, without . and .. */
  char *real;           /* the path without links, from realpath; NULL: of a text */
  xmlDoc *doc;          /* to be freed; NULL: the caller's */
  size_t bytes;
  const xmlNode *model;
  u32 import_count;
  cellml_import *imports; /* in the order of the file */
  /* Components of its own, and imported ones; by numbers from 0. */
  u32 component_count;
  const char **name;
  u32 *parent;     /* what encapsulates each, or LS_NO_NAME; NULL of the file that is loaded */
  ls_names number; /* of each name */
  u32 importer;    /* while the file's imports are read: who imports it, or LS_NO_NAME */
  bool reading;
  u32 height; /* files on the longest way of imports from here, with this one */
} cellml_file;

typedef struct cellml_files {
  ls_ode *m;
  u32 count;
  char *folder;      /* of the model that is loaded, without links; NULL: it is a text */
  cellml_file *file; /* the first is the one that is loaded; room for CELLML_MOST_FILES, so that none moves */
} cellml_files;

/* The attribute, which must be there and not empty. LS_EINPUT with file (m->path) and line. */
ls_status cellml_required(ls_ode *m, const xmlNode *n, const char *name, const char **out);

/* Reads all files that the model needs, and sees that each component and each units element that one imports
 * is there. LS_EINPUT with the importing file and line: a path that is not allowed, a missing file, component
 * or units element (with what there is, and the nearest name), a cycle (with the files on it), more files or
 * deeper ways than the limits. On failure m->path is the file that the message names. cellml_files_end frees
 * what is there, also after a failure. */
ls_status cellml_files_read(cellml_files *files, ls_ode *m, const xmlDoc *doc);
void cellml_files_end(cellml_files *files);

#endif
