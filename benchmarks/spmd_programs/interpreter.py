"""Interpreter of the ranks of a program: the reference for the linter.

Ranks advance until they wait in a collective. A communicator whose processes all wait in it continues if they call the
same operation with the same root; a job in which no rank can continue while some wait has diverged.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field

from spmd_programs.syntax import (
    WORLD,
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Collective,
    Constant,
    Continue,
    Duplicate,
    Expression,
    For,
    If,
    Input,
    Name,
    Not,
    Present,
    Print,
    Program,
    Raise,
    Rank,
    Return,
    Size,
    Split,
    Statement,
    Try,
    While,
)

SIZES = (2, 3, 4)
VALUES = (0, 1, 2)
_STEPS = 300
_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "%": lambda a, b: a % b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class Invalid(Exception):
    """The program does not end, or reads an unbound name."""


class _Raised(Exception):
    """The exception of ``Raise``."""


@dataclass(frozen=True, slots=True, eq=False)
class Communicator:
    """A communicator; two are the same only if they are one object."""

    members: tuple[int, ...]


Object = int | None | Communicator | list[int]
Frame = dict[str, Object]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A rank in a collective: ``key`` must agree."""

    communicator: Communicator
    key: tuple[str, int | None, str | None]
    value: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """One way to start the program."""

    size: int
    inputs: dict[str, int]


@dataclass(slots=True)
class Truth:
    """``diverging`` is a job that does not end properly, None if there is none; ``reached`` are the executed
    statements.
    """

    diverging: Job | None = None
    reached: set[Statement] = field(default_factory=set)


def jobs(program: Program) -> Iterator[Job]:
    """Every way to start the program."""
    names = sorted({e.name for e in program.expressions() if isinstance(e, Input)})
    for size in SIZES:
        for values in itertools.product(VALUES, repeat=len(names)):
            yield Job(size, dict(zip(names, values, strict=True)))


def truth(program: Program) -> Truth:
    """Whether the ranks agree in every job; Invalid if one of them does not end."""
    found = Truth()
    for job in jobs(program):
        if not agrees(program, job, found.reached):
            found.diverging = job
            break
    return found


def agrees(program: Program, job: Job, reached: set[Statement] | None = None) -> bool:
    """Whether all ranks complete one job."""
    world = Communicator(tuple(range(job.size)))
    processes = [_Process(program, job, rank, set() if reached is None else reached) for rank in world.members]
    ranks = [process.run(world) for process in processes]
    waiting: dict[int, Waiting] = {}
    for rank in world.members:
        _advance(ranks, rank, None, waiting)
    while waiting:
        ready = next((w.communicator for w in waiting.values() if _complete(w.communicator, waiting)), None)
        if ready is None or len({waiting[rank].key for rank in ready.members}) > 1:
            return False
        results = _results(ready, [waiting.pop(rank) for rank in ready.members])
        for rank, result in zip(ready.members, results, strict=True):
            _advance(ranks, rank, result, waiting)
    return True


Running = Generator[Waiting, Object, None]


def _advance(ranks: list[Running], rank: int, result: Object, waiting: dict[int, Waiting]) -> None:
    try:
        waiting[rank] = ranks[rank].send(result)
    except (StopIteration, _Raised):
        return


def _complete(communicator: Communicator, waiting: dict[int, Waiting]) -> bool:
    return all(rank in waiting and waiting[rank].communicator is communicator for rank in communicator.members)


def _results(communicator: Communicator, calls: list[Waiting]) -> list[Object]:
    operation, root, reduction = calls[0].key
    values = [call.value for call in calls]
    everybody = range(len(calls))
    total = max(values) if reduction == "MAX" else sum(values)
    match operation:
        case "bcast":
            assert root is not None
            return [values[root] for _ in everybody]
        case "allreduce":
            return [total for _ in everybody]
        case "reduce":
            return [total if rank == root else None for rank in everybody]
        case "gather":
            return [values if rank == root else None for rank in everybody]
        case "allgather":
            return [values for _ in everybody]
        case "scatter":
            return list(everybody)
        case "Dup":
            new = Communicator(communicator.members)
            return [new for _ in everybody]
        case "Split":
            by_colour = {
                colour: Communicator(tuple(m for m, v in zip(communicator.members, values, strict=True) if v == colour))
                for colour in set(values)
            }
            return [by_colour[value] for value in values]
    return [None for _ in everybody]


