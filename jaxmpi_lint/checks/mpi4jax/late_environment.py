"""Environment variables that a program sets after they have been read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Compiled, Literal, ModuleReference, Named
from jaxmpi_lint.analysis.uniformity.communicator_usage import CommunicatorUses, call_of
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.python.environment import (
    AT_FIRST_OPERATION,
    AT_IMPORT_OF_JAX,
    AT_IMPORT_OF_MPI4JAX,
    AT_START_OF_BACKEND,
    CHANGES_ENVIRONMENT,
    ENVIRON,
    IMPORTS_JAX,
    OF_DEVICES,
    UPDATES_ENVIRONMENT,
    USES_DEVICES,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module

# Each pattern starts with a literal, so that the regular expression engine finds candidates fast.
_FOR_OTHER_PROCESSES = tuple(
    re.compile(pattern)
    for pattern in (
        *(rf"{word}(?<!\w{word})\b" for word in ("subprocess", "multiprocessing", "Popen", r"importlib\.reload")),
        r"os\.(?<!\wos\.)(?:exec|spawn|system|posix_spawn|fork)",
        *(r"env(?<!\wenv)\s*=", "ProcessPoolExecutor", r"environ\.copy\(", r"dict\(os\.environ"),
    )
)
_CALLS = CHANGES_ENVIRONMENT | {UPDATES_ENVIRONMENT}


class Moment(StrEnum):
    """An event that has happened on every path."""

    JAX = "jax was imported"
    MPI4JAX = "mpi4jax was imported"
    BACKEND = "the backend of JAX was started"
    OPERATION = "the first operation of mpi4jax was compiled"


@dataclass(frozen=True, slots=True)
class LateSetting:
    """A variable that is set after it was read; ``reader`` is the statement that read it."""

    name: str
    span: ir.Span
    moment: Moment
    reader: ir.Span
    function: Function

    @property
    def kind(self) -> str:
        """The moment, by its name."""
        return self.moment.name

    @property
    def option(self) -> str:
        """The option of JAX that the variable sets."""
        return self.name.lower()

    @property
    def place(self) -> Place:
        """The setting."""
        return Place(self.function.module, self.span)

    @property
    def confidence(self) -> Confidence:
        """High: every path to the assignment contains the reader."""
        return Confidence.HIGH

    def steps(self) -> Iterator[Step]:
        """The statement that read the variable."""
        yield Step(self.function.module, self.reader, f"{self.moment} here")


_State = dict[Moment, ir.Span]


def moment_of(name: str) -> Moment | None:
    """When a variable is read; None for one that is read repeatedly, or never."""
    for names, moment in (
        (AT_IMPORT_OF_JAX, Moment.JAX),
        (AT_IMPORT_OF_MPI4JAX, Moment.MPI4JAX),
        (AT_FIRST_OPERATION, Moment.OPERATION),
        (AT_START_OF_BACKEND, Moment.BACKEND),
    ):
        if name in names:
            return moment
    return None


def late_settings(module: Module) -> list[LateSetting]:
    """The assignments in one file that are too late; none in a file that prepares subprocesses."""
    if "environ" not in module.ir.text and "putenv" not in module.ir.text:
        return []
    if any(pattern.search(module.ir.text) for pattern in _FOR_OTHER_PROCESSES):
        return []
    setting = [function for function in module.functions() if any(_names_set(function))]
    if not setting:
        return []
    body = _Timeline(module.body, {})
    found = list(body.settings())
    for function in setting:
        if function.ir.kind in ("function", "method"):
            found += _Timeline(function, body.before(function)).settings()
    for_others = OF_DEVICES if _brings_other_readers(module) else frozenset()
    found = [late for late in found if late.name not in for_others]
    body_sets = set(_settings_with_values(module))
    return [
        late
        for late in found
        if not (_is_undone(late) or _is_configured(module.ir, late.name) or _is_repeated(late, body_sets))
    ]


def _settings_with_values(module: Module) -> Iterator[tuple[str, str, ir.Span]]:
    """The variables that the body of a file sets, with the texts of their values."""
    for step in module.ir.body.steps():
        if isinstance(step, ir.Assign) and step.value is not None:
            text = module.ir.source(step.value.span)
            yield from ((name, text, span) for name, span in _set_by(module.body, step))


def _is_repeated(late: LateSetting, settings: set[tuple[str, str, ir.Span]]) -> bool:
    """Whether the variable got the same value before it was read."""
    own = {text for name, text, span in settings if (name, span) == (late.name, late.span)}
    return any(name == late.name and text in own and span[1] <= late.reader[0] for name, text, span in settings)


def _brings_other_readers(module: Module) -> bool:
    """Whether the file imports a different library that reads the visible devices from the environment."""
    return any(
        isinstance(step, ir.Import) and any(name.target.partition(".")[0] in USES_DEVICES for name in step.names)
        for function in module.ir.functions.values()
        for step in function.steps()
    )


def _names_set(function: Function) -> Iterator[str]:
    stores = any(isinstance(target, ir.Subscript) for target in function.places_stored)
    if not stores and function.library_names.isdisjoint(_CALLS):
        return
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is not None:
            yield from (name for step in block.steps for name, _ in _set_by(function, step))


def _is_undone(late: LateSetting) -> bool:
    """Whether the function removes the variable again: it is meant for the code in between."""
    text = late.function.module.source(late.function.ir.span)
    return bool(re.search(rf"(?:del\s+os\.environ\[|environ\.pop\()\s*['\"]{late.name}['\"]", text))


def _is_configured(module: ir.Module, name: str) -> bool:
    """Whether the file also sets the option where it still has an effect: ``jax.config.update``."""
    return bool(re.search(rf"config\.update\(\s*['\"]{name.lower()}['\"]", module.text))


def _set_by(function: Function, step: ir.Step) -> Iterator[tuple[str, ir.Span]]:
    """The environment variables that a step sets."""
    match step:
        case ir.Assign(targets=targets, span=span):
            for target in targets:
                if isinstance(target, ir.Subscript) and _is_environment(function, target.value):
                    yield from ((name, span) for name in _text(function, target.index))
        case ir.AugmentedAssign(target=ir.Subscript(value=place, index=index), span=span):
            if _is_environment(function, place):
                yield from ((name, span) for name in _text(function, index))
        case ir.Evaluate(expression=ir.Call(args=args, span=span) as call):
            bound = function.bound(call)
            dotted = bound.dotted if bound is not None else None
            if dotted in CHANGES_ENVIRONMENT and args:
                yield from ((name, span) for name in _text(function, args[0].value))
            elif dotted == UPDATES_ENVIRONMENT:
                yield from ((arg.keyword, span) for arg in args if arg.keyword is not None)
                for arg in args:
                    if isinstance(arg.value, ir.Dictionary):
                        for key in arg.value.keys:
                            yield from ((name, span) for name in _text(function, key))


def _is_environment(function: Function, expression: ir.Expression) -> bool:
    return function.value(expression, function.flow.exit).entity == Named(ENVIRON)


def _text(function: Function, expression: ir.Expression | None) -> Iterator[str]:
    entity = function.value(expression, function.flow.exit).entity if expression is not None else None
    if isinstance(entity, Literal) and isinstance(entity.value, str):
        yield entity.value


class _Timeline:
    """Must-analysis of one function: the events on every path to each place."""

    def __init__(self, function: Function, start: _State) -> None:
        self.function = function
        self.uses = function.project.get(CommunicatorUses)
        self._entries: dict[int, _State] = {0: start}
        self._at_definition: dict[str, _State] = {}
        pending = [0]
        while pending:
            index = pending.pop(0)
            entry = self._entries[index]
            state = dict(entry)
            for _ in self._pass(index, state):
                pass
            block = function.ir.blocks[index]
            for target, arriving in [(t, state) for t in block.successors] + [(h, entry) for h in block.handlers]:
                known = self._entries.get(target)
                joined = dict(arriving) if known is None else {m: s for m, s in known.items() if m in arriving}
                if joined != known:
                    self._entries[target] = joined
                    pending.append(target)

    def settings(self) -> Iterator[LateSetting]:
        """The late assignments, in block order, each once."""
        seen: set[tuple[str, ir.Span]] = set()
        for index, entry in sorted(self._entries.items()):
            for late in self._pass(index, dict(entry)):
                if (late.name, late.span) not in seen:
                    seen.add((late.name, late.span))
                    yield late

    def before(self, function: Function) -> _State:
        """The events before a function (or its class) was defined, hence before any call of it."""
        return dict(self._at_definition.get(function.ir.qualname.partition(".")[0], {}))

    def _pass(self, index: int, state: _State) -> Iterator[LateSetting]:
        function = self.function
        if function.flow.entries[index] is None:
            return
        for step in function.ir.blocks[index].steps:
            for name, span in _set_by(function, step):
                moment = moment_of(name)
                if moment is not None and moment in state:
                    yield LateSetting(name, span, moment, state[moment], function)
            if isinstance(step, ir.Import):
                for moment in _imported(function, step):
                    state.setdefault(moment, step.span)
            elif isinstance(step, ir.Define):
                self._at_definition[step.name] = dict(state)
            else:
                for moment, span in self._happens(step):
                    state.setdefault(moment, span)

    def _happens(self, step: ir.Step) -> Iterator[tuple[Moment, ir.Span]]:
        bound = call_of(self.function, step)
        if bound is None:
            return
        span = bound.call.span
        operates = bound.operation is not None and bound.operation.library == "mpi4jax" and bound.operation.communicates
        compiled = bound.callee.entity
        if isinstance(compiled, Compiled):
            target = self.function.project.function(compiled.function.path, compiled.function.qualname)
            yield Moment.BACKEND, span
            if target is not None:
                operates = any(use.operation.library == "mpi4jax" for use in self.uses.of_function(target))
        if operates:
            yield from ((Moment.BACKEND, span), (Moment.OPERATION, span))
        elif self.function.project.catalogue.starts_backend(bound.dotted or ""):
            yield Moment.BACKEND, span


def _imported(function: Function, step: ir.Import) -> Iterator[Moment]:
    for name in step.names:
        root = name.target.partition(".")[0]
        if root in IMPORTS_JAX or _brings_jax(function, name.target):
            yield Moment.JAX
        if root == "mpi4jax":
            yield Moment.MPI4JAX


def _brings_jax(function: Function, target: str) -> bool:
    """Whether an imported module of the project itself imports JAX at module level."""
    entity = function.project.imported(function.module, target).entity
    if not isinstance(entity, ModuleReference):
        return False
    model = function.project.module(entity.path)
    if model is None or model is function.module_model:
        return False
    return any(
        isinstance(step, ir.Import) and any(n.target.partition(".")[0] in IMPORTS_JAX for n in step.names)
        for step in model.ir.body.blocks[0].steps
    )


def earlier(late: LateSetting) -> Repair | None:
    """The fix: set the variable in time."""
    edits = _earlier_edits(late.function.module_model, late)
    return Repair(Applicability.UNSAFE, "set it before the import", edits) if edits else None


def _earlier_edits(module: Module, late: LateSetting) -> tuple[tuple[ir.Span, str], ...]:
    """Move a constant assignment of the module body before the first import that loads JAX."""
    from jaxmpi_lint.rewrite.source_edits import alone_on_line, indentation, line_ending, with_comment, without_row

    ending, body = line_ending(module.ir), module.body
    imports = [step for step in body.ir.steps() if isinstance(step, ir.Import)]
    first = next((step for step in imports if any(True for _ in _imported(body, step))), None)
    step = next((s for s in body.ir.steps() if isinstance(s, (ir.Assign, ir.Discard)) and s.span == late.span), None)
    constant = isinstance(step, ir.Assign) and isinstance(step.value, ir.Constant)
    if late.function is not body or first is None or not constant or not alone_on_line(module.ir, first.span):
        return ()
    if not alone_on_line(module.ir, late.span) or any(indentation(module.ir, s) for s in (first.span, late.span)):
        return ()
    text = module.ir.source(with_comment(module.ir, late.span)).rstrip()
    if not text.startswith("os."):
        return ()
    known = any(name.bound == "os" for other in imports if other.span[0] < first.span[0] for name in other.names)
    lead = "" if known else f"import os{ending}"
    start = first.span[0]
    return ((start, start), f"{lead}{text}{ending}"), without_row(module.ir, late.span)
