"""Generates the data modules of ``jaxmpi_lint.library`` from facts about the libraries.

    python tools/generate_library_tables.py            write them
    python tools/generate_library_tables.py --check    report whether they are stale (exit code 1)

Two sources, both under ``tools/library``: the parameters of each release (``signatures/*.json``, written by
``extract_signatures.py`` from the packages' own stubs and signatures) and the semantics of the calls (``*.toml``,
handwritten, from the MPI standard and the libraries' documentation).
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "library"
TABLES = Path(__file__).parent.parent / "jaxmpi_lint" / "library"
OTHERS = ("orbax", "flax", "clu", "equinox", "haiku")
CLIENTS = ("bigfile", "collectives", "dolfinx", "h5py", "mpi4py_fft", "mpsort", "netcdf4", "neuron", "petsc4py", "pfft")
UNUSED_CONSTANTS = ("_", "ERR_", "COMBINER_", "DISTRIBUTE_", "MAX_", "F_SOURCE", "F_TAG", "F_ERROR", "F_STATUS_SIZE")
Sets = dict[str, list[str]]
Entry = tuple["Row", str | None, str | None]
PARAMETER_ROLES = {
    "root": ("root",),
    "reduction": ("op",),
    "destination": ("dest",),
    "source": ("source",),
    "tag": ("tag", "sendtag"),
    "axis": ("axis_name",),
}
COPIED = ("communicator_default", "given", "result", "makes", "received", "relation", "template", "axis")


@dataclass(frozen=True)
class Row:
    """One entry in its written form: kind, parameters, facts without the releases."""

    kind: str
    parameters: str
    facts: str


@dataclass
class Table:
    """The content of one data module."""

    rows: dict[str, list[Entry]] = field(default_factory=dict)

    def add(self, name: str, row: Row, since: str | None, before: str | None) -> None:
        """Add an entry; adjacent releases with equal entries are merged."""
        entries = self.rows.setdefault(name, [])
        if entries and entries[-1][0] == row and entries[-1][2] == since and since is not None:
            entries[-1] = (row, entries[-1][1], before)
        elif not (entries and entries[-1] == (row, since, before)):
            entries.append((row, since, before))


@cache
def signatures(name: str) -> dict[str, str]:
    """The parameters of one release."""
    return dict(json.loads((HERE / "signatures" / f"{name}.json").read_text()))


def semantics(name: str) -> dict[str, Any]:
    """The handwritten facts about a library."""
    return tomllib.loads((HERE / f"{name}.toml").read_text())


def names_of(row: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Every name that a handwritten row stands for, with its facts."""
    found = [(name, row) for name in row.get("names", ())]
    for name in row.get("family", ()):
        owner, _, method = name.rpartition(".")
        later = row | {"blocking": False, "result": "request"}
        found += [(name, row), (f"{owner}.I{method.lower()}", later), (f"{owner}.{method}_init", later)]
    return found


def operations(library: dict[str, Any]) -> Table:
    """The table of operations."""
    table = Table()
    for row in library.get("rows", ()):
        for name, facts in names_of(row):
            _add_operation(table, library, name, facts)
        for name in row.get("classes", ()):
            _add_class(table, library, name, row)
    return table


def _add_operation(table: Table, library: dict[str, Any], name: str, facts: dict[str, Any]) -> None:
    known = False
    for release in library["releases"]:
        words = facts.get("parameters")
        if words is None:
            inside = release.get("within")
            words = signatures(release["signatures"]).get(f"{inside}.{name}" if inside else name)
        elif release.get("within"):
            continue
        if words is None or name in release.get("skip", ()):
            continue
        known = True
        merged = {key: value for key, value in release.items() if key not in ("signatures", "within", "skip")} | facts
        if "parameters" in facts:
            merged = {"module": library["module"]} | facts
        dotted = f"{merged.get('module', library['module'])}.{name}"
        table.add(dotted, encode(name, words, merged), merged.get("since"), merged.get("before"))
    if not known and not facts.get("optional") and name in facts.get("names", ()) + facts.get("family", []):
        raise SystemExit(f"tools/library: no signature of {library['module']}.{name} in any release; give `parameters`")


