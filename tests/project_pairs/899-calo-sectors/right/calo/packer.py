"""Packs the hits of one destination; the work space grows as needed."""
import numpy as np

from .generate import HIT


class Packer:
    def __init__(self, capacity=4096):
        self._space = np.empty(capacity, dtype=HIT)

    def pack(self, hits, select):
        index = np.flatnonzero(select)
        if index.size > self._space.size:
            self._space = np.empty(2 * index.size, dtype=HIT)
        block = self._space[: index.size]
        # latest hits first, as the clustering expects
        np.take(hits, index[np.argsort(-hits["time"][index])], out=block)
        return block.copy()
