"""A file with the last launches of each process, written when the connection between hosts has ended.

The files have a line for each launch, without times or process ids, so that those of two hosts can be compared with
`diff`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jaxmpi_lint.runtime.ledger.sequences import Process
from jaxmpi_lint.runtime.xla.monitor.verdicts import Case

LAUNCHES = 200  # of each process


def keep(folder: Path, case: Case) -> Path | None:
    """Write the last launches of a host's processes; the path, None if it cannot be written."""
    place = folder / f"launches-{case.sequences.host}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(f"{line}\n" for line in _lines(case)), encoding="utf-8")
    except OSError:
        return None
    return place


def _lines(case: Case) -> Iterator[str]:
    for process in sorted(case.sequences.processes, key=lambda one: one.index):
        yield f"rank {process.index}: {process.launches} launches, the last of them:"
        yield from _launches(process, case)


def _launches(process: Process, case: Case) -> Iterator[str]:
    for one in case.history(process)[-LAUNCHES:]:
        name = one.program.name if one.program is not None else "a program"
        collectives = f"{one.program.signature:016x}" if one.program is not None else ""
        where = f" at {one.site.file}:{one.site.line}" if one.site is not None else ""
        yield f"  {case.sequences.sets[one.set]}, launch {one.sequence + 1}: {name} {collectives}{where}"