def _add_class(table: Table, library: dict[str, Any], name: str, facts: dict[str, Any]) -> None:
    words = signatures(library["releases"][-1]["signatures"])[f"{name}.__new__"]
    table.add(f"{library['module']}.{name}", encode(name, words, facts), facts.get("since"), facts.get("before"))


def encode(name: str, words: str, facts: dict[str, Any]) -> Row:
    """The compact form (see ``jaxmpi_lint/library/rows.py``)."""
    attribute = words.startswith("attribute")
    words = "" if attribute else words
    present = {word.partition("=")[0] for word in words.split()}
    written = [f"communicator={facts['communicator']}"] if "communicator" in facts else []
    for role, candidates in PARAMETER_ROLES.items():
        written += [f"{role}={candidate}" for candidate in candidates if candidate in present and role not in facts][:1]
    buffers = 0
    for role in ("sends", "receives"):
        chosen = [buffer for buffer in facts.get(role, ()) if buffer in present]
        written += [f"{role}={','.join(chosen)}"] if chosen else []
        buffers += len(chosen)
    written += [f"{key}={facts[key]}" for key in COPIED if key in facts]
    flags = {
        "nonblocking": not facts.get("blocking", True),
        "buffer": bool(buffers) and _takes_buffers(name),
        "token": facts.get("token", False) and "token" in present,
        "attribute": attribute,
    }
    return Row(facts["kind"], words, " ".join([*written, *(flag for flag, is_set in flags.items() if is_set)]))


def _takes_buffers(name: str) -> bool:
    """Whether it is one of mpi4py's upper-case methods."""
    owner, _, method = name.rpartition(".")
    return bool(owner) and method[0].isupper() and owner[0].isupper()


def constant_types(library: dict[str, Any]) -> dict[str, str]:
    """The constants of a stub, by name, with the class of the object; names in capitals that some release has."""
    found: dict[str, str] = {}
    for release in library["releases"]:
        for name, words in signatures(release["signatures"]).items():
            kind, _, annotation = words.partition(" ")
            if kind == "attribute" and name.isupper():
                found[name] = annotation.removeprefix("Final[").removesuffix("]")
    return {name: kind for name, kind in found.items() if not name.startswith(UNUSED_CONSTANTS)}


def transforms(library: dict[str, Any]) -> Table:
    """The table of functions that run their arguments."""
    table = Table()
    for row in library.get("transforms", ()):
        for name in row["names"]:
            dotted = f"{library['module']}.{name}"
            words = row.get("parameters") or signatures(library["releases"][-1]["signatures"]).get(name, "")
            present = {word.partition("=")[0] for word in words.split()}
            functions = [_with_position(function, words) for function in row["functions"] if _is_in(function, present)]
            if row["functions"] and not functions:
                raise SystemExit(f"tools/library: {dotted} takes none of {row['functions']}; give `parameters`")
            written = [_listed(key, row, present) for key in ("static", "axes")]
            written += [] if row.get("decorator", True) else ["plain"]
            entry = Row(row["tracing"], " ".join(functions), " ".join(word for word in written if word))
            table.add(dotted, entry, row.get("since"), row.get("before"))
    return table


def _is_in(function: str, present: set[str]) -> bool:
    return ":" in function or function in present


def _with_position(function: str, words: str) -> str:
    if ":" in function:
        return function
    names = [word.partition("=")[0] for word in words.partition("*")[0].split()]
    return f"{function}:{names.index(function) if function in names else -1}"


def _listed(key: str, row: dict[str, Any], present: set[str]) -> str:
    """Parameters of one role; those absent from a known signature are omitted."""
    chosen = [name for name in row.get(key, ()) if "parameters" in row or name in present]
    return f"{key}={','.join(chosen)}" if chosen else ""


def literal(entries: list[Entry]) -> str:
    """The source text of one name's entries."""
    rows = []
    for row, since, before in entries:
        releases = [f"since={since}"] if since else []
        releases += [f"before={before}"] if before else []
        facts = " ".join([*row.facts.split(), *releases])
        rows.append(f'("{row.kind}", "{row.parameters}", "{facts}")')
    return f"({', '.join(rows)},)" if len(rows) == 1 else f"({', '.join(rows)})"


