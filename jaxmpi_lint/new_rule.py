"""``python -m jaxmpi_lint.new_rule JM118 some-name [--family collectives]``: write the files of a new rule."""

from __future__ import annotations

from jaxmpi_lint.command.new_rule import main

__all__ = ["main"]

if __name__ == "__main__":
    raise SystemExit(main())
