"""Rank 0 renders frames and streams them to the encoders on the other ranks."""
import time
import numpy as np
from mpi4py import MPI

SHAPE = (256, 320)
FRAMES = 9


class Renderer:
    def __init__(self):
        self.canvas = np.zeros(SHAPE)

    def draw(self, k):
        self.canvas.fill(k)
        self.canvas[k, :] = -1.0
        return self.canvas


class Stream:
    def __init__(self, comm):
        self.comm = comm
        self.pending = []

    def post(self, frame, k):
        dest = 1 + k % (self.comm.size - 1)
        frame = frame.copy()
        self.pending.append(self.comm.Isend(frame, dest=dest, tag=k))

    def flush(self):
        MPI.Request.Waitall(self.pending)
        self.pending.clear()


def encode(frame):
    time.sleep(0.01)
    return float(frame.max()), int(np.argmin(frame[:, 0]))


def main():
    comm = MPI.COMM_WORLD
    if comm.rank == 0:
        renderer, stream = Renderer(), Stream(comm)
        for k in range(FRAMES):
            stream.post(renderer.draw(k), k)
        stream.flush()
        coded = {}
        for part in comm.gather({}, root=0):
            coded.update(part)
        print({k: coded[k] for k in sorted(coded)})
        assert coded == {k: (float(k), k) for k in range(FRAMES)}
    else:
        mine = {}
        frame = np.empty(SHAPE)
        for k in range(FRAMES):
            if 1 + k % (comm.size - 1) == comm.rank:
                comm.Recv(frame, source=0, tag=k)
                mine[k] = encode(frame)
        comm.gather(mine, root=0)


if __name__ == "__main__":
    main()
