"""Check that every exemption decides at least one program of the tests: the examples of rules and the fixtures.

    python tools/check_exemptions.py [--programs] [--write-traces]

Prints the exemptions of each engine with the number of programs in which one ends a candidate; ``--programs`` names the
shortest three. The exit status is 1 if an exemption decides none: it is unused, or its fixture is missing.

``--write-traces`` rewrites ``tests/traces``: one file for each exemption, with the output of ``--trace`` for one
program. The first row of a file names the program, the code, and the place; a new file gets the shortest program.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jaxmpi_lint import testing
from jaxmpi_lint.analysis.lattice.trace import Recorder
from jaxmpi_lint.command import cli
from jaxmpi_lint.command.tracers import tracers
from jaxmpi_lint.rules import registry

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.trace import Stage, Tracer
    from jaxmpi_lint.testing import Case

ROOT = Path(__file__).resolve().parent.parent
TRACES = ROOT / "tests" / "traces"
_NAMED = 3

Key = tuple[str, str]
"""The codes of an engine and the name of an exemption."""


def programs() -> Iterator[Case]:
    """All examples and fixtures."""
    for rule in registry.load():
        yield from testing.cases(rule, ROOT / "tests" / "fixtures")


@dataclass(frozen=True, slots=True)
class Decided:
    """A place in a program that an exemption decides."""

    case: Case
    file: str
    row: int


def deciding(case: Case, engines: Iterable[tuple[str, Tracer]]) -> dict[Key, Decided]:
    """The exemptions that end a candidate in a program, with the first place for each."""
    found: dict[Key, Decided] = {}
    project = case.read()
    for codes, tracer in engines:
        recorder = Recorder()
        for module in project.reported_modules():
            for function in module.functions():
                tracer.record(function, recorder)
        for subject, stages in recorder.stages.items():
            exemption = _last_exemption(stages)
            if exemption:
                file = next(name for name in case.texts if subject.path.replace("\\", "/").endswith(f"/{name}"))
                place = Decided(case, file, subject.module.position(subject.span[0])[0])
                found.setdefault((codes, exemption), place)
    return found


def _last_exemption(stages: Sequence[Stage]) -> str:
    """The exemption that ended a candidate, or with which it is reported."""
    last = stages[-2:] if stages[-1].code else stages[-1:]
    return last[0].exemption


def count(cases: Iterable[Case]) -> dict[Key, list[Decided]]:
    """The programs that each exemption decides, the shortest first."""
    engines = tracers()
    counted: dict[Key, list[Decided]] = {(codes, e.name): [] for codes, tracer in engines for e in tracer.exemptions}
    for case in sorted(cases, key=lambda case: sum(map(len, case.texts.values()))):
        for key, place in deciding(case, engines).items():
            counted[key].append(place)
    return counted


# --- stored traces ---


def header(place: Decided, code: str) -> str:
    """The first row of a stored trace."""
    return f"{place.case}: --trace {code} {place.file}:{place.row}"


def printed(case: Case, code: str, place: str) -> str:
    """The output of ``--trace`` for a place in a program, which is written into a folder for this purpose."""
    options = [f"--target={name}={version}" for name, version in case.target.items()]
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
        for name, text in case.texts.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(testing.unmarked(text), encoding="utf-8")
        os.chdir(folder)
        try:
            cli.main(["--isolated", "--no-cache", *options, "--trace", code, place, "."])
        finally:
            os.chdir(before)
    return output.getvalue()


def stored(text: str) -> tuple[str, str, str]:
    """The program, the code and the place of a stored trace."""
    program, _, rest = text.partition("\n")[0].partition(": --trace ")
    code, _, place = rest.partition(" ")
    return program, code, place


def write_traces(counted: dict[Key, list[Decided]]) -> None:
    """Rewrite the stored traces; those of removed exemptions are deleted."""
    TRACES.mkdir(exist_ok=True)
    named = {str(case): case for case in programs()}
    wanted = set()
    for (codes, name), places in counted.items():
        code = codes.split()[0]
        file = TRACES / f"{code}-{name}.txt"
        wanted.add(file)
        if places:
            case, row = places[0].case, header(places[0], code)
            if file.exists() and stored(file.read_text(encoding="utf-8"))[0] in named:
                row = file.read_text(encoding="utf-8").partition("\n")[0]
                case = named[stored(row)[0]]
            file.write_text(f"{row}\n\n{printed(case, code, stored(row)[2])}", encoding="utf-8")
    for file in set(TRACES.glob("*.txt")) - wanted:
        file.unlink()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the list; 1 if an exemption decides nothing."""
    parser = argparse.ArgumentParser(prog="python tools/check_exemptions.py", description=__doc__)
    parser.add_argument("--programs", action="store_true", help="name the three shortest programs of each")
    parser.add_argument("--write-traces", action="store_true", help="rewrite tests/traces")
    options = parser.parse_args(arguments)
    counted = count(programs())
    if options.write_traces:
        write_traces(counted)
    last = ""
    for (codes, name), found in counted.items():
        if codes != last:
            print(codes)
        last = codes
        shown = f"  {' '.join(str(place.case) for place in found[:_NAMED])}" if options.programs else ""
        print(f"  {len(found):4} {name}{shown}")
    idle = [name for (_, name), found in counted.items() if not found]
    print(
        f"{len(counted)} exemptions, {len(idle)} of them without a deciding program" + "".join(f"\n  {n}" for n in idle)
    )
    return int(bool(idle))


if __name__ == "__main__":
    raise SystemExit(main())
