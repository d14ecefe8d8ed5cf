import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

PROCESS = int(os.environ.get("OMPI_COMM_WORLD_RANK", "0"))
COUNT = int(os.environ.get("OMPI_COMM_WORLD_SIZE", "1"))


def loss_fn(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


@jax.jit
def train_step(w, x, y):
    loss, g = jax.value_and_grad(loss_fn)(w, x, y)
    return w - 0.1 * g, loss


def main():
    jax.distributed.initialize(
        os.environ.get("COORDINATOR", "127.0.0.1:23457"),
        num_processes=COUNT,
        process_id=PROCESS,
        initialization_timeout=20,
    )
    from metrics import MetricsWriter

    mesh = Mesh(np.array(jax.devices()), ("data",))
    rows = NamedSharding(mesh, P("data"))
    rng = np.random.default_rng(jax.process_index())
    w = jnp.zeros(8)
    truth = np.linspace(0, 1, 8)
    writer = MetricsWriter("metrics.jsonl")
    for step in range(1, 61):
        x = rng.normal(size=(32, 8)).astype(np.float32)
        y = (x @ truth).astype(np.float32)
        xg = jax.make_array_from_process_local_data(rows, x)
        yg = jax.make_array_from_process_local_data(rows, y)
        w, loss = train_step(w, xg, yg)
        writer.add(loss=loss, input_norm=np.linalg.norm(x))
        if step % 20 == 0:
            writer.flush(step)
    if jax.process_index() == 0:
        print("weights", np.round(np.asarray(w), 3))
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
