"""The board: a file for each JAX process of this user on this host, with what it passed to `initialize`.

Files are a few hundred bytes in a folder that only the user can read. Whether their processes live the kernel says: a
process number with its start time is never used again.
"""

from __future__ import annotations

import json
import os
import stat
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace

from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.xla.starting.origin import Origin, origin, started

IMPORTED, CALLING, INITIALISED, RAISED, LEFT = "imported", "calling", "initialised", "raised", "left"
_KEPT = 120.0  # seconds for which the file of a process that ended is kept
_SUFFIX = ".json"


class Unusable(Exception):
    """There is no board, for the reason in the text."""


@dataclass(frozen=True, slots=True)
class Marker:
    """What a process shows to the others."""

    process: int
    key: str
    origin: Origin
    imported: float  # on the monotonic clock of the host, as all times here
    state: str = IMPORTED
    attempt: int = 0
    begun: float = 0.0
    finished: float = 0.0  # 0 while `initialize` has not ended
    address: str = ""  # normalised, "" while it is unknown
    written: str = ""  # the address as the program wrote it
    number: int | None = None  # num_processes
    index: int | None = None  # process_id
    site: Site | None = None
    end: str = ""  # how the process ended, or the exception of `initialize`
    told: tuple[str, ...] = ()  # causes in its notices
    ends: str = ""  # the code of the error for which it ends
    alive: bool = True

    @property
    def calls(self) -> bool:
        """Whether it is in `initialize`."""
        return self.alive and self.state == CALLING

    @property
    def is_in(self) -> bool:
        """Whether it is in `initialize`, or has returned from it."""
        return self.alive and self.state in (CALLING, INITIALISED)


class Board:
    """The own file, and those of the other processes."""

    def __init__(self, folder: str) -> None:
        own = started(os.getpid())
        if own is None:
            raise Unusable("/proc cannot be read")
        self.folder = folder
        self.mine = Marker(own.process, own.key, origin(), time.monotonic())
        try:
            private(folder)
            self.show(self.mine)
            self._reap()
        except OSError as error:
            raise Unusable(f"{error.strerror or error}: {folder}") from error

    def show(self, mine: Marker) -> None:
        """Replace what this process shows, in one step."""
        self.mine = mine
        path = self._path(mine.key)
        with open(f"{path}.new", "w", encoding="utf-8", opener=_private_file) as file:
            json.dump(asdict(mine), file)
        os.replace(f"{path}.new", path)

    def read(self) -> list[Marker]:
        """The markers of all processes on this host, this one first."""
        found = [self.mine]
        for name in os.listdir(self.folder):
            if not name.endswith(_SUFFIX) or name == self.mine.key + _SUFFIX:
                continue
            with suppress(FileNotFoundError, ValueError, TypeError, KeyError):  # the last three: of another version
                marker = _read(os.path.join(self.folder, name))
                if marker.origin.host == self.mine.origin.host:
                    found.append(marker)
        return found

    def remove(self) -> None:
        """Remove the own file."""
        with suppress(OSError):
            os.unlink(self._path(self.mine.key))

    def _path(self, key: str) -> str:
        return os.path.join(self.folder, key + _SUFFIX)

    def _reap(self) -> None:
        """Remove the files of processes that ended long ago."""
        for name in os.listdir(self.folder):
            key = name.partition(".")[0]
            path = os.path.join(self.folder, name)
            with suppress(OSError):
                if time.time() - os.stat(path).st_mtime > _KEPT and not is_alive(key):
                    os.unlink(path)


def is_alive(key: str) -> bool:
    """Whether the process of a key lives on this host."""
    number = key.partition("-")[0]
    process = started(int(number)) if number.isdigit() else None
    return process is not None and process.key == key


def default_folder() -> str:
    """The folder of the board, one for each user."""
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()
    return os.path.join(base, f"jaxmpi-sanitize-starting.{os.getuid()}")


def private(folder: str) -> None:
    """Create a folder that only this user can read; an error if it is anything else."""
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(1, "not a private folder")


def _private_file(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def _read(path: str) -> Marker:
    with open(path, encoding="utf-8") as file:
        fields = json.load(file)
    site = fields["site"]
    made = Marker(**fields)
    return replace(
        made,
        origin=Origin(**fields["origin"]),
        site=None if site is None else Site(site["file"], site["line"], site["function"]),
        told=tuple(made.told),
        alive=is_alive(made.key),
    )
