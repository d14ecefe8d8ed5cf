from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P
from mpi4py import MPI

from logger import NormLogger

CELLS = 64


def main():
    comm = MPI.COMM_WORLD
    address = comm.bcast("localhost:29433", root=0)
    jax.distributed.initialize(address, comm.size, comm.rank)
    mesh = jax.make_mesh((jax.device_count(),), ("x",))

    @jax.jit
    @partial(jax.shard_map, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
    def diffuse(u):
        n = jax.lax.axis_size("x")
        right = jax.lax.ppermute(u[:1], "x", [(i, (i - 1) % n) for i in range(n)])
        left = jax.lax.ppermute(u[-1:], "x", [(i, (i + 1) % n) for i in range(n)])
        padded = jnp.concatenate([left, u, right])
        return u + 0.2 * (padded[:-2] - 2.0 * u + padded[2:])

    start = np.zeros(CELLS * jax.device_count(), dtype=np.float32)
    start[: CELLS // 2] = 1.0
    sharding = NamedSharding(mesh, P("x"))
    field = jax.make_array_from_callback(start.shape, sharding, lambda index: start[index])
    logger = NormLogger(every=10)
    for step in range(1, 31):
        field = diffuse(field)
        logger.log(step, field)


if __name__ == "__main__":
    main()
