from mpi4py import MPI

TAG_TOKEN = 77


class TokenFile:
    """A text file that the ranks write one after the other."""

    def __init__(self, path, comm):
        self.path = path
        self.comm = comm
        self.previous = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.next = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL

    def _append(self, lines):
        mode = "w" if self.comm.rank == 0 else "a"
        with open(self.path, mode) as f:
            for line in lines:
                f.write(line + "\n")

    def write(self, lines):
        self.comm.recv(source=self.previous, tag=TAG_TOKEN)
        if lines:
            self._append(lines)
        self.comm.send(None, dest=self.next, tag=TAG_TOKEN)
