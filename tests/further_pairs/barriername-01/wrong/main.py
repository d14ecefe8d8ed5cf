"""Times a matrix product on every process; the first call compiles."""

import os
import time

import jax
import jax.numpy as jnp
from jax.experimental import multihost_utils

jax.distributed.initialize(
    coordinator_address=os.environ["COORDINATOR_ADDRESS"],
    num_processes=int(os.environ["WORLD_SIZE"]),
    process_id=int(os.environ["RANK"]),
)
index = jax.process_index()


@jax.jit
def product(a, b):
    return jnp.tanh(a @ b)


a = jax.random.normal(jax.random.PRNGKey(index), (128, 128))
b = jnp.eye(128)
product(a, b).block_until_ready()
multihost_utils.sync_global_devices(f"product compiled on {index}")

start = time.perf_counter()
for _ in range(5):
    b = product(a, b)
b.block_until_ready()
spent = multihost_utils.process_allgather(time.perf_counter() - start)
if index == 0:
    print("processes timed:", spent.shape[0], "all positive:", bool((spent > 0).all()))
