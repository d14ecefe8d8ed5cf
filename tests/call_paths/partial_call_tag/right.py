"""Two kinds of data from rank 1 to rank 0."""
from functools import partial
import numpy as np
from mpi4py import MPI
from utils import receive_from, send_to

comm = MPI.COMM_WORLD
report = partial(send_to, comm, dest=0)
expect = partial(receive_from, comm, source=1)
if comm.Get_rank() == 0:
    energy = expect(1, tag=1)
    profile = expect(5, tag=2)
    print(energy, profile)
else:
    profile = np.linspace(0.0, 1.0, 5)
    report(np.array([profile @ profile]), tag=1)
    report(profile, tag=2)
    print("reported", profile.sum())
