"""Split of the channel in strips along the flow direction."""
import numpy as np

from .lattice import EAST, WEST


class Strip:
    """Columns of one rank, with one ghost column on each side."""

    def __init__(self, comm, nx, ny):
        self.comm = comm
        self.ny = ny
        base, extra = divmod(nx, comm.size)
        self.nx = base + (comm.rank < extra)
        self.first = comm.rank * base + min(comm.rank, extra)
        self.up = (comm.rank - 1) % comm.size
        self.down = (comm.rank + 1) % comm.size

    def allocate(self):
        return np.zeros((9, self.nx + 2, self.ny))

    def _shift(self, f, dirs, outgoing, ghost, dest, source):
        """Pass the populations `dirs` of one column on to the next strip."""
        self.comm.Sendrecv(f[dirs, outgoing], dest=dest,
                           recvbuf=f[dirs, ghost], source=source)

    def exchange(self, f):
        self._shift(f, EAST, self.nx, 0, self.down, self.up)
        self._shift(f, WEST, 1, self.nx + 1, self.up, self.down)
