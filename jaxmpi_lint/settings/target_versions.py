"""Target releases of jax, mpi4py and mpi4jax, determined from the project's own files.

The most exact source takes precedence: a lock file, then requirements, wherever they are written. None of them is
executed. A range without an upper bound is unknown, because it covers several generations of an interface.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.settings.pyproject import parse_version, read_document
from jaxmpi_lint.settings.settings import PACKAGES

Version = tuple[int, ...]
LOCK_FILES = ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml")
WRITTEN_FILES = ("setup.cfg", "setup.py", "environment.yml", "environment.yaml")
_ANY = 999  # stands for the last release of a series
_JAX_OF_MPI4JAX_0_8 = (0, 5, 1)  # the oldest release of jax that mpi4jax 0.8 accepts, by its requirements
_LAST_FOR_OLDER_JAX = (0, 7, _ANY)

_NAMES = "|".join(PACKAGES)
_LOCKED = re.compile(rf'^name\s*=\s*"({_NAMES})"\s*\nversion\s*=\s*"([^"]+)"', re.MULTILINE)
_REQUIREMENT = re.compile(rf"^\s*({_NAMES})\s*(?:\[[^\]]*\])?\s*\(?\s*([^;#)]*)", re.IGNORECASE)
_IN_TEXT = re.compile(
    rf"^[ \t]*(?:-[ \t]+|.*[\"'])?({_NAMES})[ \t]*((?:[=~!<>]=?=?[ \t]*\d[\w.*+!-]*[ \t]*,?[ \t]*)+)(?=[\"'\]#;]|\s|$)",
    re.MULTILINE | re.IGNORECASE,
)
_CLAUSE = re.compile(r"\s*(===|==|=|~=|!=|<=|>=|<|>|\^|~)?\s*v?(\d[\w.*+!-]*)\s*")


def sources(root: Path) -> list[Path]:
    """The files of a project that may state versions, whether they exist or not."""
    names = (*LOCK_FILES, *WRITTEN_FILES, "pyproject.toml")
    return [*(root / name for name in names), *sorted(root.glob("requirements*.txt"))]


def detect(root: Path) -> dict[str, Version]:
    """The versions that a project's files determine."""
    found: dict[str, Version] = {}
    for name in LOCK_FILES:
        for package, version in _locked(_text(root / name)).items():
            found.setdefault(package, version)
    requirements = [line for path in sorted(root.glob("requirements*.txt")) for line in _text(path).splitlines()]
    requirements += [line for name in WRITTEN_FILES for line in _written(_text(root / name))]
    for package, version in _settled([*requirements, *_dependencies(root / "pyproject.toml")]).items():
        found.setdefault(package, version)
    if "mpi4jax" not in found and found.get("jax", _JAX_OF_MPI4JAX_0_8) < _JAX_OF_MPI4JAX_0_8:
        found["mpi4jax"] = _LAST_FOR_OLDER_JAX
    return found


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
    except OSError:
        return ""


def _written(text: str) -> list[str]:
    """Requirements in a setup file or a conda environment: found by their form, nothing is executed."""
    return [f"{name} {bounds}" for name, bounds in _IN_TEXT.findall(text)]


def _locked(text: str) -> dict[str, Version]:
    versions: dict[str, set[Version]] = {}
    for package, written in _LOCKED.findall(text):
        version = parse_version(written)
        if version is not None:
            versions.setdefault(package, set()).add(version)
    return {package: options.pop() for package, options in versions.items() if len(options) == 1}


def _dependencies(path: Path) -> list[str]:
    """Every requirement written in a ``pyproject.toml``: of the project, its extras, its groups, and Poetry's."""
    try:
        document = read_document(path) if path.is_file() else {}
    except UserError:
        return []
    project, tool = _mapping(document.get("project")), _mapping(document.get("tool"))
    lines = [*_list(project.get("dependencies"))]
    for group in (*_mapping(project.get("optional-dependencies")).values(),):
        lines += _list(group)
    for group in _mapping(document.get("dependency-groups")).values():
        lines += _list(group)
    poetry = _mapping(_mapping(tool.get("poetry")).get("dependencies"))
    lines += [f"{name} {_poetry(value)}" for name, value in poetry.items()]
    return lines


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _poetry(value: object) -> str:
    version = value.get("version", "") if isinstance(value, dict) else value
    if not isinstance(version, str):
        return ""
    return f"=={version}" if version[:1].isdigit() else version


def _settled(requirements: Iterable[str]) -> dict[str, Version]:
    versions: dict[str, set[Version]] = {}
    for requirement in requirements:
        match = _REQUIREMENT.match(requirement)
        version = _bound(match[1].lower(), match[2]) if match else None
        if match and version is not None:
            versions.setdefault(match[1].lower(), set()).add(version)
    return {package: options.pop() for package, options in versions.items() if len(options) == 1}


def _bound(package: str, specifier: str) -> Version | None:
    """The release that a specifier such as ``==0.5.*`` or ``>=0.6,<0.8`` determines.

    For mpi4jax, where unknown means the newest, that is the newest release allowed; for the others, a range determines
    a release only if it stays within one series.
    """
    low: Version = ()
    high: Version | None = None
    for clause in specifier.split(","):
        match = _CLAUSE.fullmatch(clause)
        version = parse_version(match[2].replace(".*", "")) if match else None
        if match is None or version is None:
            if clause.strip():
                return None
            continue
        if match[1] == ">=":
            low = max(low, version)
        upper = _upper(match[1] or "==", version, match[2].endswith(".*"))
        if upper is not None:
            high = upper if high is None else min(high, upper)
            low = max(low, version) if match[1] not in ("<", "<=") else low
    if high is None:
        return None
    return high if package == "mpi4jax" or low[:2] == high[:2] else None


def _upper(operator: str, version: Version, series: bool) -> Version | None:
    if operator in ("=", "==", "==="):
        return (*version, _ANY) if series else version
    if operator == "<=":
        return version
    if operator == "<":
        return _before(version)
    if operator == "~=":
        return (*version[:-1], _ANY) if len(version) > 1 else None
    if operator == "^":
        leading = next((index for index, part in enumerate(version) if part), len(version) - 1)
        return (*version[: leading + 1], _ANY)
    if operator == "~":
        return (*version[:2], _ANY) if len(version) > 1 else (*version, _ANY)
    return None


def _before(version: Version) -> Version | None:
    """The last release before ``version``."""
    trimmed = list(version)
    while trimmed and trimmed[-1] == 0:
        trimmed.pop()
    if not trimmed:
        return None
    return (*trimmed[:-1], trimmed[-1] - 1, _ANY)
