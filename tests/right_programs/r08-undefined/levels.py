from mpi4py import MPI


class Level:
    """One level of the hierarchy.  comm is COMM_NULL on inactive ranks."""

    def __init__(self, comm):
        self.comm = comm

    @property
    def active(self):
        return self.comm != MPI.COMM_NULL

    def merge(self, values):
        """Odd ranks give their values to the left neighbour and leave."""
        rank, size = self.comm.Get_rank(), self.comm.Get_size()
        if rank % 2:
            self.comm.Send(values, dest=rank - 1, tag=3)
            return None
        if rank + 1 < size:
            other = values.copy()
            self.comm.Recv(other, source=rank + 1, tag=3)
            values = values + other
        return values

    def spread(self, value):
        """Inverse of merge: even ranks tell the result to their partner."""
        rank, size = self.comm.Get_rank(), self.comm.Get_size()
        if rank % 2:
            return self.comm.recv(source=rank - 1, tag=4)
        if rank + 1 < size:
            self.comm.send(value, dest=rank + 1, tag=4)
        return value


class LevelStack:
    def __init__(self, comm):
        self.levels = []
        current = comm.Dup()
        while current != MPI.COMM_NULL:
            self.levels.append(Level(current))
            if current.Get_size() == 1:
                break
            stays = current.Get_rank() % 2 == 0
            current = current.Split(0 if stays else MPI.UNDEFINED, current.Get_rank())
        self.depth = comm.allreduce(len(self.levels), op=MPI.MAX)

    def __iter__(self):
        return iter(self.levels)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        for level in reversed(self.levels):
            level.comm.Free()
        self.levels.clear()
        return False
