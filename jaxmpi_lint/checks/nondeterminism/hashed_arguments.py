"""Arguments that must be uniform, computed with ``hash`` or ``id``, and the fix by a checksum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.nondeterminism.hash_provenance import Hash
from jaxmpi_lint.analysis.nondeterminism.hash_values import HashSearch, ProcessHash
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.rewrite.source_edits import alone_on_line, indentation, line_ending

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.library.model import Operation

_AGREED = frozenset({"color", "key", "name", "barrier_id", "service_name", "sendtag", "recvtag", "tag", "root"})


@dataclass(frozen=True, slots=True)
class HashedArgument:
    """An argument that differs between processes; its kind is the builtin it comes from, ``hash`` or ``id``."""

    function: Function
    call: ir.Call
    operation: Operation
    parameter: str
    argument: ir.Expression
    source: ProcessHash

    @property
    def kind(self) -> str:
        """The builtin."""
        return self.source.builtin

    @property
    def place(self) -> Place:
        """The argument."""
        return Place(self.function.module, self.argument.span)

    @property
    def confidence(self) -> Confidence:
        """Medium where the type of the hashed value is unknown."""
        return Confidence.MEDIUM if self.source.kind is Hash.UNKNOWN else Confidence.HIGH

    def steps(self) -> Iterator[Step]:
        """The hash, then the communication."""
        found, span = self.source.function.module, self.source.call.span
        yield Step(found, span, f"`{found.source(span)}` differs between processes")
        yield Step(self.function.module, self.call.span, f"`{self.parameter}` must be equal on all processes")


def hashed_arguments(function: Function) -> Iterator[HashedArgument]:
    """The first such argument of each call of a function."""
    seen: set[ir.Span] = set()
    for _, bound, env in operation_steps(function, lambda bound: any(True for _ in _agreed_arguments(bound))):
        for operation, parameter, argument in _agreed_arguments(bound) if bound.call.span not in seen else ():
            source = next(HashSearch().sources(function, argument, env), None)
            if source is not None:
                seen.add(bound.call.span)
                yield HashedArgument(function, bound.call, operation, parameter, argument, source)
                break


def _agreed_arguments(bound: BoundCall) -> Iterator[tuple[Operation, str, ir.Expression]]:
    """The arguments that must be uniform, in the order of the call's parameters."""
    operation = bound.operation
    if operation is None or not (operation.communicates or "service_name" in operation.parameters):
        return
    own = {operation.tag, operation.source, operation.destination, operation.root}
    for parameter in operation.parameters:
        argument = bound.argument(parameter) if parameter in own or parameter in _AGREED else None
        if argument is not None:
            yield operation, parameter, argument


def take_checksum(defect: HashedArgument) -> Repair | None:
    """Replace ``hash`` by a checksum of the content; there is no fix for ``id`` and for shares."""
    if defect.kind != "hash":
        return None
    source, module = defect.source, defect.function.module
    checksum = _checksum(defect.function) if source.function.module is module else None
    if checksum is None:
        return None
    name, edits = checksum
    sum_of = f"{name}.crc32({_text_of(source)}.encode())"
    if defect.argument.span == source.call.span:
        sum_of = f"{sum_of} & 0x7FFFFFFF"
    edits.append((source.call.span, sum_of))
    return Repair(Applicability.UNSAFE, "use a checksum of the content", tuple(edits))


def _text_of(source: ProcessHash) -> str:
    """The hashed value, as an expression that yields a string."""
    hashed = source.call.args[0].value
    text = source.function.module.source(hashed.span)
    is_text = source.kind is Hash.SALTED and isinstance(hashed, (ir.Name, ir.Attribute, ir.Subscript))
    return text if is_text else f"repr({text})"


def _checksum(function: Function) -> tuple[str, list[tuple[ir.Span, str]]] | None:
    """The local name of module ``zlib``, and the edit that imports it before an existing import."""
    body = function.module_model.body
    for name, value in body.flow.exit.items():
        if value.entity == Named("zlib"):
            return name, []
    for step in body.ir.steps():
        if not isinstance(step, ir.Import) or any(n.target.startswith("__future__") for n in step.names):
            continue
        if alone_on_line(function.module, step.span) and not indentation(function.module, step.span):
            return "zlib", [((step.span[0], step.span[0]), f"import zlib{line_ending(function.module)}")]
    return None
