"""Findings about launches that differ or cannot finish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Past, Row, Side
from jaxmpi_lint.runtime.judging import stacks
from jaxmpi_lint.runtime.judging.exits import departure, raised_at
from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.ledger.sequences import Details, Found, History, Process, Record, Sequences, as_rank, is_remote
from jaxmpi_lint.runtime.settings.ownership import is_part_of
from jaxmpi_lint.runtime.xla.programs import program

_PAST = 5  # launches in the table of a report
_NO_LAUNCH = "no launch"
JAX = ("jax._src", "jaxlib")


@dataclass(frozen=True, slots=True)
class Case:
    """The evidence for a verdict."""

    sequences: Sequences
    history: History
    details: Details

    def launch(self, process: Process, number: int, sequence: int) -> Record | None:
        """A launch of a process, None if its history does not reach back that far."""
        same = (one for one in self.history(process) if (one.set, one.sequence) == (number, sequence))
        return next(same, None)


def differing(found: Found, case: Case) -> Finding | None:
    """The finding about processes whose launches with one number differ in collectives, item or program."""
    launches = {
        process: launch
        for process in case.sequences.processes
        if (launch := case.launch(process, found.set, found.sequence)) is not None and launch.program is not None
    }
    if found.kind == "item":
        launches = _of_common_choice(launches)
    keys = {process: _identity(launch, found.kind) for process, launch in launches.items()}
    if len(set(keys.values())) < 2:
        return None
    common = Counter(keys.values()).most_common()
    odd = {key for key, times in common if times < common[0][1]}
    groups: dict[object, list[Process]] = {}
    for process, key in sorted(keys.items(), key=lambda item: item[0].index):
        groups.setdefault((key, launches[process].site), []).append(process)
    first_difference = _first_difference([launches[ones[0]] for ones in groups.values()], groups, case)
    sides = tuple(
        Side(
            tuple(one.index for one in ones),
            _call(ones[0], launches[ones[0]], case, None if found.kind == "item" else first_difference),
            launches[ones[0]].site,
            "differs" if keys[ones[0]] in odd else "",
            keys[ones[0]] in odd,
        )
        for ones in groups.values()
    )
    ranks = tuple(sorted(process.index for process in launches))
    where = case.sequences.sets[found.set]
    number = found.sequence + 1
    past = _past(case, found, list(groups.values()))
    if found.kind == "program":
        message = f"{wording.ranks(ranks)} run different programs with equal collectives in launch {number}"
        notes = tuple(_program_notes(list(groups.values()), launches, case))
        return Finding("JS502", message, ranks, sides, where, past=past, notes=notes, when=case.sequences.taken)
    if found.kind == "item":
        message = f"{wording.ranks(ranks)} run the same program for different items in launch {number} on {where}"
        return Finding("JS507", message, ranks, sides, where, past=past, when=case.sequences.taken)
    message = f"{wording.ranks(ranks)} differ in the collectives of launch {number} on {where}"
    notes = tuple(_collective_notes(list(groups.values()), launches, case, first_difference))
    return Finding("JS501", message, ranks, sides, where, past=past, notes=notes, when=case.sequences.taken)


def _of_common_choice(launches: Mapping[Process, Record]) -> dict[Process, Record]:
    """Launches with items of one dictionary, the one that most processes use."""
    choices = Counter(one.item.choices for one in launches.values() if one.item is not None)
    common = max(choices, key=choices.__getitem__, default=None)
    return {process: one for process, one in launches.items() if one.item and one.item.choices == common}


def _identity(launch: Record, kind: str) -> object:
    assert launch.program is not None
    if kind == "item":
        return launch.item
    return launch.program.program if kind == "program" else launch.program.signature


def _first_difference(launches: Sequence[Record], groups: Mapping[object, Sequence[Process]], case: Case) -> int:
    """The position of the first collective in which executables differ; 0 if they are equal."""
    texts = [
        [what for what, _ in case.details(ones[0], launch.program).collectives]
        for launch, ones in zip(launches, groups.values(), strict=True)
        if launch.program is not None
    ]
    for position in range(max(map(len, texts), default=0)):
        if len({text[position] if position < len(text) else "" for text in texts}) > 1:
            return position
    return 0


def _call(process: Process, launch: Record, case: Case, position: int | None) -> str:
    """``jit(step): all-reduce(add) of float32[4] in groups {0,1}``; no position: ``jit(step) with arrays['a']``."""
    assert launch.program is not None
    if position is None:
        return f"{launch.program.name} with {launch.item.text}" if launch.item else launch.program.name
    collectives = case.details(process, launch.program).collectives
    if not collectives:
        return launch.program.name
    if position >= len(collectives):
        return f"{launch.program.name}: {wording.plural(len(collectives), 'collective')}, no more"
    which = f" (collective {position + 1} of {len(collectives)})" if len(collectives) > 1 else ""
    return f"{launch.program.name}: {collectives[position][0]}{which}"


def _collective_notes(
    groups: Sequence[Sequence[Process]], launches: Mapping[Process, Record], case: Case, position: int
) -> Iterator[str]:
    """Where the differing collectives were traced, if not on the line of the launch."""
    for ones in groups:
        launch = launches[ones[0]]
        if launch.program is None:
            continue
        collectives = case.details(ones[0], launch.program).collectives
        where = collectives[position][1] if position < len(collectives) else None
        if where is not None and (
            launch.site is None or (where.file, where.line) != (launch.site.file, launch.site.line)
        ):
            ranks = wording.ranks(one.index for one in ones)
            yield f"the collective of {ranks} was traced at {excerpt.place(where)}"


def _program_notes(
    groups: Sequence[Sequence[Process]], launches: Mapping[Process, Record], case: Case
) -> Iterator[str]:
    """The differences between the programs of the first two groups."""
    first, second = (
        groups[0][0],
        next(ones[0] for ones in groups if _hash(launches[ones[0]]) != _hash(launches[groups[0][0]])),
    )
    texts = [
        case.details(one, found).program for one in (first, second) if (found := launches[one].program) is not None
    ]
    if len(texts) == 2 and all(texts):
        yield f"below, 'here' is {wording.ranks([first.index])} and 'there' is {wording.ranks([second.index])}"
        yield from program.difference(*texts)


def _hash(launch: Record) -> int:
    return launch.program.program if launch.program is not None else 0


def _past(case: Case, found: Found, groups: Sequence[Sequence[Process]]) -> Past | None:
    """The previous launches of each group, side by side."""
    columns = tuple(tuple(one.index for one in ones) for ones in groups)
    rows = []
    for sequence in range(max(0, found.sequence - _PAST + 1), found.sequence + 1):
        cells = []
        for ones in groups:
            launch = case.launch(ones[0], found.set, sequence)
            cells.append(_short(launch) if launch is not None else "")
        rows.append(Row(sequence + 1, tuple(cells), sequence == found.sequence))
    return Past(columns, tuple(rows)) if len(rows) > 1 else None


def _short(launch: Record) -> str:
    name = launch.program.name if launch.program is not None else "a program"
    name += f" with {launch.item.text}" if launch.item is not None else ""
    return f"{name} {excerpt.short(launch.site.file)}:{launch.site.line}" if launch.site is not None else name


# --- processes that exited --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Awaited:
    """A launch of `waiting` that `left` will never join."""

    waiting: Process
    left: Process
    launch: Record


def awaited(case: Case) -> list[Awaited]:
    """Launches that cannot finish because a participating process has exited before them."""
    found = []
    for left in case.sequences.processes:
        if not left.gone:
            continue
        for waiting in case.sequences.processes:
            launch = _missing(case, waiting, left)
            if launch is not None:
                found.append(Awaited(waiting, left, launch))
    return found


def _missing(case: Case, waiting: Process, left: Process) -> Record | None:
    for number in range(len(case.sequences.sets)):
        done = left.count(number)
        if waiting.count(number) <= done:
            continue
        launch = case.launch(waiting, number, done)
        if launch is not None and launch.program is not None and left.index in launch.program.partners:
            return launch
    return None


def abandoned(found: Sequence[Awaited], case: Case, asked: Mapping[int, str]) -> Finding:
    """The finding about launches that exited processes will never make. ``asked``: stacks of waiting processes."""
    gone = {one.left.index: one.left for one in found}
    waiting = {one.waiting.index: one for one in found}
    sides = [_waiting_side(one, asked.get(one.waiting.lane, "")) for _, one in sorted(waiting.items())]
    sides += [left_side(process, case) for _, process in sorted(gone.items())]
    ways = "; ".join(dict.fromkeys(departure(as_rank(one)) for one in gone.values()))
    verb = wording.verb(waiting, "waits", "wait")
    message = f"{wording.ranks(waiting)} {verb} in a launch for {wording.ranks(gone)}, which ended ({ways})"
    ranks = tuple(sorted({*gone, *waiting}))
    where = case.sequences.sets[found[0].launch.set]
    return Finding("JS503", message, ranks, tuple(sides), where, when=case.sequences.taken)


def _waiting_side(one: Awaited, text: str) -> Side:
    name = one.launch.program.name if one.launch.program is not None else "a program"
    call = f"launch {one.launch.sequence + 1}: {name}"
    shown = main_stack(one.waiting, text)
    remark = f"waits for {wording.ranks([one.left.index])}"
    return Side((one.waiting.index,), call, one.launch.site, remark, False, shown)


def main_stack(process: Process, text: str) -> str:
    """The program's Python frames of the main thread, from the stacks of all threads."""
    main = next((stack for stack in stacks.parse(text) if stack.kernel_id == process.process), None)
    if main is None:
        return ""
    own = tuple(frame for frame in main.frames if not is_part_of(frame.file, *JAX))
    return replace(main, frames=own or main.frames).text()


