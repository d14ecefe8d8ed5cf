"""Which ranks do what."""
import logging

from mpi4py import MPI

logger = logging.getLogger(__name__)


class Layout:
    """The last rank of the world collects output, all others integrate."""

    def __init__(self, world: MPI.Intracomm, n_io: int = 1) -> None:
        if world.size <= n_io:
            raise ValueError("not enough ranks")
        self.world = world
        self.n_compute = world.size - n_io
        self.is_compute = world.rank < self.n_compute
        self.compute = world.Split(0 if self.is_compute else MPI.UNDEFINED, world.rank)
        self.writer = self.n_compute           # world rank of the first io rank
        logger.debug("rank %d is %s", world.rank, "compute" if self.is_compute else "io")

    def close(self) -> None:
        if self.compute != MPI.COMM_NULL:
            self.compute.Free()
