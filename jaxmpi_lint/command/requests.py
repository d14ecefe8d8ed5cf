"""From the command line to requests: one for every project that contains a given path."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jaxmpi_lint.command import arguments
from jaxmpi_lint.engine.engine import Request
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.settings import launch_scripts, pyproject, rule_selection, target_versions
from jaxmpi_lint.settings.pyproject import Values
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources import discovery

STDIN_NAME = "<stdin>"


def requests(given: argparse.Namespace) -> list[Request]:
    """The requests, one for each project."""
    folder = os.path.realpath(Path.cwd())
    if "-" in given.paths:
        return [_standard_input(given, folder)]
    if given.stdin_filename:
        raise UserError("--stdin-filename needs `-` as the only path; give `-` or drop the option")
    projects: dict[Path, list[Path]] = {}
    for argument in given.paths or ["."]:
        path = discovery.existing(argument)
        projects.setdefault(discovery.project_root(path), []).append(path)
    return [Request(settings(given, root), tuple(dict.fromkeys(paths)), folder) for root, paths in projects.items()]


def nested(given: argparse.Namespace, outer: Request, folder: Path) -> Request:
    """The request for a project inside the folder of an outer one."""
    return Request(settings(given, folder), (folder,), outer.folder)


def settings(given: argparse.Namespace, root: Path) -> Settings:
    """The settings of a project: the command line over ``--config`` over ``pyproject.toml`` over its other files."""
    configured = _configured(given, root)
    chosen = arguments.selectors(given)
    origins = [(f"--{name.replace('_', '-')}", codes) for name, codes in chosen.items()]
    origins += [(f"setting {name.replace('_', '-')}", codes) for name, codes in _codes(configured)]
    merged: dict[str, Any] = {
        **configured,
        **arguments.values(given),
        **rule_selection.merge(configured, chosen),
        "targets": {
            **target_versions.detect(root),
            **_versions(configured),
            **_versions(arguments.values(given)),
        },
        "launches": launch_scripts.detect(root),
        "origins": tuple(origins),
    }
    if merged.get("wrappers"):
        from jaxmpi_lint.library import wrapper_checks
        from jaxmpi_lint.library.catalogue import Catalogue

        wrapper_checks.check(merged["wrappers"], Catalogue())
    return Settings(root=root, **merged)


def _configured(given: argparse.Namespace, root: Path) -> Values:
    values: Values = {}
    files = [text for text in given.config or () if "=" not in text or Path(text).exists()]
    if not given.isolated and not files:
        values.update(pyproject.read_project(root))
    for text in given.config or ():
        if given.isolated and text in files:
            raise UserError(f"--config {text}: contradicts --isolated; drop one of them")
        values.update(pyproject.read_option(text, Path.cwd()))
    return values


def _codes(configured: Values) -> list[tuple[str, tuple[str, ...]]]:
    found: list[tuple[str, tuple[str, ...]]] = []
    for name in ("select", "ignore", "extend_select"):
        codes = configured.get(name)
        if isinstance(codes, tuple):
            found.append((name, codes))
    per_file = configured.get("per_file_ignores")
    if isinstance(per_file, tuple):
        found += [(f"per-file-ignores {pattern!r}", codes) for pattern, codes in per_file]
    return found


def _versions(values: Values) -> Mapping[str, tuple[int, ...]]:
    versions = values.get("targets")
    return versions if isinstance(versions, dict) else {}


def _standard_input(given: argparse.Namespace, folder: str) -> Request:
    if given.paths != ["-"]:
        raise UserError("`-` is standard input and cannot be combined with other paths")
    name = given.stdin_filename or STDIN_NAME
    path = Path(os.path.realpath(Path.cwd() / name))
    if path.is_dir():
        raise UserError(f"--stdin-filename {name}: is a folder; give the name of a file")
    home = path.parent
    while not home.is_dir():
        home = home.parent
    root = discovery.project_root(home)
    names = {} if given.stdin_filename else {str(path): STDIN_NAME}
    data = sys.stdin.buffer.read()
    return Request(settings(given, root), (path,), folder, {str(path): data}, names)
