"""Uses of files in one function: which call does what with which path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.exclusive_files import is_caught, is_exclusive
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Container, Literal, Named, ResultOf
from jaxmpi_lint.library.python.file_operations import (
    ALLOWS_CHANGES,
    CREATES_CONTENTS,
    DISTINCT_PATH_METHODS,
    MAKES_PARENTS,
    OPENINGS,
    OPERATIONS,
    PARALLEL,
    PARENTS,
    PATH_METHODS,
    SELF,
    STORING,
    TOLERANT,
    TOLERANT_BY_DEFAULT,
    Effect,
    FileOperation,
    Opening,
    effect_of_mode,
)
from jaxmpi_lint.library.python.files import PATH

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_PATH_OPENING = Opening((SELF, ""), (0, "mode"))
_OPENS = re.compile(r"(?:File|Dataset|[oO]pen|Database|Group)$")
_COMMUNICATORS = re.compile(r"(?:^|[._])(?:mpi_?)?comm(?:_world|unicator)?$|COMM_WORLD$")


@dataclass(frozen=True, slots=True, eq=False)
class FileUse:
    """What a call does with a path.

    ``tolerant``: it accepts that another rank was faster, by a keyword or by a handler that may catch the error.
    ``together``: the ranks of a communicator open the file as one. ``is_end``: the call closes a file that is written.
    ``with_parents``: it makes a folder, and those above it that are missing. ``exclusive``: it fails if the path exists
    already.
    """

    function: Function
    block: int
    call: ir.Call
    effect: Effect
    path: ir.Expression
    name: str
    tolerant: bool = False
    together: bool = False
    suffix: str = ""
    is_end: bool = False
    with_parents: bool = False
    exclusive: bool = False


class FileUses:
    """The uses in one function, in the order of their calls."""

    def __init__(self, function: Function) -> None:
        self._function = function

    @cached_property
    def found(self) -> tuple[FileUse, ...]:
        """All uses."""
        seen: set[ir.Span] = set()
        uses: list[FileUse] = []
        for block, bound in self._function.calls_by_block:
            if bound.call.span not in seen and not self._is_handler(bound.call.span):
                seen.add(bound.call.span)
                uses.extend(self._of(block, bound))
        return (*uses, *self._ends(uses))

    def _ends(self, uses: list[FileUse]) -> Iterator[FileUse]:
        """The calls that close files: what is written may be missing before."""
        written = {use.call.span: use for use in uses if use.effect is Effect.WRITES and not use.together}
        for block, bound in self._function.calls_by_block if written else ():
            match bound.call.func:
                case ir.Attribute(value=ir.Name(id=name), attr="close"):
                    for span in self._function.assignments.get(name, {}).values():
                        if span.span in written:
                            use = written[span.span]
                            yield replace(use, block=block, call=bound.call, is_end=True)

    def _of(self, block: int, bound: BoundCall) -> Iterator[FileUse]:
        name = (bound.dotted or ir.dotted(bound.call.func) or _last_name(bound.call)).removeprefix("builtins.")
        together = self._is_parallel(block, bound.call)
        if together and _OPENS.search(name) and (path := _path_of_several(bound.call)) is not None:
            yield FileUse(self._function, block, bound.call, Effect.WRITES, path, name, together=True)
        if together or bound.call.has_star:
            return
        tolerant = self._is_tolerant(bound.call, name)
        for operation in self._operations(block, bound, name):
            path = _operand(bound.call, operation)
            if path is not None and not self._is_open_file(block, path):
                yield FileUse(
                    self._function,
                    block,
                    bound.call,
                    operation.effect,
                    path,
                    name,
                    tolerant,
                    suffix=operation.suffix,
                    with_parents=_makes_parents(bound.call),
                    exclusive=is_exclusive(bound.call),
                )

    def _operations(self, block: int, bound: BoundCall, name: str) -> tuple[FileOperation, ...]:
        opening = OPENINGS.get(name) or OPENINGS.get(f"builtins.{name}")
        if opening is None and _is_method(bound, "open") and self._is_path(block, bound.call):
            opening = _PATH_OPENING
        if opening is not None:
            return self._opened(block, bound.call, name, opening)
        if name in OPERATIONS:
            return OPERATIONS[name]
        return self._of_method(block, bound) if isinstance(bound.call.func, ir.Attribute) else ()

    def _of_method(self, block: int, bound: BoundCall) -> tuple[FileOperation, ...]:
        """What a method of a path, a table or a figure does; the classes of the project have their own methods."""
        if bound.callee.entity is not None or not isinstance(bound.call.func, ir.Attribute):
            return ()
        name = bound.call.func.attr
        if name in DISTINCT_PATH_METHODS or (name in PATH_METHODS and self._is_path(block, bound.call)):
            return PATH_METHODS[name]
        return STORING.get(name, ())

    def _is_path(self, block: int, call: ir.Call) -> bool:
        if not isinstance(call.func, ir.Attribute):
            return False
        value = self._function.value(call.func.value, self._function.flow.environment_before(block, None))
        return isinstance(value.entity, ResultOf) and value.entity.operation == PATH

    def _is_open_file(self, block: int, path: ir.Expression) -> bool:
        """Whether an argument is a file that is open already, or the null device."""
        if isinstance(path, ir.Name):
            values = self._function.assignments.get(path.id, {}).values()
            if any(isinstance(value, ir.Entered) for value in values):
                return True
        entity = self._function.value(path, self._function.flow.environment_before(block, None)).entity
        return isinstance(entity, Container) or entity in (Named("os.devnull"), Literal.of("/dev/null"))

    def _opened(self, block: int, call: ir.Call, name: str, opening: Opening) -> tuple[FileOperation, ...]:
        mode = self._mode(block, call, opening)
        if mode is None:
            return ()
        effect = effect_of_mode(mode)
        if name in ALLOWS_CHANGES and (effect is Effect.APPENDS or self._creates_contents(call)):
            effect = Effect.WRITES
        return (FileOperation(effect, *opening.path),)

    def _mode(self, block: int, call: ir.Call, opening: Opening) -> str | None:
        given = call.argument(*opening.mode)
        if given is None:
            return opening.default
        entity = self._function.value(given, self._function.flow.environment_before(block, None)).entity
        return entity.value if isinstance(entity, Literal) and isinstance(entity.value, str) else None

    def _creates_contents(self, call: ir.Call) -> bool:
        """Whether groups or data sets are created in the file: older releases of h5py open it for that by default."""
        if call.argument(1, "mode") is not None:
            return False
        names = {
            name
            for name, values in self._function.assignments.items()
            if any(value.span == call.span for value in values.values())
        }
        return any(CREATES_CONTENTS & self._function.methods_called.get(name, set()) for name in names)

    def _is_parallel(self, block: int, call: ir.Call) -> bool:
        if any(argument.keyword in PARALLEL or _is_driver(argument.value) for argument in call.args):
            return True
        env = self._function.flow.environment_before(block, None)
        return any(
            _is_communicator(self._function.value(argument.value, env).entity)
            or _COMMUNICATORS.search(ir.dotted(argument.value) or "")
            for argument in call.args
        )

    def _is_tolerant(self, call: ir.Call, name: str) -> bool:
        if name in TOLERANT_BY_DEFAULT or _last_name(call) in TOLERANT_BY_DEFAULT:
            return True
        if any(argument.keyword in TOLERANT and not _is_false(argument.value) for argument in call.args):
            return True
        return is_caught(self._function.ir, call.span)

    def _is_handler(self, span: ir.Span) -> bool:
        """Whether a call is part of an `except`, which only the ranks with the error execute."""
        tries = (step for step in self._function.ir.steps() if isinstance(step, ir.Try))
        handlers = (handler.span for step in tries for handler in step.handlers)
        return any(one[0] <= span[0] and span[1] <= one[1] for one in handlers)


def _is_communicator(entity: object) -> bool:
    return isinstance(entity, Communicator) and not entity.is_self


def _operand(call: ir.Call, operation: FileOperation) -> ir.Expression | None:
    if operation.position == SELF:
        return call.func.value if isinstance(call.func, ir.Attribute) else None
    return call.argument(operation.position, operation.keyword or None)


def _path_of_several(call: ir.Call) -> ir.Expression | None:
    """The path of a file that is opened on a communicator: the first argument that may be a name."""
    positional = [argument.value for argument in call.args if argument.keyword is None and not argument.star]
    found = [one for one in positional if not (isinstance(one, ir.Constant) and not isinstance(one.value, str))]
    return next((one for one in found if "comm" not in (ir.dotted(one) or "").lower()), None)


def _last_name(call: ir.Call) -> str:
    return call.func.attr if isinstance(call.func, ir.Attribute) else ir.dotted(call.func) or ""


def _makes_parents(call: ir.Call) -> bool:
    """Whether a call makes the folders above its own, whichever of them exist."""
    given = call.argument(None, PARENTS)
    return _last_name(call) in MAKES_PARENTS or (given is not None and not _is_false(given))


def _is_method(bound: BoundCall, name: str) -> bool:
    return bound.callee.entity is None and isinstance(bound.call.func, ir.Attribute) and bound.call.func.attr == name


def _is_driver(value: ir.Expression) -> bool:
    return isinstance(value, ir.Constant) and value.value == "mpio"


def _is_false(value: ir.Expression) -> bool:
    return isinstance(value, ir.Constant) and value.value is False
