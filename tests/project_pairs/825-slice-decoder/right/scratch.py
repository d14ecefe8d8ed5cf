"""Node-local scratch space guarded by a lock file."""
from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

from retry import Transient


class Scratch:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = folder / "decode.lock"

    @contextmanager
    def locked(self) -> Iterator[Path]:
        try:
            handle = os.open(self.lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        except FileExistsError:
            raise Transient(f"{self.lock} is held") from None
        os.close(handle)
        try:
            yield self.folder
        finally:
            self.lock.unlink()

    def break_lock(self) -> None:
        self.lock.unlink(missing_ok=True)

    def leave_lock(self) -> None:
        """Put the folder in the state that a killed job leaves behind."""
        self.lock.touch()
