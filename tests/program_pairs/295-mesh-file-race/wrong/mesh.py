"""A very small mesh format: number of nodes, nodes, number of elements, pairs."""
import numpy as np


def make_mesh(n):
    s = np.linspace(0, 1, n + 1)
    nodes = 0.5 * (s + s ** 2)
    elements = np.column_stack([np.arange(n), np.arange(1, n + 1)])
    return nodes, elements


def write_mesh(path, nodes, elements):
    with open(path, "w") as fh:
        fh.write(f"{len(nodes)}\n")
        for x in nodes:
            fh.write(f"{x:.15g}\n")
        fh.write(f"{len(elements)}\n")
        for i, j in elements:
            fh.write(f"{i} {j}\n")


def read_mesh(path):
    with open(path) as fh:
        n = int(fh.readline())
        nodes = np.array([float(fh.readline()) for _ in range(n)])
        m = int(fh.readline())
        elements = np.array([[int(k) for k in fh.readline().split()] for _ in range(m)])
    return nodes, elements
