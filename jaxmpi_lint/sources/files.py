"""Files on disk: digests, display names, and atomic writing."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

LARGEST = 64 * 1024 * 1024
"""The maximum size, in bytes, of a file that is opened."""


def digest(data: bytes) -> str:
    """A short digest of the content of a file."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def display(path: str, folder: str) -> str:
    """A path for display: relative to ``folder`` if it lies below, with POSIX separators."""
    inside = path.startswith(folder.rstrip(os.sep) + os.sep)
    return (os.path.relpath(path, folder) if inside else path).replace(os.sep, "/")


def make_folder(folder: Path) -> None:
    """Create the cache folder, which excludes itself from git; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("# Made by jaxmpi-lint; safe to delete.\n*\n", encoding="utf-8")


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file atomically, so that readers see either the old or the new content; raises OSError."""
    descriptor, temporary = tempfile.mkstemp(prefix="writing-", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
