import os

import jax


def join(coordinator):
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(
        coordinator_address=coordinator,
        num_processes=int(os.environ.get("OMPI_COMM_WORLD_SIZE", "1")),
        process_id=int(os.environ.get("OMPI_COMM_WORLD_RANK", "0")),
    )


def is_main():
    return jax.process_index() == 0
