/* Programs for the judge: answers KIND VARIANT GRAPH.gr OUT SOURCE. The kinds are scc, components, bfs, sssp,
 * sssp_parents and triangles. A variant is a number: 0 to 9 give right answers in different forms, 10 to 19
 * wrong ones (the names below). The algorithms are plain: passes over all edges until nothing changes. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct edge {
  int u, v;
  int64_t w;
} edge;

static int n, m, variant;
static edge *edges;
#define FAR INT64_MAX

static void *room(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size);
  if (!p) exit(9);
  return p;
}

enum {
  EARLY = 10, /* stops after 6 passes or levels, or vertices with triangles */
  ONE_PART,   /* treats only what vertex 0 reaches */
  TRUNCATED,  /* 8-bit levels or labels */
  NO_LOOPS,   /* an edge of the first row is dropped */
  BY_SIZE,    /* answers by size: what is right for a ring of that size */
  CACHED,     /* the answer of the first call with the same n and m */
  ONE_WAY,    /* forgets edges to vertices of smaller numbers */
  ODD_SIZES,  /* forgets the last vertex if n is not a multiple of 32 */
  BLOCKS,     /* forgets edges beyond the 256th */
  MERGES,     /* joins the answers of the last two vertices */
};

static bool fault(int which) { return variant == which; }

static void read_graph(const char *path) {
  FILE *f = fopen(path, "r");
  char line[256];
  int k = 0;
  if (!f) exit(8);
  while (fgets(line, sizeof line, f)) {
    edge e;
    if (sscanf(line, "p sp %d %d", &n, &m) == 2) edges = room((size_t)m, sizeof *edges);
    if (sscanf(line, "a %d %d %ld", &e.u, &e.v, &e.w) == 3) {
      e.u--;
      e.v--;
      if (!fault(ONE_WAY) || e.u <= e.v) edges[k++] = e;
    }
  }
  fclose(f);
  m = k;
  if (fault(NO_LOOPS) && m > 0) m--;
  if (fault(BLOCKS) && m > 256) m = 256;
}

static int passes_allowed(void) { return fault(EARLY) ? 6 : INT32_MAX; }

/* The edges of each vertex, to the targets or, if back, to the sources: targets[first[v]] to targets[first[v
 * + 1] - 1]. */
static void rows(bool back, int *first, int *targets) {
  for (int e = 0; e < m; e++) first[(back ? edges[e].v : edges[e].u) + 1]++;
  for (int v = 0; v < n; v++) first[v + 1] += first[v];
  int *at = room((size_t)n + 1, sizeof *at);
  memcpy(at, first, ((size_t)n + 1) * sizeof *at);
  for (int e = 0; e < m; e++) targets[at[back ? edges[e].v : edges[e].u]++] = back ? edges[e].u : edges[e].v;
  free(at);
}

/* Writes the vertices that s reaches through vertices without a label to list, and sets stamp[v] = s + 1 for
 * each; returns how many. */
static int reach(int s, const int *first, const int *targets, const int64_t *label, int *stamp, int *list) {
  int count = 0, level_end = 1;
  list[count++] = s;
  stamp[s] = s + 1;
  for (int done = 0, level = 0; done < count; done++) {
    if (done == level_end) {
      level_end = count;
      if (++level >= passes_allowed()) break;
    }
    for (int e = first[list[done]]; e < first[list[done] + 1]; e++) {
      const int v = targets[e];
      if (stamp[v] == s + 1 || label[v] >= 0) continue;
      stamp[v] = s + 1;
      list[count++] = v;
    }
  }
  return count;
}

static void strong(int64_t *label) {
  int *ways[2][4];
  for (int b = 0; b < 2; b++) {
    ways[b][0] = room((size_t)n + 1, sizeof(int));
    ways[b][1] = room((size_t)m, sizeof(int));
    ways[b][2] = room((size_t)n, sizeof(int));
    ways[b][3] = room((size_t)n, sizeof(int));
    rows(b, ways[b][0], ways[b][1]);
  }
  for (int v = 0; v < n; v++) label[v] = -1;
  for (int i = 0; i < n; i++) {
    const int s = variant < 10 && variant % 2 ? n - 1 - i : i;
    if (label[s] >= 0) continue;
    int counts[2];
    for (int b = 0; b < 2; b++) counts[b] = reach(s, ways[b][0], ways[b][1], label, ways[b][2], ways[b][3]);
    for (int k = 0; k < counts[0]; k++)
      if (ways[1][2][ways[0][3][k]] == s + 1) label[ways[0][3][k]] = s;
  }
}

static void weak(int64_t *label) {
  bool changed = true;
  for (int v = 0; v < n; v++) label[v] = v;
  for (int pass = 0; changed && pass < passes_allowed(); pass++) {
    changed = false;
    for (int e = 0; e < m; e++) {
      const int64_t least = label[edges[e].u] < label[edges[e].v] ? label[edges[e].u] : label[edges[e].v];
      if (label[edges[e].u] != least || label[edges[e].v] != least) changed = true;
      label[edges[e].u] = label[edges[e].v] = least;
    }
  }
}

