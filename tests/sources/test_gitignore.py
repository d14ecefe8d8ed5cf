"""The patterns of gitignore(5)."""

from __future__ import annotations

import pytest

from jaxmpi_lint.sources import gitignore


@pytest.mark.parametrize(
    ("pattern", "path", "is_folder", "ignored"),
    [
        ("*.py", "a.py", False, True),
        ("*.py", "deep/down/a.py", False, True),
        ("/a.py", "a.py", False, True),
        ("/a.py", "deep/a.py", False, False),
        ("deep/a.py", "deep/a.py", False, True),
        ("deep/a.py", "more/deep/a.py", False, False),
        ("out/", "out", True, True),
        ("out/", "out", False, False),
        ("out/", "deep/out", True, True),
        ("**/gen", "x/y/gen", True, True),
        ("**/gen", "gen", True, True),
        ("gen/**", "gen/x/y", False, True),
        ("gen/**", "gen", True, False),
        ("a/**/b", "a/b", False, True),
        ("a/**/b", "a/x/y/b", False, True),
        ("a*b", "a/b", False, False),
        ("a?c", "abc", False, True),
        ("a?c", "a/c", False, False),
        ("[ab].py", "b.py", False, True),
        ("[!ab].py", "b.py", False, False),
        ("[!ab].py", "c.py", False, True),
        ("[]x].py", "].py", False, True),
        ("[a.py", "[a.py", False, True),
        (r"\!a", "!a", False, True),
        (r"\#a", "#a", False, True),
        ("# comment", "# comment", False, False),
        ("trailing   ", "trailing", False, True),
        ("trailing\\ ", "trailing ", False, True),
        ("", "a", False, False),
        ("a+b(c)", "a+b(c)", False, True),
    ],
)
def test_pattern(pattern: str, path: str, is_folder: bool, ignored: bool) -> None:
    assert bool(gitignore.parse(pattern).verdict(path, is_folder)) is ignored


def test_the_last_pattern_that_matches_decides() -> None:
    patterns = gitignore.parse("*.py\n!keep.py\n")
    assert patterns.verdict("keep.py", False) is False
    assert patterns.verdict("drop.py", False) is True
    assert patterns.verdict("other.txt", False) is None


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter() -> None:
    patterns = gitignore.parse("\ufeffa.py\r\nb.py\r\n")
    assert patterns.verdict("a.py", False)
    assert patterns.verdict("b.py", False)
