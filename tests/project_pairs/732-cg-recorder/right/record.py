"""All ranks but the last solve a linear system, the last keeps the log."""
import sys

import numpy as np
from mpi4py import MPI

from cg import Solver

LOG = 40


class Recorder:
    def __init__(self, world):
        self.world = world
        self.lines = []

    def listen(self):
        while (entry := self.world.recv(source=0, tag=LOG)) is not None:
            self.lines.append(entry)

    def show(self):
        step, last = self.lines[-1]
        print(f"{step + 1} steps, first {self.lines[0][1]:.3e}, last {last:.3e}")


def work(world, group, recorder, n):
    def notify(*entry):
        if group.rank == 0:
            world.send(entry, dest=recorder, tag=LOG)

    cuts = [n * r // group.size for r in range(group.size + 1)]
    b = np.sin(np.arange(cuts[group.rank], cuts[group.rank + 1]) + 1.0)
    x, misfit = Solver(group, notify).solve(b)
    if group.rank == 0:
        world.send(None, dest=recorder, tag=LOG)
        print(f"misfit {misfit:.1e}")


def main(n=60):
    world = MPI.COMM_WORLD
    if world.size < 2:
        sys.exit("needs at least two ranks")
    recorder = world.size - 1
    group = world.Split(color=int(world.rank == recorder), key=world.rank)
    if world.rank == recorder:
        log = Recorder(world)
        log.listen()
        log.show()
    else:
        work(world, group, recorder, n)
    group.Free()


if __name__ == "__main__":
    main()
