"""Records of launches, as the native reader gives them."""

from __future__ import annotations

from jaxmpi_lint.runtime.ledger import sequences
from jaxmpi_lint.runtime.ledger.snapshot import Site


def test_the_line_of_a_launch_is_one_of_python() -> None:
    program = {"file": "/app/train.py", "line": 9, "function": "step", "caller": None}
    library = {"file": "/lib/jax/api.py", "line": 3, "function": "jit", "caller": program}
    fields = {"set": 0, "sequence": 4, "when": 1.0, "held": False, "program": None, "item": None}
    record = sequences.record({**fields, "site": library})
    assert record.site == Site("/lib/jax/api.py", 3, "jit", Site("/app/train.py", 9, "step"))
