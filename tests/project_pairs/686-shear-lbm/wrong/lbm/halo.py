"""Exchange of the ghost layers of populations."""
import numpy as np


class Halo:
    TAG_UP, TAG_DOWN = 11, 12

    def __init__(self, layout):
        self.layout = layout

    @staticmethod
    def face(f, y):
        return np.ascontiguousarray(f[:, :, y])

    def shift(self, f, source_y, ghost_y, dest, source, tag):
        out = self.face(f, source_y)
        ghost = self.face(f, ghost_y)
        self.layout.cart.Sendrecv(out, dest=dest, sendtag=tag,
                                  recvbuf=ghost, source=source, recvtag=tag)

    def update(self, f):
        lay = self.layout
        self.shift(f, -2, 0, lay.above, lay.below, self.TAG_UP)
        self.shift(f, 1, -1, lay.below, lay.above, self.TAG_DOWN)
