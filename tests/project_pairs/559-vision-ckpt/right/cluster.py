import os

import jax


def start(port):
    """Joins the processes started by mpirun into one jax job."""
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(
        coordinator_address=f"127.0.0.1:{port}",
        num_processes=int(os.environ["OMPI_COMM_WORLD_SIZE"]),
        process_id=int(os.environ["OMPI_COMM_WORLD_RANK"]),
    )


def is_main():
    return jax.process_index() == 0
