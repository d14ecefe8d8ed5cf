"""Start-up of the processes and helpers for global arrays."""
import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

AXIS = "shard"


def start(coordinator, count, index):
    jax.config.update("jax_platforms", "cpu")
    if count > 1:
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(coordinator, num_processes=count, process_id=index)


def stop():
    if jax.process_count() > 1:
        multihost_utils.sync_global_devices("stop")
        jax.distributed.shutdown()


def is_primary():
    return jax.process_index() == 0


def make_mesh():
    return Mesh(np.array(jax.devices()), (AXIS,))


def leaf_sharding(mesh, x):
    """Leading axis over the devices where it divides, otherwise replicated."""
    n = mesh.devices.size
    split = x.ndim > 0 and x.shape[0] % n == 0 and x.shape[0] >= n
    return NamedSharding(mesh, P(AXIS) if split else P())


def to_global(mesh, tree):
    """Global arrays from host values that are equal on all processes."""
    def put(x):
        x = np.asarray(x)
        return jax.make_array_from_callback(x.shape, leaf_sharding(mesh, x),
                                            lambda index: x[index])
    return jax.tree.map(put, tree)


def to_host(tree):
    """Complete numpy copies of the (possibly sharded) arrays of a tree."""
    if jax.process_count() == 1:
        return jax.tree.map(np.asarray, tree)
    return jax.tree.map(lambda x: multihost_utils.process_allgather(x, tiled=True), tree)
