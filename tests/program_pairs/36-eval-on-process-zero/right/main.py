"""Multi-host data-parallel regression with a global mesh."""
import argparse

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import mesh_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def build_mesh():
    devices = mesh_utils.create_device_mesh((jax.device_count(),))
    return Mesh(devices, ("data",))


def init_params(key, dims):
    keys = jax.random.split(key, len(dims) - 1)
    return [
        {"w": jax.random.normal(k, (m, n)) / np.sqrt(m), "b": jnp.zeros(n)}
        for k, m, n in zip(keys, dims[:-1], dims[1:])
    ]


def predict(params, x):
    for layer in params[:-1]:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]


def loss_fn(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


@jax.jit
def train_step(params, x, y):
    loss, g = jax.value_and_grad(loss_fn)(params, x, y)
    return jax.tree.map(lambda p, d: p - 0.1 * d, params, g), loss


eval_step = jax.jit(loss_fn)


class Batches:
    def __init__(self, mesh, per_host, seed):
        self.sharding = NamedSharding(mesh, P("data"))
        self.rng = np.random.default_rng([seed, jax.process_index()])
        self.per_host = per_host

    def next(self):
        x = self.rng.uniform(-1, 1, (self.per_host, 4)).astype(np.float32)
        y = np.sin(3 * x[:, :1]) + x[:, 1:2] ** 2
        put = lambda a: jax.make_array_from_process_local_data(self.sharding, a)
        return put(x), put(y)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=40)
    ap.add_argument("--eval-every", type=int, default=20)
    ap.add_argument("--cluster", default="mpi4py")
    opt = ap.parse_args()
    jax.distributed.initialize(cluster_detection_method=opt.cluster)

    mesh = build_mesh()
    per_host = 64 * jax.local_device_count()
    train, valid = Batches(mesh, per_host, 0), Batches(mesh, per_host, 1)
    held_out = valid.next()
    params = jax.device_put(init_params(jax.random.key(0), [4, 16, 1]),
                            NamedSharding(mesh, P()))
    for step in range(opt.steps):
        params, loss = train_step(params, *train.next())
        if step % opt.eval_every == 0:
            val = float(eval_step(params, *held_out))
            if jax.process_index() == 0:
                print(f"step {step}: validation loss {val:.4f}", flush=True)
    final = float(loss)
    if jax.process_index() == 0:
        print(f"final training loss {final:.4f}")


if __name__ == "__main__":
    main()