def module(title: str, tables: dict[str, Table], mappings: dict[str, dict[str, str]], sets: Sets | None = None) -> str:
    """The source text of a data module: one line per name."""
    lines = [f'"""{title}', "", "Written by tools/generate_library_tables.py; do not edit.", '"""', ""]
    head, lines = lines, ["", "from __future__ import annotations", ""]
    if tables:
        lines += ["from jaxmpi_lint.library.rows import Rows", ""]
    for name, table in tables.items():
        rows = [f'    "{dotted}": {literal(entries)},' for dotted, entries in sorted(table.rows.items())]
        lines += [f"{name}: Rows = {{", *rows, "}", ""]
    for name, mapping in mappings.items():
        pairs = [f'    "{key}": "{value}",' for key, value in sorted(mapping.items())]
        lines += [f"{name}: dict[str, str] = {{", *pairs, "}", ""]
    for name, words in (sets or {}).items():
        items = [f'        "{word}",' for word in sorted(words)]
        lines += [f"{name.upper()}: frozenset[str] = frozenset(", "    {", *items, "    }", ")", ""]
    long = any(len(line) > 120 for line in lines)
    return "\n".join([*head, *(["# ruff: noqa: E501"] if long else []), "# fmt: off", *lines])


def part(table: Table, prefixes: tuple[str, ...]) -> Table:
    """The rows whose names start with one of the prefixes; they are removed from the table."""
    chosen = {name: table.rows.pop(name) for name in list(table.rows) if name.startswith(prefixes)}
    return Table(chosen)


def modules() -> dict[str, str]:
    """The source text of every data module, by file name."""
    mpi4py, mpi4jax, jax = semantics("mpi4py"), semantics("mpi4jax"), semantics("jax")
    rest = operations(mpi4py)
    classes = ("Comm", "Intracomm", "Intercomm", "Topocomm", "Cartcomm", "Graphcomm", "Distgraphcomm")
    communicators = part(rest, tuple(f"mpi4py.MPI.{name}" for name in classes))
    others = [semantics(name) for name in OTHERS]
    helpers = Table({name: rows for library in others for name, rows in operations(library).rows.items()})
    clients = [semantics(name) for name in CLIENTS]
    given = Table({name: rows for library in clients for name, rows in operations(library).rows.items()})
    tracing = Table()
    for library in (mpi4jax, jax, *others):
        tracing.rows |= transforms(library).rows
    aliases: dict[str, str] = {}
    for library in (mpi4py, mpi4jax, jax, *others, *clients):
        aliases |= library.get("aliases", {})

    constants = {
        "TYPES": constant_types(mpi4py),
        "DATATYPES": mpi4py["datatypes"],
    }
    return {
        "mpi4py_communicators.py": module("Communicators of mpi4py.", {"ROWS": communicators}, {}),
        "mpi4py_objects.py": module(
            "Requests, messages, windows, files, groups and the environment of mpi4py.", {"ROWS": rest}, {}
        ),
        "mpi4jax_table.py": module("Every generation of mpi4jax.", {"ROWS": operations(mpi4jax)}, {}),
        "jax_table.py": module(
            "Processes, global arrays and axis collectives of JAX.", {"ROWS": operations(jax)}, {}, jax["backend"]
        ),
        "orbax_flax_table.py": module("Multi-process helpers of orbax, flax and clu.", {"ROWS": helpers}, {}),
        "clients_table.py": module("Libraries that communicate on a communicator they are given.", {"ROWS": given}, {}),
        "transforms.py": module("Functions that run functions given to them.", {"ROWS": tracing}, {}),
        "constants_table.py": module("Constants of mpi4py: their classes and datatypes of numpy.", {}, constants),
        "aliases.py": module("Other names of the same callables and modules.", {}, {"ALIASES": aliases}),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a module is stale")
    options = parser.parse_args()
    stale = [name for name, text in modules().items() if not _is_current(TABLES / name, text)]
    if not options.check:
        for name, text in modules().items():
            (TABLES / name).write_text(text)
        return 0
    for name in stale:
        print(f"{TABLES / name}: stale; run python tools/generate_library_tables.py", file=sys.stderr)
    return 1 if stale else 0


def _is_current(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text() == text


if __name__ == "__main__":
    sys.exit(main())
