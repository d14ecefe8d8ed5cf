"""Logistic regression from sharded files, one reader on each process.

    mpirun -n 4 python main.py --data shards
(the MPI launcher is used only to start the processes)
"""
import argparse
import functools
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import NamedSharding, PartitionSpec as P

from reader import N_FEATURES, ShardReader, write_shards


def loss_fn(params, x, y):
    logits = x @ params["w"] + params["b"]
    return jnp.mean(jnp.logaddexp(0.0, logits) - y * logits), logits


@functools.partial(jax.jit, donate_argnums=0)
def sgd_step(params, x, y, lr):
    (loss, logits), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, x, y)
    new_params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return new_params, {"loss": loss, "acc": jnp.mean((logits > 0) == (y > 0.5))}


def global_batch(mesh, *arrays):
    sharding = NamedSharding(mesh, P("d"))
    return tuple(jax.make_array_from_process_local_data(sharding, a) for a in arrays)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="shards")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.5)
    args = parser.parse_args()

    jax.distributed.initialize(cluster_detection_method="mpi4py")
    mesh = jax.make_mesh((jax.device_count(),), ("d",))
    chief = jax.process_index() == 0

    if chief:
        write_shards(args.data)
    multihost_utils.sync_global_devices("data written")

    reader = ShardReader(args.data, args.batch)
    if chief:
        print(f"{jax.process_count()} processes, {len(reader)} steps per epoch")

    params = {"w": np.zeros(N_FEATURES, np.float32), "b": np.zeros((), np.float32)}
    params = jax.device_put(params, NamedSharding(mesh, P()))
    for epoch in range(args.epochs):
        tic = time.time()
        seen = []
        for x, y in reader.epoch(seed=epoch):
            params, metrics = sgd_step(params, *global_batch(mesh, x, y), args.lr)
            seen.append(metrics)
        seen = jax.device_get(seen)
        if chief:
            loss = np.mean([m["loss"] for m in seen])
            acc = np.mean([m["acc"] for m in seen])
            print(f"epoch {epoch} loss {loss:.4f} acc {acc:.4f} ({time.time() - tic:.2f} s)", flush=True)

    norm = float(jnp.linalg.norm(params["w"].addressable_data(0)))
    spread = multihost_utils.process_allgather(np.float32(norm))
    if chief:
        print("|w| on the processes:", spread)
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
