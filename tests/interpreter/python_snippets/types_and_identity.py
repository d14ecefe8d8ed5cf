"""Types, identity, and comparisons of objects of the program."""

import functools

show(type(3) is int, type(2.5) is int, type([]) is list, type("a") == str, type(range(3).count(1)) is int)


class Problem(Exception):
    pass


class Harder(Problem):
    pass


problem = Harder(3)
show(isinstance(problem, Harder), isinstance(problem, Problem), isinstance(problem, Exception), problem.args)


class Version:
    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number == (other.number if isinstance(other, Version) else other)

    def __lt__(self, other):
        return self.number < other.number

    def __hash__(self):
        return hash(self.number)


show(Version(1) == Version(1), Version(1) == 1, 1 == Version(1), Version(1) != Version(1), Version(2) > Version(1))
show(Version(1) in [Version(1)], 2 in [Version(2)], [Version(1), Version(2)] == [Version(1), Version(2)])


class Names(list):
    pass


class Table(dict):
    pass


names = Names("ab")
table = Table(a=1)
show(names == ["a", "b"], len(names), "a" in names, table == {"a": 1}, table["a"])


class Total:
    def __init__(self):
        self.value = 0

    def __iadd__(self, other):
        self.value += other
        return self


total = other = Total()
total += 5
show(total is other, other.value)
show(functools.reduce(lambda a, b: a * b, [1, 2, 3], 10), repr("a"), str("a"), repr([1, "b"]), f"{'q'!r}")
