"""Pass blocks around a ring."""
import numpy as np
from mpi4py import MPI
from utils import receive_from, send_to


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    left, right = (rank - 1) % size, (rank + 1) % size
    block = np.full(4, float(rank))
    total = block.copy()
    for _ in range(size - 1):
        send_to(comm, block, right)
        block = receive_from(comm, block, left)
        total += block
    print(rank, total)


main()
