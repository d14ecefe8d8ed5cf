"""Bytes to text and back; comments and strings found without a tokenizer."""

from __future__ import annotations

import io
import sysconfig
import tokenize
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxmpi_lint.findings.diagnostics import Position
from jaxmpi_lint.findings.errors import Unparsable, UserError
from jaxmpi_lint.sources import lexical_scan
from jaxmpi_lint.sources.decode import load, python2_hint

READABLE = {
    "empty": (b"", "", "utf-8"),
    "utf-8 by default": ("x = 'é'\n".encode(), "x = 'é'\n", "utf-8"),
    "declared latin-1": (
        b"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
        "# -*- coding: latin-1 -*-\nx = 'é'\n",
        "iso8859-1",
    ),
    "declared in the second line": (b"#!python\n# vim: set fileencoding=cp1252 :\n\x80", None, "cp1252"),
    "declaration after code is none": ("x\n# coding: latin-1\n'é'\n".encode(), None, "utf-8"),
    "Emacs' name with line endings": (b"# coding: utf-8-unix\n", None, "utf-8"),
    "CRLF": (b"a\r\nb\r\n", "a\r\nb\r\n", "utf-8"),
    "CR": (b"a\rb\r", "a\rb\r", "utf-8"),
    "mixed line endings and form feed": (b"a\r\n\x0cb\rc\nd", "a\r\n\x0cb\rc\nd", "utf-8"),
    "declared in the second of CR lines": (b"#\r# coding: cp1252\r\x80", None, "cp1252"),
}


@pytest.mark.parametrize("name", READABLE)
def test_text_is_read_in_its_encoding_and_written_back_exactly(name: str) -> None:
    data, text, encoding = READABLE[name]
    source = load("a.py", data)
    assert source.encoding == encoding
    assert text is None or source.text == text
    assert source.encode(source.text) == data


def test_a_byte_order_mark_is_not_text_and_comes_back() -> None:
    source = load("a.py", b"\xef\xbb\xbfx = 1\n")
    assert (source.text, source.bom) == ("x = 1\n", True)
    assert source.encode("y = 1\n") == b"\xef\xbb\xbfy = 1\n"


@pytest.mark.parametrize(
    ("data", "newline"), [(b"a", "\n"), (b"a\r\nb\n", "\r\n"), (b"a\rb", "\r"), (b"a\nb\r\n", "\n")]
)
def test_the_first_line_ending_is_that_of_the_file(data: bytes, newline: str) -> None:
    assert load("a.py", data).newline == newline


