"""Common seeds: whether the processes draw the same random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.limits import SEED_DEFINITIONS
from jaxmpi_lint.analysis.model.programs import Programs
from jaxmpi_lint.library.python.random_seeds import (
    GENERATORS,
    GLOBAL_GENERATORS,
    SETTERS,
    STATE_SETTERS,
    WITH_OWN_GENERATORS,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_ASKING = frozenset({"get", "make", "parse", "read", "sequence", "seedsequence", "spawn"})
_OWN = frozenset(
    {"rank", "get_rank", "process_index", "process_id", "getpid", "time", "time_ns", "urandom", "uuid4", "gethostname"}
)
_GROUPING = frozenset({"//", "%"})
_EQUALISING = frozenset({"bcast", "broadcast", "allreduce", "broadcast_one_to_all"})


class Seeding:
    """The seeds that the files of a project set, determined from the text alone: data flows may be incomplete."""

    def __init__(self, project: Program) -> None:
        self._project = project

    def is_common(self, dotted: str, path: str) -> bool:
        """Whether random numbers that a library function returns in a file may be equal on all processes."""
        generator = next((name for name in GENERATORS if dotted.startswith(f"{name}.")), dotted.rpartition(".")[0])
        return any(
            kind in (generator, "*" if generator in GLOBAL_GENERATORS else "object")
            and self._project.get(Programs).may_run_with(path, part)
            for kind, part in self._set
        )

    @cached_property
    def _set(self) -> frozenset[tuple[str, str]]:
        """The seeded generators, with the parts of the project that seed them."""
        return frozenset(
            (kind, self._project.get(Programs).part(model.ir.path))
            for model in self._project.modules()
            if model.mentions(("seed", "set_state", "setstate", "bit_generator"))
            for function in model.functions()
            for kind in _set_in(function)
        )


def _set_in(function: Function) -> Iterator[str]:
    if any("bit_generator" in (ir.dotted(target) or "") for target in function.places_stored):
        yield "object"
    for call in function.ir.calls():
        name = (ir.dotted(call.func) or "").rpartition(".")[2].lower()
        if ("seed" in name or name in STATE_SETTERS) and not _ASKING & set(name.split("_")):
            kind = _set_by(function, call, name)
            if kind is not None and not _is_own(function, call):
                yield kind


def _set_by(function: Function, call: ir.Call, name: str) -> str | None:
    """The generator that a call seeds: a global one, those that are objects, or any of the global ones."""
    path = ir.dotted(call.func) or ""
    target = _imported(function, path)
    if target is not None:
        dotted = function.project.canonical(target)
        of_others = dotted.startswith(WITH_OWN_GENERATORS) or _is_read(function, target)
        return SETTERS.get(dotted) or (None if of_others else "*")
    if path in function.module.functions:
        return None  # its calls are scanned
    return "object" if "." in path and name in STATE_SETTERS else "*"


def _imported(function: Function, path: str) -> str | None:
    """The dotted name that a name stands for by an import of the function or the module."""
    first, dot, rest = path.partition(".")
    for step in (*function.ir.steps(), *function.module.body.steps()):
        for name in step.names if isinstance(step, ir.Import) else ():
            if name.bound == first:
                return name.target + dot + rest
    return None


def _is_read(function: Function, target: str) -> bool:
    """Whether it is a function of a file of the project whose calls are scanned."""
    files = function.project.files_imported(function.module, target)
    models = [function.project.module(path) for path in files]
    return any(model is not None and target.rpartition(".")[2] in model.ir.functions for model in models)


def _is_own(function: Function, call: ir.Call) -> bool:
    """Whether a seed is missing, or provably per-process; the seed of a group of processes is not."""
    seeds = [argument.value for argument in call.args]
    if not seeds or (isinstance(seeds[0], ir.Constant) and seeds[0].value is None):
        return True
    nodes = [node for seed in seeds for node in _behind(function, seed, 0)]
    if any(isinstance(node, ir.BinaryOperation) and node.operator in _GROUPING for node in nodes):
        return False
    return any(_names_process(node) for node in nodes)


def _names_process(node: ir.Expression) -> bool:
    match node:
        case ir.Name(id=name) | ir.Attribute(attr=name):
            return name.lower() in _OWN or "rank" in name.lower().split("_")
    return False


def _behind(function: Function, expression: ir.Expression, depth: int) -> Iterator[ir.Expression]:
    """The parts of an expression, and of those that its names stand for, but for what goes into a broadcast."""
    for node in _before_broadcasts(expression):
        yield node
        found = (
            visible_definitions(function, node.id) if isinstance(node, ir.Name) and depth < SEED_DEFINITIONS else None
        )
        values = found[1] if found is not None else []
        broadcast = max((value.span for value in values if _is_broadcast(value)), default=(0, 0))
        for value in (one for one in values if one.span > broadcast):  # what it is before is what one rank has
            yield from _behind(function, value, depth + 1)


def _before_broadcasts(expression: ir.Expression) -> Iterator[ir.Expression]:
    """The parts of an expression; the result of a broadcast is the same on all ranks, whatever it is made from."""
    if _is_broadcast(expression):
        return
    yield expression
    for part in ir.children(expression):
        yield from _before_broadcasts(part)


def _is_broadcast(expression: ir.Expression) -> bool:
    match expression:
        case ir.Call(func=ir.Attribute(attr=name) | ir.Name(id=name)):
            return name.lower() in _EQUALISING
    return False
