import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

ROWS = 64


@jax.jit
def train_step(w, x, y):
    return w - 0.2 * jax.grad(lambda v: jnp.mean((x @ v - y) ** 2))(w)


@jax.jit
def evaluate(w, x, y):
    return jnp.mean(jnp.abs(x @ w - y))


def main():
    jax.distributed.initialize(
        coordinator_address=os.environ["COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["WORLD_SIZE"]),
        process_id=int(os.environ["RANK"]),
    )
    mesh = Mesh(np.array(jax.devices()), ("batch",))
    by_row = NamedSharding(mesh, P("batch"))
    rng = np.random.default_rng(jax.process_index())
    x_local = rng.standard_normal((ROWS * jax.local_device_count(), 4)).astype(np.float32)
    y_local = x_local @ np.array([1.0, 2.0, 3.0, 4.0], dtype=np.float32)
    x = jax.make_array_from_process_local_data(by_row, x_local)
    y = jax.make_array_from_process_local_data(by_row, y_local)
    w = jax.device_put(np.zeros(4, dtype=np.float32), NamedSharding(mesh, P()))
    for epoch in range(12):
        w = train_step(w, x, y)
        if epoch % 4 == 3:
            error = evaluate(w, x, y)
            if jax.process_index() == 0:
                print(f"epoch {epoch} error {float(error):.4f}")


if __name__ == "__main__":
    main()
