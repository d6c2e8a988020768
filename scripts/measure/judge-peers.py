"""Judges NetworkX, SciPy and igraph (pip install networkx scipy igraph): every kind of answer that each of them can give.

   python3 scripts/measure/judge-peers.py build/lockstep            a line per library and kind, and what is not right
   python3 scripts/measure/judge-peers.py --answer LIBRARY KIND GRAPH.csv OUT SOURCE N        one answer: what the judge runs

Each library gets the graph as it documents it: of parallel edges NetworkX and SciPy get the lightest, as their graphs have one
edge between two vertices (SciPy adds the weights of duplicates). For components and triangles the graph has no directions.
"""
import json
import math
import subprocess
import sys


def edges_of(path):
    best, every = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            word = line.replace(",", " ").split()
            if len(word) < 2 or not word[0].isdigit():
                continue
            u, v, w = int(word[0]), int(word[1]), int(word[2]) if len(word) > 2 else 1
            every.append((u, v, w))
            best[u, v] = min(w, best.get((u, v), w))
    return every, [(u, v, w) for (u, v), w in best.items()]


def labels(parts, n):
    out = [0] * n
    for label, part in enumerate(parts):
        for v in part:
            out[v] = label
    return out


def networkx_answer(kind, n, every, single, source):
    import networkx as nx
    g = nx.DiGraph()
    g.add_nodes_from(range(n))
    g.add_weighted_edges_from(single)
    if kind == "scc":
        return labels(nx.strongly_connected_components(g), n)
    if kind == "components":
        return labels(nx.weakly_connected_components(g), n)
    if kind == "bfs":
        found = nx.single_source_shortest_path_length(g, source)
        return [found.get(v, -1) for v in range(n)]
    if kind == "sssp":
        found = nx.single_source_dijkstra_path_length(g, source)
        return [found.get(v, math.inf) for v in range(n)]
    if kind == "pagerank":
        many = nx.MultiDiGraph()
        many.add_nodes_from(range(n))
        many.add_edges_from((u, v) for u, v, _ in every)
        found = nx.pagerank(many, tol=1e-13, max_iter=1000)
        return [found[v] for v in range(n)]
    if kind == "triangles":
        plain = nx.Graph((u, v) for u, v, _ in single if u != v)
        plain.add_nodes_from(range(n))
        found = nx.triangles(plain)
        return [found[v] for v in range(n)]
    if kind == "topological":
        return list(nx.topological_sort(g))
    if kind == "apsp":
        out = []
        for s in range(n):
            found = nx.single_source_dijkstra_path_length(g, s)
            out.append([found.get(v, math.inf) for v in range(n)])
        return out
    return None


def scipy_answer(kind, n, every, single, source):
    import numpy as np
    from scipy.sparse import csgraph, csr_matrix
    u, v, w = (np.array([e[k] for e in single], dtype=np.float64) for k in range(3))
    g = csr_matrix((w, (u.astype(int), v.astype(int))), shape=(n, n))
    if kind in ("scc", "components"):
        ones = csr_matrix((np.ones(len(u)), (u.astype(int), v.astype(int))), shape=(n, n))
        strong = "strong" if kind == "scc" else "weak"
        return csgraph.connected_components(ones, directed=True, connection=strong)[1].tolist()
    if kind == "bfs":
        return csgraph.dijkstra(g, indices=source, unweighted=True).tolist()
    if kind == "sssp":
        return csgraph.dijkstra(g, indices=source).tolist()
    if kind == "apsp":
        return csgraph.johnson(g).tolist() if n else []
    return None


def igraph_answer(kind, n, every, single, source):
    import igraph
    g = igraph.Graph(n, [(u, v) for u, v, _ in every], directed=True)
    weights = [w for _, _, w in every]
    if kind == "scc":
        return g.connected_components(mode="strong").membership
    if kind == "components":
        return g.connected_components(mode="weak").membership
    if kind == "bfs":
        return g.distances(source, mode="out")[0]
    if kind == "sssp":
        return g.distances(source, weights=weights, mode="out")[0]
    if kind == "pagerank":
        return g.pagerank(damping=0.85)
    if kind == "triangles":
        plain = igraph.Graph(n, [(u, v) for u, v, _ in single], directed=False).simplify()
        found = [0] * n
        for triangle in plain.list_triangles():
            for v in triangle:
                found[v] += 1
        return found
    if kind == "topological":
        return g.topological_sorting(mode="out")
    if kind == "apsp":
        return g.distances(weights=weights, mode="out")
    return None


ANSWERS = {"networkx": networkx_answer, "scipy": scipy_answer, "igraph": igraph_answer}
KINDS = ("scc", "components", "bfs", "sssp", "apsp", "pagerank", "triangles", "topological")


def answer(library, kind, graph, out, source, n):
    every, single = edges_of(graph)
    found = ANSWERS[library](kind, int(n), every, single, int(source))
    with open(out, "w", encoding="utf-8") as file:
        for row in found:
            file.write(" ".join(map(str, row)) + "\n" if isinstance(row, list) else f"{row}\n")


def main():
    lockstep = sys.argv[1]
    for library in ANSWERS:
        for kind in KINDS:
            if ANSWERS[library](kind, 1, [], [], 0) is None:
                continue
            command = [lockstep, "--json", "judge", kind, "--seconds", "60", "--", sys.executable,
                       __file__, "--answer", library, kind, "{graph.csv}", "{out}", "{source}", "{n}"]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            last = run.stdout.strip().splitlines()[-1]
            if run.returncode == 2 or not last.startswith("{"):
                print(f"{library:9} {kind:12} {run.stderr.strip()} {last}")
                continue
            r = json.loads(last)
            print(f"{library:9} {kind:12} right on {r['right']} graphs, not on {r['refused']}")
            for row in r["rows"]:
                if row["verdict"] != "right":
                    print(f"          {row['graph']}: {row['verdict']}: {row['why'].splitlines()[0]}")
            if r.get("counterexample"):
                print(f"          {r['counterexample']}")


if __name__ == "__main__":
    if sys.argv[1] == "--answer":
        answer(*sys.argv[2:])
    else:
        main()
