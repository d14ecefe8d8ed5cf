"""Column statistics of a distributed table of sensor readings."""
import numpy as np
from mpi4py import MPI

COLUMNS = ("temperature", "pressure", "humidity", "wind")


def readings(rank, rows=5000):
    rng = np.random.default_rng(900 + rank)
    data = np.empty((rows, len(COLUMNS)))
    data[:, 0] = rng.normal(15 + rank, 4, rows)
    data[:, 1] = rng.normal(1013, 7, rows)
    data[:, 2] = rng.beta(4, 2, rows) * 100
    data[:, 3] = rng.weibull(2.0, rows) * 6
    return data


def summaries(comm, data):
    n = comm.allreduce(len(data))
    for j, name in enumerate(COLUMNS):
        col = data[:, j]
        mean = comm.allreduce(col.sum()) / n
        var = comm.allreduce(((col - mean) ** 2).sum()) / (n - 1)
        low = comm.allreduce(col.min(), op=MPI.MIN)
        high = comm.allreduce(col.max(), op=MPI.MAX)
        yield name, mean, var ** 0.5, low, high


def report(rows):
    print("%-12s %10s %10s %10s %10s" % ("column", "mean", "std", "min", "max"))
    for row in rows:
        print("%-12s %10.3f %10.3f %10.3f %10.3f" % row)


def main():
    comm = MPI.COMM_WORLD
    data = readings(comm.rank)
    if comm.rank == 0:
        print(f"{comm.size} stations, {data.shape[0]} rows each")
    rows = summaries(comm, data)
    if comm.rank == 0:
        report(rows)


if __name__ == "__main__":
    main()
