"""The skeleton of a compiled function: the operations that it executes for all data, in their order.

Read from the HLO text of the compiled program, after all transformations of XLA. Operations are chained there by a
token, so the order of the text is the order of execution. The skeleton ends at anything unknown: a communicating branch
or loop with an unknown trip count, or any other call of such a part of the program. If the program calls anything that
may communicate unseen, such as a callback into Python, nothing is known of it at all.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

LIMIT = 512  # operations; a loop may have very many

_HEAD = re.compile(r"(ENTRY )?%?([^\s(]+) .*\{$")
_OPCODE = re.compile(r" = .*?(?<=[\])}]) ([a-z][a-z\d-]*)\(")
_TARGET = re.compile(r'custom_call_target="([^"]*)"')
_CALLED = re.compile(
    r"\b(?:condition|body|to_apply|calls|true_computation|false_computation)=%?([^\s,{}]+)"
    r"|\b(?:branch_computations|called_computations)=\{([^}]*)\}"
)
_TRIPS = re.compile(r'"known_trip_count":\{"n":"(\d+)"')
_BODY = re.compile(r"\bbody=%?([^\s,{}]+)")
# Calls of XLA's own libraries, which do not use MPI.
_HARMLESS = re.compile(r"lapack_|ducc_fft|dynamic_ducc_fft|TopK$|Sharding$|__onednn\$|SPMD")
_HOST = frozenset({"send", "recv", "infeed", "outfeed"})  # in XLA: to and from the host


@dataclass(frozen=True, slots=True)
class _Step:
    """An instruction that communicates, or that calls parts of the program."""

    opcode: str
    operation: int | None
    called: tuple[str, ...]
    body: str | None
    trips: int | None
    foreign: bool


@dataclass(slots=True)
class _Program:
    parts: dict[str, list[_Step]] = field(default_factory=dict)
    entry: str = ""


def certain(text: str, attribute: str) -> tuple[int, ...]:
    """The operations that the program begins with for all data, by the number in ``attribute`` of each.

    At most LIMIT. ``text`` is the HLO text of a program for one device.
    """
    program = _read(text, re.compile(rf"\b{attribute} = (-?\d+)"))
    if program.entry not in program.parts or any(step.foreign for part in program.parts.values() for step in part):
        return ()

    @cache
    def communicates(part: str) -> bool:
        return any(
            step.operation is not None or any(map(communicates, step.called)) for step in program.parts.get(part, ())
        )

    def walk(part: str) -> Generator[int, None, bool]:
        """Yield the operations of a part; returns whether all of it is known."""
        for step in program.parts[part]:
            if step.operation is not None:
                yield step.operation
            elif any(map(communicates, step.called)) and not (yield from enter(step)):
                return False
        return True

    def enter(step: _Step) -> Generator[int, None, bool]:
        if step.opcode == "call" and len(step.called) == 1:
            return (yield from walk(step.called[0]))
        tested = any(communicates(part) for part in step.called if part != step.body)
        if step.opcode != "while" or step.body is None or step.trips is None or tested:
            return False
        for _ in range(step.trips):
            if not (yield from walk(step.body)):
                return False
        return True

    return tuple(islice(walk(program.entry), LIMIT))


def _read(text: str, number: re.Pattern[str]) -> _Program:
    program = _Program()
    steps: list[_Step] = []
    for line in text.splitlines():
        if line.startswith("  "):
            step = _step(line, number)
            if step is not None:
                steps.append(step)
        elif head := _HEAD.match(line):
            steps = program.parts[head[2]] = []
            program.entry = head[2] if head[1] else program.entry
    return program


def _step(line: str, number: re.Pattern[str]) -> _Step | None:
    found = _OPCODE.search(line)
    opcode = found[1] if found else ""
    if opcode == "custom-call":
        operation = number.search(line)
        target = _TARGET.search(line)
        known = operation is not None or (target is not None and _HARMLESS.match(target[1]) is not None)
        return _Step(opcode, int(operation[1]) % (1 << 64) if operation else None, (), None, None, not known)
    if opcode in _HOST:
        return _Step(opcode, None, (), None, None, True)
    called = tuple(name.strip().lstrip("%") for one, many in _CALLED.findall(line) for name in (one or many).split(","))
    if not called:
        return None
    body, trips = _BODY.search(line), _TRIPS.search(line)
    return _Step(opcode, None, called, body[1] if body else None, int(trips[1]) if trips else None, False)
