"""Special methods that deletions, copies and iteration call, and what an assignment to a selection changes."""

import copy
from dataclasses import dataclass, field

import numpy as np


@dataclass(order=True)
class Job:
    priority: int
    owner: str = field(compare=False, default="")


class Shelf:
    def __init__(self):
        self.items = {"a": 1, "b": 2}

    def __delitem__(self, name):
        self.items.pop(name)

    def __iter__(self):
        return iter([1, 2])

    def __reversed__(self):
        return iter([9, 8])

    def __copy__(self):
        made = Shelf()
        made.items = {"copied": 3}
        return made


class Kept:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        return instance.__dict__.get(self.name, "unset")

    def __set__(self, instance, value):
        instance.__dict__[self.name] = value


class Holder:
    value = Kept()


show(Job(1, "a") == Job(1, "b"), Job(1, "a") == Job(2, "a"))
shelf = Shelf()
del shelf["a"]
show(shelf.items, list(shelf), list(reversed(shelf)), copy.copy(shelf).items)
holder = Holder()
show(holder.value)
holder.value = 5
show(holder.value)
show(list(zip(*[iter(range(6))] * 2)), bin(5).count("1"), hex(255), ord("a"), (5).bit_length())
counts = np.zeros(4, dtype=int)
counts[[1, 3]] += 1
show(counts.tolist(), int(counts.sum()))
