"""Constants of mpi4py: communicators, wildcards, reduction operators and datatypes."""

from __future__ import annotations

from dataclasses import dataclass

from jaxmpi_lint.library.constants_table import DATATYPES, TYPES

_MPI = "mpi4py.MPI."

_ARITHMETIC = frozenset({"integer", "floating"})
_REDUCTIONS: dict[str, frozenset[str]] = {
    "MAX": _ARITHMETIC,
    "MIN": _ARITHMETIC,
    "SUM": _ARITHMETIC | {"complex"},
    "PROD": _ARITHMETIC | {"complex"},
    "LAND": frozenset({"integer", "logical"}),
    "LOR": frozenset({"integer", "logical"}),
    "LXOR": frozenset({"integer", "logical"}),
    "BAND": frozenset({"integer", "byte"}),
    "BOR": frozenset({"integer", "byte"}),
    "BXOR": frozenset({"integer", "byte"}),
    "MAXLOC": frozenset({"pair"}),
    "MINLOC": frozenset({"pair"}),
}
"""Classes of datatypes that a predefined operator accepts (MPI 4.1, 6.9.2 and 6.9.4)."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant: its canonical name, the class of the object (``Datatype``, ``Op``, ``Intracomm``, ``int``) and, for a
    datatype, the numpy dtype of equal class and width on LP64 platforms (None for pairs and packed data).
    """

    name: str
    type: str
    dtype: str | None = None

    @property
    def short(self) -> str:
        """The name as written after ``MPI.``."""
        return self.name.removeprefix(_MPI)

    @property
    def reduces(self) -> frozenset[str]:
        """For an operator, the classes of datatypes that it accepts; empty if it is none or accepts any."""
        return _REDUCTIONS.get(self.short, frozenset()) if self.type == "Op" else frozenset()


def constant(dotted: str) -> Constant | None:
    """The constant of a canonical dotted name, or None."""
    short = dotted.removeprefix(_MPI)
    kind = TYPES.get(short)
    if kind is None or not dotted.startswith(_MPI):
        return None
    return Constant(dotted, kind, DATATYPES.get(short))


def datatype_of(dtype: str) -> tuple[str, ...]:
    """The names of the datatypes that are equal to a numpy dtype on LP64 platforms."""
    return tuple(name for name, equal in DATATYPES.items() if equal == dtype)
