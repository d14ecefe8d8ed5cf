"""The command that writes the files of a new rule."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

from jaxmpi_lint import testing
from jaxmpi_lint.command import rule_pages
from jaxmpi_lint.command.new_rule import NewRule, main
from jaxmpi_lint.command.rule_templates import PROGRAMS
from jaxmpi_lint.rules import registry
from jaxmpi_lint.rules.base import Rule

RULE = "jaxmpi_lint/rules/jm199_late_barrier.py"
CHECK = "jaxmpi_lint/checks/collectives/late_barrier.py"
FIXTURES = "tests/fixtures/JM199"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folders of a checkout; they are also searched for new modules of our packages."""
    for folder in ("rules", *(f"checks/{family}" for family in PROGRAMS)):
        place = tmp_path / "jaxmpi_lint" / folder
        place.mkdir(parents=True)
        package = importlib.import_module(f"jaxmpi_lint.{folder.replace('/', '.')}")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(place)])
    (tmp_path / "tests/fixtures").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def load(module: str) -> type[Rule]:
    """The rule that was written; nothing of it stays loaded."""
    name = f"jaxmpi_lint.rules.{module}"
    try:
        __import__(name)
        (rule,) = registry.rules_of(sys.modules[name])
        return rule
    finally:
        for loaded in [key for key in sys.modules if key == name or key.endswith(".late_barrier")]:
            del sys.modules[loaded]


def test_a_rule_a_check_and_two_programs_are_written(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["JM199", "late-barrier"]) == 0
    assert files(checkout) == [CHECK, RULE, f"{FIXTURES}/invalid_first.py", f"{FIXTURES}/valid_first.py"]
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 3
    assert f"fill `find` in {CHECK}" in said[0]
    assert RULE in said[1]
    assert FIXTURES in said[1]
    assert "`pytest -k JM199`" in said[2]
    assert "`python -m jaxmpi_lint.docs`" in said[2]


@pytest.mark.parametrize("family", PROGRAMS)
def test_what_is_written_is_a_rule_with_a_page_that_finds_nothing(checkout: Path, family: str) -> None:
    assert main(["JM199", "late-barrier", "--family", family]) == 0
    rule = load("jm199_late_barrier")
    assert (rule.code, rule.name, rule.preview) == ("JM199", "late-barrier", True)
    assert rule_pages.problems(rule) == []
    cases = {case.name: case for case in testing.cases(rule, checkout / "tests/fixtures")}
    assert set(cases) == {"valid-1", "invalid-1", "valid_first", "invalid_first"}
    for name, case in cases.items():
        if name.startswith("valid"):
            case.check()
        else:
            with pytest.raises(AssertionError, match=r"missing: .* JM199"):
                case.check()


@pytest.mark.types
def test_ruff_has_nothing_to_say_of_what_is_written(checkout: Path) -> None:
    for family in PROGRAMS:
        new = NewRule(Path(), "JM199", f"late-barrier-of-{family}", family)
        for path in (new.rule, new.check):
            path.write_text(new.files()[path], encoding="utf-8")
    settings = ["--config", str(ROOT / "pyproject.toml")]
    ours = ["--config", 'lint.isort.known-first-party = ["jaxmpi_lint"]']
    for arguments in (["check", *ours], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *arguments, *settings, "jaxmpi_lint"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_check_that_is_filled_is_a_rule_that_works(checkout: Path) -> None:
    assert main(["JM199", "late-barrier"]) == 0
    check = checkout / CHECK
    text = check.read_text(encoding="utf-8")
    empty = "    return iter(())\n"
    assert text.endswith(empty)
    filled = """\
    for bound in function.calls():
        if bound.operation is not None and bound.operation.method == "Barrier":
            yield LateBarrierDefect(function, bound.call)
"""
    check.write_text(text.removesuffix(empty) + filled, encoding="utf-8")
    for case in testing.cases(load("jm199_late_barrier"), checkout / "tests/fixtures"):
        case.check()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["JM117", "late-barrier"], "JM117 exists (hard-coded-root); take a free code, for example JM1"),
        (["JM003", "late-barrier"], "JM003 is reserved: JM0xx are the tool itself; take a code from JM100"),
        (["JM1", "late-barrier"], "'JM1' is not a code; it has the form JM118"),
        (["jm199", "late-barrier"], "'jm199' is not a code; it has the form JM118"),
        (["JM199", "LateBarrier"], "'LateBarrier' is not a name; it has the form of two or more words-with-hyphens"),
        (["JM199", "late_barrier"], "'late_barrier' is not a name; it has the form of two or more words-with-hyphens"),
        (["JM199", "../late-barrier"], "'../late-barrier' is not a name; it has the form of two or more words"),
        (["JM199", "late-" * 12 + "barrier"], "the name is longer than 60 characters; shorten it"),
        (["JM199", "hard-coded-root"], "JM117 has the name hard-coded-root; take a different name"),
    ],
    ids=lambda value: "" if isinstance(value, str) else " ".join(value),
)
def test_what_cannot_be_is_refused(
    arguments: list[str], message: str, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.err.startswith(f"error: {message}")
    assert output.err.count("\n") == 1
    assert output.out == ""
    assert files(checkout) == []


def test_the_code_that_is_proposed_is_free(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["JM101", "late-barrier"]) == 2
    proposed = capsys.readouterr().err.rpartition(" ")[2].strip()
    (checkout / f"tests/fixtures/{proposed}").mkdir()
    assert main(["JM101", "late-barrier"]) == 2
    assert capsys.readouterr().err.endswith(f" JM{int(proposed[2:]) + 1}\n")
    assert main([f"JM{int(proposed[2:]) + 1}", "late-barrier"]) == 0


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (CHECK, f"{CHECK} exists; take a different name"),
        (RULE, "JM199 exists; take a free code"),
        ("jaxmpi_lint/rules/jm199_other.py", "JM199 exists; take a free code"),
        (f"{FIXTURES}/valid_old.py", "JM199 exists; take a free code"),
        ("docs/rules/JM199.md", "JM199 exists; take a free code"),
    ],
)
def test_no_file_is_written_over_and_no_code_used_again(
    path: str, message: str, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout / path).parent.mkdir(parents=True, exist_ok=True)
    (checkout / path).write_text("mine\n", encoding="utf-8")
    assert main(["JM199", "late-barrier"]) == 2
    assert capsys.readouterr().err.startswith(f"error: {message}")
    assert files(checkout) == [path]
    assert (checkout / path).read_text(encoding="utf-8") == "mine\n"


def test_elsewhere_than_in_a_checkout_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["JM199", "late-barrier"]) == 2
    assert "run the command in the root of a checkout" in capsys.readouterr().err
    assert files(tmp_path) == []


def test_a_file_that_cannot_be_written_takes_back_the_others(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    original = Path.open

    def refusing(self: Path, *arguments: object, **more: object) -> object:
        if self.name == "invalid_first.py":
            raise OSError(28, "No space left on device", str(self))
        return original(self, *arguments, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refusing)
    assert main(["JM199", "late-barrier"]) == 2
    assert "No space left on device; nothing is written" in capsys.readouterr().err
    assert files(checkout) == []
    assert not (checkout / FIXTURES).exists()


def test_no_page_is_written_of_a_rule_that_still_has_the_text_of_the_template(checkout: Path) -> None:
    assert main(["JM199", "late-barrier"]) == 0
    problems = rule_pages.unwritten([load("jm199_late_barrier")])
    assert any("section 'What it does' is still the text of the template" in problem for problem in problems)
    assert any("JM199: message is still the text of the template" in problem for problem in problems)
    assert rule_pages.unwritten(registry.load()) == []
