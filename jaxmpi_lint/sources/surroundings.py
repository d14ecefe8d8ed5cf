"""The files around named files.

All of a project is read. Where no project file or repository says what belongs together, as around a script in a home
folder, the folder is read if it is small; otherwise only what the named files import.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from jaxmpi_lint.sources import discovery, import_scan
from jaxmpi_lint.sources.discovery import Tree


def surroundings(
    root: Path, given: Sequence[Path], exclude: Sequence[str], contents: Mapping[str, bytes]
) -> tuple[Tree, bool]:
    """The files to read for the given files and folders, and whether files beside them are left unread.

    ``contents`` replaces what is on disk.
    """
    if any(path.is_dir() for path in given) or discovery.is_bounded(root):
        return discovery.discover(root, exclude), False
    try:
        return discovery.discover_few(root, exclude), False
    except discovery.TooMany:
        return _imported(root, given, exclude, contents), True


def unread(folder: str) -> str:
    """What to say where files are left unread."""
    return (
        f"{folder}: many files, and no {discovery.PROJECT_FILE} or {discovery.REPOSITORY} here or above: only what the"
        f" given files import is read; give the folder to read all of it"
    )


def _imported(root: Path, given: Iterable[Path], exclude: Sequence[str], contents: Mapping[str, bytes]) -> Tree:
    """The given files and, from module to module, what they import from the folder."""
    tree = Tree(str(root))
    pending = [str(path) for path in given]
    seen: set[str] = set()
    while pending:
        path = pending.pop()
        if path in seen:
            continue
        seen.add(path)
        if path not in contents:
            tree.files[path] = discovery.entry_of(path)
        for name in sorted(set(_imports(path, contents))):
            pending += _module(root, name, exclude)
    return tree


def _module(root: Path, name: str, exclude: Sequence[str]) -> Iterator[str]:
    """The files of a module or package of a folder; none if that is a project of its own, or too large."""
    file, folder = root / f"{name}.py", root / name
    if file.is_file() and not discovery.excluded(root, str(file), exclude):
        yield str(file)
    if folder.is_dir() and not discovery.is_project(folder) and not discovery.excluded(root, str(folder), exclude):
        with suppress(discovery.TooMany):
            yield from discovery.discover_few(folder, exclude).files


def _imports(path: str, contents: Mapping[str, bytes]) -> Iterator[str]:
    """The first parts of the names of the modules that a file imports; none if it cannot be read."""
    try:
        data = contents[path] if path in contents else Path(path).read_bytes()
    except OSError:
        return
    for item in import_scan.scan(data):
        yield from (item.module.partition(".")[0],) if item.module else item.names