/* Distances from s; each edge counts 1 if unit. */
static void distances(int s, bool unit, int64_t *dist, int64_t *parent) {
  bool changed = n > 0;
  for (int v = 0; v < n; v++) dist[v] = FAR, parent[v] = -1;
  if (n > 0) dist[s] = 0;
  for (int pass = 0; changed && pass < passes_allowed(); pass++) {
    changed = false;
    for (int at = 0; at < m; at++) {
      const int e = variant % 2 ? at : m - 1 - at;
      const int64_t from = dist[edges[e].u], w = unit ? 1 : edges[e].w;
      if (from == FAR) continue;
      if (from + w < dist[edges[e].v]) {
        dist[edges[e].v] = from + w;
        parent[edges[e].v] = edges[e].u;
        changed = true;
      }
    }
  }
}

static bool joined(const char *adjacent, int u, int v) { return adjacent[(size_t)u * (size_t)n + (size_t)v]; }

static void corners(int64_t *at) {
  char *adjacent = room((size_t)n * (size_t)n, 1);
  for (int e = 0; e < m; e++)
    if (edges[e].u != edges[e].v)
      adjacent[(size_t)edges[e].u * (size_t)n + (size_t)edges[e].v] =
          adjacent[(size_t)edges[e].v * (size_t)n + (size_t)edges[e].u] = 1;
  for (int u = 0; u < n && u < passes_allowed(); u++)
    for (int v = u + 1; v < n; v++)
      if (joined(adjacent, u, v))
        for (int w = v + 1; w < n; w++)
          if (joined(adjacent, u, w) && joined(adjacent, v, w)) at[u]++, at[v]++, at[w]++;
  free(adjacent);
}

static void spoil(int64_t *x, const char *kind) {
  if (fault(TRUNCATED))
    for (int v = 0; v < n; v++) x[v] = x[v] == FAR ? x[v] : x[v] & 15;
  if (fault(ODD_SIZES) && n % 32) x[n - 1] = 0;
  if (fault(MERGES) && n > 1) x[n - 1] = x[n - 2];
  if (fault(ONE_PART))
    for (int v = n / 2; v < n; v++) x[v] = *kind == 'b' || *kind == 's' ? FAR : 0;
  if (fault(BY_SIZE))
    for (int v = 0; v < n; v++)
      x[v] = strcmp(kind, "triangles") == 0 || kind[1] == 'c' || *kind == 'c' ? 0 : v;
}

/* The file of an earlier answer for the same n and m, next to OUT. */
static FILE *cache(const char *out, const char *mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s.%d-%d", out, n, m);
  return fopen(path, mode);
}

static void write_answer(FILE *f, const int64_t *x, const char *kind) {
  const bool labels = strcmp(kind, "scc") == 0 || strcmp(kind, "components") == 0;
  const bool parents = strcmp(kind, "sssp_parents") == 0;
  static const char *const none[] = {"-1", "inf", "2147483647", "4294967295", "9223372036854775807"};
  for (int v = 0; v < n; v++) {
    int64_t y = x[v];
    if (labels && variant < 10) y = variant < 3 ? y : variant < 6 ? 7 * y + 3 : 1000000 - y;
    if (variant >= 6 && variant < 10) fprintf(f, "%d ", variant % 2 ? v + 1 : v);
    if (y == FAR || (parents && y < 0))
      fprintf(f, "%s\n", none[variant % 5]);
    else
      fprintf(f, "%ld\n", y);
  }
}

int main(int argc, char **argv) {
  if (argc != 6) return 7;
  const char *kind = argv[1];
  variant = atoi(argv[2]);
  read_graph(argv[3]);
  int64_t *x = room((size_t)n, sizeof *x), *y = room((size_t)n, sizeof *y);
  const int s = atoi(argv[5]);
  if (strcmp(kind, "scc") == 0) strong(x);
  if (strcmp(kind, "components") == 0) weak(x);
  if (strcmp(kind, "bfs") == 0) distances(s, true, x, y);
  if (strcmp(kind, "sssp") == 0) distances(s, false, x, y);
  if (strcmp(kind, "sssp_parents") == 0) distances(s, false, y, x);
  if (strcmp(kind, "triangles") == 0) corners(x);
  spoil(x, kind);
  FILE *old = fault(CACHED) ? cache(argv[4], "r") : NULL;
  for (int v = 0; old && v < n; v++)
    if (fscanf(old, "%ld", &x[v]) != 1) return 6;
  if (old) fclose(old);
  FILE *f = fopen(argv[4], "w"), *keep = fault(CACHED) ? cache(argv[4], "w") : NULL;
  if (!f) return 5;
  write_answer(f, x, kind);
  for (int v = 0; keep && v < n; v++) fprintf(keep, "%ld\n", x[v]);
  if (keep) fclose(keep);
  return fclose(f);
}
