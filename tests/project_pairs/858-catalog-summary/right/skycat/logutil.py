"""Logging helpers."""
import functools
import logging

from mpi4py import MPI

_LEVELS = {0: logging.INFO}


def setup(comm):
    """The first rank logs progress, the others only warnings."""
    logging.basicConfig(level=_LEVELS.get(comm.rank, logging.WARNING),
                        format=f"[{comm.rank}] %(levelname)s %(message)s")
    return logging.getLogger("skycat")


def first_rank_only(func):
    """Call the function on the first rank, return None elsewhere."""

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        if MPI.COMM_WORLD.Get_rank() == 0:
            return func(*args, **kwargs)
        return None

    return wrapper


def log_stage(func):
    """Log the name of a stage and the number of sources behind it."""
    log = logging.getLogger("skycat")

    @functools.wraps(func)
    def wrapper(catalog, *args, **kwargs):
        result = func(catalog, *args, **kwargs)
        log.info("%-10s %6d sources", func.__name__, result.n_total)
        return result

    return wrapper
