from mpi4py import MPI

from detector import Detector
from writer import Writer


def main():
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        raise SystemExit("a writer and at least one detector rank are needed")
    shape = (24, 32)
    if comm.rank == 0:
        Writer(comm, shape).run()
    else:
        Detector(comm, shape).run()


if __name__ == "__main__":
    main()
