"""The chain, cut in blocks of atoms."""
import numpy as np


def block(n, rank, size):
    """First and last atom of a rank."""
    edges = np.linspace(0, n, size + 1).astype(int)
    return int(edges[rank]), int(edges[rank + 1])


class Chain:
    """Displacements and velocities of the atoms of one rank."""

    def __init__(self, comm, cfg):
        self.comm = comm
        self.cfg = cfg
        self.first, self.last = block(cfg.n_atoms, comm.rank, comm.size)
        rng = np.random.default_rng(cfg.seed)
        v = rng.normal(0.0, np.sqrt(cfg.temperature), cfg.n_atoms)
        v -= v.mean()
        self.u = np.zeros(self.last - self.first)
        self.v = v[self.first:self.last].copy()
        self.tracked = np.arange(max(self.first,
                                     int(cfg.track_from * cfg.n_atoms)),
                                 self.last) - self.first

    def _stretch(self):
        """Bond lengths, with one neighbour atom from either side."""
        left = (self.comm.rank - 1) % self.comm.size
        right = (self.comm.rank + 1) % self.comm.size
        halo = np.empty(2)
        self.comm.Sendrecv(self.u[-1:], dest=right, sendtag=1,
                           recvbuf=halo[:1], source=left, recvtag=1)
        self.comm.Sendrecv(self.u[:1], dest=left, sendtag=2,
                           recvbuf=halo[1:], source=right, recvtag=2)
        return np.diff(np.concatenate([halo[:1], self.u, halo[1:]]))

    def force(self):
        s = self._stretch()
        tension = s + self.cfg.anharmonic * s ** 3
        return np.diff(tension)

    def step(self):
        """Velocity Verlet."""
        dt = self.cfg.dt
        self.v += 0.5 * dt * self.force()
        self.u += dt * self.v
        self.v += 0.5 * dt * self.force()

    def energy(self):
        s = self._stretch()[:-1]
        local = 0.5 * self.v @ self.v + np.sum(
            0.5 * s ** 2 + 0.25 * self.cfg.anharmonic * s ** 4)
        return self.comm.allreduce(float(local))
