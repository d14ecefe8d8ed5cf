"""A linter and a runtime sanitizer for programs that run as many processes."""

__version__ = "0.1.0"
