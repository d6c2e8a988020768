/* Status codes, and the error message that belongs to each failure.
 *
 * A function that can fail returns ls_status and has set the thread's message by ls_fail. Nothing here prints
 * or jumps: src/lua raises, main prints. */
#ifndef LS_CORE_ERROR_H
#define LS_CORE_ERROR_H

typedef enum ls_status {
  LS_OK = 0,
  LS_EARG,         /* a wrong argument: the caller's mistake */
  LS_EINPUT,       /* an input that cannot be read or is malformed */
  LS_EIO,          /* writing, or an exchange with other processes, failed */
  LS_EMEM,         /* out of host memory */
  LS_EDEVICE,      /* out of device memory, a launch failed, or the device is lost */
  LS_EINTERRUPTED, /* the user asked to stop */
  LS_EOVERFLOW,    /* a sum overflowed its type */
} ls_status;

/* Sets this thread's message and returns st, so that callers can write `return ls_fail(LS_EARG, "...", ...)`.
 * Control characters in it are escaped as in core/escape.h, because it may contain text from outside. */
ls_status ls_fail(ls_status st, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts text before the message recorded last: "road.gr: " + message. */
ls_status ls_fail_prefix(ls_status st, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The message of this thread's last failure. Valid until the next. */
const char *ls_error(void);

/* The process's exit code for a status: 0 (LS_OK), 3 (LS_EINPUT), 4 (LS_EDEVICE), 130 (LS_EINTERRUPTED); 1
 * for all others. */
int ls_exit_code(ls_status st);

#endif
