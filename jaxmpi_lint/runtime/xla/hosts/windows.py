"""Comparison of the last launches of several hosts on a device set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jaxmpi_lint.runtime.xla.hosts.bulletin import Launched

COLLECTIVES, ITEM, PROGRAM = "collectives", "item", "program"
_ITEM_BITS = 24  # low bits of an item's word; the high bits are a hash of the dictionary


def items_differ(one: int, other: int) -> bool:
    """Whether two items of one dictionary differ; 0: unknown. Same layout as `Item` in launch_ledger.hpp."""
    return 0 not in (one, other) and one >> _ITEM_BITS == other >> _ITEM_BITS and one != other


class Windows:
    """An incremental comparison that compares each launch once."""

    def __init__(self) -> None:
        self.missed = 0  # launches that were overwritten before they were compared
        self._next: dict[tuple[int, str], int] = {}  # next launch to be compared
        self._told: set[tuple[object, ...]] = set()

    def compare(self, hosts: Mapping[str, Mapping[int, Launched]]) -> Iterator[tuple[str, int, int]]:
        """New differences: their kind, the key of the device set, the number of the launch.

        ``hosts``: the launches of each host, by keys of device sets. After a difference in collectives a device set is
        no longer compared, because all later launches may differ.
        """
        for key in dict.fromkeys(key for sets in hosts.values() for key in sets):
            having = [name for name, sets in hosts.items() if key in sets]
            for other in having[1:]:
                yield from self._pair(key, other, hosts[having[0]][key], hosts[other][key])

    def _pair(self, key: int, other: str, mine: Launched, theirs: Launched) -> Iterator[tuple[str, int, int]]:
        wanted = self._next.get((key, other), 0)
        first = max(wanted, mine.first, theirs.first)
        last = min(mine.first + len(mine), theirs.first + len(theirs))
        if last <= first or (COLLECTIVES, key) in self._told:
            return
        self.missed += first - wanted
        self._next[key, other] = last
        if mine.part(first, last) == theirs.part(first, last):
            return
        for number in range(first, last):
            collectives, program, item = mine.at(number)
            other_collectives, other_program, other_item = theirs.at(number)
            if 0 in (collectives, other_collectives):
                self.missed += 1
                continue
            if collectives != other_collectives:
                self._told.add((COLLECTIVES, key))
                yield COLLECTIVES, key, number
                return
            if items_differ(item, other_item) and (ITEM, key) not in self._told:
                self._told.add((ITEM, key))
                yield ITEM, key, number
            pair = (PROGRAM, key, program, other_program)
            if program != other_program and program and other_program and pair not in self._told:
                self._told.add(pair)
                yield PROGRAM, key, number
