"""Files and folders that one rank alone can make, and the code that only this rank then runs.

``open(path, "x")`` and ``os.mkdir(path)`` succeed on one rank and raise an exception on the others. What the handler of
this exception does not lead to is run by one rank, as in a branch on the rank.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.exception_flow import takes
from jaxmpi_lint.library.python.process_exit import LEAVES_INTERPRETER

_FOLDERS_AND_LINKS = frozenset({"mkdir", "makedirs", "link", "symlink", "symlink_to", "hardlink_to"})
_OPENINGS = frozenset({"open", "File"})
_SUPPRESS = "suppress"
_MESSAGES = frozenset({"print", "debug", "info", "warning", "error", "log", "write"})


@dataclass(frozen=True, slots=True)
class Claim:
    """A call that makes a file which is not there yet, and the handlers that take the exception if it is."""

    function: ir.Function
    block: int
    span: ir.Span
    handlers: tuple[int, ...]

    def selects(self, block: int, span: ir.Span) -> bool:
        """Whether a place is reached where the call succeeds, and is not where it fails."""
        if block == self.block and span < self.span:
            return False
        if any(self._is_around(enter, span) for enter in suppressions(self.function, self.span)):
            return True
        if not self.handlers or block in _reached(self.function, self.handlers, self.block):
            return False
        return block == self.block or block in _reached(self.function, (self.block,), None)

    def _is_around(self, enter: ir.Enter, span: ir.Span) -> bool:
        return self.span[1] <= span[0] and span[1] <= enter.extent[1]


def claims(function: ir.Function) -> Iterator[Claim]:
    """The calls of a function that fail on all ranks but one, if it continues on those."""
    tries = [step for step in function.steps() if isinstance(step, ir.Try)]
    taking = {one.entry for step in tries for one in step.handlers if takes(one, "FileExistsError") is not False}
    for block in function.blocks:
        handlers = tuple(entry for entry in block.handlers if entry in taking)
        for call in _calls(block):
            if is_exclusive(call) and (handlers or any(suppressions(function, call.span))):
                yield Claim(function, block.index, call.span, handlers)


def is_for_one(function: ir.Function, block: int, span: ir.Span) -> bool:
    """Whether only a rank reaches a place that has made a file or a folder which the others could not make."""
    return any(claim.selects(block, span) for claim in claims(function))


def is_exclusive(call: ir.Call) -> bool:
    """Whether a call makes a file or a folder and raises an exception if it is there."""
    dotted = ir.dotted(call.func) or ""
    name = call.func.attr if isinstance(call.func, ir.Attribute) else dotted
    allowed = call.argument(None, "exist_ok")
    if name in _FOLDERS_AND_LINKS or name == "touch":
        is_refused = isinstance(allowed, ir.Constant) and not allowed.value
        return is_refused or (allowed is None and name != "touch")
    if dotted == "os.open":
        return any((ir.dotted(node) or "").endswith("O_EXCL") for node in ir.walk(call))
    if name not in _OPENINGS:
        return False
    of_path = isinstance(call.func, ir.Attribute) and call.argument(1) is None
    return any(_is_exclusive_mode(call.argument(at, "mode")) for at in ((0, 1) if of_path else (1,)))


def separates(function: ir.Function, span: ir.Span) -> bool:
    """Whether the rank for which a call succeeds then does more than the others, messages apart."""
    found = [claim for claim in claims(function) if claim.span == span]
    return any(
        claim.selects(block.index, place) for claim in found for block in function.blocks for place in _acts(block)
    )


def _acts(block: ir.Block) -> Iterator[ir.Span]:
    """The places in a block that do more than write a message."""
    for step in block.steps:
        if not isinstance(step, ir.Enter | ir.Leave) and not _is_message(step):
            yield step.span
    if isinstance(block.terminator, ir.Return | ir.Raise) and block.terminator.value is not None:
        yield block.terminator.span


def _is_message(step: ir.Step) -> bool:
    match step:
        case ir.Evaluate(expression=ir.Call(func=func)):
            return (ir.dotted(func) or "").rpartition(".")[2] in _MESSAGES
        case ir.Evaluate(expression=ir.Name() | ir.Attribute() | ir.Constant()):
            return True
    return False


def suppressions(function: ir.Function, span: ir.Span) -> Iterator[ir.Enter]:
    """The blocks of ``with suppress(...)`` around a position."""
    for step in function.steps():
        if isinstance(step, ir.Enter) and isinstance(step.context, ir.Call):
            is_inside = step.extent[0] <= span[0] and span[1] <= step.extent[1]
            if is_inside and (ir.dotted(step.context.func) or "").rpartition(".")[2] == _SUPPRESS:
                yield step


def is_caught(function: ir.Function, span: ir.Span) -> bool:
    """Whether a handler may catch the error of a call, or ``suppress``; after a ``finally`` alone it goes on."""
    for step in function.steps():
        match step:
            case ir.Try(body=body, handlers=handlers) if handlers and body[0] <= span[0] and span[1] <= body[1]:
                return True
    return any(suppressions(function, span))


def _is_exclusive_mode(given: ir.Expression | None) -> bool:
    mode = given.value if isinstance(given, ir.Constant) else None
    return isinstance(mode, str) and "x" in mode and set(mode) <= set("xbt+")


def _calls(block: ir.Block) -> Iterator[ir.Call]:
    for step in block.steps:
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
            yield step.expression


def _followers(block: ir.Block) -> tuple[int, ...]:
    if any(ir.dotted(call.func) in LEAVES_INTERPRETER for call in _calls(block)):
        return ()
    match block.terminator:
        case ir.Branch(kind="while", test=ir.Constant(value=value), when_true=inside) if value:
            return (inside,)
    return block.successors


def _reached(function: ir.Function, starts: tuple[int, ...], avoided: int | None) -> set[int]:
    """The blocks on paths from any of the given ones, those of handlers included."""
    seen, stack = set(starts), list(starts)
    while stack:
        block = function.blocks[stack.pop()]
        new = {*_followers(block), *block.handlers} - seen - {avoided}
        seen |= new
        stack += new
    return seen
