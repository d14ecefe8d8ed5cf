"""Names of a module that bring communication to its importers, determined from the IR alone.

The import closure needs this for every file that was read, before a project exists for evaluation. It compares names,
not values: too many names cost time, too few would cost findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.communicator_names import Words
from jaxmpi_lint.analysis.uniformity.communicator_handles import applicable
from jaxmpi_lint.library.catalogue import Catalogue
from jaxmpi_lint.library.model import Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.model.project import Finder
    from jaxmpi_lint.settings.settings import Settings

# The methods that run when the name of a class is used: what they call counts, and not only what they do themselves.
_IMPLICIT = frozenset({"__init__", "__new__", "__post_init__", "__call__", "__enter__"})
_HANDLES = frozenset({"COMM_WORLD", "COMM_SELF"})


class Exports:
    """Communicating top-level names by path; the set grows with the modules that are added."""

    def __init__(self, settings: Settings, finder: Finder) -> None:
        self._catalogue = Catalogue(settings.targets, settings.wrappers, settings.transforms)
        self._words = Words(settings.comm_names)
        self._finder = finder
        self._scans: list[_Scan] = []
        self.names: dict[str, set[str]] = {}

    def add(self, modules: Iterable[ir.Module]) -> None:
        """Scan further modules; their exports may make names of earlier ones communicate."""
        self._scans += [_Scan(module, self._catalogue, self._words, self._finder) for module in modules]
        growing = True
        while growing:
            growing = False
            for scan in self._scans:
                known = self.names.setdefault(scan.path, set())
                found = scan.communicating(self.names)
                growing = growing or not found <= known
                known |= found


class _Scan:
    """The calls and bindings of one module, by name."""

    def __init__(self, module: ir.Module, catalogue: Catalogue, words: Words, finder: Finder) -> None:
        self.path = module.path
        self._catalogue = catalogue
        self._words = words
        self._targets: dict[str, str] = {}
        self._called: dict[str, set[str]] = {}
        self._called_elsewhere: dict[str, set[tuple[str, str]]] = {}
        self._direct: set[str] = set()
        for function in module.functions.values():
            for step in function.steps():
                if isinstance(step, ir.Import):
                    self._targets.update((name.bound, name.target) for name in step.names)
        self._origins = dict(self._located(finder))
        self._holders = _holders(module)
        for qualname, function in module.functions.items():
            owner, _, method = qualname.partition(".")
            if not method or method in _IMPLICIT or method.startswith("<locals>"):
                self._read(owner, function)
            elif owner in module.classes and owner not in self._direct:
                self._read_method(owner, function)
        self._read_objects(module.body)
        self._handles = set(self._communicator_names(module))

    def communicating(self, exported: Mapping[str, set[str]]) -> set[str]:
        """Top-level names that communicate, given the exports of other modules."""
        taken = {name for name, (path, rest) in self._origins.items() if rest and rest in exported.get(path, ())}
        found = self._direct | taken
        growing = True
        while growing:
            reached = {
                name
                for name, called in self._called.items()
                if name not in found and (not called.isdisjoint(found) or self._reaches(name, exported))
            }
            found |= reached
            growing = bool(reached)
        return (found | self._handles) - {"<module>"}

    def _reaches(self, name: str, exported: Mapping[str, set[str]]) -> bool:
        """Whether a name's calls into imported modules may communicate."""
        return any(called in exported.get(path, ()) for path, called in self._called_elsewhere.get(name, ()))

    def _located(self, finder: Finder) -> Iterator[tuple[str, tuple[str, str]]]:
        """The file and the name in it for each import from the project; an empty name for a module itself."""
        for bound, target in self._targets.items():
            dotted = target.lstrip(".")
            found = finder.find(self.path, dotted, len(target) - len(dotted))
            if found is not None and bound != "*":
                yield bound, found

    def _read(self, name: str, function: ir.Function) -> None:
        for _, _, call in function.placed_calls():
            dotted = ir.dotted(call.func)
            if dotted is not None:
                self._note(name, dotted)
            if name not in self._direct and self._names_communication(call, dotted):
                self._direct.add(name)

    def _read_method(self, owner: str, function: ir.Function) -> None:
        """A class communicates if a method does so itself: the importers that make its objects call the method."""
        calls = (call for _, _, call in function.placed_calls())
        if any(self._names_communication(call, ir.dotted(call.func)) for call in calls):
            self._direct.add(owner)

    def _read_objects(self, body: ir.Function) -> None:
        """A global name communicates if the class of its object does, or the function that makes it."""
        for step in body.steps():
            if isinstance(step, ir.Assign) and isinstance(step.value, ir.Call):
                dotted = ir.dotted(step.value.func)
                for target in step.targets if dotted is not None else ():
                    if isinstance(target, ir.Name) and dotted is not None:
                        self._note(target.id, dotted)

    def _note(self, name: str, dotted: str) -> None:
        first, _, rest = dotted.partition(".")
        self._called.setdefault(name, set()).add(first)
        path, original = self._origins.get(first, ("", "?"))
        if not original:
            self._called_elsewhere.setdefault(name, set()).add((path, rest.partition(".")[0]))

    def _names_communication(self, call: ir.Call, dotted: str | None) -> bool:
        """Whether a call may communicate, judging by its name."""
        if isinstance(call.func, ir.Attribute):
            attribute = call.func.attr
            operations = self._catalogue.communicator_method(attribute)
            if operations and any(operation.communicates for operation in operations):
                owner = ir.dotted(call.func.value)
                if self._catalogue.unmistakable(attribute) or self._is_communicator(owner):
                    return True
        if dotted is None:
            return False
        operations = self._catalogue.function(self._absolute(dotted))
        return bool(operations) and any(operation.communicates for operation in applicable(operations, call, None))

    def _is_communicator(self, dotted: str | None) -> bool:
        last = (dotted or "").rpartition(".")[2]
        return last in _HANDLES or last in self._holders or self._words.names_communicator(last)

    def _absolute(self, dotted: str) -> str:
        first, dot, rest = dotted.partition(".")
        return f"{self._targets.get(first, first)}{dot}{rest}"

    def _communicator_names(self, module: ir.Module) -> Iterator[str]:
        """Global names bound to a communicator, or to the rank in one."""
        for function in module.functions.values():
            binds_globals = function.kind == "module" or function.globals
            for step in function.steps() if binds_globals else ():
                if not isinstance(step, ir.Assign) or step.value is None:
                    continue
                names = [target.id for target in step.targets if isinstance(target, ir.Name)]
                seen = [name for name in names if self._is_global(function, name)]
                if seen and self._holds_rank_or_communicator(step.value):
                    yield from seen

    def _is_global(self, function: ir.Function, name: str) -> bool:
        return function.kind == "module" or name in function.globals

    def _holds_rank_or_communicator(self, value: ir.Expression) -> bool:
        for node in ir.walk(value):
            dotted = ir.dotted(node)
            if dotted is None:
                continue
            if dotted.rpartition(".")[2] in _HANDLES or dotted.endswith((".Get_rank", ".rank")):
                return True
            operations = self._catalogue.function(self._absolute(dotted))
            if any(operation.result is Result.RANK for operation in operations):
                return True
        return False


def _holders(module: ir.Module) -> set[str]:
    """The names of variables, parameters and fields of a module that are bound to a communicator of MPI."""
    found: set[str] = set()
    for function in module.functions.values():
        found |= {one.name for one in function.parameters if one.default is not None and _is_handle(one.default, found)}
        for step in function.steps():
            if isinstance(step, ir.Assign) and step.value is not None and _is_handle(step.value, found):
                found |= {(ir.dotted(target) or "").rpartition(".")[2] for target in step.targets}
    return found - {""}


def _is_handle(value: ir.Expression, holders: set[str]) -> bool:
    last = (ir.dotted(value) or "").rpartition(".")[2]
    return last in _HANDLES or last in holders
