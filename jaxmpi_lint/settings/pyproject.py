"""Reader of ``[tool.jaxmpi-lint]``: one reader for every key; every error is one line with file and key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.findings.errors import UserError, did_you_mean
from jaxmpi_lint.settings.settings import FORMATS, PACKAGES, Wrapper

Values = dict[str, object]
_Choice = TypeVar("_Choice", bound=StrEnum)


class _Mistake(Exception):
    """The expected form of an invalid value."""


def read_project(root: Path) -> Values:
    """The settings in the ``pyproject.toml`` of a project; empty if there is no such file or table."""
    path = root / "pyproject.toml"
    document = read_document(path) if path.is_file() else {}
    tool = document.get("tool", {})
    table = tool.get("jaxmpi-lint", {}) if isinstance(tool, dict) else {}
    return interpret(table, path, "[tool.jaxmpi-lint] ", root)


def read_option(option: str, folder: Path) -> Values:
    """The settings given by ``--config``: a TOML file, or ``KEY = VALUE`` itself."""
    path = Path(option)
    if "=" in option and not path.exists():
        return interpret(_parse(option, "--config"), Path("--config"), "", folder)
    if not path.is_file():
        raise UserError(f"--config {option}: no such file; give a TOML file or KEY=VALUE")
    document = read_document(path)
    tool = document.get("tool")
    if path.name == "pyproject.toml" or isinstance(tool, dict):
        table = tool.get("jaxmpi-lint", {}) if isinstance(tool, dict) else {}
        return interpret(table, path, "[tool.jaxmpi-lint] ", path.parent.resolve())
    return interpret(document, path, "", path.parent.resolve())


def read_document(path: Path) -> dict[str, object]:
    """A TOML file as data."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}); use --isolated to run without it") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: byte {error.start} is not UTF-8; TOML files must be UTF-8") from None
    return _parse(text, str(path))


def _parse(text: str, origin: str) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{origin}: not valid TOML: {error}; correct it or use --isolated") from None
    except RecursionError:
        raise UserError(f"{origin}: not valid TOML: nested too deeply; correct it or use --isolated") from None


def interpret(table: object, path: Path, prefix: str, folder: Path) -> Values:
    """The values of a settings table by field name; relative paths start at ``folder``."""
    if not isinstance(table, dict):
        raise UserError(f"{path}: {prefix.strip()} must be a table of settings")
    values: Values = {}
    for key, value in table.items():
        reader = _READERS.get(key)
        if reader is None:
            hint = did_you_mean(key, _READERS)
            raise UserError(f"{path}: {prefix}{key}: unknown setting; {hint}`jaxmpi-lint --show-settings` lists all")
        try:
            values[key.replace("-", "_")] = reader(value)
        except _Mistake as mistake:
            raise UserError(f"{path}: {prefix}{key}: {mistake}") from None
    wrappers = values.get("wrappers")
    if isinstance(wrappers, tuple):
        values["wrappers"] = tuple(replace(wrapper, origin=f"{path}: {prefix}wrappers") for wrapper in wrappers)
    for name in ("baseline", "cache_dir", "output_file"):
        if name in values:
            values[name] = folder / str(values[name])
    if "target" in values:
        values["targets"] = values.pop("target")
    return values


def parse_version(text: str) -> tuple[int, ...] | None:
    """``(0, 8, 1)`` for ``0.8.1``; anything after the numbers (``rc1``, ``+cuda``) is dropped; None if no version."""
    numbers: list[int] = []
    for part in text.strip().lstrip("v").split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits or not digits.isascii() or len(digits) > 9:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers) or None


def parse_target(option: str) -> tuple[str, tuple[int, ...]]:
    """``PACKAGE=VERSION`` of the command line."""
    package, equals, text = option.partition("=")
    version = parse_version(text.lstrip("="))
    if not equals or package not in PACKAGES or version is None:
        raise UserError(f"--target {option}: expected PACKAGE=VERSION with PACKAGE one of {', '.join(PACKAGES)}")
    return package, version


