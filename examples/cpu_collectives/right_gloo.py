"""A heat equation on several CPU processes whose collectives run over gloo, chosen before JAX starts.

The choice must be made, by configuration or environment, before ``jax.distributed.initialize`` and before the first use
of a device. Afterwards it is ignored.

    python examples/launch.py 2 examples/cpu_collectives/right_gloo.py
"""

import os

os.environ["JAX_CPU_COLLECTIVES_IMPLEMENTATION"] = "gloo"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

POINTS, STEPS = 64, 400


@jax.jit
def diffuse(temperature: jax.Array) -> jax.Array:
    """Steps of the explicit scheme on a ring; the neighbours of a process's points may be on a different one."""

    def step(_: int, t: jax.Array) -> jax.Array:
        return t + 0.25 * (jnp.roll(t, 1) - 2.0 * t + jnp.roll(t, -1))

    return jax.lax.fori_loop(0, STEPS, step, temperature)


def main() -> None:
    """A sine wave decays by a known factor; the mean is constant."""
    jax.distributed.initialize(
        coordinator_address=os.environ["JAX_COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["JAX_NUM_PROCESSES"]),
        process_id=int(os.environ["JAX_PROCESS_ID"]),
    )
    ring = NamedSharding(Mesh(np.array(jax.devices()), ("x",)), P("x"))
    wave = 1.0 + np.sin(2.0 * np.pi * np.arange(POINTS, dtype=np.float32) / POINTS)
    warm = jax.device_put(wave.astype(np.float32), ring)
    result = diffuse(warm)
    mean, amplitude = float(result.mean()), float((result.max() - result.min()) / 2.0)
    factor = (1.0 - 0.5 * (1.0 - np.cos(2.0 * np.pi / POINTS))) ** STEPS
    if jax.process_index() == 0:
        library = jax.config.jax_cpu_collectives_implementation
        print(
            f"{jax.process_count()} processes, {library}: mean {mean:.3f}, "
            f"amplitude {amplitude:.3f}, exact {factor:.3f}"
        )


if __name__ == "__main__":
    main()
