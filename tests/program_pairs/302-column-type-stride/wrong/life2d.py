"""Game of life on a periodic 2-D process grid with derived datatypes."""
import numpy as np
from mpi4py import MPI


class Board:
    def __init__(self, comm, rows, cols, density=0.3, seed=1):
        dims = MPI.Compute_dims(comm.Get_size(), 2)
        self.cart = comm.Create_cart(dims, periods=[True, True])
        self.dims = dims
        self.r, self.c = rows // dims[0], cols // dims[1]
        self.rows, self.cols = self.r * dims[0], self.c * dims[1]
        full = np.random.default_rng(seed).random((self.rows, self.cols)) < density
        i, j = self.cart.Get_coords(self.cart.Get_rank())
        self.cells = np.zeros((self.r + 2, self.c + 2), dtype="i4")
        self.cells[1:-1, 1:-1] = full[i * self.r:(i + 1) * self.r, j * self.c:(j + 1) * self.c]
        self.column = MPI.INT.Create_vector(self.r, 1, self.c)
        self.column.Commit()

    def at(self, i, j):
        """Buffer that starts at cell (i, j)."""
        return self.cells.reshape(-1)[i * (self.c + 2) + j:]

    def exchange(self):
        west, east = self.cart.Shift(1, 1)
        col = self.column
        self.cart.Sendrecv([self.at(1, 1), 1, col], dest=west,
                           recvbuf=[self.at(1, self.c + 1), 1, col], source=east)
        self.cart.Sendrecv([self.at(1, self.c), 1, col], dest=east,
                           recvbuf=[self.at(1, 0), 1, col], source=west)
        north, south = self.cart.Shift(0, 1)
        self.cart.Sendrecv(self.cells[1], dest=north,
                           recvbuf=self.cells[-1], source=south)
        self.cart.Sendrecv(self.cells[-2], dest=south,
                           recvbuf=self.cells[0], source=north)

    def generation(self):
        self.exchange()
        a = self.cells
        n = sum(a[1 + di:self.r + 1 + di, 1 + dj:self.c + 1 + dj]
                for di in (-1, 0, 1) for dj in (-1, 0, 1) if di or dj)
        alive = a[1:-1, 1:-1] == 1
        a[1:-1, 1:-1] = (n == 3) | (alive & (n == 2))

    def population(self):
        return self.cart.allreduce(int(self.cells[1:-1, 1:-1].sum()))

    def free(self):
        self.column.Free()
        self.cart.Free()


def evolve(comm, generations):
    board = Board(comm, 48, 64)
    counts = [board.population()]
    for _ in range(generations):
        board.generation()
        counts.append(board.population())
    board.free()
    return counts


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    counts = evolve(world, 60)
    alone = evolve(MPI.COMM_SELF, 60) if world.Get_rank() == 0 else None
    if world.Get_rank() == 0:
        print("population", counts[::15])
        print("one process", alone[::15])
