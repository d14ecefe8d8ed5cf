"""The dtypes of arrays passed to operations of mpi4jax, also through a parameter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.jax_dtype_flow import JaxTypes
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.library.mpi.mpi4py_names import MEMBERS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


@dataclass(frozen=True, slots=True)
class SentArray:
    """One array passed to an operation; ``caller`` is the call that passes it, with its file.

    ``reduction`` is the name of the predefined reduction operator, if it is one.
    """

    bound: BoundCall
    dtype: str
    reduction: str | None
    caller: tuple[ir.Module, ir.Span] | None = None


class SentTypes:
    """Finds arrays passed to operations; caches the dtypes of every analysed function."""

    def __init__(self, project: Program) -> None:
        self._sites = project.get(CallSites)
        self._known: dict[tuple[str, str], dict[ir.Span, dict[int, str]]] = {}

    def of_function(self, function: Function) -> Iterator[SentArray]:
        """The arrays of known dtype passed to the operations in a function."""
        for bound in function.calls():
            operation = bound.operation
            if operation is None or operation.library != "mpi4jax" or not operation.communicates:
                continue
            reduction = _reduction(function, bound)
            names = (*operation.sends, *((operation.template,) if operation.template is not None else ()))
            for name in dict.fromkeys(names):
                given = bound.argument(name)
                if given is not None:
                    yield from self._of_argument(function, bound, given, reduction)

    def _of_argument(
        self, function: Function, bound: BoundCall, given: ir.Expression, reduction: str | None
    ) -> Iterator[SentArray]:
        held = self._types_in(function, bound.call).get(given.span[0])
        if held is not None:
            yield SentArray(bound, held, reduction)
        elif isinstance(given, ir.Name) and not function.rebinds(given.id):
            formal = [p.name for p in function.ir.parameters if p.name != function.self_name]
            for site in self._sites.of(function) if given.id in formal else ():
                passed = site.bound.call.argument(formal.index(given.id), given.id)
                held = self._types_in(site.caller, site.bound.call).get(passed.span[0]) if passed is not None else None
                if held is not None:
                    yield SentArray(bound, held, reduction, (site.caller.module, site.bound.call.span))

    def _types_in(self, function: Function, call: ir.Call) -> dict[int, str]:
        """The known dtypes of a call's arguments, by their start offsets."""
        if function.key not in self._known:
            self._known[function.key] = _types_of_calls(function)
        return self._known[function.key].get(call.span, {})


def _types_of_calls(function: Function) -> dict[ir.Span, dict[int, str]]:
    found: dict[ir.Span, dict[int, str]] = {}
    flow = JaxTypes(function)
    for _, step, env, types in flow.steps():
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
            given = [argument.value for argument in step.expression.args if not argument.star]
            held = ((value.span[0], flow.of_argument(value, types, env)) for value in given)
            found[step.expression.span] = {start: dtype for start, dtype in held if dtype is not None}
    return found


def _reduction(function: Function, bound: BoundCall) -> str | None:
    given = bound.argument(bound.known_operation.reduction)
    if given is None:
        return None
    entity = function.value(given, dict(function.flow.exit)).entity
    predefined = isinstance(entity, Named) and entity.dotted.startswith(MEMBERS)
    return entity.dotted.rpartition(".")[2] if predefined and isinstance(entity, Named) else None
