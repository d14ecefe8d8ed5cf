"""Files that may be part of one program, judging by imports and packages."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Program

_DYNAMIC = ("importlib", "__import__", "entry_points", "hydra", "pkgutil", "runpy")
"""Names with which a file may run other files without importing them by name."""


class Programs:
    """Parts of the project: packages with all their files, and single files in no package.

    Two parts may run in one process if one imports the other, or a third imports both. Files that do not communicate
    are not read, and may import any two; but files that are programs themselves are hardly ever imported.
    """

    def __init__(self, project: Program) -> None:
        self._project = project
        self._together: dict[str, frozenset[str]] = {}
        self._parts: dict[str, str] = {}

    def may_run_with(self, path: str, part: str) -> bool:
        """Whether a part may run in one process with a file."""
        return part in self._with(path) or not self._is_program(part)

    def _is_program(self, part: str) -> bool:
        """Whether a file in no package communicates when it is run, or imported."""
        is_file = self._project.module(part) is not None
        return is_file and self._project.summaries.function_may_communicate((part, "<module>"))

    def _with(self, path: str) -> frozenset[str]:
        start = self.part(path)
        if start not in self._together:
            users = _closure({start}, self._users)
            found = _closure(users, self._used)
            everything = bool(found & self._dynamic)
            self._together[start] = frozenset(self._used) if everything else frozenset(found)
        return self._together[start]

    def part(self, path: str) -> str:
        """The folder of the outermost package that a file belongs to, or the file."""
        if path not in self._parts:
            found, folder = path, os.path.dirname(path)
            while self._project.module(os.path.join(folder, "__init__.py")) is not None:
                found, folder = folder, os.path.dirname(folder)
            self._parts[path] = found
        return self._parts[path]

    @cached_property
    def _used(self) -> dict[str, set[str]]:
        """The parts that each part imports."""
        found: dict[str, set[str]] = {}
        for model in self._project.modules():
            used = found.setdefault(self.part(model.ir.path), set())
            used.update(map(self.part, self._project.imported_files(model.ir)))
        return found

    @cached_property
    def _users(self) -> dict[str, set[str]]:
        """The parts that import each part."""
        found: dict[str, set[str]] = {}
        for part, used in self._used.items():
            for other in used:
                found.setdefault(other, set()).add(part)
        return found

    @cached_property
    def _dynamic(self) -> frozenset[str]:
        return frozenset(self.part(model.ir.path) for model in self._project.modules() if model.mentions(_DYNAMIC))


def _closure(start: set[str], edges: dict[str, set[str]]) -> set[str]:
    seen, stack = set(start), list(start)
    while stack:
        for other in edges.get(stack.pop(), ()):
            if other not in seen:
                seen.add(other)
                stack.append(other)
    return seen
