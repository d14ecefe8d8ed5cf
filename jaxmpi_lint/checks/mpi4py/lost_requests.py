"""Requests that can no longer be completed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import is_read
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.checks.mpi4py.request_wrappers import started_by
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.model import Kind, Operation, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_LOOKS_AT_ALL_NAMES = frozenset({"locals", "globals", "vars", "eval", "exec"})


@dataclass(frozen=True, slots=True)
class DroppedRequest:
    """A call whose request is discarded, or bound to a ``name`` that is never read."""

    function: Function
    bound: BoundCall
    operation: Operation
    name: str | None
    inner: Place | None = None
    """Where the operation is started, if it is in a called function."""

    @property
    def kind(self) -> str:
        """``data``, or ``signal`` for a message without content."""
        is_signal = any(_is_empty(self.bound.argument(parameter)) for parameter in self.operation.sends)
        return "signal" if is_signal else "data"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High: the request is provably lost."""
        return Confidence.HIGH

    @property
    def how(self) -> str:
        """How it is lost."""
        return "is discarded" if self.name is None else f"is assigned to `{self.name}`, which is never read"

    @property
    def consequence(self) -> str:
        """The consequence for this kind of operation."""
        if self.is_persistent:
            return "the operation can never be started"
        if self.operation.receives and not self.operation.sends:
            return "this rank cannot determine when the data has arrived"
        if self.operation.kind is Kind.SEND:
            return "the message may never be sent, or be sent with different content"
        return "this rank cannot determine when the operation has completed"

    def steps(self) -> Iterator[Step]:
        """What the call does."""
        done = "initialises the operation, but does not start it"
        if not self.is_persistent:
            done = "starts the operation, but does not complete it"
        at = self.inner or self.place
        yield Step(at.module, at.span, done)

    @property
    def is_persistent(self) -> bool:
        """Whether the operation has not even been started."""
        return self.operation.method.endswith("_init")


def immediate_wait(lost: DroppedRequest) -> Repair | None:
    """The fix: wait for the operation at once, where that does not change the result of the call."""
    method = lost.operation.method
    is_pickled_receive = method[:1].islower() and lost.operation.kind is Kind.RECEIVE
    if lost.inner is not None or lost.is_persistent or is_pickled_receive or lost.name is not None:
        return None
    end = lost.bound.call.span[1]
    wait = ".Wait()" if method[:1].isupper() else ".wait()"
    return Repair(Applicability.UNSAFE, "wait for the operation immediately", (((end, end), wait),))


def dropped_requests(function: Function) -> Iterator[DroppedRequest]:
    """The mpi4py requests that a function loses, one per call."""
    seen: set[ir.Span] = set()
    for step in function.ir.steps() if function.any_call_may_communicate else ():
        match step:
            case ir.Discard(value=value):
                name = None
            case ir.Assign(targets=(ir.Name(id=bound_name),), value=value) if value is not None:
                name = bound_name
            case _:
                continue
        for call in _made_by(value):
            bound = function.bound(call)
            if call.span in seen or bound is None:
                continue
            started = [(function, bound)] if _returns_request(function, bound) else _started_inside(function, bound)
            if not started:
                continue
            if name is not None and not _is_never_read(function, name):
                continue
            if is_expected_to_fail(function.ir, call.span):
                continue
            seen.add(call.span)
            where, operation = started[0][0], started[0][1]
            inner = None if operation is bound else Place(where.module, operation.call.span)
            yield DroppedRequest(function, bound, operation.known_operation, name, inner)


def _made_by(value: ir.Expression) -> Iterator[ir.Call]:
    """The calls whose results are the value, or elements of it."""
    match value:
        case ir.Call():
            yield value
        case ir.Collection(elements=elements):
            for element in elements:
                yield from _made_by(element)
        case ir.Comprehension(element=element, value=None) if value.kind in ("list", "set"):
            yield from _made_by(element)
        case ir.Conditional(body=body, orelse=orelse):
            yield from _made_by(body)
            yield from _made_by(orelse)


def _returns_request(function: Function, bound: BoundCall) -> bool:
    operation = bound.operation
    if operation is None or operation.result is not Result.REQUEST:
        return False
    if not is_mpi4py_call(function.project, bound, function):
        return False
    return operation.kind is not Kind.ONE_SIDED and not operation.name.endswith(("Grequest.Start", "flush_buffer"))


def _started_inside(function: Function, bound: BoundCall) -> list[tuple[Function, BoundCall]]:
    return [] if bound.operations else started_by(function, bound, _returns_request)


def _is_never_read(function: Function, name: str) -> bool:
    if name in function.ir.globals or name in function.ir.nonlocals or function.ir.kind == "class":
        return False
    if any(_asks_for_names(call) for call in function.ir.calls()) or is_read(function, name):
        return False
    if function.ir.kind != "module":
        return True
    others = [other for other in function.module_model.functions() if other is not function]
    return not any(is_read(other, name) for other in others) and not _is_imported(function, name)


def _asks_for_names(call: ir.Call) -> bool:
    return isinstance(call.func, ir.Name) and call.func.id in _LOOKS_AT_ALL_NAMES


def _is_imported(function: Function, name: str) -> bool:
    """Whether a different file of the project imports the name, or all names, from this one."""
    module = function.module.name
    return any(
        imported.target in (f"{module}.{name}", module) and (imported.bound == "*" or imported.target != module)
        for model in function.project.modules()
        for step in model.ir.body.steps()
        if isinstance(step, ir.Import)
        for imported in step.names
    )


def _is_empty(argument: ir.Expression | None) -> bool:
    match argument:
        case ir.Constant(value=None | b"" | "" | False | True):
            return True
        case ir.Collection(elements=elements):
            if not elements:
                return True
            first, second = elements[0], elements[1] if len(elements) > 1 else None
            return _is_empty(first) or (isinstance(second, ir.Constant) and second.value == 0)
        case ir.Call(func=ir.Name(id="bytearray" | "bytes"), args=()):
            return True
        case _:
            return False
