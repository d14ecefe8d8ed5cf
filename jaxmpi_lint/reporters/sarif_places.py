"""Positions in SARIF's terms: artifacts, regions, locations (SARIF 2.1.0, sections 3.4, 3.24, 3.28, 3.30)."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from jaxmpi_lint.findings.diagnostics import Diagnostic, Position, Related

Value = dict[str, object]
ROOT = "SRCROOT"
_UNRESERVED = "/-._~"


class Artifacts:
    """The files of a run, in the order of their first mention."""

    def __init__(self) -> None:
        self._indices: dict[str, int] = {}

    def location(self, filename: str) -> Value:
        """The artifactLocation of a file."""
        index = self._indices.setdefault(filename, len(self._indices))
        return {**_address(filename), "index": index}

    def values(self) -> list[Value]:
        """The artifact objects of all files mentioned."""
        return [self._artifact(filename) for filename in self._indices]

    def _artifact(self, filename: str) -> Value:
        if filename.endswith(".ipynb"):
            return {"location": self.location(filename), "mimeType": "application/x-ipynb+json"}
        return {"location": self.location(filename), "mimeType": "text/x-python", "sourceLanguage": "python"}

    def finding(self, diagnostic: Diagnostic) -> Value:
        """The location of a finding."""
        return self._location(diagnostic.filename, diagnostic.cell, diagnostic.start, diagnostic.end)

    def step(self, step: Related) -> Value:
        """The location of a step, with its message."""
        return {**self._location(step.filename, step.cell, step.start, None), "message": {"text": step.message}}

    def _location(self, filename: str, cell: int | None, start: Position, end: Position | None) -> Value:
        place: Value = {"artifactLocation": self.location(filename)}
        if cell is None:
            return {"physicalLocation": {**place, "region": region(start, end)}}
        # Rows of a cell are not rows of the JSON file: the region is its start, the cell is in the property bag.
        return {
            "physicalLocation": {**place, "region": {"startLine": 1}},
            "logicalLocations": [{"name": f"cell {cell}", "fullyQualifiedName": f"{Path(filename).name}:cell {cell}"}],
            "properties": {"cell": cell, "region": region(start, end)},
        }


def region(start: Position, end: Position | None) -> Value:
    """A region; SARIF's columns, like ours, start at 1 and the end column is the one after the last character."""
    value: Value = {"startLine": start.row, "startColumn": start.column}
    if end is not None:
        value |= {"endLine": end.row, "endColumn": end.column}
    return value


def _address(filename: str) -> Value:
    """A URI relative to the directory of the run, or an absolute one for a file outside of it."""
    path = Path(filename)
    if path.is_absolute() or ".." in path.parts:
        return {"uri": Path(os.path.abspath(path)).as_uri()}
    return {"uri": quote(os.fsencode(path.as_posix()), safe=_UNRESERVED), "uriBaseId": ROOT}
