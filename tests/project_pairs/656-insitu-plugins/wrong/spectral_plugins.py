import numpy as np
from mpi4py import MPI

from registry import diagnostic


@diagnostic("mean")
def mean(comm, w):
    return comm.allreduce(w.sum(), op=MPI.SUM) / comm.allreduce(w.size, op=MPI.SUM)


@diagnostic("enstrophy", requires=["mean"])
def enstrophy(comm, w):
    return 0.5 * comm.allreduce(np.sum(w**2), op=MPI.SUM)


@diagnostic("palinstrophy", requires=["enstrophy"])
def palinstrophy(comm, w):
    gx = np.diff(w, axis=1)
    return 0.5 * comm.allreduce(np.sum(gx**2), op=MPI.SUM)


@diagnostic("peak")
def peak(comm, w):
    return comm.allreduce(np.abs(w).max(), op=MPI.MAX)


@diagnostic("skewness", requires=["mean", "enstrophy"])
def skewness(comm, w):
    m3 = comm.allreduce(np.sum(w**3), op=MPI.SUM)
    m2 = comm.allreduce(np.sum(w**2), op=MPI.SUM)
    return m3 / m2**1.5
