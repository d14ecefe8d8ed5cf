"""Whether a test divides the processes of a communicator, so that some leave it differently from the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.lattice.lattice import ANY_GROUP, PROCESSES, WORLD, Communicator, Uniformity
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def divides(function: Function, test: Uniformity, communicator: Communicator, by_rank: bool = False) -> bool:
    """Whether processes of a communicator may have different values where the function tests one.

    With ``by_rank`` only a rank of this communicator counts. It is for values that are used as they are, as a root or
    in a program that is traced: other data of a process, and a number that the configuration calls a rank, may well be
    the same everywhere, and are no mistake then. A test of them is made because they differ.
    """
    if communicator.is_self:
        return False
    if by_rank:
        return test.level is Level.RANK and _has_rank(function, test, communicator)
    if test.source is Source.MACHINE and communicator.ancestors:
        return False  # the processes of a part may be those of one host
    everybody = ANY_GROUP in test.groups or (test.level is Level.LOCAL and not test.groups)
    return everybody or _has_rank(function, test, communicator)


def _has_rank(function: Function, test: Uniformity, communicator: Communicator) -> bool:
    """Whether the groups that a test tells apart are those of a communicator."""
    if communicator.groups <= test.groups:
        return True
    is_of_jax = communicator.context == PROCESSES and WORLD in test.groups
    return is_of_jax and function.module_model.connects_processes  # each rank of the world is a process of JAX then
