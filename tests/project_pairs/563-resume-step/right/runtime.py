import os

import jax
from jax.experimental import multihost_utils


class Runtime:
    """The processes of the job."""

    def __init__(self, coordinator):
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(
            coordinator_address=coordinator,
            num_processes=int(os.environ["OMPI_COMM_WORLD_SIZE"]),
            process_id=int(os.environ["OMPI_COMM_WORLD_RANK"]),
        )
        self.index = jax.process_index()
        self.count = jax.process_count()

    @property
    def primary(self):
        return self.index == 0

    def say(self, text):
        if self.primary:
            print(text, flush=True)

    def wait(self, name):
        multihost_utils.sync_global_devices(name)

    def from_primary(self, tree):
        return multihost_utils.broadcast_one_to_all(tree)
