"""Notices of stalls; they are not errors, because a slow process is not an error."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.judging import stacks
from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.ledger.sequences import Process, Record
from jaxmpi_lint.runtime.settings.ownership import is_part_of
from jaxmpi_lint.runtime.xla.monitor.verdicts import JAX, Case, left_side, main_stack

_COMPUTED_LOOP = re.compile(r", in while(?!, \d+ iterations)")
_BRANCH = re.compile(r", in branch \d+")


def stalled(case: Case, seconds: float, asked: Mapping[int, str]) -> Finding | None:
    """A notice that there were no launches for ``seconds``, and that some processes have fewer than others."""
    for number in range(len(case.sequences.sets)):
        ahead = [
            (process, launch, other)
            for process in case.sequences.processes
            for other in case.sequences.processes
            if process.count(number) > other.count(number) and not other.gone and other.state != "blind"
            and (launch := case.launch(process, number, other.count(number))) is not None
            and launch.program is not None and other.index in launch.program.partners
        ]  # fmt: skip
        if ahead:
            return _notice(ahead, case, seconds, asked)
    return None


def _notice(
    ahead: Sequence[tuple[Process, Record, Process]], case: Case, seconds: float, asked: Mapping[int, str]
) -> Finding:
    first = {process.index: (process, launch) for process, launch, _ in ahead}
    late = {other.index: other for _, _, other in ahead}
    sides = [
        Side((index,), f"launch {launch.sequence + 1}: {launch.program.name if launch.program else ''}", launch.site,
             f"for {seconds:.0f} s")
        for index, (_, launch) in sorted(first.items())
    ]  # fmt: skip
    for index, other in sorted(late.items()):
        shown = main_stack(other, asked.get(other.lane, ""))
        sides.append(replace(left_side(other, case), ranks=(index,), remark="has not reached it", text=shown))
    verb = wording.verb(first, "waits", "wait")
    message = f"{wording.ranks(first)} {verb} for {seconds:.0f} s in a launch that {wording.ranks(late)} did not reach"
    ranks = tuple(sorted({*first, *late}))
    where = case.sequences.sets[ahead[0][1].set]
    notes = dict.fromkeys(
        note for other in late.values() if (note := _note_on_control_flow(_last(case, other), other, case))
    )
    return Finding("JS204", message, ranks, tuple(sides), where, notes=tuple(notes), when=case.sequences.taken)


def unfinished(case: Case, seconds: float, asked: Mapping[int, str]) -> Finding | None:
    """A notice that processes wait for the result of a launch while other participants have exited.

    Only for launches that communicate in a branch, or in a loop whose trip count is computed at run time, so that
    devices may differ in it.
    """
    for waiting in case.sequences.processes:
        launch = _last(case, waiting)
        note = _note_on_control_flow(launch, waiting, case)
        if waiting.gone or launch is None or launch.program is None or not note:
            continue
        partners = [one for one in case.sequences.processes if one.index in launch.program.partners]
        left = [one for one in partners if one.gone and one.count(launch.set) == waiting.count(launch.set)]
        if left and _waits(waiting, launch, asked.get(waiting.lane, "")):
            name = f"launch {launch.sequence + 1}: {launch.program.name}"
            shown = main_stack(waiting, asked[waiting.lane])
            mine = Side((waiting.index,), name, launch.site, f"waits for its result for {seconds:.0f} s", False, shown)
            gone = wording.ranks(one.index for one in left)
            message = f"rank {waiting.index} waits for the result of a launch that {gone} also made before exiting"
            sides = (mine, *(left_side(one, case) for one in left))
            ranks = tuple(sorted({waiting.index, *(one.index for one in left)}))
            return Finding("JS204", message, ranks, sides, notes=(note,), when=case.sequences.taken)
    return None


def _waits(process: Process, launch: Record, text: str) -> bool:
    """Whether a process is in its last launch, or in JAX's code that waits for the result."""
    main = next((stack for stack in stacks.parse(text) if stack.kernel_id == process.process), None)
    if main is None or not main.frames:
        return False
    inner, site = main.frames[0], launch.site
    begins = site is not None and (inner.file, inner.line) == (site.file, site.line)
    return begins or is_part_of(inner.file, *JAX)


def _last(case: Case, process: Process) -> Record | None:
    records = case.history(process)
    return records[-1] if records else None


def _note_on_control_flow(launch: Record | None, process: Process, case: Case) -> str:
    """A note that a launch communicates in a loop with a computed trip count, or in a branch; "" if it does not."""
    if launch is None or launch.program is None:
        return ""
    for what, where in case.details(process, launch.program).collectives:
        if _COMPUTED_LOOP.search(what):
            line = f" ({excerpt.place(where)})" if where is not None else ""
            return (
                f"launch {launch.sequence + 1} of rank {process.index} communicates in a loop whose trip count is "
                f"computed at run time{line}; ranks that run more iterations than others block forever"
            )
        if _BRANCH.search(what):
            line = f" ({excerpt.place(where)})" if where is not None else ""
            return (
                f"launch {launch.sequence + 1} of rank {process.index} communicates in a branch of a conditional"
                f"{line}: {what}; if the predicate depends on a device's own data, devices that take a different "
                "branch do not reach it"
            )
    return ""
