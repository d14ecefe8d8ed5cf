"""Mesh helpers"""
import functools

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

_MESH = Mesh(np.array(jax.devices()), ("i",))


@functools.lru_cache(maxsize=None)
def get_mesh():
    return _MESH


def rows():
    return NamedSharding(get_mesh(), P("i"))


def everywhere():
    return NamedSharding(get_mesh(), P())


def scatter_rows(local):
    return jax.make_array_from_process_local_data(rows(), local)
