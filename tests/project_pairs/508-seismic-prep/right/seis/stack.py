import numpy as np
from mpi4py import MPI


def moveout(trace, offset, velocity, dt):
    t0 = np.arange(trace.size) * dt
    t = np.sqrt(t0 ** 2 + (offset / velocity) ** 2)
    return np.interp(t, t0, trace, right=0.0)


class Stacker:
    def __init__(self, volume, velocities):
        self.volume = volume
        self.velocities = np.asarray(velocities, dtype=float)

    def semblance(self, gather, index):
        g = self.volume.geometry
        centre = g["receivers"] * index / g["shots"]
        offsets = np.abs(np.arange(g["receivers"]) - centre) * 12.5
        out = np.zeros(self.velocities.size)
        for j, v in enumerate(self.velocities):
            flat = np.stack([moveout(tr, x, v, g["dt"]) for tr, x in zip(gather, offsets)])
            out[j] = (flat.sum(axis=0) ** 2).sum() / (flat ** 2).sum()
        return out

    def scan(self):
        comm = self.volume.comm
        local = np.zeros(self.velocities.size)
        for i in self.volume.shots_of(comm.rank):
            local += self.semblance(self.volume.shot(i), i)
        total = np.empty_like(local)
        comm.Allreduce(local, total, op=MPI.SUM)
        return total / self.volume.geometry["shots"]
