from mpi4py import MPI
from .setup import initial
from .utils import share


def main():
    comm = MPI.COMM_WORLD
    factor = share(comm, [2.0], 0)
    print(comm.Get_rank(), factor * initial(comm, 4))


if __name__ == "__main__":
    main()
