import os
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax.experimental import multihost_utils
from mpi4py import MPI


@dataclass
class Job:
    rank: int
    processes: int
    address: str

    @classmethod
    def from_mpi(cls, comm):
        address = os.environ.get("COORDINATOR_ADDRESS", "localhost:29422")
        return cls(rank=comm.rank, processes=comm.size - 1, address=comm.bcast(address))

    def start(self):
        jax.distributed.initialize(self.address, num_processes=self.processes, process_id=self.rank)


@jax.jit
def logistic(r):
    return jax.lax.fori_loop(0, 500, lambda _, x: r * x * (1.0 - x), jnp.full_like(r, 0.4))


job = Job.from_mpi(MPI.COMM_WORLD)
job.start()
rates = jnp.linspace(2.5, 3.0, 10) + 0.01 * jax.process_index()
table = multihost_utils.process_allgather(logistic(rates))
if jax.process_index() == 0:
    print("table of", table.shape, "sum", round(float(table.sum()), 3))
