"""Mesh helpers"""
import functools

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P



@functools.lru_cache(maxsize=None)
def get_mesh():
    return Mesh(np.array(jax.devices()), ("i",))


def rows():
    return NamedSharding(get_mesh(), P("i"))


def everywhere():
    return NamedSharding(get_mesh(), P())


def scatter_rows(local):
    return jax.make_array_from_process_local_data(rows(), local)
