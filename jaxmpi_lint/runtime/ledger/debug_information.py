"""Lines and symbols of compiled code, from the DWARF information and the symbol tables of ELF files.

Sources: DWARF 5 (dwarfstd.org), sections 2.17, 3.3.8 and 6.2; the System V ABI, chapter 4. pyelftools reads both.
"""

from __future__ import annotations

import os
import posixpath
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elftools.dwarf.compileunit import CompileUnit
    from elftools.dwarf.die import DIE
    from elftools.dwarf.dwarfinfo import DWARFInfo
    from elftools.elf.elffile import ELFFile

_SECONDS = 4.0  # for all look-ups of a process: nobody waits longer for a report
_SEPARATE = "/usr/lib/debug/.build-id"  # where distributions install debug information of stripped files
_CHANGED = "changed "  # the identity of a file that has no build-id: see native_code.cpp
_FUNCTIONS = frozenset({"DW_TAG_subprogram", "DW_TAG_inlined_subroutine"})
_SCOPES = frozenset({"DW_TAG_namespace", "DW_TAG_module", "DW_TAG_lexical_block", *_FUNCTIONS})


@dataclass(frozen=True, slots=True)
class Line:
    """A line of source."""

    file: str
    number: int
    function: str


class _Late(Exception):
    """The time for look-ups is used up."""


class _Clock:
    """The time that look-ups have taken in this process."""

    def __init__(self) -> None:
        self.used = 0.0
        self._begun: float | None = None

    def __enter__(self) -> None:
        self._begun = time.monotonic()

    def __exit__(self, *_: object) -> None:
        if self._begun is not None:
            self.used += time.monotonic() - self._begun
        self._begun = None

    def check(self) -> None:
        """_Late if there is no time left."""
        now = time.monotonic()
        if self.used + (now - (self._begun or now)) > _SECONDS:
            raise _Late


_CLOCK = _Clock()


def lines(module: str, build: str, address: int) -> tuple[Line, ...]:
    """The line of an instruction and, where functions are inlined, of its callers, the innermost first.

    ``address`` is as in the file's symbol table. Empty without debug information, for another build of the file, and
    if there is no time left.
    """
    file = _file(module, build)
    if file is None:
        return ()
    try:
        with _CLOCK:
            return tuple(file.lines(address))
    except Exception:  # damaged or unknown debug information: the symbol is reported
        return ()


def symbol(module: str, build: str, address: int) -> str:
    """``solve+0x1f``; ``+0x11f4`` in a file without symbols."""
    file = _file(module, build)
    try:
        with _CLOCK:
            known = None if file is None else file.symbol(address - 1)
    except Exception:
        known = None
    return f"+{address:#x}" if known is None else f"{known[0]}+{address - known[1]:#x}"


def is_there(module: str, build: str) -> bool:
    """Whether the file that ran is still there."""
    return _file(module, build) is not None


@lru_cache(maxsize=32)
def _file(module: str, build: str) -> _File | None:
    try:
        return _File(module, build)
    except Exception:  # no such file any more, or no ELF file
        return None


class _File:
    """One program or library."""

    def __init__(self, module: str, build: str) -> None:
        """ValueError if it is not the build that ran."""
        self._elf = _opened(module)
        if build.startswith(_CHANGED):
            changed = os.stat(module).st_mtime_ns
            same = build == f"{_CHANGED}{changed // 10**9}.{changed % 10**9}"
        else:
            same = not build or _build_of(self._elf) == build
        if not same:
            raise ValueError(f"{module} has changed")
        self._build = build

    @cached_property
    def _debug(self) -> DWARFInfo | None:
        separate = f"{_SEPARATE}/{self._build[:2]}/{self._build[2:]}.debug"
        elf = self._elf
        if not elf.has_dwarf_info() and os.path.isfile(separate):
            elf = _opened(separate)
        return elf.get_dwarf_info(relocate_dwarf_sections=False) if elf.has_dwarf_info() else None

    def lines(self, address: int) -> Iterator[Line]:
        """The line of an address, then those of its callers as far as they are inlined."""
        unit = None if self._debug is None else self._unit(address)
        if unit is None:
            return
        row = self._row(unit, address)
        if row is None:
            return
        file, number = row
        functions = list(_functions_at(unit, address))
        for function in reversed(functions):
            yield Line(file, number, _name(function))
            if function.tag == "DW_TAG_subprogram":
                return
            file = self._name_of(unit, function.attributes["DW_AT_call_file"].value)
            number = function.attributes["DW_AT_call_line"].value
        yield Line(file, number, "")

    def symbol(self, address: int) -> tuple[str, int] | None:
        """The function at an address and where it begins."""
        for name in (".symtab", ".dynsym"):
            section: Any = self._elf.get_section_by_name(name)
            for number, one in enumerate(section.iter_symbols() if section is not None else ()):
                if number % 1000 == 0:
                    _CLOCK.check()
                start = one["st_value"]
                inside = start <= address < start + max(one["st_size"], 1)
                if inside and one["st_info"]["type"] == "STT_FUNC":
                    return one.name, start
        return None

    def _unit(self, address: int) -> CompileUnit | None:
        """The compilation unit of an address."""
        assert self._debug is not None
        table = self._debug.get_aranges()
        offset = None if table is None else table.cu_offset_at_addr(address)
        if offset is not None:
            return self._debug.get_CU_at(offset)
        for unit in self._debug.iter_CUs():  # not every compiler writes that table
            _CLOCK.check()
            if _covers(unit.get_top_DIE(), address):
                return unit
        return None

    def _row(self, unit: CompileUnit, address: int) -> tuple[str, int] | None:
        """File and line of an address in the line table of its unit."""
        assert self._debug is not None
        program = self._debug.line_program_for_CU(unit)
        if program is None:
            return None
        states = [entry.state for entry in program.get_entries() if entry.state is not None]
        _CLOCK.check()
        for state, following in pairwise(states):
            if not state.end_sequence and state.address <= address < following.address:
                return self._name_of(unit, state.file), state.line
        return None

    def _name_of(self, unit: CompileUnit, number: int) -> str:
        """The path of a file in the line table of a unit."""
        assert self._debug is not None
        program = self._debug.line_program_for_CU(unit)
        assert program is not None
        header = program.header
        first = 0 if header.version >= 5 else 1
        entry = header.file_entry[number - first]
        base = _text(unit.get_top_DIE(), "DW_AT_comp_dir")
        folder = ""
        if header.version >= 5:
            folder = _decoded(header.include_directory[entry.dir_index])
        elif entry.dir_index > 0:
            folder = _decoded(header.include_directory[entry.dir_index - 1])
        return posixpath.normpath(posixpath.join(base, folder, _decoded(entry.name)))


