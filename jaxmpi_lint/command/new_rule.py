"""Generator of the files of a new rule: ``python -m jaxmpi_lint.new_rule JM118 some-name``."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jaxmpi_lint.command import rule_templates as templates
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.rules import registry

_CODE = re.compile(r"JM[0-9]{3}")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")
_LONGEST = 60
_RESERVED = "JM0"
_FAMILIES = {
    "JM1": "collectives",
    "JM2": "mpi4py",
    "JM3": "mpi4py",
    "JM4": "mpi4py",
    "JM5": "mpi4jax",
    "JM6": "jax",
    "JM7": "jax",
    "JM8": "nondeterminism",
    "JM9": "mpi4py",
}
"""The default folder for the check of a rule."""


@dataclass(frozen=True, slots=True)
class NewRule:
    """A new rule, below the root of a checkout."""

    root: Path
    code: str
    name: str
    family: str

    @property
    def module(self) -> str:
        """The name in the form of a module name."""
        return self.name.replace("-", "_")

    @property
    def rule(self) -> Path:
        """The module of the rule."""
        return Path(f"jaxmpi_lint/rules/{self.code.lower()}_{self.module}.py")

    @property
    def check(self) -> Path:
        """The module of the check."""
        return Path(f"jaxmpi_lint/checks/{self.family}/{self.module}.py")

    @property
    def fixtures(self) -> Path:
        """The folder of its test programs."""
        return Path(f"tests/fixtures/{self.code}")

    def files(self) -> dict[Path, str]:
        """The files to write, by their paths below the root."""
        words = self.name.replace("-", " ").capitalize()
        names = {"code": self.code, "name": self.name, "module": self.module, "family": self.family}
        names |= {"rule": self.name.title().replace("-", ""), "words": words, "title": words}
        names |= templates.PROGRAMS[self.family]._asdict()
        return {
            self.rule: templates.RULE.substitute(names),
            self.check: templates.CHECK.substitute(names),
            self.fixtures / "valid_first.py": templates.VALID.substitute(names),
            self.fixtures / "invalid_first.py": templates.INVALID.substitute(names),
        }

    def refuse(self) -> None:
        """Raise an error if it cannot be written."""
        self._refuse_names()
        for folder in ("jaxmpi_lint/rules", f"jaxmpi_lint/checks/{self.family}", "tests/fixtures"):
            if not (self.root / folder).is_dir():
                raise UserError(f"there is no folder {folder} here; run the command in the root of a checkout")
        self._refuse_codes()
        for path in self.files():
            if (self.root / path).exists():
                raise UserError(f"{path.as_posix()} exists; take a different name")

    def _refuse_names(self) -> None:
        if not _CODE.fullmatch(self.code):
            raise UserError(f"{self.code!r} is not a code; it has the form JM118")
        if self.code.startswith(_RESERVED):
            raise UserError(f"{self.code} is reserved: {_RESERVED}xx are the tool itself; take a code from JM100")
        if not _NAME.fullmatch(self.name):
            raise UserError(f"{self.name!r} is not a name; it has the form of two or more words-with-hyphens")
        if len(self.name) > _LONGEST:
            raise UserError(f"the name is longer than {_LONGEST} characters; shorten it")

    def _refuse_codes(self) -> None:
        known = {rule.code: rule.name for rule in registry.load()}
        if self._is_used(self.code, known):
            called = f" ({known[self.code]})" if self.code in known else ""
            raise UserError(f"{self.code} exists{called}; take a free code, for example {self._free(known)}")
        other = next((code for code, name in known.items() if name == self.name), None)
        if other is not None:
            raise UserError(f"{other} has the name {self.name}; take a different name")

    def _is_used(self, code: str, known: Mapping[str, str]) -> bool:
        """Whether a code is used; codes of removed rules count, since no code is reused."""
        places = (self.root / f"tests/fixtures/{code}", self.root / f"docs/rules/{code}.md")
        modules = self.root.glob(f"jaxmpi_lint/rules/{code.lower()}_*.py")
        return code in known or any(place.exists() for place in (*places, *modules))

    def _free(self, known: Mapping[str, str]) -> str:
        """The first free code of the family after all used ones."""
        family = [f"{self.code[:3]}{number:02}" for number in range(100)]
        taken = [index for index, code in enumerate(family) if self._is_used(code, known)]
        return family[min(max(taken) + 1, 99)]

    def write(self) -> None:
        """Write all files, or none."""
        written: list[Path] = []
        folder = self.root / self.fixtures
        try:
            folder.mkdir()
            for path, text in self.files().items():
                with (self.root / path).open("x", encoding="utf-8", newline="\n") as file:
                    written.append(self.root / path)
                    file.write(text)
        except OSError as error:
            for path in written:
                path.unlink()
            with contextlib.suppress(OSError):
                folder.rmdir()
            raise UserError(f"{error.filename}: cannot be written: {error.strerror}; nothing is written") from error

    def next_steps(self) -> str:
        """The remaining steps, in three lines."""
        programs = f"the programs in {self.fixtures.as_posix()}"
        return (
            f"1. Find the defects: fill `find` in {self.check.as_posix()}.\n"
            f"2. Write the text and the examples in {self.rule.as_posix()}, and {programs}.\n"
            f"3. Run `pytest -k {self.code}`, then `python -m jaxmpi_lint.docs`."
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a rule, its check and its programs; the exit status is 2 on an error."""
    parser = argparse.ArgumentParser(prog="python -m jaxmpi_lint.new_rule", description=main.__doc__)
    parser.add_argument("code", help="a free code, for example JM118")
    parser.add_argument("name", help="words-with-hyphens that name the defect")
    families = sorted(templates.PROGRAMS)
    parser.add_argument("--family", choices=families, help="the folder of the check (default: that of the code)")
    options = parser.parse_args(arguments)
    family = options.family or _FAMILIES.get(options.code[:3], "collectives")
    new = NewRule(Path(), options.code, options.name, family)
    try:
        new.refuse()
        new.write()
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(new.next_steps())
    return 0
