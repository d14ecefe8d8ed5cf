import numpy as np
from mpi4py import MPI


class Stepper:
    def __init__(self, comm, cells=80):
        self.comm = comm
        self.rank = comm.rank
        x = np.linspace(comm.rank, comm.rank + 1, cells, endpoint=False)
        self.speed = 1.0 + 0.5 * np.sin(x)
        self.dx = 1.0 / cells
        self.time = 0.0

    def time_step(self):
        local = np.array([self.dx / self.speed.max()])
        dt = np.empty(1)
        if self.rank == 0:
            self.comm.Allreduce(local, dt, op=MPI.MIN)
        else:
            self.comm.Allreduce(local, dt, op=MPI.MAX)
        return 0.4 * float(dt[0])

    def advance(self):
        dt = self.time_step()
        self.speed = self.speed * (1.0 - 0.1 * dt)
        self.time += dt


def main():
    comm = MPI.COMM_WORLD
    stepper = Stepper(comm)
    for _ in range(5):
        stepper.advance()
    times = comm.gather(round(stepper.time, 10), root=0)
    if comm.rank == 0:
        print("times", times)


main()
