"""``python -m jaxmpi_lint``."""

from __future__ import annotations

from jaxmpi_lint.cli import command

command()
