"""Files on disk: their contents in short, their names as users see them, and writing them whole."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is opened at all."""


def digest(data: bytes) -> str:
    """The content of a file in a few characters."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def display(path: str, folder: str) -> str:
    """A path as the user will see it: relative to ``folder`` if it lies below, with POSIX separators."""
    inside = path.startswith(folder.rstrip(os.sep) + os.sep)
    return (os.path.relpath(path, folder) if inside else path).replace(os.sep, "/")


def make_folder(folder: Path) -> None:
    """Make the cache's folder, which keeps itself out of git; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("# Made by jaxmpi-lint; safe to delete.\n*\n", encoding="utf-8")


def replace_file(path: Path, data: bytes) -> None:
    """Write a file so that whoever reads it has the old content or the new one, whole; raises OSError."""
    descriptor, temporary = tempfile.mkstemp(prefix="writing-", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
