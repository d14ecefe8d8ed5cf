"""Matrix product where the blocks of B travel around a ring."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
left, right = (rank - 1) % size, (rank + 1) % size

rows = 600
n = rows * size
rng = np.random.default_rng(1)
a = rng.random((16, n))
b = np.full((rows, rows), 1.0 / (rank + 1))
c = np.zeros((16, rows))

owner = rank
for step in range(size):
    c += a[:, owner * rows : (owner + 1) * rows] @ b
    arriving = np.empty_like(b)
    comm.Sendrecv(b, dest=right, sendtag=step, recvbuf=arriving, source=left, recvtag=step)
    b = arriving
    owner = (owner - 1) % size

checksum = comm.reduce(float(c.sum()), op=MPI.SUM, root=0)
if rank == 0:
    print(f"checksum {checksum:.4e}")
