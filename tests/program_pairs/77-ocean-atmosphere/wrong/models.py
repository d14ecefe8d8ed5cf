import numpy as np


class Component:
    def __init__(self, comm, n, t0):
        self.comm = comm
        self.part = np.array_split(np.full(n, t0), comm.size)[comm.rank].copy()

    def full(self):
        return np.concatenate(self.comm.allgather(self.part))

    def mean(self):
        n = self.comm.allreduce(len(self.part))
        return self.comm.allreduce(float(self.part.sum())) / n


class Ocean(Component):
    def advance(self, t_air):
        self.part += 0.02 * (t_air - self.part)


class Atmosphere(Component):
    def advance(self, t_sea):
        self.part += 0.3 * (t_sea - self.part) + 0.05
