"""Mean image and variance image of a stack of noisy exposures."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

SHAPE = (24, 32)
EXPOSURES = 90


def exposure(index):
    rng = np.random.default_rng(5000 + index)
    yy, xx = np.indices(SHAPE)
    sky = 50.0 + 0.2 * xx
    star = 400.0 * np.exp(-((xx - 20) ** 2 + (yy - 9) ** 2) / 8.0)
    return rng.poisson(sky + star).astype(float)


def my_exposures():
    for index in range(rank, EXPOSURES, size):
        yield exposure(index)


def mean_image():
    partial = np.zeros(SHAPE)
    for img in my_exposures():
        partial += img
    total = np.zeros(SHAPE)
    comm.Reduce(partial, total, op=MPI.SUM, root=0)
    return total / EXPOSURES


def variance_image(mean):
    partial = np.zeros(SHAPE)
    for img in my_exposures():
        partial += (img - mean) ** 2
    total = np.zeros(SHAPE)
    comm.Reduce(partial, total, op=MPI.SUM, root=0)
    return total / (EXPOSURES - 1)


mean = mean_image()
var = variance_image(mean)

if rank == 0:
    gain = np.polyfit(mean.ravel(), var.ravel(), 1)
    print("sky level  %.3f" % np.median(mean))
    print("noise      %.3f" % np.sqrt(np.median(var)))
    print("gain fit   %.3f * signal %+.3f" % tuple(gain))
