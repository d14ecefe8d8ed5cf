from contextlib import contextmanager

from mpi4py import MPI


@contextmanager
def main_process_first(comm: MPI.Comm):
    """Rank 0 runs the block before the other ranks do."""
    if comm.rank > 0:
        comm.Barrier()
    yield
    if comm.rank == 0:
        comm.Barrier()


@contextmanager
def stopwatch(comm: MPI.Comm, label: str):
    t0 = MPI.Wtime()
    yield
    slowest = comm.reduce(MPI.Wtime() - t0, op=MPI.MAX, root=0)
    if comm.rank == 0:
        print(f"{label}: {slowest:.2f} s", flush=True)
