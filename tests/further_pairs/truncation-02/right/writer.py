import numpy as np


class Writer:
    def __init__(self, comm, shape):
        self.comm = comm
        self.image = np.empty(shape, dtype=np.float64)

    def run(self):
        for source in range(1, self.comm.size):
            self.comm.Recv(self.image, source=source, tag=50)
            print(f"detector {source}: mean {self.image.mean():.4f}")
