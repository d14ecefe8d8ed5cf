"""The members of a communicator, and which of them have not entered a collective yet."""

from __future__ import annotations

from functools import cached_property

from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Wait


class Members:
    """The members of one communicator in one snapshot. Equal sets of ranks are one object."""

    def __init__(self, communicator: Communicator) -> None:
        self._communicator = communicator
        self._behind: dict[int, frozenset[int]] = {}
        self._groups: dict[tuple[int, bool], frozenset[int]] = {}

    @cached_property
    def ranks(self) -> frozenset[int]:
        """The known members, as world ranks."""
        return frozenset(lane.rank for lane in self._communicator.lanes if lane.state != "outside")

    def behind(self, ordinal: int) -> frozenset[int]:
        """The ranks that have not entered a collective yet."""
        if ordinal not in self._behind:
            lanes = self._communicator.lanes
            self._behind[ordinal] = frozenset(lane.rank for lane in lanes if lane.count <= ordinal)
        return self._behind[ordinal]

    def awaited(self, rank: int, wait: Wait) -> frozenset[int]:
        """The ranks for which ``rank`` waits in a collective that needs more than a root."""
        is_remote = rank in self._remote
        missing = self._missing(wait.ordinal, is_remote)
        if wait.flow == "prefix" and missing:
            place = self._places.get(rank, 0)
            missing = frozenset(other for other in missing if self._places[other] < place)
        if rank in missing:
            missing -= {rank}
        if wait.flow == "neighbourhood" and len(missing) < len(self._others(is_remote) - {rank}):
            return frozenset()
        return missing

    def _missing(self, ordinal: int, is_remote: bool) -> frozenset[int]:
        """Those that a rank of the first group, or of the remote one, waits for."""
        if (ordinal, is_remote) not in self._groups:
            self._groups[ordinal, is_remote] = self.behind(ordinal) & self._others(is_remote)
        return self._groups[ordinal, is_remote]

    def _others(self, is_remote: bool) -> frozenset[int]:
        if self._communicator.kind != "inter":
            return self.ranks
        return self.ranks - self._remote if is_remote else self.ranks & self._remote

    @cached_property
    def _remote(self) -> frozenset[int]:
        return frozenset(self._communicator.remote) if self._communicator.kind == "inter" else frozenset()

    @cached_property
    def _places(self) -> dict[int, int]:
        return {lane.rank: lane.rank_in for lane in self._communicator.lanes}
