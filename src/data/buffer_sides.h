/* What the two sides of a buffer share: buffer.c (the host side, life and limits) and buffer_device.c. */
#ifndef LS_DATA_BUFFER_SIDES_H
#define LS_DATA_BUFFER_SIDES_H

#include "core/spent.h"
#include "data/buffer.h"

extern struct the_buffers {
  const ls_memory_ops *device; /* NULL: there is no device */
  u64 device_bytes;            /* held by all buffers */
} the_buffers;

/* LS_EMEM if `bytes` more would exceed the limit. */
ls_status buffer_have_room(bool host, u64 bytes);
/* Adds the time since `begun` to a part of the time spent. */
void buffer_since(ls_spent_part part, f64 begun);

ls_status buffer_still_open(const ls_buffer *b);
/* Fails if b is closed or its contents were lost. */
ls_status buffer_still_there(ls_buffer *b);
/* Fails if the owner reports that the host side has changed (a mapped file). */
ls_status buffer_intact(const ls_buffer *b);
/* Waits for an asynchronous exchange of b. */
ls_status buffer_come_back(const ls_buffer *b);
/* Makes later work on the device wait for b's newest move, if `access` conflicts with it. */
ls_status buffer_join(ls_buffer *b, int device, ls_access access);

void buffer_writing(ls_buffer *b);    /* to be called before b's contents change, */
void buffer_be_written(ls_buffer *b); /* and after */
void buffer_free_device(ls_buffer *b);
/* Makes `to` a copy of `from` on the device. */
ls_status buffer_copy_on_device(ls_buffer *from, int device, ls_buffer *to);

#endif
