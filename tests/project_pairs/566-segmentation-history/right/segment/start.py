import os

import jax


def join(port):
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    size = int(os.environ.get("OMPI_COMM_WORLD_SIZE", 1))
    jax.distributed.initialize(
        coordinator_address=f"localhost:{port}",
        num_processes=size,
        process_id=int(os.environ.get("OMPI_COMM_WORLD_RANK", 0)),
    )
    return size
