import numpy as np
from mpi4py import MPI

from exchange import offsets_of

comm = MPI.COMM_WORLD

rng = np.random.default_rng(comm.rank + 5)
halos = rng.lognormal(mean=12.0, sigma=0.6, size=30 + 7 * comm.rank)

offsets = offsets_of(comm, len(halos))
first, last = offsets[comm.rank], offsets[comm.rank + 1]
identifiers = np.arange(first, last)

highest = comm.reduce(int(identifiers.max()), op=MPI.MAX, root=0)
number = comm.reduce(len(identifiers), op=MPI.SUM, root=0)
if comm.rank == 0:
    print("halos:", number)
    print("identifiers are dense:", highest == number - 1)
