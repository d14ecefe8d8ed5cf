"""Power of a density field whose planes are made by the processes that own them."""
import os
from functools import partial

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=2")

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.config.update("jax_cpu_collectives_implementation", "gloo")

N = 32


def make_planes(first, last):
    """Planes first..last-1 of the field."""
    z = np.arange(first, last, dtype=np.float32)[:, None, None]
    y = np.arange(N, dtype=np.float32)[None, :, None]
    x = np.arange(N, dtype=np.float32)[None, None, :]
    w = 2 * np.pi / N
    return np.cos(2 * w * x) + 0.5 * np.cos(3 * w * y + w * z) + 0.25 * np.sin(5 * w * z) + 0 * x


class Slabs:
    def __init__(self):
        self.mesh = Mesh(np.array(jax.devices()), ("z",))
        self.sharding = NamedSharding(self.mesh, P("z"))
        per = N // jax.process_count()
        self.first = jax.process_index() * per
        self.block = make_planes(self.first, self.first + per)

    def _shard(self, index):
        planes = index[0]
        return self.block[planes.start - self.first:planes.stop - self.first]

    def array(self):
        return jax.make_array_from_callback((N, N, N), self.sharding, self._shard)


@jax.jit
def power(field):
    return jnp.mean(field**2), jnp.mean(field)


@partial(jax.jit, static_argnums=1)
def mode(field, k):
    phase = jnp.exp(-2j * jnp.pi * k * jnp.arange(N) / N)
    return jnp.abs((field * phase).sum()) / N**3


def main():
    jax.distributed.initialize(os.environ["COORDINATOR"], int(os.environ["NUM_PROCESSES"]),
                               int(os.environ["PROCESS_ID"]))
    rho = Slabs().array()
    p, mean = power(rho)
    m2 = mode(rho, 2)
    expected = 0.5 * (1 + 0.25 + 0.0625)
    if jax.process_index() == 0:
        print(f"power {float(p):.5f} (expected {expected:.5f}), mean {float(mean):+.1e}, "
              f"mode 2 {float(m2):.4f}")
    assert abs(float(p) - expected) < 1e-4
    assert abs(float(m2) - 0.5) < 1e-4


if __name__ == "__main__":
    main()
