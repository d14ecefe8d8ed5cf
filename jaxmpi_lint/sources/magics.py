"""Replacement of IPython syntax by valid Python of the same length, so that all offsets stay."""

from __future__ import annotations

import ast
import re

# Cell magics whose body is Python that runs in the notebook's own namespace (or, for px, on every engine).
PYTHON_CELLS = frozenset(
    ("capture", "debug", "lprun", "memit", "mprun", "prun", "px", "scalene", "snakeviz", "time", "timeit")
)

_CELL = re.compile(r"\s*%%(\w+)")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_ESCAPED = re.compile(r"[ \t]*[%!?/,;]")
_AUTOMAGIC = re.compile(
    r"(?:alias|autoreload|bookmark|cat|cd|conda|config|cp|env|history|load|load_ext|ls|magic|matplotlib|mkdir|mv|pip|prun"
    r"|pylab|reload_ext|rm|run|system|time|timeit|who|whos|xmode)"
    r"[ \t]+(?!(?:and|else|for|if|in|is|not|or)\b)(?:--?[A-Za-z]|[\w~/\"'])"
)
_COMPOUND = r"(?:if|for|while|with|def|class|try|async|match)\b|[@%!-]"
_TIMED = re.compile(rf"([ \t]*)(%time[ \t]+)(?!{_COMPOUND})\S")
_ASSIGNED = re.compile(r"([\w\s.,*()\[\]\"']+)=[ \t]*([!%])")
_LONG_STRINGS = {
    mark * 3: re.compile(rf"(?:[^\\{mark}]|\\.|{mark}(?!{mark * 2}))*+{mark * 3}", re.DOTALL) for mark in "\"'"
}
_TOKEN = re.compile(
    r"""
    (?P<comment> \#.*)
    | (?P<triple> \"{3} | '{3})
    | (?P<string> "(?:[^"\\]|\\.)*+"? | '(?:[^'\\]|\\.)*+'?)
    | (?P<bracket> [()\[\]{}])
    | (?P<help> \?)
    """,
    re.VERBOSE,
)


def blanked(source: str) -> str:
    """The source of a cell without magics, shell commands and help requests; it has the same length."""
    lines = _LINE.findall(source)
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    magic = _CELL.match(lines[first]) if lines else None
    if magic is not None and magic[1] not in PYTHON_CELLS:
        return "".join(map(_spaces, lines))
    state = _State()
    for index, line in enumerate(lines):
        if state.escaped:
            lines[index] = _spaces(line)
            state.escaped = _continues(line)
        elif state.inside:
            state.feed(line)
        else:
            lines[index] = _statement(line, state)
    return "".join(lines)


class _State:
    """The state after the rows read so far: inside a bracket, a string, a continued row, a continued magic."""

    def __init__(self) -> None:
        self.depth = 0
        self.delimiter = ""
        self.continued = False
        self.escaped = False
        self.asks = False

    @property
    def inside(self) -> bool:
        return bool(self.depth or self.delimiter or self.continued)

    def feed(self, line: str) -> None:
        """Read one row; ``asks`` is true if its last character outside strings is a question mark."""
        position, body = 0, line.rstrip()
        self.asks = self.continued = False
        comment = False
        while True:
            if self.delimiter:
                closing = _LONG_STRINGS[self.delimiter].match(line, position)
                if closing is None:
                    return
                position, self.delimiter = closing.end(), ""
            match = _TOKEN.search(line, position)
            if match is None:
                break
            position = match.end()
            comment = match["comment"] is not None
            if match["triple"]:
                self.delimiter = match["triple"]
            elif match["bracket"]:
                self.depth = max(0, self.depth + (1 if match["bracket"] in "([{" else -1))
            elif match["help"]:
                self.asks = position == len(body)
        self.continued = not comment and _continues(line)


def _statement(line: str, state: _State) -> str:
    """A row at which a statement starts."""
    timed = _TIMED.match(line)
    if timed is not None:
        line = f"{timed[1]}0;{' ' * (len(timed[2]) - 2)}{line[timed.end(2) :]}"
    assigned = _assigned(line)
    if _ESCAPED.match(line) or _is_automagic(line):
        begin = len(line) - len(line.lstrip(" \t"))
    elif assigned is not None:
        begin = assigned
    else:
        depth = state.depth
        state.feed(line)
        if not state.asks or state.delimiter:
            return line
        state.depth, begin = depth, len(line) - len(line.lstrip(" \t"))
    state.escaped = _continues(line)
    body = line[begin:].rstrip("\r\n")
    return f"{line[:begin]}{_placeholder(len(body), assigned is None)}{line[begin + len(body) :]}"


def _is_automagic(line: str) -> bool:
    """Whether a row is a magic without its percent sign: IPython treats it as one where it is not Python."""
    if _AUTOMAGIC.match(line) is None:
        return False
    try:
        ast.parse(line.strip())
    except (SyntaxError, ValueError):
        return True
    return False


def _assigned(line: str) -> int | None:
    """The start of the magic or shell command whose result a row assigns to names."""
    match = _ASSIGNED.match(line)
    if match is None or any(match[1].count(mark) % 2 for mark in "\"'"):
        return None
    return match.start(2)


def _placeholder(length: int, statement: bool) -> str:
    """Python of the given length without effects."""
    shortest = {1: "0", 2: "()", 3: "..."}
    return shortest.get(length, "pass" if statement else "...").ljust(length)


def _continues(line: str) -> bool:
    return line.rstrip("\r\n").endswith("\\")


def _spaces(line: str) -> str:
    body = line.rstrip("\r\n")
    return " " * len(body) + line[len(body) :]
