"""What the options of the sanitizer accept."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Protocol

Value = str | int | float


class Domain(Protocol):
    """The values of an option."""

    @property
    def words(self) -> tuple[str, ...]:
        """All of them, if the values are words."""

    @property
    def accepts(self) -> str:
        """The values, in words."""

    def read(self, text: str) -> Value:
        """The value of a text; ValueError if it has none."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several words."""

    words: tuple[str, ...]

    @property
    def accepts(self) -> str:
        """The words."""
        return " or ".join(self.words)

    def read(self, text: str) -> Value:
        """The word itself."""
        if text not in self.words:
            raise ValueError(text)
        return text


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number."""

    low: int
    high: int
    words = ()

    @property
    def accepts(self) -> str:
        """Its limits."""
        return f"a whole number from {self.low} to {self.high}"

    def read(self, text: str) -> Value:
        """The number."""
        if not (text.isascii() and text.isdigit() and self.low <= int(text) <= self.high):
            raise ValueError(text)
        return int(text)


@dataclass(frozen=True, slots=True)
class Seconds:
    """A number."""

    low: float
    high: float
    words = ()

    @property
    def accepts(self) -> str:
        """Its limits."""
        return f"a number from {self.low:.10g} to {self.high:.10g}"

    def read(self, text: str) -> Value:
        """The number."""
        value = float(text)
        if not self.low <= value <= self.high:
            raise ValueError(text)
        return value


@dataclass(frozen=True, slots=True)
class Path:
    """A path, which is made absolute."""

    accepts: str
    readable: bool = False
    words = ()

    def read(self, text: str) -> Value:
        """The absolute path."""
        path = os.path.abspath(text)
        if not text or (self.readable and not os.access(path, os.R_OK)):
            raise ValueError(text)
        return path


@dataclass(frozen=True, slots=True)
class Interface:
    """The name of a network interface; other hosts may have other ones."""

    accepts = "the name of a network interface"
    words = ()

    def read(self, text: str) -> Value:
        """The text itself."""
        if not text or len(text) > 15 or any(character in " /:" for character in text):
            raise ValueError(text)
        return text


@dataclass(frozen=True, slots=True)
class Codes:
    """Codes of the sanitizer."""

    accepts = "codes, such as JS203,JS303, or all"
    words = ()

    def read(self, text: str) -> Value:
        """The text itself."""
        from jaxmpi_lint.runtime.findings.catalogue import CODES

        if not set(text.split(",")) <= {"all", *CODES}:
            raise ValueError(text)
        return text
