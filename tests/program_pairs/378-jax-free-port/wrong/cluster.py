"""Start the processes of one job on this machine."""
import os
import socket

import jax


def count():
    return int(os.environ.get("NUM_PROCESSES", "1"))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start():
    """Join the cluster, return the number of this process."""
    me = int(os.environ.get("PROCESS_ID", "0"))
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    address = f"127.0.0.1:{free_port()}"
    jax.distributed.initialize(coordinator_address=address, num_processes=count(),
                               process_id=me, initialization_timeout=10)
    return me
