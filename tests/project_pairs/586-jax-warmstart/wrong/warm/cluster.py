import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def connect(config):
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(config.address, config.processes, config.index)


def shard_rows(array):
    mesh = Mesh(np.array(jax.devices()), ("rows",))
    sharding = NamedSharding(mesh, P("rows"))
    return jax.make_array_from_callback(array.shape, sharding, lambda i: array[i])


def wait(name):
    multihost_utils.sync_global_devices(name)
