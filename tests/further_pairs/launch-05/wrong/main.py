import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

from model import global_step, loss

ROWS, FEATURES = 100, 4


def samples(index):
    rng = np.random.default_rng(50 + index)
    x = (1.0 + index) * rng.standard_normal((ROWS * jax.local_device_count(), FEATURES))
    return x.astype(np.float32), np.tanh(x.sum(axis=1)).astype(np.float32)


def main():
    jax.distributed.initialize(cluster_detection_method="mpi4py")
    mesh = jax.make_mesh((jax.device_count(),), ("data",))
    sharded = NamedSharding(mesh, P("data"))
    x_local, y_local = samples(jax.process_index())
    x = jax.make_array_from_process_local_data(sharded, x_local)
    y = jax.make_array_from_process_local_data(sharded, y_local)
    w = jax.device_put(np.zeros(FEATURES, dtype=np.float32), NamedSharding(mesh, P()))
    used = 0
    while used < 300:
        w, value = global_step(w, x, y)
        used += 1
        if float(loss(np.asarray(w), x_local, y_local)) < 0.02:
            break
    final = float(loss(np.asarray(w), x_local, y_local))
    print(f"process {jax.process_index()}: {used} steps, local loss below 0.1: {final < 0.1}")


if __name__ == "__main__":
    main()
