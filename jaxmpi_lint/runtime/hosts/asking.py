"""What a root asks a leaf, and how the leaf answers from its ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jaxmpi_lint.runtime.judging.deaths import Deaths
from jaxmpi_lint.runtime.judging.vanishing import Vanishing
from jaxmpi_lint.runtime.ledger.reader import Ledger, snapshot_of

Answer = Any
"""What JSON can hold."""


class Answers:
    """The ledger of a leaf's host, as the root asks for it."""

    def __init__(self, book: Ledger, deaths: Deaths, folder: str) -> None:
        """``folder``: where the ledger is stored after an error."""
        self._book, self._deaths, self._folder = book, deaths, folder
        self._vanishing = Vanishing(book, deaths)

    def answer(self, what: str, arguments: list[Any]) -> Answer:
        """The answer to a question; KeyError if there is no such question."""
        known: dict[str, Callable[..., Answer]] = {
            "snapshot": self._snapshot,
            "history": self._book.history_fields,
            "stacks": self._book.ask_stacks,
            "dealt_with": self._book.dealt_with,
            "suppress": self._book.suppress,
            "release": self._book.release,
            "end": self._book.end,
            "keep": self._keep,
        }
        return known[what](*arguments)

    def _snapshot(self) -> Mapping[str, Any]:
        fields = self._book.fields()
        while self._vanishing.mark(snapshot_of(fields)):
            fields = self._book.fields()
        for communicator in fields["communicators"]:
            if len(communicator["lanes"]) == communicator["size"]:  # compared here already
                for lane in communicator["lanes"]:
                    lane["checkpoints"] = []
        deaths = [(one.rank, one.noticed, one.ahead, one.over, one.status) for one in self._deaths.seen()]
        return {"fields": fields, "deaths": deaths, "ending": sorted(self._deaths.ending())}

    def _keep(self) -> str:
        """Store the ledger; why that failed."""
        from pathlib import Path

        from jaxmpi_lint.runtime.ledger import folders

        try:
            folder = Path(self._folder)
            folder.mkdir(parents=True, exist_ok=True)
            self._book.copy(str(folder / folders.PLAIN))
            folders.pack(folder)
        except (OSError, RuntimeError) as error:
            return str(error)
        return ""
