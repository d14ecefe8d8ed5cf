"""What all tables share: lines that cannot be read, and words as C++ writes them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class Malformed(Exception):
    """A line of a table that cannot be read, or lacks something."""

    def __init__(self, path: Path, line: int | None, problem: str) -> None:
        super().__init__(f"{path}: {problem}" if line is None else f"{path}:{line}: {problem}")


def constant(word: str) -> str:
    """`from_root` as `kFromRoot`, `Comm_dup` as `kCommDup`."""
    return "k" + "".join(part[0].upper() + part[1:] for part in word.split("_"))


def enumeration(name: str, words: Iterable[str], kind: str) -> str:
    """A C++ enumeration whose values are camel-cased with a k."""
    return f"enum class {name} : {kind} {{ {', '.join(map(constant, words))} }};\n"


def names(enumeration: str, words: Iterable[str]) -> str:
    """The C++ function that tells the word of a value; "unknown" for a value that is none."""
    quoted = ", ".join(f'"{word}"' for word in words)
    return (
        f"constexpr const char* name_of({enumeration} value) {{\n  constexpr std::array names{{{quoted}}};\n"
        "  const auto index = static_cast<std::size_t>(value);\n"
        '  return index < names.size() ? names[index] : "unknown";\n}\n'
    )
