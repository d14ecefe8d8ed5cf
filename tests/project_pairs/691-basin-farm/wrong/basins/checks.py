import numpy as np

from .newton import render
from .tiling import Tile


def checksum(image):
    weights = np.cos(np.arange(image.size))
    return float(image.ravel() @ weights)


def reference_mismatch(image, cfg):
    """Pixels that differ from rendering the whole picture in one go."""
    whole = render(Tile(0, 0, cfg.size, cfg.size), cfg)
    return int((np.abs(whole - image) > 1e-9).sum())
