import os

import numpy as np


class TileError(Exception):
    """The tile cannot take part in the stack."""


def list_tiles(folder):
    return sorted(os.path.join(folder, f) for f in os.listdir(folder)
                  if f.endswith(".npz"))


def read_tile(path, cfg):
    with np.load(path) as data:
        r, flux = data["r"], data["flux"]
    if len(r) < cfg.min_objects:
        raise TileError(f"{os.path.basename(path)}: only {len(r)} objects")
    if not np.isfinite(flux).all():
        raise TileError(f"{os.path.basename(path)}: flux has holes")
    return r, flux
