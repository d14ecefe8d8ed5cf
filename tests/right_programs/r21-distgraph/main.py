"""PageRank on a partitioned graph; ranks that share edges are neighbours in
a distributed graph communicator and exchange by neighbour collectives."""
import numpy as np
from mpi4py import MPI

N = 90
DAMPING = 0.85


def build_graph():
    """Same pseudo-random graph on all ranks; without dangling vertices."""
    rng = np.random.default_rng(123)
    edges = {(v, (v + 1) % N) for v in range(N)}
    while len(edges) < 4 * N:
        a, b = (int(t) for t in rng.integers(N, size=2))
        # mostly short-range links, so not every pair of ranks is adjacent
        b = (a + b % 13) % N
        if a != b:
            edges.add((a, b))
    return sorted(edges)


class Partition:
    def __init__(self, comm, edges):
        bounds = np.arange(comm.size + 1) * N // comm.size
        owner = np.searchsorted(bounds, np.arange(N), side="right") - 1
        me = comm.rank
        self.lo, self.hi = int(bounds[me]), int(bounds[me + 1])
        self.out_degree = np.bincount([a for a, _ in edges], minlength=N)
        self.inside = [(a, b) for a, b in edges if owner[a] == owner[b] == me]

        outgoing, incoming = {}, {}
        for a, b in edges:
            if owner[a] == owner[b]:
                continue
            if owner[a] == me:
                outgoing.setdefault(int(owner[b]), []).append((a, b))
            elif owner[b] == me:
                incoming.setdefault(int(owner[a]), []).append((a, b))
        self.dests, self.sources = sorted(outgoing), sorted(incoming)
        self.graph = comm.Create_dist_graph_adjacent(self.sources, self.dests)

        # the edge lists have the same order on both sides
        self.send_from = np.array([a for d in self.dests for a, _ in outgoing[d]], dtype=int)
        self.recv_to = np.array([b for s in self.sources for _, b in incoming[s]], dtype=int)
        self.send_counts = [len(outgoing[d]) for d in self.dests]
        self.recv_counts = [len(incoming[s]) for s in self.sources]

    @staticmethod
    def _displs(counts):
        return list(np.cumsum([0] + counts[:-1])) if counts else []

    def push(self, x):
        """Contribution of all edges to the vertices of this rank."""
        share = x / self.out_degree[self.lo:self.hi]
        acc = np.zeros(self.hi - self.lo)
        sendbuf = share[self.send_from - self.lo]
        recvbuf = np.empty(len(self.recv_to))
        req = self.graph.Ineighbor_alltoallv(
            [sendbuf, self.send_counts, self._displs(self.send_counts), MPI.DOUBLE],
            [recvbuf, self.recv_counts, self._displs(self.recv_counts), MPI.DOUBLE])
        for a, b in self.inside:            # local edges while messages travel
            acc[b - self.lo] += share[a - self.lo]
        req.Wait()
        np.add.at(acc, self.recv_to - self.lo, recvbuf)
        return acc


def serial_pagerank(edges, iterations):
    degree = np.bincount([a for a, _ in edges], minlength=N)
    x = np.full(N, 1.0 / N)
    for _ in range(iterations):
        new = np.zeros(N)
        for a, b in edges:
            new[b] += x[a] / degree[a]
        x = (1 - DAMPING) / N + DAMPING * new
    return x


def main():
    comm = MPI.COMM_WORLD
    edges = build_graph()
    part = Partition(comm, edges)
    x = np.full(part.hi - part.lo, 1.0 / N)
    iterations, residual = 0, np.inf
    while residual > 1e-12 and iterations < 300:
        new = (1 - DAMPING) / N + DAMPING * part.push(x)
        residual = comm.allreduce(float(np.abs(new - x).sum()), op=MPI.SUM)
        x = new
        iterations += 1

    mass = comm.allreduce(float(x.sum()))
    assert abs(mass - 1.0) < 1e-10
    blocks = comm.gather(x, root=0)
    neighbours = comm.gather(len(part.dests), root=0)
    if comm.rank == 0:
        ranks = np.concatenate(blocks)
        np.testing.assert_allclose(ranks, serial_pagerank(edges, iterations), atol=1e-13)
        print(f"{iterations} iterations, top vertex {ranks.argmax()}, out-neighbours {neighbours}")
    part.graph.Free()


if __name__ == "__main__":
    main()
