import functools

import jax


def setup(args):
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(
        coordinator_address=args.coordinator,
        num_processes=args.num_processes,
        process_id=args.process_id,
    )


def main_only(fn):
    """Runs the function on process 0."""

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        if jax.process_index() == 0:
            return fn(*args, **kwargs)
        return None

    return wrapper


@main_only
def say(*args):
    print(*args, flush=True)
