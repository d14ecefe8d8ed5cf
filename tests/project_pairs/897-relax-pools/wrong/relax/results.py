"""Results go from the ranks to the pool root and from there to the first leader."""


class ResultCollector:
    def __init__(self, layout):
        self.layout = layout
        self.records = []

    def add(self, record):
        self.records.append(record)

    def collect(self):
        """All records, lowest energy per atom first, on the first leader; else None."""
        parts = self.layout.pool.gather(self.records, root=0)
        mine = [record for part in parts or () for record in part]
        if self.layout.leaders is None:
            return None
        pools = self.layout.leaders.gather(mine, root=0)
        if pools is None:
            return None
        rows = sum(pools, [])
        rows.sort(key=lambda r: (r["energy"] / r["atoms"], r["name"]))
        return rows
