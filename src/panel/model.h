/* What the views see of the session: the buffers, graph and numbers of the algorithm that stands at a stop,
 * or of the globals where none does.
 *
 * It is read by raw access between two runs of Lua; nothing is launched and nothing of the user's runs. While
 * Lua runs, the picture of the last stop stays, without its contents. */
#ifndef LS_PANEL_MODEL_H
#define LS_PANEL_MODEL_H

#include "data/graph.h"
#include "data/reduce.h"
#include "run/row.h"

/* A summary of up to LS_SUMMED elements looks at all of them, of more at LS_SAMPLE. */
enum { LS_SEEN_BUFFERS = 96, LS_SEEN_NUMBERS = 48, LS_SAMPLE = 4096, LS_SUMMED = 1000000 };

typedef struct ls_seen {
  char name[48];     /* as it would be typed at the stop: "s.comp", "g.off", "D" */
  const char *field; /* its last part: "comp" */
  const char *doc;   /* of the schema, or of a graph's array; "" where there is none */
  const char *init;  /* of the schema: "none", "empty" (a queue), ...; "" where there is none */
  ls_buffer *buffer; /* NULL while Lua runs: only what follows is known then */
  ls_dtype type;
  u64 rows, cols, count;
  bool host, device, closed; /* where its contents lie */
  bool unknown;              /* in the past: what it held then is not recorded */
  int gpu;                   /* the device's ordinal */
  u64 changed;               /* the step that last wrote it; 0: none */
  int rank;                  /* the smaller the nearer to what runs */
  bool of_edges;             /* an array of a graph, or a state's field with a value for each edge */
  bool labels;               /* its numbers are names of classes, as of components: how many, not how great */
} ls_seen;

typedef struct ls_model {
  bool running, paused;
  ls_seen buffers[LS_SEEN_BUFFERS]; /* a state's fields first, then single buffers, then graphs */
  int nbuffers;
  struct ls_seen_number {
    char name[32];
    f64 value;
  } numbers[LS_SEEN_NUMBERS]; /* the innermost of a name */
  int nnumbers;
  ls_graph *graph;  /* NULL: none is seen, or Lua runs */
  bool graph_found; /* it was there when the lesson began that is being read */
  char graph_name[48];
  const struct ls_seen_code
      *code; /* the nearest bytecode, of several the latest; NULL: none is seen, or Lua runs */
  char code_name[48];
  int code_rank;
} ls_model;

/* Takes the present picture. Cheap; valid until Lua runs or the next call. */
const ls_model *ls_model_now(void);

/* The buffer that the person looks at: chosen in the buffers view, shown by the inspector. "": none yet. */
void ls_model_look(const char *name);
const char *ls_model_looked(void);

/* By its name, or by its last part alone; NULL: none. */
const ls_seen *ls_model_buffer(const ls_model *m, const char *name);
bool ls_model_number(const ls_model *m, const char *name, f64 *out);

/* Where it lies: "host", "cuda:0", "both", "blank" (never written), "closed", "unrecorded". */
const char *ls_seen_where(const ls_seen *s);
/* "u32[8123]", "f32[64x64]" */
void ls_seen_shape(const ls_seen *s, char *out, size_t bytes);

/* How many elements have each label: the most frequent ones, the most first; equal ones by label. */
enum { LS_LABELS = 64 };
typedef struct ls_label_counts {
  u64 classes, none, rest; /* rest: elements of the classes that are not listed */
  int listed;
  struct {
    u32 label;
    u64 count;
  } of[LS_LABELS];
} ls_label_counts;
/* Of count <= LS_SUMMED elements; lists most <= LS_LABELS. */
void ls_seen_count_labels(const u32 *x, u64 count, int most, ls_label_counts *out);

/* Copies count <= LS_SUMMED elements from first on; false where they can't be had now. */
bool ls_seen_peek(const ls_seen *s, u64 first, u64 count, void *out);
/* Copies all elements of a buffer of up to LS_SUMMED, else LS_SAMPLE spread evenly over the whole; returns
 * how many. */
u64 ls_seen_sample(const ls_seen *s, void *out);

/* An element in a few characters: "-" for no vertex, "inf" for no path, else at most five digits' worth where
 * it is real. */
void ls_seen_text(ls_dtype t, const void *p, u64 i, char *out, size_t bytes);
/* An element as a real, and whether it is one of the values that mean "none" or "no path". */
f64 ls_seen_value(ls_dtype t, const void *p, u64 i, bool *none);

#endif
