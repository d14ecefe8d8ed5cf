"""Stretched one-dimensional meshes, kept in npz files."""
from typing import NamedTuple

import numpy as np


class Mesh(NamedTuple):
    volume: np.ndarray
    conductance: np.ndarray


def relax(nodes, sweeps=500):
    for _ in range(sweeps):
        nodes[1:-1] += 0.02 * (nodes[:-2] - 2 * nodes[1:-1] + nodes[2:])
    return nodes


def generate(path, cells, stretch):
    width = stretch ** np.arange(cells)
    nodes = np.concatenate([[0.0], np.cumsum(width)])
    nodes = relax(nodes / nodes[-1])
    volume = np.diff(nodes)
    centre = 0.5 * (nodes[1:] + nodes[:-1])
    dist = np.diff(centre, prepend=nodes[0], append=nodes[-1])
    np.savez(path, volume=volume, conductance=1.0 / dist)


def load(path):
    with np.load(path) as data:
        return Mesh(data["volume"], data["conductance"])
