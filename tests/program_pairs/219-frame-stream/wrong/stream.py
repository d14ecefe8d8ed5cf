"""Rank 0 renders frames of a moving blob and streams them; the others analyse."""
import sys
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

SHAPE = (192, 192)
FRAMES = 12
TAG = 17


@dataclass
class Blob:
    radius: float = 10.0
    speed: float = 12.0

    def centre(self, k):
        return 20.0 + self.speed * k, 96.0 + 30.0 * np.sin(0.5 * k)

    def draw(self, k, out):
        cx, cy = self.centre(k)
        y, x = np.indices(SHAPE)
        out[:] = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2.0 * self.radius ** 2))


def produce(comm, blob):
    consumers = comm.size - 1
    requests = []
    frame = np.empty(SHAPE)
    for k in range(FRAMES):
        blob.draw(k, frame)
        dest = 1 + k % consumers
        requests.append(comm.Isend(frame, dest=dest, tag=TAG))
    MPI.Request.Waitall(requests)


def consume(comm):
    frame = np.empty(SHAPE)
    found = {}
    x = np.arange(SHAPE[1])
    for k in range(comm.rank - 1, FRAMES, comm.size - 1):
        comm.Recv(frame, source=0, tag=TAG)
        profile = frame.sum(axis=0)
        found[k] = float((profile * x).sum() / profile.sum())
    return found


def main():
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        sys.exit("needs a producer and at least one consumer")
    blob = Blob()

    found = {}
    if comm.rank == 0:
        produce(comm, blob)
    else:
        found = consume(comm)

    everything = comm.gather(found, root=0)
    if comm.rank == 0:
        track = {k: c for part in everything for k, c in part.items()}
        worst = max(abs(track[k] - blob.centre(k)[0]) for k in range(FRAMES))
        print("track:", " ".join(f"{track[k]:.1f}" for k in range(FRAMES)))
        print(f"largest deviation {worst:.2f} pixels")
        if worst > 5.0:
            sys.exit(1)


if __name__ == "__main__":
    main()
