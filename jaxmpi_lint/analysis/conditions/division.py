"""Whether a test divides the processes of a communicator, so that its outcome differs between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.lattice.lattice import ANY_GROUP, PROCESSES, WORLD, Communicator, Uniformity
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def divides(function: Function, test: Uniformity, communicator: Communicator, by_rank: bool = False) -> bool:
    """Whether the tested value may differ between processes of a communicator.

    With ``by_rank`` only a rank in this communicator counts. It is for values that are used directly, as a root or in a
    traced program: other local data, and a number configured as a rank, may well be equal on all processes, and are
    correct then. A test of them exists because they differ.
    """
    if communicator.is_self:
        return False
    if by_rank:
        return test.level is Level.RANK and _has_rank(function, test, communicator)
    if test.source is Source.MACHINE and communicator.ancestors:
        return False  # the processes of a sub-communicator may be those of one host
    everybody = ANY_GROUP in test.groups or (test.level is Level.LOCAL and not test.groups)
    return everybody or _has_rank(function, test, communicator)


def _has_rank(function: Function, test: Uniformity, communicator: Communicator) -> bool:
    """Whether the groups that a test divides are those of a communicator."""
    if communicator.groups <= test.groups:
        return True
    is_of_jax = communicator.context == PROCESSES and WORLD in test.groups
    return is_of_jax and function.module_model.connects_processes  # each rank of the world is then a JAX process


def parts_by_rank(choice: Uniformity, communicator: Communicator) -> bool:
    """Whether the rank decides which one of several communicators it is, within the processes of one of them.

    Some of these processes then have that one, and wait for the others, which have a different one.
    """
    if choice.level is not Level.RANK or not communicator.is_one_of_several:
        return False
    return any(frozenset({name}) <= choice.groups for name in communicator.alternatives)
