"""Splits the rows of a matrix into consecutive blocks, one per process."""
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True)
class Layout:
    total: int
    parts: int

    @property
    def counts(self):
        base, extra = divmod(self.total, self.parts)
        return [base + (part < extra) for part in range(self.parts)]

    @property
    def starts(self):
        return [0, *accumulate(self.counts)][:-1]

    def wide(self, width):
        """Counts and starts of blocks whose rows have `width` entries."""
        return ([c * width for c in self.counts], [s * width for s in self.starts])
