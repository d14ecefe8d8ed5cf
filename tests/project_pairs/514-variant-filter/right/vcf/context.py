import logging

log = logging.getLogger("vcf")


class RunContext:
    """Header data of the run, read once on the first rank."""

    def __init__(self, comm, source):
        self.comm = comm
        self.source = source
        self.meta = {}

    def load(self):
        meta = None
        if self.comm.rank == 0:
            meta = self.source.header()
            meta["median_depth"] = self.source.median_depth()
            log.info("%s: %d contigs, %d samples, median depth %.1f", meta["reference"],
                     len(meta["contigs"]), len(meta["samples"]), meta["median_depth"])
        self.meta = self.comm.bcast(meta, root=0)
        return self

    def contigs_of(self, rank):
        """Longest first, dealt to the least loaded rank."""
        load = [0] * self.comm.size
        mine = []
        for name, length in sorted(self.meta["contigs"].items(), key=lambda kv: -kv[1]):
            r = load.index(min(load))
            load[r] += length
            if r == rank:
                mine.append((name, length))
        return mine
