"""The MPI functions and the interposing functions, from `functions.table`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from jaxmpi_lint.runtime.native.generator.words import Malformed, constant, enumeration, names

# What the standard calls the same thing in different functions.
SYNONYMS = {
    "buf": "buffer", "comm_old": "comm", "local_comm": "comm", "intercomm": "newcomm", "comm_cart": "newcomm",
    "comm_graph": "newcomm", "comm_dist_graph": "newcomm", "newintercomm": "newcomm", "newintracomm": "newcomm",
    "array_of_requests": "requests", "array_of_statuses": "statuses", "array_of_indices": "indices", "indx": "index",
    "incount": "count",
}  # fmt: skip
ROLES = """
sendbuf recvbuf buffer count sendcount recvcount sendcounts recvcounts datatype sendtype recvtype sendtypes recvtypes op
root comm newcomm source dest tag sendtag recvtag request requests status statuses flag index indices outcount message
win fh color key local_leader peer_comm remote_leader group local_group remote_group stringtag errorcode partitions
required provided user_fn split_type amode
""".split()
DATA = "none buffer block sent to_root from_root counts gathered own".split()
MODES = "standard synchronous buffered partitioned".split()
AGREEMENTS = "nothing value truth offset".split()
CHOICES = {"data": DATA, "mode": MODES, "agree": AGREEMENTS}
FLAGS = ("in_place", "waits")
STARTING = set("collective send receive exchange matched_receive file_collective communicator one_sided".split())
NON_BLOCKING_COLLECTIVE = re.compile(r"I(?=[a-z])")


@dataclass(frozen=True, slots=True)
class Row:
    """One function of the table."""

    name: str
    group: str
    category: str
    flow: str
    parameters: tuple[str, ...]
    traits: dict[str, str]  # what follows the parameters in the line
    decides_itself: bool
    line: int

    @property
    def large(self) -> bool:
        """Whether counts are MPI_Count rather than int."""
        return self.name.endswith("_c")

    @property
    def persistent(self) -> bool:
        """Whether it only prepares a request."""
        return self.name.removesuffix("_c").endswith("_init")

    @property
    def non_blocking(self) -> bool:
        """Whether it returns a request that is already active."""
        return "request" in self.parameters and not self.persistent and self.category in STARTING

    def blocking_form(self, known: set[str]) -> str:
        """The blocking function of the same meaning, itself if there is none."""
        name = self.name.removesuffix("_c").removesuffix("_init")
        for candidate in (name, *([name[1].upper() + name[2:]] if NON_BLOCKING_COLLECTIVE.match(name) else [])):
            if candidate in known and candidate != self.name:
                name = candidate
        name = "File_" + name.removeprefix("File_i") if name.startswith("File_i") else name
        return name if name in known else self.name


def read(path: Path) -> list[Row]:
    """The rows of a table; raises Malformed."""
    rows: list[Row] = []
    section: list[str] = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            section = line.strip("[]").split()
            continue
        match = re.fullmatch(r"(\w+)\(([\w, =]*)\)((?: [\w=]+)*)", line)
        if match is None or not section:
            raise Malformed(path, number, f"not a function: {line}")
        decides_itself = "self" in section
        group, category, flow, *_ = [*(word for word in section if word != "self"), "none"]
        traits = _traits(match[3].split(), path, number)
        rows.append(Row(match[1], group, category, flow, _roles(match[2]), traits, decides_itself, number))
    return _inherited(rows, path)


def _roles(parameters: str) -> tuple[str, ...]:
    """The roles of parameters: their names, or what `name=role` states."""
    names = [one.rpartition("=")[2] for one in parameters.split(", ") if one]
    return tuple(SYNONYMS.get(name, name) for name in names)


def _traits(words: list[str], path: Path, line: int) -> dict[str, str]:
    traits = {}
    for word in words:
        key, _, value = word.partition("=")
        if value not in CHOICES.get(key, ("",) if key in FLAGS else ()):
            raise Malformed(path, line, f"unknown: {word}")
        traits[key] = value
    return traits


def _inherited(rows: list[Row], path: Path) -> list[Row]:
    """The rows, each with the traits of its blocking form."""
    by_name = {row.name: row for row in rows}
    for row in rows:
        if not row.traits:
            row.traits.update(by_name[row.blocking_form(set(by_name))].traits)
        if row.category == "collective" and "data" not in row.traits:
            raise Malformed(path, row.line, f"{row.name} is a collective: add data=, one of {', '.join(DATA)}")
    return rows


def header(rows: list[Row]) -> str:
    """The text of `functions.hpp`."""
    known = {row.name for row in rows}
    groups = groups_of(rows)
    categories = list(dict.fromkeys(row.category for row in rows))
    flows = list(dict.fromkeys(["none", *(row.flow for row in rows)]))
    quoted = ", ".join(f'"{group}"' for group in groups)
    text = [
        "// Generated from functions.table by generate.py.\n#pragma once\n\n",
        "#include <array>\n#include <cstdint>\n\nnamespace jaxmpi {\n\n",
        enumeration("Function", ["nothing", *(row.name for row in rows)], "std::uint16_t"),
        enumeration("Group", groups, "std::uint8_t"),
        enumeration("Category", categories, "std::uint8_t"),
        enumeration("Flow", flows, "std::uint8_t"),
        names("Flow", flows),
        enumeration("Role", ROLES, "std::uint8_t"),
        enumeration("Data", DATA, "std::uint8_t"),
        enumeration("Mode", MODES, "std::uint8_t"),
        enumeration("Agreed", AGREEMENTS, "std::uint8_t"),
        f"inline constexpr std::size_t kFunctions = {len(rows) + 1};\n",
        f"inline constexpr std::size_t kGroups = {len(groups)};\n",
        f"inline constexpr std::size_t kCategories = {len(categories)};\n",
        f"inline constexpr std::size_t kRoles = {len(ROLES)};\n",
        f"inline constexpr std::size_t kMostArguments = {max(len(row.parameters) for row in rows)};\n",
        f"inline constexpr std::array<const char*, kGroups> kGroupNames = {{{quoted}}};\n\n",
        "// One cache line.\nstruct alignas(64) FunctionInfo {\n  const char* name;\n  Function blocking;\n",
        "  Category category;\n  std::uint8_t arity;\n  Group group : 4;\n  Flow flow : 4;\n",
        "  Data data : 4;\n  Mode mode : 2;\n  Agreed agreed : 2;\n",
        "  bool non_blocking : 1, persistent : 1, large : 1, in_place_agrees : 1, waits : 1, decides_itself : 1;\n",
        "  std::array<std::int8_t, kRoles> position;  // of each role among the arguments, -1 if absent\n};\n",
        "static_assert(sizeof(FunctionInfo) == 64);\n\n",
        "inline constexpr std::array<FunctionInfo, kFunctions> kTable = {{\n",
        "  FunctionInfo{},\n",
    ]
    for row in rows:
        positions = ", ".join(str(row.parameters.index(r)) if r in row.parameters else "-1" for r in ROLES)
        marks = (row.non_blocking, row.persistent, row.large, *(flag in row.traits for flag in FLAGS))
        flags = ", ".join(str(flag).lower() for flag in (*marks, row.decides_itself))
        traits = ", ".join(
            f"{kind}::{constant(row.traits.get(key, CHOICES[key][0]))}"
            for kind, key in (("Data", "data"), ("Mode", "mode"), ("Agreed", "agree"))
        )
        text.append(
            f'  {{"MPI_{row.name}", Function::{constant(row.blocking_form(known))}, '
            f"Category::{constant(row.category)}, {len(row.parameters)}, Group::{constant(row.group)}, "
            f"Flow::{constant(row.flow)}, {traits}, {flags}, {{{{{positions}}}}}}},\n"
        )
    text.append("}};\n\n}  // namespace jaxmpi\n")
    return "".join(text)


def interposer(rows: list[Row]) -> str:
    """The functions of one group: each packs its arguments and asks the core."""
    text = ['// Generated from functions.table by generate.py.\n#include "dispatch.hpp"\n\n', "using jaxmpi::Word;\n"]
    for row in rows:
        parameters = ", ".join(f"Word {p}_" for p in row.parameters)
        arguments = ", ".join(f"{p}_" for p in row.parameters)
        text.append(
            f'\nextern "C" JAXMPI_EXPORT Word MPI_{row.name}({parameters}) {{\n'
            f"  Word arguments[] = {{{arguments or '0'}}};\n"
            f"  return jaxmpi::dispatch(jaxmpi::Function::{constant(row.name)}, arguments, JAXMPI_CALLER);\n}}\n"
        )
    return "".join(text)


def groups_of(rows: list[Row]) -> list[str]:
    """The groups, in their order."""
    return list(dict.fromkeys(row.group for row in rows))


def texts(rows: list[Row]) -> dict[str, str]:
    """The generated files by name."""
    interposers = {
        f"interposer_{group}.cpp": interposer([row for row in rows if row.group == group]) for group in groups_of(rows)
    }
    return {"functions.hpp": header(rows), **interposers}
