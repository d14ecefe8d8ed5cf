from mpi4py import MPI

from catalogue import local_galaxies


class Numbering:
    """Gives every galaxy a global number, rank after rank."""

    def __init__(self, comm: MPI.Comm):
        self.comm = comm
        self.rank = comm.Get_rank()
        self.last = comm.Get_size() - 1

    def first_number(self, n_local: int) -> int:
        start = 0
        start = self.comm.recv(source=self.rank - 1, tag=4)
        if self.rank < self.last:
            self.comm.send(start + n_local, dest=self.rank + 1, tag=4)
        return start


def main() -> None:
    comm = MPI.COMM_WORLD
    galaxies = local_galaxies(comm.rank)
    first = Numbering(comm).first_number(len(galaxies))
    numbers = range(first, first + len(galaxies))
    table = comm.gather(list(zip(numbers, galaxies)), root=0)
    if comm.rank == 0:
        rows = [row for part in table for row in part]
        print(len(rows), "galaxies, last number", rows[-1][0])


if __name__ == "__main__":
    main()
