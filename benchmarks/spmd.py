"""Comparison of the linter with an interpreter on random SPMD programs.

    python benchmarks/spmd.py [--programs 2000] [--seed 1] [--show 3]

Each program is run by a small interpreter for 2 to 4 ranks and all inputs, which determines whether the ranks agree;
then it is linted at default settings. A finding about matching calls (JM1xx) in a program whose ranks agree is a false
positive; a program that diverges and has none is a false negative. Found programs are counted by the constructs that
remain when the program is reduced to those required for its divergence; constructs outside of the supported language
are counted separately, with the reason. The exit code is 1 if there is a false positive or a finding at no
communication.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from spmd_programs.generator import Construct, Generator
from spmd_programs.interpreter import Invalid, Job, agrees, truth
from spmd_programs.rendering import Text, render
from spmd_programs.shrinking import cause, outside, pruned, shrink
from spmd_programs.syntax import Program

from jaxmpi_lint import testing
from jaxmpi_lint.command import report_builder
from jaxmpi_lint.findings.diagnostics import Diagnostic
from jaxmpi_lint.settings.settings import Settings

_FAMILY = re.compile(r"JM1\d\d")


@dataclass(frozen=True, slots=True)
class Judged:
    """A program, a job of it that diverges, and the linter's findings about matching calls."""

    program: Program
    text: Text
    diverging: Job | None
    findings: tuple[Diagnostic, ...]

    @property
    def false_alarm(self) -> bool:
        """Whether there are findings although the ranks agree."""
        return bool(self.findings) and self.diverging is None

    @property
    def missed(self) -> bool:
        """Whether there are no findings although the ranks diverge."""
        return not self.findings and self.diverging is not None

    @property
    def misplaced(self) -> bool:
        """Whether a finding is at a line without communication; one about an exception, at no `raise`."""
        return any(
            finding.start.row not in (self.text.raises if finding.code == "JM103" else self.text.communication)
            for finding in self.findings
        )


def judge(program: Program) -> Judged:
    """Run and lint a program; statements that no job reaches are removed. Invalid if it does not end."""
    known = truth(program)
    if known.diverging is None:
        program = pruned(program, known.reached)
    text = render(program)
    return Judged(program, text, known.diverging, findings_in(text.source))


def findings_in(source: str) -> tuple[Diagnostic, ...]:
    """The findings shown at default settings about calls that must match."""
    shown = report_builder.wanted(testing.lint({"program.py": source}), Settings(root=Path()))
    return tuple(finding for finding in shown if _FAMILY.fullmatch(finding.code))


def judged_programs(count: int, seed: int, constructs: Collection[Construct] = tuple(Construct)) -> Iterator[Judged]:
    """Random programs that end, each with a separate random generator."""
    for number in range(count):
        program = Generator(random.Random(f"{seed}:{number}"), constructs).program()
        try:
            yield judge(program)
        except Invalid:
            continue


def smallest_cause(judged: Judged) -> Program:
    """The program reduced to the constructs of its divergence; if it was missed, the reduced program is missed too."""
    job = judged.diverging
    assert job is not None

    def keeps(program: Program) -> bool:
        return _diverges(program, job) and not (judged.missed and findings_in(render(program).source))

    return shrink(judged.program, keeps)


def smallest_false_alarm(judged: Judged) -> Program:
    """The program reduced to the constructs of a wrong or misplaced finding."""

    def keeps(program: Program) -> bool:
        try:
            smaller = judge(program)
        except Invalid:
            return False
        return smaller.false_alarm if judged.false_alarm else smaller.misplaced

    return shrink(judged.program, keeps)


def _diverges(program: Program, job: Job) -> bool:
    try:
        return not agrees(program, job)
    except Invalid:
        return False


def main() -> int:
    """Print the figures; 1 if there is a false positive or a finding at no communication."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, metavar="K", help="the K smallest failures of each kind")
    arguments = parser.parse_args()
    divergent, found = Counter[str](), Counter[str]()
    failures: dict[str, list[Program]] = {"false positive": [], "misplaced": []}
    count = 0
    for judged in judged_programs(arguments.programs, arguments.seed):
        count += 1
        if judged.diverging is not None:
            smallest = smallest_cause(judged)
            kind = cause(smallest)
            divergent[kind] += 1
            found[kind] += not judged.missed
            if judged.missed:
                failures.setdefault(f"missed: {kind}", []).append(smallest)
        if judged.false_alarm or judged.misplaced:
            failures["false positive" if judged.false_alarm else "misplaced"].append(smallest_false_alarm(judged))
    alarms, misplaced = len(failures["false positive"]), len(failures["misplaced"])
    print(f"{count} programs: {count - divergent.total()} agree, {divergent.total()} diverge")
    print(f"false positives: {alarms}; findings at no communication: {misplaced}")
    supported = [kind for kind in divergent if outside(kind) is None]
    total, hits = sum(divergent[kind] for kind in supported), sum(found[kind] for kind in supported)
    print(f"found: {hits} of {total} in the supported language, by what makes them diverge:")
    for kind in sorted(supported, key=lambda kind: -divergent[kind]):
        print(f"{found[kind]:6} of {divergent[kind]:5}  {kind}")
    for kind in sorted(divergent.keys() - supported, key=lambda kind: -divergent[kind]):
        print(f"{found[kind]:6} of {divergent[kind]:5}  {kind} (outside the supported language: {outside(kind)})")
    for name, programs in sorted(failures.items()):
        _show(name, programs, arguments.show)
    return int(alarms + misplaced > 0)


def _show(name: str, programs: Sequence[Program], count: int) -> None:
    """The smallest programs, each text once."""
    texts = {render(program).source for program in programs}
    for text in sorted(texts, key=lambda text: (text.count("\n"), text))[:count]:
        print(f"\n--- {name} ---\n{text}", end="")
        for finding in findings_in(text):
            print(f"# {finding.start.row}: {finding.code} {finding.message}")


if __name__ == "__main__":
    sys.exit(main())
