"""Conway's game of life on a bounded board, one band of rows per process."""
import sys

import numpy as np
from mpi4py import MPI

ROWS, COLS = 60, 80

GLIDER = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)]
R_PENTOMINO = [(0, 1), (0, 2), (1, 0), (1, 1), (2, 1)]


def initial_board():
    board = np.zeros((ROWS, COLS), dtype=np.int8)
    for r, c in GLIDER:
        board[r + 5, c + 5] = 1
    for r, c in R_PENTOMINO:
        board[r + ROWS // 2, c + COLS // 2] = 1
    return board


class Band:
    def __init__(self, cart):
        self.cart = cart
        self.above, self.below = cart.Shift(0, 1)
        k = cart.Get_coords(cart.rank)[0]
        self.lo = ROWS * k // cart.size
        self.hi = ROWS * (k + 1) // cart.size
        self.cells = initial_board()[self.lo:self.hi]

    def with_ghosts(self):
        top, bottom = self.cells[0], self.cells[-1]
        from_above = self.cart.sendrecv(bottom, dest=self.below, source=self.above)
        from_below = self.cart.sendrecv(top, dest=self.above, source=self.below)
        dead = np.zeros(COLS, dtype=np.int8)
        if from_above is None:
            from_above = dead
        if from_below is None:
            from_below = dead
        return np.vstack([from_above, self.cells, from_below])

    def generation(self):
        g = np.pad(self.with_ghosts(), ((0, 0), (1, 1)))
        n = sum(g[1 + dr:g.shape[0] - 1 + dr, 1 + dc:g.shape[1] - 1 + dc]
                for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0))
        alive = self.cells == 1
        self.cells = ((n == 3) | (alive & (n == 2))).astype(np.int8)


def main():
    generations = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    cart = MPI.COMM_WORLD.Create_cart([MPI.COMM_WORLD.size], periods=[False])
    band = Band(cart)
    for _ in range(generations):
        band.generation()
    alive = cart.reduce(int(band.cells.sum()), op=MPI.SUM, root=0)
    if cart.rank == 0:
        print(f"{alive} cells alive after {generations} generations")


if __name__ == "__main__":
    main()
