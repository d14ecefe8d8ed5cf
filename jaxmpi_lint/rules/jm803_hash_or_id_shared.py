"""JM803."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.nondeterminism.hash_provenance import Hash
from jaxmpi_lint.analysis.nondeterminism.hash_values import HashSearch, ProcessHash
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity
from jaxmpi_lint.rewrite.source_edits import alone_on_line, indentation, line_ending
from jaxmpi_lint.rules.base import Example, Finding, OperationRule, Repair, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_AGREED = frozenset({"color", "key", "name", "barrier_id", "service_name", "sendtag", "recvtag", "tag", "root"})


class HashOrIdShared(OperationRule):
    """Tag, colour, key, root, peer or name of a communication computed with `hash()` or `id()`.

    ## What it does
    Reports builtin `hash()` of text (or of tuples and other values with text in them) and `id()` of anything where the
    result decides a tag, a peer, a root, the colour or key of `Split`, or the name of a barrier, directly or through
    variables, fields and functions of the project.

    ## Why is this bad?
    Python salts the hashes of text anew in every process, and `id` is an address. Each process computes a number of
    its own: messages never match, `Split` puts processes into groups of one, barriers with different names wait for
    ever.

    ## Example
    ```python
    group = comm.Split(color=hash(material) % 1000, key=comm.rank)
    ```

    ## Use instead
    ```python
    group = comm.Split(color=zlib.crc32(material.encode()) % 1000, key=comm.rank)
    ```

    ## Fix safety
    Unsafe: the fix takes a checksum of the text (of the `repr` of other values), which gives other numbers than `hash`
    did, and equal numbers for other values. There is no fix for `id`.

    ## How sure
    High when the argument is visibly text, or `id` is called; medium when nothing is known of it. Silent for numbers,
    for tuples of numbers, for classes with a `__hash__` of their own, and for a value that came out of communication.

    ## Known misses
    Hashes that travel through containers filled elsewhere, or through other libraries; programs that are always
    started with a fixed `PYTHONHASHSEED` need a suppression.

    ## References
    Python reference, data model, `object.__hash__`: hash values of `str` and `bytes` are salted. MPI 4.1, section 3.2.3
    (message envelope) and section 7.4.2 (`MPI_Comm_split`).
    """

    code = "JM803"
    name = "hash-or-id-shared"
    severity = Severity.ERROR
    sanitizer = ("JS101", "JS102", "JS103", "JS104", "JS109", "JS112", "JS506")
    fix = Applicability.UNSAFE

    VALID = (
        """
        import zlib
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        group = comm.Split(color=zlib.crc32(b"copper") % 1000, key=comm.rank)
        comm.send(1, dest=0, tag=hash(comm.rank) % 10)
        comm.send(1, dest=0, tag=hash((comm.rank, 3)) % 10)
        """,
        """
        from mpi4py import MPI

        def colour(comm, name):
            number = hash(name) % 100
            number = comm.bcast(number)
            return comm.Split(number, comm.rank)
        """,
    )
    INVALID = (
        Example(
            """
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            MATERIALS = ("copper", "steel")
            material = MATERIALS[comm.rank % 2]
            group = comm.Split(color=hash(material) & 0x7FFFFFFF, key=comm.rank)  #! JM803
            """,
            """
            import zlib
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            MATERIALS = ("copper", "steel")
            material = MATERIALS[comm.rank % 2]
            group = comm.Split(color=zlib.crc32(material.encode()) & 0x7FFFFFFF, key=comm.rank)
            """,
        ),
        """
        import mpi4py.MPI as mpi

        def number(name):
            return hash(name) % 1024

        class Channel:
            def __init__(self, comm, name):
                self.comm = comm
                self.tag = number(name)

            def send(self, value):
                self.comm.send(value, dest=0, tag=self.tag)  #! JM803
        """,
    )

    def check_function(self, function: Function) -> Iterator[Finding]:
        """One finding for each call whose agreed arguments come from a hash."""
        seen: set[ir.Span] = set()
        for _, bound, env in operation_steps(function, lambda bound: any(True for _ in _agreed_arguments(bound))):
            for parameter, argument in _agreed_arguments(bound) if bound.call.span not in seen else ():
                source = next(HashSearch().sources(function, argument, env), None)
                if source is not None:
                    seen.add(bound.call.span)
                    yield self._finding(function, bound, parameter, argument, source)
                    break

    def _finding(
        self, function: Function, bound: BoundCall, parameter: str, argument: ir.Expression, source: ProcessHash
    ) -> Finding:
        assert bound.operation is not None
        what = "salted anew in every process" if source.builtin == "hash" else "an address in this process"
        found = source.function.module
        return self.finding(
            function.module,
            argument.span,
            f"every process passes another `{parameter}` to `{bound.operation.method}`: `{source.builtin}()` is {what}",
            steps=(
                Step(found, source.call.span, f"`{found.source(source.call.span)}` differs from process to process"),
                Step(function.module, bound.call.span, f"the processes have to agree on `{parameter}`"),
            ),
            remedy="compute it from the content: `zlib.crc32(text.encode())`, or a number agreed by `bcast`",
            repair=_repair(function, argument, source),
            confidence=Confidence.MEDIUM if source.kind is Hash.UNKNOWN else Confidence.HIGH,
        )


def _agreed_arguments(bound: BoundCall) -> Iterator[tuple[str, ir.Expression]]:
    """The arguments on which the processes have to agree, in the order of the call's parameters."""
    operation = bound.operation
    if operation is None or not (operation.communicates or "service_name" in operation.parameters):
        return
    own = {operation.tag, operation.source, operation.destination, operation.root}
    for parameter in operation.parameters:
        argument = bound.argument(parameter) if parameter in own or parameter in _AGREED else None
        if argument is not None:
            yield parameter, argument


def _repair(function: Function, argument: ir.Expression, source: ProcessHash) -> Repair | None:
    module = function.module
    if source.builtin != "hash" or source.function.module is not module:
        return None
    hashed = source.call.args[0].value
    text = module.source(hashed.span)
    is_name = isinstance(hashed, (ir.Name, ir.Attribute, ir.Subscript))
    is_text = source.kind is Hash.SALTED and is_name
    checksum = _checksum(function)
    if checksum is None:
        return None
    name, edits = checksum
    sum_of = f"{name}.crc32({text if is_text else f'repr({text})'}.encode())"
    if argument.span == source.call.span:
        sum_of = f"{sum_of} & 0x7FFFFFFF"
    edits.append((source.call.span, sum_of))
    return Repair(Applicability.UNSAFE, "use a checksum of the content", tuple(edits))


def _checksum(function: Function) -> tuple[str, list[tuple[ir.Span, str]]] | None:
    """The name of module ``zlib`` here, and the edit that imports it in front of another import of the module."""
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
