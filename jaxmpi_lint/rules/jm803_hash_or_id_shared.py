"""JM803: communication arguments computed with `hash()` or `id()`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.checks.base import InFunctions
from jaxmpi_lint.checks.nondeterminism.hashed_arguments import HashedArgument, hashed_arguments, take_checksum
from jaxmpi_lint.checks.nondeterminism.hashed_seeds import hashed_seeds
from jaxmpi_lint.checks.nondeterminism.hashed_shares import HashedShare, functions, hashed_shares
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def _found(function: Function) -> Iterator[HashedArgument | HashedShare]:
    yield from hashed_arguments(function)
    yield from hashed_shares(function)
    yield from hashed_seeds(function)


class HashOrIdShared(CheckRule):
    """Communication argument computed with `hash()` or `id()`.

    ## What it does
    Reports builtin `hash()` of strings (or of tuples and other values that contain strings) and `id()` of any object,
    where the result determines a tag, a peer, a root, the colour or key of `Split`, or the name of a barrier, directly
    or through variables, attributes and functions of the project.

    Also reports a `hash()` by which each rank selects its share of the elements (`hash(name) % size == rank`), or by
    which it puts keys into the tables that it passes to `alltoall`.

    With severity warning, it reports a `hash()` of a text in the seed of random numbers, as in
    `default_rng(hash(name))` and `jax.random.fold_in(key, hash(name))`, unless the rank is in the seed as well.

    ## Why is this bad?
    Python salts string hashes differently in every process, and `id` is a memory address. Each process computes a
    different number: messages never match, `Split` puts each process into a group of one, barriers with different names
    block forever. Shares that are selected by hashes overlap, and some elements are in none; equal keys that ranks
    exchange reach different ranks. Random numbers that all ranks are to draw alike, as the parameters of a network,
    differ.

    ## Example
    ```python
    group = comm.Split(color=hash(material) % 1000, key=comm.rank)
    ```

    ## Use instead
    ```python
    group = comm.Split(color=zlib.crc32(material.encode()) % 1000, key=comm.rank)
    ```

    ## Fix safety
    Unsafe: the fix uses a checksum of the string (of the `repr` of other values), which gives different numbers from
    `hash`, and may collide for different values. There is no fix for `id`.

    ## Confidence
    High when the argument is provably a string, or `id` is called. When its type is unknown, medium, and low for shares
    and tables. Medium for seeds, since the numbers may be for data that one process alone has. Silent for numbers, for
    tuples of numbers, for classes that define `__hash__`, and for a value that is the result of communication.

    ## Known false negatives
    Hashes that pass through containers filled elsewhere, or through other libraries. Programs that are always started
    with a fixed `PYTHONHASHSEED` need a suppression.

    ## References
    Python reference, data model, `object.__hash__`: hash values of `str` and `bytes` are salted. MPI 4.1, section 3.2.3
    (message envelope) and section 7.4.2 (`MPI_Comm_split`).
    """

    code = "JM803"
    name = "hash-or-id-shared"
    severity = Severity.ERROR
    specificity = 100
    sanitizer = ("JS101", "JS102", "JS103", "JS104", "JS109", "JS112", "JS506")
    fix = Applicability.UNSAFE
    detect = InFunctions(_found, functions)
    repair = take_checksum
    message = (
        "`{d.parameter}` of `{d.operation.method}` differs between processes:"
        " `hash()` is salted differently in every process"
    )
    remedy = "compute it from the content, `zlib.crc32(text.encode())`, or broadcast a number with `bcast`"
    variants: ClassVar = {
        "id": Variant(
            "`{d.parameter}` of `{d.operation.method}` differs between processes: `id()` is an address in this process"
        ),
        "share": Variant(
            "`{d.text}` differs between processes, so each rank assigns the elements to different ranks",
            "assign them by their content, `zlib.crc32(text.encode()) % size`, or by their position in a sorted list",
        ),
        "seed": Variant(
            "`{d.text}` differs between processes, so each process draws different random numbers with this seed",
            "compute the seed from the content: `zlib.crc32(text.encode())`",
            severity=Severity.WARNING,
        ),
    }

    VALID = (
        """
        import zlib
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        group = comm.Split(color=zlib.crc32(b"copper") % 1000, key=comm.rank)
        after = (comm.rank + 1) % comm.size
        before = (comm.rank - 1) % comm.size
        comm.sendrecv(1, dest=after, sendtag=hash(comm.rank) % 10, source=before, recvtag=hash(before) % 10)
        comm.sendrecv(1, dest=after, sendtag=hash((3, 4)) % 10, source=before, recvtag=hash((3, 4)) % 10)
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
        """
        from mpi4py import MPI

        def share(comm, files):
            return [name for name in files if hash(str(name)) % comm.size == comm.rank]  #! JM803
        """,
    )
