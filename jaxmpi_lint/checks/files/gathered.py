"""Files of all ranks that one rank reads before the others have written theirs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.cfg.passed_arguments import is_parameter
from jaxmpi_lint.analysis.participation.spmd_code import is_for_some
from jaxmpi_lint.checks.files.effects import FileEffect, FileEffects
from jaxmpi_lint.checks.files.ordering import Ordering
from jaxmpi_lint.checks.files.paths import Form, Part
from jaxmpi_lint.checks.files.reached import Reach
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.file_operations import Effect

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_RANK = "<rank>"
_RANKS = re.compile(r"(?:^|[^a-z])(?:my_?|mpi_?)?(?:Get_)?rank(?:\(\))?\)?$")
_SIZES = re.compile(r"range\([^)]*(?:size|n_?procs?|n_?ranks|nhosts?|num_proc\w*|process_count)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EarlyReading:
    """A read of the files of all ranks, and the call that writes them."""

    function: Function
    written: FileEffect
    read: FileEffect
    kind: str = "gathered"

    @property
    def place(self) -> Place:
        """The read."""
        return Place(self.function.module, self.read.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: one run may end well."""
        return Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """The call that writes the file of each rank."""
        use = self.written.use
        yield Step(use.function.module, use.call.span, "each rank writes a separate file here")


def early_readings(function: Function) -> Iterator[EarlyReading]:
    """The reads of files of other ranks in one function, without order after they are written."""
    if not _SIZES.search(function.module.text) or not function.project.get(Reach).may_be_all(function):
        return
    effects = function.get(FileEffects).found
    written = [one for one in effects if one.use.effect is Effect.WRITES and _of_each_rank(one)]
    reported: set[ir.Span] = set()
    for change in reversed(written):
        pattern = _pattern(change.form, _is_rank)
        for use in effects:
            if use.span <= change.span or use.span in reported or use.use.effect is not Effect.READS:
                continue
            if _pattern(use.form, _is_of_loop) == pattern and function.get(Ordering).is_open_between(change, use):
                reported.add(use.span)
                yield EarlyReading(function, change, use)


def _of_each_rank(effect: FileEffect) -> bool:
    """Whether every rank uses a file whose name has its rank."""
    named = any(_is_rank(part) for part in effect.form)
    return named and not effect.use.together and not any(is_for_some(*place[:2]) for place in effect.places)


def _pattern(form: Form, is_number: Callable[[Part], bool]) -> str:
    """The text of a path, with a sign for the number of the rank."""
    return "".join(_RANK if is_number(part) else part.text for part in form)


def _is_rank(part: Part) -> bool:
    if part.function is None or part.expression is None:
        return False
    level = part.function.value(part.expression, part.function.flow.exit).content.level
    return level is Level.RANK or bool(_RANKS.search(part.function.module.source(part.expression.span)))


def _is_of_loop(part: Part) -> bool:
    """Whether a part is a number that a loop over the ranks takes, or the text of one."""
    number = part.expression
    if isinstance(number, ir.Call) and ir.dotted(number.func) == "str" and len(number.args) == 1:
        number = number.args[0].value
    if part.function is None or not isinstance(number, ir.Name):
        return False
    name = number.id
    found = visible_definitions(part.function, name)
    in_loop = found is None or any(isinstance(value, ir.Element) for value in found[1])
    return in_loop and not is_parameter(part.function, name)
