"""Jobs of the sanitizer's tests on several hosts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sanitizer.environments import Environment
from sanitizer.harness import MARK, NEVER_STARTED, Job, Result, start

from .hosts import Host

FORWARDED = (MARK, "JAXMPI_SANITIZE", "JAXMPI_SANITIZE_OPTIONS", "JAXMPI_SANITIZE_REPORT")


def launcher(
    library: str, ranks: int, in_turn: bool, number: int = 2, forwarded: Sequence[str] = FORWARDED
) -> list[str]:
    """The arguments that deal ranks to hosts, in blocks or in turn, and forward variables to them."""
    names = [f"host{at}" for at in range(1, number + 1)]
    each = 1 if in_turn else -(-ranks // number)
    if library == "mpich":
        return ["-hosts", ",".join(names), "-ppn", str(each)]
    exported = [word for name in forwarded for word in ("-x", name)]
    placed = "node:oversubscribe" if in_turn else f"ppr:{each}:node:oversubscribe"
    hosts = ",".join(f"{name}:{ranks}" for name in names)
    return [*exported, "--map-by", placed, "--host", hosts]


def run_on_two(*job: Any, seconds: float = 40.0, **more: Any) -> Result:
    """Run what `start_on_two` starts; once more if the launcher ended before it started anything."""
    for _ in range(2):
        result = start_on_two(*job, **more).finish(seconds, patience=8)
        if NEVER_STARTED not in result.err:
            break
    return result


def start_on_two(
    mpi: Environment,
    hosts: tuple[Host, Mapping[str, str]],
    program: str,
    ranks: int,
    *,
    in_turn: bool = False,
    options: Mapping[str, object] | None = None,
    number: int = 2,
    sanitize: str = "1",
) -> Job:
    """Start a program on two hosts, or on a different number of them."""
    first, variables = hosts
    entering = [*first.entering, "env", "--unset=PRTE_MCA_rmaps_default_mapping_policy"]  # it overrides the arguments
    return start(
        mpi, program, ranks, sanitize=sanitize, options=options, variables=variables,
        launcher=launcher(mpi.library, ranks, in_turn, number), entering=entering,
    )  # fmt: skip
