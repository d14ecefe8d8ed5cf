import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh


def init(coordinator, count, index):
    jax.config.update("jax_platforms", "cpu")
    if count > 1:
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(coordinator, num_processes=count, process_id=index)


def rank():
    return jax.process_index()


def world():
    return jax.process_count()


def mesh():
    return Mesh(np.array(jax.devices()), ("batch",))


def barrier(name):
    if world() > 1:
        multihost_utils.sync_global_devices(name)


def smallest(value):
    """Minimum of an integer over the processes."""
    if world() == 1:
        return int(value)
    return int(multihost_utils.process_allgather(np.int32(value)).min())


def finish():
    barrier("finish")
    if world() > 1:
        jax.distributed.shutdown()
