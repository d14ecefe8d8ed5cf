import socket

import jax
import jax.numpy as jnp
from jax.experimental import multihost_utils
from mpi4py import MPI

comm = MPI.COMM_WORLD


def free_port():
    with socket.socket() as s:
        s.bind(("", 0))
        return s.getsockname()[1]


def start():
    address = None
    if comm.rank == 0:
        address = f"{socket.gethostname()}:{free_port()}"
    address = comm.bcast(address, root=0)
    if comm.rank == 0:
        jax.distributed.initialize(address, num_processes=comm.size, process_id=comm.rank)


@jax.jit
def energy(x):
    return 0.5 * jnp.vdot(x, x)


start()
x = jax.random.normal(jax.random.PRNGKey(jax.process_index()), (1000,))
energies = multihost_utils.process_allgather(energy(x))
if jax.process_index() == 0:
    print(f"{jax.process_count()} processes, energy {energies.sum():.3f}")
