import jax
import jax.numpy as jnp
from jax.experimental import multihost_utils


class Runner:
    """Sums a function over shares of the grid, one for each process."""

    def __init__(self, points: int):
        jax.distributed.initialize(cluster_detection_method="mpi4py")
        self.index = jax.process_index()
        self.count = jax.process_count()
        self.points = points

    def integrate(self, function) -> float:
        cells = jnp.arange(self.index, self.points, self.count)
        x = (cells + 0.5) / self.points
        part = jax.jit(lambda v: function(v).sum())(x) / self.points
        return float(multihost_utils.process_allgather(part).sum())
