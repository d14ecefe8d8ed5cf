"""Sum the chunks of a long array over the ranks."""
import numpy as np
from mpi4py import MPI
from utils import reduce_sum

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
numbers = np.arange(24.0 + 8 * (rank == 0))
used = comm.allreduce(len(numbers), op=MPI.MIN)
chunks = numbers.reshape(-1, 8)
summed = np.concatenate(list(map(reduce_sum, chunks[: used // 8])))
lengths = comm.allgather(len(summed))
print(rank, lengths, summed[:3])
