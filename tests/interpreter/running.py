"""Runs the worlds of programs given as text."""

from __future__ import annotations

from pathlib import Path

from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.interpreter.entries import entries
from jaxmpi_lint.interpreter.exploration import explore
from jaxmpi_lint.interpreter.explored import Explored
from jaxmpi_lint.interpreter.program import Program
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources.discovery import Tree

_ROOT = "/example"


def explored(texts: str | dict[str, str]) -> list[Explored]:
    """What the worlds of each entry show; a single text is the file ``main.py``."""
    files = {"main.py": texts} if isinstance(texts, str) else texts
    contents = {f"{_ROOT}/{name}": text.encode() for name, text in files.items()}
    request = Request(Settings(root=Path(_ROOT)), tuple(Path(path) for path in contents), _ROOT, contents)
    program = Program(Engine(request, tree=Tree(_ROOT)).read({}).project)
    return [explore(program, entry) for entry in entries(program)]


def faults(texts: str | dict[str, str], certainty: int = 2) -> set[tuple[str, int]]:
    """Kinds and rows of the faults of a certainty or a higher one; no world may be cut."""
    results = explored(texts)
    assert results
    assert [cut.cut for one in results for cut in one.cuts] == []
    return {
        (found.fault.kind.value, found.fault.place.row)
        for one in results
        for found in one.found
        if found.certainty >= certainty
    }


def sure_kinds(texts: str) -> set[str]:
    """The kinds of the faults that are certain."""
    return {kind for kind, _ in faults(texts, certainty=3)}
