"""The documentation: the site builds without the network, and pages show what their commands print."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from places import ROOT
from sanitizer.environments import environment_of

from jaxmpi_lint.settings.pyproject import interpret

TOOL = ROOT / "tools" / "page_outputs.py"
DOCS = ROOT / "docs"
README = ROOT / "README.md"
TUTORIAL = DOCS / "tutorial.md"
SHOWN = re.compile(r"^```bash\n(?:(?!```)[^\n]*\n)*```\n\n```text\n", re.MULTILINE)
EXECUTED = sorted(path for path in DOCS.rglob("*.md") if SHOWN.search(path.read_text(encoding="utf-8")))
LINK = re.compile(r"\]\((?P<target>[^)#:]+)(?:#[^)]*)?\)")
FETCHED = re.compile(r"<(?:script|img|iframe)\b[^>]*\bsrc=[\"']?(?:https?:)?//|<link\b[^>]*\bhref=[\"']?(?:https?:)?//")
IMPORTED = re.compile(r"(?:@import|url\()\s*[\"']?(?:https?:)?//")


@pytest.fixture
def page_outputs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOL.parent))
    return importlib.import_module("page_outputs")


# --- the site ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    unreachable = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    run = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT, env=os.environ | unreachable, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


@pytest.mark.types
def test_each_page_is_on_the_site(site: Path) -> None:
    for page in DOCS.rglob("*.md"):
        name = page.relative_to(DOCS).with_suffix(".html").as_posix().replace("README.html", "index.html")
        assert (site / name).is_file(), name


@pytest.mark.types
def test_each_rule_is_in_the_navigation(site: Path) -> None:
    text = (site / "rules" / "index.html").read_text(encoding="utf-8")
    navigation = text.partition('class="md-content"')[0]
    for page in (DOCS / "rules").glob("JM*.md"):
        assert f'href="{page.stem}.html"' in navigation, page.stem


@pytest.mark.types
def test_the_site_fetches_nothing(site: Path) -> None:
    pages = dict.fromkeys(site.rglob("*.html"), FETCHED) | dict.fromkeys(site.rglob("*.css"), IMPORTED)
    assert len(pages) > 60
    found = [path.name for path, pattern in pages.items() if pattern.search(path.read_text(encoding="utf-8"))]
    assert found == []


# --- commands and their output ---------------------------------------------------------------------------------------


@pytest.mark.runs_mpi
@pytest.mark.parametrize("page", EXECUTED, ids=lambda page: page.stem)
def test_page_shows_what_its_commands_print(page: Path) -> None:
    command = [environment_of("openmpi").python, str(TOOL), "--check", str(page.relative_to(ROOT))]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_all_commands_of_the_tutorial_are_executed(page_outputs: ModuleType) -> None:
    assert TUTORIAL in EXECUTED
    text = TUTORIAL.read_text(encoding="utf-8")
    assert len(list(page_outputs.commands(text))) == text.count("```bash") == 5
    assert [name for _, name, _ in page_outputs.programs(text)] == ["energy.py", "energy.py"]


def test_what_the_linter_adds_to_a_report_is_not_compared(page_outputs: ModuleType) -> None:
    report = "  help: Wait.\n  lint: limits.py:9: JM120 different\n        operators\nexit code 66\n"
    assert page_outputs.compared(report) == ["  help: Wait.", "exit code 66"]


def test_what_differs_between_runs_is_replaced(page_outputs: ModuleType) -> None:
    ranks, folder = "4 ranks on node1, 1.3 s after the start; Open MPI 5.0.9  ", "20251224-180000.pmix-prterun-x-77-1"
    assert page_outputs.neutral(f"\n{ranks}\nreport jaxmpi-sanitize.{folder}\n\n") == (
        "4 ranks on node1, 0.5 s after the start; Open MPI 5.0.11\n"
        "report jaxmpi-sanitize.20260131-120000.pmix-prterun-node1-4711-1\n"
    )


@pytest.mark.jobs
def test_outdated_output_is_reported_and_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    text = '```python title="a.py"\nprint(6 * 7)\n```\n\n```bash\npython a.py\n```\n\n```text\n{}\n```\n'
    page.write_text(text.format(41))
    command = [sys.executable, str(TOOL), str(page)]
    check = subprocess.run([*command, "--check"], capture_output=True, text=True, timeout=60, check=False)
    assert check.returncode == 1
    assert "-41\n+42\n" in check.stdout
    assert page.read_text() == text.format(41)
    assert subprocess.run(command, timeout=60, check=False).returncode == 0
    assert page.read_text() == text.format(42)
    assert subprocess.run([*command, "--check"], timeout=60, check=False).returncode == 0


# --- the README ------------------------------------------------------------------------------------------------------


def test_readme_is_short_and_its_links_exist() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert [link for link in LINK.findall(text) if not (ROOT / link).exists()] == []


def test_readme_has_the_command_of_ci() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    start = re.search(r"grep -o \"\^(?P<start>[^*]*)\.\*\" README", script)
    assert start is not None
    lines = README.read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith(start["start"]) for line in lines) == 1


@pytest.mark.parametrize("page", [README, *sorted(DOCS.rglob("*.md"))], ids=lambda page: page.stem)
def test_no_address_is_invented(page: Path) -> None:
    assert "example.org" not in page.read_text(encoding="utf-8")


# --- settings and files of other tools -------------------------------------------------------------------------------


def blocks(language: str, page: Path) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_settings_on_the_page_of_the_linter_are_valid() -> None:
    (settings,) = blocks("toml", DOCS / "linter.md")
    table = tomllib.loads(settings)["tool"]["jaxmpi-lint"]
    assert set(interpret(table, Path("pyproject.toml"), "", ROOT)) >= {"wrappers", "targets", "uniform"}


@pytest.mark.types
def test_recipes_are_valid_and_name_a_hook_that_exists() -> None:
    yaml = importlib.import_module("yaml")  # comes with mkdocs
    files = [yaml.safe_load(text) for text in blocks("yaml", DOCS / "recipes.md")]
    (wanted,) = [file["repos"][0]["hooks"] for file in files if "repos" in file]
    offered = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {hook["id"] for hook in wanted} <= {hook["id"] for hook in offered}
