#ifndef LS_CORE_WRITE_ALL_H
#define LS_CORE_WRITE_ALL_H

#include <errno.h>
#include <unistd.h>

/* Writes the bytes in as many system calls as that takes; async-signal-safe. Returns how many were written;
 * if not all, errno says why. */
static inline size_t ls_write_all(int fd, const void *p, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t n = write(fd, (const char *)p + done, bytes - done);
    if (n < 0 && errno != EINTR) break;
    if (n > 0) done += (size_t)n;
  }
  return done;
}

#endif
