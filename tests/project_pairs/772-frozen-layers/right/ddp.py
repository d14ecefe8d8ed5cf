import fnmatch

from mpi4py import MPI


def select_trainable(names, frozen_patterns):
    """Names of the parameters that are trained, given glob patterns of frozen ones."""
    frozen = {n for pattern in frozen_patterns for n in fnmatch.filter(names, pattern)}
    return [n for n in names if n not in frozen]


class DataParallel:
    """Keeps the replicas of a model in step by averaging gradients."""

    def __init__(self, comm, model, frozen=()):
        self.comm = comm
        self.model = model
        self.trainable = select_trainable(list(model.named("params")), frozen)
        for value in model.named("params").values():
            comm.Bcast(value, root=0)

    def n_trainable(self):
        params = self.model.named("params")
        return sum(params[n].size for n in self.trainable)

    def average_gradients(self):
        grads = self.model.named("grads")
        for name in self.trainable:
            self.comm.Allreduce(MPI.IN_PLACE, grads[name])
            grads[name] /= self.comm.size

    def apply(self, lr):
        params, grads = self.model.named("params"), self.model.named("grads")
        for name in self.trainable:
            params[name] -= lr * grads[name]
