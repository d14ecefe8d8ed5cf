"""Medians and median deviations of a table that is spread over the processes."""
import argparse
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.config.update("jax_cpu_collectives_implementation", "gloo")


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--coordinator", default=os.environ.get("COORDINATOR"))
    ap.add_argument("--processes", type=int, default=int(os.environ.get("NUM_PROCESSES", 1)))
    ap.add_argument("--id", type=int, default=int(os.environ.get("PROCESS_ID", 0)))
    ap.add_argument("--rows", type=int, default=103)
    return ap.parse_args()


def read_rows(first, last):
    """Rows first..last-1 of the table (made up here)."""
    i = np.arange(first, last, dtype=np.float32)
    return np.stack([i, np.sqrt(i), np.sin(i), np.ones_like(i) * 3 + i % 4], axis=1)


def local_part(n_rows):
    """The rows of this process."""
    per = -(-n_rows // jax.process_count())
    first = jax.process_index() * per
    last = min(first + per, n_rows)
    return read_rows(first, last)


@jax.jit
def column_medians(x):
    middle = jnp.nanmedian(x, axis=0)
    spread = jnp.nanmedian(jnp.abs(x - middle), axis=0)
    return middle, spread


def main():
    args = parse()
    jax.distributed.initialize(args.coordinator, args.processes, args.id)
    mesh = Mesh(np.array(jax.devices()), ("rows",))
    sharding = NamedSharding(mesh, P("rows"))

    rows = local_part(args.rows)
    x = jax.make_array_from_process_local_data(sharding, rows)
    middle, spread = (np.asarray(v) for v in column_medians(x))

    full = read_rows(0, args.rows)
    want = np.median(full, axis=0)
    if jax.process_index() == 0:
        print("table", x.shape)
        print("median   ", np.round(middle, 3))
        print("deviation", np.round(spread, 3))
    np.testing.assert_allclose(middle, want, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(spread, np.median(np.abs(full - want), axis=0), rtol=1e-4, atol=1e-4)


if __name__ == "__main__":
    main()
