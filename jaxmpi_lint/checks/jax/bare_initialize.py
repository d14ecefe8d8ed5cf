"""Calls of ``jax.distributed.initialize`` that rely on cluster detection under Open MPI 5."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.checks.jax.backend_start import initialize_calls
from jaxmpi_lint.checks.jax.launch_commands import launches_of
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.settings.launch_scripts import Launch

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_TELLING = frozenset({"coordinator_address", "cluster_detection_method"})
_REPAIRED = (0, 11)
_ENVIRONMENT = ("environ", "getenv", "slurm", "launcher", "tpu")
_ADDRESSES = ("JAX_COORDINATOR_ADDRESS", "OMPI_MCA_orte_hnp_uri")


@dataclass(frozen=True, slots=True)
class BareInitialize:
    """A call without an address, and a launch of its program."""

    function: Function
    call: ir.Call
    launch: Launch

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """Medium where the release of Open MPI is known."""
        return Confidence.MEDIUM if self.launch.open_mpi_5 else Confidence.LOW

    @property
    def release(self) -> str:
        """The release, as far as it is known."""
        return "Open MPI 5" if self.launch.open_mpi_5 else "Open MPI (if it is release 5)"

    def steps(self) -> tuple[Step, ...]:
        """None: the call is sufficient evidence."""
        return ()


def bare_initializations(function: Function) -> Iterator[BareInitialize]:
    """Each call in a function that relies on cluster detection."""
    version = function.project.settings.targets.get("jax")
    if (version is not None and version >= _REPAIRED) or not function.module_model.mentions(("initialize",)):
        return
    for (block, _), bound in initialize_calls(function):
        if _is_told(bound.call) or _is_prepared(function, block, bound.call):
            continue
        launch = _launch(function)
        if launch is not None:
            yield BareInitialize(function, bound.call, launch)


def _is_told(call: ir.Call) -> bool:
    """Whether an argument specifies how to detect the processes, or may do so."""
    return call.has_star or any(a.keyword is None or a.keyword in _TELLING for a in call.args)


def _is_prepared(function: Function, block: int, call: ir.Call) -> bool:
    """Whether the program handles the error, tests its environment first, or sets the address in a variable."""
    source = function.module.source
    tried = any(isinstance(s, ir.Try) and s.body[0] <= call.span[0] < s.body[1] for s in function.ir.steps())
    tests = " ".join(source(guard.branch.test.span).lower() for guard in guards(function, block))
    return tried or any(word in tests for word in _ENVIRONMENT) or function.project.mentions(_ADDRESSES)


def _launch(function: Function) -> Launch | None:
    """The launch with the most information, unless a launch specifies the processes to JAX."""
    launches = launches_of(function)
    if any(launch.launcher == "srun" or launch.addressed for launch in launches):
        return None
    return next((launch for launch in launches if launch.open_mpi_5), launches[0] if launches else None)
