import sys

from mpi4py import MPI

from solver import NSTEPS, EVERY, Solver
from monitor import Monitor

world = MPI.COMM_WORLD
if world.size < 2:
    sys.exit("needs at least two ranks")

if world.rank == 0:
    Monitor(world).collect(NSTEPS // EVERY)
else:
    solver = Solver(world)
    for step in range(NSTEPS):
        solver.advance()
        if (step + 1) % EVERY == 0:
            solver.report()
