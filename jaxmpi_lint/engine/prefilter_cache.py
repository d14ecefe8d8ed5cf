"""Cache of prefilter verdicts between runs, so that only changed files are searched again.

One small file for each project and its words, in the folder of the parsed files of the same release. It identifies
files by their content alone; unreadable files count as absent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from jaxmpi_lint.sources.files import digest, replace_file
from jaxmpi_lint.sources.import_closure import plain
from jaxmpi_lint.sources.prefilter import Prefilter

if TYPE_CHECKING:
    from jaxmpi_lint.engine.ir_cache import ParsedStore


class KeptVerdicts:
    """Selects the files that may communicate; runs the prefilter only on contents absent in the last run."""

    def __init__(self, prefilter: Prefilter, store: ParsedStore, root: str) -> None:
        """``root`` is that of the project; other projects may use the same store."""
        self._prefilter = prefilter
        self._store = store
        name = digest("\0".join([root, *prefilter.words]).encode("utf-8", "surrogateescape"))
        self._path = store.folder / f"prefilter-{name}.json"

    def choose(self, contents: Mapping[str, bytes], digests: Mapping[str, str]) -> list[str]:
        """The files that may communicate, of those with the given bytes and digests."""
        known = self._load()
        verdicts: dict[str, bool] = {}
        chosen: list[str] = []
        for path, data in contents.items():
            key = f"{digests[path]}.ipynb" if path.endswith(".ipynb") else digests[path]
            if key not in verdicts:
                verdict = known.get(key)
                verdicts[key] = self._prefilter.file_may_communicate(plain(path, data)) if verdict is None else verdict
            if verdicts[key]:
                chosen.append(path)
        if verdicts != known:
            self._save(verdicts)
        return chosen

    def _load(self) -> dict[str, bool]:
        try:
            document = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        entries = document.items() if isinstance(document, dict) else ()
        return {key: verdict for key, verdict in entries if isinstance(verdict, bool)}

    def _save(self, verdicts: Mapping[str, bool]) -> None:
        with suppress(OSError):
            self._store.make_folder()
            replace_file(self._path, json.dumps(verdicts).encode())
