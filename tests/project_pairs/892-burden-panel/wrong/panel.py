"""The genes that a run looks at."""


class Panel:
    def __init__(self, genes):
        self.genes = genes

    @classmethod
    def from_calls(cls, comm, calls):
        """All genes that have a call in any sample of any rank."""
        local = {c.gene for c in calls}
        union = set().union(*comm.allgather(local))
        return cls(tuple(union))

    def __len__(self):
        return len(self.genes)

    def __iter__(self):
        return iter(self.genes)

    def __contains__(self, gene):
        return gene in self.genes
