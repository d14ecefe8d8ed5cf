"""Linear regression with a sharded parameter vector and periodic checkpoints."""
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from checkpoint import Checkpointer

DIM = 120


def setup():
    jax.distributed.initialize(
        coordinator_address=os.environ["COORDINATOR"],
        num_processes=int(os.environ["NUM_PROCESSES"]),
        process_id=int(os.environ["PROCESS_ID"]),
    )
    return Mesh(np.array(jax.devices()), ("model",))


def main():
    mesh = setup()
    if DIM % mesh.size:
        raise SystemExit("parameter dimension must be divisible by the number of devices")
    sharded = NamedSharding(mesh, P("model"))
    columns = NamedSharding(mesh, P(None, "model"))

    rng = np.random.default_rng(0)
    x_host = rng.standard_normal((64, DIM)).astype(np.float32)
    y_host = (x_host @ np.linspace(-1, 1, DIM)).astype(np.float32)
    x = jax.make_array_from_callback(x_host.shape, columns, lambda i: x_host[i])
    w = jax.make_array_from_callback((DIM,), sharded, lambda i: np.zeros(DIM, np.float32)[i])

    @jax.jit
    def step(w, x):
        def loss(w):
            return jnp.mean((x @ w - y_host) ** 2)
        value, grad = jax.value_and_grad(loss)(w)
        return w - 0.02 * grad, value

    checkpointer = Checkpointer("ckpt", every=20)
    for it in range(1, 61):
        w, value = step(w, x)
        checkpointer.maybe_save(it, w)
    checkpointer.close()
    if jax.process_index() == 0:
        print(f"final loss {float(value):.6f}, saved {checkpointer.saved}")


if __name__ == "__main__":
    main()
