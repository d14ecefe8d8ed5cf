"""Slab decomposition along x with ghost atoms from both sides."""
import numpy as np


class Slab:
    TAG_LEFT, TAG_RIGHT = 11, 12

    def __init__(self, comm, settings):
        self.comm = comm
        self.s = settings
        self.width = settings.box / comm.size
        if self.width < settings.reach:
            raise ValueError("slabs are thinner than the interaction range")
        self.lo = comm.rank * self.width
        self.hi = self.lo + self.width
        self.left = (comm.rank - 1) % comm.size
        self.right = (comm.rank + 1) % comm.size
        self._to_left = self._to_right = np.empty(0, int)

    def owner(self, x):
        return np.minimum((x // self.width).astype(int), self.comm.size - 1)

    def migrate(self, atoms):
        """Hand atoms that crossed a boundary to their new owners."""
        atoms.pos %= self.s.box
        owner = self.owner(atoms.pos[:, 0])
        parcels = [atoms.take(owner == r) for r in range(self.comm.size)]
        atoms.assign(self.comm.alltoall(parcels))

    def plan_ghosts(self, atoms):
        x = atoms.pos[:, 0]
        self._to_left = np.flatnonzero(x - self.lo < self.s.reach)
        self._to_right = np.flatnonzero(self.hi - x < self.s.reach)

    def ghosts(self, atoms):
        """Positions of the atoms next to our slab, left ones last."""
        from_right = self.comm.sendrecv(
            atoms.pos[self._to_left], dest=self.left, sendtag=self.TAG_LEFT,
            source=self.right, recvtag=self.TAG_LEFT)
        from_left = self.comm.sendrecv(
            atoms.pos[self._to_right], dest=self.right, sendtag=self.TAG_RIGHT,
            source=self.left, recvtag=self.TAG_RIGHT)
        return np.vstack([from_right, from_left])
