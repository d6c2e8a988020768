#include "repl/elsewhere.h"

#include <stddef.h>
#include <string.h>

static const struct {
  const char *words; /* separated by a space */
  const char *here;
} table[] = {
    {"guess answer answers", "`lesson guess 3` answers a lesson's question, `lesson answers` its last ones"},
    {"bye logout", "`quit`, `exit` or Ctrl-D ends the program"},
    {"time timeit profile cProfile perf",
     "`time EXPR` at the prompt, `stats` for each kernel; in Lua t = trace.clock() ... trace.clock() - t"},
    {"clock tic toc now perf_counter",
     "t = trace.clock() ... trace.clock() - t, in seconds; `time EXPR` at the prompt"},
    {"cd chdir pwd", "`!pwd` asks the shell; the folder is the one in which the program was started"},
    {"undo reverse rstep reverse_step", "`back` goes to the stop before, with all buffers: help past"},
    {"history", "the up key and Ctrl-R bring earlier lines back"},
    {"savefig imsave",
     "`snapshot g.svg graph` writes a view, plot{..., file = \"x.svg\"} data: help pictures"},
    {"nsys ncu nvprof",
     "help times says how to run the program under them; `stats` and `panel timeline` without"},
    {"thread threads",
     "no single thread is stepped; `bounds on` and `races NAME on` name the thread that is wrong"},
    {"nx networkx ig igraph", "it is built in: pagerank(g), bfs(g, s), components(g); help"},
    {"lessons tutorial course", "`lesson` lists the lessons, `lesson 1` begins the first"},
    {"p echo disp", "an expression alone shows its value, `g.n`; so does `print g.n`"},
    {"run_until advance", "`until EXPR` runs until it is true"},
    {"read read_graph open", "`load FILE` at the prompt, or g = graph.load(path)"},
    {"dijkstra shortest_path shortest_paths single_source_dijkstra shortestpath distances_from distances",
     "r = sssp(g, s), r.dist, r:path(t)"},
    {"bellman_ford", "r = sssp(g, s) takes negative weights too; paths.bellman_ford(g, s) is the textbook's"},
    {"floyd_warshall all_pairs all_pairs_shortest_path distance_matrix",
     "r = fw(g) or r = apsp(g), r:get(i, j)"},
    {"delta_stepping", "paths.delta_stepping(g, s, delta); sssp(g, s) is the fast one"},
    {"bfs breadth_first_search bfs_tree bfs_edges bfsearch", "r = bfs(g, s), r.dist, r.parent"},
    {"scc strongly_connected_components tarjan", "r = scc(g), r.id, r.count"},
    {"weakly_connected_components connected_components conncomp wcc clusters",
     "r = components(g), whatever the directions; scc(g): strongly connected ones"},
    {"pagerank page_rank pagerank_numpy eigenvector_centrality", "r = pagerank(g), r.rank, r:top(10)"},
    {"triangle_count count_triangles clustering transitivity", "r = triangles(g), r.count, r.at"},
    {"minimum_cycle_mean mcm howard karp", "r = ocm(g); reference.howard(g), .yto, .karp"},
    {"diameter eccentricity closeness closeness_centrality",
     "distances.diameter, .eccentricity and .closeness: help paths"},
    {"label_propagation community louvain leiden modularity community_label_propagation label_propagation_communities",
     "`new algorithm NAME` writes a label propagation, which can be changed: help write"},
    {"betweenness betweenness_centrality mst minimum_spanning_tree spanning_tree max_flow maximum_flow maxflow "
     "coloring greedy_color kcore core_number coreness k_core matching max_weight_matching cliques find_cliques",
     "none is shipped; `new algorithm NAME` begins one of your own: help write"},
    {"neighbors neighbours successors adj", "g:neighbors(v) is a list"},
    {"out_edges edges", "for to, w in g:edges(v) do ... end"},
    {"predecessors", "g:reverse():neighbors(v) is a list"},
    {"in_edges", "for from, w in g:reverse():edges(v) do ... end"},
    {"out_degree outdegree degree", "g:degree(v)"},
    {"in_degree indegree", "g:indegree(v)"},
    {"len number_of_nodes order vcount nodes num_vertices numnodes", "g.n"},
    {"number_of_edges size ecount num_edges numedges", "g.m"},
    {"is_connected is_weakly_connected", "components(g).count == 1"},
    {"is_strongly_connected", "scc(g).count == 1"},
    {"is_dag isdag is_directed_acyclic_graph topological_sort toposort",
     "ocm(g) says if there is a cycle; scc(g).condensation has none"},
    {"adjacency_matrix to_numpy_array", "matrix.of(g); help matrices"},
    {"digraph DiGraph MultiDiGraph add_edge add_edges_from from_edgelist",
     "g = graph.from_edges{{0, 1, 5}, {1, 2, 7}}; a graph never changes"},
    {"draw plot show_graph gplot draw_networkx spring_layout",
     "`panel graph` at the prompt; snapshot writes a picture"},
    {"whos workspace", "`info` lists graphs and buffers, `locals` the variables at a stop"},
    {"clc", "`clear`"},
    {"import using", "it is built in: scc(g), bfs(g, s); help"},
    {"irr irregular gather",
     "irr: the limit of irregular accesses, at places that the data names, as dist[to[e]]: help times"},
    {"roofline roof", "`panel roofline` after device.limits(); `stats by limit` has it as a table"},
    {"why explain",
     "which kernel is slow: `stats by limit`; when a value became wrong: `back until EXPR`, `watch EXPR`"},
    {"x examine dump hexdump",
     "an expression alone shows its value, s.level; s.level:slice(0, 4) some of its elements"},
    {"has_edge are_adjacent adjacent", "g:has_edge(u, v)"},
    {"subgraph induced_subgraph", "g:subgraph{5, 2, 9}"},
    {"to_undirected undirected", "g:symmetrize()"},
    {"barabasi_albert barabasi_albert_graph power_law preferential_attachment ba_graph",
     "gen.power_law{n = 1000, degree = 5, seed = 1}; help graphs"},
    {"karate_club karate_club_graph complete_graph path_graph cycle_graph grid_2d_graph",
     "gen.complete, .path, .ring, .grid and others; `load FILE` reads a graph: help graphs"},
    {"summary describe", "`info g` lists what g has, g:stats() counts"},
    {"save write write_graph write_edgelist to_csv", "g:save(\"g.mtx\"), b:save(\"b.npy\"); help graphs"},
    {"rand random_graph erdos_renyi gnp gnp_random_graph erdos_renyi_graph",
     "gen.uniform{n = 1000, m = 5000, seed = 1}"},
    {"simulate_ode ode45 odeint solve_ivp", "simulate(m, {stop = 10}); help models"},
    {"matmul mxm", "product(A, B, {semiring = \"min-plus\"}); help matrices"},
    {"dot", "product(A, B) of two matrices; r:dot() of a cycle mean, for Graphviz"},
};

const char *ls_elsewhere(const char *word) {
  const size_t len = strlen(word);
  for (size_t i = 0; i < sizeof table / sizeof *table && len > 0; i++)
    for (const char *p = table[i].words; (p = strstr(p, word)); p++)
      if ((p == table[i].words || p[-1] == ' ') && (p[len] == ' ' || p[len] == '\0')) return table[i].here;
  return NULL;
}
