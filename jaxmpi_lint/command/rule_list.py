"""``--list-rules`` as data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.findings.errors import UserError

if TYPE_CHECKING:
    from jaxmpi_lint.rules.base import Rule


def as_data(rules: Sequence[type[Rule]], form: str) -> str:
    """The rules as a list of JSON objects, or one on each line."""
    if form not in ("json", "jsonl"):
        raise UserError(f"--list-rules has no format {form}; give full, json or jsonl")
    found = [
        {
            "code": rule.code,
            "name": rule.name,
            "severity": rule.severity.value,
            "summary": rule.summary(),
            "preview": rule.preview,
            "fix": None if rule.fix is None else rule.fix.value,
            "sanitizer": list(rule.sanitizer),
        }
        for rule in rules
    ]
    return json.dumps(found, indent=2) + "\n" if form == "json" else "".join(f"{json.dumps(one)}\n" for one in found)
