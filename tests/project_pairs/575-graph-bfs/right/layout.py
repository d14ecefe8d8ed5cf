"""Block distribution of the vertices."""
import numpy as np


class BlockLayout:
    def __init__(self, vertices, size):
        self.vertices = vertices
        self.size = size
        self.block = -(-vertices // size)

    def owner(self, v):
        return v // self.block

    def bounds(self, rank):
        lo = min(rank * self.block, self.vertices)
        return lo, min(lo + self.block, self.vertices)

    def split(self, v):
        """v sorted by owner and the number per owner."""
        owner = self.owner(v)
        order = np.argsort(owner, kind="stable")
        return v[order], np.bincount(owner, minlength=self.size).astype(np.int32)
