"""Every rank counts in its part of the archive."""
import numpy as np
from mpi4py import MPI
from utils import load_part, reduce_sum


def main():
    comm = MPI.COMM_WORLD
    archive = [np.arange(10) % 4, np.arange(14) % 4]
    part = load_part(archive, comm.Get_rank() + 1)  # change
    histogram = np.bincount(part, minlength=4)
    histogram = reduce_sum(comm, histogram)
    print(comm.Get_rank(), histogram)


main()
