"""The examples and fixtures of every rule."""

from __future__ import annotations

import pytest
from places import FIXTURES

from jaxmpi_lint import testing
from jaxmpi_lint.command import rule_pages
from jaxmpi_lint.rules import registry
from jaxmpi_lint.rules.base import Rule

RULES = registry.load()


@pytest.mark.parametrize("case", [case for rule in RULES for case in testing.cases(rule, FIXTURES)], ids=str)
def test_example(case: testing.Case) -> None:
    """What is valid for one rule is valid for all, or carries the marks of the others."""
    if case.valid:
        case.check_with_all_rules()
    else:
        case.check()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_has_a_page_and_examples_of_both_kinds(rule: type[Rule]) -> None:
    assert rule_pages.problems(rule) == []
    assert rule.VALID
    assert rule.INVALID


def test_every_folder_of_fixtures_belongs_to_a_rule() -> None:
    folders = {folder.name for folder in FIXTURES.iterdir() if folder.is_dir()}
    assert folders <= {rule.code for rule in RULES}
