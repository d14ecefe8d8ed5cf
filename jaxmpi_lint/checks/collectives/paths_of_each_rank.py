"""Paths with a value that each rank makes for itself, in calls of one function that use them as shared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps, steps_with
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.conditions.division import divides
from jaxmpi_lint.analysis.conditions.rooted_calls import blocking_name
from jaxmpi_lint.analysis.nondeterminism.process_paths import made_by_each_process
from jaxmpi_lint.analysis.participation.spmd_code import is_for_some
from jaxmpi_lint.checks.base import reason_steps
from jaxmpi_lint.checks.collectives.file_paths import FilePaths, Parts
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Source
from jaxmpi_lint.library.python.file_operations import OPENINGS, OPERATIONS, TOGETHER, Effect, effect_of_mode
from jaxmpi_lint.library.python.process_values import FOLDERS_OF_TESTS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module
    from jaxmpi_lint.analysis.lattice.lattice import Uniformity

_OPENS = {**OPENINGS, **TOGETHER}
_KEEPS = re.compile(
    r"open|print|str|repr|len|(?:pathlib\.)?Path|os\.path\..*|os\.fspath|logging\..*|.*\.(?:info|debug)"
)
_USES = frozenset({Effect.READS, Effect.LISTS})


@dataclass(frozen=True, slots=True)
class PathOfEachRank:
    """A call that uses a file, the value in its path that differs, and the call of one rank that makes the file."""

    function: Function
    call: ir.Call
    uniformity: Uniformity
    maker: ir.Call | None = None

    @property
    def kind(self) -> str:
        """How the path is used as one, and whether it differs by the clock."""
        use = "opened" if self.maker is None else "made"
        return f"{use} by clock" if self.uniformity.source is Source.CLOCK else use

    @property
    def place(self) -> Place:
        """The call that uses it."""
        return Place(self.function.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """Medium for the clock: two ranks may read the same time."""
        return Confidence.MEDIUM if self.uniformity.source is Source.CLOCK else Confidence.HIGH

    def steps(self) -> Iterator[Step]:
        """The value, the call that makes the file, the call that uses it."""
        yield from reason_steps(self.uniformity.reason)
        if self.maker is not None:
            yield Step(self.function.module, self.maker.span, "only some ranks make the file here")
        yield Step(self.function.module, self.call.span, "all ranks use it here, each under its own path")


def functions(module: Module) -> tuple[Function, ...]:
    """The functions of a file that names a source of such values."""
    names = ("tempfile", "uuid", "getpid", "secrets", "random", "time", *FOLDERS_OF_TESTS)
    return tuple(module.functions()) if any(name in module.ir.text for name in names) else ()


def paths_of_each_rank(function: Function) -> Iterator[PathOfEachRank]:
    """The calls of a function that use such a path."""
    yield from _opened_together(function)
    yield from _made_by_some(function)


def _opened_together(function: Function) -> Iterator[PathOfEachRank]:
    """Files that the ranks of a communicator open together."""
    for _, bound, env in operation_steps(function, lambda bound: bound.dotted in _OPENS):
        path = bound.call.argument(*_OPENS[bound.dotted or ""].path)
        communicator = bound.communicator
        if path is None or communicator is None or not communicator.groups:
            continue
        content = made_by_each_process(function, path, env)
        if content is None or not divides(function, content, communicator) or _may_be_broadcast(function, content):
            continue
        yield PathOfEachRank(function, bound.call, content)


def _may_be_broadcast(function: Function, content: Uniformity) -> bool:
    """Whether the function that makes the value broadcasts it later, if only under a test."""
    reason = content.reason.chain()[0] if content.reason is not None else None
    model = function.project.module(reason.module.path) if reason is not None else None
    if reason is None or model is None:
        return False
    for other in model.with_operations:
        start, end = other.ir.span
        if start <= reason.span[0] and reason.span[1] <= end and other.ir.kind != "module":
            steps = [step for step in other.ir.steps() if ir.contains(step.span, reason.span)]
            names = {name for step in steps for name in names_bound(step)}
            return any(_broadcasts(call, names) for call in other.operation_calls)
    return False


def _broadcasts(bound: BoundCall, names: set[str]) -> bool:
    if bound.operation is None or blocking_name(bound.operation).lower() != "bcast":
        return False
    return any(isinstance(one.value, ir.Name) and one.value.id in names for one in bound.call.args)


def _made_by_some(function: Function) -> Iterator[PathOfEachRank]:
    """Files that some ranks make, and that all ranks read or list."""
    paths = FilePaths(function)
    calls = function.calls_by_block
    used = [bound for block, bound in calls if _used(bound) is not None and not is_for_some(function, block)]
    for _, bound, env in steps_with(function, used):
        path = _used(bound)
        content = made_by_each_process(function, path, env) if path is not None else None
        if path is None or content is None:
            continue
        parts = paths.parts(path)
        makers = [(index, other) for index, other in calls if paths.is_made(parts, other)]
        others = [other for index, other in calls if (index, other) not in makers]
        is_of_some = bool(makers) and all(is_for_some(function, index) for index, _ in makers)
        if is_of_some and not any(_may_fill(paths, parts, other) for other in others):
            yield PathOfEachRank(function, bound.call, content, makers[0][1].call)


def _may_fill(paths: FilePaths, path: Parts, bound: BoundCall) -> bool:
    """Whether a call gets the path, or a folder of it, and is not known to leave it as it is."""
    name = (bound.dotted or ir.dotted(bound.call.func) or "").removeprefix("builtins.")
    if name in OPERATIONS or name in OPENINGS or _KEEPS.fullmatch(name) or bound.operations:
        return False
    given = (paths.parts(argument.value) for argument in bound.call.args)
    return any(path[: len(one)] == one for one in given)


def _used(bound: BoundCall) -> ir.Expression | None:
    """The path of a file or folder that a call reads or lists."""
    name = (bound.dotted or "").removeprefix("builtins.")
    opening = OPENINGS.get(name) or OPENINGS.get(f"builtins.{name}")
    if opening is not None:
        mode = bound.call.argument(*opening.mode)
        text = mode.value if isinstance(mode, ir.Constant) else opening.default if mode is None else None
        is_read = isinstance(text, str) and effect_of_mode(text) is Effect.READS
        return bound.call.argument(*opening.path) if is_read else None
    operation = next((one for one in OPERATIONS.get(name, ()) if one.effect in _USES), None)
    return bound.call.argument(operation.position, operation.keyword or None) if operation is not None else None
