import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

import reductions

COLUMNS = 6


def global_field(mesh, rows_per_device=32):
    sharding = NamedSharding(mesh, P("x"))
    shape = (rows_per_device * jax.device_count(), COLUMNS)

    def block(index):
        start, stop, _ = index[0].indices(shape[0])
        i = np.arange(start, stop, dtype=np.float32)[:, None]
        return np.sin(0.1 * i + np.arange(COLUMNS, dtype=np.float32)[None, :])

    return jax.make_array_from_callback(shape, sharding, block)


def main() -> None:
    jax.distributed.initialize(cluster_detection_method="mpi4py")
    field = global_field(jax.make_mesh((jax.device_count(),), ("x",)))
    first = jax.process_index() % len(reductions.ALL)
    results = {}
    for k in range(len(reductions.ALL)):
        reduction = reductions.ALL[(first + k) % len(reductions.ALL)]
        results[reduction.__name__] = np.asarray(reduction(field)).sum()
    if jax.process_index() == 0:
        for name in sorted(results):
            print(name, round(float(results[name]), 3))


if __name__ == "__main__":
    main()
