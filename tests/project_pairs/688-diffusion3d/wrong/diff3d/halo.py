from mpi4py import MPI

from .buffers import BufferPool

# side -> (interior layer that is sent, ghost layer that is filled)
LAYERS = {"low": (1, 0), "high": (-2, -1)}
TAGS = {"low": 21, "high": 22}
OPPOSITE = {"low": "high", "high": "low"}


def layer(u, axis, index):
    return u[index, 1:-1] if axis == 0 else u[1:-1, index]


class HaloExchange:
    """Non-blocking exchange of one ghost layer along x and y."""

    def __init__(self, grid):
        self.grid = grid
        self.pool = BufferPool()

    def start(self, u, axis):
        comm, requests = self.grid.cart, []
        for side in LAYERS:
            ghost = layer(u, axis, LAYERS[side][1])
            buf = self.pool.get(ghost.shape, "recv", axis, side)
            requests.append(comm.Irecv(buf, self.grid.neighbour[axis, side],
                                       tag=TAGS[OPPOSITE[side]]))
        for side in LAYERS:
            face = layer(u, axis, LAYERS[side][0])
            buf = self.pool.get(face.shape, "send", axis)
            buf[...] = face
            requests.append(comm.Isend(buf, self.grid.neighbour[axis, side],
                                       tag=TAGS[side]))
        return requests

    def finish(self, u, axis, requests):
        MPI.Request.Waitall(requests)
        for side in LAYERS:
            ghost = layer(u, axis, LAYERS[side][1])
            ghost[...] = self.pool.get(ghost.shape, "recv", axis, side)

    def __call__(self, u):
        pending = [(axis, self.start(u, axis)) for axis in (0, 1)]
        for axis, requests in pending:
            self.finish(u, axis, requests)
