"""Sort samples and write a summary."""
import numpy as np
from mpi4py import MPI
from timing import timed


@timed
def arrange(comm, sample):
    return np.sort(sample)


@timed
def summary(comm, sample):
    return f"{sample[0]:.3f} to {sample[-1]:.3f}"


comm = MPI.COMM_WORLD
sample = arrange(comm, np.random.default_rng(comm.Get_rank()).normal(size=1000))
text = summary(comm, sample)
if comm.Get_rank() == 0:
    print(text)
lowest = comm.reduce(float(sample[0]), op=MPI.MIN, root=0)
if comm.Get_rank() == 0:
    print("lowest", round(lowest, 3), arrange.seconds < 5)
