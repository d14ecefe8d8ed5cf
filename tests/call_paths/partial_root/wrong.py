"""Share settings by functions with fixed arguments."""
from functools import partial
from mpi4py import MPI
from utils import broadcast, gather_all

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
collect = partial(gather_all, comm=comm)
share = partial(broadcast, comm=comm, root=rank % 2)  # change

names = collect(f"rank{rank}")
options = share({"rate": 0.1 * (rank + 1)})
print(rank, names, options["rate"])
seeds = collect(int(options["rate"] * 100))
print(rank, seeds)
