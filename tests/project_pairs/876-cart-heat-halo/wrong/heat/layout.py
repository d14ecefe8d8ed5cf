import numpy as np


class Layout:
    """Shape of the local array: an interior surrounded by ``halo`` layers."""

    def __init__(self, topology, halo=1):
        self.topology = topology
        self.halo = halo
        self.interior = tuple(topology.count)
        self.padded = tuple(n + 2 * halo for n in self.interior)

    def flat(self, row, col):
        """Position of an entry in the flattened local array."""
        return row * self.padded[1] + col


class Field:
    def __init__(self, layout):
        self.layout = layout
        self.data = np.zeros(layout.padded)

    @property
    def interior(self):
        h = self.layout.halo
        return self.data[h:-h, h:-h]

    @classmethod
    def from_function(cls, layout, function):
        field = cls(layout)
        rows, cols = (np.arange(s, s + c) for s, c in
                      zip(layout.topology.start, layout.topology.count))
        field.interior[...] = function(rows[:, None], cols[None, :])
        return field

    def collect(self):
        """The whole field on rank 0, None elsewhere."""
        topo = self.layout.topology
        pieces = topo.cart.gather((topo.global_slices(), self.interior.copy()), root=0)
        if pieces is None:
            return None
        whole = np.empty(topo.shape)
        for where, values in pieces:
            whole[where] = values
        return whole