def _opened(path: str) -> ELFFile:
    from elftools.elf.elffile import ELFFile

    return ELFFile(open(path, "rb"))


def _build_of(elf: ELFFile) -> str:
    section: Any = elf.get_section_by_name(".note.gnu.build-id")
    for note in section.iter_notes() if section is not None else ():
        if note["n_type"] == "NT_GNU_BUILD_ID":
            return str(note["n_desc"])
    return ""


def _functions_at(unit: CompileUnit, address: int) -> Iterator[DIE]:
    """The function at an address and the functions inlined in it, the outermost first."""
    scope: DIE | None = unit.get_top_DIE()
    while scope is not None:
        if scope.tag in _FUNCTIONS:
            yield scope
        scope = _inside(scope, address)


def _inside(scope: DIE, address: int) -> DIE | None:
    """The scope around an address that a scope directly contains."""
    for child in scope.iter_children():
        _CLOCK.check()
        if child.tag not in _SCOPES:
            continue
        if child.tag in ("DW_TAG_namespace", "DW_TAG_module"):  # they have no addresses of their own
            found = _inside(child, address)
            if found is not None:
                return found
        elif _covers(child, address):
            return child
    return None


def _covers(die: DIE, address: int) -> bool:
    """Whether the code of an entry contains an address."""
    attributes = die.attributes
    if "DW_AT_ranges" in attributes:
        return any(start <= address < end for start, end in _ranges(die))
    if "DW_AT_low_pc" not in attributes or "DW_AT_high_pc" not in attributes:
        return False
    from elftools.dwarf.descriptions import describe_form_class

    low, high = die.attributes["DW_AT_low_pc"].value, attributes["DW_AT_high_pc"]
    end = high.value if describe_form_class(high.form) == "address" else low + high.value
    return bool(low <= address < end)


def _ranges(die: DIE) -> Iterator[tuple[int, int]]:
    """The ranges of an entry with several."""
    lists: Any = die.dwarfinfo.range_lists()
    top = die.cu.get_top_DIE()
    base = top.attributes["DW_AT_low_pc"].value if "DW_AT_low_pc" in top.attributes else 0
    for entry in lists.get_range_list_at_offset(die.attributes["DW_AT_ranges"].value, cu=die.cu):
        if hasattr(entry, "base_address"):
            base = entry.base_address
        elif getattr(entry, "is_absolute", False):
            yield entry.begin_offset, entry.end_offset
        else:
            yield base + entry.begin_offset, base + entry.end_offset


def _name(function: DIE) -> str:
    """The name of a function as the source has it."""
    for _ in range(4):  # an inlined or out-of-line instance refers to its definition, and that to its declaration
        if "DW_AT_name" in function.attributes:
            return _text(function, "DW_AT_name")
        reference = next(
            (name for name in ("DW_AT_abstract_origin", "DW_AT_specification") if name in function.attributes), None
        )
        if reference is None:
            break
        function = function.get_DIE_from_attribute(reference)
    return ""


def _text(die: DIE, name: str) -> str:
    return _decoded(die.attributes[name].value) if name in die.attributes else ""


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