def left_side(process: Process, case: Case) -> Side:
    """A process with its last launch, and how it exited."""
    records = case.history(process)
    last = records[-1] if records else None
    call = f"last launch: {_short(last)}" if last is not None else _NO_LAUNCH
    here = raised_at(process.farewell) if process.raised else None
    remark = departure(as_rank(process))
    return Side((process.index,), call, here or (last.site if last else None), remark, True, process.farewell.strip())


def orphaned(coordinator: Process, others: Sequence[Process], case: Case, asked: Mapping[int, str]) -> Finding:
    """The finding that process 0 ended and JAX aborts the others. ``asked``: their stacks, as far as known."""
    sides = []
    for one in sorted(others, key=lambda process: process.index):
        remark = "does not respond any more" if is_remote(one) else "is aborted by JAX"
        shown = main_stack(one, asked.get(one.lane, ""))
        sides.append(replace(left_side(one, case), remark=remark, odd=False, text=shown))
    sides.append(left_side(coordinator, case))
    ranks = tuple(sorted({coordinator.index, *(one.index for one in others)}))
    way = departure(as_rank(coordinator))
    message = f"rank 0 ended ({way}), and with it JAX's coordinator; JAX therefore aborts all other ranks"
    remedy = "find out why rank 0 ended before the others; it must reach the end of the program together with them."
    return Finding("JS503", message, ranks, tuple(sides), remedy=remedy, when=case.sequences.taken)
