"""Findings and reports that the tests of the reporters share."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import (
    Applicability,
    Confidence,
    Diagnostic,
    Edit,
    Fix,
    Position,
    Related,
    Severity,
)
from jaxmpi_lint.findings.model import RuleInfo, Suppressed
from jaxmpi_lint.reporters.report import Report

TRAIN = (
    "\n" * 37
    + """    rank = comm.Get_rank()

    if rank == 0:
        comm.bcast(config, root=0)
    log()

    comm.Barrier()
"""
)
HALO = "import mpi4jax\n\nfield, token = mpi4jax.allreduce(field, op=MPI.SUM)\n"
HELPER = "def exchange(value):\n    return process_allgather(value)\n"
NOTEBOOK = 'names = {"a", "b"}\nprint(names)\nx = 1\nfor name in names:\n    comm.bcast(name)\n'


def at(row: int, column: int) -> Position:
    return Position(row, column)


DIVERGENT = Diagnostic(
    code="JM101",
    name="collective-in-rank-branch",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    message="only rank 0 of `comm` reaches this `bcast`",
    filename="train.py",
    start=at(41, 9),
    end=at(41, 35),
    rows=(41, 41),
    related=(
        Related("train.py", at(38, 5), "rank-dependent: Get_rank of MPI.COMM_WORLD"),
        Related("train.py", at(40, 5), "ranks 1, 2, ... skip the block"),
        Related("train.py", at(41, 9), "collective on MPI.COMM_WORLD"),
        Related("train.py", at(44, 5), "they wait here instead"),
    ),
    remedy="move the call out of the branch; the sanitizer reports this as JS101",
)
TOKEN = Diagnostic(
    code="JM501",
    name="token-api",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    message="`allreduce` returns the array alone",
    filename="src/hälo 1.py",
    start=at(3, 16),
    end=at(3, 52),
    related=(Related("src/helper.py", at(2, 12), "collective over all processes"),),
    remedy="drop the token",
    fix=Fix(Applicability.SAFE, "drop the token", (Edit(at(3, 6), at(3, 13), ""),)),
)
ORDER = Diagnostic(
    code="JM801",
    name="unordered-iteration",
    severity=Severity.INFO,
    confidence=Confidence.LOW,
    message="a set decides the order of collectives",
    filename="run.ipynb",
    start=at(2, 5),
    end=at(2, 9),
    cell=2,
    related=(Related("run.ipynb", at(1, 1), "the set", cell=1),),
    fix=Fix(Applicability.UNSAFE, "sort it", (Edit(at(2, 13), at(2, 18), "sorted(names)"),)),
)
TEXTS = {"train.py": TRAIN, "src/hälo 1.py": HALO, "src/helper.py": HELPER, "run.ipynb": NOTEBOOK}
RULES = (
    RuleInfo(
        "JM101",
        "collective-in-rank-branch",
        Severity.ERROR,
        "Collective in a rank-dependent branch",
        "Collective in a rank-dependent branch.\n\n## What it does\n```python\nx\n```\n",
    ),
    RuleInfo("JM501", "token-api", Severity.WARNING, "Token API of mpi4jax", fix=Applicability.SAFE),
    RuleInfo("JM801", "unordered-iteration", Severity.WARNING, "Unordered iteration", preview=True),
)
EMPTY = Report(files=3)
FULL = Report((TOKEN, ORDER, DIVERGENT), TEXTS, {"run.ipynb": (1, 3)}, RULES, files=12, communicating=4, not_analysed=1)


def finding(message: str = "message", filename: str = "a.py", **changes: object) -> Diagnostic:
    """A finding without steps at the start of a file."""
    values: dict[str, object] = {
        "code": "JM101",
        "name": "collective-in-rank-branch",
        "severity": Severity.ERROR,
        "confidence": Confidence.HIGH,
        "start": at(1, 1),
        "end": at(1, 2),
        **changes,
    }
    return Diagnostic(message=message, filename=filename, **values)  # type: ignore[arg-type]


def suppressed(diagnostic: Diagnostic, reason: str = "") -> Suppressed:
    return Suppressed(diagnostic, reason)
