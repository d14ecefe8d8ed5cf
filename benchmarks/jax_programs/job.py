"""Common parts of the programs: ``PROGRAM ADDRESS PROCESSES NUMBER FOLDER`` is one process of a job."""

import sys
from pathlib import Path

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

ADDRESS, PROCESSES, NUMBER, FOLDER = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
jax.distributed.initialize(ADDRESS, PROCESSES, NUMBER)
MESH = Mesh(np.array(jax.devices()), ("data",))
SPLIT, WHOLE = NamedSharding(MESH, PartitionSpec("data")), NamedSharding(MESH, PartitionSpec())


def batch(step, rows=8, columns=4):
    """The local part of a batch, as one global array."""
    local = np.random.default_rng([step, NUMBER]).normal(size=(rows, columns)).astype(np.float32)
    return jax.make_array_from_process_local_data(SPLIT, local)


def told(name, value):
    """Print a result in a form that can be compared."""
    print(name, np.asarray(value).tolist(), flush=True)
