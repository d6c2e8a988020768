// LEMON's Howard on an .egr graph, for scripts/measure/ocm-peers: prints the least cycle mean as p/q and the processor
// seconds that it took, components included, reading and building not.
#define LEMON_ONLY_TEMPLATES
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <utility>
#include <vector>

#include <lemon/howard_mmc.h>
#include <lemon/static_graph.h>

template <typename T> static bool read(std::FILE *f, std::vector<T> &v, std::size_t count) {
  v.resize(count);
  return std::fread(v.data(), sizeof(T), count, f) == count;
}

int main(int argc, char **argv) {
  std::FILE *f = argc > 1 ? std::fopen(argv[1], "rb") : nullptr;
  std::vector<std::int32_t> size, off, to, w;
  if (!f || !read(f, size, 2) || !read(f, off, size[0] + 1) || !read(f, to, size[1]) || !read(f, w, size[1])) {
    std::fprintf(stderr, "usage: lemon-howard FILE.egr (with weights)\n");
    return 2;
  }
  std::fclose(f);
  std::vector<std::pair<int, int>> arcs;
  arcs.reserve(to.size());
  for (int v = 0; v < size[0]; v++)
    for (int e = off[v]; e < off[v + 1]; e++) arcs.push_back({v, to[e]});
  lemon::StaticDigraph g;
  g.build(size[0], arcs.begin(), arcs.end());
  lemon::StaticDigraph::ArcMap<int> cost(g);
  for (std::size_t e = 0; e < w.size(); e++) cost[g.arcFromId(int(e))] = w[e];
  const std::clock_t begin = std::clock();
  lemon::HowardMmc<lemon::StaticDigraph, lemon::StaticDigraph::ArcMap<int>> howard(g, cost);
  const bool found = howard.run();
  const double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  if (found)
    std::printf("%lld/%d %.6f\n", (long long)howard.cycleCost(), howard.cycleSize(), seconds);
  else
    std::printf("none %.6f\n", seconds);
}
