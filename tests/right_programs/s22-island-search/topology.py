"""Who sends emigrants to whom: drawn once by the root, equal on all ranks."""
from collections import defaultdict
from contextlib import contextmanager

import numpy as np


def draw_edges(size, rng):
    """A ring plus some chords, without edges of an island to itself."""
    edges = {(r, (r + 1) % size) for r in range(size)}
    for _ in range(size):
        a, b = rng.integers(0, size, 2).tolist()
        edges.add((a, b))
    return sorted((a, b) for a, b in edges if a != b)


@contextmanager
def neighbourhood(comm):
    seed = comm.bcast(np.random.SeedSequence(99).entropy if comm.rank == 0 else None, root=0)
    outgoing, incoming = defaultdict(list), defaultdict(list)
    for a, b in draw_edges(comm.size, np.random.default_rng(seed)):
        outgoing[a].append(b)
        incoming[b].append(a)
    graph = comm.Create_dist_graph_adjacent(incoming[comm.rank], outgoing[comm.rank])
    try:
        yield graph, incoming[comm.rank]
    finally:
        graph.Free()
