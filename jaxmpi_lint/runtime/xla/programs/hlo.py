"""A parser for the text of optimised HLO modules.

A module is split into computations once, line by line. An instruction is parsed only on request, because nearly all
instructions are arithmetic, which is never requested.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEAD = re.compile(r"(ENTRY )?%?([^\s(]+) .*\{$")
_INSTRUCTION = re.compile(r"\s+(?:ROOT )?%?\S+ = (\S+|\(.*?\)) ([a-z][a-z0-9\-]*)\(")
_CALLED = re.compile(r"\b(condition|body|calls|to_apply|true_computation|false_computation)=%?([\w.\-]+)")
_CALLED_LISTS = re.compile(r"\b(?:branch_computations|called_computations)=\{([^}]*)\}")
_ARRAY = re.compile(r"\b([a-z][a-z0-9]*)\[([^\]]*)\]")
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))")
_DTYPES = {"pred": "bool", "bf16": "bfloat16", "c64": "complex64", "c128": "complex128"}
_FAMILIES = {"f": "float", "s": "int", "u": "uint"}


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: ``shape`` as HLO writes it, ``rest`` the text from its operands on."""

    opcode: str
    shape: str
    rest: str

    def attribute(self, name: str) -> str:
        """The text of a quoted attribute, unescaped; "" if there is none."""
        found = re.search(rf'\b{name}="((?:[^"\\]|\\.)*)"', self.rest)
        return unescaped(found[1]) if found else ""

    def number(self, name: str) -> int | None:
        """The value of a numeric attribute."""
        found = re.search(rf"\b{name}=(\d+)", self.rest)
        return int(found[1]) if found else None

    def called(self) -> dict[str, str]:
        """The computations that it calls, in textual order: ``{"body": "region_1", "branch 0": "region_2"}``."""
        attributes = self.rest.partition(", metadata=")[0]  # names of scopes are chosen by the user
        found = dict(_CALLED.findall(attributes))
        for names in _CALLED_LISTS.findall(attributes):
            found |= {f"branch {index}": name.strip().lstrip("%") for index, name in enumerate(names.split(","))}
        return found


@dataclass(frozen=True, slots=True)
class Module:
    """A module: the lines of each computation, and the name of the entry computation."""

    head: str
    computations: dict[str, list[str]]
    entry: str

    @property
    def devices(self) -> int:
        """The number of devices on which it runs."""
        counts = dict(re.findall(r"\b(replica_count|num_partitions)=(\d+)", self.head))
        return int(counts.get("replica_count", 1)) * int(counts.get("num_partitions", 1))


def modules(text: str) -> Iterator[Module]:
    """The modules of a text, in order."""
    head, entry = "", ""
    computations: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in text.splitlines():
        if line.startswith(" "):
            if current is not None:
                current.append(line)
        elif line.startswith("}"):
            current = None
        elif line.startswith("HloModule "):
            if computations:
                yield Module(head, computations, entry)
            head, entry, computations, current = line, "", {}, None
        elif line.endswith("{") and (found := _HEAD.match(line)):
            current = computations[found[2]] = []
            entry = found[2] if found[1] else entry
    if computations:
        yield Module(head, computations, entry)


def instruction(line: str) -> Instruction | None:
    """The instruction on a line, None if there is none."""
    found = _INSTRUCTION.match(line)
    return Instruction(found[2], found[1], line[found.end() :]) if found else None


def arrays(shape: str) -> tuple[str, ...]:
    """The arrays of a shape with numpy's dtype names: ``("float32[4,8]",)``."""
    return tuple(f"{dtype(name)}[{extents.replace('<=', '')}]" for name, extents in _ARRAY.findall(shape))


def dtype(name: str) -> str:
    """``float32`` for ``f32``; unknown names are kept."""
    if name in _DTYPES:
        return _DTYPES[name]
    return f"{_FAMILIES[name[0]]}{name[1:]}" if name[0] in _FAMILIES and name[1:].isdigit() else name


def parts(shape: str) -> list[str]:
    """The elements of a tuple shape; the shape itself if it is not a tuple."""
    if not shape.startswith("("):
        return [shape]
    depth, begin, found = 0, 1, []
    for position, character in enumerate(shape):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if (character == "," and depth == 1) or (character == ")" and depth == 0):
            found.append(shape[begin:position].strip())
            begin = position + 1
    return [part for part in found if part]


def unescaped(text: str) -> str:
    """A quoted text without escapes, which stand for bytes of UTF-8."""
    if "\\" not in text:
        return text
    letters = {"n": "\n", "t": "\t", "r": "\r"}

    def byte(found: re.Match[str]) -> str:
        octal, hexadecimal, letter = found.groups()
        if letter:
            return letters.get(letter, letter)
        return chr(int(octal, 8) if octal else int(hexadecimal, 16))

    def text_of(run: re.Match[str]) -> str:
        return _ESCAPE.sub(byte, run[0]).encode("latin-1", "replace").decode(errors="replace")

    return re.sub(r"(?:\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|.))+", text_of, text)
