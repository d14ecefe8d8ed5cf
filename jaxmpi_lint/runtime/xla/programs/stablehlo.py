"""Normalisation of StableHLO text for comparison: without locations, names, and per-process numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jaxmpi_lint.runtime.settings.ownership import is_library
from jaxmpi_lint.runtime.xla.programs.hlo import dtype, unescaped

_NESTED = r'(?:[^()"]|"(?:[^"\\]|\\.)*")*'
for _ in range(6):
    _NESTED = rf'(?:[^()"]|"(?:[^"\\]|\\.)*"|\({_NESTED}\))*'
_PLACE = re.compile(rf" loc\(({_NESTED})\)")
_ALIAS = re.compile(rf"^#(loc\d*) = loc\(({_NESTED})\)$", re.MULTILINE)
_FILE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):\d+|#(loc\d*)\b')
_LABEL = r'jax\.(?:result_info|arg_info) = "(?:[^"\\]|\\.)*"'
_LABELS = re.compile(rf" \{{{_LABEL}\}}|{_LABEL}, |, {_LABEL}")
_MODULE = re.compile(r"^(\s*module )@\S+")
_VALUE = re.compile(r"%[\w$.]+(?:[:#]\d+)?")
_CUSTOM_CALL = re.compile(r"\bcustom_call @([\w$.]+)")
# The numbers passed to these targets identify objects of one process: a callback, a communicator, a class.
_OF_THE_PROCESS = re.compile(r"xla_\w*python\w*callback|(?:mpi|jaxmpi)_\w+|CustomSPMDPartitioning")
_NUMBER = re.compile(r"-?\b\d+\b")
_ADDRESS = re.compile(r"\b\d{8,}\b")
_TENSOR = re.compile(r"tensor<((?:(?:\d+|\?)x)*)(complex<f\d+>|[a-z]\w*)[^>]*>")
_MLIR_DTYPES = {"i1": "bool", "complex<f32>": "complex64", "complex<f64>": "complex128"}


@dataclass(frozen=True, slots=True)
class Line:
    """One operation: its text, its text without the names of values, and where it was traced."""

    text: str
    kind: str
    place: str  # "train.py:12"; "" if unknown


def lines(program: str) -> list[Line]:
    """The operations of a program in order."""
    aliases = dict(_ALIAS.findall(program)) if "#loc" in program else {}
    found = []
    for line in program.splitlines():
        if not line.strip() or line.startswith("#loc"):
            continue
        text = neutral(line)
        found.append(Line(text, _VALUE.sub("%", text), _place_of(line, aliases)))
    return found


def neutral(line: str) -> str:
    """A line without locations, labels, and numbers that are valid in one process only."""
    if " loc(" in line:
        line = _PLACE.sub("", line)
    if "jax." in line:
        line = _LABELS.sub("", line)
    if (call := _CUSTOM_CALL.search(line)) is not None:
        line = (_NUMBER if _OF_THE_PROCESS.fullmatch(call[1]) else _ADDRESS).sub("#", line)
    return _MODULE.sub(r"\1@", line).strip()


def tensor(text: str) -> str:
    """``float32[8,2]`` for ``tensor<8x2xf32>``."""

    def name(found: re.Match[str]) -> str:
        element = _MLIR_DTYPES.get(found[2]) or dtype(found[2].replace("ui", "u"))
        integer = re.fullmatch(r"i(\d+)", element)
        element = f"int{integer[1]}" if integer else element
        return f"{element}[{','.join(found[1].split('x')[:-1])}]"

    return _TENSOR.sub(name, text)


def _place_of(line: str, aliases: dict[str, str]) -> str:
    """The user's line of an operation, else the innermost; "" if the text has none."""
    places = list(_PLACE.finditer(line))
    files = _files(places[-1][1], aliases, 0) if places else []
    own = [(file, number) for file, number in files if not is_library(file)] or files
    return f"{own[0][0]}:{own[0][1]}" if own else ""


def _files(place: str, aliases: dict[str, str], depth: int) -> list[tuple[str, int]]:
    """The files and lines of a location, the innermost first."""
    found: list[tuple[str, int]] = []
    for file, number, alias in _FILE.findall(place):
        if file:
            found.append((unescaped(file), int(number)))
        elif depth < 64:
            found += _files(aliases.get(alias, ""), aliases, depth + 1)
    return found
