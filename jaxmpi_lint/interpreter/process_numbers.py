"""Arguments and variables from which a program takes the number of its process, or of all processes.

``jax.distributed.initialize(address, args.n, args.id)`` says what the options mean: each process is started
with another ``--id``. The world in which this is learned is run again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.sizes import RankCount, RankNumber
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import MISSING, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

Source = tuple[object, ...]
NUMBER, COUNT = "number", "count"


def source(value: Value) -> Source | None:
    """The option, argument or variable that a value is, maybe as an integer; None for other values."""
    if not isinstance(value, Symbol):
        return None
    match value.key:
        case (("str", "option"), ("str", name)):
            return "option", name
        case (("str", "environ"), ("str", name), *_):
            return "environ", name
        case (("str", "item"), Symbol(key=(("str", "argv"),)), ("int", index)):
            return "argv", index
        case (("str", "call"), ("library", "builtins.int"), Symbol() as inner):
            return source(inner)
    return None


def learn(rank: Rank, value: Value, role: str) -> None:
    """Remember that a value is the number of the process (`NUMBER`) or the number of processes (`COUNT`)."""
    found = source(value)
    if found is not None:
        rank.world.symbols.roles.setdefault(found, role)


def known(rank: Rank, found: Source | None) -> Value:
    """What an option, argument or variable is in this process; MISSING if that is not known."""
    role = rank.world.symbols.roles.get(found) if found is not None else None
    if role is None:
        return MISSING
    return RankNumber(rank.number) if role == NUMBER else RankCount(rank.world.size)
