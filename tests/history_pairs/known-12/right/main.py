import numpy as np
from mpi4py import MPI


def histogram(comm, edges, draws):
    rng = np.random.default_rng(comm.Get_rank() * 11 + 3)
    values = rng.gamma(shape=2.0, scale=1.5, size=draws)
    counts, _ = np.histogram(values, bins=edges)
    return counts.astype(np.float64)


def main():
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    edges = np.linspace(0.0, 20.0, 41)
    counts = histogram(comm, edges, 5000)

    total = np.zeros_like(counts) if rank == 0 else None
    comm.Reduce(counts, total, op=MPI.SUM, root=0)

    if rank == 0:
        centres = 0.5 * (edges[1:] + edges[:-1])
        density = total / total.sum()
        mean = float((centres * density).sum())
        print(f"entries {int(total.sum())}, mean {mean:.2f}")


if __name__ == "__main__":
    main()
