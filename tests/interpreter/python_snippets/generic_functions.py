"""Functions that are selected by the type of their argument, and comparisons that are made of one."""

from functools import singledispatch, singledispatchmethod, total_ordering


@singledispatch
def kind(value):
    return "other"


@kind.register
def _(value: list):
    return "list"


@kind.register(dict)
def _of_dict(value):
    return "dict"


@kind.register
def _(value: int | float):
    return "number"


@kind.register(bool)
def _(value):
    return "truth"


class Shape:
    pass


class Square(Shape):
    pass


kind.register(Shape, lambda value: "shape")
show(kind([]), kind({}), kind(1), kind(1.5), kind(True), kind("text"), kind(None), kind(Square()), kind(()))


@kind.register
def _(value: Square):
    return "square"


show(kind(Square()), kind(Shape()), kind.dispatch(list)([]))


class Writer:
    def __init__(self):
        self.lines = []

    @singledispatchmethod
    def write(self, value):
        self.lines.append("?")

    @write.register
    def _(self, value: str):
        self.lines.append(value)

    @write.register
    def _(self, value: list):
        for one in value:
            self.write(one)


writer = Writer()
writer.write(["a", 1, ["b"]])
show(writer.lines)


@total_ordering
class Version:
    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number == other.number

    def __lt__(self, other):
        return self.number < other.number


@total_ordering
class Size:
    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number == other.number

    def __ge__(self, other):
        return self.number >= other.number


for made in (Version, Size):
    for one, other in ((1, 2), (2, 2), (3, 2)):
        left, right = made(one), made(other)
        show(left < right, left <= right, left > right, left >= right, left == right, left != right)
show(max([Version(1), Version(3), Version(2)]).number, sorted([Size(2), Size(1)])[0].number)
