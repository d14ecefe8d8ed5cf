import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

BATCH = 8


def local_samples(index):
    """The files of the processes hold different numbers of samples."""
    rng = np.random.default_rng(index)
    x = rng.standard_normal((40 + 17 * index, 3)).astype(np.float32)
    return x, x.sum(axis=1)


@jax.jit
def step(w, x, y):
    return w - 0.1 * jax.grad(lambda v: jnp.mean((x @ v - y) ** 2))(w)


jax.distributed.initialize(os.environ["COORDINATOR_ADDRESS"], int(os.environ["WORLD_SIZE"]), int(os.environ["RANK"]))
mesh = jax.make_mesh((jax.device_count(),), ("data",))
rows = NamedSharding(mesh, P("data"))
w = jax.device_put(np.zeros(3, dtype=np.float32), NamedSharding(mesh, P()))
x, y = local_samples(jax.process_index())
batch = BATCH * jax.local_device_count()
steps = len(x) // batch

for k in range(steps):
    part = slice(k * batch, (k + 1) * batch)
    w = step(
        w,
        jax.make_array_from_process_local_data(rows, x[part]),
        jax.make_array_from_process_local_data(rows, y[part]),
    )

if jax.process_index() == 0:
    print(steps, "steps, weights", np.asarray(w).round(4).tolist())
