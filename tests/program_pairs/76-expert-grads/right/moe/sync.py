import numpy as np
from mpi4py import MPI


def all_reduce_gradients(model, comm):
    for expert in model.experts:
        if expert.grad is None:
            expert.grad = np.zeros_like(expert.w)
        comm.Allreduce(MPI.IN_PLACE, expert.grad, op=MPI.SUM)
        expert.grad /= comm.size


def replicas_agree(model, comm):
    digest = [float(e.w.sum()) for e in model.experts]
    return all(np.allclose(digest, d) for d in comm.allgather(digest))
