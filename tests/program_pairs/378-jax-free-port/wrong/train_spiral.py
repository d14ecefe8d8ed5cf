"""Spiral classification with a small network, one process per device."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

import cluster

STEPS, PER_PROCESS = 150, 64


def spirals(seed, n):
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, n)
    r = rng.uniform(0.1, 1.0, n)
    a = 4 * r + np.pi * label + rng.normal(0, 0.05, n)
    return np.stack([r * np.cos(a), r * np.sin(a)], 1).astype(np.float32), label.astype(np.float32)


def init(key):
    k1, k2 = jax.random.split(key)
    return {"w1": jax.random.normal(k1, (2, 32)) * 1.5, "b1": jnp.zeros(32),
            "w2": jax.random.normal(k2, (32,)) * 0.3, "b2": jnp.zeros(())}


def loss(p, x, y):
    h = jnp.tanh(x @ p["w1"] + p["b1"])
    z = h @ p["w2"] + p["b2"]
    return jnp.mean(jnp.logaddexp(0.0, z) - y * z)


@jax.jit
def step(p, x, y):
    value, g = jax.value_and_grad(loss)(p, x, y)
    return jax.tree.map(lambda a, b: a - 0.5 * b, p, g), value


def main():
    me = cluster.start()
    mesh = jax.make_mesh((jax.device_count(),), ("data",))
    data = NamedSharding(mesh, P("data"))
    same = NamedSharding(mesh, P())

    x, y = spirals(me, PER_PROCESS)
    x = jax.make_array_from_process_local_data(data, x)
    y = jax.make_array_from_process_local_data(data, y)
    p = jax.jit(lambda: init(jax.random.key(0)), out_shardings=same)()
    first = None
    for _ in range(STEPS):
        p, value = step(p, x, y)
        first = float(value) if first is None else first
    if me == 0:
        print(f"{cluster.count()} processes, loss {first:.4f} -> {float(value):.4f}")


if __name__ == "__main__":
    main()
