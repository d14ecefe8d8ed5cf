"""Feature standardisation and least squares over a mesh of processes."""
import argparse

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

parser = argparse.ArgumentParser()
parser.add_argument("--id", type=int, default=0)
parser.add_argument("--n", type=int, default=1)
parser.add_argument("--address", default="localhost:12764")
args = parser.parse_args()

jax.config.update("jax_cpu_collectives_implementation", "gloo")
jax.distributed.initialize(args.address, args.n, args.id)

mesh = Mesh(np.array(jax.devices()), ("data",))
ROWS, COLS = 600, 3


def table():
    rng = np.random.default_rng(8)
    x = rng.normal(size=(ROWS, COLS)) * [1.0, 5.0, 0.2] + [3.0, -2.0, 0.5]
    x[ROWS // 2:] *= 2.0
    return x.astype(np.float32)


def standardise(x, n):
    mean = jax.lax.psum(x.sum(axis=0), "data") / n
    centred = x - mean
    var = jax.lax.psum((centred ** 2).sum(axis=0), "data") / n
    return centred / jnp.sqrt(var + 1e-8)


def gram(z):
    return jax.lax.psum(z.T @ z, "data")


def pipeline(x):
    z = standardise(x, ROWS)
    return z, gram(z) / ROWS


def main():
    full = table()
    per = ROWS // jax.process_count()
    mine = full[jax.process_index() * per:(jax.process_index() + 1) * per]
    x = jax.make_array_from_process_local_data(NamedSharding(mesh, P("data")), mine)
    run = jax.jit(jax.shard_map(pipeline, mesh=mesh, in_specs=P("data"),
                                out_specs=(P("data"), P())))
    z, corr = run(x)
    z = multihost_utils.process_allgather(z, tiled=True)
    if jax.process_index() == 0:
        print("std", np.round(np.asarray(z).std(axis=0), 4))
        print("correlation\n", np.round(np.asarray(corr), 4))
    multihost_utils.sync_global_devices("end")


main()
