"""The words of messages, pages and docstrings: none that `docs/terminology.md` replaces."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest
from places import ROOT

READ = ("README.md", "docs", "jaxmpi_lint", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")


@pytest.fixture
def check_wording(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return importlib.import_module("check_wording")


@pytest.mark.parametrize("name", READ)
def test_no_phrase_is_one_that_the_terminology_replaces(check_wording: ModuleType, name: str) -> None:
    paths = list(check_wording.files([ROOT / name]))
    assert paths
    assert [line for path in paths for line in check_wording.findings(path, "classes")] == []
