"""The entry point of the command ``jaxmpi-lint``; its path is part of installed scripts."""

from __future__ import annotations

from jaxmpi_lint.command.cli import command, main

__all__ = ["command", "main"]
