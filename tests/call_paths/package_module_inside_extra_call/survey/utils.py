import numpy as np
from mpi4py import MPI


def share_of(comm, answers, value):
    out = np.zeros(2)
    counts = np.array([np.count_nonzero(answers == value), answers.size], dtype=float)
    comm.Allreduce(counts, out, op=MPI.SUM)
    return out[0] / out[1]
