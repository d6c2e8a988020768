/* Replaces a file atomically: what is written goes to a temporary file in the same folder, which is synced to
 * disk and then renamed to the wanted name. So a failure never destroys the old file. While an old file is
 * being replaced, only the owner can read the new one. A link at the temporary name is never followed, and
 * the temporary file is removed if the process ends early. Whatever is not a regular file (a device, a pipe)
 * is written in place. */
#ifndef LS_CORE_ATOMIC_FILE_H
#define LS_CORE_ATOMIC_FILE_H

#include <stdio.h>
#include <sys/types.h>

#include "core/error.h"

typedef struct ls_atomic_file {
  const char *path; /* as given */
  char *target;     /* path with its links resolved; NULL: written in place */
  char *temporary;
  int fd;
  mode_t mode; /* permissions of the old file; 0: no old file, so the new one gets default permissions */
  int slot;    /* slot that records the temporary file; -1: none */
} ls_atomic_file;

/* Failures are LS_EIO with the path in the message, or LS_EMEM. A failed open needs no close. */
ls_status ls_atomic_file_open(ls_atomic_file *r, const char *path);
/* Writes all `bytes` bytes, in as many system calls as that takes. */
ls_status ls_atomic_file_write(ls_atomic_file *r, const void *p, size_t bytes);
/* Puts the file in its place if st is LS_OK, else removes what was written. Returns the first failure. */
ls_status ls_atomic_file_close(ls_atomic_file *r, ls_status st);

/* Open, write and close in one call: these bytes; or what write(f, arg) writes. write(f, arg) may fail;
 * errors of writing to f are detected here. */
ls_status ls_atomic_file_write_bytes(const char *path, const void *p, size_t bytes);
ls_status ls_atomic_file_write_all(const char *path, ls_status (*write)(FILE *f, void *arg), void *arg);

/* Removes the temporary files that are being written, because the process is about to end.
 * Async-signal-safe. */
void ls_atomic_file_abandon(void);

#endif
