"""Communicators and buffers in the shapes people use: I14 to I18, I20."""

import numpy as np

try:
    from mpi4py import MPI
except ImportError:
    MPI = None

comm = None if MPI is None else MPI.COMM_WORLD
rank = 0 if comm is None else comm.rank


class Facade:
    """Forwards to a communicator, or works alone."""

    def __init__(self, comm=None):
        self.comm = comm

    def Get_rank(self):
        return 0 if self.comm is None else self.comm.Get_rank()

    def bcast(self, buffer, root=0):
        if self.comm is not None:
            self.comm.Bcast(buffer, root=root)

    def allreduce(self, value):
        return value if self.comm is None else self.comm.allreduce(value)


def synchronise(facade, weights):
    facade.bcast(weights)
    return facade.allreduce(1)


def sums(comm, values: np.ndarray):
    total = np.zeros_like(values)
    comm.Allreduce(values, total, op=MPI.SUM)
    comm.Allreduce(MPI.IN_PLACE, values, op=MPI.SUM)
    comm.Reduce(values, None if comm.rank else total, op=MPI.SUM, root=0)
    return total


def typed(comm):
    data = np.zeros(4)
    numbers = np.arange(4, dtype=np.int32)
    comm.Bcast([data, MPI.DOUBLE], root=0)
    comm.Bcast([numbers, 4, MPI.INT], root=0)
    if comm.rank == 0:
        comm.Gather([None, 0, MPI.DOUBLE], np.zeros((comm.size, 4)))
    else:
        comm.Gather(data, None)
    counts = [4] * comm.size
    comm.Gatherv(data, (np.zeros(4 * comm.size), counts), root=0)
    comm.Gatherv(data, [np.zeros(4 * comm.size), counts, None, MPI.DOUBLE], root=0)


def root_drops_its_own(comm, value):
    if comm.rank == 0:
        comm.bcast(value, root=0)
        return value
    return comm.bcast(None, root=0)


def derived(comm):
    duplicate = comm.Dup()
    cart = duplicate.Create_cart([comm.size], periods=[True])
    left, right = cart.Shift(0, 1)
    data = np.zeros(3)
    cart.Sendrecv(data.copy(), dest=right, recvbuf=data, source=left)
    cart.Free()
    duplicate.Free()
    return data


def sorted_names(comm, names):
    for name in sorted(set(names)):
        comm.bcast(name)
    for index in {0, 1, 2}:
        comm.bcast(index)
    present = set(names)
    if "density" in present:
        comm.Barrier()
    return len(present)


def colour(comm, temperature: float):
    return comm.Split(hash(int(temperature)) % 2, comm.rank)
