"""Sparse exchange where receivers don't know their senders."""
from mpi4py import MPI


def sparse_exchange(comm, letters, tag):
    """Send letters[rank] to rank; yield (source, letter) as they arrive."""
    pending = [comm.issend(letter, dest=rank, tag=tag)
               for rank, letter in sorted(letters.items())]
    done, status = None, MPI.Status()
    while True:
        message = comm.improbe(source=MPI.ANY_SOURCE, tag=tag, status=status)
        if message is not None:
            yield status.Get_source(), message.recv()
        if done is None:
            if MPI.Request.Testall(pending):
                done = comm.Ibarrier()
        elif done.Test():
            return
