"""Check imports against tools/layers.toml: no module imports one of a higher layer, and there are no import cycles.

    python tools/check_layers.py [--root FOLDER]

Every import counts: at the top of a module, inside a function, and for type checkers only. The exit status is 1 if an
import goes upward, modules import each other in a cycle, or a module lies in no layer.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import networkx

PACKAGE = "jaxmpi_lint"
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True, order=True)
class Import:
    """A module that imports a different one, and the row of the import."""

    importer: str
    row: int
    imported: str


class Layers:
    """The order of packages, the highest first."""

    def __init__(
        self,
        rows: Sequence[Sequence[str]],
        apart: Sequence[str],
        permitted: Mapping[str, str],
    ) -> None:
        self._place = {package: (height, package) for height, row in enumerate(rows) for package in row}
        self._apart = tuple(apart)
        self._permitted = dict(permitted)

    def is_apart(self, module: str) -> bool:
        """Whether a module is outside the scope of the layers."""
        return any(module == name or module.startswith(f"{name}.") for name in self._apart)

    def place(self, module: str) -> tuple[int, str] | None:
        """The height (0 is the highest) and the package of a module; None if it lies in no layer."""
        name = module
        while name and name not in self._place:
            name = name.rpartition(".")[0]
        return self._place.get(name) if name or module in self._place else None

    def allows(self, importer: str, imported: str) -> bool:
        """Whether one module may import the other."""
        if self.is_apart(imported):
            return self._permitted.get(imported) == importer
        above, below = self.place(importer), self.place(imported)
        return above is not None and below is not None and (above[1] == below[1] or above[0] < below[0])


def main() -> int:
    """Read, check, print."""
    root = _arguments().root
    document = tomllib.loads((root / "tools" / "layers.toml").read_text(encoding="utf-8"))
    layers = Layers(document["layers"], document["apart"], document["open"])
    modules = {name: path for name, path in _modules(root / PACKAGE) if not layers.is_apart(name)}
    imports = sorted({found for name, path in modules.items() for found in imports_of(name, path, modules)})
    homeless = sorted(name for name in modules if layers.place(name) is None)
    upward = [found for found in imports if not layers.allows(found.importer, found.imported)]
    found = circles(imports)
    for name in homeless:
        print(f"{name}: in no layer of tools/layers.toml")
    for one in upward:
        print(f"{one.importer}, line {one.row}: imports {one.imported}, which is not below it")
    for circle in found:
        print(f"cycle of {len(circle)}: {' '.join(circle)}")
    print(f"{len(upward)} upward imports, {len(found)} cycles")
    return int(bool(homeless or upward or found))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Check the imports of the linter against tools/layers.toml.")
    parser.add_argument("--root", type=Path, default=ROOT, metavar="FOLDER", help="the repository (default: this one)")
    return parser.parse_args()


def _modules(package: Path) -> Iterator[tuple[str, Path]]:
    """Every module below the package, by its name without that of the package."""
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        inner = parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts
        yield ".".join(inner), path


def imports_of(module: str, path: Path, known: Mapping[str, Path]) -> Iterator[Import]:
    """The modules of the package, or outside the scope of the layers, that a file imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for name in _named(node):
            imported = _module_of(name, known)
            if imported != module:
                yield Import(module, getattr(node, "lineno", 1), imported)


def _named(node: ast.AST) -> Iterator[str]:
    """Dotted names that an import statement names below the package, without the package's own name."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    else:
        return
    for name in names:
        first, _, rest = name.partition(".")
        if first == PACKAGE:
            yield rest


def _module_of(name: str, known: Mapping[str, Path]) -> str:
    """The module that contains a dotted name: itself, or its longest prefix that is a module."""
    shorter = name
    while shorter:
        if shorter in known:
            return shorter
        shorter = shorter.rpartition(".")[0]
    return name if name.startswith("runtime") else "__init__"


def circles(imports: Sequence[Import]) -> list[list[str]]:
    """Groups of modules each of which imports all the others, directly or indirectly."""
    graph = networkx.DiGraph((found.importer, found.imported) for found in imports)
    groups = networkx.strongly_connected_components(graph)
    return sorted(sorted(group) for group in groups if len(group) > 1)


if __name__ == "__main__":
    sys.exit(main())
