"""Scratch directory that all processes of a run have in common."""
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def shared_scratch(comm, keep=False):
    name = tempfile.mkdtemp(prefix="shells-") if comm.rank == 0 else None
    path = Path(comm.bcast(name, root=0))
    yield path
    comm.Barrier()
    if comm.rank == 0 and not keep:
        shutil.rmtree(path)
