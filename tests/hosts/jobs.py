"""Jobs of the sanitizer's tests on several hosts."""

from __future__ import annotations

from collections.abc import Mapping

from sanitizer.environments import Environment
from sanitizer.harness import MARK, Result, run

from .hosts import Host

FORWARDED = (MARK, "JAXMPI_SANITIZE", "JAXMPI_SANITIZE_OPTIONS", "JAXMPI_SANITIZE_REPORT")
NAMES = ("host1", "host2")


def launcher(library: str, ranks: int, in_turn: bool) -> list[str]:
    """The arguments that deal ranks to two hosts, in blocks or in turn."""
    each = 1 if in_turn else max(1, ranks // len(NAMES))
    if library == "mpich":
        return ["-hosts", ",".join(NAMES), "-ppn", str(each)]
    forwarded = [word for name in FORWARDED for word in ("-x", name)]
    placed = "node:oversubscribe" if in_turn else f"ppr:{each}:node:oversubscribe"
    hosts = ",".join(f"{name}:{ranks}" for name in NAMES)
    return [*forwarded, "--map-by", placed, "--host", hosts]


def run_on_two(
    mpi: Environment,
    two: tuple[Host, Mapping[str, str]],
    program: str,
    ranks: int,
    *,
    in_turn: bool = False,
    options: Mapping[str, object] | None = None,
    sanitize: str = "1",
    seconds: float = 40.0,
) -> Result:
    """Run a program on two hosts."""
    first, variables = two
    entering = [*first.entering, "env", "--unset=PRTE_MCA_rmaps_default_mapping_policy"]  # it overrides the arguments
    return run(
        mpi, program, ranks, sanitize=sanitize, options=options, variables=variables,
        launcher=launcher(mpi.library, ranks, in_turn), entering=entering, seconds=seconds,
    )  # fmt: skip
