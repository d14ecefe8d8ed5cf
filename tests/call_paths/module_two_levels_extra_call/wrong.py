"""Describe a sample which is distributed over the ranks."""
import numpy as np
from mpi4py import MPI
import stats


def main():
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    sample = np.random.default_rng(rank).normal(loc=rank, size=100)
    mean = stats.mean_of(comm, sample)
    if rank == 0:
        deviation = stats.deviation_of(comm, sample)  # change
        print(f"mean {mean:.3f}, deviation {deviation:.3f}")
    smallest = comm.allreduce(float(sample.min()), op=MPI.MIN)
    print(rank, round(smallest, 3))


main()
