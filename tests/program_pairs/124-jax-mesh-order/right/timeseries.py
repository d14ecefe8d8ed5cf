"""Autocorrelation of a long time series, time axis sharded over all processes."""
import argparse
import os
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def build_mesh():
    """All devices along one axis called ``time``."""
    devices = list(jax.devices())
    return Mesh(np.array(devices), ("time",))


def series(n):
    t = np.arange(n)
    noise = np.random.default_rng(21).standard_normal(n)
    return (np.sin(t / 15.0) * (1 + t / n) + 0.3 * noise + t / (0.4 * n)).astype(np.float32)


def shard_series(mesh, n):
    full = series(n)
    lo, hi = (n * (jax.process_index() + i) // jax.process_count() for i in (0, 1))
    return jax.make_array_from_process_local_data(NamedSharding(mesh, P("time")), full[lo:hi])


def block_summary(mesh, lag):
    n_dev = mesh.size
    shift = [(i, (i - 1) % n_dev) for i in range(n_dev)]

    @jax.jit
    @partial(jax.shard_map, mesh=mesh, in_specs=P("time"), out_specs=P("time"))
    def summary(x):
        index = jax.lax.axis_index("time")
        following = jax.lax.ppermute(x[:lag], "time", shift)
        ahead = jnp.concatenate([x[lag:], following])
        product = x * ahead
        last = index == n_dev - 1
        product = jnp.where(last & (jnp.arange(x.size) >= x.size - lag), 0.0, product)
        return jnp.stack([product.sum(), (x * x).sum()])[None]

    return summary


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--length", type=int, default=1200)
    ap.add_argument("--lag", type=int, default=8)
    args = ap.parse_args()
    jax.distributed.initialize(os.environ["COORDINATOR"], int(os.environ["NUM_PROCESSES"]),
                               int(os.environ["PROCESS_ID"]))
    if args.length % jax.device_count():
        raise SystemExit("length must be divisible by the number of devices")
    mesh = build_mesh()
    x = shard_series(mesh, args.length)
    table = block_summary(mesh, args.lag)(x)
    mine = np.asarray(table.addressable_data(0))
    parts = multihost_utils.process_allgather(mine).reshape(-1, 2).sum(axis=0)
    if jax.process_index() == 0:
        full = series(args.length).astype(float)
        serial = (full[:-args.lag] * full[args.lag:]).sum() / (full ** 2).sum()
        print(f"autocorrelation {parts[0] / parts[1]:.5f}, serial {serial:.5f}")


if __name__ == "__main__":
    main()
