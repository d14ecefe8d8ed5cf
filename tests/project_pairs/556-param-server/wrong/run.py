import sys

from mpi4py import MPI

from paramserver.config import CONFIG
from paramserver.server import ParameterServer
from paramserver.task import LinearTask
from paramserver.worker import Worker


def main():
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        print("needs a server and at least one worker", file=sys.stderr)
        return 1
    task = LinearTask(CONFIG["dims"], noise=CONFIG["noise"], seed=CONFIG["seed"])
    if comm.rank == 0:
        server = ParameterServer(comm, task, CONFIG)
        server.serve()
        print("updates", server.updates, "error %.4f" % task.error(server.weights))
    else:
        worker = Worker(comm, task, CONFIG)
        worker.run()
    comm.Barrier()
    return 0


if __name__ == "__main__":
    sys.exit(main())
