"""Hooks of mkdocs: pages from outside of `docs`, the pages of the rules in the navigation, and links that fit both.

Pages in `docs` are read in the repository as well as on the site. A link there to a file of the repository, such as
`../benchmarks/README.md`, leads to its page on the site if it has one in `PAGES`, and is only its text otherwise.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "benchmarks/README.md": "figures.md",
    "examples/README.md": "examples.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
"""Files of the repository and the names of their pages; those that are absent have none."""

RULES = "rules/README.md"
LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]+)\]\((?P<target>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")


def on_config(config: Any) -> Any:
    """Put the page of every rule below that of all rules, and leave out the pages of absent files."""
    rules = [{_title(path): f"rules/{path.name}"} for path in sorted((ROOT / "docs" / "rules").glob("JM*.md"))]
    absent = {page for source, page in PAGES.items() if not (ROOT / source).is_file()}
    config.nav = _navigation(config.nav, rules, absent)
    return config


def _navigation(nav: list[Any], rules: list[dict[str, str]], absent: set[str]) -> list[Any]:
    found: list[Any] = []
    for entry in nav:
        title, below = next(iter(entry.items())) if isinstance(entry, dict) else (None, entry)
        if isinstance(below, list):
            found.append({title: _navigation(below, rules, absent)})
        elif below == RULES:
            found.append({title: [below, *rules]})
        elif below not in absent:
            found.append(entry)
    return found


def _title(path: Path) -> str:
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages from outside of `docs`."""
    for source, page in PAGES.items():
        if (ROOT / source).is_file():
            files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Rewrite the links that leave `docs`."""
    own = page.file.src_uri
    source = next((source for source, name in PAGES.items() if name == own), f"docs/{own}")
    return LINK.sub(lambda link: _link(link, source, own), markdown)


def _link(link: re.Match[str], source: str, own: str) -> str:
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link["target"]))
    anchor = link["anchor"] or ""
    if target in PAGES and (ROOT / target).is_file():
        return f"[{link['text']}]({_relative(PAGES[target], own)}{anchor})"
    if target.startswith("docs/"):
        return f"[{link['text']}]({_relative(target.removeprefix('docs/'), own)}{anchor})"
    return link["text"] if (ROOT / target).exists() else link[0]


def _relative(target: str, own: str) -> str:
    return posixpath.relpath(target, posixpath.dirname(own) or os.curdir)
