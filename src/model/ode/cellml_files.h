/* The files of a CellML 1.1 model: the loaded one, those that it imports, and those that they import.
 *
 * Only files in the folder of the loaded model and in folders inside it are read, by relative paths: nothing
 * from a network, and no absolute path. */
#ifndef LS_MODEL_CELLML_FILES_H
#define LS_MODEL_CELLML_FILES_H

#include "model/ode/xml.h"

enum {
  CELLML_MOST_FILES = 256,
  CELLML_DEEPEST_FILES = 32, /* files in a chain of imports, including the loaded one */
};

typedef struct cellml_import {
  const xmlNode *node;
  u32 file; /* index of the file that it names */
} cellml_import;

typedef struct cellml_file {
  const char *path;     /* for messages */
  const char *relative; /* path relative to the folder of the loaded model, without . and .. */
  char *real;           /* path from realpath, without symbolic links; NULL: the model is not in a file */
  xmlDoc *doc;          /* owned; NULL: the document is the caller's */
  size_t bytes;
  const xmlNode *model;
  u32 import_count;
  cellml_import *imports; /* in the order of the file */
  /* Its own components and imported ones, numbered from 0. */
  u32 component_count;
  const char **name;
  u32 *parent;     /* for each component the one that encapsulates it, or LS_NO_NAME; NULL: loaded file */
  ls_names number; /* from names to numbers of components */
  u32 importer;    /* while its imports are read: the file that imports it, or LS_NO_NAME */
  bool reading;
  u32 height; /* files in the longest chain of imports that begins here */
} cellml_file;

typedef struct cellml_files {
  ls_ode *m;
  u32 count;
  char *folder;      /* of the loaded model, without symbolic links; NULL: the model is not in a file */
  cellml_file *file; /* the first is the loaded one; [CELLML_MOST_FILES], so that none moves */
} cellml_files;

/* *out: an attribute that must be present and not empty. LS_EINPUT with file (m->path) and line. */
ls_status cellml_required(ls_ode *m, const xmlNode *n, const char *name, const char **out);

/* Reads all files that the model needs, and checks that every imported component and units element exists.
 * LS_EINPUT with the importing file and line: a path that is not allowed; a missing file, component or units
 * element (with those that exist, and the nearest name); a cycle (with its files); too many files or too long
 * a chain of imports. After a failure m->path is the file that the message names. cellml_files_end must be
 * called, also after a failure. */
ls_status cellml_files_read(cellml_files *files, ls_ode *m, const xmlDoc *doc);
void cellml_files_end(cellml_files *files);

#endif
