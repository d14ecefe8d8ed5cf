"""Verlet list with a skin, refreshed when atoms have moved far enough."""
import numpy as np


class VerletList:
    def __init__(self, slab, settings):
        self.slab = slab
        self.s = settings
        self.builds = 0
        self._reference = None
        self.pairs = None

    def _wrap(self, d):
        return d - self.s.box * np.round(d / self.s.box)

    def travelled(self, atoms):
        """Largest displacement since the list was built."""
        d = self._wrap(atoms.pos - self._reference)
        return float(np.sqrt((d ** 2).sum(axis=1).max(initial=0.0)))

    def stale(self, atoms):
        return self._reference is None or 2.0 * self.travelled(atoms) > self.s.skin

    def build(self, atoms):
        self.slab.migrate(atoms)
        self.slab.plan_ghosts(atoms)
        everyone = np.vstack([atoms.pos, self.slab.ghosts(atoms)])
        d = self._wrap(atoms.pos[:, None] - everyone[None])
        close = (d ** 2).sum(-1) < self.s.reach ** 2
        close[np.arange(len(atoms)), np.arange(len(atoms))] = False
        self.pairs = np.nonzero(close)
        self._reference = atoms.pos.copy()
        self.builds += 1

    def forces(self, atoms):
        """Forces on the own atoms and this slab's share of the energy."""
        everyone = np.vstack([atoms.pos, self.slab.ghosts(atoms)])
        i, j = self.pairs
        d = self._wrap(atoms.pos[i] - everyone[j])
        r2 = (d ** 2).sum(-1)
        near = r2 < self.s.cutoff ** 2
        i, d, inv6 = i[near], d[near], r2[near] ** -3
        f = np.zeros_like(atoms.pos)
        np.add.at(f, i, d * (24 * inv6 * (2 * inv6 - 1) / r2[near])[:, None])
        return f, 0.5 * float((4 * inv6 * (inv6 - 1)).sum())
