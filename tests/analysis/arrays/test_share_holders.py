"""JM605 looks at functions in which something may be a share of data: however that came there, and however written."""

from __future__ import annotations

import pytest

from jaxmpi_lint import testing
from jaxmpi_lint.rules.jm605_uneven_iterator_drives_step import UnevenIteratorDrivesStep

HEADER = "import jax\nfrom jax.experimental.multihost_utils import sync_global_devices\n\n"
LOOP = "for one in {}:\n{}    sync_global_devices('step')  #! JM605\n"
DIVIDED = "rows[jax.process_index() :: jax.process_count()]"

SPELLINGS = {
    "no blanks": "rows[jax.process_index()::jax.process_count()]",
    "a blank between the colons": "rows[jax.process_index(): :jax.process_count()]",
    "a row between the colons": "rows[jax.process_index() :\n    : jax.process_count()]",
    "a comment between the colons": "rows[jax.process_index() :  # all: of them\n    : jax.process_count()]",
    "a method": "rows.shard(jax.process_count(), jax.process_index())",
    "a method in brackets": "(rows.shard  # it's ours\n    )(jax.process_count(), jax.process_index())",
    "a method by names": "rows.shard(index=jax.process_index(), num_shards=jax.process_count())",
}

WAYS = {
    "returned by a function of another file": {
        "parts.py": f"import jax\n\ndef part(rows):\n    return {DIVIDED}\n",
        "program.py": f"from parts import part\n{HEADER}def run(rows):\n    {LOOP.format('part(rows)', '    ')}",
    },
    "returned by what another function returns": {
        "parts.py": f"import jax\n\ndef part(rows):\n    return {DIVIDED}\n\ndef ordered(rows):\n"
        "    return sorted(part(rows))\n",
        "program.py": f"from parts import ordered\n{HEADER}def run(rows):\n    {LOOP.format('ordered(rows)', '    ')}",
    },
    "a name of the module": {
        "program.py": f"{HEADER}rows = open('names').readlines()\nmine = {DIVIDED}\n\ndef run():\n    "
        + LOOP.format("mine", "    "),
    },
    "a name of the enclosing function": {
        "program.py": f"{HEADER}def outer(rows):\n    mine = {DIVIDED}\n\n    def inner():\n        "
        f"{LOOP.format('mine', '        ')}\n    inner()\n",
    },
    "a field that another method has set": {
        "program.py": f"{HEADER}class Data:\n    def __init__(self, rows):\n        self.mine = {DIVIDED}\n\n"
        f"    def run(self):\n        {LOOP.format('self.mine', '        ')}",
    },
    "an argument": {
        "program.py": f"{HEADER}def run(rows):\n    walk({DIVIDED})\n\ndef walk(mine):\n    "
        + LOOP.format("mine", "    "),
    },
}


def found(texts: dict[str, str]) -> list[tuple[str, str, int]]:
    return [(one.code, one.filename, one.start.row) for one in testing.lint(texts, [UnevenIteratorDrivesStep])]


def marked(texts: dict[str, str]) -> list[tuple[str, str, int]]:
    return [
        ("JM605", name, row)
        for name, text in texts.items()
        for row, line in enumerate(text.splitlines(), 1)
        if line.endswith("#! JM605")
    ]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_a_division_is_seen(spelling: str) -> None:
    texts = {"program.py": f"{HEADER}def run(rows):\n    {LOOP.format(SPELLINGS[spelling], '    ')}"}
    assert found(texts) == marked(texts) != []


@pytest.mark.parametrize("way", WAYS)
def test_a_share_is_followed(way: str) -> None:
    assert found(WAYS[way]) == marked(WAYS[way]) != []


def test_nothing_is_found_without_a_division() -> None:
    assert found({"program.py": f"{HEADER}def run(rows):\n    {LOOP.format('rows[1::2]', '    ')}"}) == []
