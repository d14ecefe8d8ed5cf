"""How and where a rank ended, as text."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Side
from jaxmpi_lint.runtime.judging import deaths
from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.ledger.native_site import NativeSite
from jaxmpi_lint.runtime.ledger.snapshot import Rank, Record, Site, Thread
from jaxmpi_lint.runtime.settings.ownership import is_library

_LONGEST = 120
_CALLERS = 4  # as recorded with calls
_STACK = ", error stack:"  # of MPICH: the lines that follow lead from the function that was called to the cause
_FUNCTION = re.compile(r"^\w+\(\d+\)\.*: *")
_FRAME = re.compile(r'^  File "(.+)", line (\d+), in (.+)$', re.MULTILINE)


def departure(rank: Rank) -> str:
    """``raised ValueError: no data``, ``exited with status 3``, ``was killed``, ``reached MPI_Finalize``."""
    if rank.raised:
        return f"raised {last_line(rank.farewell)}"
    if rank.state == "aborted":
        return f"called Abort({rank.exit_status})" if rank.exit_status is not None else "called Abort"
    if vanished(rank):
        return _death(rank.exit_status)
    if (code := exit_code(rank)) is not None:
        return f"called sys.exit({code})"
    if rank.exit_status:
        return f"exited with status {rank.exit_status}"
    if rank.state == "exited":
        return "ended without MPI_Finalize"
    return "reached the end of its program"


def killed_notes(ranks: Sequence[Rank]) -> Iterator[str]:
    """What may have sent a signal that no process of the job can have caused."""
    if any(vanished(rank) and rank.exit_status == -signal.SIGKILL for rank in ranks):
        yield (
            "SIGKILL is what the kernel sends when memory runs out, and schedulers at a limit: see `dmesg` on that "
            "host, and the log of the job"
        )


def exit_code(rank: Rank) -> str | None:
    """The argument of `sys.exit` as the program gave it, if the rank ended by it."""
    kind, _, code = last_line(rank.farewell).partition(":")
    return code.strip() if not rank.raised and kind == "SystemExit" else None


def in_number(way: str, ranks: Sequence[object]) -> str:
    """What `departure` says of a rank, said of these ranks."""
    if len(ranks) == 1:
        return way
    return way.replace("was killed", "were killed").replace("the end of its program", "the end of their programs")


def vanished(rank: Rank) -> bool:
    """Whether a rank ended silently: without MPI_Finalize, MPI_Abort or a normal exit."""
    return rank.state == "vanished" or (not rank.alive and rank.state in ("running", "finalizing"))


def _death(status: int | None) -> str:
    if status is None:
        return "was killed or ended silently"
    return f"was killed by {deaths.name(-status)}" if status < 0 else f"exited with status {status} at once, by _exit"


def interrupted(rank: Rank) -> bool:
    """Whether the user ended a rank by Ctrl-C, which is not a defect of the program."""
    return rank.raised and last_line(rank.farewell).startswith("KeyboardInterrupt")


def left_sides(ranks: Sequence[Rank], history: Callable[[int], Sequence[Record]]) -> list[Side]:
    """The sides of ranks that have ended; ranks that ended in the same way and place share one."""
    sides: list[Side] = []
    for rank in ranks:
        side = left_side(rank, history)
        for position, known in enumerate(sides):
            if replace(known, ranks=()) == replace(side, ranks=()):
                sides[position] = replace(known, ranks=(*known.ranks, rank.rank))
                break
        else:
            sides.append(side)
    return sides


def left_side(rank: Rank, history: Callable[[int], Sequence[Record]]) -> Side:
    """A rank that has ended, with its last MPI call and its traceback."""
    last = last_call(rank, history)
    call = f"last call: {wording.record(last)}" if last else ""
    site = raised_at(rank.farewell)
    if site is not None and last is not None and last.site is not None:
        call += f" at {excerpt.line(last.site)}"
    here = site or (last.site if last else _site(rank))
    return Side((rank.rank,), call, here, departure(rank), True, rank.farewell.strip())


def aborted_at(rank: Rank) -> Site | None:
    """Where a rank called Abort; None if it did not."""
    calls = [thread.site for thread in rank.threads if thread.function == "MPI_Abort"]
    return calls[0] if rank.state == "aborted" and calls else None


def last_call(rank: Rank, history: Callable[[int], Sequence[Record]]) -> Record | None:
    """The last MPI call of a rank before MPI_Finalize, if it is still recorded."""
    records = [entry for entry in history(rank.rank) if entry.function != "MPI_Finalize"]
    own = [entry for entry in records if entry.site is not None]  # mpi4py frees its communicators at the end
    return (own or records)[-1] if records else None


def at_exit(rank: Rank, thread: Thread) -> bool:
    """Whether the interpreter calls MPI_Finalize after the end of the program, on no line of it."""
    return rank.python and thread.function == "MPI_Finalize" and isinstance(thread.site, NativeSite)


def _site(rank: Rank) -> Site | None:
    known = (thread.site for thread in rank.threads if thread.site is not None and not at_exit(rank, thread))
    return next(known, None)


def raised_at(traceback: str) -> Site | None:
    """The innermost line of the program in a traceback, with its callers."""
    frames = [Site(file, int(line), function) for file, line, function in reversed(_FRAME.findall(traceback))]
    own = [frame for frame in frames if not is_library(frame.file)] or frames[:1]
    return replace(own[0], callers=tuple(own[1 : 1 + _CALLERS])) if own else None


def raised_in(traceback: str) -> list[str]:
    """The functions of a library in which an exception was raised, the one that the program called first."""
    frames = _FRAME.findall(traceback)
    own = [number for number, (file, _, _) in enumerate(frames) if not is_library(file)]
    return [function for _, _, function in frames[own[-1] + 1 if own else 0 :]]


def cause(line: str) -> str:
    """What MPI says of an error, in the last line of MPICH's stack without the function of the library."""
    return _FUNCTION.sub("", line.strip())


def last_line(text: str) -> str:
    """The exception in a traceback: the first line after its frames; further lines of its text and notes follow."""
    whole = text.partition("\n  +-+")[0].replace("\n  | ", "\n").strip()  # of a group: without its members
    lines = [line for line in whole.splitlines() if line.strip()]
    frames = [number for number, line in enumerate(lines) if line.startswith('  File "')]
    after = (line for line in lines[frames[-1] if frames else len(lines) :] if not line.startswith("  "))
    last = next(after, lines[-1] if lines else "an exception").strip()
    if last.endswith(_STACK):
        last = f"{last.partition(':')[0]}: {cause(lines[-1])}"
    return last if len(last) <= _LONGEST else last[: _LONGEST - 3] + "..."
