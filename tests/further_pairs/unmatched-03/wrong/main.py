from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

N_FRAMES = 6


@dataclass
class Camera:
    pixels: int = 32

    def frame(self, number: int) -> np.ndarray:
        rng = np.random.default_rng(number)
        return rng.poisson(10.0, size=(self.pixels, self.pixels)).astype(np.float64)


def produce(comm: MPI.Comm) -> None:
    camera = Camera()
    for number in range(1, N_FRAMES):
        comm.Send(camera.frame(number), dest=1, tag=number)


def consume(comm: MPI.Comm) -> None:
    image = np.empty((32, 32))
    total = np.zeros((32, 32))
    for number in range(N_FRAMES):
        comm.Recv(image, source=0, tag=number)
        total += image
    print(f"mean brightness {total.mean() / N_FRAMES:.4f}")


comm = MPI.COMM_WORLD
if comm.size < 2:
    raise SystemExit("needs a camera rank and an analysis rank")
if comm.rank == 0:
    produce(comm)
elif comm.rank == 1:
    consume(comm)
