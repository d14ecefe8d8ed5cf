"""One tile of the plate with a ghost frame; edges are descriptors."""
import numpy as np
from mpi4py import MPI


class Edge:
    """A line of the frame or of the cells next to it."""

    def __init__(self, axis, inner, ghost):
        self.axis, self.index = axis, {"inner": inner, "ghost": ghost}

    def __set_name__(self, owner, name):
        self.name = name
        owner.edges = {**getattr(owner, "edges", {}), name: self}

    def __get__(self, tile, owner=None):
        if tile is None:
            return self
        return {kind: self.spec(tile, at) for kind, at in self.index.items()}

    def spec(self, tile, at):
        rows, cols = tile.cells.shape
        at %= (rows, cols)[self.axis]
        flat = tile.cells.reshape(-1)
        if self.axis == 0:
            return [flat[at * cols + 1:], cols - 2, MPI.DOUBLE]
        return [flat[cols + at:], 1, tile.column]


class Tile:
    north = Edge(0, 1, 0)
    south = Edge(0, -2, -1)
    west = Edge(1, 1, 0)
    east = Edge(1, -2, -1)

    def __init__(self, rows, cols):
        self.cells = np.zeros((rows + 2, cols + 2))
        self.column = MPI.DOUBLE.Create_vector(rows, 1, cols + 2).Commit()

    @property
    def body(self):
        return self.cells[1:-1, 1:-1]

    def relax(self):
        c = self.cells
        new = 0.25 * (c[:-2, 1:-1] + c[2:, 1:-1] + c[1:-1, :-2] + c[1:-1, 2:])
        change = float(np.abs(new - self.body).max())
        self.body[...] = new
        return change

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.column.Free()
