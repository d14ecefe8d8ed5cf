import logging
import sys

from mpi4py import MPI

import reviews
from network import TwoLayer
from parallel import spread
from sgd import Trainer

CONFIG = {"hidden": 16, "rate": 0.1, "epochs": 5, "batch": 32, "steps": 20, "seed": 3}


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    train, held = reviews.load(comm.rank, comm.size)
    network = TwoLayer(train[0].shape[1], CONFIG["hidden"], CONFIG["seed"])
    Trainer(comm, network, CONFIG).fit(*train)
    hits = comm.allreduce(network.hits(*held))
    rows = comm.allreduce(len(held[1]))
    drift = spread(comm, network.params)
    if comm.rank == 0:
        print(f"held-out accuracy {hits / rows:.3f}, spread of the replicas {drift:.1e}")
    return 0 if drift < 1e-8 else 4


if __name__ == "__main__":
    sys.exit(main())
