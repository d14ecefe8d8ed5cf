"""A finding of the sanitizer, independent of its presentation."""

from __future__ import annotations

from dataclasses import dataclass

from jaxmpi_lint.runtime.findings.catalogue import CODES
from jaxmpi_lint.runtime.findings.entry import Entry
from jaxmpi_lint.runtime.ledger.native_site import NativeSite
from jaxmpi_lint.runtime.ledger.snapshot import Handled, Site


@dataclass(frozen=True, slots=True)
class Side:
    """Ranks that made the same call on the same line."""

    ranks: tuple[int, ...]
    call: str  # "Bcast(root=1), 4 x float64"; "" if they are outside MPI
    site: Site | None
    remark: str = ""  # how they differ: "differs", "waits for ranks 0 and 2"
    odd: bool = False  # in the minority
    text: str = ""  # a traceback, an exit status, a stack
    handled: Handled | None = None  # while they make the call


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a deadlock: ``ranks`` wait in ``call`` for ``others``."""

    ranks: tuple[int, ...]
    call: str
    site: Site | None
    what: str  # "for a message from", "in a collective for"
    others: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the histories side by side: the call of each side."""

    ordinal: int
    calls: tuple[str, ...]
    here: bool = False  # the subject of the finding


@dataclass(frozen=True, slots=True)
class Divergence:
    """An earlier collective that matched, although one rank of each side made it in different places."""

    ordinal: int  # from 1
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Past:
    """The last collectives on a communicator, one column for each group of ranks."""

    columns: tuple[tuple[int, ...], ...]
    rows: tuple[Row, ...]
    note: str = ""  # on the first of them that ranks made from different callers
    divergence: Divergence | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect of the program, with all that helps to fix it."""

    code: str
    message: str  # one sentence: which ranks, what
    ranks: tuple[int, ...]
    sides: tuple[Side, ...] = ()
    communicator: str = ""
    steps: tuple[Step, ...] = ()
    closed: bool = False  # the steps form a cycle
    past: Past | None = None
    notes: tuple[str, ...] = ()
    remedy: str = ""  # "": that of the catalogue
    when: float = 0.0
    error: bool | None = None  # None: the severity of the catalogue
    subject: str = ""  # identifies a defect that belongs to no line

    @property
    def entry(self) -> Entry:
        """Its row in the catalogue."""
        return CODES[self.code]

    @property
    def severity(self) -> str:
        """``error``, ``warning`` or ``info``."""
        if self.error is None:
            return self.entry.severity.value
        return "error" if self.error else "warning"

    @property
    def help(self) -> str:
        """What to do."""
        sites = self.sites
        compiled = self.entry.compiled if sites and all(isinstance(site, NativeSite) for site in sites) else ""
        return self.remedy or compiled or self.entry.remedy

    @property
    def key(self) -> tuple[object, ...]:
        """Findings with equal keys are one defect."""
        sites = self.sites
        if self.severity == "error":  # a helper may be called wrongly in several places
            sites = tuple(frame for site in sites for frame in (site, *site.callers))
        places = frozenset(place.spot for place in sites)
        return (self.code, self.severity, self.subject or places or self.message)

    @property
    def sites(self) -> tuple[Site, ...]:
        """All call sites of the finding."""
        sites = [side.site for side in self.sides] + [step.site for step in self.steps]
        return tuple(dict.fromkeys(site for site in sites if site is not None))
