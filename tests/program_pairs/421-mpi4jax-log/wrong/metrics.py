"""Running averages of scalars over steps and processes."""
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI


class MetricBook:
    def __init__(self, comm, names):
        self.comm = comm
        self._sum = {n: 0.0 for n in names}
        self._n = 0

    def update(self, **values):
        for k, v in values.items():
            self._sum[k] = self._sum[k] + v
        self._n += 1

    def compute(self):
        names = sorted(self._sum)
        local = jnp.stack([jnp.asarray(self._sum[k], dtype=jnp.float32) / max(self._n, 1)
                           for k in names])
        total = mpi4jax.allreduce(local, op=MPI.SUM, comm=self.comm)
        return dict(zip(names, (total / self.comm.Get_size()).tolist()))

    def reset(self):
        for k in self._sum:
            self._sum[k] = 0.0
        self._n = 0


class Logger:
    def __init__(self, comm, prefix=""):
        self.enabled = comm.Get_rank() == 0
        self.prefix = prefix

    def log(self, step, book):
        if not self.enabled:
            return
        values = book.compute()
        txt = "  ".join(f"{k}={v:.5f}" for k, v in values.items())
        print(f"{self.prefix}{step:5d}  {txt}", flush=True)
