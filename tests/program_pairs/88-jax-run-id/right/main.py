import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

PER_PROCESS = 16


@jax.jit
def smooth(u):
    return 0.5 * u + 0.25 * (jnp.roll(u, 1, axis=0) + jnp.roll(u, -1, axis=0))


def main():
    jax.distributed.initialize(
        os.environ.get("COORDINATOR", "127.0.0.1:23489"),
        num_processes=int(os.environ.get("OMPI_COMM_WORLD_SIZE", "1")),
        process_id=int(os.environ.get("OMPI_COMM_WORLD_RANK", "0")),
        initialization_timeout=20,
    )
    from checkpoints import Checkpointer, make_run_dir

    me, count = jax.process_index(), jax.process_count()
    rows = NamedSharding(Mesh(np.array(jax.devices()), ("x",)), P("x"))
    start = me * PER_PROCESS + np.arange(PER_PROCESS, dtype=np.float32)
    u = jax.make_array_from_process_local_data(rows, np.tile(start[:, None], (1, 4)))

    ckpt = Checkpointer(make_run_dir())
    for step in range(1, 11):
        u = jax.jit(smooth, out_shardings=rows)(u)
        if step % 5 == 0:
            ckpt.save(step, u)

    full = ckpt.restore(10)
    expected = PER_PROCESS * count
    print(f"process {me}: restored {full.shape[0]} of {expected} rows, mean {full.mean():.4f}")
    jax.distributed.shutdown()
    return 0 if full.shape[0] == expected else 1


if __name__ == "__main__":
    raise SystemExit(main())
