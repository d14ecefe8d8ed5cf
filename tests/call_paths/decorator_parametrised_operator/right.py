"""Extent of a cloud of points."""
import numpy as np
from mpi4py import MPI
from reducing import reduced

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


@reduced(comm, MPI.MIN)
def lower(points):
    return points.min(axis=0)


@reduced(comm, MPI.MAX)
def upper(points):
    return points.max(axis=0)


points = np.random.default_rng(rank).uniform(rank, rank + 1.0, size=(20, 2))
centre = np.array([1.0, 1.0])
side = upper(points)
print(rank, (side - centre).round(3), (upper(points) - lower(points)).round(3))
