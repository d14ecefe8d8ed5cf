from __future__ import annotations

import logging

from mpi4py import MPI

from fields import Kind, State
from shift import RingShift

log = logging.getLogger("ring")


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    comm = MPI.COMM_WORLD
    state = State(comm.rank, cells=6)
    shift = RingShift(comm, state)
    for _ in range(3):
        shift()
    behind = (comm.rank - 1) % comm.size
    for kind in Kind:
        assert state[kind].ghost[0] == 100.0 * kind + behind, kind
    comm.Barrier()
    if comm.rank == 0:
        log.info("%d fields shifted", len(state))


if __name__ == "__main__":
    main()