# --- readers -------------------------------------------------------------------------------------------------------


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Mistake(f"expected true or false, found {value!r}")
    return value


def _string(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise _Mistake(f"expected a string, found {value!r}")
    return value


def _url(value: object) -> str:
    if not isinstance(value, str) or not value.startswith(("https://", "http://")):
        raise _Mistake(f"expected a URL that starts with https:// or http://, found {value!r}")
    return value


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _Mistake(f"expected a list of strings, found {value!r}")
    return tuple(value)


def _jobs(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _Mistake(f"expected a number of processes from 1, found {value!r}")
    return value


def _format(value: object) -> str:
    if value not in FORMATS:
        raise _Mistake(f"expected one of {', '.join(FORMATS)}, found {value!r}")
    return str(value)


def _choice(kind: type[_Choice]) -> Callable[[object], _Choice]:
    def read(value: object) -> _Choice:
        try:
            return kind(str(value))
        except ValueError:
            raise _Mistake(f"expected one of {', '.join(kind)}, found {value!r}") from None

    return read


def _table(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _Mistake(f"expected a table, found {value!r}")
    return value


def _per_file(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((pattern, _strings(codes)) for pattern, codes in _table(value).items())


def _targets(value: object) -> dict[str, tuple[int, ...]]:
    targets: dict[str, tuple[int, ...]] = {}
    for package, text in _table(value).items():
        version = parse_version(_string(text))
        if package not in PACKAGES:
            raise _Mistake(f"unknown package {package}; known are {', '.join(PACKAGES)}")
        if version is None:
            raise _Mistake(f"{package}: {text!r} is not a version such as '0.8.1'")
        targets[package] = version
    return targets


def _wrappers(value: object) -> tuple[Wrapper, ...]:
    if isinstance(value, dict):
        return tuple(_wrapper({**_table(body), "name": name}) for name, body in value.items())
    if not isinstance(value, list):
        raise _Mistake(f"expected a list of tables with name and operation, found {value!r}")
    return tuple(_wrapper(_table(body)) for body in value)


def _wrapper(body: Mapping[str, object]) -> Wrapper:
    known = ("name", "operation", *_PARTS)
    for key in body:
        if key not in known:
            raise _Mistake(f"unknown key {key}; {did_you_mean(key, known)}expected {', '.join(known)}")
    if "name" not in body or "operation" not in body:
        raise _Mistake("a wrapper needs name and operation")
    communicator, root, argument = (_parameter(part, body.get(part)) for part in _PARTS)
    return Wrapper(_string(body["name"]), _string(body["operation"]), communicator, root, argument)


_PARTS: Sequence[str] = ("communicator", "root", "value")


def _parameter(part: str, value: object) -> int | str | None:
    if value is None or (isinstance(value, str) and value.isidentifier()):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise _Mistake(f"{part}: expected the position (from 0) or the name of a parameter, found {value!r}")


_READERS: dict[str, Callable[[object], object]] = {
    "select": _strings,
    "ignore": _strings,
    "extend-select": _strings,
    "per-file-ignores": _per_file,
    "exclude": _strings,
    "src": _strings,
    "target": _targets,
    "rank-names": _strings,
    "comm-names": _strings,
    "uniform": _strings,
    "wrappers": _wrappers,
    "transforms": _strings,
    "preview": _boolean,
    "min-confidence": _choice(Confidence),
    "min-severity": _choice(Severity),
    "fix": _boolean,
    "unsafe-fixes": _boolean,
    "output-format": _format,
    "output-file": _string,
    "statistics": _boolean,
    "baseline": _string,
    "cache-dir": _string,
    "no-cache": _boolean,
    "jobs": _jobs,
    "exit-zero": _boolean,
    "quiet": _boolean,
    "verbose": _boolean,
    "docs-url": _url,
}
