"""Variables in which launchers tell each process its number: in the whole job, or on its node only.

Sources: the manual pages of srun and mpirun, the documentation of torchrun, Hydra, MVAPICH2 and PALS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_RANKS_ON_NODE = frozenset(
    "OMPI_COMM_WORLD_LOCAL_RANK MPI_LOCALRANKID MV2_COMM_WORLD_LOCAL_RANK SLURM_LOCALID LOCAL_RANK "
    "PALS_LOCAL_RANKID PMI_LOCAL_RANK JSM_NAMESPACE_LOCAL_RANK".split()
)
_RANKS = frozenset(
    "OMPI_COMM_WORLD_RANK PMI_RANK PMIX_RANK SLURM_PROCID MV2_COMM_WORLD_RANK PALS_RANKID JSM_NAMESPACE_RANK "
    "RANK".split()
)
_SIZES_OF_NODE = frozenset(
    "OMPI_COMM_WORLD_LOCAL_SIZE MPI_LOCALNRANKS MV2_COMM_WORLD_LOCAL_SIZE LOCAL_WORLD_SIZE".split()
)
_SIZES = frozenset(
    "OMPI_COMM_WORLD_SIZE PMI_SIZE SLURM_NTASKS SLURM_NPROCS MV2_COMM_WORLD_SIZE PALS_SIZE JSM_NAMESPACE_SIZE "
    "WORLD_SIZE".split()
)


class OfNode(int):
    """A number that counts the processes of one node."""

    __slots__ = ()


class OfJob(int):
    """A number that counts all processes of a job."""

    __slots__ = ()


class TextOfNode(str):
    """The text of a variable with such a number."""

    __slots__ = ()


class TextOfJob(str):
    """The text of a variable with such a number."""

    __slots__ = ()


def text(rank: Rank, name: str) -> str | None:
    """What the launcher has set a variable to, in a job on one node; None for other variables."""
    if name in _RANKS_ON_NODE:
        return TextOfNode(rank.number)
    if name in _SIZES_OF_NODE:
        return TextOfNode(rank.world.size)
    if name in _RANKS:
        return TextOfJob(rank.number)
    return TextOfJob(rank.world.size) if name in _SIZES else None


def number(value: str) -> int | None:
    """The number in the text of such a variable; None for other texts."""
    if isinstance(value, TextOfNode):
        return OfNode(value)
    return OfJob(value) if isinstance(value, TextOfJob) else None
