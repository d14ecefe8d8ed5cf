"""Discovery of the files that are read, and of those that are reported.

The given paths select the reported files. The whole project around them is read, so that the findings do not depend on
whether a folder, one file, standard input or pre-commit selected them.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.sources import gitignore

SUFFIXES = (".py", ".ipynb")
_INTERPRETER, _LONGEST_LINE = re.compile(rb"#![^\n]*\bpython[\d.]*\b"), 200
PROJECT_FILE, REPOSITORY = "pyproject.toml", ".git"
MOST_FILES, MOST_ENTRIES = 200, 10_000  # a folder that holds more is not one program
SKIPPED_FOLDERS = frozenset(
    ".bzr .direnv .eggs .git .hg .ipynb_checkpoints .jaxmpi_lint_cache .mypy_cache .nox .pants.d .pyenv .pytest_cache"
    " .pytype .ruff_cache .svn .tox .venv .vscode __pycache__ __pypackages__ _build buck-out build dist node_modules"
    " site-packages dist-packages venv".split()
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A file as the folder listing shows it; ``problem`` is the reason why it cannot be read."""

    path: str
    modified: int = 0
    size: int = 0
    problem: str | None = None


@dataclass(slots=True)
class Tree:
    """The files of a project by path, the folders that could not be listed, and those that are other projects."""

    root: str
    files: dict[str, Entry] = field(default_factory=dict)
    unlisted: dict[str, str] = field(default_factory=dict)
    nested: list[str] = field(default_factory=list)


class TooMany(Exception):
    """A folder holds more files than a program without a project file has."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The ignore patterns that apply below ``folder``."""

    folder: str
    patterns: gitignore.Patterns

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """As ``Patterns.verdict``, for an absolute path below the folder."""
        return self.patterns.verdict(path[len(self.folder) + 1 :].replace(os.sep, "/"), is_folder)


def project_root(path: Path) -> Path:
    """The nearest folder with ``pyproject.toml`` or ``.git``; otherwise the package's outermost folder, otherwise the
    path's.
    """
    folder = path if path.is_dir() else path.parent
    for candidate in (folder, *folder.parents):
        if is_project(candidate):
            return candidate
    package = folder
    while (package / "__init__.py").is_file() and (package.parent / "__init__.py").is_file():
        package = package.parent
    return package


def is_bounded(folder: Path) -> bool:
    """Whether a folder is a project or a package, so that all of it belongs together."""
    return is_project(folder) or (folder / "__init__.py").is_file()


def is_project(folder: Path) -> bool:
    """Whether a folder has a project file or is a repository."""
    return (folder / PROJECT_FILE).is_file() or (folder / REPOSITORY).exists()


def is_source(path: str, name: str) -> bool:
    """Whether a file is Python: by its suffix, or as a command without one, by its first line."""
    return name.endswith(SUFFIXES) or ("." not in name and _is_command(path))


def _is_command(path: str) -> bool:
    """Whether a file may be executed and names Python as its interpreter; other files are not opened."""
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode) or not mode & stat.S_IXUSR:
            return False
        with open(path, "rb") as file:
            return _INTERPRETER.match(file.read(_LONGEST_LINE)) is not None
    except OSError:
        return False


def existing(argument: str) -> Path:
    """The absolute path of an argument of the command line, links in its folders resolved."""
    path = Path(argument)
    try:
        path.stat()
    except FileNotFoundError:
        if path.is_symlink():
            raise UserError(f"{argument}: broken symbolic link; remove it or give a different path") from None
        raise UserError(f"{argument}: no such file or folder; check the path") from None
    except OSError as error:
        raise UserError(f"{argument}: cannot be read ({error.strerror}); check the path") from None
    return Path(os.path.realpath(path))


def discover(root: Path, exclude: Sequence[str] = ()) -> Tree:
    """Every Python file, command and notebook of a project that neither ``.gitignore`` nor ``exclude`` excludes.

    Links are entered after everything else, and no folder twice, so that a file has one path and cycles end.
    """
    return _discovered(root, exclude, _Walk)


def discover_few(root: Path, exclude: Sequence[str] = ()) -> Tree:
    """The same without the repositories inside; raises ``TooMany`` where the folder is too large for one program."""
    return _discovered(root, exclude, _ShortWalk)


def _discovered(root: Path, exclude: Sequence[str], walking: type[_Walk]) -> Tree:
    tree = Tree(str(root))
    own = Layer(str(root), gitignore.Patterns(exclude))
    layers = (*_outer_layers(root), *_layer(str(root)))
    walk = walking(tree, own)
    walk.folder(str(root), layers)
    while walk.links:
        path, layers = walk.links.pop(0)
        walk.link(path, layers)
    return tree


def excluded(root: Path, path: str, exclude: Sequence[str]) -> bool:
    """Whether ``exclude`` excludes a path or one of its parent folders."""
    patterns = gitignore.Patterns(exclude)
    if not patterns or not path.startswith(f"{root}{os.sep}"):
        return False
    parts = path[len(str(root)) + 1 :].split(os.sep)
    prefixes = ["/".join(parts[: end + 1]) for end in range(len(parts))]
    return any(patterns.verdict(prefix, prefix != prefixes[-1]) for prefix in prefixes)


