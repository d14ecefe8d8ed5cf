import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI


class ColumnStats:
    """Column means and the mean norm of the rows of all ranks."""

    def __init__(self, width, comm):
        self.comm = comm
        self.total = jnp.zeros(width)
        self.norms = jnp.zeros(())
        self.rows = jnp.zeros(())

    def add(self, block):
        self.total = self.total + block.sum(axis=0)
        self.norms = self.norms + jnp.linalg.norm(block, axis=1).sum()
        self.rows = self.rows + block.shape[0]

    def finish(self):
        packed = jnp.concatenate([self.total, jnp.stack([self.norms, self.rows])])
        packed = mpi4jax.allreduce(packed, op=MPI.SUM, comm=self.comm)
        rows = float(packed[-1])
        return {
            "mean": [float(v) for v in packed[:-2] / rows],
            "norm": float(packed[-2]) / rows,
            "rows": int(rows),
        }
