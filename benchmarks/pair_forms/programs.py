"""The pairs, and the projects of each form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pair_forms.from_main import at_import, from_main
from pair_forms.library import library
from pair_forms.namespace_package import in_namespace_package
from pair_forms.one_folder import in_one_folder
from pair_forms.two_modules import in_two_modules

SIDES = ("wrong", "right")
Form = Callable[[Mapping[str, str]], dict[str, str] | None]


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """One side of a pair: its files by their paths."""

    pair: str
    side: str
    texts: Mapping[str, str]

    @property
    def name(self) -> str:
        """A name that is unique and can be part of an identifier."""
        return f"{self.pair.replace('-', '_')}_{self.side}"


@dataclass(frozen=True, slots=True, eq=False)
class Project:
    """Files that are linted together, and the program of each."""

    owners: Mapping[str, Program]
    texts: Mapping[str, str]


def as_they_are(texts: Mapping[str, str]) -> dict[str, str]:
    """The unchanged program."""
    return dict(texts)


# Every form but one creates a project for each program; programs without the form are skipped.
SINGLE: Mapping[str, Form] = {
    "as they are": as_they_are,
    "two modules": in_two_modules,
    "namespace package": in_namespace_package,
    "from main()": from_main,
    "at import": at_import,
    "library": library,
}
ONE_FOLDER = "one folder"
FORMS = ("as they are", ONE_FOLDER, *list(SINGLE)[1:])


def load(folder: Path) -> list[Program]:
    """All programs of a folder that has `PAIR/wrong` and `PAIR/right`."""
    return [
        Program(pair.name, side, _texts(pair / side))
        for pair in sorted(folder.iterdir())
        if pair.is_dir()
        for side in SIDES
    ]


def _texts(folder: Path) -> dict[str, str]:
    files = sorted(folder.rglob("*.py"))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in files}


def projects(form: str, programs: Iterable[Program]) -> Iterator[Project]:
    """The programs in a form. A pair has the form if both of its sides have it."""
    if form == ONE_FOLDER:
        yield _joined([_project(program, in_one_folder(program.texts, program.name)) for program in programs])
        return
    made = {program: SINGLE[form](program.texts) for program in programs}
    lacking = {program.pair for program, texts in made.items() if texts is None}
    yield from (_project(program, texts) for program, texts in made.items() if texts and program.pair not in lacking)


def _project(program: Program, texts: Mapping[str, str]) -> Project:
    return Project(dict.fromkeys(texts, program), texts)


def _joined(parts: Iterable[Project]) -> Project:
    owners: dict[str, Program] = {}
    texts: dict[str, str] = {}
    for part in parts:
        if shared := texts.keys() & part.texts.keys():
            raise ValueError(f"two programs have the file {min(shared)}")
        owners |= part.owners
        texts |= part.texts
    return Project(owners, texts)
