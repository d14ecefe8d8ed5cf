import os

import numpy as np
from mpi4py import MPI

MESH = os.path.join("mesh", "nodes.npy")


def make_mesh(n):
    theta = np.linspace(0.0, 2.0 * np.pi, n, endpoint=False)
    radius = 1.0 + 0.1 * np.cos(5 * theta)
    return np.column_stack([radius * np.cos(theta), radius * np.sin(theta)])


def perimeter(nodes, first, last):
    following = np.roll(nodes, -1, axis=0)
    edges = np.linalg.norm(following - nodes, axis=1)
    return float(edges[first:last].sum())


comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size

if rank == 0:
    os.makedirs("mesh", exist_ok=True)
    np.save(MESH, make_mesh(300))
comm.Barrier()

nodes = np.load(MESH)
first, last = rank * len(nodes) // size, (rank + 1) * len(nodes) // size
length = comm.reduce(perimeter(nodes, first, last), op=MPI.SUM, root=0)
if rank == 0:
    print(f"nodes {len(nodes)}, perimeter {length:.4f}")
