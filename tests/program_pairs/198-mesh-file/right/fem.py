"""Assemble the mass of a triangulated unit square, element blocks per rank."""
import argparse
import os

import numpy as np
from mpi4py import MPI


def build_mesh(n, seed=5):
    rng = np.random.default_rng(seed)
    g = np.linspace(0.0, 1.0, n + 1)
    xx, yy = np.meshgrid(g, g)
    inner = (xx > 0) & (xx < 1) & (yy > 0) & (yy < 1)
    shake = 0.2 / n
    xx[inner] += rng.uniform(-shake, shake, inner.sum())
    yy[inner] += rng.uniform(-shake, shake, inner.sum())
    nodes = np.column_stack([xx.ravel(), yy.ravel()])
    tris = []
    for j in range(n):
        for i in range(n):
            a = j * (n + 1) + i
            b, c, d = a + 1, a + n + 1, a + n + 2
            tris.append((a, b, d))
            tris.append((a, d, c))
    return nodes, np.array(tris)


def element_areas(nodes, tris):
    p0, p1, p2 = (nodes[tris[:, k]] for k in range(3))
    u, v = p1 - p0, p2 - p0
    return 0.5 * (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=120)
    parser.add_argument("--mesh", default="square.npz")
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()

    if rank == 0:
        nodes, tris = build_mesh(args.cells)
        np.savez(args.mesh, nodes=nodes, tris=tris)
    comm.Barrier()

    mesh = np.load(args.mesh)
    nodes = mesh["nodes"]
    mine = np.array_split(mesh["tris"], comm.size)[rank]

    lumped = np.zeros(len(nodes))
    area = element_areas(nodes, mine)
    for k in range(3):
        np.add.at(lumped, mine[:, k], area / 3.0)

    mass = np.empty_like(lumped)
    comm.Allreduce(lumped, mass, op=MPI.SUM)
    if rank == 0:
        print(f"{args.cells ** 2 * 2} triangles, total mass {mass.sum():.12f}")
        print(f"mesh file: {os.path.getsize(args.mesh)} bytes")


if __name__ == "__main__":
    main()
