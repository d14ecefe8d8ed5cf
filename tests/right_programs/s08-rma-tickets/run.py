from contextlib import ExitStack
from functools import lru_cache, partialmethod

import numpy as np
from mpi4py import MPI

from board import Board
from counter import Tickets


class Orbit:
    """Logistic map; one ticket is one parameter."""

    def __init__(self, tickets):
        self.tickets = tickets

    @lru_cache(maxsize=None)
    def r(self, ticket):
        return 2.5 + 1.5 * ticket / self.tickets

    def iterate(self, ticket, steps, keep):
        x, tail = 0.31, []
        for _ in range(steps):
            x = self.r(ticket) * x * (1.0 - x)
            tail.append(x)
        return np.array(tail[-keep:])

    brief = partialmethod(iterate, steps=50, keep=4)
    thorough = partialmethod(iterate, steps=600, keep=4)

    def __call__(self, ticket):
        return (self.thorough if ticket % 5 == 0 else self.brief)(ticket)


def main(tickets=37):
    comm = MPI.COMM_WORLD
    orbit, mine = Orbit(tickets), []
    with ExitStack() as stack:
        board = stack.enter_context(Board(comm, tickets, 4))
        counter = stack.enter_context(Tickets(comm, tickets))
        for ticket in counter:
            board.put(ticket, orbit(ticket))
            mine.append(ticket)
        table = board.read()

    drawn = sorted(sum(comm.allgather(mine), start=[]))
    assert drawn == list(range(tickets))
    assert np.array_equal(table, np.array([orbit(t) for t in range(tickets)]))
    checksum = comm.allreduce(sum(float(table[t].sum()) for t in mine))
    assert np.isclose(checksum, table.sum())
    if comm.rank == 0:
        print(f"{tickets} tickets, checksum {table.sum():.10f}")


if __name__ == "__main__":
    main()
