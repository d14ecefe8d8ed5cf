"""The processes that belong to one start: those of one coordinator, and those that one launcher or parent started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jaxmpi_lint.runtime.xla.starting.board import Marker

# Seconds between the imports of JAX in processes that one parent started for one job; less if one has ended, which may
# belong to the previous job.
_TOGETHER, BEFORE = 60.0, 10.0


def are_related(one: Marker, other: Marker) -> bool:
    """Whether two processes were started together: by one launcher, or by one parent with one program."""
    first, second = one.origin, other.origin
    if first.job or second.job:
        return first.job == second.job
    same = bool(first.program) and (first.parent, first.program) == (second.parent, second.program)
    limit = _TOGETHER if one.alive and other.alive else BEFORE
    return same and abs(one.imported - other.imported) < limit


@dataclass(frozen=True, slots=True)
class Group:
    """The start of a job as this process sees it at one moment."""

    me: Marker
    markers: Sequence[Marker]  # all of this host, `me` included
    now: float

    @property
    def fellows(self) -> list[Marker]:
        """Processes in `initialize` with the coordinator of this one, this one included, by id."""
        found = [one for one in self.markers if one.is_in and one.address and one.address == self.me.address]
        found = found if self.me in found else [self.me, *found]
        return sorted((one for one in found if one is self.me or overlap(one, self.me)), key=order)

    @property
    def related(self) -> list[Marker]:
        """Processes that were started together with this one."""
        return [one for one in self.markers if one is not self.me and are_related(one, self.me)]

    @property
    def waiting(self) -> list[Marker]:
        """Processes that wait in `initialize` and belong together, this one included, by id."""
        other = [one for one in self.related if one.calls and one not in self.fellows]
        return sorted([one for one in [*self.fellows, *other] if one.calls], key=order)

    @property
    def is_reporter(self) -> bool:
        """Whether it falls to this process to report what all of them see."""
        return self.waiting[:1] == [self.me]

    @property
    def is_ending(self) -> bool:
        """Whether a process with the same coordinator has reported an error that ends the job."""
        return any(
            one.ends and one.address == self.me.address and overlap(one, self.me)
            for one in self.markers
            if one is not self.me
        )

    @property
    def seconds(self) -> float:
        """For how long the first of them has waited."""
        return self.now - min((one.begun for one in self.waiting), default=self.now)

    @property
    def missing(self) -> list[int]:
        """Ids that no process of this host has passed."""
        present = {one.index for one in self.fellows}
        return [index for index in range(self.me.number or 0) if index not in present]


def order(marker: Marker) -> tuple[int, int]:
    """The key by which processes are sorted."""
    return (1 << 31 if marker.index is None else marker.index, marker.process)


def overlap(one: Marker, other: Marker) -> bool:
    """Whether two calls of `initialize` overlapped in time: a process that is long in belongs to an earlier job."""
    begun = max(one.begun, other.begun)
    return all(each.finished == 0 or each.finished >= begun for each in (one, other))
