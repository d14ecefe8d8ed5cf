"""Train an MLP whose weight matrices are sharded over all devices.

Start once on every node:

    python train.py --coordinator node0:9911 --processes 4 --process-id $SLURM_PROCID
"""
import argparse

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import checkpoint


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--coordinator", required=True)
    p.add_argument("--processes", type=int, required=True)
    p.add_argument("--process-id", type=int, required=True)
    p.add_argument("--steps", type=int, default=60)
    p.add_argument("--save-every", type=int, default=30)
    p.add_argument("--batch", type=int, default=64, help="examples on each process")
    p.add_argument("--width", type=int, default=128)
    p.add_argument("--lr", type=float, default=1e-2)
    p.add_argument("--dir", default="ckpt")
    return p.parse_args()


def init_params(width, mesh):
    k1, k2 = jax.random.split(jax.random.PRNGKey(0))
    sharded = NamedSharding(mesh, P("data", None))
    replicated = NamedSharding(mesh, P())
    host = {
        "hidden": {
            "kernel": jax.random.normal(k1, (width, width)) / np.sqrt(width),
            "bias": jnp.zeros((width,)),
        },
        "out": {"kernel": jax.random.normal(k2, (width, 1)) / np.sqrt(width)},
    }

    def place(x):
        x = np.asarray(x)
        sharding = sharded if x.ndim == 2 else replicated
        return jax.make_array_from_callback(x.shape, sharding, lambda idx: x[idx])

    return jax.tree.map(place, host)


def loss_fn(params, x, y):
    h = jax.nn.gelu(x @ params["hidden"]["kernel"] + params["hidden"]["bias"])
    return jnp.mean((h @ params["out"]["kernel"] - y) ** 2)


def batches(rng, n, width):
    while True:
        x = rng.normal(size=(n, width)).astype(np.float32)
        yield x, np.sin(x[:, :4].sum(axis=1, keepdims=True)).astype(np.float32)


def main():
    args = get_args()
    jax.distributed.initialize(args.coordinator, args.processes, args.process_id)
    mesh = Mesh(np.array(jax.devices()), ("data",))
    batch_sharding = NamedSharding(mesh, P("data", None))
    params = init_params(args.width, mesh)
    shardings = jax.tree.map(lambda p: p.sharding, params)

    @jax.jit
    def train_step(params, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        params = jax.tree.map(lambda p, g: p - args.lr * g, params, grads)
        return jax.lax.with_sharding_constraint(params, shardings), loss

    chief = jax.process_index() == 0
    if chief:
        print(f"{jax.device_count()} devices, parameters:\n{checkpoint.describe(params)}")

    data = batches(np.random.default_rng([1, jax.process_index()]), args.batch, args.width)
    for step in range(1, args.steps + 1):
        x, y = (jax.make_array_from_process_local_data(batch_sharding, a) for a in next(data))
        params, loss = train_step(params, x, y)
        if step % 10 == 0:
            value = float(loss)
            if chief:
                print(f"step {step:4d}  loss {value:.4f}", flush=True)
        if step % args.save_every == 0:
            checkpoint.save(args.dir, step, params)

    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
