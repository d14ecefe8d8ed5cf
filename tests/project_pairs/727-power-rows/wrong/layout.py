"""Splits the rows of a matrix into consecutive blocks, one per process."""
from dataclasses import dataclass


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
        return [part * (self.total // self.parts) for part in range(self.parts)]

    def wide(self, width):
        """Counts and starts of blocks whose rows have `width` entries."""
        return ([c * width for c in self.counts], [s * width for s in self.starts])
