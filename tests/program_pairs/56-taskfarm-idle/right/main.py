import numpy as np
from mpi4py import MPI

from farm import Farm


def integrate(params):
    a, b, n = params
    x = np.linspace(a, b, n)
    f = np.exp(-x * x) * np.cos(3 * x)
    return float(np.sum(0.5 * (f[1:] + f[:-1]) * np.diff(x)))


def main():
    comm = MPI.COMM_WORLD
    intervals = [(0.0, 1.0, 20001), (1.0, 4.0, 40001)]
    values = Farm(comm, integrate).run(intervals)
    if comm.rank == 0:
        for (a, b, _), v in zip(intervals, values):
            print(f"[{a:.1f}, {b:.1f}]  {v:.8f}")
        print(f"sum {sum(values):.8f}")
    comm.Barrier()


if __name__ == "__main__":
    main()
