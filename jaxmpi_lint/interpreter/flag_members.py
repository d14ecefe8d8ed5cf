"""Members of `enum.Flag`: combinations, their truth and membership."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.values import MISSING, Instance, Library, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def number(value: Value) -> int | None:
    """The number of a member of a `Flag`; None for other values."""
    if not isinstance(value, Instance):
        return None
    bases = value.cls.library_bases()
    is_flag = any(isinstance(base, Library) and base.dotted == "enum.Flag" for base in bases)
    found = value.fields.get("value")
    return found if is_flag and type(found) is int else None


def combined(rank: Rank, operator: str, left: Value, right: Value) -> Value:
    """The member that ``|``, ``&`` or ``^`` gives; `MISSING` for other operands."""
    one, other = number(left), number(right)
    if one is None or other is None or operator not in ("|", "&", "^") or left.cls != right.cls:
        return MISSING
    return _member(rank, left, one | other if operator == "|" else one & other if operator == "&" else one ^ other)


def inverted(rank: Rank, value: Value) -> Value:
    """All flags that a member does not have; `MISSING` for other values."""
    own = number(value)
    if own is None:
        return MISSING
    every = 0
    for one in _members(value):
        every |= number(one) or 0
    return _member(rank, value, every & ~own)


def contains(container: Value, member: Value) -> bool | None:
    """Whether a member has all flags of another one; None for other values."""
    whole, part = number(container), number(member)
    return None if whole is None or part is None or container.cls != member.cls else part & whole == part


def _members(like: Instance) -> list[Instance]:
    return [one for one in like.cls.members.values() if isinstance(one, Instance) and one.cls == like.cls]


def _member(rank: Rank, like: Instance, value: int) -> Value:
    """The one member of a number, named or not; `MISSING` if a number of a member is not known."""
    members = _members(like)
    if any(number(one) is None for one in members):
        return MISSING
    named = next((one for one in members if number(one) == value), None)
    if named is not None:
        return named
    made: dict[object, Instance] = rank.world.notes.setdefault("combined flags", {})
    key = (id(like.cls), value)
    if key not in made:
        names = [str(one.fields["name"]) for one in members if number(one) and (number(one) or 0) & value]
        made[key] = Instance(like.cls, -1 - value, {"name": "|".join(names), "value": value})
    return made[key]
