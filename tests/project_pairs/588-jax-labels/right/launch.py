import functools
import os

import jax


def connect():
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(os.environ.get("COORDINATOR", "127.0.0.1:29900"),
                               int(os.environ.get("NUM_PROCESSES", "2")),
                               int(os.environ.get("PROCESS_ID", "0")))


def on_main(func):
    """Run only on the main process."""

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        if jax.process_index() == 0:
            return func(*args, **kwargs)
        return None

    return wrapper
