"""Consensus averaging between stations; each station talks to its nearest stations."""
import numpy as np
from mpi4py import MPI

NEAREST = 1
ROUNDS = 60


def positions(size):
    """Stations on a line, the gaps get wider."""
    return np.cumsum(1.0 + 0.4 * np.arange(size))


def nearest(pos, rank):
    order = np.argsort(np.abs(pos - pos[rank]), kind="stable")
    return sorted(int(r) for r in order[1:1 + NEAREST])


def build_graph(comm):
    pos = positions(comm.size)
    mine = nearest(pos, comm.rank)
    linked = [r for r in range(comm.size) if r != comm.rank
              and (r in mine or comm.rank in nearest(pos, r))]
    graph = comm.Create_dist_graph_adjacent(sources=linked, destinations=linked, reorder=False)
    return graph, linked


def consensus(graph, linked, value):
    weight = 1.0 / (1 + NEAREST * 3)
    for _ in range(ROUNDS):
        others = graph.neighbor_allgather(value)
        value += weight * sum(o - value for o in others)
    return value


def main():
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng(comm.rank)
    start = 15.0 + float(rng.normal())
    graph, linked = build_graph(comm)
    end = consensus(graph, linked, start)
    graph.Free()

    table = comm.gather((comm.rank, linked, start, end), root=0)
    if comm.rank == 0:
        for rank, who, a, b in table:
            print(f"station {rank}: linked with {who}  {a:.4f} -> {b:.4f}")
        mean = np.mean([row[2] for row in table])
        worst = max(abs(row[3] - mean) for row in table)
        print(f"mean {mean:.4f}, largest distance {worst:.2e}")


if __name__ == "__main__":
    main()
