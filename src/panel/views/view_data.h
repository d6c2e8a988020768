/* The data that the views show: the buffers, the graph and the numbers of the algorithm at a stop or, if
 * nothing is stopped, of the global variables.
 *
 * Collected by raw access while no Lua code runs: launches nothing and runs no user code. While Lua runs, the
 * description of the last stop remains, without the contents of buffers. */
#ifndef LS_PANEL_VIEW_DATA_H
#define LS_PANEL_VIEW_DATA_H

#include "data/graph.h"
#include "data/reduce.h"
#include "run/launch/row.h"

/* A summary of a buffer reads all elements if there are up to LS_SUMMED, else a sample of LS_SAMPLE. */
enum { LS_SEEN_BUFFERS = 96, LS_SEEN_NUMBERS = 48, LS_SAMPLE = 4096, LS_SUMMED = 1000000 };

typedef struct ls_seen {
  char name[48];     /* as it would be typed at the stop: "s.comp", "g.off", "D" */
  const char *field; /* its last part: "comp" */
  const char *doc;   /* doc from the schema, or of a graph's array; "" if there is none */
  const char *init;  /* initial value from the schema: "none", "empty" (a queue), ...; "" if there is none */
  ls_buffer *buffer; /* NULL while Lua runs: then only the fields below are known */
  ls_dtype type;
  u64 rows, cols, count;
  bool host, device, closed; /* valid in host memory? valid in device memory? is the buffer closed? */
  bool unknown;              /* the stop is in the past, and the contents at that time were not recorded */
  int gpu;                   /* the device's ordinal */
  u64 changed;               /* the step that last wrote it; 0: none */
  int rank;                  /* sort key: the smaller, the nearer to the running function */
  bool of_edges;             /* an array of a graph, or a state's field with a value for each edge */
  bool labels;               /* its values are labels of classes, such as components, and not amounts */
} ls_seen;

typedef struct ls_view_data {
  bool running, paused;
  ls_seen buffers[LS_SEEN_BUFFERS]; /* a state's fields first, then single buffers, then graphs */
  int nbuffers;
  struct ls_seen_number {
    char name[32];
    f64 value;
  } numbers[LS_SEEN_NUMBERS]; /* of variables with the same name, only the innermost */
  int nnumbers;
  ls_graph *graph;  /* NULL: there is none, or Lua runs */
  bool graph_found; /* the graph already existed when the open lesson began */
  char graph_name[48];
  /* The bytecode nearest to the running function, the latest if there are several; NULL: there is none, or
   * Lua runs. */
  const struct ls_seen_code *code;
  char code_name[48];
  int code_rank;
} ls_view_data;

/* Collects the current data. Cheap; the result is valid until Lua runs or until the next call. */
const ls_view_data *ls_view_data_now(void);

/* The name of the buffer that was chosen in the buffers view, and that the inspector shows. "": none yet. */
void ls_view_data_look(const char *name);
const char *ls_view_data_looked(void);

/* Finds a buffer by its name or by the last part of its name; NULL if there is none. */
const ls_seen *ls_view_data_buffer(const ls_view_data *m, const char *name);
bool ls_view_data_number(const ls_view_data *m, const char *name, f64 *out);

/* Where its contents are: "host", "cuda:0", "both", "blank" (never written), "closed", "unrecorded". */
const char *ls_seen_where(const ls_seen *s);
/* "u32[8123]", "f32[64x64]" */
void ls_seen_shape(const ls_seen *s, char *out, size_t bytes);

/* The number of elements per label: the most frequent labels, by decreasing number, then by label. */
enum { LS_LABELS = 64 };
typedef struct ls_label_counts {
  u64 classes, none, rest; /* rest: elements of the classes that are not listed */
  int listed;
  struct {
    u32 label;
    u64 count;
  } of[LS_LABELS];
} ls_label_counts;
bool ls_seen_points(const ls_seen *s); /* by its name: does it hold pointers to vertices? */
/* Counts the labels of `count` <= LS_SUMMED elements; lists at most `most` <= LS_LABELS of them. */
void ls_seen_count_labels(const u32 *x, u64 count, int most, ls_label_counts *out);

/* Copies count <= LS_SUMMED elements from `first` on; false if they cannot be read now. */
bool ls_seen_peek(const ls_seen *s, u64 first, u64 count, void *out);
/* Copies all elements of a buffer if there are up to LS_SUMMED, else LS_SAMPLE spread evenly over the buffer;
 * returns how many. 0: they cannot be read now. */
u64 ls_seen_sample(const ls_seen *s, void *out);

/* An element in a few characters: "-" for no vertex, "inf" for no path; a real with at most five digits. */
void ls_seen_text(ls_dtype t, const void *p, u64 i, char *out, size_t bytes);
/* An element as a real, and whether it is one of the values that mean "none" or "no path". */
f64 ls_seen_value(ls_dtype t, const void *p, u64 i, bool *none);

#endif
