"""Runs the checks of a program on all ranks, one after another; the first that fails ends the job and says which."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping

from mpi4py import MPI

WORLD = MPI.COMM_WORLD
RANK: int = WORLD.Get_rank()
SIZE: int = WORLD.Get_size()


def run(program: Mapping[str, object]) -> None:
    """Every function whose name starts with ``check_``, in the order of the text."""
    checks = {name: check for name, check in program.items() if name.startswith("check_") and callable(check)}
    for name, check in checks.items():
        _run(name, check)
        WORLD.Barrier()
    print(f"rank {RANK}: {len(checks)} checks passed")


def _run(name: str, check: Callable[[], None]) -> None:
    try:
        check()
    except BaseException:
        print(f"rank {RANK} of {SIZE}, {name}:\n{traceback.format_exc()}", file=sys.stderr, flush=True)
        WORLD.Abort(3)