@dataclass(slots=True)
class _Process:
    """One rank."""

    program: Program
    job: Job
    rank: int
    reached: set[Statement]
    steps: int = 0

    def run(self, world: Communicator) -> Running:
        yield from self._body(self.program.main, {WORLD: world})

    def _body(self, body: Block, frame: Frame) -> Running:
        """A whole function: there is no loop around it to break out of."""
        left = yield from self._block(body, frame)
        if isinstance(left, Break | Continue):
            raise Invalid

    def _block(self, block: Block, frame: Frame) -> Generator[Waiting, Object, Statement | None]:
        """Run statements; the Return, Break or Continue that ended them, if one did."""
        for statement in block:
            self.steps += 1
            if self.steps > _STEPS:
                raise Invalid
            self.reached.add(statement)
            left = yield from self._statement(statement, frame)
            if left is not None:
                return left
        return None

    def _statement(self, statement: Statement, frame: Frame) -> Generator[Waiting, Object, Statement | None]:
        match statement:
            case Assign(target=target, value=value):
                frame[target] = self._number(value, frame)
            case Collective() | Duplicate() | Split():
                result = yield self._wait(statement, frame)
                if statement.target is not None:
                    frame[statement.target] = result
            case Call():
                yield from self._call(statement, frame)
            case If(test=test, body=body, orelse=orelse):
                return (yield from self._block(body if self._number(test, frame) else orelse, frame))
            case For() | While():
                return (yield from self._loop(statement, frame))
            case Try(body=body, handler=handler):
                try:
                    return (yield from self._block(body, frame))
                except _Raised:
                    return (yield from self._block(handler, frame))
            case Raise():
                raise _Raised
            case Return(value=value):
                if value is not None:
                    frame["return"] = self._number(value, frame)
                return statement
            case Break() | Continue():
                return statement
            case Print():
                pass
        return None

    def _loop(self, loop: For | While, frame: Frame) -> Generator[Waiting, Object, Statement | None]:
        passes = iter(range(self._number(loop.count, frame))) if isinstance(loop, For) else itertools.count()
        for number in passes:
            self.steps += 1
            if self.steps > _STEPS:
                raise Invalid
            if isinstance(loop, For):
                frame[loop.target] = number
            elif loop.test is not None and not self._number(loop.test, frame):
                break
            left = yield from self._block(loop.body, frame)
            if isinstance(left, Break):
                break
            if isinstance(left, Return):
                return left
        return None

    def _call(self, call: Call, frame: Frame) -> Generator[Waiting, Object, None]:
        function = self.program.function(call.function)
        if function is None:
            raise Invalid
        inner: Frame = {
            WORLD: self._communicator(call.communicator, frame),
            "flag": self._number(call.argument, frame),
        }
        yield from self._body(function.body, inner)
        if call.target is not None:
            frame[call.target] = inner.get("return")

    def _wait(self, call: Collective | Duplicate | Split, frame: Frame) -> Waiting:
        communicator = self._communicator(call.communicator, frame)
        match call:
            case Duplicate():
                return Waiting(communicator, ("Dup", None, None))
            case Split(colour=colour):
                return Waiting(communicator, ("Split", None, None), self._number(colour, frame))
            case Collective(operation=operation, reduction=reduction):
                root = self._number(call.root, frame) if call.root is not None else None
                if root is not None and not 0 <= root < len(communicator.members):
                    raise Invalid
                value = self._number(call.value, frame) if call.value is not None else 0
                return Waiting(communicator, (operation, root, reduction), value)

    def _communicator(self, name: str, frame: Frame) -> Communicator:
        found = frame.get(name)
        if not isinstance(found, Communicator):
            raise Invalid
        return found

    def _number(self, expression: Expression, frame: Frame) -> int:
        match expression:
            case Constant(value=value):
                return value
            case Input(name=name):
                return self.job.inputs[name]
            case Rank(communicator=communicator):
                return self._communicator(communicator, frame).members.index(self.rank)
            case Size(communicator=communicator):
                return len(self._communicator(communicator, frame).members)
            case Name(name=name):
                found = frame.get(name)
                if not isinstance(found, int):
                    raise Invalid
                return found
            case Present(name=name):
                if name not in frame:
                    raise Invalid
                return frame[name] is not None
            case Not(operand=operand):
                return not self._number(operand, frame)
            case Binary(operator="and", left=left, right=right):
                return self._number(left, frame) and self._number(right, frame)
            case Binary(operator="or", left=left, right=right):
                return self._number(left, frame) or self._number(right, frame)
            case Binary(operator=operator, left=left, right=right):
                return _ARITHMETIC[operator](self._number(left, frame), self._number(right, frame))
