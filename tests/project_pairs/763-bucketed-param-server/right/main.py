import sys

from mpi4py import MPI

from config import Config
from model import MLP
from server import ParameterServer
from worker import Worker


def main():
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        sys.exit("the parameter server needs at least one worker: run with two or more ranks")
    cfg = Config.from_cli()
    model = MLP(cfg.inputs, cfg.hidden, cfg.seed)
    role = ParameterServer if comm.rank == 0 else Worker
    role(comm, model, cfg).run()


if __name__ == "__main__":
    main()
