"""Whether a program that uses a library of divided meshes, vectors or cells is written for several processes."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Program

_SIGN = re.compile(
    r"\.(?:[gG]et_?[rR]ank|rank|id(?=\()|nhost|[bB]arrier|[bB]cast|[aA]ll(?:reduce|gatherv?)|[rR]educe|py_\w+)\b"
)


class ParallelUse:
    """The files with a sign of several processes, and the files that they import."""

    def __init__(self, project: Program) -> None:
        self._project = project

    def covers(self, path: str) -> bool:
        """Whether the communication of such a library counts in a file."""
        return path in self._files

    @cached_property
    def _files(self) -> frozenset[str]:
        found: set[str] = set()
        waiting = [model.ir.path for model in self._project.modules() if _SIGN.search(model.ir.text)]
        while waiting:
            path = waiting.pop()
            model = self._project.module(path)
            if path not in found and model is not None:
                found.add(path)
                waiting += self._project.imported_files(model.ir)
        return frozenset(found)
