"""Spread a field in alternating phases and print a checksum."""
from __future__ import annotations

import itertools
import logging

from mpi4py import MPI

from mail import MailRoom
from spread import Field, Mirror, Phase, Shift

log = logging.getLogger("spread")
CELLS = 24
ROUNDS = 200


def serial_checksum() -> float:
    field = Field(MailRoom(MPI.COMM_SELF), CELLS)
    return simulate(field, ROUNDS)


def checksum(field: Field) -> float:
    return sum((1 + cell) * value for cell, value in field.values.items())


def simulate(field: Field, rounds: int) -> float:
    phases: list[Phase] = [Shift(), Mirror()]
    for phase in itertools.islice(itertools.cycle(phases), rounds):
        log.debug("phase %s", phase.name)
        field.apply(phase)
    return checksum(field)


def main() -> int:
    logging.basicConfig(level=logging.WARNING)
    comm = MPI.COMM_WORLD
    found = comm.allreduce(simulate(Field(MailRoom(comm), CELLS), ROUNDS))
    expected = comm.bcast(serial_checksum() if comm.rank == 0 else None, root=0)
    if comm.rank == 0:
        print(f"checksum {found:.8f}, expected {expected:.8f}")
    return 0 if abs(found - expected) < 1e-6 else 1


if __name__ == "__main__":
    raise SystemExit(main())
