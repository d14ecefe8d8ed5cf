import jax
import numpy as np
from mpi4py import MPI


class TreeSync:
    """Reductions of scalars and of trees of arrays."""

    def __init__(self, comm):
        self.comm = comm
        self.size = comm.size

    def scalar_sum(self, x):
        return self.comm.allreduce(x, op=MPI.SUM)

    def sum(self, tree):
        leaves, treedef = jax.tree.flatten(tree)
        flat = np.concatenate([np.ravel(x) for x in leaves])
        self.comm.Allreduce(MPI.IN_PLACE, flat, op=MPI.SUM)
        cuts = np.cumsum([np.size(x) for x in leaves])[:-1]
        parts = [p.reshape(np.shape(x)) for p, x in zip(np.split(flat, cuts), leaves)]
        return jax.tree.unflatten(treedef, parts)

    def mean(self, tree):
        return jax.tree.map(lambda x: x / self.size, self.sum(tree))
