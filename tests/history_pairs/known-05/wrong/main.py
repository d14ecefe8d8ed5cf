import numpy as np
from mpi4py import MPI


def read_traces(rank, count=40, samples=128):
    rng = np.random.default_rng(rank)
    return rng.normal(loc=3.0, scale=0.5, size=(count, samples))


def collect_stats(comm, traces):
    stats = {"count": comm.allreduce(traces.shape[0]), "samples": traces.shape[1]}
    sums = comm.gather(float(traces.sum()), root=0)
    if comm.rank == 0:
        stats["mean"] = sum(sums) / (stats["count"] * stats["samples"])
    return stats


def main():
    comm = MPI.COMM_WORLD
    traces = read_traces(comm.rank)
    stats = collect_stats(comm, traces)
    centred = traces - stats["mean"]
    power = comm.reduce(float((centred ** 2).sum()), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print("traces:", stats["count"])
        print(f"variance {power / (stats['count'] * stats['samples']):.3f}")


main()
