"""Options of JAX and XLA that change compiled programs, and the processes on which they are set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.conditions.guards import exclude_each_other, guards
from jaxmpi_lint.analysis.jax.global_arrays import has_several_processes
from jaxmpi_lint.analysis.lattice.lattice import Literal, Named, Uniformity
from jaxmpi_lint.analysis.lattice.limits import OPTION_CALLERS
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.checks.base import confidence_of, reason_steps
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.environment import (
    CHANGES_ENVIRONMENT,
    CONFIG,
    ENVIRON,
    OF_DTYPES,
    OF_PROGRAMS,
    UPDATES_CONFIG,
    UPDATES_ENVIRONMENT,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_SETTERS = CHANGES_ENVIRONMENT | {UPDATES_CONFIG}
_CALLS = _SETTERS | {UPDATES_ENVIRONMENT}
_HARMLESS_FLAG = re.compile(r"dump|profil|log|timeout|trace|debug|stack|annot|warn|terminate|cache|data_dir|parallel")


@dataclass(frozen=True, slots=True)
class Setting:
    """One place where an option is set; ``name`` is in lower case, ``value`` is the value it is set to."""

    function: Function
    block: int
    span: ir.Span
    name: str
    value: ir.Expression
    content: Uniformity


@dataclass(frozen=True, slots=True)
class PartialSetting:
    """A setting on only some processes, or with different values; ``test`` is the rank test or value.

    ``calls`` leads from the test to the setting, where that is in a called function.
    """

    setting: Setting
    test: Uniformity
    branch: tuple[ir.Module, ir.Span] | None
    calls: tuple[tuple[ir.Module, ir.Span], ...] = ()

    @property
    def kind(self) -> str:
        """Whether only some processes set it, or all set it to different values."""
        return "values" if self.branch is None else "some"

    @property
    def place(self) -> Place:
        """The statement that sets it."""
        return Place(self.setting.function.module, self.setting.span)

    @property
    def confidence(self) -> Confidence:
        """High where the rank itself is read in the function of the setting."""
        return Confidence.MEDIUM if self.calls else confidence_of(self.test.reason)

    @property
    def option(self) -> str:
        """The option as shown in a message."""
        return "XLA_FLAGS" if self.setting.name == "xla_flags" else f"`{self.setting.name}`"

    def steps(self) -> Iterator[Step]:
        """Why the processes diverge, the branch, and the calls that lead to the setting."""
        yield from reason_steps(self.test.reason)
        if self.branch is not None:
            yield Step(*self.branch, "processes diverge here")
        for call in self.calls:
            yield Step(*call, "this call sets the option")


def partial_settings(project: Program) -> Iterator[PartialSetting]:
    """Settings in the reported files that differ between processes, where they affect compiled programs."""
    if has_several_processes(project):
        options = OF_PROGRAMS
    elif project.mentions(("mpi4jax",)):
        options = OF_DTYPES
    else:
        return
    for module in project.reported_modules():
        if module.mentions(("jax_", "JAX_", "XLA_FLAGS")):
            for function in module.functions():
                yield from _in_function(function, options)


def _in_function(function: Function, options: frozenset[str]) -> Iterator[PartialSetting]:
    known = [setting for setting in _settings(function, options) if _changes_programs(setting)]
    for setting in known:
        if setting.content.level is Level.RANK:
            yield PartialSetting(setting, setting.content, None)
        elif not _is_made_otherwise(setting, known) and not _is_usual(setting):
            yield from _by_test(setting)


def _by_test(setting: Setting) -> Iterator[PartialSetting]:
    found = _rank_test(setting.function, setting.block)
    if found is not None:
        yield PartialSetting(setting, found[0], found[1])
        return
    calls: list[tuple[ir.Module, ir.Span]] = []
    function = setting.function
    while len(calls) < OPTION_CALLERS:
        sites = function.project.get(CallSites).of(function)
        if len(sites) != 1:
            return
        calls.insert(0, (sites[0].caller.module, sites[0].bound.call.span))
        found = _rank_test(sites[0].caller, sites[0].block)
        if found is not None:
            yield PartialSetting(setting, found[0], found[1], tuple(calls))
            return
        function = sites[0].caller


def _rank_test(function: Function, block: int) -> tuple[Uniformity, tuple[ir.Module, ir.Span]] | None:
    """The rank test that guards a block, unless the other ranks exit there."""
    for guard in guards(function, block):
        other = guard.branch.when_false if guard.truth else guard.branch.when_true
        ends = other in function.leaving or not function.graph.successors[other]
        if guard.test.content.level is Level.RANK and guard.branch.kind in ("if", "match", "conditional") and not ends:
            return guard.test.content, (function.module, guard.branch.span)
    return None


def _is_made_otherwise(setting: Setting, known: list[Setting]) -> bool:
    """Whether the other ranks set the option in a different arm, or it is reset in the same arm."""
    function = setting.function
    text = function.module.source(setting.value.span)
    own = _rank_test(function, setting.block)
    for other in known:
        if other is setting or other.name != setting.name:
            continue
        same = function.module.source(other.value.span) == text
        apart = exclude_each_other(function, setting.block, other.block)
        test = _rank_test(function, other.block)
        together = own is not None and test is not None and own[1] == test[1]
        if (same and apart) or (not same and not apart and together):
            return True
    return False


def _is_usual(setting: Setting) -> bool:
    """Whether an option is set to false, its default, and to no other value in the file."""
    entity = setting.function.value(setting.value, dict(setting.function.flow.exit)).entity
    off = isinstance(entity, Literal) and str(entity.value).lower() in ("false", "0", "none", "")
    return off and setting.function.module.text.lower().count(setting.name) == 1


def _changes_programs(setting: Setting) -> bool:
    """Whether the known XLA flags do more than write files and timings."""
    if setting.name != "xla_flags":
        return True
    flags = re.findall(r"--?(xla_\w+)", " ".join(_texts(setting.function, setting.value, 0)))
    return any(not _HARMLESS_FLAG.search(flag) for flag in flags)


def _texts(function: Function, value: ir.Expression, depth: int) -> Iterator[str]:
    for node in ir.walk(value):
        if isinstance(node, ir.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ir.Name) and depth < OPTION_CALLERS:
            found = visible_definitions(function, node.id)
            for part in found[1] if found is not None else ():
                yield from _texts(function, part, depth + 1)


def _settings(function: Function, options: frozenset[str]) -> Iterator[Setting]:
    stores = any(_may_be_option(target, options) for target in function.places_stored)
    if not stores and function.library_names.isdisjoint(_CALLS):
        return
    for block, step, env in function.steps(lambda step: _may_set(function, step, options)):
        for name, value in _set_by(function, step, env):
            if name.lower() in options:
                content = function.value(value, env).content
                yield Setting(function, block.index, step.span, name.lower(), value, content)


def _may_set(function: Function, step: ir.Step, options: frozenset[str]) -> bool:
    """A cheap test before a step is evaluated."""
    match step:
        case ir.Assign(targets=targets):
            return any(_may_be_option(target, options) for target in targets)
        case ir.AugmentedAssign(target=target):
            return _may_be_option(target, options)
        case ir.Evaluate(expression=ir.Call(args=(_, *_)) as call):
            bound = function.bound(call)
            return bound is not None and bound.dotted in _CALLS
    return False


def _may_be_option(target: ir.Expression, options: frozenset[str]) -> bool:
    match target:
        case ir.Subscript(index=ir.Constant(value=value)):
            return isinstance(value, str) and value.lower() in options
        case ir.Attribute(attr=attr):
            return attr.lower() in options
    return isinstance(target, ir.Subscript)


def _set_by(function: Function, step: ir.Step, env: Environment) -> Iterator[tuple[str, ir.Expression]]:
    """The options and variables that a step sets."""
    match step:
        case ir.Assign(targets=targets, value=ir.Expression() as value):
            for target in targets:
                match target:
                    case ir.Subscript(value=place, index=index) if _is(function, place, env, ENVIRON):
                        yield from ((name, value) for name in _text(function, index, env))
                    case ir.Attribute(value=place, attr=name) if _is(function, place, env, CONFIG):
                        yield name, value
        case ir.AugmentedAssign(target=ir.Subscript(value=place, index=index), value=value):
            if _is(function, place, env, ENVIRON):
                yield from ((name, value) for name in _text(function, index, env))
        case ir.Evaluate(expression=ir.Call(args=args) as call):
            bound = function.bound(call)
            if bound is not None and bound.dotted in _SETTERS and len(args) > 1:
                yield from ((name, args[1].value) for name in _text(function, args[0].value, env))
            elif bound is not None and bound.dotted == UPDATES_ENVIRONMENT:
                yield from _updated(function, args, env)


def _updated(
    function: Function, arguments: Sequence[ir.Argument], env: Environment
) -> Iterator[tuple[str, ir.Expression]]:
    """The variables named by dictionaries and keywords."""
    for argument in arguments:
        if argument.keyword is not None:
            yield argument.keyword, argument.value
        elif isinstance(argument.value, ir.Dictionary):
            for key, value in zip(argument.value.keys, argument.value.values, strict=True):
                yield from ((name, value) for name in _text(function, key, env))


def _is(function: Function, place: ir.Expression, env: Environment, dotted: str) -> bool:
    entity = function.value(place, env).entity
    return isinstance(entity, Named) and function.project.canonical(entity.dotted) == dotted


def _text(function: Function, expression: ir.Expression | None, env: Environment) -> Iterator[str]:
    entity = function.value(expression, env).entity if expression is not None else None
    if isinstance(entity, Literal) and isinstance(entity.value, str):
        yield entity.value
