import os
import shutil
import tempfile

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

os.makedirs("scratch", exist_ok=True)
scratch = tempfile.mkdtemp(prefix="couplings_", dir="scratch") if rank == 0 else None
scratch = comm.bcast(scratch, root=0)


def couplings(n):
    rng = np.random.default_rng(21)
    upper = np.triu(rng.normal(size=(n, n)), k=1)
    return upper + upper.T


if rank == 0:
    np.save(os.path.join(scratch, "couplings.npy"), couplings(30))
comm.Barrier()

matrix = np.load(os.path.join(scratch, "couplings.npy"), mmap_mode="r")
rng = np.random.default_rng(rank)
best = min(float(s @ matrix @ s) for s in rng.choice([-1.0, 1.0], size=(200, 30)))
lowest = comm.reduce(best, op=MPI.MIN, root=0)

del matrix
comm.Barrier()
if rank == 0:
    shutil.rmtree(scratch)
    print("states tried:", 200 * size, "lowest is negative:", lowest < 0)