def entry_of(path: str) -> Entry:
    """The entry of one file, at any place."""
    try:
        status = os.stat(path)
    except OSError as error:
        return Entry(path, problem=_problem(path, error))
    if not stat.S_ISREG(status.st_mode):
        return Entry(path, problem="not a regular file")
    return Entry(path, status.st_mtime_ns, status.st_size)


class _Walk:
    """One traversal; remembers the folders and files that it has visited."""

    ends: tuple[str, ...] = (PROJECT_FILE,)  # a folder inside with one of these is another project

    def __init__(self, tree: Tree, own: Layer) -> None:
        self.tree = tree
        self.own = own
        self.seen: set[str] = set()
        self.links: list[tuple[str, tuple[Layer, ...]]] = []

    def folder(self, path: str, layers: tuple[Layer, ...]) -> None:
        """List a folder and those below it; ``layers`` includes the folder's own patterns."""
        pending = [(path, layers)]
        while pending:
            path, layers = pending.pop()
            if path in self.seen:
                continue
            self.seen.add(path)
            try:
                with os.scandir(path) as listing:
                    entries = sorted(listing, key=lambda item: item.name)
            except OSError as error:
                self.tree.unlisted[path] = error.strerror or str(error)
                continue
            self._count(entries)
            if path != self.tree.root and any(entry.name in self.ends for entry in entries):
                self.tree.nested.append(path)
                continue
            if path != self.tree.root:
                layers = (*layers, *(_layer(path) if any(e.name == ".gitignore" for e in entries) else ()))
            for entry in entries:
                if entry.is_symlink():
                    self.links.append((entry.path, layers))
                elif entry.is_dir():
                    if self._enters(entry.path, entry.name, layers):
                        pending.append((entry.path, layers))
                elif is_source(entry.path, entry.name) and not self._ignored(entry.path, False, layers):
                    status = entry.stat()
                    self.tree.files[entry.path] = Entry(entry.path, status.st_mtime_ns, status.st_size)

    def _count(self, entries: Sequence[os.DirEntry[str]]) -> None:
        """Called for each folder."""

    def link(self, path: str, layers: tuple[Layer, ...]) -> None:
        """Visit the target of a link, unless it was visited under its own name."""
        target, name = os.path.realpath(path), os.path.basename(path)
        if os.path.isdir(path):
            inside = target == self.tree.root or target.startswith(self.tree.root + os.sep)
            contains = self.tree.root.startswith(target.rstrip(os.sep) + os.sep)
            if not inside and not contains and target not in self.seen and self._enters(path, name, layers):
                self.seen.add(target)
                self.folder(path, layers)
        elif is_source(path, name) and target not in (self.tree.files.keys() | self.seen):
            self.seen.add(target)
            if not self._ignored(path, False, layers):
                self.tree.files[path] = entry_of(path)

    def _enters(self, path: str, name: str, layers: tuple[Layer, ...]) -> bool:
        if name in SKIPPED_FOLDERS or os.path.exists(os.path.join(path, "pyvenv.cfg")):
            return False
        return not self._ignored(path, True, layers)

    def _ignored(self, path: str, is_folder: bool, layers: tuple[Layer, ...]) -> bool:
        if self.own.verdict(path, is_folder):
            return True
        for layer in reversed(layers):
            verdict = layer.verdict(path, is_folder)
            if verdict is not None:
                return verdict
        return False


class _ShortWalk(_Walk):
    """A traversal that gives up where there is too much."""

    ends = (PROJECT_FILE, REPOSITORY)
    _entries = 0

    def _count(self, entries: Sequence[os.DirEntry[str]]) -> None:
        self._entries += len(entries)
        files = len(self.tree.files) + sum(entry.name.endswith(SUFFIXES) for entry in entries)
        if files > MOST_FILES or self._entries > MOST_ENTRIES:
            raise TooMany


def _layer(folder: str) -> tuple[Layer, ...]:
    """The patterns of a folder's ``.gitignore`` (and of ``.git/info/exclude`` at the top of a repository)."""
    found: list[Layer] = []
    for name in (os.path.join(".git", "info", "exclude"), ".gitignore"):
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                patterns = gitignore.parse(file.read())
        except OSError:
            continue
        if patterns:
            found.append(Layer(folder, patterns))
    return tuple(found)


def _outer_layers(root: Path) -> tuple[Layer, ...]:
    """The patterns of the folders between the top of the repository and a project inside it."""
    above: list[Path] = []
    for folder in (root, *root.parents):
        if folder != root:
            above.append(folder)
        if (folder / ".git").exists():
            return tuple(layer for outer in reversed(above) for layer in _layer(str(outer)))
    return ()


def _problem(path: str, error: OSError) -> str:
    if os.path.islink(path):
        return (
            "broken symbolic link" if isinstance(error, FileNotFoundError) else "symbolic link that cannot be resolved"
        )
    return error.strerror or str(error)
