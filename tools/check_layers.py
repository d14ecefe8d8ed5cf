"""Check imports against tools/layers.toml: no module imports one of a higher layer, and there are no import cycles.

    python tools/check_layers.py [--root FOLDER]

Every import counts: at the top of a module, inside a function, and for type checkers only. The exit status is 1 if an
import goes upward or to the other side, modules import each other in a cycle, or a module lies in no layer.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import networkx

PACKAGE = "jaxmpi_lint"
VERSION = "__init__"  # the module that has it, without the name of the package
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True, order=True)
class Import:
    """A module that imports a different one, and the row of the import."""

    importer: str
    row: int
    imported: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a package lies: in the linter or in the sanitizer, and at which height, 0 being the highest."""

    stack: int
    height: int
    package: str


class Layers:
    """The order of packages of the linter and of the sanitizer, the highest first."""

    def __init__(
        self,
        stacks: Sequence[Sequence[Sequence[str]]],
        sides: Sequence[Sequence[str]] = (),
        permitted: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        self._places = {
            package: Place(stack, height, package)
            for stack, rows in enumerate(stacks)
            for height, row in enumerate(rows)
            for package in row
        }
        self._sides = {package: side for side, packages in enumerate(sides) for package in packages}
        self._permitted = permitted

    def place(self, module: str) -> Place | None:
        """The place of the package of a module; None if it lies in no layer."""
        name = module
        while name and name not in self._places:
            name = name.rpartition(".")[0]
        return self._places.get(name)

    def allows(self, importer: str, imported: str) -> bool:
        """Whether one module may import the other."""
        above, below = self.place(importer), self.place(imported)
        if above is None or below is None:
            return False
        if above.stack != below.stack:
            return imported == VERSION or importer in self._permitted.get(imported, ())
        sides = {self._sides.get(place.package) for place in (above, below)} - {None}
        return len(sides) < 2 and (above.package == below.package or above.height < below.height)


def main() -> int:
    """Read, check, print."""
    root = _arguments().root
    document = tomllib.loads((root / "tools" / "layers.toml").read_text(encoding="utf-8"))
    layers = Layers((document["layers"], document["sanitizer"]), document["sides"], document["open"])
    modules = dict(_modules(root / PACKAGE))
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
    parser = argparse.ArgumentParser(description="Check the imports of the package against tools/layers.toml.")
    parser.add_argument("--root", type=Path, default=ROOT, metavar="FOLDER", help="the repository (default: this one)")
    return parser.parse_args()


def _modules(package: Path) -> Iterator[tuple[str, Path]]:
    """Every module below the package, by its name without that of the package."""
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        inner = parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts
        yield ".".join(inner), path


def imports_of(module: str, path: Path, known: Mapping[str, Path]) -> Iterator[Import]:
    """The modules of the package that a file imports anywhere."""
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
    return VERSION


def circles(imports: Sequence[Import]) -> list[list[str]]:
    """Groups of modules each of which imports all the others, directly or indirectly."""
    graph = networkx.DiGraph((found.importer, found.imported) for found in imports)
    groups = networkx.strongly_connected_components(graph)
    return sorted(sorted(group) for group in groups if len(group) > 1)


if __name__ == "__main__":
    sys.exit(main())
