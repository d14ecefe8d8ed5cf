import argparse
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from callbacks import CallbackList, MetricWriter, NaNGuard
from cluster import add_cluster_flags, connect


def local_batches(args, target):
    rng = np.random.default_rng([args.seed, jax.process_index()])
    for _ in range(args.steps):
        x = rng.normal(size=(args.local_batch, len(target))).astype(np.float32)
        noise = 0.05 * rng.normal(size=args.local_batch)
        yield x, (x @ target + noise).astype(np.float32)


def loss_fn(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


@partial(jax.jit, donate_argnums=0)
def train_step(w, x, y, lr):
    loss, grad = jax.value_and_grad(loss_fn)(w, x, y)
    return w - lr * grad, loss


def main():
    parser = argparse.ArgumentParser()
    add_cluster_flags(parser)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--local-batch", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--metrics", default="metrics.jsonl")
    args = parser.parse_args()
    connect(args)

    mesh = Mesh(np.array(jax.devices()), ("data",))
    by_batch = NamedSharding(mesh, P("data"))
    replicated = NamedSharding(mesh, P())

    target = np.linspace(-1.0, 1.0, 8).astype(np.float32)
    w = jax.make_array_from_process_local_data(replicated, np.zeros(8, np.float32))
    callbacks = CallbackList(NaNGuard(), MetricWriter(args.metrics, every=10))

    for step, (x, y) in enumerate(local_batches(args, target)):
        began = time.perf_counter()
        gx = jax.make_array_from_process_local_data(by_batch, x)
        gy = jax.make_array_from_process_local_data(by_batch, y)
        w, loss = train_step(w, gx, gy, args.lr)
        metrics = {"loss": float(loss), "seconds": time.perf_counter() - began}
        callbacks.on_step_end(step, metrics)
    callbacks.on_train_end()

    if jax.process_index() == 0:
        print("max error", float(np.abs(np.asarray(w.addressable_data(0)) - target).max()))


if __name__ == "__main__":
    main()
