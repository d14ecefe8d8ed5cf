import numpy as np

from grid import Grid

NX, NY = 24, 16


def main():
    grid = Grid(NX, NY)
    f = grid.field()
    i, j = grid.coords
    f[1:-1, 1:-1] = np.sin(0.3 * np.arange(NX))[:, None] + i - j
    for _ in range(10):
        grid.fill_ghosts(f)
        inner = f[1:-1, 1:-1]
        around = f[:-2, 1:-1] + f[2:, 1:-1] + f[1:-1, :-2] + f[1:-1, 2:]
        f[1:-1, 1:-1] = 0.5 * inner + 0.125 * around
    norm = grid.cart.allreduce(float(np.sum(f[1:-1, 1:-1] ** 2)))
    if grid.cart.rank == 0:
        print(f"norm {norm:.5f}")
    grid.close()


main()
