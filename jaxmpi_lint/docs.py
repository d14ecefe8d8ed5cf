"""``python -m jaxmpi_lint.docs [--check]``: write the rule pages, or list those that are stale."""

from __future__ import annotations

from jaxmpi_lint.command.rule_pages import main

__all__ = ["main"]

if __name__ == "__main__":
    raise SystemExit(main())
