"""The functions of a tree, whom they call, and which of them something in the tree reaches."""

from __future__ import annotations

import ast
import re
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

MODULE = "<module>"
_SHARED = 12  # a method name that more classes have says nothing about the class
_EXAMPLE = re.compile(r"example|demo|tutorial|script", re.IGNORECASE)

Place = tuple[str, str]
"""A function: its file and its qualified name."""


@dataclass
class Function:
    """What the text of a function refers to; nested functions are apart from it."""

    place: Place
    owner: str  # the class whose method it is
    references: set[str] = field(default_factory=set)


class Graph:
    """All functions of a tree by file and qualified name."""

    def __init__(self, root: Path, files: list[str]) -> None:
        self.functions: dict[Place, Function] = {}
        self._imports: dict[str, dict[str, tuple[str, str]]] = {}
        self._starred: defaultdict[str, list[str]] = defaultdict(list)
        self._methods: defaultdict[str, list[Place]] = defaultdict(list)
        self._modules = {name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name for name in files}
        for name in files:
            tree = _parsed(root / name)
            if tree is not None:
                self._imports[name] = dict(self._imported(name, tree))
                self._read(name, tree, MODULE, "")
        self.entries = self._reached()

    def _read(self, file: str, node: ast.AST, scope: str, owner: str) -> None:
        place = (file, scope)
        function = self.functions.setdefault(place, Function(place, owner))
        for child in ast.iter_child_nodes(node):
            self._child(file, child, function)

    def _child(self, file: str, child: ast.AST, function: Function) -> None:
        scope = function.place[1]
        prefix = "" if scope == MODULE else f"{scope}."
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in child.decorator_list:
                self._child(file, decorator, function)
            self._read(file, child, f"{prefix}{child.name}", "")
            if prefix:
                function.references.add(child.name)
        elif isinstance(child, ast.ClassDef):
            self._class(file, child, f"{prefix}{child.name}", function)
        else:
            if isinstance(child, ast.Name | ast.Attribute):
                text = _dotted(child)
                if text:
                    function.references.add(text)
            for further in ast.iter_child_nodes(child):
                self._child(file, further, function)

    def _class(self, file: str, node: ast.ClassDef, qualified: str, function: Function) -> None:
        for child in node.body:
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                place = (file, f"{qualified}.{child.name}")
                self.functions[place] = Function(place, qualified)
                self._methods[child.name].append(place)
                self._read(file, child, place[1], qualified)
            else:
                self._child(file, child, function)

    def _imported(self, file: str, tree: ast.Module) -> Iterator[tuple[str, tuple[str, str]]]:
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                module = self._module(file, node.module or "", node.level)
                for alias in node.names:
                    if alias.name == "*" and module is not None:
                        self._starred[file].append(module)
                    inner = self._module(file, f"{node.module or ''}.{alias.name}".strip("."), node.level)
                    if inner is not None:
                        yield alias.asname or alias.name, (inner, "")
                    elif module is not None:
                        yield alias.asname or alias.name, (module, alias.name)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    module = self._module(file, alias.name, 0)
                    if module is not None:
                        yield alias.asname or alias.name, (module, "")

    def _module(self, file: str, name: str, level: int) -> str | None:
        folder = file.split("/")[:-1]
        if level:
            parts = [*folder[: len(folder) - level + 1], *(name.split(".") if name else [])]
            return self._modules.get(".".join(parts))
        for depth in range(len(folder), -1, -1):
            found = self._modules.get(".".join([*folder[:depth], name]))
            if found is not None:
                return found
        ends = [path for module, path in self._modules.items() if module.endswith(f".{name}")]
        return ends[0] if len(ends) == 1 else None

    def resolve(self, place: Place, text: str) -> list[Place]:
        """The functions that a dotted name in a function can be: a class is its ``__init__``."""
        file, scope = place
        first, _, rest = text.partition(".")
        if first == "self" and rest and "." not in rest:
            owner = self.functions[place].owner if place in self.functions else ""
            own = (file, f"{owner}.{rest}")
            return [own] if own in self.functions else self._by_method(rest)
        if not rest:
            parts = [] if scope == MODULE else scope.split(".")
            for depth in range(len(parts), -1, -1):
                found = self._named(file, ".".join([*parts[:depth], first]))
                if found:
                    return found
        if first in self._imports.get(file, {}):
            module, name = self._imports[file][first]
            found = self._named(module, ".".join(filter(None, (name, rest))))
            return found or (self._by_method(text.rpartition(".")[2]) if rest and name else [])
        return self._by_method(text.rpartition(".")[2]) if rest else []

    def _by_star(self, file: str, name: str) -> list[Place]:
        return [place for module in self._starred.get(file, ()) for place in self._named(module, name)]

    def _named(self, file: str, name: str) -> list[Place]:
        return [place for place in ((file, name), (file, f"{name}.__init__")) if place in self.functions]

    def _by_method(self, name: str) -> list[Place]:
        found = self._methods.get(name, [])
        return found if len(found) <= _SHARED and not name.startswith("__") else []

    def _reached(self) -> dict[Place, tuple[str, str]]:
        """The entry from which each function is reached, the first of main, example, module level, test; its file."""
        found: dict[Place, tuple[str, str]] = {}
        roots = [(_entry(place), place) for place in self.functions]
        for kind in ("main", "example", "module level", "test"):
            waiting = deque((place, place[0]) for label, place in roots if label == kind)
            while waiting:
                place, file = waiting.popleft()
                if place not in found:
                    found[place] = kind, file
                    for text in self.functions[place].references:
                        called = self.resolve(place, text) or self._by_star(place[0], text)
                        waiting.extend((one, file) for one in called)
        return found


def _entry(place: Place) -> str:
    file, scope = place
    name = scope.rpartition(".")[2]
    if re.search(r"(^|[/_])tests?([/_.])", file):
        return "test" if scope == MODULE or name.startswith(("test", "train", "setUp", "setup")) else ""
    if scope == "main":
        return "main"
    if scope == MODULE:
        return "example" if _EXAMPLE.search(file) else "module level"
    return ""


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = _dotted(node.value)
        return f"{inner}.{node.attr}" if inner else f"_.{node.attr}"
    return ""


def _parsed(path: Path) -> ast.Module | None:
    try:
        return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
