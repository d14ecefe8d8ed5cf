"""``__new__``: singletons, objects of other classes, arguments that both methods take."""

import operator
from collections import defaultdict


class Single:
    _made = None

    def __new__(cls):
        if cls._made is None:
            cls._made = super().__new__(cls)
            cls._made.count = 0
        return cls._made

    def bump(self):
        self.count += 1
        return self.count


show(Single().bump(), Single().bump(), Single() is Single())


class Point:
    def __new__(cls, x, y=0):
        made = object.__new__(cls)
        made.norm = x + y
        return made

    def __init__(self, x, y=0):
        self.x = x


point = Point(2, y=3)
show(point.norm, point.x)


class Base:
    def __new__(cls, name):
        kind = {"a": First}.get(name, cls)
        return super().__new__(kind)

    def __init__(self, name):
        self.name = name


class First(Base):
    label = "first"


show(Base("a").label, Base("a").name, type(Base("b")) is Base)


class Factory:
    def __new__(cls):
        return [1, 2]


show(Factory(), len(Factory()))
show(operator.methodcaller("split", ",")("a,b"), defaultdict(int, {"k": 4})["k"])
