"""1-D finite elements: element matrices in parallel, solve on the root."""
import os

import numpy as np
from mpi4py import MPI

from mesh import make_mesh, read_mesh, write_mesh

comm = MPI.COMM_WORLD
MESH = "rod.msh"


def element_matrix(xa, xb):
    h = xb - xa
    return np.array([[1.0, -1.0], [-1.0, 1.0]]) / h


def element_load(xa, xb):
    mid = 0.5 * (xa + xb)
    return np.full(2, 0.5 * (xb - xa) * np.pi ** 2 * np.sin(np.pi * mid))


def assemble(nodes, elements):
    a = np.zeros((len(nodes), len(nodes)))
    b = np.zeros(len(nodes))
    for i, j in elements:
        idx = np.ix_([i, j], [i, j])
        a[idx] += element_matrix(nodes[i], nodes[j])
        b[[i, j]] += element_load(nodes[i], nodes[j])
    return a, b


def main():
    if comm.rank == 0:
        write_mesh(MESH, *make_mesh(120))
    nodes, elements = read_mesh(MESH)
    mine = elements[comm.rank::comm.size]
    a, b = assemble(nodes, mine)
    A = np.zeros_like(a) if comm.rank == 0 else None
    B = np.zeros_like(b) if comm.rank == 0 else None
    comm.Reduce(a, A, root=0)
    comm.Reduce(b, B, root=0)
    if comm.rank == 0:
        inner = slice(1, -1)
        u = np.zeros(len(nodes))
        u[inner] = np.linalg.solve(A[inner, inner], B[inner])
        print("max error %.3e" % np.abs(u - np.sin(np.pi * nodes)).max())
        os.remove(MESH)


main()
