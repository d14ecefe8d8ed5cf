"""``--explain CODE``: the page of a rule, or of a code of the sanitizer, in the terminal."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from jaxmpi_lint.command.rule_pages import page
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.reporters import encodable, terminal_columns

if TYPE_CHECKING:
    from jaxmpi_lint.rules.base import Rule

WIDEST = 100


def explain(code: str, rules: Sequence[type[Rule]], stream: TextIO, color: bool) -> None:
    """Write the page of a rule or of a sanitizer code: typeset with colours, otherwise as Markdown."""
    text = _of_sanitizer(code, rules) or page(find(code, rules))
    stream.write(encodable(_typeset(text, min(terminal_columns(), WIDEST)) if color else text, stream))


def _of_sanitizer(code: str, rules: Sequence[type[Rule]]) -> str | None:
    """The entry of a sanitizer code and the rules that find its causes; None for other codes."""
    from jaxmpi_lint.runtime.findings import catalogue

    wanted = code.strip().upper()
    text = catalogue.page_of(wanted)
    if text is None:
        return None
    by_code = {rule.code: rule for rule in rules}
    related = [*catalogue.CODES[wanted].rules, *(rule.code for rule in rules if wanted in rule.sanitizer)]
    found = [by_code[other] for other in dict.fromkeys(related) if other in by_code]
    listed = "\n".join(f"- {rule.code} {rule.name}: {rule.summary()}" for rule in found)
    return f"{text}\n## Related lint rules\n\n{listed}\n" if found else text


def find(code: str, rules: Sequence[type[Rule]]) -> type[Rule]:
    """The rule with this code or name, case-insensitive; the UserError names similar ones."""
    wanted = code.strip()
    for rule in rules:
        if wanted.upper() == rule.code or wanted.lower() == rule.name:
            return rule
    raise UserError(f"unknown rule {code!r}; {_suggestion(wanted, rules)}")


def _suggestion(wanted: str, rules: Sequence[type[Rule]]) -> str:
    family = wanted.upper()[:3]
    by_code = difflib.get_close_matches(wanted.upper(), [c for c in _codes(rules) if c.startswith(family)], n=3)
    by_name = difflib.get_close_matches(wanted.lower(), [rule.name for rule in rules], n=3, cutoff=0.5)
    names = {rule.name: rule.code for rule in rules}
    nearest = list(dict.fromkeys([*by_code, *(names[name] for name in by_name)]))[:3]
    if not nearest:
        return "`jaxmpi-lint --list-rules` shows all"
    return f"did you mean {' or '.join(nearest)}? `jaxmpi-lint --list-rules` shows all"


def _codes(rules: Sequence[type[Rule]]) -> list[str]:
    from jaxmpi_lint.runtime.findings import catalogue

    return [*(rule.code for rule in rules), *catalogue.CODES]


def _typeset(text: str, columns: int) -> str:
    """The page in colours for dark and light backgrounds: code blocks stay uncoloured."""
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.theme import Theme

    buffer = StringIO()
    theme = Theme({"markdown.code": "cyan", "markdown.h2": "bold", "markdown.h1": "bold"})
    console = Console(file=buffer, force_terminal=True, color_system="standard", width=columns, theme=theme)
    console.print(Markdown(text.replace("```python\n", "```text\n"), code_theme="ansi_dark"))
    return buffer.getvalue()
