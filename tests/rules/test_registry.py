"""Finding rules, and which of several speaks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from jaxmpi_lint import testing
from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.analysis.ir import Module
from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.findings.model import Place
from jaxmpi_lint.rules import registry
from jaxmpi_lint.rules.base import CheckRule, Finding, Rule, Step, Variant
from jaxmpi_lint.rules.divergence_rule import DivergenceRule
from jaxmpi_lint.rules.precedence import Precedence, beats
from jaxmpi_lint.runtime.findings.catalogue import CODES

PRECEDENCE = Precedence(registry.load())


class Third(Rule):
    """Third-party rule.

    More."""

    code = "ABC101"
    name = "third"
    severity = Severity.WARNING


def plugin(value: object, monkeypatch: pytest.MonkeyPatch) -> list[type[Rule]]:
    def load() -> object:
        if isinstance(value, Exception):
            raise value
        return value

    point = SimpleNamespace(name="mine", value="mine:rule", load=load)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point])
    registry.load.cache_clear()
    try:
        return registry.load()
    finally:
        registry.load.cache_clear()


def test_rules_are_sorted_and_include_those_of_the_engine() -> None:
    codes = [rule.code for rule in registry.load()]
    assert codes == sorted(codes)
    assert {"JM001", "JM002", "JM003"} <= set(codes)


def test_a_rule_of_a_plugin_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Third in plugin(Third, monkeypatch)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (ImportError("no module named x"), r"plugin mine \(mine:rule\) cannot be loaded: ImportError"),
        (3, "neither a rule class nor a module"),
        (type("Nameless", (Rule,), {"code": "ABC102"}), "has no `name`"),
        (type("Odd", (Rule,), {"code": "x", "name": "x", "severity": Severity.INFO}), "is not of the form"),
        (type("Copy", (Rule,), {"code": "JM001", "name": "x", "severity": Severity.INFO}), "JM001 is defined by both"),
    ],
)
def test_a_plugin_that_is_wrong_is_named(value: object, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match=message):
        plugin(value, monkeypatch)


def finding(code: str, span: tuple[int, int], *steps: tuple[int, int]) -> Finding:
    module = Module("a.py", "a", "", False)
    rule = type("Made", (Rule,), {"code": code, "name": "made", "severity": Severity.ERROR})()
    return Finding(rule, module, span, "", tuple(Step(module, step, "") for step in steps))


@pytest.mark.parametrize(
    ("winner", "loser"),
    [
        ("JM106", "JM101"),
        ("JM110", "JM109"),
        ("JM601", "JM102"),
        ("JM505", "JM101"),
        ("JM614", "JM801"),
        ("JM615", "JM505"),
        ("JM506", "JM101"),
        ("JM509", "JM618"),
        ("JM102", "JM101"),
        ("JM801", "JM104"),
        ("JM103", "JM101"),
    ],
)
def test_the_more_specific_code_speaks(winner: str, loser: str) -> None:
    findings = [finding(loser, (5, 9)), finding(winner, (5, 9))]
    assert [f.rule.code for f in PRECEDENCE.resolve(findings)] == [winner]


def test_every_code_of_the_order_is_that_of_a_rule() -> None:
    rules = registry.load()
    codes = {rule.code for rule in rules}
    assert {code for rule in rules for code in rule.independent_of} <= codes
    beginnings = {start for rule in rules for start in rule.replaces}
    assert [start for start in beginnings if not any(code.startswith(start) for code in codes)] == []


def test_every_code_that_a_rule_or_its_page_names_exists() -> None:
    codes = {*CODES, *(rule.code for rule in registry.load())}
    for rule in registry.load():
        named = {*rule.sanitizer, *re.findall(r"\bJ[MS][0-9]{3}\b", rule.page())}
        assert named <= codes, rule.code
    for entry in CODES.values():
        assert set(entry.rules) <= codes, entry.code


def test_a_place_in_the_story_of_the_other_counts() -> None:
    findings = [finding("JM101", (5, 9)), finding("JM106", (20, 25), (5, 9))]
    assert [f.rule.code for f in PRECEDENCE.resolve(findings)] == ["JM106"]


def test_a_step_that_both_only_tell_joins_nothing() -> None:
    findings = [finding("JM101", (5, 9), (0, 3)), finding("JM106", (20, 25), (0, 3))]
    assert len(PRECEDENCE.resolve(findings)) == 2


def test_unrelated_codes_at_one_place_both_stay() -> None:
    findings = [finding("JM301", (5, 9)), finding("JM205", (5, 9)), finding("JM201", (5, 9))]
    assert PRECEDENCE.resolve(findings) == findings


def test_a_group_is_all_codes_that_may_stand_for_the_same_defect() -> None:
    assert {"JM101", "JM106", "JM601"} <= set(PRECEDENCE.group("JM102"))
    assert PRECEDENCE.group("JM301") == ("JM301",)
    assert PRECEDENCE.group("JM614")[0] == "JM614"


def test_an_exception_of_one_rank_is_a_separate_defect() -> None:
    findings = [finding("JM103", (5, 9)), finding("JM106", (5, 9))]
    assert PRECEDENCE.resolve(findings) == findings


def test_two_rules_never_replace_each_other() -> None:
    rules = registry.load()
    assert [(a.code, b.code) for a in rules for b in rules if beats(a, b) and beats(b, a)] == []


def test_rules_about_divergence_have_an_order() -> None:
    ranks = [rule.specificity for rule in registry.load() if rule.specificity]
    assert len(ranks) == len(set(ranks))


def test_a_rule_of_a_plugin_takes_its_place_by_its_attributes() -> None:
    class Special(Third):
        """More special than JM101."""

        specificity = 15
        replaces = ("JM301",)

    related = Precedence([*registry.load(), Special]).group("ABC101")
    assert related[0] == "ABC101"
    assert {"JM101", "JM102", "JM301"} <= set(related)
    assert "JM201" not in related


class Calls(Rule):
    """Names every call of ``Barrier``."""

    code = "ABC201"
    name = "calls"
    severity = Severity.WARNING
    VALID = ("from mpi4py import MPI\n",)
    INVALID = ("from mpi4py import MPI\nMPI.COMM_WORLD.Barrier()  #! ABC201\n",)

    def check_function(self, function: Any) -> Any:
        """Every call."""
        for call in function.ir.calls():
            yield self.finding(function.module, call.span, "a call")


def test_the_helper_for_rules_of_others_runs_their_examples() -> None:
    cases = testing.cases(Calls)
    assert [str(case) for case in cases] == ["ABC201-valid-1", "ABC201-invalid-1"]
    for case in cases:
        case.check()


def test_the_helper_tells_what_differs() -> None:
    case = testing.Case(
        Calls, "wrong", {"a.py": "from mpi4py import MPI  #! ABC201\nMPI.COMM_WORLD.Barrier()\n"}, False
    )
    with pytest.raises(AssertionError, match=r"(?s)missing: a\.py:1 ABC201.*not marked: a\.py:2 ABC201"):
        case.check()


def test_the_helper_takes_no_rule_that_fails_for_one_that_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Calls, "check_function", lambda self, function: iter(function.nothing))
    case = testing.Case(Calls, "silent", {"a.py": "from mpi4py import MPI\n"}, True)
    with pytest.raises(AssertionError, match=r"(?s)silent: internal error \(AttributeError.*in rule ABC201.*Traceback"):
        case.check()


def test_the_helper_reads_a_folder_of_fixtures(tmp_path: Path) -> None:
    folder = tmp_path / "ABC201"
    (folder / "invalid_two").mkdir(parents=True)
    (folder / "valid.py").write_text("from mpi4py import MPI\n")
    (folder / "invalid_two" / "a.py").write_text("from mpi4py import MPI\nMPI.COMM_WORLD.Barrier()  #! ABC201\n")
    (folder / "invalid_two" / "b.py").write_text("import a\n")
    cases = testing.cases(Calls, tmp_path)
    assert [case.name for case in cases] == ["valid-1", "invalid-1", "invalid_two", "valid"]
    for case in cases:
        case.check()


def test_rules_and_the_codes_of_the_sanitizer_name_each_other() -> None:
    """Neither side imports the other, so each keeps a list of its own."""
    of_rules = {(code, rule.code) for rule in registry.load() for code in rule.sanitizer}
    of_codes = {(entry.code, rule) for entry in CODES.values() for rule in entry.rules}
    assert of_rules == of_codes


def test_a_page_names_codes_of_the_sanitizer_that_the_rule_declares() -> None:
    """A placeholder such as a whole family of codes is none of them."""
    for rule in registry.load():
        named = set(re.findall(r"JS[0-9x]{3}", rule.page().partition("Runtime check")[2]))
        assert named <= set(rule.sanitizer), rule.code


def test_each_cause_of_a_divergence_has_one_rule() -> None:
    """Otherwise a divergence is found and never told, or told twice."""
    selected = [rule.selects for rule in registry.load() if issubclass(rule, DivergenceRule)]
    assert sorted(selected) == sorted(Cause)


def test_what_a_check_rule_says_of_tests_is_its_declaration() -> None:
    """One treatment of files of tests: at most as bad as declared, silent if that is declared."""
    defect = _Defect()

    class Loud(CheckRule):
        code, name, severity, in_tests = "XY101", "loud", Severity.ERROR, Severity.WARNING
        detect, message = in_project(lambda project: [defect]), "`{d.what}` is wrong"
        variants: ClassVar = {"odd": Variant("odd", in_tests="silent")}

    (finding,) = Loud().report([defect])
    assert (finding.severity, finding.message) == (Severity.WARNING, "`it` is wrong")
    (finding,) = Loud().report([_Defect(Module("train.py", "train", "x", False))])
    assert finding.severity is Severity.ERROR
    assert not list(Loud().report([_Defect(kind="odd")]))


@dataclass
class _Defect:
    module: Module = field(default_factory=lambda: Module("tests/test_x.py", "test_x", "x", False))
    kind: str = "plain"
    what: str = "it"
    confidence: Confidence = Confidence.HIGH

    @property
    def place(self) -> Place:
        return Place(self.module, (0, 1))

    def steps(self) -> tuple[Step, ...]:
        return ()
