"""The extension that XLA calls: compiled on first use against the installed jaxlib, then cached.

The file's name contains jaxlib's version and a hash of the sources, headers and flags. One process compiles while the
other processes of its host wait. If files cannot be locked, each process compiles, and the last file remains.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parent.parent / "native" / "collectives"
COMPILERS = ("c++", "g++", "clang++")
FLAGS = ("-std=c++17", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-pthread")
# An older libstdc++ may be loaded already. libgcc is shared: with two unwinders, ending a thread aborts the process.
OWN_RUNTIME = ("-static-libstdc++",)
PLACE = "JAXMPI_CACHE_DIR"
SECONDS = 600


class Unavailable(ImportError):
    """The extension is missing and cannot be compiled; the text names the reason."""


def library(include: Path, version: str) -> Path:
    """The compiled extension for a jaxlib of this version, with headers in ``include``; else Unavailable."""
    folder = _cache()
    target = folder / f"collectives-{version}-{_key(include)}.so"
    if target.exists():
        return target
    compiler = _compiler(version)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(target.with_suffix(".lock")):
            if not target.exists():
                _compile(compiler, include, target)
    except OSError as error:
        raise Unavailable(
            f"the collectives extension cannot be stored in {folder} ({error.strerror}); "
            f"set {PLACE} to a writable folder"
        ) from None
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{shlex.join(compiler)} took more than {SECONDS} s for the collectives extension") from None
    return target


def _cache() -> Path:
    named = os.environ.get(PLACE)
    if named:
        return Path(named).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "jaxmpi-lint"


def _key(include: Path) -> str:
    """A hash of everything that the compiled file depends on."""
    digest = hashlib.sha256(" ".join((platform.machine(), *FLAGS)).encode())
    for file in (*sorted(SOURCES.iterdir()), *sorted(include.rglob("*.h"))):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _compiler(version: str) -> list[str]:
    """The command of the compiler; Unavailable if there is none."""
    named = shlex.split(os.environ.get("CXX", ""))
    for command in [named] if named else [[name] for name in COMPILERS]:
        if shutil.which(command[0]):
            return command
    missing = f"CXX={shlex.join(named)} is not a command" if named else f"none of {', '.join(COMPILERS)} is on PATH"
    raise Unavailable(
        f"the collectives extension must be compiled for jaxlib {version}, but there is no C++ compiler: {missing}"
    )


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        with contextlib.suppress(OSError):  # some file systems lack locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _compile(compiler: list[str], include: Path, target: Path) -> None:
    sources = sorted(str(source) for source in SOURCES.glob("*.cpp"))
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="building-") as scratch:
        made = Path(scratch) / target.name
        outcome = None
        for runtime in (OWN_RUNTIME, ()):
            command = [*compiler, *FLAGS, *runtime, "-isystem", str(include), *sources, "-o", str(made), "-ldl"]
            outcome = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
            if outcome.returncode == 0:
                made.replace(target)
                return
        errors = [line for line in outcome.stderr.splitlines() if "error" in line] if outcome else []
        reason = errors[0] if errors else f"exit status {outcome.returncode if outcome else 'unknown'}"
        raise Unavailable(f"{shlex.join(compiler)} cannot compile the collectives extension: {reason}")
