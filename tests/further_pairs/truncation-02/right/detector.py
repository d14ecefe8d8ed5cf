import numpy as np


class Detector:
    def __init__(self, comm, shape):
        self.comm = comm
        self.shape = shape

    def expose(self):
        rng = np.random.default_rng(self.comm.rank)
        counts = rng.poisson(20.0, size=self.shape)
        return counts / counts.max()

    def run(self):
        self.comm.Send(self.expose(), dest=0, tag=50)
