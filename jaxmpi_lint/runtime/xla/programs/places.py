"""Source locations of the instructions of an HLO module.

From jax 0.9 on a module's text has tables of files, functions, lines and frames, and an instruction names its innermost
frame. In earlier versions an instruction names its file and line.
"""

from __future__ import annotations

import re

from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.settings.ownership import is_library
from jaxmpi_lint.runtime.xla.programs.hlo import Instruction, unescaped

_TABLE = r"^{}\n((?:\d+ .*(?:\n|\Z))+)"
_NAME = re.compile(r'(\d+) "(.*)"$', re.MULTILINE)
_NUMBERED = re.compile(r"(\d+) \{(.*)\}$", re.MULTILINE)
_FIELD = re.compile(r"(\w+)=(\d+)")
NOWHERE = Site("", 0, "")


class Places:
    """Resolves the source locations of one module's instructions; parses the tables on first use."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._frames: dict[int, tuple[Site, int]] | None = None

    def of(self, instruction: Instruction) -> Site:
        """The user's line: the innermost frame outside of libraries, else the innermost; `NOWHERE` without frames."""
        frame = instruction.number("stack_frame_id")
        if frame is None:
            file = instruction.attribute("source_file")
            return Site(file, instruction.number("source_line") or 0, "") if file else NOWHERE
        chain = self.chain(frame)
        return next((site for site in chain if not is_library(site.file)), chain[0] if chain else NOWHERE)

    def chain(self, frame: int) -> list[Site]:
        """A frame and its callers, outward."""
        if self._frames is None:
            self._frames = _frames(self._text)
        found: list[Site] = []
        while frame in self._frames and len(found) < len(self._frames):
            site, frame = self._frames[frame]
            found.append(site)
        return found


def _frames(text: str) -> dict[int, tuple[Site, int]]:
    """The location of every frame and the number of its caller (0: none)."""
    files, functions = _names(text, "FileNames"), _names(text, "FunctionNames")
    sites = {
        number: Site(files.get(of.get("file_name_id", 0), ""), of.get("line", 0),
                     functions.get(of.get("function_name_id", 0), ""))
        for number, of in _rows(text, "FileLocations").items()
    }  # fmt: skip
    frames = _rows(text, "StackFrames")
    parents = {number: frame.get("parent_frame_id", 0) for number, frame in frames.items()}
    # A frame without a caller has parent 0; jaxlib 0.9 and 0.10 write every parent one too high.
    shift = 1 if parents and min(parents.values()) > 0 else 0
    return {
        number: (sites.get(frame.get("file_location_id", 0), NOWHERE), parents[number] - shift)
        for number, frame in frames.items()
    }


def _table(text: str, title: str) -> str:
    found = re.search(_TABLE.format(title), text, re.MULTILINE)
    return found[1] if found else ""


def _names(text: str, title: str) -> dict[int, str]:
    return {int(number): unescaped(name) for number, name in _NAME.findall(_table(text, title))}


def _rows(text: str, title: str) -> dict[int, dict[str, int]]:
    return {
        int(number): {name: int(value) for name, value in _FIELD.findall(fields)}
        for number, fields in _NUMBERED.findall(_table(text, title))
    }