UNREADABLE = {
    "byte that is not UTF-8": (b"x = 1\ny = '\xe9'\n", "0xe9 is not utf-8 text; save the file as UTF-8", 2, 6),
    "the column counts characters": ("'é".encode() + b"\xff", "0xff", 1, 3),
    "unknown encoding": (b"# coding: nonsense\n", "unknown encoding 'nonsense'", 1, 11),
    "encoding that is no text": (b"# coding: rot13\n", "not an encoding of source files", 1, 11),
    "encoding of domain names": (b"# coding: idna\n", "not an encoding of source files", 1, 11),
    "null byte": (b"a = 1\nb\0", "null byte", 2, 2),
    "UTF-16": ("x = 1\n".encode("utf-16"), "UTF-16 text; save it as UTF-8", 1, 1),
    "UTF-32": ("x = 1\n".encode("utf-32"), "UTF-32 text", 1, 1),
    "two encodings": (b"\xef\xbb\xbf# coding: latin-1\n", "byte order mark, but iso8859-1 is declared", 1, 11),
    "surrogate": (b"x = '\xed\xa0\x80'\n", "not utf-8 text", 1, 6),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_bytes_that_are_no_text_are_refused_with_place_and_remedy(name: str) -> None:
    data, message, row, column = UNREADABLE[name]
    with pytest.raises(Unparsable) as caught:
        load("a.py", data)
    assert message in caught.value.message
    assert (caught.value.row, caught.value.column) == (row, column)
    assert "\n" not in caught.value.message


def test_a_repair_that_the_encoding_cannot_express_is_the_users_to_solve() -> None:
    source = load("a.py", b"# coding: latin-1\n")
    with pytest.raises(UserError, match="save the file as UTF-8"):
        source.encode("x = '\N{SNOWMAN}'")


@given(st.binary(max_size=60))
def test_any_bytes_round_trip_or_are_refused(data: bytes) -> None:
    try:
        source = load("a.py", data)
    except Unparsable as error:
        assert error.row >= 1 and error.column >= 1
    else:
        assert source.encode(source.text) == data


def test_places_count_rows_as_python_does() -> None:
    source = load("a.py", b"ab\r\nc\rd\ne")
    places = [source.place(offset)[1] for offset in (0, 1, 4, 6, 8)]
    assert places == [Position(1, 1), Position(1, 2), Position(2, 1), Position(3, 1), Position(4, 1)]
    assert source.place(0)[0] is None


PYTHON_2 = {
    "print 'x'\n": "`print` statement on line 1",
    "x = 1\nif x: print x\n": "`print` statement on line 2",
    "print >>f, x\n": "`print` statement",
    "try: pass\nexcept OSError, e: pass\n": "`except` clause with a comma on line 2",
    "try: pass\nexcept (A, B), e: pass\n": "`except` clause with a comma",
    "x = `y`\n": "backquotes",
    "x <> y\n": "operator `<>`",
    "exec 'x' in d\n": "`exec` statement",
    "raise E, 'x'\n": "`raise` statement with a comma",
    "x = 0777\n": "long or octal number",
    "x = 10L\n": "long or octal number",
    "x = ur'a'\n": "string prefix `ur`",
}


@pytest.mark.parametrize("text", PYTHON_2)
def test_python_2_is_named(text: str) -> None:
    hint = python2_hint(text)
    assert hint is not None and PYTHON_2[text] in hint


@pytest.mark.parametrize(
    "text",
    [
        "print('x')\nprint ('x')\n",
        "x = 'print 1 <> 2 `a`'  # print 1, 0777, `x`\n",
        "except_ = 1\nraise E\nx = 0o777, 0, 0.5, 100, 1e10, 1e-05, 00, 10.01\n",
        "print if x else y\n",
        "s = '''\nprint x\n'''\n",
        "exec(code)\n",
    ],
)
def test_python_3_is_not_taken_for_python_2(text: str) -> None:
    assert python2_hint(text) is None


# --- comments and strings ------------------------------------------------------------------------------------------


def visible(text: str) -> str:
    return lexical_scan.scan(text).code.replace(lexical_scan.HIDDEN, "")


SCANNED = {
    "comment": ("a # b 'c\nd", "a \nd", ["# b 'c"]),
    "comment sign in a string": ("a = '# b' # c", 'a = " ', ["# c"]),
    "escaped quote": (r"'a\'# b' # c", '" ', ["# c"]),
    "raw string": (r"r'\' # b' # c", 'r" ', ["# c"]),
    "long string": ("'''a\n# b\n''' # c", '" ', ["# c"]),
    "quotes before the end of a long string": ('"""a\\"""" # b', '" ', ["# b"]),
    "unterminated string ends with its row": ("'a # b\nc # d", '"\nc ', ["# d"]),
    "formatted string": ("f'a{b}#' # c", 'f"{b} ', ["# c"]),
    "doubled braces": ("f'{{#}}' # c", 'f" ', ["# c"]),
    "nested quotes of PEP 701": ('f"{a["#"]}" # c', 'f"{a["]} ', ["# c"]),
    "nested formatted strings": ("f\"{f'{a}#'}\" # c", 'f"{f"{a}} ', ["# c"]),
    "format specification": ("f'{a:#>{b}}' # c", 'f"{a:{b}} ', ["# c"]),
    "quotes in a format specification": ('f"{a:\'>10}" # c', 'f"{a:} ', ["# c"]),
    "comment in a field": ("f'''{\na # b\n}''' # c", 'f"{\na \n} ', ["# b", "# c"]),
    "named character": (r"f'\N{NUMBER SIGN}{a}' # c", 'f"{a} ', ["# c"]),
    "prefix glued to a keyword": ("x if'{'else'}' # c", 'x if"else" ', ["# c"]),
    "dictionary in a field": ("f'{ {1: 2}[1] }' # c", 'f"{ {1: 2}[1] } ', ["# c"]),
}


@pytest.mark.parametrize("name", SCANNED)
def test_comments_and_strings_are_found(name: str) -> None:
    text, code, comments = SCANNED[name]
    scanned = lexical_scan.scan(text)
    assert [text[slice(*span)] for span in scanned.comments] == comments
    assert visible(text) == code
    assert len(scanned.code) == len(text)


@pytest.mark.jobs
def test_comments_are_those_of_the_standard_tokenizer() -> None:
    library = Path(sysconfig.get_paths()["stdlib"])
    files = sorted(library.glob("[a-m]*.py")) + sorted((library / "asyncio").glob("*.py"))
    assert len(files) > 80
    for path in files:
        with tokenize.open(path) as file:
            text = file.read()
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        expected = [token.string for token in tokens if token.type == tokenize.COMMENT]
        scanned = lexical_scan.scan(text)
        assert [text[slice(*span)] for span in scanned.comments] == expected, path
        ends = [token.start[0] for token in tokens if token.type == tokenize.NEWLINE]
        assert [line.last for line in lexical_scan.logical_lines(scanned)] == ends, path


@given(st.text(alphabet="ab\"'#{}()f\\\n\r: ", max_size=40))
def test_scanning_never_fails_and_keeps_offsets(text: str) -> None:
    scanned = lexical_scan.scan(text)
    assert len(scanned.code) == len(text)
    for begin, end in (*scanned.comments, *scanned.strings):
        assert 0 <= begin < end <= len(text)
    lexical_scan.logical_lines(scanned)
