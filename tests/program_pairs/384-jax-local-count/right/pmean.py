import jax
from jax import lax
from jax.sharding import PartitionSpec as P


def across_devices(func, mesh, axis):
    """Apply func to the shard of each device and average the results."""

    def body(shard):
        out = func(shard)
        total = jax.tree.map(lambda a: lax.psum(a, axis), out)
        return jax.tree.map(lambda a: a / jax.device_count(), total)

    return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P(axis), out_specs=P()))
