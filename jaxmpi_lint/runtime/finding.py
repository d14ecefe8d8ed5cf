"""A finding of the sanitizer as it is judged, before anybody decides how it looks."""

from __future__ import annotations

from dataclasses import dataclass

from jaxmpi_lint.runtime.catalogue import CODES
from jaxmpi_lint.runtime.entry import Entry
from jaxmpi_lint.runtime.snapshot import Site


@dataclass(frozen=True, slots=True)
class Side:
    """Ranks that did the same thing on the same line."""

    ranks: tuple[int, ...]
    call: str  # "Bcast(root=1), 4 x float64"; "" if they are in no call
    site: Site | None
    remark: str = ""  # what sets them apart: "differs", "waits for ranks 0, 2"
    odd: bool = False  # in the minority
    text: str = ""  # a traceback, an exit status, a stack


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a deadlock: ``ranks`` wait in ``call`` for ``others``."""

    ranks: tuple[int, ...]
    call: str
    site: Site | None
    what: str  # "for a message from", "until it is entered by"
    others: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the histories side by side: what each side's call was."""

    ordinal: int
    calls: tuple[str, ...]
    here: bool = False  # the one that the finding is about


@dataclass(frozen=True, slots=True)
class Past:
    """The last collectives on a communicator, a column for each group of ranks."""

    columns: tuple[tuple[int, ...], ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect of the program, with everything that helps to repair it."""

    code: str
    message: str  # one sentence: who, what
    ranks: tuple[int, ...]
    sides: tuple[Side, ...] = ()
    communicator: str = ""
    steps: tuple[Step, ...] = ()
    closed: bool = False  # the steps form a cycle
    past: Past | None = None
    notes: tuple[str, ...] = ()
    remedy: str = ""  # "" takes that of the catalogue
    when: float = 0.0
    error: bool | None = None  # None: as the catalogue says
    subject: str = ""  # of defects that are not those of a line: what makes them one

    @property
    def entry(self) -> Entry:
        """Its row in the catalogue."""
        return CODES[self.code]

    @property
    def severity(self) -> str:
        """``error``, ``warning`` or ``information``."""
        if self.error is None:
            return self.entry.severity.value
        return "error" if self.error else "warning"

    @property
    def key(self) -> tuple[object, ...]:
        """Findings with equal keys are one defect."""
        places = frozenset((place.file, place.line) for place in self.sites)
        return (self.code, self.severity, self.subject or places or self.message)

    @property
    def sites(self) -> tuple[Site, ...]:
        """All lines of the program that take part."""
        sites = [side.site for side in self.sides] + [step.site for step in self.steps]
        return tuple(dict.fromkeys(site for site in sites if site is not None))
