"""Members of enumerations: their values, aliases, and those that are texts or numbers as well."""

import enum


class Colour(enum.Enum):
    RED = 1
    CRIMSON = 1
    BLUE = 2


class Mode(str, enum.Enum):
    FAST = "fast"
    SLOW = "slow"


class Tag(enum.IntEnum):
    WORK = 1
    STOP = 2


class Step(enum.Enum):
    FIRST = enum.auto()
    SECOND = enum.auto()


show(Colour.RED is Colour.CRIMSON, [one.name for one in Colour], Colour(2) is Colour.BLUE, Colour.RED == 1)
show(Mode.FAST == "fast", Mode.FAST in ("fast", "slow"), {"fast": 3}[Mode.FAST], Mode("slow") is Mode.SLOW)
show(Tag.WORK == 1, Tag.STOP > Tag.WORK, Tag(2) == Tag.STOP, {Tag.WORK: "a"}[1], Tag.WORK + 1)
show(Step.FIRST is Step.SECOND, Step.FIRST == Step.SECOND, Step.SECOND.value, Step.FIRST in (Step.FIRST,))


class Side(enum.Flag):
    NONE = 0
    LEFT = enum.auto()
    RIGHT = enum.auto()
    BOTH = 3


class Border(enum.Flag):
    LOW = enum.auto()
    HIGH = enum.auto()
    ALL = LOW | HIGH


sides = Side.NONE
show(bool(sides), Side.LEFT in sides, bool(sides | Side.LEFT), (sides | Side.LEFT) is Side.LEFT)
sides |= Side.RIGHT
show(Side.LEFT in sides, Side.RIGHT in sides, Side.NONE in sides, sides & Side.LEFT == Side.NONE)
show(Border.LOW | Border.HIGH == Border.ALL, Border.LOW in Border.LOW | Border.HIGH)
show(sides | Side.LEFT == Side.BOTH, (~sides) is Side.LEFT, (Side.BOTH ^ Side.LEFT).name, Side.BOTH not in sides)
show([one.name for one in (Side.LEFT, Side.RIGHT) if one in sides], "yes" if sides & Side.LEFT else "no")
show(Tag["WORK"] == 1, [one + 0 for one in Tag], len(Tag), Colour["CRIMSON"] is Colour.RED, len(Colour), Mode["SLOW"])
