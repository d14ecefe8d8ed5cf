"""Triangulated rectangle with a scrambled node numbering, as meshers deliver it."""
import numpy as np


class Graph:
    def __init__(self, coords, edges):
        self.coords = coords
        self.edges = edges

    @property
    def num_nodes(self):
        return len(self.coords)


def build_grid_graph(nx, ny, seed=4):
    order = np.random.default_rng(seed).permutation(nx * ny)
    number = order.reshape(ny, nx)
    coords = np.empty((nx * ny, 2))
    for j in range(ny):
        for i in range(nx):
            coords[number[j, i]] = (i, j)
    edges = [
        np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()], axis=1),
        np.stack([number[:-1, :].ravel(), number[1:, :].ravel()], axis=1),
        np.stack([number[:-1, :-1].ravel(), number[1:, 1:].ravel()], axis=1),
    ]
    return Graph(coords, np.concatenate(edges))


def assign_owners(graph, parts):
    """Angular sectors about the centre, so every part touches the others."""
    centre = graph.coords.mean(axis=0)
    dx, dy = (graph.coords - centre - 1e-3).T
    angle = np.arctan2(dy, dx)
    rank_of = np.empty(graph.num_nodes, dtype=int)
    for part, nodes in enumerate(np.array_split(np.argsort(angle, kind="stable"), parts)):
        rank_of[nodes] = part
    return rank_of
