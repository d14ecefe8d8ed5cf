"""Paths that may differ between processes: by rank, host, process id or a temporary name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.cfg.moments import Moments
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment, Uniformity
    from jaxmpi_lint.analysis.model.call_graph import CallSites

_OWN = re.compile(
    r"(?:^|[^a-z])(?:rank|proc(?:ess)?(?:_?id|_?index)?|pid|hostname|node(?:_?name)?|uuid|"
    r"(?:mkd|get)?te?mp(?:dir|file|_\w+)?|"
    r"TemporaryDirectory|scratch|local|worker|device|thread|task_?id|host|slurm\w*)(?![a-z])",
    re.IGNORECASE,
)


class OwnPaths:
    """Follows paths through names, parameters and attributes to where they are computed.

    A path is per-process if a name or text in it means that, or if a value in it differs for a reason among ``levels``.
    """

    def __init__(self, sites: CallSites, levels: Collection[Level] = (Level.RANK, Level.LOCAL)) -> None:
        self._sites = sites
        self._levels = levels
        self._found: dict[tuple[str, str, ir.Span], bool] = {}

    def holds(self, function: Function, place: ir.Expression, env: Environment | None = None) -> bool:
        """Whether a path may be per-process; ``env`` has the values at its use, by default those at the end."""
        key = *function.key, place.span
        if key not in self._found:
            self._found[key] = False  # for a path that is computed from itself
            self._found[key] = any(
                self._part_holds(function, node, function.flow.exit if env is None else env) for node in ir.walk(place)
            )
        return self._found[key]

    def _part_holds(self, function: Function, node: ir.Expression, env: Environment) -> bool:
        match node:
            case ir.Constant(value=str() as text):
                return bool(_OWN.search(text))
            case ir.Name(id=name):
                return bool(_OWN.search(name)) or self._differs(function, node, env) or self._name_holds(function, name)
            case ir.Attribute(attr=name):
                return (
                    bool(_OWN.search(name)) or self._differs(function, node, env) or self._field_holds(function, node)
                )
            case ir.Subscript(index=ir.Constant(value=str() as key)):
                return self._differs(function, node, env) or self._entry_holds(function, key)
            case ir.Call() | ir.Subscript():
                return self._differs(function, node, env)
        return False

    def _differs(self, function: Function, node: ir.Expression, env: Environment) -> bool:
        if not self._is_own(function.value(node, env).content):
            return False
        return env is not function.flow.exit or self._is_own(function.get(Moments).value(node).content)

    def _is_own(self, content: Uniformity) -> bool:
        """Whether a value differs; the contents of a file, such as options, are alike in practice."""
        return content.level in self._levels and content.source is not Source.FILES

    def _name_holds(self, function: Function, name: str) -> bool:
        if name == function.self_name:
            return False
        formal = [parameter.name for parameter in function.ir.parameters if parameter.name != function.self_name]
        if name in formal:
            given = [
                (site.caller, argument)
                for site in self._sites.of(function)
                if (argument := site.bound.call.argument(formal.index(name), name)) is not None
            ]  # one call with a common path is enough for a fault
            return bool(given) and all(self.holds(caller, argument) for caller, argument in given)
        found = visible_definitions(function, name)
        return found is not None and any(self.holds(found[0], value) for value in found[1])

    def _field_holds(self, function: Function, node: ir.Attribute) -> bool:
        """Whether a method stores a per-process path in an attribute of ``self``."""
        if function.self_name is None or ir.dotted(node.value) != function.self_name or function.ir.owner is None:
            return False
        model = function.module_model.class_model(function.ir.owner)
        methods = (a.module_model.function(name) for a in model.linearization for name in a.ir.methods.values())
        return any(self.holds(method, *stored) for method in methods for stored in _put_into(method, node.attr))

    def _entry_holds(self, function: Function, key: str) -> bool:
        """Whether the program stores a per-process path under a key: ``config["log_path"] = f".../node_{number}"``."""
        stored = function.project.get(StoredEntries).under(key)
        return any(self.holds(other, value) for other, value in stored if _are_of_one_program(function, other))


class StoredEntries:
    """The values that the functions of a project store under constant keys."""

    def __init__(self, project: Program) -> None:
        self._found: dict[str, list[tuple[Function, ir.Expression]]] = {}
        for model in project.modules():
            for function in model.functions():
                for step in function.ir.steps():
                    if isinstance(step, ir.Assign) and step.value is not None:
                        for key in _keys(step.targets):
                            self._found.setdefault(key, []).append((function, step.value))

    def under(self, key: str) -> list[tuple[Function, ir.Expression]]:
        """The functions that store under a key, and the values."""
        return self._found.get(key, [])


def _are_of_one_program(one: Function, other: Function) -> bool:
    """Whether the file of one function is that of the other, or imports it."""
    pairs = ((one, other.module.path), (other, one.module.path))
    return one.module is other.module or any(
        path in one.project.imported_files(importing.module) for importing, path in pairs
    )


def _keys(targets: Iterable[ir.Expression]) -> Iterator[str]:
    for target in targets:
        match target:
            case ir.Subscript(index=ir.Constant(value=str() as key)):
                yield key


def _put_into(method: Function, field: str) -> Iterator[tuple[ir.Expression, Environment]]:
    for _, step, env in method.steps():
        match step:
            case ir.Assign(targets=targets, value=ir.Expression() as value) if field in map(_field, targets):
                yield value, env


def _field(target: ir.Expression) -> str:
    return (ir.dotted(target) or "").partition(".")[2]
