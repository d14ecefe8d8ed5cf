import logging
import os


def setup(rank):
    level = getattr(logging, os.environ.get("MD_LOG", "DEBUG"))
    log = logging.getLogger("md")
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(f"r{rank} %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(level if rank == 0 else logging.WARNING)
    log.propagate = False
    return log
