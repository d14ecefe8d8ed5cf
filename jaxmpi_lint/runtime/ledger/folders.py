"""The folders with results of jobs, ``jaxmpi-sanitize.<start>.<job>``: name, ledger, and how many are kept."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

REPORT, FINDINGS, LEDGER = "report.txt", "findings.jsonl", "ledger.gz"
PLAIN = "ledger"  # as it is copied, before it is compressed: large, and most of it empty
_NAME = re.compile(r"jaxmpi-sanitize\.\d{8}-\d{6}\..+")
_FILE = re.compile(r"report\.txt|findings\.jsonl|ledger(\.gz)?|launches-.+\.txt")


def name(job: str, started: float) -> str:
    """The name of a job's folder; names sort by the start of the job, in seconds since the epoch."""
    readable = "".join(c if c.isalnum() or c in "-_." else "-" for c in job) or "job"
    return f"jaxmpi-sanitize.{time.strftime('%Y%m%d-%H%M%S', time.localtime(started))}.{readable}"


def pack(folder: Path) -> None:
    """Compress the copy of the ledger in a folder, if there is one."""
    plain = folder / PLAIN
    if not plain.is_file():
        return
    with (
        plain.open("rb") as source,
        open(folder / LEDGER, "wb", opener=_private) as target,
        gzip.GzipFile("", "wb", compresslevel=1, fileobj=target) as packed,
    ):
        shutil.copyfileobj(source, packed)
    plain.unlink()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def ledger(folder: Path) -> Path:
    """The ledger in a folder; it need not exist."""
    return folder / PLAIN if (folder / PLAIN).is_file() else folder / LEDGER


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """A ledger as the native reader opens it; RuntimeError if it cannot be unpacked."""
    if path.suffix != ".gz":
        yield path
        return
    with tempfile.NamedTemporaryFile(prefix="jaxmpi-sanitize-") as plain:
        try:
            with gzip.open(path) as packed:
                shutil.copyfileobj(packed, plain)
        except (OSError, EOFError) as error:
            raise RuntimeError(f"{path}: {error}") from None
        plain.flush()
        yield Path(plain.name)


def prune(newest: Path, keep: int) -> None:
    """Remove the oldest folders beside one, so that ``keep`` remain with it; 0: all remain.

    A folder with a file that the sanitizer does not write is left alone.
    """
    if not keep or not _NAME.fullmatch(newest.name):
        return
    with suppress(OSError):
        found = sorted(one for one in newest.absolute().parent.iterdir() if _NAME.fullmatch(one.name))
        others = [one for one in found if one.is_dir() and not one.is_symlink() and one.name != newest.name]
        for folder in others[: max(0, len(others) - keep + 1)]:
            _remove(folder)


def _remove(folder: Path) -> None:
    with suppress(OSError):
        files = list(folder.iterdir())
        if all(_FILE.fullmatch(file.name) and file.is_file() for file in files):
            for file in files:
                file.unlink()
            folder.rmdir()
