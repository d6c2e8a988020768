-- What a user may call of graph: the program makes these names global.
import "graph/answer"

return {
  bfs = import "graph/bfs",
  components = import "graph/components",
  pagerank = import "graph/pagerank",
  triangles = import "graph/triangles",
}
