"""Each rank receives the halo in a thread of its own."""
import threading
import numpy as np
from mpi4py import MPI
from utils import receive_from, send_to

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
other = 1 - rank
field = np.arange(6.0) + 10 * rank
halos = []


def listen(steps):
    for step in range(steps):
        halos.append(receive_from(comm, 2, other, step))


thread = threading.Thread(target=listen, args=(3,))
thread.start()
for step in range(3):
    send_to(comm, field[:2] + step, other, step if rank == 0 else min(step, 1))  # change
thread.join()
print(rank, np.sum(halos))
