import argparse
import functools

import jax


def multiprocess(main):
    """Decorator: parse the cluster flags, connect, then call main with the other flags."""

    @functools.wraps(main)
    def wrapper(parser: argparse.ArgumentParser):
        parser.add_argument("--coordinator", default="localhost:12355")
        parser.add_argument("--num-processes", type=int, default=1)
        parser.add_argument("--process-id", type=int, default=0)
        args = parser.parse_args()
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(args.coordinator, args.num_processes, args.process_id)
        try:
            return main(args)
        finally:
            jax.distributed.shutdown()

    return wrapper
