"""Products which are made once per run and shared through the file system."""
import functools
import os

import numpy as np


def save_array(path, array):
    """Write an array so that readers never see half a file."""
    part = path.with_name(path.name + ".part")
    with open(part, "wb") as stream:
        np.save(stream, array)
    os.replace(part, path)


def shared_product(kind):
    """Decorator for methods which make an array product.

    The object needs the attributes ``comm``, ``log`` and ``cfg``.  The first
    rank makes the product, the others read it from the cache directory.
    """

    def decorate(make):
        @functools.wraps(make)
        def wrapper(self, *key):
            label = "-".join([kind, *map(str, key)])
            path = self.cfg.cache_dir / f"{label}.npy"
            hit = path.exists() if self.comm.rank == 0 else None
            if self.comm.bcast(hit, root=0):
                self.log.debug("%s from cache", label)
                return np.load(path)
            if self.comm.rank == 0:
                self.log.info("making %s", label)
                save_array(path, make(self, *key))
            self.comm.Barrier()
            return np.load(path)

        return wrapper

    return decorate
