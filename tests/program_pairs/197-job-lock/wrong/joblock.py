import os
import socket
from pathlib import Path


class LockedError(RuntimeError):
    pass


class JobLock:
    """One lock file for the whole job; it names the host and pid of the owner."""

    def __init__(self, path, comm):
        self.path = Path(path)
        self.comm = comm

    def acquire(self):
        owner = None
        if self.comm.rank == 0:
            if self.path.exists():
                owner = self.path.read_text().strip()
            else:
                self.path.write_text(f"{socket.gethostname()}:{os.getpid()}\n")
        owner = self.comm.bcast(owner, root=0)
        if owner is not None:
            raise LockedError(f"{self.path} is held by {owner}")

    def release(self):
        self.comm.Barrier()
        self.path.unlink()
