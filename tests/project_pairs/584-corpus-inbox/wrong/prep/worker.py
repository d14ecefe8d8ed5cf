import json
import logging
from collections import Counter

from mpi4py import MPI

from .filters import PageFilter

log = logging.getLogger("prep")


class PrepWorker:
    def __init__(self, comm, inbox):
        self.comm = comm
        self.inbox = inbox
        self.filter = PageFilter()
        self.pages = 0

    def _assigned(self):
        dumps = self.inbox.waiting()
        return dumps[self.comm.rank::self.comm.size]

    def _convert(self, dump):
        texts = json.loads(dump.read_text())
        kept = list(self.filter.keep(texts))
        self.inbox.shard_path(dump).write_text("\n".join(kept))
        self.pages += len(kept)
        self.inbox.finish(dump)

    def run(self):
        for dump in self._assigned():
            self._convert(dump)
        log.debug("rank %d kept %d pages", self.comm.rank, self.pages)
        pages = self.comm.allreduce(self.pages, op=MPI.SUM)
        dropped = self.comm.reduce(self.filter.dropped, op=MPI.SUM, root=0)
        return pages, dropped if self.comm.rank == 0 else Counter()
