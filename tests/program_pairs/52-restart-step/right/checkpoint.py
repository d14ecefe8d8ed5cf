import json
import os

import numpy as np

STATE = "state.npy"
META = "state.json"


def save(comm, field, step):
    parts = comm.gather(field, root=0)
    if comm.rank == 0:
        np.save(STATE, np.concatenate(parts))
        with open(META, "w") as fh:
            json.dump({"step": step, "ranks": comm.size}, fh)
    comm.Barrier()


def load(comm, default):
    """Return (local field, first step to run)."""
    pieces, step = None, 0
    found = comm.bcast(os.path.exists(META) if comm.rank == 0 else None, root=0)
    if not found:
        return default(), step
    if comm.rank == 0:
        full = np.load(STATE)
        with open(META) as fh:
            step = json.load(fh)["step"]
        pieces = np.array_split(full, comm.size)
    field = comm.scatter(pieces, root=0)
    step = comm.bcast(step, root=0)
    return field, step
