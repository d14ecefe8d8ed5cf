import logging
import sys

from mpi4py import MPI

from net.data import Housing
from net.model import QuadraticModel
from net.trainer import Trainer


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.WARNING,
                        format="%(name)s: %(message)s")
    data = Housing(comm)
    trainer = Trainer(comm, QuadraticModel(data.features), data)
    model = trainer.fit()
    spread = trainer.replica_spread()
    if comm.rank == 0:
        print(f"validation {model.error(*data.valid):.4f}, replica spread {spread:.1e}")
    if spread > 1e-9:
        return 5
    return 0


if __name__ == "__main__":
    sys.exit(main())
