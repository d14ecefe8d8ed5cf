import re
from mpi4py import MPI
def next_set(comm, names):
    if comm.rank == 0:
        nums = [int(m.group(1)) for n in names for m in [re.match(r"s(\d+)$", n)] if m]
        last = max(nums)
    else:
        last = None
    return comm.bcast(last, root=0)
