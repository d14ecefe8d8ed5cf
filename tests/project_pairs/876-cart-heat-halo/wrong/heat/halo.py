"""Halo exchange with derived datatypes: no packing into buffers."""
from abc import ABC, abstractmethod

from mpi4py import MPI


class HaloExchanger(ABC):
    def __init__(self, layout):
        self.layout = layout

    @abstractmethod
    def __call__(self, field):
        ...


class DatatypeExchanger(HaloExchanger):
    """Rows and columns of the interior travel as strided vectors."""

    def __init__(self, layout):
        super().__init__(layout)
        h = layout.halo
        ny, nx = layout.interior
        stride = layout.interior[1]
        self.row = MPI.DOUBLE.Create_vector(h, nx, stride).Commit()
        self.column = MPI.DOUBLE.Create_vector(ny, h, stride).Commit()
        topo, at = layout.topology, layout.flat
        self.moves = [
            (self.row, at(h, h), topo.north, at(ny + h, h), topo.south),
            (self.row, at(ny, h), topo.south, at(0, h), topo.north),
            (self.column, at(h, h), topo.west, at(h, nx + h), topo.east),
            (self.column, at(h, nx), topo.east, at(h, 0), topo.west),
        ]

    def __call__(self, field):
        flat = field.data.reshape(-1)
        cart = self.layout.topology.cart
        for tag, (kind, here, dest, there, source) in enumerate(self.moves):
            cart.Sendrecv([flat[here:], 1, kind], dest, tag,
                          [flat[there:], 1, kind], source, tag)

    def free(self):
        self.row.Free()
        self.column.Free()
