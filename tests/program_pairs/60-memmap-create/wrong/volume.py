"""Simple on-disk volume: one raw float32 file plus a text header."""
import json
from contextlib import contextmanager
from pathlib import Path

import numpy as np


@contextmanager
def open_volume(path, shape, comm):
    path = Path(path)
    if comm.rank == 0:
        path.with_suffix(".json").write_text(json.dumps({"shape": shape, "dtype": "float32"}))
    vol = np.memmap(path, dtype=np.float32, mode="w+", shape=shape)
    try:
        yield vol
    finally:
        vol.flush()
        comm.Barrier()


def read_volume(path):
    path = Path(path)
    meta = json.loads(path.with_suffix(".json").read_text())
    return np.memmap(path, dtype=meta["dtype"], mode="r", shape=tuple(meta["shape"]))
