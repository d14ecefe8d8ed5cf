#!/usr/bin/env python
# Game of life on a torus, strips of rows per process.
# usage: mpirun -n 3 python life.py [rows cols generations]
import sys
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
me = comm.Get_rank()
np_ = comm.Get_size()

rows, cols, gens = 96, 80, 60
if len(sys.argv) == 4:
    rows, cols, gens = map(int, sys.argv[1:])
if rows < np_:
    if me == 0:
        print("need at least one row per process")
    sys.exit(0)

base, rest = divmod(rows, np_)
nrows = base + (1 if me < rest else 0)
first = me * base + min(me, rest)

up = (me - 1) % np_
down = (me + 1) % np_


def start_world(r, c):
    rng = np.random.RandomState(7)
    world = (rng.rand(r, c) < 0.3).astype(np.int8)
    if r >= 5 and c >= 5:                          # a glider in the corner
        world[:5, :5] = 0
        for i, j in ((0, 1), (1, 2), (2, 0), (2, 1), (2, 2)):
            world[i, j] = 1
    return world


def step(grid):
    """grid has one ghost row above and below; columns wrap around."""
    n = np.zeros_like(grid[1:-1])
    for di in (-1, 0, 1):
        band = grid[1 + di:grid.shape[0] - 1 + di]
        for dj in (-1, 0, 1):
            if di or dj:
                n += np.roll(band, dj, axis=1)
    alive = grid[1:-1]
    return ((n == 3) | ((alive == 1) & (n == 2))).astype(np.int8)


def exchange(grid):
    # first real row goes up
    comm.Sendrecv(grid[1], dest=up, sendtag=10,
                  recvbuf=grid[-1], source=down, recvtag=10)
    # last real row goes down
    comm.Sendrecv(grid[-2], dest=down, sendtag=20,
                  recvbuf=grid[0], source=up, recvtag=20)


grid = np.zeros((nrows + 2, cols), dtype=np.int8)
grid[1:-1] = start_world(rows, cols)[first:first + nrows]

history = []
for g in range(gens):
    exchange(grid)
    grid[1:-1] = step(grid)
    alive = comm.allreduce(int(grid[1:-1].sum()), op=MPI.SUM)
    history.append(alive)
    if me == 0 and g % 10 == 0:
        print("generation %3d: %d cells alive" % (g, alive))

parts = comm.gather(grid[1:-1].copy(), root=0)
if me == 0:
    final = np.vstack(parts)

    # the same on one process, for comparison
    ref = start_world(rows, cols)
    for g in range(gens):
        ref = step(np.vstack((ref[-1:], ref, ref[:1])))
    same = np.array_equal(ref, final)
    print("final population %d, agrees with serial run: %s" % (final.sum(), same))
    if not same:
        sys.exit(1)
