"""A two-layer network on a mesh of all processes' devices, whose partition spec names an axis that the mesh lacks.

The mesh has "data" and "model". JAX raises ``ValueError`` on every process, after the job has waited in the queue of
the batch system.

    python examples/launch.py 2 examples/global_mesh/wrong_axis.py 60
"""

import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

SAMPLES, FEATURES, HIDDEN = 16, 8, 32


def make_mesh() -> Mesh:
    """One row of devices for each process."""
    return Mesh(np.array(jax.devices()).reshape(jax.process_count(), jax.local_device_count()), ("data", "model"))


def network(inputs: jax.Array, first: jax.Array, second: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Outputs for this device's samples, and the sum of squares over all samples."""
    outputs = jax.lax.psum(jnp.tanh(inputs @ first) @ second, "model")
    return outputs, jax.lax.psum(jnp.sum(outputs**2), "data")


def numbers(seed: int, *shape: int) -> np.ndarray:
    """The same random numbers on every process."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def main() -> None:
    """Apply the network on the mesh and by numpy."""
    jax.config.update("jax_num_cpu_devices", 2)
    jax.distributed.initialize(
        coordinator_address=os.environ["JAX_COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["JAX_NUM_PROCESSES"]),
        process_id=int(os.environ["JAX_PROCESS_ID"]),
    )
    mesh = make_mesh()
    # later: JM706
    specs = (P("batch", None), P(None, "model"), P("model", None))
    values = (numbers(1, SAMPLES, FEATURES), numbers(2, FEATURES, HIDDEN), numbers(3, HIDDEN, 1))
    arrays = [jax.device_put(v, NamedSharding(mesh, spec)) for v, spec in zip(values, specs, strict=True)]
    apply = jax.jit(jax.shard_map(network, mesh=mesh, in_specs=specs, out_specs=(P("data", None), P())))
    outputs, energy = apply(*arrays)
    collected = multihost_utils.process_allgather(outputs, tiled=True)

    expected = np.tanh(values[0] @ values[1]) @ values[2]
    if jax.process_index() == 0:
        difference = np.abs(collected - expected).max()
        print(
            f"mesh {mesh.devices.shape}: sum of squares {float(energy):.2f}, numpy {(expected**2).sum():.2f}, "
            f"agrees: {difference < 1e-4}"
        )


if __name__ == "__main__":
    main()
