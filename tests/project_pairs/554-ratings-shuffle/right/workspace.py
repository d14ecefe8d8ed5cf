import shutil
import tempfile
from pathlib import Path


class Workspace:
    """Scratch folder for intermediate partitions, gone when the block ends."""

    def __init__(self, comm, prefix="job-", parent=None, keep=False):
        self.comm = comm
        self.prefix = prefix
        self.parent = parent
        self.keep = keep
        self.root = None

    def _make_root(self):
        return tempfile.mkdtemp(prefix=self.prefix, dir=self.parent)

    def __enter__(self):
        root = self._make_root() if self.comm.rank == 0 else None
        self.root = Path(self.comm.bcast(root, root=0))
        return self

    def __exit__(self, kind, value, tb):
        if kind is not None:
            return False
        self.comm.Barrier()
        if not self.keep and self.comm.rank == 0:
            shutil.rmtree(self.root, ignore_errors=True)
        return False

    def part(self, target, source):
        return self.root / f"part-{target:03d}-from-{source:03d}.npz"
