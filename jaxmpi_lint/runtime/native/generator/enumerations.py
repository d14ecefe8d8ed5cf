"""The enumerations of the ledger and the words by which Python reads them, from `enumerations.table` and the codes."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jaxmpi_lint.runtime.native.generator.words import Malformed, constant, names


@dataclass(slots=True)
class Enumeration:
    """One enumeration: its underlying type, and what each word means ("" if the word says it)."""

    name: str
    kind: str
    meanings: dict[str, str] = field(default_factory=dict)
    of_codes: str = ""  # the field of a code of the sanitizer that holds further words

    def text(self) -> str:
        """The C++ enumeration, its words as comments, and its names."""
        values = "".join(
            f"  {constant(word)},{f'  // {meaning}' if meaning else ''}\n" for word, meaning in self.meanings.items()
        )
        return f"enum class {self.name} : {self.kind} {{\n{values}}};\n{names(self.name, self.meanings)}\n"


def read(path: Path) -> list[Enumeration]:
    """The enumerations of a table; raises Malformed."""
    found: list[Enumeration] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        if head := re.fullmatch(r"\[(\w+) (std::uint\d+_t)(?: codes=(\w+))?\]", line):
            found.append(Enumeration(head[1], head[2], of_codes=head[3] or ""))
            continue
        word = re.fullmatch(r"([a-z_]+)(?: +(\S.*))?", line)
        if word is None or not found:
            raise Malformed(path, number, f"not a word of an enumeration: {line}")
        if word[1] in found[-1].meanings:
            raise Malformed(path, number, f"{found[-1].name} has the word {word[1]} already")
        found[-1].meanings[word[1]] = word[2] or ""
    return found


def with_codes(enumerations: Iterable[Enumeration], path: Path, codes: Mapping[str, object]) -> list[Enumeration]:
    """The enumerations with the words that the codes of the sanitizer add; raises Malformed if two have one word."""
    complete = list(enumerations)
    for one in complete:
        for code, entry in codes.items():
            for word in getattr(entry, one.of_codes) if one.of_codes else ():
                if word in one.meanings:
                    raise Malformed(path, None, f"{code} has the word {word}, which {one.name} has already")
                one.meanings[word] = code
    return complete


def header(enumerations: Iterable[Enumeration]) -> str:
    """The text of `enumerations.hpp`."""
    body = "".join(one.text() for one in enumerations)
    return (
        "// Generated from enumerations.table and the codes of the sanitizer by generate.py.\n#pragma once\n\n"
        "#include <array>\n#include <cstdint>\n\nnamespace jaxmpi {\n\n"
        f"{body}"
        "// Of all words: a ledger that was written with other ones is not read.\n"
        f"inline constexpr std::uint64_t kWordsHash = {zlib.crc32(body.encode())};\n\n}}  // namespace jaxmpi\n"
    )
