"""Gaussian blur of a synthetic photograph, one strip of rows per process."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

H, W = 96, 64
R = 3


def photograph():
    yy, xx = np.mgrid[0:H, 0:W]
    img = 120 + 80 * np.sin(xx / 5.0) * np.cos(yy / 9.0)
    img[20:30, 10:50] = 255.0
    return img


def kernel(sigma=1.5):
    k = np.arange(-R, R + 1)
    w = np.exp(-k ** 2 / (2 * sigma ** 2))
    return w / w.sum()


def blur(strip):
    w = kernel()
    rows = sum(w[i] * strip[i:strip.shape[0] - 2 * R + i] for i in range(2 * R + 1))
    padded = np.pad(rows, ((0, 0), (R, R)), mode="edge")
    return sum(w[i] * padded[:, i:i + W] for i in range(2 * R + 1))


bounds = [H * r // size for r in range(size + 1)]

if rank == 0:
    padded = np.pad(photograph(), ((R, R), (0, 0)), mode="edge")
    for r in range(1, size):
        comm.send(padded[bounds[r]:bounds[r + 1] + 2 * R], dest=r, tag=10)
    strip = padded[bounds[0]:bounds[1] + 2 * R]
else:
    strip = comm.recv(source=0, tag=10)

result = blur(strip)

if rank == 0:
    out = np.empty((H, W))
    out[:bounds[1]] = result
    for r in range(1, size):
        out[bounds[r]:bounds[r + 1]] = comm.recv(source=r, tag=20)
    reference = blur(np.pad(photograph(), ((R, R), (0, 0)), mode="edge"))
    print("mean grey value", round(out.mean(), 4))
    print("largest deviation", np.abs(out - reference).max())
else:
    comm.Send(result, dest=0, tag=20)
