"""The dynamic section of an ELF file, read without loading it: the libraries it needs and their search paths."""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jaxmpi_lint.runtime.settings.environment import MPI_LIBRARIES

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SEGMENT = struct.Struct("<IIQQQQQQ")
DYNAMIC = struct.Struct("<qQ")
SYMBOL = struct.Struct("<IBBHQQ")
LOAD, DYNAMIC_SEGMENT, INTERPRETER = 1, 2, 3
NEEDED, STRINGS, SYMBOLS, SONAME, RPATH, RUNPATH = 1, 5, 6, 14, 15, 29
HASH, GNU_HASH = 4, 0x6FFFFEF5


@dataclass(frozen=True, slots=True)
class ElfFile:
    """The dynamic section of one file."""

    path: Path
    soname: str
    needed: tuple[str, ...]
    rpath: tuple[str, ...]
    runpath: tuple[str, ...]
    interpreter: str  # "" for a library, and for a statically linked program
    is_program: bool

    def folders(self) -> Iterator[Path]:
        """The folders that the dynamic linker searches for the needed libraries, before its defaults."""
        library_path = filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(":"))
        before = () if self.runpath else self.rpath
        for folder in (*before, *library_path, *self.runpath):
            yield Path(folder.replace("${ORIGIN}", "$ORIGIN").replace("$ORIGIN", str(self.path.resolve().parent)))

    def find(self, soname: str) -> Path | None:
        """The file of a needed library, None if it is in none of these folders."""
        return next((path for folder in self.folders() if (path := folder / soname).is_file()), None)


def read(path: Path) -> ElfFile | None:
    """The dynamic section of a 64-bit little-endian ELF file; None for anything else."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _read(path, data)
    except (OSError, ValueError, struct.error):
        return None


def _read(path: Path, data: mmap.mmap) -> ElfFile | None:
    if data[:6] != b"\x7fELF\x02\x01":
        return None
    header = HEADER.unpack_from(data, 0)
    segments = [SEGMENT.unpack_from(data, header[5] + i * header[9]) for i in range(header[10])]
    interpreter = ""
    entries: list[tuple[int, int]] = []
    for kind, _, offset, _, _, size, _, _ in segments:
        if kind == INTERPRETER:
            interpreter = data[offset : offset + size].rstrip(b"\0").decode()
        elif kind == DYNAMIC_SEGMENT:
            entries = list(DYNAMIC.iter_unpack(data[offset : offset + size // DYNAMIC.size * DYNAMIC.size]))
    loads = [(address, offset, size) for kind, _, offset, address, _, size, _, _ in segments if kind == LOAD]
    strings = _offset(dict(entries).get(STRINGS, 0), loads)

    def text(at: int) -> str:
        return data[strings + at : data.find(b"\0", strings + at)].decode()

    def texts(tag: int) -> tuple[str, ...]:
        return tuple(text(value) for key, value in entries if key == tag)

    def folders(tag: int) -> tuple[str, ...]:
        return tuple(part for value in texts(tag) for part in value.split(":") if part)

    return ElfFile(path, "".join(texts(SONAME)), texts(NEEDED), folders(RPATH), folders(RUNPATH), interpreter,
                   is_program=header[1] == 2 or bool(interpreter))  # fmt: skip


def _offset(address: int, loads: list[tuple[int, int, int]]) -> int:
    """The file offset of an address of the loaded image."""
    return next((address - start + offset for start, offset, size in loads if start <= address < start + size), address)


def is_mpi(soname: str) -> bool:
    """Whether a library of this name is an MPI library."""
    return soname.startswith(MPI_LIBRARIES)
