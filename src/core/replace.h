/* Writing a file: what is written lies beside the wanted file, under another name, until all of it is safe on
 * the disk, and then takes its place. So whatever goes wrong costs no old file. Nothing but the owner may
 * read it before; no link that lies there is followed; where the process ends early, it is removed. What is
 * no plain file (a device, a pipe) is written in place. */
#ifndef LS_CORE_REPLACE_H
#define LS_CORE_REPLACE_H

#include <stdio.h>
#include <sys/types.h>

#include "core/error.h"

typedef struct ls_replacing {
  const char *path; /* as given */
  char *target;     /* what it leads to by its links; NULL: written in place */
  char *temporary;
  int fd;
  mode_t mode; /* that the file is to have; 0: what a new one gets */
  int slot;    /* where the temporary is noted; -1: nowhere */
} ls_replacing;

/* Failures are LS_EIO with the path in the message, or LS_EMEM. A failed open needs no close. */
ls_status ls_replace_open(ls_replacing *r, const char *path);
/* All of it, however often it takes. */
ls_status ls_replace_write(ls_replacing *r, const void *p, size_t bytes);
/* Puts the file in its place if st is LS_OK, else removes what was written. Returns the first failure. */
ls_status ls_replace_close(ls_replacing *r, ls_status st);

/* The same in one: write(f, arg) writes, and may fail; that f could not be written is noticed here. */
ls_status ls_replace_file(const char *path, ls_status (*write)(FILE *f, void *arg), void *arg);

/* Removes the files that are being written now: the process is about to end. Async-signal-safe. */
void ls_replace_abandon(void);

#endif
