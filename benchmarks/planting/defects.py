"""Planted defects: those of a tree, and a selection by a seed."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from planting.edits import Helpers, written
from planting.graph import MODULE, Graph, Place
from planting.kinds import KINDS
from planting.sites import File, Site, chained, read

DISTANCES = ("0", "1", "2", "3", "object")
_RELEVANT = re.compile(r"\bMPI\b|mpi4py|\b\w*comm\b|COMM_WORLD")
_SKIPPED = {".git", ".tox", ".venv", "node_modules", "site-packages"}


@dataclass(frozen=True)
class Tree:
    """A parsed checkout."""

    folder: Path
    graph: Graph
    files: dict[str, File]
    sites: tuple[Site, ...]

    @property
    def name(self) -> str:
        """``owner__repository``."""
        return self.folder.name


@dataclass(frozen=True)
class Defect:
    """A planted defect: one changed file of one tree."""

    identifier: str
    kind: str
    distance: str
    tree: str
    place: Place
    chain: tuple[Place, ...]
    real_chain: bool
    form: str
    by_rank: bool
    entry: str  # from where the tree reaches the function, empty if it does not
    entry_file: str
    row: int
    before: str = field(repr=False)
    after: str = field(repr=False)
    helpers: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The changed file, relative to the tree."""
        return self.place[0]

    @property
    def part(self) -> str:
        """What is linted: the top-level folder of the file, its chain and its entry, else all of the tree."""
        names = [self.file, self.entry_file, *(file for file, _ in self.chain)]
        folders = {name.split("/")[0] if "/" in name else "." for name in names}
        return folders.pop() if len(folders) == 1 else "."

    @property
    def reached(self) -> bool:
        """Whether something in the tree reaches the function."""
        return bool(self.entry)

    def difference(self) -> str:
        """The change as a unified diff."""
        lines = (self.before.splitlines(keepends=True), self.after.splitlines(keepends=True))
        return "".join(difflib.unified_diff(*lines, self.file, self.file, n=6))


def read_tree(folder: Path) -> Tree:
    """Parse the files of a checkout that mention communication, and build its graph."""
    paths = [one for one in folder.rglob("*.py") if one.is_file() and not _SKIPPED & {*one.parts}]
    names = sorted(one.relative_to(folder).as_posix() for one in paths)
    files = {}
    for name in names:
        text = _text(folder / name)
        parsed = read(name, text) if text is not None and _RELEVANT.search(text) else None
        if parsed is not None:
            files[name] = parsed
    graph = Graph(folder, names)
    own = [site for file in files.values() for site in file.sites]
    return Tree(folder, graph, files, (*own, *chained([*files.values()], graph, 3)))


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def select(trees: Sequence[Tree], seed: int, each: int, kinds: Sequence[str] = ()) -> Iterator[Defect]:
    """At most ``each`` defects of every kind at every distance, from as many trees as possible."""
    for kind in kinds or KINDS:
        for distance in DISTANCES:
            random = Random(f"{seed} {kind} {distance}")
            yield from _cell(trees, kind, distance, f"{seed}-{kind.replace(' ', '-')}-{distance}", each, random)


def _cell(trees: Sequence[Tree], kind: str, distance: str, prefix: str, each: int, random: Random) -> Iterator[Defect]:
    waiting = [(tree, _ordered(tree, distance, random)) for tree in trees]
    random.shuffle(waiting)
    number = 0
    used: set[tuple[str, Place]] = set()
    while waiting:
        left = []
        for tree, sites in waiting:
            defect = _first(tree, sites, kind, distance, f"{prefix}-{number + 1}", random, used)
            if defect is None:
                continue
            number += 1
            yield defect
            if number == each:
                return
            left.append((tree, sites))
        waiting = left


def _ordered(tree: Tree, distance: str, random: Random) -> list[Site]:
    """The sites in random order, real chains of calls last: they are taken from the end."""
    real = [site for site in tree.sites if site.depth and _fits(site, distance)]
    made = [site for site in tree.sites if not site.depth]
    random.shuffle(real)
    random.shuffle(made)
    return [*made, *real]


def _fits(site: Site, distance: str) -> bool:
    return site.through_object if distance == "object" else distance == str(site.depth) and not site.through_object


def _first(
    tree: Tree,
    sites: list[Site],
    kind: str,
    distance: str,
    identifier: str,
    random: Random,
    used: set[tuple[str, Place]],
) -> Defect | None:
    """The next site that can have the defect, one for each function."""
    while sites:
        site = sites.pop()
        if (tree.name, site.place) in used:
            continue
        defect = plant(tree, site, kind, distance, identifier, random)
        if defect is not None:
            used.add((tree.name, site.place))
            return defect
    return None


def plant(tree: Tree, site: Site, kind: str, distance: str, identifier: str, random: Random) -> Defect | None:
    """The defect of a kind at a site, None if the site cannot have it."""
    file = tree.files[site.place[0]]
    edit = KINDS[kind](file, site, random) if site.rank else None
    result = written(file, site, edit, distance) if edit is not None else None
    if edit is None or result is None:
        return None
    after, helpers = result
    before = file.module.code
    if after == before or not _compiles(after):
        return None
    entry = tree.graph.entries.get(site.place, ("", site.place[0]))
    real = site.depth > 0
    return Defect(
        identifier, kind, distance, tree.name, site.place, site.chain, real, edit.form, edit.by_rank, *entry,
        _row(before, after, helpers), before, after, helpers.names,
    )  # fmt: skip


def _compiles(text: str) -> bool:
    try:
        compile(text, "planted", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _row(before: str, after: str, helpers: Helpers) -> int:
    """The first changed row of the new text, after the helpers."""
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    changes = [one for one in matcher.get_opcodes() if one[0] != "equal"]
    if len(changes) > 1 and helpers.text:
        return changes[1][3] + 1
    return changes[0][3] + 1 if changes else 1


def by_cell(defects: Sequence[Defect]) -> dict[tuple[str, str], list[Defect]]:
    """The defects by kind and distance."""
    cells: defaultdict[tuple[str, str], list[Defect]] = defaultdict(list)
    for one in defects:
        cells[one.kind, one.distance].append(one)
    return dict(cells)


__all__ = ["DISTANCES", "KINDS", "MODULE", "Defect", "Tree", "by_cell", "plant", "read_tree", "select"]
